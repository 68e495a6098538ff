//! Formats a request for a terminal. Untrusted text has a bar before it on every line of the screen, so that nothing
//! in it can pass for a line of dmplz.

use std::borrow::Cow;

use dmplz_core::card::Part;
use dmplz_core::request::{Cause, End, ReasonSource, Resolution};
use dmplz_core::text::{Lang, fill};
use dmplz_core::visible::{visible, visible_line};
use dmplz_protocol::{Source, Standing, Status};

use crate::terminal::{self, Paint, Tone, say};
use crate::time;

/// The least width of a terminal that is believed.
const NARROWEST: usize = 20;

/// How an answer is given, for what is said of the answers that a request offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hints {
    /// By options of `dmplz approvals approve`.
    Options,
    /// By lines at a prompt.
    Lines,
    /// By keys on the whole screen.
    Keys,
}

/// The viewer of the card.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Look {
    pub(super) hints: Hints,
    pub(crate) lang: Lang,
    pub(crate) paint: Paint,
    /// The columns of the terminal; `None` leaves lines at their length.
    pub(super) columns: Option<usize>,
    /// The current time, in Unix milliseconds.
    pub(super) now_ms: u64,
}

impl Look {
    /// Returns the viewer of stdout, at the current time.
    pub(crate) fn of_stdout(lang: Lang) -> Self {
        let paint = Paint::of_stdout();
        Self { hints: Hints::Options, lang, paint, columns: terminal::columns(), now_ms: time::now_ms() }
    }

    /// Formats the whole request.
    pub(super) fn whole(&self, standing: &Standing) -> String {
        let request = &standing.request;
        let mut text = format!("{}\n", self.paint.tone(Tone::Strong, &self.title(standing)));
        let mut row = |name: &str, value: &str| {
            text.push_str(&format!("  {}{value}\n", self.paint.tone(Tone::Faint, &terminal::pad(name, 8))));
        };
        row("id", &request.id.to_string());
        row(say(self.lang, "상태", "status"), &self.status(standing));
        let asked = fill(
            say(self.lang, "{} ({} 전)", "{} ({} ago)"),
            &[&time::moment(request.created_ms), &self.age(standing)],
        );
        row(say(self.lang, "요청", "asked"), &asked);
        row(say(self.lang, "출처", "from"), &self.source(&request.source));
        for line in request.subject.warning(self.lang).iter().chain(&request.subject.context) {
            text.push_str(&self.behind_a_bar(line, false));
        }
        let is_diff = request.tool == "Edit";
        for part in &request.subject.parts {
            text.push_str(&self.behind_a_bar(part.text(), is_diff && matches!(part, Part::Code(_))));
        }
        if let Some(grant) = &request.subject.grant {
            text.push_str(&self.behind_a_bar(grant, false));
        }
        if standing.status == Status::Open {
            text.push_str(&self.offers(&request.offer));
        }
        let questions = &request.offer.questions;
        for (at, question) in questions.iter().enumerate() {
            text.push_str(&self.question(question, at, questions.len()));
        }
        text
    }

    /// Returns the title, on one line.
    pub(super) fn title(&self, standing: &Standing) -> String {
        let tool = visible_line(&standing.request.tool);
        match standing.request.source {
            Source::Hook { .. } | Source::Session { .. } if tool == "ExitPlanMode" => self.lang.words().plan.to_owned(),
            Source::Hook { .. } | Source::Session { .. } => fill(self.lang.words().request, &[&tool]),
            Source::Tool { .. } => {
                fill(say(self.lang, "🔐 프로그램 실행 요청: {}", "🔐 A program asks to run: {}"), &[&tool])
            }
        }
    }

    /// Returns the beginning of what is asked, on one line.
    pub(super) fn what(standing: &Standing) -> String {
        let (subject, questions) = (&standing.request.subject, &standing.request.offer.questions);
        let asked = subject.parts.iter().map(Part::text).chain(questions.iter().map(|asked| asked.question.as_str()));
        let text = asked.clone().next().unwrap_or_default();
        let first = match subject.parts.is_empty() {
            true => Cow::Borrowed(text.lines().next().unwrap_or_default()),
            false => subject.line(),
        };
        // A line that was made of several ends with `…` where it leaves something out.
        let is_cut = matches!(first, Cow::Borrowed(_)) && text.trim_end().contains('\n');
        let more = asked.count() > 1 || is_cut;
        let line = visible_line(&first);
        if more { format!("{line} ⋯") } else { line }
    }

    /// Returns the status of the request.
    pub(super) fn status(&self, standing: &Standing) -> String {
        match &standing.status {
            Status::Open => {
                let left = self.left(standing);
                self.paint.tone(Tone::Doubtful, &fill(say(self.lang, "대기 중, {} 남음", "open, {} left"), &[&left]))
            }
            Status::Denied { by, .. } => {
                let by = visible_line(&by.name);
                let words =
                    say(self.lang, "❌ {} 님이 거부함, 사유를 기다리는 중", "❌ denied by {}, the reason may follow");
                self.paint.tone(Tone::Bad, &fill(words, &[&by]))
            }
            Status::Ended { resolution, ended_ms, taken } => self.end(standing, resolution, *ended_ms, *taken),
        }
    }

    /// Returns how long it stays open.
    pub(super) fn left(&self, standing: &Standing) -> String {
        time::span(self.lang, standing.request.expires_ms.saturating_sub(self.now_ms))
    }

    /// Returns how long ago it was asked.
    pub(super) fn age(&self, standing: &Standing) -> String {
        time::span(self.lang, self.now_ms.saturating_sub(standing.request.created_ms))
    }

    fn source(&self, source: &Source) -> String {
        match source {
            Source::Hook { session_id, agent_id: None } | Source::Session { session_id, agent_id: None } => {
                fill(say(self.lang, "Claude Code, 세션 {}", "Claude Code, session {}"), &[&visible_line(session_id)])
            }
            Source::Hook { session_id, agent_id: Some(agent) }
            | Source::Session { session_id, agent_id: Some(agent) } => fill(
                say(self.lang, "Claude Code, 세션 {}, 서브에이전트 {}", "Claude Code, session {}, subagent {}"),
                &[&visible_line(session_id), &visible_line(agent)],
            ),
            Source::Tool { invocation_id } => {
                fill(say(self.lang, "프로그램, 실행 {}", "a program, invocation {}"), &[&invocation_id.to_string()])
            }
        }
    }

    fn end(&self, standing: &Standing, resolution: &Resolution, ended_ms: u64, taken: Option<bool>) -> String {
        let words = self.lang.words();
        let (title, tone) = match resolution.outcome {
            End::Approved | End::ApprovedAlways | End::ApprovedGranted | End::Answered | End::AllowedByRule => {
                (words.approved, Tone::Good)
            }
            End::ApprovedSession => (words.approved_session, Tone::Good),
            End::RejectedWithReason | End::RejectedNoReason | End::DeniedByRule => (words.rejected, Tone::Bad),
            End::Expired if resolution.cause == Some(Cause::Failed) => (words.interrupted, Tone::Doubtful),
            End::Expired => (words.expired, Tone::Doubtful),
            End::ResolvedElsewhere => (words.elsewhere, Tone::Doubtful),
        };
        let title = fill(title, &[&visible_line(&standing.request.tool)]);
        let by = resolution.by.as_ref().map(|by| format!("{} ({})", visible_line(&by.name), visible_line(&by.surface)));
        let why = match (&resolution.reason, resolution.reason_source) {
            (Some(reason), _) => Some(fill(words.reason, &[&visible_line(reason)])),
            (None, Some(ReasonSource::Timeout)) => Some(words.no_reason_timeout.to_owned()),
            (None, Some(ReasonSource::ExplicitSkip)) => Some(words.no_reason.to_owned()),
            (None, _) => None,
        };
        let rule = resolution.rule.as_ref().map(|rule| fill(words.rule, &[&visible_line(rule)]));
        let missed = say(self.lang, "요청한 쪽이 받지 못함", "whoever asked did not get it").to_owned();
        let missed = (taken == Some(false)).then_some(missed);
        let rest = [by, why, rule, missed, Some(time::moment(ended_ms))];
        let rest: Vec<String> = rest.into_iter().flatten().collect();
        format!("{} · {}", self.paint.tone(tone, &title), rest.join(" · "))
    }

    /// Formats untrusted text: a bar before every line, and another one before each continuation.
    pub(crate) fn behind_a_bar(&self, text: &str, is_diff: bool) -> String {
        let room = self.columns.map(|columns| columns.max(NARROWEST) - 3);
        let mut shown = String::new();
        for line in visible(text).split('\n') {
            let tone = match line.chars().next() {
                Some('-') if is_diff => Some(Tone::Bad),
                Some('+') if is_diff => Some(Tone::Good),
                _ => None,
            };
            // A tab would advance by an unknown number of columns.
            let line = if room.is_some() { line.replace('\t', "⇥   ") } else { line.to_owned() };
            let (mut bar, mut rest) = ('│', line.as_str());
            loop {
                let (piece, more) = room.map_or((rest, ""), |room| terminal::split(rest, room));
                let piece = tone.map_or_else(|| piece.to_owned(), |tone| self.paint.tone(tone, piece));
                shown.push_str(&format!("{} {piece}\n", self.paint.tone(Tone::Faint, &bar.to_string())));
                if more.is_empty() {
                    break;
                }
                (bar, rest) = ('┆', more);
            }
        }
        shown
    }
}

#[cfg(test)]
pub(super) mod tests;
