//! What the commands of a chat do.

use std::path::{Path, PathBuf};

use dmplz_core::approvers::Approver;
use dmplz_core::lead::{Verb, folder_and_prompt, help};
use dmplz_core::text::fill;
use dmplz_core::visible::visible_line;
use dmplz_gateway::sessions::{Interrupt, Place};
use dmplz_protocol::Refusal;
use dmplz_protocol::session::{AnyMode, ClientRule, GivenPermission, Mode, Session, SessionRules, StartSession, State};
use uuid::Uuid;

use super::Lead;
use super::face::face;
use super::hear::{Answer, Text};

/// How many sessions are listed that run, and that have ended.
const RUNNING: usize = 20;
const ENDED: usize = 5;
/// How many permission rules are listed.
const RULES: usize = 50;
/// How many characters of a session's id name it before a reason: lists show eight.
const SHORTEST_ID: usize = 4;
/// How many characters of what somebody wrote an answer repeats.
const QUOTED: usize = 100;

impl Lead {
    /// Carries out a command. Returns what is said of it, if anything is; the error is what is said where it cannot be done.
    pub(super) async fn carry_out(&self, verb: Verb, rest: &str, text: &Text<'_>) -> Result<Option<Answer>, Answer> {
        let mut arguments = rest.split_whitespace();
        let mut next = || arguments.next();
        let meant = |named| self.meant(text, named);
        Ok(Some(match verb {
            Verb::New => return self.start(rest, text).await.map(|()| None),
            Verb::Send => return self.send(rest, text).await.map(|()| None),
            Verb::Undo => return self.offer_undo(meant(next())?.id, text.at).await.map(|()| None),
            Verb::Help => Answer { text: help(self.words()), ..Answer::of(self.words().home) },
            Verb::Sessions => self.list(),
            Verb::Interrupt => self.interrupt(rest, text).await?,
            Verb::Stop => self.stop(meant(next())?.id)?,
            Verb::Fork => self.fork(meant(next())?.id).await?,
            Verb::Rename => self.rename(meant(None)?.id, rest).await?,
            Verb::Rules => self.rules(meant(next())?.id).await?,
            Verb::Revoke => self.revoke(next(), meant(next())?.id).await?,
            Verb::Resume => match (text.session, next()) {
                // Which one is said, because nobody sees which ended last.
                (None, None) => self.list(),
                (_, named) => self.resume(meant(named)?.id).await?,
            },
            Verb::Mode => self.mode(next(), &meant(next())?, text.by).await?,
            Verb::Model => self.model(next(), &meant(next())?).await?,
        }))
    }

    /// The session that a command is about: the one that it replies to, the one that it names, or the only one that runs.
    pub(super) fn meant(&self, text: &Text<'_>, named: Option<&str>) -> Result<Session, Answer> {
        let (words, sessions) = (self.words(), self.sessions.list());
        let is_it = |session: &&Session| match (named, text.session) {
            (Some(named), _) => session.id.to_string().starts_with(&named.to_ascii_lowercase()),
            (None, Some(id)) => session.id == id,
            (None, None) => session.state != State::Ended,
        };
        let mut found = sessions.iter().filter(is_it);
        match (found.next(), found.next(), named) {
            (Some(only), None, _) => Ok(only.clone()),
            (_, _, Some(named)) => Err(Answer::of(fill(words.no_such_session, &[&quoted(named)]))),
            (Some(_), Some(_), None) => Err(Answer::of(words.which)),
            (None, _, None) => Err(Answer::of(words.none_runs)),
        }
    }

    async fn start(&self, rest: &str, text: &Text<'_>) -> Result<(), Answer> {
        let (words, id) = (self.words(), text.id);
        let (wanted, prompt) = folder_and_prompt(rest);
        let folders = self.sessions.folders(self.here());
        if folders.is_empty() {
            return Err(Answer::of(words.no_folders));
        }
        let allowed = || fill(words.folders, &[&folders.join(", ")]);
        if wanted.is_empty() {
            return Err(Answer { text: allowed(), ..Answer::of(words.which_folder) });
        }
        let refused = || Answer { text: allowed(), ..Answer::of(fill(words.no_such_folder, &[&quoted(wanted)])) };
        let cwd = folder(&folders, wanted).ok_or_else(refused)?;
        // The card is to come even if the session ends at once.
        self.know(id, 0);
        let wanted = StartSession { cwd, prompt: None, model: None, mode: Mode::Default, env: None };
        let started = self.sessions.start_once(id, wanted, self.here()).await;
        self.touch(id);
        match started {
            // Its card says so.
            Ok(_) if prompt.is_none() && text.files.is_empty() => Ok(()),
            Ok(_) => {
                let first = Uuid::from_u128(id.as_u128() ^ 1);
                self.pass_on(id, first, prompt.unwrap_or_default(), text.files).await
            }
            Err(Refusal::NoFolder { .. } | Refusal::FolderNotAllowed { .. }) => Err(refused()),
            Err(error) => Err(self.refusal(&error)),
        }
    }

    async fn send(&self, message: &str, text: &Text<'_>) -> Result<(), Answer> {
        if message.is_empty() && text.files.is_empty() {
            return Err(Answer::of(self.words().nothing_to_send));
        }
        let session = self.meant(text, None)?;
        self.pass_on(session.id, text.id, message, text.files).await
    }

    fn list(&self) -> Answer {
        let (words, sessions) = (self.words(), self.sessions.list());
        let summary = |session: &Session| face(session, &[], "", self.account.detail).summary(self.account.style.lang);
        let (ended, running): (Vec<&Session>, Vec<&Session>) =
            sessions.iter().partition(|session| session.state == State::Ended);
        let lines: Vec<String> =
            running.iter().take(RUNNING).chain(ended.iter().take(ENDED)).map(|session| summary(session)).collect();
        let title = if running.is_empty() { words.none_runs } else { words.list };
        Answer { text: lines.join("\n"), ..Answer::of(title) }
    }

    async fn interrupt(&self, rest: &str, text: &Text<'_>) -> Result<Answer, Answer> {
        let (named, reason) = self.named_and_reason(rest);
        let session = self.meant(text, named)?;
        let interrupt = Interrupt { by: text.by.clone(), reason: Some(reason.to_owned()), cancel_queued: false };
        self.sessions.interrupt(session.id, interrupt).await.map_err(|error| self.refusal(&error))?;
        Ok(Answer::of(fill(self.words().interrupted, &[&self.name(session.id)])))
    }

    /// Splits what follows `/interrupt`. The first word names a session if it is the beginning of one's id, or if it could be one and
    /// stands alone: a wrong id is no reason.
    fn named_and_reason<'a>(&self, rest: &'a str) -> (Option<&'a str>, &'a str) {
        let (first, reason) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let id = first.to_ascii_lowercase();
        let is_id = id.len() >= SHORTEST_ID && id.chars().all(|c| c.is_ascii_hexdigit() || c == '-');
        let is_known = || self.sessions.list().iter().any(|session| session.id.to_string().starts_with(&id));
        match is_id && (reason.is_empty() || is_known()) {
            true => (Some(first), reason),
            false => (None, rest),
        }
    }

    fn stop(&self, id: Uuid) -> Result<Answer, Answer> {
        self.sessions.stop(id).map_err(|error| self.refusal(&error))?;
        Ok(Answer::of(fill(self.words().stopping, &[&self.name(id)])))
    }

    async fn resume(&self, id: Uuid) -> Result<Answer, Answer> {
        self.sessions.resume(id, None, self.here()).await.map_err(|error| self.gone_on(error))?;
        self.know(id, 0);
        self.touch(id);
        Ok(Answer::of(fill(self.words().resumed, &[&self.name(id)])))
    }

    async fn fork(&self, id: Uuid) -> Result<Answer, Answer> {
        let forked = self.sessions.fork(id, None, self.here()).await.map_err(|error| self.gone_on(error))?;
        let new = forked.session.id;
        self.know(new, 0);
        self.touch(new);
        Ok(Answer::of(fill(self.words().forked, &[&self.name(id), &self.name(new)])))
    }

    async fn rename(&self, id: Uuid, name: &str) -> Result<Answer, Answer> {
        self.sessions.rename(id, name).await.map_err(|error| self.refusal(&error))?;
        let (called, words) = (self.name(id), self.words());
        Ok(Answer::of(match name {
            "" => fill(words.unnamed, &[&called]),
            name => fill(words.renamed, &[&called, &quoted(name)]),
        }))
    }

    /// What is said where a session does not go on from afar.
    fn gone_on(&self, error: Refusal) -> Answer {
        match error {
            Refusal::FolderNotAllowed { folder } | Refusal::NoFolder { folder } => {
                Answer::of(fill(self.words().no_such_folder, &[&quoted(&folder.to_string_lossy())]))
            }
            error => self.refusal(&error),
        }
    }

    async fn mode(&self, wanted: Option<&str>, session: &Session, by: &Approver) -> Result<Answer, Answer> {
        let is = |mode: &str| Answer::of(fill(self.words().mode_is, &[&self.name(session.id), &visible_line(mode)]));
        let Some(wanted) = wanted else { return Ok(is(&session.mode)) };
        let unknown = || Answer::of(fill(self.words().no_such_mode, &[&quoted(wanted)]));
        let mode = AnyMode::spelled(wanted).ok_or_else(unknown)?;
        match self.sessions.set_mode(session.id, mode, by).await {
            Ok(false) => Ok(is(mode.name())),
            Ok(true) => Ok(Answer::of(fill(self.words().mode_asked, &[&self.name(session.id), mode.name()]))),
            Err(Refusal::ModeNotNamed { .. }) => Err(unknown()),
            Err(error) => Err(self.refusal(&error)),
        }
    }

    async fn model(&self, wanted: Option<&str>, session: &Session) -> Result<Answer, Answer> {
        let words = self.words();
        let is = |model: &str| {
            let model = if model.is_empty() { words.default_model.to_owned() } else { quoted(model) };
            Answer::of(fill(words.model_is, &[&self.name(session.id), &model]))
        };
        let Some(wanted) = wanted else { return Ok(is(&session.model)) };
        let model = Some(wanted).filter(|model| !model.eq_ignore_ascii_case("default")).map(str::to_owned);
        self.sessions.set_model(session.id, model.clone()).await.map_err(|error| self.refusal(&error))?;
        Ok(is(&model.unwrap_or_default()))
    }

    async fn rules(&self, id: Uuid) -> Result<Answer, Answer> {
        let (name, words) = (self.name(id), self.words());
        let SessionRules { rules, given } = self.sessions.rules(id).await.map_err(|error| self.refusal(&error))?;
        if rules.is_empty() && given.is_empty() {
            return Ok(Answer::of(fill(words.no_rules, &[&name])));
        }
        let rule = |rule: &ClientRule| format!("{} {} ({})", rule.behavior, rule.rule, rule.source);
        let places = self.account.style.lang.words();
        let one = |GivenPermission { number, permission, scope, by, .. }: &GivenPermission| {
            let (text, scope) = (permission.text(), scope.title(places));
            fill(words.one_given, &[&number.to_string(), text, scope, &visible_line(&by.name)])
        };
        let heading = (!given.is_empty()).then(|| words.given.to_owned());
        // The newest are those that somebody means.
        let newest = given.iter().skip(given.len().saturating_sub(RULES));
        let lines = rules.iter().take(RULES).map(rule).chain(heading).chain(newest.map(one));
        let text = lines.collect::<Vec<_>>().join("\n");
        Ok(Answer { text, ..Answer::of(fill(words.rules, &[&name])) })
    }

    async fn revoke(&self, number: Option<&str>, id: Uuid) -> Result<Answer, Answer> {
        let (words, name, written) = (self.words(), self.name(id), quoted(number.unwrap_or_default()));
        let unknown = || Answer::of(fill(words.no_given, &[&name, &written]));
        let number = written.parse().map_err(|_| unknown())?;
        match self.sessions.revoke(id, number).await {
            Ok(()) => Ok(Answer::of(fill(words.revoked, &[&name, &written]))),
            Err(Refusal::NoPermission { .. }) => Err(unknown()),
            Err(error) => Err(self.refusal(&error)),
        }
    }

    /// From where sessions are started here.
    pub(super) fn here(&self) -> Place<'_> {
        Place::Chat(&self.account.surface)
    }

    /// The name by which messages call a session.
    pub(super) fn name(&self, id: Uuid) -> String {
        let sessions = self.sessions.list();
        let found = sessions.iter().find(|session| session.id == id);
        found.map_or_else(|| id.to_string(), |session| face(session, &[], "", self.account.detail).name())
    }
}

/// The folder that somebody means: an absolute path, the name of an allowed folder, or what stands below one. None where several could be
/// meant. Whether it is allowed is another question.
fn folder(allowed: &[String], wanted: &str) -> Option<PathBuf> {
    let path = Path::new(wanted);
    if path.is_absolute() {
        return Some(path.to_owned());
    }
    let allowed = || allowed.iter().map(Path::new);
    let named = allowed().filter(|folder| folder.file_name().is_some_and(|name| name == wanted)).map(Path::to_owned);
    let below = allowed().map(|folder| folder.join(path)).filter(|folder| folder.is_dir());
    let mut found: Vec<PathBuf> = named.chain(below).collect();
    found.sort();
    found.dedup();
    match found.as_slice() {
        [only] => Some(only.clone()),
        _ => None,
    }
}

fn quoted(text: &str) -> String {
    visible_line(&text.chars().take(QUOTED).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_found_by_its_path_or_its_name_unless_several_are_meant() {
        let root = tempfile::tempdir().unwrap();
        let path = |name: &str| root.path().join(name);
        for name in ["work/site", "work/lib", "srv/site", "srv/lib"] {
            std::fs::create_dir_all(path(name)).unwrap();
        }
        let allowed = ["work", "srv/site"].map(|name| path(name).display().to_string());
        for (wanted, found) in [
            ("work", Some(path("work"))),
            ("lib", Some(path("work/lib"))),
            ("work/lib", None),
            ("site", None),
            ("gone", None),
            ("/etc", Some("/etc".into())),
        ] {
            assert_eq!(folder(&allowed, wanted), found, "{wanted}");
        }
        assert_eq!(folder(&[], "work"), None);
    }
}
