//! Why the setup stopped: what was tried, what came back, and the one thing to do next.

mod templates;

use dmplz_core::text::{Lang, fill};
use serde::Serialize;

use crate::failed::Failed;
use crate::terminal::{lang, say};
use crate::told::Phrase;
use crate::{exit, trouble};

/// A beginning that did not work out. Each has a sentence of its own, because to the person they all look alike: nothing
/// happens.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.what(lang(&crate::settings::environment)))]
pub(crate) enum Failure {
    /// A question needs somebody at a terminal; what it is about.
    NeedsPerson(&'static str),
    /// Who may answer is confirmed by a person at a terminal, whatever options there are.
    NeedsPairing,
    /// There will be no more input.
    Left,
    Interrupted,
    /// `--messenger` names none; what it takes.
    NoSuchMessenger(String),
    /// The file of `--from-file` cannot be used; its path, and why.
    AnswersFile(String, Phrase),
    /// The command ran and printed no token, or did not run; why.
    TokenCommand(Phrase),
    /// A token that has just been given was not accepted; where tokens come from.
    TokenRefused(&'static str),
    /// A token that was set up before is not accepted any more; its variable.
    TokenRevoked(&'static str),
    /// Something else takes the bot's events by itself; what the messenger says of it.
    Webhook(String),
    /// Another program asks for the bot's events too.
    OtherPoller,
    /// Another process of this state directory uses the bot; the gateway's id where it is that.
    InUse(Option<u32>),
    /// Nobody wrote to the bot in time.
    NobodyPressed,
    /// Somebody did, and not with the code; who.
    WrongCode(String),
    /// The person at the terminal said that it was somebody else; who.
    NotYou(String),
    /// The person at the terminal said that it was nobody whom they invited; who.
    NotInvited(String),
    /// Nobody else can be let in, because the chat is private.
    PrivateChat,
    /// Nobody can write to the bot first; the variable that lists who may answer.
    NoLink(&'static str),
    /// The list of those who may answer does not contain this id.
    NotListed(String),
    /// The chat is this person's own, so they may answer whatever is listed; their id.
    Owner(String),
    /// This person may answer, listed or not, because everybody in the chat may; their id.
    Everybody(String),
    /// Without this person nobody could answer; their id.
    LastPerson(String),
    /// The person in the chat said no.
    RefusedInChat,
    /// The person in the chat did not say anything in time.
    SilentInChat,
    /// The person at the terminal does not want that everybody may answer, and the messenger tells nobody apart.
    NobodyMayAnswer,
    /// The messenger cannot be reached; why, and whether only other programs have a proxy.
    Unreachable(Phrase, Option<&'static str>),
    /// The certificate of the messenger's server is not trusted; why.
    Certificate(String),
    /// Anything else that the messenger said.
    Messenger(Phrase),
    /// The settings cannot be kept; the file, and why.
    NotWritable(String, Phrase),
    /// Something in the environment hides what the setup wrote; its variable.
    Overridden(String),
    /// No hook runs; the file that says so.
    HooksOff(String),
    /// Only hooks of the machine's administrator run; the file that says so.
    OnlyManagedHooks(String),
    /// Claude Code's settings cannot be changed; why.
    NotInstalled(Phrase),
    /// A rule answers the test card by itself.
    RuleAnswers,
    /// Nobody pressed the test card in time.
    TestUnanswered,
    /// The hook could not ask; why.
    TestFailed(Phrase),
}

/// A failure in words.
#[derive(Debug, Serialize)]
pub(super) struct Words {
    pub(super) tried: String,
    pub(super) got: String,
    pub(super) next: String,
}

impl Words {
    /// What was tried and what came back, as one sentence.
    pub(super) fn what(&self) -> String {
        format!("{}: {}", self.tried, self.got)
    }
}

impl Failure {
    /// Returns the name of the failure, which stays as it is for programs.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Self::NeedsPerson(_) => "needs_person",
            Self::NeedsPairing => "needs_pairing",
            Self::Left => "left",
            Self::Interrupted => "interrupted",
            Self::NoSuchMessenger(_) => "no_such_messenger",
            Self::AnswersFile(..) => "answers_file",
            Self::TokenCommand(_) => "token_command",
            Self::TokenRefused(_) => "token_refused",
            Self::TokenRevoked(_) => "token_revoked",
            Self::Webhook(_) => "webhook",
            Self::OtherPoller => "other_poller",
            Self::InUse(_) => "in_use",
            Self::NobodyPressed => "nobody_pressed",
            Self::WrongCode(_) => "wrong_code",
            Self::NotYou(_) => "not_you",
            Self::NotInvited(_) => "not_invited",
            Self::PrivateChat => "private_chat",
            Self::NoLink(_) => "no_link",
            Self::NotListed(_) => "not_listed",
            Self::Owner(_) => "owner",
            Self::Everybody(_) => "everybody",
            Self::LastPerson(_) => "last_person",
            Self::RefusedInChat => "refused_in_chat",
            Self::SilentInChat => "silent_in_chat",
            Self::NobodyMayAnswer => "nobody_may_answer",
            Self::Unreachable(..) => "unreachable",
            Self::Certificate(_) => "certificate",
            Self::Messenger(_) => "messenger",
            Self::NotWritable(..) => "not_writable",
            Self::Overridden(_) => "overridden",
            Self::HooksOff(_) => "hooks_off",
            Self::OnlyManagedHooks(_) => "only_managed_hooks",
            Self::NotInstalled(_) => "not_installed",
            Self::RuleAnswers => "rule_answers",
            Self::TestUnanswered => "test_unanswered",
            Self::TestFailed(_) => "test_failed",
        }
    }

    /// Waits for what a command does, or for Ctrl-C.
    pub(crate) async fn or_interrupted(work: impl Future<Output = anyhow::Result<()>>) -> anyhow::Result<()> {
        tokio::select! {
            done = work => done,
            _ = tokio::signal::ctrl_c() => Err(Self::Interrupted.into()),
        }
    }

    /// Tells on stderr why a command stopped, if it did, and what to do; with `json` also on stdout. Returns its exit code.
    pub(crate) fn end(done: anyhow::Result<()>, lang: Lang, command: &str, json: bool) -> anyhow::Result<u8> {
        let Err(error) = done else { return Ok(exit::OK) };
        let Some(failure) = error.downcast_ref::<Self>() else { return Err(error) };
        // Here and not at the edge: the language may be the system's.
        let words = failure.words(lang);
        let (what, next) = (words.what(), of_command(&words.next, command));
        trouble::error(&what);
        trouble::next(say(lang, "다음", "next"), &next);
        if json {
            Failed { code: failure.code(), what, next: Some(next), exit: failure.exit(), lang }.show()?;
        }
        Ok(failure.exit())
    }

    /// Describes it as a command's error.
    pub(crate) fn failed(&self, lang: Lang) -> Failed {
        Failed { code: self.code(), what: self.what(lang), next: None, exit: self.exit(), lang }
    }

    /// Returns what was tried and what came back.
    pub(crate) fn what(&self, lang: Lang) -> String {
        self.words(lang).what()
    }

    /// Returns the exit code.
    pub(crate) fn exit(&self) -> u8 {
        match self {
            Self::NeedsPerson(_) | Self::NeedsPairing => exit::NEEDS_PERSON,
            Self::NoSuchMessenger(_) | Self::AnswersFile(..) => exit::USAGE,
            Self::NotWritable(..) | Self::Overridden(_) => exit::SETTINGS,
            _ => exit::FAILED,
        }
    }

    /// In the reader's language.
    pub(super) fn words(&self, lang: Lang) -> Words {
        let [tried, got, next] = self.templates(lang);
        let held: [&str; 2] = match self {
            Self::NeedsPerson(what) | Self::TokenRefused(what) | Self::TokenRevoked(what) | Self::NoLink(what) => {
                [what, ""]
            }
            Self::NoSuchMessenger(what)
            | Self::Webhook(what)
            | Self::WrongCode(what)
            | Self::NotYou(what)
            | Self::NotInvited(what)
            | Self::NotListed(what)
            | Self::Owner(what)
            | Self::Everybody(what)
            | Self::LastPerson(what)
            | Self::Overridden(what)
            | Self::HooksOff(what)
            | Self::OnlyManagedHooks(what)
            | Self::Certificate(what) => [what, ""],
            Self::TokenCommand(why)
            | Self::Messenger(why)
            | Self::NotInstalled(why)
            | Self::TestFailed(why)
            | Self::Unreachable(why, _) => [why.of(lang), ""],
            Self::NotWritable(file, why) | Self::AnswersFile(file, why) => [file, why.of(lang)],
            _ => ["", ""],
        };
        let next = match self {
            Self::Unreachable(_, Some(variable)) => fill(
                say(
                    lang,
                    "dmplz는 {}를 읽지 않습니다. `DMPLZ_HTTPS_PROXY=\"${}\" dmplz setup`을 실행해 주세요",
                    "dmplz does not read {}: run `DMPLZ_HTTPS_PROXY=\"${}\" dmplz setup`",
                ),
                &[variable, variable],
            ),
            _ => fill(next, &held),
        };
        Words { tried: tried.to_owned(), got: fill(got, &held), next }
    }
}

/// Returns a next step with another command in the place of `dmplz setup`, and with the Korean particles that fit it: the names of
/// all others end in a vowel.
fn of_command(next: &str, command: &str) -> String {
    const SETUP: &str = "dmplz setup";
    if command == SETUP {
        return next.to_owned();
    }
    let next = next.replace("dmplz setup`을", &format!("{command}`를"));
    next.replace("dmplz setup`으로", &format!("{command}`로")).replace(SETUP, command)
}

#[cfg(test)]
mod tests;
