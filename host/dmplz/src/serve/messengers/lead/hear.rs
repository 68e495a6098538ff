//! What people write and press about sessions, one after the other.

use std::error::Error;
use std::time::Duration;

use dmplz_core::approvers::Approver;
use dmplz_core::lead::{self, Written, choice};
use dmplz_core::messenger::{Chosen, Event, MessageRef, ProviderError, Said, SentFile};
use dmplz_core::text::{fill, units};
use dmplz_core::visible::visible_line;
use dmplz_gateway::sessions::{Upload, id_of};
use dmplz_protocol::Refusal;
use dmplz_protocol::session::MAX_FILE;
use dmplz_state::LedSession;
use tokio::sync::mpsc;
use tokio::time::timeout;
use uuid::Uuid;

use super::inbox::Heard;
use super::{CALL, Lead};
use crate::named::short;
use crate::{tag, trouble, wording};

/// How long acknowledging a press may take.
const ACKNOWLEDGING: Duration = Duration::from_secs(3);
/// How long the effect of a press is waited for before the press is acknowledged. Messengers allow 3 s.
const EFFECT: Duration = Duration::from_millis(1_500);
/// How long one file may take to come.
const FETCH: Duration = Duration::from_secs(30);

/// What the chat is told: a title, and a text that may be the agent's.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) title: String,
    pub(super) text: String,
}

/// A text of an approver.
pub(super) struct Text<'a> {
    pub(super) text: &'a str,
    /// The session that it is about, where the person said.
    pub(super) session: Option<Uuid>,
    /// The id of what it starts or sends.
    pub(super) id: Uuid,
    /// The message that it stands in, or whose button was pressed.
    pub(super) at: &'a MessageRef,
    /// The files that came with it.
    pub(super) files: &'a [SentFile],
    /// Who wrote it, one of those who may.
    pub(super) by: &'a Approver,
}

impl Answer {
    /// Words of ours.
    pub(super) fn of(title: impl Into<String>) -> Self {
        Self { title: title.into(), text: String::new() }
    }
}

impl Lead {
    /// Handles what is heard. Returns once nothing more can be.
    pub(super) async fn hear(&self, mut received: mpsc::Receiver<Heard>) {
        while let Some(Heard { event, _done }) = received.recv().await {
            match event {
                Event::Said(said) => self.said(said).await,
                Event::Chosen(press) => self.pressed(press).await,
            }
        }
    }

    /// Tells people that they may not lead. Returns once nothing more can be heard.
    pub(super) async fn turn_away(&self, mut strangers: mpsc::Receiver<Chosen>) {
        while let Some(press) = strangers.recv().await {
            self.acknowledge(&press, Some(self.words().not_allowed)).await;
        }
    }

    async fn said(&self, said: Said) {
        let thread = self.session_in(&said.message.chat);
        let Some(by) = self.account.approvers.admit(&said.user) else { return };
        if self.was_handled(thread, &said.message) {
            return;
        }
        let replies_to = match &said.reply_to {
            Some(to) => self.session_replied_to(to).await,
            None => None,
        };
        let is_aside = said.reply_to.as_ref().is_some_and(|to| !self.is_home(to)) && replies_to.is_none();
        let session = replies_to.or(thread);
        let answer = if said.is_unreadable() {
            session.map(|_| Answer::of(self.words().unreadable))
        } else {
            let secret = self.led.borrow().secret.clone();
            let id = id_of(&[&secret, &said.message.chat, &said.message.id]);
            let text = Text { text: &said.text, session, id, at: &said.message, files: &said.files, by: &by };
            self.obey(&text, is_aside).await
        };
        if let Some(answer) = answer {
            self.post(answer, Some(said.message.clone())).await;
        }
        match thread {
            Some(id) => self.change(id, |session| {
                session.thread_mut().into_iter().for_each(|thread| thread.handled.add(&said.message));
            }),
            None => self.keep(|led| led.handle(&said.message)),
        }
    }

    /// Returns the session that a message is about. One that is just being posted is waited for.
    async fn session_replied_to(&self, message: &MessageRef) -> Option<Uuid> {
        let known = self.session_of(message);
        if known.is_none() && !self.is_home(message) {
            let _ = timeout(CALL, self.posting.lock()).await;
        }
        known.or_else(|| self.session_of(message))
    }

    /// Whether a text was handled in the chat, or in the thread of a session.
    fn was_handled(&self, thread: Option<Uuid>, text: &MessageRef) -> bool {
        let led = self.led.borrow();
        let session = thread.and_then(|id| led.sessions.get(&id.to_string()));
        session.and_then(LedSession::thread).map_or(&led.handled, |thread| &thread.handled).has(text)
    }

    /// Does what a text says. `is_aside`: it replies to a message that is about no session.
    async fn obey(&self, text: &Text<'_>, is_aside: bool) -> Option<Answer> {
        match lead::parse(text.text) {
            Some(Written { bot: Some(bot), .. }) if !self.is_our_bot(bot).await => None,
            Some(Written { verb: Some(verb), rest, .. }) => self.carry_out(verb, rest, text).await.unwrap_or_else(Some),
            // What a session is written is the agent's business: it has commands of its own.
            Some(Written { name, .. }) if text.session.is_none() && !is_aside => {
                Some(Answer { text: lead::help(self.words()), ..Answer::of(fill(self.words().unknown, &[name])) })
            }
            _ => self.write(text, is_aside).await.err(),
        }
    }

    /// Sends a text to the session that it is about. The error is what is said where it goes nowhere.
    async fn write(&self, text: &Text<'_>, is_aside: bool) -> Result<(), Answer> {
        let words = self.words();
        let id = match text.session {
            // A reply to the card of a request, say: it is no answer, and it is not meant for the session either.
            Some(_) if is_aside => return Err(Answer::of(words.not_a_reply)),
            Some(id) => id,
            // People talk to each other in a group.
            None if self.account.chat.owner.is_none() => return Ok(()),
            None if self.approvals.open_count() > 0 => return Err(Answer::of(words.answers_nothing)),
            None if is_aside => return Err(Answer::of(words.not_a_reply)),
            None => self.meant(text, None)?.id,
        };
        self.pass_on(id, text.id, text.text, text.files).await
    }

    /// Sends a session a message with its files. The error is what is said where that fails.
    pub(super) async fn pass_on(&self, id: Uuid, message: Uuid, text: &str, files: &[SentFile]) -> Result<(), Answer> {
        let text = match files {
            [] => text.to_owned(),
            files => {
                let uploads = self.fetch(files).await?;
                self.sessions.attach(id, message, text, uploads).await.map_err(|error| self.refusal(&error))?
            }
        };
        self.sessions.send_once(id, message, text).await.map_err(|error| self.refusal(&error))?;
        self.touch(id);
        Ok(())
    }

    /// Gets the files of a message. If one of them does not come, the answer says so, and nothing is sent.
    async fn fetch(&self, files: &[SentFile]) -> Result<Vec<Upload>, Answer> {
        let (words, mut uploads) = (self.words(), Vec::new());
        let large = |name: &str| Answer::of(fill(words.file_large, &[name, &(MAX_FILE >> 20).to_string()]));
        for file in files {
            let name = visible_line(&file.name);
            if file.size.is_some_and(|size| size > MAX_FILE as u64) {
                return Err(large(&name));
            }
            let fetched = match self.account.messenger.fetch(file, FETCH).await {
                // Whether it was a moment's trouble is known by trying again.
                Err(ProviderError::Unavailable(_) | ProviderError::Unreachable(_)) => {
                    self.account.messenger.fetch(file, FETCH).await
                }
                fetched => fetched,
            };
            match fetched {
                Ok(content) => uploads.push(Upload { name: file.name.clone(), content }),
                Err(ProviderError::TooLarge) => return Err(large(&name)),
                Err(error) => {
                    return Err(Answer { text: self.told(&error), ..Answer::of(fill(words.file_lost, &[&name])) });
                }
            }
        }
        Ok(uploads)
    }

    /// Handles a press on the card of a session, or of the chat.
    async fn pressed(&self, press: Chosen) {
        let Some(id) = self.pressed_on(&press) else { return };
        let Some(by) = self.account.approvers.admit(&press.user) else { return };
        if matches!(press.choice.as_str(), choice::UNDO | choice::KEEP) {
            self.acknowledge(&press, None).await;
            return self.pressed_undo(&press).await;
        }
        let text = match press.choice.as_str() {
            choice::INTERRUPT => "/interrupt",
            choice::STOP => "/stop",
            choice::EDITS => "/mode accept-edits",
            choice::PLAN => "/mode plan",
            choice::DEFAULT => "/mode default",
            choice::LIST => "/sessions",
            choice::NEW | choice::WRITE => press.text.as_deref().unwrap_or_default(),
            _ => "",
        };
        let text = if press.choice == choice::NEW { format!("/new {text}") } else { text.to_owned() };
        let secret = self.led.borrow().secret.clone();
        let key = id_of(&[&secret, &press.message.chat, &press.message.id, &press.token]);
        let session = Some(id).filter(|id| !id.is_nil());
        let text = Text { text: &text, session, id: key, at: &press.message, files: &[], by: &by };
        let done = async { if text.text.is_empty() { None } else { self.obey(&text, false).await } };
        let mut done = std::pin::pin!(done);
        let early = timeout(EFFECT, done.as_mut()).await;
        if let Ok(Some(answer)) = &early
            && answer.text.is_empty()
            && units(&answer.title) <= self.account.style.limits.notice
        {
            return self.acknowledge(&press, Some(&answer.title)).await;
        }
        self.acknowledge(&press, None).await;
        let answer = match early {
            Ok(answer) => answer,
            Err(_) => done.await,
        };
        if let Some(answer) = answer {
            self.post(answer, Some(press.message.clone())).await;
        }
    }

    /// What is said where a session does not do what it is told.
    pub(super) fn refusal(&self, error: &Refusal) -> Answer {
        match error {
            Refusal::SessionEnded { session: id } => {
                let name = self.name(*id);
                Answer::of(fill(self.words().has_ended, &[&name, &short(id)]))
            }
            error => self.not_done(error),
        }
    }

    /// What is said where something was not done.
    pub(super) fn not_done(&self, error: &(dyn Error + 'static)) -> Answer {
        let title = fill(self.words().refused, &[""]).trim_end().to_owned();
        Answer { text: self.told(error), ..Answer::of(title) }
    }

    /// An error in the language of the chat.
    fn told(&self, error: &(dyn Error + 'static)) -> String {
        wording::phrase(error).of(self.account.style.lang).to_owned()
    }

    /// Whether a command names our bot. Where that cannot be known it does not.
    async fn is_our_bot(&self, bot: &str) -> bool {
        if self.bot.get().is_none() {
            match self.account.messenger.diagnose(&self.account.configured, CALL).await {
                Ok(found) => drop(self.bot.set(found.bot_name.trim_start_matches('@').to_owned())),
                Err(error) => {
                    trouble::warn(&format!("the bot's name on {} is not known: {error}", self.account.surface))
                }
            }
        }
        self.bot.get().is_some_and(|name| name.eq_ignore_ascii_case(bot))
    }

    async fn acknowledge(&self, press: &Chosen, notice: Option<&str>) {
        // One that fails is shown by the card all the same.
        let _ = self.account.messenger.acknowledge(press, notice, ACKNOWLEDGING).await;
    }

    /// Answers in the chat. An answer that fails is tried once more.
    async fn post(&self, answer: Answer, reply_to: Option<MessageRef>) {
        let card = lead::note(&answer.title, &answer.text, &tag::fresh(), self.account.style, reply_to);
        let chat = self.account.chat.of(&card);
        for _ in 0..2 {
            match self.account.messenger.post(&chat, &card, CALL).await {
                Ok(_) => return,
                Err(error) => trouble::info(&format!("an answer on {} was not posted: {error}", self.account.surface)),
            }
        }
    }
}
