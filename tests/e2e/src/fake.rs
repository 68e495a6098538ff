use dmplz_fakes::{FakeDiscord, FakeTelegram};

use crate::Chat;
use crate::discord::DiscordRoom;
use crate::telegram::TelegramRoom;

/// The server of a chat and the chat's id there, for cases that know both of these messengers. What is about every messenger asks
/// its [`crate::Room`].
#[derive(Debug)]
pub enum Fake<'a> {
    /// The Bot API.
    Telegram(&'a FakeTelegram, &'a i64),
    /// The REST API.
    Discord(&'a FakeDiscord, &'a u64),
}

impl Chat {
    /// Returns the fake server.
    ///
    /// # Panics
    /// It is neither Telegram's nor Discord's.
    #[track_caller]
    pub fn fake(&self) -> Fake<'_> {
        match self.find_room::<TelegramRoom>() {
            Some(room) => Fake::Telegram(&room.fake, &room.chat),
            None => {
                let room: &DiscordRoom = self.room();
                Fake::Discord(&room.fake, &room.channel)
            }
        }
    }
}
