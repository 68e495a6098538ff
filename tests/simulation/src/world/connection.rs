//! A process's connection to the messenger: the stand-in, or a real component.

use std::rc::Rc;
use std::time::Duration;

use dmplz_core::messenger::{Batch, Card, Chat, Chosen, MessageRef, OpenChat, ProviderError, Transport, Watch};
use dmplz_desk::Messenger;
use dmplz_plugin::StartError;

use super::World;
use super::component::Component;
use super::line::Line;
use crate::script::HookId;

/// The messenger as one process has it.
pub enum Connection {
    /// The stand-in for a provider.
    Line(Line),
    /// A provider's own component.
    Component(Box<Component>),
}

impl Connection {
    /// Opens the connection of a hook's process; with `None` the gateway's.
    ///
    /// # Errors
    /// When the component does not start.
    pub async fn open(world: &Rc<World>, hook: Option<HookId>) -> Result<Self, StartError> {
        match world.script.frame.component {
            true => Ok(Self::Component(Box::new(Component::start(world, hook).await?))),
            false => Ok(Self::Line(Line::of(world, hook))),
        }
    }
}

impl Messenger for Connection {
    fn transport(&self) -> &Transport {
        match self {
            Self::Line(line) => line.transport(),
            Self::Component(component) => component.provider.transport(),
        }
    }

    async fn open(&self, chat: &Chat, within: Duration) -> Result<OpenChat, ProviderError> {
        match self {
            Self::Line(line) => line.open(chat, within).await,
            Self::Component(component) => component.provider.open(chat, within).await,
        }
    }

    async fn post(&self, chat: &OpenChat, card: &Card, within: Duration) -> Result<MessageRef, ProviderError> {
        match self {
            Self::Line(line) => line.post(chat, card, within).await,
            Self::Component(component) => {
                let posted = component.provider.post(chat, card, within).await?;
                component.knows(&posted);
                Ok(posted)
            }
        }
    }

    async fn revise(&self, message: &MessageRef, card: &Card, within: Duration) -> Result<(), ProviderError> {
        match self {
            Self::Line(line) => line.revise(message, card, within).await,
            Self::Component(component) => component.provider.revise(message, card, within).await,
        }
    }

    async fn receive(
        &self,
        cursor: &str,
        watching: &[Watch],
        wait: Duration,
        within: Duration,
    ) -> Result<Batch, ProviderError> {
        match self {
            Self::Line(line) => line.receive(cursor, watching, wait, within).await,
            Self::Component(component) => component.provider.receive(cursor, watching, wait, within).await,
        }
    }

    async fn acknowledge(&self, event: &Chosen, notice: Option<&str>, within: Duration) -> Result<(), ProviderError> {
        match self {
            Self::Line(line) => line.acknowledge(event, notice, within).await,
            Self::Component(component) => component.provider.acknowledge(event, notice, within).await,
        }
    }
}
