//! `dmplz doctor`: what works, what does not, and what to do about it.
//!
//! | finding | what is checked |
//! |---|---|
//! | settings | every value, and the file of `DMPLZ_CA_FILE`, can be read; every `DMPLZ_*` variable is a setting; only the owner can access a `config.toml` with a token |
//! | state | the directory belongs to the user, is writable, and has space |
//! | account | a messenger is chosen, its token and chat are set; where a gateway runs, page and terminals do without |
//! | gateway | whether one runs, answers, is of this version, and which surfaces would show a request |
//! | store | the gateway's database: the file is intact, and every request can be read |
//! | notices | `[notify]` can be read, its channels can send, and a gateway is there to send |
//! | providers | the list of installed providers can be read, and each file is what was installed |
//! | messenger | the component loads; token, chat and permissions, over the network; somebody may answer; no other program polls the bot; the clocks agree |
//! | policy | every file loads, no other user may write it, and the allows of a workspace are trusted |
//! | hooks | Claude Code's settings call this program for every event and wait long enough, and also before questions if these are asked ahead |
//!
//! Nothing is posted. Checks that depend on a failed one are left out.

mod account;
mod clock;
mod finding;
mod gateway;
mod hooks;
mod messenger;
mod notices;
mod policy;
mod poller;
mod providers;
mod settings_file;
mod state;
mod store;
mod variables;

use dmplz_core::text::{Lang, fill};
use serde::Serialize;

use crate::settings::{self, Settings, SettingsError, Table, environment};
use crate::terminal::{self, OnlyJson, Paint, Tone, say, tell_findings};
use crate::trouble;
use finding::{Finding, Level, Say};

/// All findings.
#[derive(Debug, Serialize)]
struct Report {
    /// Returns whether nothing has to be fixed.
    ok: bool,
    checks: Vec<Finding>,
    /// The command to run next, where nobody could be asked yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<&'static str>,
}

/// Runs all checks and prints their findings. The exit code is 4 if something has to be fixed.
pub(crate) fn run(args: &OnlyJson) -> anyhow::Result<u8> {
    let (lang, report) = examine()?;
    tell_findings(&report, args.json, report.ok, |report, paint| report.text(lang, paint))
}

fn examine() -> anyhow::Result<(Lang, Report)> {
    let mut say = Say { lang: terminal::lang(&environment) };
    let (mut found, mut next) = (Vec::new(), None);
    let settings = match Table::load(&environment).and_then(|table| Ok((Settings::of(&table)?, table))) {
        Ok((settings, mut table)) => {
            say.lang = settings.lang;
            trouble::set_verbosity(settings.verbose);
            found.push(say.good("settings", "설정을 읽었습니다", "the settings can be read"));
            found.extend(settings_file::check(&table.file, say));
            found.extend(settings_file::certificates(&settings, say));
            found.extend(state::check(&settings, say));
            found.extend(gateway::check(&settings, say));
            found.extend(store::check(&settings, say));
            found.extend(notices::check(&settings, say));
            let is_served = gateway::is_running(&settings);
            next = (account::is_new(&table) && !is_served).then_some("dmplz setup");
            match account::check(&mut table, is_served, say) {
                Ok((chosen, finding)) => {
                    found.push(finding);
                    found
                        .extend(crate::runtime::runtime()?.block_on(messenger::check(&chosen, &settings, &table, say)));
                }
                Err(finding) => found.push(finding),
            }
            found.extend(providers::check(&settings, say));
            found.extend(variables::check(&table, &settings, say));
            Some(settings)
        }
        Err(error) => {
            let fix = match &error {
                // `dmplz config` cannot tell more.
                SettingsError::File { .. } | SettingsError::StateDir { .. } => settings::hint(&error, say.lang),
                _ => say.of(
                    "값을 고쳐 주세요. `dmplz config`가 모든 설정을 보여 줍니다",
                    "correct it; `dmplz config` shows every setting",
                ),
            };
            found.push(Finding::bad("settings", say.error(&error.into()), fix));
            None
        }
    };
    found.extend(policy::check(say));
    found.extend(hooks::check(settings.as_ref(), say));
    Ok((say.lang, Report::of(found, next)))
}

impl Report {
    fn of(checks: Vec<Finding>, next: Option<&'static str>) -> Self {
        Self { ok: checks.iter().all(|check| check.level != Level::Bad), checks, next }
    }

    fn text(&self, lang: Lang, paint: Paint) -> String {
        let mut text = String::new();
        for check in &self.checks {
            let (mark, tone) = match check.level {
                Level::Good => ("✓", Tone::Good),
                Level::Doubtful => ("!", Tone::Doubtful),
                Level::Bad => ("✗", Tone::Bad),
            };
            let about = paint.tone(Tone::Faint, &terminal::pad(check.about, 10));
            text.push_str(&format!("{} {about}{}\n", paint.tone(tone, mark), check.what));
            if let Some(fix) = &check.fix {
                text.push_str(&format!("  {:10}{} {fix}\n", "", paint.tone(Tone::Strong, "→")));
            }
        }
        let verdict = match self.ok {
            true => paint.tone(Tone::Good, say(lang, "준비되었습니다.", "Ready.")),
            false => paint.tone(Tone::Bad, &self.problems(lang)),
        };
        let next = self.next.map(|command| {
            let words = say(
                lang,
                "아직 설정한 메신저가 없습니다. 다음 명령: {}",
                "No messenger is set up yet. The next command: {}",
            );
            format!("{}\n", fill(words, &[&paint.tone(Tone::Strong, command)]))
        });
        format!("{text}\n{verdict}\n{}", next.unwrap_or_default())
    }

    /// Returns the number of findings that have to be fixed.
    fn problems(&self, lang: Lang) -> String {
        let count = self.checks.iter().filter(|check| check.level == Level::Bad).count();
        let template = match count {
            1 => say(lang, "고칠 것이 {}가지 있습니다.", "{} problem to fix."),
            _ => say(lang, "고칠 것이 {}가지 있습니다.", "{} problems to fix."),
        };
        fill(template, &[&count.to_string()])
    }
}

#[cfg(test)]
mod tests;
