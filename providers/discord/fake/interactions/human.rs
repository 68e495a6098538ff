//! The presses of people.

use super::press::{self, PressError};
use crate::discord::FakeDiscord;
use crate::discord::model::{MessageRef, User};
use crate::discord::world::World;
use crate::discord::world::interactions::Interaction;
use std::time::Duration;

impl FakeDiscord {
    /// Presses the button with this custom id or, if there is none, with this label. Returns the interaction's id.
    ///
    /// # Errors
    /// The message is gone, or shows no such button now.
    pub fn press(&self, message: impl Into<MessageRef>, button: &str, user: &User) -> Result<u64, PressError> {
        let at = message.into();
        self.world.change(|world| press::press(world, at, button, user, false))
    }

    /// As [`FakeDiscord::press`], by a person whose screen may still show earlier buttons or a deleted message.
    ///
    /// # Errors
    /// The message never existed, or never had such a button.
    pub fn press_on_old_screen(
        &self,
        message: impl Into<MessageRef>,
        button: &str,
        user: &User,
    ) -> Result<u64, PressError> {
        let at = message.into();
        self.world.change(|world| press::press(world, at, button, user, true))
    }

    /// Sends a press with any custom id to the sessions, as a modified client can. It needs no response.
    pub fn forge_press(&self, message: impl Into<MessageRef>, custom_id: &str, user: &User) -> u64 {
        let at = message.into();
        self.world.change(|world| press::forge(world, at, custom_id, user))
    }

    /// Submits the modal that an interaction opened. Returns the id of the new interaction. The fields are named by
    /// custom id or label; fields that are not named keep their values.
    ///
    /// # Errors
    /// No modal is open, or it has no such field, or a text has the wrong length.
    pub fn submit_modal(&self, opened_by: u64, fields: &[(&str, &str)]) -> Result<u64, PressError> {
        self.world.change(|world| press::submit(world, opened_by, fields))
    }

    /// Returns what a person sees of an interaction now.
    pub fn interaction(&self, id: u64) -> Option<Interaction> {
        self.world.read(|world| world.interactions.seen(id))
    }

    /// Returns every interaction so far, oldest first.
    pub fn interactions(&self) -> Vec<Interaction> {
        self.world.read(|world| world.interactions.ids().filter_map(|id| world.interactions.seen(id)).collect())
    }

    /// Waits for at most `wait` until an interaction is responded to, or has failed.
    pub async fn await_response(&self, id: u64, wait: Duration) -> Option<Interaction> {
        self.world.within(wait, when(id, decided)).await
    }

    /// As [`FakeDiscord::await_response`], for a thread without a runtime.
    pub fn await_response_blocking(&self, id: u64, wait: Duration) -> Option<Interaction> {
        self.world.within_blocking(wait, when(id, decided))
    }

    /// Waits for at most `wait` until what a person sees of an interaction satisfies `wanted`.
    pub async fn await_interaction(
        &self,
        id: u64,
        wait: Duration,
        wanted: impl FnMut(&Interaction) -> bool,
    ) -> Option<Interaction> {
        self.world.within(wait, when(id, wanted)).await
    }

    /// As [`FakeDiscord::await_interaction`], for a thread without a runtime.
    pub fn await_interaction_blocking(
        &self,
        id: u64,
        wait: Duration,
        wanted: impl FnMut(&Interaction) -> bool,
    ) -> Option<Interaction> {
        self.world.within_blocking(wait, when(id, wanted))
    }

    /// Sets the time limit of the first response (by default 3 s), and the time for which the token can be used (15
    /// min).
    pub fn set_interaction_times(&self, window: Duration, life: Duration) {
        self.world.change(|world| (world.interactions.window, world.interactions.life) = (window, life));
    }
}

fn decided(interaction: &Interaction) -> bool {
    interaction.response.is_some() || interaction.failed
}

fn when(id: u64, mut wanted: impl FnMut(&Interaction) -> bool) -> impl FnMut(&mut World) -> Option<Interaction> {
    move |world| world.interactions.seen(id).filter(|seen| wanted(seen))
}
