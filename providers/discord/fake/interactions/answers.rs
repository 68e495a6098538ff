//! Writes the messages with which a bot answers an interaction.

use crate::discord::ask::Ask;
use crate::discord::create::{post, revised};
use crate::discord::mentions::Mentions;
use crate::discord::model::{MessageRef, Revision};
use crate::discord::refusal::Refusal;
use crate::discord::world::World;

/// The flag of a message that only the person who pressed sees.
pub(super) const EPHEMERAL: u64 = 1 << 6;

/// Writes a message in the channel or, with the flag `EPHEMERAL`, for the person only.
pub(super) fn say(world: &mut World, interaction: u64, ask: &Ask, flags: u64) -> Result<MessageRef, Refusal> {
    let shows = revised(world, ask, &Revision::default())?;
    let mentions = Mentions::read(ask.body.get("allowed_mentions"))?;
    let Some(channel) = world.interactions.records.get(&interaction).map(|record| record.seen.channel) else {
        return Err(Refusal::unknown(10062, "interaction"));
    };
    let bot = world.bot.clone();
    let at = post(world, channel, bot, None, shows, &mentions);
    if flags & EPHEMERAL == 0 {
        if let Some(message) = world.message_mut(at) {
            message.flags = flags;
        }
        world.interactions.records.get_mut(&interaction).into_iter().for_each(|it| it.seen.messages.push(at));
        world.tell_message("MESSAGE_CREATE", at);
    } else if let Some(mut message) = world.channels.get_mut(&channel).and_then(|channel| channel.messages.pop()) {
        // `post` added it to the channel, but nobody can have seen it there, because the world is locked.
        message.flags = flags;
        world.interactions.whispers.push((interaction, message));
    }
    Ok(at)
}

/// Edits a message of a channel, or one that only one person sees.
pub(super) fn revise(world: &mut World, at: MessageRef, ask: &Ask) -> Result<(), Refusal> {
    let unknown = || Refusal::unknown(10008, "Message");
    let now = world.any_message(at).filter(|message| !message.deleted).ok_or_else(unknown)?.now();
    let shows = revised(world, ask, &now)?;
    world.show(at, shows);
    Ok(())
}
