//! The calls of exports, and what they break.

use dmplz_core::messenger::{ProviderError, Transport};
use dmplz_plugin::Fault;

use super::promise::{Promise, Report};
use super::weather::Weather;

/// How many log lines a broken promise shows at most, and how many characters of each.
const LINES: usize = 4;
const CHARS: usize = 160;

/// An export, called as the host calls it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Export {
    Open,
    Diagnose,
    Introduce,
    Meet,
    Post,
    Revise,
    Receive,
    /// `receive`, looking at a card.
    Look,
    Acknowledge,
    OpenThread,
    SetThread,
    SetCommands,
    Locate,
    Draft,
}

/// The result of a call.
pub(super) struct Called {
    /// The number of things that it reports.
    pub(super) outcome: Result<usize, ProviderError>,
    /// Whether `meet` may follow.
    pub(super) may_meet: bool,
    /// The lines that the component logged during the call.
    pub(super) lines: Vec<String>,
}

impl Export {
    /// All of them, by their names.
    pub(super) const ALL: [(Self, &str); 14] = [
        (Self::Open, "open"),
        (Self::Diagnose, "diagnose"),
        (Self::Introduce, "introduce"),
        (Self::Meet, "meet"),
        (Self::Post, "post"),
        (Self::Revise, "revise"),
        (Self::Receive, "receive"),
        (Self::Look, "receive with a card"),
        (Self::Acknowledge, "acknowledge"),
        (Self::OpenThread, "open-thread"),
        (Self::SetThread, "set-thread"),
        (Self::SetCommands, "set-commands"),
        (Self::Locate, "locate"),
        (Self::Draft, "draft"),
    ];

    /// Returns whether the host calls it over a transport.
    pub(super) fn is_called(self, transport: &Transport) -> bool {
        match self {
            Self::OpenThread | Self::SetThread => transport.threads,
            Self::SetCommands => transport.commands,
            Self::Locate => transport.files,
            Self::Draft => transport.drafts,
            _ => true,
        }
    }
}

impl Called {
    /// Notes what it broke. Whether it cost its instance, so that calling it again shows nothing new.
    pub(super) fn judge(
        &self,
        (export, name): (Export, &str),
        weather: &Weather,
        asked: usize,
        transport: &str,
        report: &mut Report,
    ) -> bool {
        let at = format!("{name}, where {}", weather.name);
        let broke = self.broke(&at, transport, report);
        let mut broken = |promise, what: &str| report.broken(promise, Some(transport), &format!("{at}: {what}"));
        let is_tried_again = matches!(export, Export::Post | Export::Revise | Export::Receive | Export::Look);
        if let Err(error) = &self.outcome
            && is_tried_again
            && weather.passes()
            && !error.passes()
            && !matches!(error, ProviderError::Broken(_))
        {
            broken(Promise::Again, &error.to_string());
        }
        if let Ok(events) = self.outcome {
            let changes = matches!(export, Export::Post | Export::Revise | Export::SetCommands);
            if changes && weather.is_a_no() {
                broken(Promise::Honest, "it says that it is done");
            } else if changes && asked == 0 {
                broken(Promise::Honest, "it says that it is done, and asked nobody");
            }
            if events > 0 {
                broken(Promise::Nothing, &format!("it reports {events} of what people did"));
            }
        }
        broke
    }

    /// Notes what any call can break. Whether it cost its instance.
    pub(super) fn broke(&self, at: &str, transport: &str, report: &mut Report) -> bool {
        let transport = Some(transport);
        refusals(&self.lines, at, transport, None, report);
        let overstayed = format!("its instance was thrown away: {}", Fault::Overstayed);
        if self.lines.contains(&overstayed) {
            report.broken(Promise::Returns, transport, &format!("{at}: {}", Fault::Overstayed));
            return true;
        }
        let Err(ProviderError::Broken(why)) = &self.outcome else { return false };
        report.broken(Promise::Sound, transport, &told(at, why, &self.lines));
        true
    }
}

/// Describes a fault, with the last log lines of the component before it. Those of Python and JavaScript tell an exception
/// in several lines.
pub(super) fn told(at: &str, why: &str, lines: &[String]) -> String {
    // What Rust's runtime adds to every panic. The place of one stands on a line of its own, before its text.
    let is_noise = |line: &str| {
        line.starts_with("its instance was thrown away")
            || line.contains("RUST_BACKTRACE")
            || (line.contains(" panicked at ") && line.ends_with(':'))
    };
    let said: Vec<&str> = lines.iter().map(String::as_str).filter(|line| !is_noise(line)).collect();
    let last = said.get(said.len().saturating_sub(LINES)..).unwrap_or_default();
    let said: Vec<String> = last.iter().map(|line| line.chars().take(CHARS).collect()).collect();
    if said.is_empty() { format!("{at}: {why}") } else { format!("{at}: {why} (it said: {})", said.join(" / ")) }
}

/// Notes what the sandbox refused, by the words of `dmplz_plugin`: its reasons are values for the component and lines for the
/// operator. `offline`: the promise that any request breaks.
pub(super) fn refusals(
    lines: &[String],
    at: &str,
    transport: Option<&str>,
    offline: Option<Promise>,
    report: &mut Report,
) {
    /// Refusals that the faulty server has caused.
    const OF_THE_SERVER: [&str; 4] = ["the reply ", "a redirect ", "a frame that arrived ", "resolves to no address"];
    const OF_SECRETS: [&str; 4] = [
        "the manifest names no such place",
        "does not belong to",
        "a secret may stand only once",
        "there is no secret",
    ];
    for line in lines {
        if line == "(further lines of this call were dropped)" {
            report.broken(Promise::Quiet, transport, &format!("{at}: it wrote more than 64 lines"));
        }
        let Some((_, why)) = line.split_once(" was refused: ") else { continue };
        if OF_THE_SERVER.iter().any(|of| why.contains(of)) {
            continue;
        }
        let promise = match offline {
            Some(offline) => offline,
            None if why.ends_with(" is not granted") => Promise::Origins,
            None if OF_SECRETS.iter().any(|of| why.contains(of)) => Promise::Secrets,
            None => Promise::Requests,
        };
        report.broken(promise, transport, &format!("{at}: {why}"));
    }
}
