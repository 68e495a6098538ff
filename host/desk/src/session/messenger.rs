//! The desk's view of a provider: the exports of the contract, each with a time limit.

use std::time::Duration;

use dmplz_core::messenger::{Batch, Card, Chat, Chosen, MessageRef, OpenChat, ProviderError, Transport, Watch};
use dmplz_plugin::Provider;

/// A provider as the desk uses it. Each call takes at most a little longer than `within`. Calls may run concurrently.
#[allow(async_fn_in_trait, reason = "used within this workspace, on one thread")]
pub trait Messenger {
    /// Returns the provider's transport.
    fn transport(&self) -> &Transport;
    /// Opens the configured chat.
    async fn open(&self, chat: &Chat, within: Duration) -> Result<OpenChat, ProviderError>;
    /// Posts a card.
    async fn post(&self, chat: &OpenChat, card: &Card, within: Duration) -> Result<MessageRef, ProviderError>;
    /// Revises a message so that it shows another card.
    async fn revise(&self, message: &MessageRef, card: &Card, within: Duration) -> Result<(), ProviderError>;
    /// Polls for events, waiting up to `wait` for them if the messenger can.
    async fn receive(
        &self,
        cursor: &str,
        watching: &[Watch],
        wait: Duration,
        within: Duration,
    ) -> Result<Batch, ProviderError>;
    /// Acknowledges a press, with or without a notice.
    async fn acknowledge(&self, event: &Chosen, notice: Option<&str>, within: Duration) -> Result<(), ProviderError>;
}

impl Messenger for Provider {
    fn transport(&self) -> &Transport {
        Self::transport(self)
    }

    async fn open(&self, chat: &Chat, within: Duration) -> Result<OpenChat, ProviderError> {
        Self::open(self, chat, within).await
    }

    async fn post(&self, chat: &OpenChat, card: &Card, within: Duration) -> Result<MessageRef, ProviderError> {
        Self::post(self, chat, card, within).await
    }

    async fn revise(&self, message: &MessageRef, card: &Card, within: Duration) -> Result<(), ProviderError> {
        Self::revise(self, message, card, within).await
    }

    async fn receive(
        &self,
        cursor: &str,
        watching: &[Watch],
        wait: Duration,
        within: Duration,
    ) -> Result<Batch, ProviderError> {
        Self::receive(self, cursor, watching, wait, within).await
    }

    async fn acknowledge(&self, event: &Chosen, notice: Option<&str>, within: Duration) -> Result<(), ProviderError> {
        Self::acknowledge(self, event, notice, within).await
    }
}
