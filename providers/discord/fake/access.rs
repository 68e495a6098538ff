//! Checks the permissions of the bot in a channel.

use super::ask::Ask;
use super::model::{Message, MessageRef, Permissions};
use super::refusal::Refusal;
use super::world::{Channel, ChannelKind, World};

impl Channel {
    pub(crate) fn is_dm(&self) -> bool {
        matches!(self.kind, ChannelKind::Dm(_))
    }

    /// Returns the permissions of the bot. In a direct channel it has all that apply there.
    pub(crate) fn permissions(&self) -> Permissions {
        match &self.kind {
            ChannelKind::Dm(_) => Permissions::USUAL,
            ChannelKind::Text { permissions, .. } | ChannelKind::Thread { permissions, .. } => *permissions,
        }
    }

    /// Returns the guild of the channel, if it has one.
    pub(crate) fn guild(&self) -> Option<u64> {
        match &self.kind {
            ChannelKind::Dm(_) => None,
            ChannelKind::Text { guild, .. } | ChannelKind::Thread { guild, .. } => Some(*guild),
        }
    }

    /// Returns an error unless the bot has these permissions.
    pub(crate) fn need(&self, permissions: Permissions) -> Result<(), Refusal> {
        match self.permissions().has(permissions) {
            true => Ok(()),
            false => Err(Refusal::missing_permissions()),
        }
    }
}

impl World {
    /// Returns the channel that a request names, if the bot may see it.
    pub(crate) fn channel_for_bot(&self, ask: &Ask) -> Result<&Channel, Refusal> {
        let channel = self.channels.get(&ask.id("channel_id")?).ok_or_else(|| Refusal::unknown(10003, "Channel"))?;
        match channel.permissions().has(Permissions::VIEW_CHANNEL) {
            true => Ok(channel),
            false => Err(Refusal::missing_access()),
        }
    }

    /// Returns the message that a request names, and its channel.
    pub(crate) fn message_for_bot(&self, ask: &Ask) -> Result<(&Channel, &Message), Refusal> {
        let channel = self.channel_for_bot(ask)?;
        let at = MessageRef { channel: channel.id, id: ask.id("message_id")? };
        let message = self.message(at).filter(|message| !message.deleted);
        Ok((channel, message.ok_or_else(|| Refusal::unknown(10008, "Message"))?))
    }
}
