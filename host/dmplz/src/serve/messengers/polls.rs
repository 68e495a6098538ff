//! A messenger whose polls are counted: how often it was asked for events, how that went, and when it last told.

use std::rc::Rc;
use std::time::Duration;

use dmplz_core::messenger::{Batch, Card, Chat, Chosen, MessageRef, OpenChat, ProviderError, Transport, Watch};
use dmplz_desk::Messenger;
use dmplz_gateway::{Health, Polled};

/// A messenger whose looks for events are reported to the health of the gateway.
pub(super) struct Polls<M> {
    pub(super) messenger: Rc<M>,
    pub(super) health: Health,
    pub(super) surface: String,
}

impl<M: Messenger> Messenger for Polls<M> {
    fn transport(&self) -> &Transport {
        self.messenger.transport()
    }

    async fn open(&self, chat: &Chat, within: Duration) -> Result<OpenChat, ProviderError> {
        self.messenger.open(chat, within).await
    }

    async fn post(&self, chat: &OpenChat, card: &Card, within: Duration) -> Result<MessageRef, ProviderError> {
        self.messenger.post(chat, card, within).await
    }

    async fn revise(&self, message: &MessageRef, card: &Card, within: Duration) -> Result<(), ProviderError> {
        self.messenger.revise(message, card, within).await
    }

    async fn receive(
        &self,
        cursor: &str,
        watching: &[Watch],
        wait: Duration,
        within: Duration,
    ) -> Result<Batch, ProviderError> {
        let received = self.messenger.receive(cursor, watching, wait, within).await;
        let how = match &received {
            Ok(_) => Polled::Ok,
            Err(ProviderError::Conflict(_)) => Polled::Conflict,
            Err(_) => Polled::Error,
        };
        self.health.polled(&self.surface, how);
        received
    }

    async fn acknowledge(&self, event: &Chosen, notice: Option<&str>, within: Duration) -> Result<(), ProviderError> {
        self.messenger.acknowledge(event, notice, within).await
    }
}
