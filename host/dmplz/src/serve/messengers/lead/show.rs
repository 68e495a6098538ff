//! Keeps the cards of sessions as the sessions are, and tells the ends of turns.
//!
//! | what | when |
//! |---|---|
//! | a session's card, the end of a turn, the end of the session: new messages | at once |
//! | a change of a card: an edit | at most one every `EDITS` in the chat, the longest unchanged first |
//! | what the agent is writing | with the next edit, or `WRITING` after the last one; as a [draft](super::drafts), where the messenger has them |
//! | after a failure | what the messenger asks for, or with backoff up to 5 min |
//!
//! | in | is |
//! |---|---|
//! | [`work`] | what is left to do, and when |
//! | [`news`] | new messages |
//! | [`cards`] | the cards, posted and edited |
//!
//! What a turn came to is told again if the process dies between the message and its record; never not at all.

mod cards;
mod news;
mod work;

use std::time::Duration;

use dmplz_core::lead;
use dmplz_core::messenger::{MessageRef, ProviderError};
use dmplz_protocol::session::{Happening, State};
use dmplz_protocol::{Kind, Message};
use tokio::time::sleep_until;
use uuid::Uuid;

use super::{CALL, Lead};
use crate::settings::ChatDetail;
use crate::trouble;
use work::Work;

/// How long everything else waits for the chat's own card.
const GREETING: Duration = Duration::from_secs(5);

impl Lead {
    /// Shows the sessions. Never returns.
    pub(super) async fn show(&self) {
        let account = &self.account;
        let says = account.detail != ChatDetail::Brief;
        let has_drafts = says && account.messenger.transport().drafts && account.chat.owner.is_some();
        let mut work = Work::new(has_drafts);
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
                // Somebody deleted it.
                Err(ProviderError::NotFound) => {}
                shown => {
                    self.grown.notify_one();
                    return shown;
                }
            }
        }
        let home = messenger.post(&self.account.chat, &card, CALL).await?;
        self.keep(|led| led.show_home(home));
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

    pub(super) fn change(&self, id: Uuid, change: impl FnOnce(&mut dmplz_state::LedSession)) {
        self.keep(|led| {
            if let Some(session) = led.sessions.get_mut(&id.to_string()) {
                change(session);
            }
        });
    }
}
