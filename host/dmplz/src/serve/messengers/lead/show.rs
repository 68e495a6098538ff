//! Keeps the cards of sessions as the sessions are, and tells the ends of turns.
//!
//! | what | when |
//! |---|---|
//! | a session's card, the end of a turn, the end of the session: new messages | at once |
//! | a change of a card: an edit | at most one every [`EDITS`] in the chat, the longest unchanged first |
//! | what the agent is writing | with the next edit, or [`WRITING`] after the last one; as a [draft](Drafts), where the messenger has them |
//! | after a failure | what the messenger asks for, or with backoff up to 5 min |
//!
//! What a turn came to is told again if the process dies between the message and its record; never not at all.

use std::collections::{BTreeSet, VecDeque};
use std::time::Duration;

use dmplz_core::lead::{self, Face};
use dmplz_core::messenger::{Card, MessageRef, ProviderError};
use dmplz_core::notify::backoff;
use dmplz_core::text::fill;
use dmplz_protocol::session::{Happening, Numbered, OneSession, State};
use dmplz_protocol::{Kind, Message};
use dmplz_state::LedPlace;
use tokio::time::{Instant, sleep_until};
use uuid::Uuid;

use super::drafts::{Draft, Drafts};
use super::face::face;
use super::{CALL, Lead, MESSAGES};
use crate::settings::ChatDetail;
use crate::{tag, trouble};

/// The least time between two edits of cards: groups of Telegram take 20 messages and edits a minute, and requests need some of them.
const EDITS: Duration = Duration::from_secs(4);
/// How long after an edit a card is edited only because the agent is writing: some messengers let a bot edit five times a minute.
const WRITING: Duration = Duration::from_secs(12);
/// How many ends of turns are told that came at once, or while no gateway ran.
const TURNS: usize = 3;
/// How long everything else waits for the chat's own card.
const GREETING: Duration = Duration::from_secs(5);
/// A wake time far away.
const FAR: Duration = Duration::from_secs(86_400);

/// What is left to do.
#[derive(Debug, Default)]
struct Work {
    /// Sessions that may have something to be told.
    news: BTreeSet<Uuid>,
    /// Sessions whose cards may have changed, the longest waiting first.
    changed: VecDeque<Uuid>,
    /// Sessions whose agents are writing.
    writing: BTreeSet<Uuid>,
    /// What is being written, where the messenger shows drafts.
    drafts: Option<Drafts>,
    /// When a card was edited last.
    edited: Option<Instant>,
    /// Nothing is done before, because something failed.
    not_before: Option<Instant>,
    failures: u32,
}

impl Work {
    fn changed(&mut self, id: Uuid) {
        if !self.changed.contains(&id) {
            self.changed.push_back(id);
        }
    }

    /// When there is something to do.
    fn due(&self) -> Instant {
        let now = Instant::now();
        let after_edit = |pause| self.edited.map_or(now, |edited| edited + pause);
        let due = match (self.news.is_empty(), self.changed.is_empty(), self.writing.is_empty()) {
            (false, ..) => now,
            (true, false, _) => after_edit(EDITS),
            (true, true, false) => after_edit(WRITING),
            (true, true, true) => now + FAR,
        };
        let due = due.max(self.not_before.unwrap_or(now));
        // News come first.
        let draft = self.drafts.as_ref().filter(|_| self.news.is_empty()).and_then(Drafts::due);
        due.min(draft.unwrap_or(due))
    }

    /// The draft that is to be shown now.
    fn draft(&mut self) -> Option<Draft> {
        self.drafts.as_mut().filter(|_| self.news.is_empty())?.next()
    }

    /// Another text begins, or the one that is being written goes on.
    fn writes(&mut self, id: Uuid, begins: bool) {
        self.writing.insert(id);
        if let Some(drafts) = &mut self.drafts {
            drafts.writes(id, begins);
        }
    }

    fn failed(&mut self, error: &ProviderError) {
        self.failures = self.failures.saturating_add(1);
        let asked = match error {
            ProviderError::RateLimited(wait) => wait.map(|ms| Duration::from_millis(ms.into())),
            _ => None,
        };
        self.not_before = Some(Instant::now() + backoff(self.failures, asked, fastrand::f64()));
    }

    fn went_well(&mut self) {
        (self.failures, self.not_before) = (0, None);
    }
}

impl Lead {
    /// Shows the sessions. Never returns.
    pub(super) async fn show(&self) {
        let account = &self.account;
        let says = account.detail != ChatDetail::Brief;
        let has_drafts = says && account.messenger.transport().drafts && account.chat.owner.is_some();
        let mut work = Work { drafts: has_drafts.then(Drafts::default), ..Work::default() };
        while let Err(error) = self.greet().await {
            trouble::info(&format!("sessions are not shown on {} yet: {error}", self.account.surface));
            work.failed(&error);
            sleep_until(work.due()).await;
        }
        work.went_well();
        self.offer_commands().await;
        loop {
            let mut events =
                self.approvals.bus().subscribe(&[Kind::SessionEvent, Kind::SessionPartial, Kind::SessionChanged]);
            self.catch_up(&mut work).await;
            loop {
                for id in std::mem::take(&mut *self.touched.borrow_mut()) {
                    work.news.insert(id);
                    work.changed(id);
                }
                tokio::select! {
                    event = events.next() => match event {
                        Some(event) => self.heard_of(&event.message, &mut work),
                        // It fell behind.
                        None => break,
                    },
                    () = self.is_touched.notified() => {}
                    () = sleep_until(work.due()) => self.do_next(&mut work).await,
                }
            }
        }
    }

    /// Posts the chat's own card if there is none yet, before anything is received: what is written before something is watched is lost.
    pub(in super::super) async fn greet_first(&self) {
        let is_there = self.led.borrow().home.is_some();
        if !is_there {
            // It is tried again beside everything else.
            let _ = tokio::time::timeout(GREETING, self.greet()).await;
        }
    }

    /// Posts the chat's own card, or finds it again.
    async fn greet(&self) -> Result<(), ProviderError> {
        let (card, home) = {
            let led = self.led.borrow();
            (self.home(&led), led.home.clone())
        };
        let messenger = &self.account.messenger;
        if let Some(home) = home {
            match messenger.revise(&home, &card, CALL).await {
                Err(ProviderError::NotFound) => {}
                shown => {
                    self.grown.notify_one();
                    return shown;
                }
            }
        }
        let home = messenger.post(&self.account.chat, &card, CALL).await?;
        self.keep(|led| {
            // What was written before it was written to nobody.
            led.handled = led.handled.max(home.sequence);
            led.home = Some(home);
        });
        self.grown.notify_one();
        Ok(())
    }

    /// Registers the commands where the messenger offers them to people. They can be written all the same where that fails.
    async fn offer_commands(&self) {
        let (messenger, chat) = (&self.account.messenger, &self.account.chat);
        if !messenger.transport().commands {
            return;
        }
        if let Err(error) = messenger.set_commands(chat, &lead::commands(), CALL).await {
            trouble::warn(&format!("the commands are not registered on {}: {error}", self.account.surface));
        }
    }

    /// What there is before anybody listens, or while too much happened.
    async fn catch_up(&self, work: &mut Work) {
        let sessions = self.sessions.list();
        let gone = |id: &String| !sessions.iter().any(|session| session.id.to_string() == *id);
        if self.led.borrow().sessions.keys().any(gone) {
            self.keep(|led| led.sessions.retain(|id, _| !gone(id)));
        }
        for session in sessions.iter().filter(|session| session.state != State::Ended || self.is_led(session.id)) {
            let Ok(one) = self.sessions.get(session.id).await else { continue };
            let runs = one.session.state != State::Ended;
            if runs {
                // What an older session did while nobody led it is not told. One that started since was only not heard of yet.
                let is_older = session.created_ms < self.began_ms;
                let done = one.events.last().filter(|_| is_older);
                self.know(session.id, done.map_or(0, |event| event.number));
            }
            if runs || self.is_led(session.id) {
                work.news.insert(session.id);
                work.changed(session.id);
            }
        }
    }

    /// Whether a session has, or is to get, a card that does not show its end.
    fn is_led(&self, id: Uuid) -> bool {
        self.led.borrow().sessions.get(&id.to_string()).is_some_and(|session| !session.over)
    }

    fn heard_of(&self, message: &Message, work: &mut Work) {
        match message {
            Message::SessionChanged { session } => {
                if session.state != State::Ended {
                    self.know(session.id, 0);
                }
                // One that goes on gets another card.
                if !self.is_led(session.id) || self.card_of(session.id).is_none() {
                    work.news.insert(session.id);
                }
                work.changed(session.id);
            }
            Message::SessionEvent { session_id, happened } => {
                if matches!(happened.event, Happening::Turn { .. } | Happening::Ended { .. }) {
                    work.news.insert(*session_id);
                }
                work.changed(*session_id);
            }
            Message::SessionPartial { session_id, from, .. } => work.writes(*session_id, *from == 0),
            _ => {}
        }
    }

    pub(super) fn card_of(&self, id: Uuid) -> Option<MessageRef> {
        self.led.borrow().sessions.get(&id.to_string())?.card.clone()
    }

    async fn do_next(&self, work: &mut Work) {
        if let Some(draft) = work.draft() {
            let is_shown = self.show_draft(draft).await;
            return work.drafts.iter_mut().for_each(|drafts| drafts.shown(is_shown));
        }
        let news = work.news.pop_first();
        let changed = || work.changed.pop_front().or_else(|| work.writing.pop_first());
        let Some(id) = news.or_else(changed) else { return };
        // One that the gateway has forgotten needs nothing any more.
        let Ok(one) = self.sessions.get(id).await else { return };
        let done = match news {
            Some(_) => {
                let _posting = self.posting.lock().await;
                self.tell_news(&one).await
            }
            None => self.edit(&one, work).await,
        };
        match done {
            Ok(()) => work.went_well(),
            Err(error) => {
                let passes = error.passes() || matches!(error, ProviderError::Conflict(_));
                let again = passes || work.failures < 5;
                trouble::info(&format!("session {id} is not shown on {}: {error}", self.account.surface));
                work.failed(&error);
                if again {
                    match news {
                        Some(_) => drop(work.news.insert(id)),
                        None => work.changed.push_front(id),
                    }
                }
            }
        }
    }

    /// Posts what a session is to have and has not: its card, and the ends of its turns.
    async fn tell_news(&self, one: &OneSession) -> Result<(), ProviderError> {
        let id = one.session.id;
        let key = id.to_string();
        let Some(led) = self.led.borrow().sessions.get(&key).cloned() else { return Ok(()) };
        let face = face(&one.session, &one.events, &one.partial, self.account.detail);
        if led.over && one.session.state != State::Ended {
            self.change(id, |session| {
                session.over = false;
                session.tag = tag::fresh();
                let old = session.card.take();
                session.messages.extend(old);
            });
        }
        let runs = one.session.state != State::Ended;
        let is_placed = if runs || led.place == LedPlace::Undecided { self.settle(id, &face).await? } else { true };
        if !is_placed {
            return Ok(());
        }
        if self.card_of(id).is_none() && !self.post_card(id, &face).await? {
            return Ok(());
        }
        let mut text = None;
        let mut ends: Vec<(u64, String, String)> = Vec::new();
        for Numbered { number, event } in one.events.iter().filter(|event| event.number > led.told) {
            match event {
                Happening::Text { text: said, subagent: false } => text = Some(said),
                Happening::Message { .. } => text = None,
                event => {
                    if let Some((title, words)) = self.end(event, &face, text) {
                        ends.push((*number, title, words));
                        text = None;
                    }
                }
            }
        }
        ends.drain(..ends.len().saturating_sub(TURNS));
        for (number, title, words) in ends {
            let card = lead::note(&title, &words, &tag::fresh(), self.account.style, self.card_of(id));
            let Some(posted) = self.post_about(id, &face, &card).await? else { return Ok(()) };
            self.change(id, |session| {
                session.told = number;
                session.messages.push(posted);
                let old = session.messages.len().saturating_sub(MESSAGES);
                session.messages.drain(..old);
            });
        }
        Ok(())
    }

    /// The message about an end, and the words of the agent that belong to it.
    fn end(&self, event: &Happening, face: &Face, text: Option<&String>) -> Option<(String, String)> {
        // At the lowest level nothing that the agent says is sent.
        let text = text.filter(|_| self.account.detail != ChatDetail::Brief);
        let (words, said) = (self.words(), text.cloned().unwrap_or_default());
        let (title, text) = match event {
            Happening::Turn { ok: true, .. } => (words.turn, said),
            Happening::Turn { text, .. } => (words.turn_failed, text.clone().unwrap_or(said)),
            Happening::Ended { code: Some(0), .. } => (words.is_over, String::new()),
            Happening::Ended { text, .. } => (words.is_over_badly, text.clone()),
            _ => return None,
        };
        Some((fill(title, &[&face.name()]), text))
    }

    /// Makes a card show the session as it is.
    async fn edit(&self, one: &OneSession, work: &mut Work) -> Result<(), ProviderError> {
        let id = one.session.id;
        work.writing.remove(&id);
        let Some(led) = self.led.borrow().sessions.get(&id.to_string()).cloned() else { return Ok(()) };
        let (Some(message), false) = (led.card, led.over) else { return Ok(()) };
        let face = face(&one.session, &one.events, &one.partial, self.account.detail);
        let card = lead::card(&face, &led.tag, self.account.style, self.medium_of(id));
        if self.shown.borrow().get(&id) != Some(&card) {
            work.edited = Some(Instant::now());
            match self.account.messenger.revise(&message, &card, CALL).await {
                // Somebody deleted it.
                Err(ProviderError::NotFound) => {
                    self.change(id, |session| session.card = None);
                    work.news.insert(id);
                    return Ok(());
                }
                revised => revised?,
            }
            self.shown.borrow_mut().insert(id, card);
        }
        let is_over = one.session.state == State::Ended;
        if !self.keep_thread(id, &face, is_over).await? {
            return Ok(());
        }
        if is_over {
            work.drafts.iter_mut().for_each(|drafts| drafts.forget(id));
            self.shown.borrow_mut().remove(&id);
            self.change(id, |session| session.over = true);
        }
        Ok(())
    }

    /// Posts the card of a session. `false` if its thread is gone.
    async fn post_card(&self, id: Uuid, face: &Face) -> Result<bool, ProviderError> {
        let Some(tag) = self.led.borrow().sessions.get(&id.to_string()).map(|session| session.tag.clone()) else {
            return Ok(false);
        };
        let card = lead::card(face, &tag, self.account.style, self.medium_of(id));
        let Some(message) = self.post_about(id, face, &card).await? else { return Ok(false) };
        self.change(id, |session| session.card = Some(message));
        self.shown.borrow_mut().insert(id, card);
        self.grown.notify_one();
        Ok(true)
    }

    /// Posts a message about a session where the session is shown. `None` if its thread is gone.
    async fn post_about(&self, id: Uuid, face: &Face, card: &Card) -> Result<Option<MessageRef>, ProviderError> {
        let chat = self.chat_of(id);
        match self.account.messenger.post(&chat, card, CALL).await {
            Err(ProviderError::NotFound) if chat.id != self.account.chat.id => {
                self.lost_thread(id, face).await;
                Ok(None)
            }
            posted => posted.map(Some),
        }
    }

    pub(super) fn change(&self, id: Uuid, change: impl FnOnce(&mut dmplz_state::LedSession)) {
        self.keep(|led| {
            if let Some(session) = led.sessions.get_mut(&id.to_string()) {
                change(session);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn what_is_being_written_waits_longer_than_what_has_changed() {
        let mut work = Work::default();
        let begun = Instant::now();
        assert_eq!(work.due(), begun + FAR);
        work.writing.insert(Uuid::from_u128(1));
        assert_eq!(work.due(), begun, "nothing was edited yet");
        work.edited = Some(begun);
        assert_eq!(work.due(), begun + WRITING);
        work.changed(Uuid::from_u128(2));
        assert_eq!(work.due(), begun + EDITS);
        work.news.insert(Uuid::from_u128(3));
        assert_eq!(work.due(), begun);
    }

    #[tokio::test(start_paused = true)]
    async fn a_draft_waits_for_news_and_brings_no_edit_forward() {
        let (one, begun) = (Uuid::from_u128(1), Instant::now());
        let mut work = Work { drafts: Some(Drafts::default()), edited: Some(begun), ..Work::default() };
        work.writes(one, true);
        assert_eq!(work.due(), begun);
        work.news.insert(one);
        work.not_before = Some(begun + EDITS);
        assert!(work.due() == begun + EDITS && work.draft().is_none(), "what failed is not tried early");
        work.news.clear();
        assert!(work.draft().is_some());
        assert_eq!(work.due(), begun + WRITING, "it is shown already");
        let mut none = Work { edited: Some(begun), ..Work::default() };
        none.writes(one, true);
        assert!(none.due() == begun + WRITING && none.draft().is_none(), "where the messenger has no drafts");
    }
}
