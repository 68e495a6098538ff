//! <https://docs.discord.com/developers/events/gateway#gateway-intents>

use crate::discord::world::World;

pub(crate) const GUILDS: u64 = 1;
const GUILD_MEMBERS: u64 = 1 << 1;
const GUILD_PRESENCES: u64 = 1 << 8;
pub(crate) const GUILD_MESSAGES: u64 = 1 << 9;
pub(crate) const GUILD_MESSAGE_REACTIONS: u64 = 1 << 10;
pub(crate) const DIRECT_MESSAGES: u64 = 1 << 12;
pub(crate) const DIRECT_MESSAGE_REACTIONS: u64 = 1 << 13;
pub(crate) const MESSAGE_CONTENT: u64 = 1 << 15;

/// All existing intents: bits 0 to 16, 20, 21, 24 and 25.
const KNOWN: u64 = ((1 << 17) - 1) | (1 << 20) | (1 << 21) | (1 << 24) | (1 << 25);
/// The intents that have to be granted in the developer portal.
const PRIVILEGED: u64 = GUILD_MEMBERS | GUILD_PRESENCES | MESSAGE_CONTENT;

pub(crate) fn valid(intents: u64) -> bool {
    intents & !KNOWN == 0
}

/// Returns whether the bot may have these intents. Of the privileged ones only MESSAGE_CONTENT can be granted here.
pub(crate) fn granted(world: &World, intents: u64) -> bool {
    let granted = if world.reads_content { MESSAGE_CONTENT } else { 0 };
    intents & PRIVILEGED & !granted == 0
}
