//! Every word that people read in a messenger, in Korean (seed 0, section 7, to the letter) and in English.

mod en;
mod ko;
mod notices;

use std::borrow::Cow;

pub use notices::NoticeWords;

use crate::flow::Notice;
use crate::request::Resolver;

/// The language of what people read: `DMPLZ_LANG`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Lang {
    /// The texts of seed 0 in Korean, the default.
    #[default]
    Ko,
    /// The same texts in English.
    En,
}

/// The words of one language. `{}` stands for what the field's comment names.
#[derive(Debug)]
pub struct Words {
    /// Title of a request; the tool.
    pub request: &'static str,
    /// Title of a plan.
    pub plan: &'static str,
    /// Begins the line that names the agent's folder.
    pub folder: &'static str,
    /// Begins the line that names the subagent which asks.
    pub agent: &'static str,
    /// Line: what the session grant would store.
    pub grant: &'static str,
    /// A mode as a grant; the mode.
    pub grant_mode: &'static str,
    /// A directory as a grant; the directory.
    pub grant_directory: &'static str,
    /// Line: the rule because of which somebody is asked; its reason and place.
    pub asked_by_rule: &'static str,
    /// Line: something keeps rules from allowing; what.
    pub policy_trouble: &'static str,
    /// Begins the line with the request's id.
    pub id: &'static str,
    /// Line: how to answer by reactions; the legend.
    pub react: &'static str,
    /// Stands for text that is not in the card but in a file; characters left out, file name.
    pub in_file: &'static str,
    /// The same for text that stands in the messages above; characters left out.
    pub above: &'static str,
    /// Title of such a message; its number, how many there are.
    pub page: &'static str,
    /// Label of the button that allows this call.
    pub approve: &'static str,
    /// Label of the button that allows the like for the session.
    pub session: &'static str,
    /// Label of the button that denies.
    pub deny: &'static str,
    /// Button on the prompt.
    pub skip: &'static str,
    /// Button on a prompt: opens a form.
    pub write: &'static str,
    /// Title of the form.
    pub write_reason: &'static str,
    /// Title of the form.
    pub write_changes: &'static str,
    /// Stands above the field of a form for a reason.
    pub write_label: &'static str,
    /// Title of a question; its number, how many there are.
    pub question: &'static str,
    /// Title of the look over all answers.
    pub review: &'static str,
    /// A question with its answer.
    pub answer: &'static str,
    /// Line under a question that takes several options.
    pub several: &'static str,
    /// Line: the questions cannot be shown.
    pub unanswerable: &'static str,
    /// Button: what "always" stores has no tool; the place.
    pub always: &'static str,
    /// Button; the tool, the place.
    pub always_tool: &'static str,
    /// Button; the tools, the place.
    pub always_two_tools: &'static str,
    /// Button; the first tool, how many more, the place.
    pub always_more_tools: &'static str,
    /// Button; 1, the place.
    pub always_directory: &'static str,
    /// Button; how many directories, the place.
    pub always_directories: &'static str,
    /// Line: what "always" stores.
    pub always_line: &'static str,
    /// The same with the place.
    pub always_line_at: &'static str,
    /// Line: where each reaction stores it.
    pub always_places: &'static str,
    /// Line of a final state: what was stored, where.
    pub stored_line: &'static str,
    /// Line: what reaches further than the call, and is not stored; why.
    pub wide_left_out: &'static str,
    /// The same where it is stored.
    pub wide_included: &'static str,
    /// Says why a rule is too wide: it allows any shell command.
    pub wide_shell: &'static str,
    /// Says why a rule is too wide: its program runs any code.
    pub wide_interpreter: &'static str,
    /// Says why a rule is too wide: its pattern covers other calls.
    pub wide_wildcard: &'static str,
    /// Says why a rule is too wide: it allows the whole tool.
    pub wide_tool: &'static str,
    /// Label of the button that changes where a rule is stored; the place.
    pub scope: &'static str,
    /// Names the place `.claude/settings.local.json`.
    pub scope_local: &'static str,
    /// Names the place `~/.claude/settings.json`.
    pub scope_user: &'static str,
    /// Names the place `.claude/settings.json`.
    pub scope_project: &'static str,
    /// Place: the client's memory.
    pub scope_session: &'static str,
    /// Label of the button that stores the wide rules too.
    pub widen: &'static str,
    /// Label of the button that leaves the wide rules out again.
    pub narrow: &'static str,
    /// Label of the button that grants exactly this call for 30 minutes.
    pub grant_half_hour: &'static str,
    /// Label of the button that grants exactly this call for the session.
    pub grant_session: &'static str,
    /// Label of the button that denies and says what to do instead.
    pub tell: &'static str,
    /// The choice that shows more choices.
    pub more: &'static str,
    /// Title of the form.
    pub tell_title: &'static str,
    /// Label of its field.
    pub tell_label: &'static str,
    /// Placeholder of its field.
    pub tell_placeholder: &'static str,
    /// Button of a plan.
    pub auto_accept: &'static str,
    /// Button of a plan.
    pub manual: &'static str,
    /// Button of a plan.
    pub keep_planning: &'static str,
    /// Button of a question.
    pub no_answer: &'static str,
    /// Button of a question.
    pub other: &'static str,
    /// Button of a question.
    pub other_away: &'static str,
    /// Label of the field for own words.
    pub other_label: &'static str,
    /// Button of a question.
    pub back: &'static str,
    /// Button of a question.
    pub next: &'static str,
    /// Button of the answers.
    pub submit: &'static str,
    /// First line of the prompt for what to do instead.
    pub prompt_instead: &'static str,
    /// First line of the prompt for what to change in a plan.
    pub prompt_changes: &'static str,
    /// The prompt for an answer; the question.
    pub prompt_answer: &'static str,
    /// Seed 0, 7.2 and 7.3, first line.
    pub prompt: &'static str,
    /// Seed 0, 7.2, second line.
    pub prompt_button: &'static str,
    /// Seed 0, 7.3, second line; the keyword.
    pub prompt_keyword: &'static str,
    /// Seed 0, 7.2 and 7.3, third line; the limit, as `Lang::time_limit` says it.
    pub prompt_limit: &'static str,
    /// Seed 0, 7.4; the request id.
    pub late: &'static str,
    /// Final title; the tool.
    pub approved: &'static str,
    /// Final title; the tool.
    pub approved_session: &'static str,
    /// Final title; the tool.
    pub approved_always: &'static str,
    /// Final title of answered questions; the tool.
    pub answered: &'static str,
    /// Line of an approved plan.
    pub edits_auto: &'static str,
    /// Line of an approved plan.
    pub edits_manual: &'static str,
    /// Line of a grant of ours.
    pub granted_half_hour: &'static str,
    /// Line of a grant of ours.
    pub granted_session: &'static str,
    /// Line: what to do instead.
    pub instead: &'static str,
    /// Final title; the tool.
    pub rejected: &'static str,
    /// Final title; the tool.
    pub expired: &'static str,
    /// Final title; the tool.
    pub elsewhere: &'static str,
    /// Final title of a request whose hook died; the tool.
    pub interrupted: &'static str,
    /// Line of a final state: who, when.
    pub by: &'static str,
    /// Line of a final state without a person: when.
    pub at: &'static str,
    /// Line of a final state: the reason that was given.
    pub reason: &'static str,
    /// Line: the rule that decided.
    pub rule: &'static str,
    /// Line: denied without a reason, on purpose.
    pub no_reason: &'static str,
    /// Line: denied, and no reason came in time.
    pub no_reason_timeout: &'static str,
    /// Line under expired: nobody answered in time.
    pub why_nobody: &'static str,
    /// Line under expired when `DMPLZ_ON_EXPIRED=deny`.
    pub why_nobody_denied: &'static str,
    /// Told at the terminal when nobody answered.
    pub unanswered: &'static str,
    /// Told at the terminal when nobody could be asked, or no answer could have come: what failed.
    pub unasked: &'static str,
    /// Line under settled elsewhere: the terminal answered.
    pub why_terminal: &'static str,
    /// Line under settled elsewhere: the client stopped the request.
    pub why_stopped: &'static str,
    /// Line under settled elsewhere: the client is gone.
    pub why_client_gone: &'static str,
    /// Line under expired when the messenger failed.
    pub why_failed: &'static str,
    /// The same when `DMPLZ_ON_EXPIRED=deny`.
    pub why_failed_denied: &'static str,
    /// Line under interrupted: the process that asked has died.
    pub why_interrupted: &'static str,
    /// Told to a presser.
    pub not_allowed: &'static str,
    /// Told to a presser.
    pub already: &'static str,
    /// Told to a presser.
    pub not_the_denier: &'static str,
    /// Told when a text came without its content.
    pub unreadable: &'static str,
    /// Told to a presser: the choice is not on the card any more.
    pub outdated: &'static str,
    /// Told to a presser.
    pub unknown_card: &'static str,
    /// Told to a presser: what was chosen on the card is too old.
    pub stale: &'static str,
    /// Told when words could be the reason of several requests.
    pub which_card: &'static str,
    /// Stands where a step of a request was, once it is past.
    pub moved_on: &'static str,
    /// Told to a late presser: how it ended, the request id.
    pub late_ended: &'static str,
    /// Line of a final state: the surface where it was answered.
    pub answered_on: &'static str,
    /// Names the page as the surface where somebody answered.
    pub on_web: &'static str,
    /// Names the command line as the surface where somebody answered.
    pub on_cli: &'static str,
    /// Told to a presser whose approval could not be written down.
    pub unrecorded: &'static str,
    /// Told to a presser whose denial counts and could not be written down.
    pub unrecorded_deny: &'static str,
    /// Told to a presser: who denied meanwhile.
    pub denied_by: &'static str,
    /// What a grant of ours is about: the tool, a command.
    pub granted_command: &'static str,
    /// The same: the tool, a file.
    pub granted_file: &'static str,
    /// The same: the tool, the scheme and host.
    pub granted_site: &'static str,
    /// The same: the tool, its input.
    pub granted_input: &'static str,
    /// The same with the folder: one of the above, the folder.
    pub granted_in: &'static str,
    /// Line of a request: what a grant of ours would be about, where that is more than the very call.
    pub granted_offer: &'static str,
    /// Whatever is done with a file: the tool, the file.
    pub granted_any: &'static str,
    /// Line of a final state: the grant could not be written down.
    pub granted_not_kept: &'static str,
    /// Button on a final state.
    pub revoke: &'static str,
    /// Line of a final state that has no such button.
    pub revoke_how: &'static str,
    /// Line of a final state: who took the grant back, when.
    pub revoked_by: &'static str,
    /// Told to a presser who took it back.
    pub revoked: &'static str,
    /// The grant has ended by itself: told to a presser, and a line of the final state.
    pub granted_over: &'static str,
    /// Told to a presser: it could not be taken back.
    pub not_revoked: &'static str,
    /// Title: asks whether the person in the chat is the one at a computer; the computer.
    pub meeting: &'static str,
    /// Line: what a yes means.
    pub meeting_means: &'static str,
    /// Label of the button that says yes.
    pub meeting_yes: &'static str,
    /// Label of the button that says no.
    pub meeting_no: &'static str,
    /// They are; the computer.
    pub met: &'static str,
    /// They are not; the computer.
    pub not_met: &'static str,
}

impl Lang {
    /// The words of the language.
    pub fn words(self) -> &'static Words {
        match self {
            Self::Ko => &ko::WORDS,
            Self::En => &en::WORDS,
        }
    }

    /// Reads `ko` or `en`.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "ko" => Some(Self::Ko),
            "en" => Some(Self::En),
            _ => None,
        }
    }

    /// The language of a POSIX locale such as `en_US.UTF-8`; none for one that names no language (empty, `C`, `POSIX`).
    /// People whose language is neither of the two read English.
    pub fn of_locale(locale: &str) -> Option<Self> {
        let language = locale.split(['.', '_', '@', '-']).next().unwrap_or_default();
        match language {
            "" | "C" | "POSIX" => None,
            "ko" => Some(Self::Ko),
            _ => Some(Self::En),
        }
    }

    /// Its name in settings: `ko` or `en`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ko => "ko",
            Self::En => "en",
        }
    }

    /// A time limit as people are told it, rounded to a second. Korean has it in milliseconds: the words of seed 0, 7.2.
    pub fn time_limit(self, ms: u64) -> String {
        if self == Self::Ko {
            return format!("{ms}ms");
        }
        let seconds = ms.saturating_add(500) / 1_000;
        let count = |n: u64, unit: &str| format!("{n} {unit}{}", if n == 1 { "" } else { "s" });
        match (seconds / 60, seconds % 60) {
            (0, seconds) => count(seconds, "second"),
            (minutes, 0) => count(minutes, "minute"),
            (minutes, seconds) => format!("{} {}", count(minutes, "minute"), count(seconds, "second")),
        }
    }

    /// What a presser is told, if anything.
    pub fn notice(self, notice: Notice) -> Option<&'static str> {
        let words = self.words();
        match notice {
            Notice::Taken => None,
            Notice::NotAllowed => Some(words.not_allowed),
            Notice::AlreadyAnswered => Some(words.already),
            Notice::NotTheDenier => Some(words.not_the_denier),
            Notice::Unreadable => Some(words.unreadable),
            Notice::Outdated => Some(words.outdated),
            Notice::UnknownCard => Some(words.unknown_card),
            Notice::Stale => Some(words.stale),
            Notice::WhichCard => Some(words.which_card),
        }
    }

    /// A surface as people call it. A messenger goes by its [`title`].
    pub fn surface(self, name: &str) -> Cow<'static, str> {
        let words = self.words();
        match name {
            "web" => words.on_web.into(),
            "cli" => words.on_cli.into(),
            "websocket" => "WebSocket".into(),
            "rest" => "REST API".into(),
            messenger => title(messenger).into(),
        }
    }

    /// Why a request ended without an answer on its card.
    pub fn resolver(self, resolver: Resolver) -> &'static str {
        let words = self.words();
        match resolver {
            Resolver::Terminal => words.why_terminal,
            Resolver::Stopped => words.why_stopped,
            Resolver::ClientGone => words.why_client_gone,
        }
    }
}

/// A messenger as people call it: its provider's name with a capital letter.
pub fn title(messenger: &str) -> String {
    let mut letters = messenger.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// Fills the `{}` of a text, in order.
pub fn fill(template: &str, values: &[&str]) -> String {
    let mut values = values.iter();
    let mut pieces = template.split("{}");
    let mut filled = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        filled.push_str(values.next().copied().unwrap_or_default());
        filled.push_str(piece);
    }
    filled
}

/// The length of a text in units: UTF-16 code units, the strictest count among messengers.
pub fn units(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_locale_chooses_the_language_where_it_names_one() {
        for (locale, lang) in [
            ("ko_KR.UTF-8", Some(Lang::Ko)),
            ("ko", Some(Lang::Ko)),
            ("en_US.UTF-8", Some(Lang::En)),
            ("en-GB", Some(Lang::En)),
            ("de_DE@euro", Some(Lang::En)),
            ("kok_IN", Some(Lang::En)),
            ("C.UTF-8", None),
            ("POSIX", None),
            ("", None),
        ] {
            assert_eq!(Lang::of_locale(locale), lang, "{locale}");
        }
    }

    #[test]
    fn a_time_limit_is_words_in_english_and_milliseconds_in_korean() {
        let limits = [400, 1_000, 59_500, 60_000, 61_200, 150_000].map(|ms| Lang::En.time_limit(ms));
        insta::assert_snapshot!(limits.join(", "), @"0 seconds, 1 second, 1 minute, 1 minute, 1 minute 1 second, 2 minutes 30 seconds");
        assert_eq!(Lang::Ko.time_limit(60_000), "60000ms");
    }
}
