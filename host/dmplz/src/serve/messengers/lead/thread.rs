//! The threads of sessions.
//!
//! | where | the session is shown |
//! |---|---|
//! | the transport has threads, and the chat too | in a thread of its own, which is closed when the session ends and opened again when it goes on |
//! | the bot may open none there | in the chat; the log says why |
//! | somebody deleted its thread | in the chat from then on, which says so |
//!
//! A thread is named after the folder of the session and its name, or its first message.

use std::time::Duration;

use dmplz_core::lead::{self, Face, Medium};
use dmplz_core::messenger::{MessageRef, OpenChat, ProviderError};
use dmplz_core::text::fill;
use dmplz_state::{LedPlace, LedThread};
use tokio::time::timeout;
use uuid::Uuid;

use super::{CALL, Lead};
use crate::{tag, trouble};

/// How long a request waits for the thread of its session.
const OPENING: Duration = Duration::from_secs(10);

impl Lead {
    /// Returns the chat in which a session is shown, which may be its thread.
    pub(super) fn chat_of(&self, id: Uuid) -> OpenChat {
        self.thread_of(id).map_or_else(|| self.account.chat.clone(), |thread| self.account.chat.at(&thread.id))
    }

    /// Returns the session whose thread has this id.
    pub(super) fn session_in(&self, chat: &str) -> Option<Uuid> {
        self.session_where(|session| session.thread().is_some_and(|thread| thread.id == chat))
    }

    /// Whether a message stands in the chat, or in the thread of a session.
    pub(super) fn is_here(&self, message: &MessageRef) -> bool {
        message.chat == self.account.chat.id || self.session_in(&message.chat).is_some()
    }

    /// How people write to a session.
    pub(super) fn medium_of(&self, id: Uuid) -> Medium {
        match (self.medium, self.thread_of(id)) {
            (Medium::Replies, Some(_)) => Medium::Thread,
            (medium, _) => medium,
        }
    }

    /// Returns the thread of the session that a request is of, once it is known whether it gets one.
    pub(in super::super) async fn place(&self, session: Uuid) -> Option<OpenChat> {
        if !self.account.messenger.transport().threads {
            return None;
        }
        let decided = self.once_placed(session, |place| match place {
            LedPlace::Undecided => None,
            LedPlace::Chat => Some(None),
            LedPlace::Thread(thread) => Some(Some(self.account.chat.at(&thread.id))),
        });
        timeout(OPENING, decided).await.ok().flatten()
    }

    /// Waits until a session is shown in the chat.
    pub(in super::super) async fn in_chat(&self, session: Uuid) {
        self.once_placed(session, |place| (place == LedPlace::Chat).then_some(())).await;
    }

    /// Waits until the place of a session is what is wanted.
    async fn once_placed<T>(&self, session: Uuid, wanted: impl Fn(LedPlace) -> Option<T>) -> T {
        loop {
            let mut changed = std::pin::pin!(self.placed.notified());
            changed.as_mut().enable();
            match wanted(self.place_of(session)) {
                Some(found) => return found,
                None => changed.await,
            }
        }
    }

    /// Sees to it that a running session has its thread, open, if it can have one. `false` if it lost the thread.
    pub(super) async fn settle(&self, id: Uuid, face: &Face) -> Result<bool, ProviderError> {
        match self.place_of(id) {
            LedPlace::Chat => Ok(true),
            LedPlace::Thread(thread) if thread.closed => self.set_thread(id, face, false).await,
            LedPlace::Thread(_) => Ok(true),
            LedPlace::Undecided => {
                let place = self.opened(id, face).await?;
                self.change(id, |session| session.place = place);
                self.placed.notify_waiters();
                Ok(true)
            }
        }
    }

    async fn opened(&self, id: Uuid, face: &Face) -> Result<LedPlace, ProviderError> {
        // One that has its card stays where people know it.
        if !self.account.messenger.transport().threads || self.card_of(id).is_some() {
            return Ok(LedPlace::Chat);
        }
        let name = lead::thread_name(face);
        match self.account.messenger.open_thread(&self.account.chat, &name, CALL).await {
            Ok(Some(thread)) if thread.id != self.account.chat.id && self.session_in(&thread.id).is_none() => {
                Ok(LedPlace::Thread(LedThread { id: thread.id, name, ..LedThread::default() }))
            }
            Ok(_) => Ok(LedPlace::Chat),
            Err(error @ (ProviderError::Denied(_) | ProviderError::Rejected(_) | ProviderError::NotFound)) => {
                let surface = &self.account.surface;
                trouble::warn(&format!("session {id} gets no thread on {surface}: {error}"));
                Ok(LedPlace::Chat)
            }
            Err(error) => Err(error),
        }
    }

    /// Gives the thread of a session the name that fits, if it has another one, and closes it if the session is over.
    pub(super) async fn keep_thread(&self, id: Uuid, face: &Face, over: bool) -> Result<bool, ProviderError> {
        match self.thread_of(id) {
            Some(thread) if thread.closed != over || thread.name != lead::thread_name(face) => {
                self.set_thread(id, face, over).await
            }
            _ => Ok(true),
        }
    }

    async fn set_thread(&self, id: Uuid, face: &Face, closed: bool) -> Result<bool, ProviderError> {
        let name = lead::thread_name(face);
        match self.account.messenger.set_thread(&self.chat_of(id), &name, closed, CALL).await {
            Err(ProviderError::NotFound) => {
                self.lost_thread(id, face).await;
                return Ok(false);
            }
            // Its name and whether it is open are no reason to show nothing.
            Err(error @ (ProviderError::Denied(_) | ProviderError::Rejected(_))) => {
                trouble::info(&format!("the thread of session {id} on {} stays: {error}", self.account.surface));
            }
            set => set?,
        }
        self.change(id, |session| {
            if let Some(thread) = session.thread_mut() {
                (thread.name, thread.closed) = (name, closed);
            }
        });
        Ok(true)
    }

    /// Shows a session in the chat, because its thread is gone, and says so.
    pub(super) async fn lost_thread(&self, id: Uuid, face: &Face) {
        self.change(id, |session| {
            (session.place, session.card) = (LedPlace::Chat, None);
            session.messages.clear();
        });
        self.placed.notify_waiters();
        let title = fill(self.words().thread_gone, &[&face.name()]);
        let card = lead::note(&title, "", &tag::fresh(), self.account.style, None);
        if let Err(error) = self.account.messenger.post(&self.account.chat, &card, CALL).await {
            trouble::info(&format!("{} was not told that a thread is gone: {error}", self.account.surface));
        }
        self.touch(id);
    }

    fn place_of(&self, id: Uuid) -> LedPlace {
        self.led.borrow().sessions.get(&id.to_string()).map(|session| session.place.clone()).unwrap_or_default()
    }

    fn thread_of(&self, id: Uuid) -> Option<LedThread> {
        self.led.borrow().sessions.get(&id.to_string())?.thread().cloned()
    }
}
