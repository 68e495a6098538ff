//! The hands of the people on the server, and what they see.

use super::FakeMattermost;
use super::model::{Message, User};
use super::world::{Upload, World};
use bytes::Bytes;

/// A channel, and the id of a post in it.
pub type Place<'a> = (&'a str, &'a str);

/// The emoji that reactions can have here, by their names (`server/public/model/emoji_data.go`).
pub(crate) const EMOJI: [(&str, &str); 42] = [
    ("one", "1️⃣"),
    ("two", "2️⃣"),
    ("three", "3️⃣"),
    ("four", "4️⃣"),
    ("five", "5️⃣"),
    ("six", "6️⃣"),
    ("seven", "7️⃣"),
    ("eight", "8️⃣"),
    ("nine", "9️⃣"),
    ("white_check_mark", "✅"),
    ("x", "❌"),
    ("heavy_plus_sign", "➕"),
    ("speech_balloon", "💬"),
    ("floppy_disk", "💾"),
    ("globe_with_meridians", "🌐"),
    ("busts_in_silhouette", "👥"),
    ("arrows_counterclockwise", "🔄"),
    ("unlock", "🔓"),
    ("lock", "🔒"),
    ("clock3", "🕒"),
    ("hourglass_flowing_sand", "⏳"),
    ("fast_forward", "⏩"),
    ("black_square_for_stop", "⏹️"),
    ("arrow_forward", "▶️"),
    ("point_left", "👈"),
    ("point_right", "👉"),
    ("leftwards_arrow_with_hook", "↩️"),
    ("arrow_heading_down", "⤵️"),
    ("email", "✉️"),
    ("incoming_envelope", "📨"),
    ("hourglass", "⌛"),
    ("writing_hand", "✍️"),
    ("pencil2", "✏️"),
    ("memo", "📝"),
    ("clipboard", "📋"),
    ("heavy_multiplication_x", "✖️"),
    ("no_entry", "⛔"),
    ("no_entry_sign", "🚫"),
    ("hand", "✋"),
    ("raising_hand", "🙋"),
    ("broom", "🧹"),
    ("+1", "👍"),
];

impl FakeMattermost {
    /// The name of an emoji's reaction; the emoji itself where there is none.
    pub fn name_of(emoji: &str) -> &str {
        let plain = |emoji: &str| emoji.replace('\u{FE0F}', "");
        EMOJI.iter().find(|(_, known)| plain(known) == plain(emoji)).map_or(emoji, |(name, _)| name)
    }

    /// The emoji of a reaction, as people see it.
    pub fn emoji_of(name: &str) -> &str {
        EMOJI.iter().find(|(known, _)| *known == name).map_or(name, |(_, emoji)| emoji)
    }

    /// Makes a person a member of the team.
    pub fn meet(&self, user: &User) {
        self.world.change(|world| world.users.insert(user.id.clone(), user.clone()));
    }

    /// Opens a channel with these people and the bot; gives its id.
    pub fn channel(&self, users: &[User]) -> String {
        users.iter().for_each(|user| self.meet(user));
        self.world.change(|world| world.open(None))
    }

    /// Opens the direct channel of a person with the bot; gives its id.
    pub fn dm(&self, user: &User) -> String {
        self.meet(user);
        self.world.change(|world| world.dm(&user.id))
    }

    /// Takes the bot out of a channel, or lets it in.
    pub fn set_member(&self, channel: &str, is_member: bool) {
        self.world.change(|world| world.channels.get_mut(channel).into_iter().for_each(|it| it.is_member = is_member));
    }

    /// Takes a permission in channels away from members.
    pub fn forbid(&self, permission: &str) {
        self.world.change(|world| world.permissions.remove(permission));
    }

    /// Turns the attachments of the whole server off.
    pub fn forbid_files(&self) {
        self.world.change(|world| world.takes_files = false);
    }

    /// Writes a post in a channel, or in the thread of another one.
    pub fn say(&self, channel: &str, user: &User, text: &str, root: Option<&str>) -> Message {
        self.attach(channel, user, Vec::new(), text, root)
    }

    /// Lets an incoming webhook that a person made write a post: it has their id (`server/channels/app/webhook.go`).
    pub fn say_by_webhook(&self, channel: &str, of: &User, text: &str) -> Message {
        self.meet(of);
        self.world.change(|world| {
            let props = serde_json::json!({ "from_webhook": "true", "webhook_display_name": "CI" });
            let said = Message { props, ..world.draft(channel, &of.id, text, None) };
            world.publish(said.clone());
            said
        })
    }

    /// Writes a post with files.
    pub fn attach(
        &self,
        channel: &str,
        user: &User,
        files: Vec<(String, Bytes)>,
        text: &str,
        root: Option<&str>,
    ) -> Message {
        self.meet(user);
        self.world.change(|world| {
            let mut file_ids = Vec::new();
            for (name, bytes) in &files {
                let id = world.id("file");
                let upload = Upload { channel: channel.to_owned(), name: name.clone(), bytes: bytes.clone() };
                world.uploads.insert(id.clone(), upload);
                file_ids.push(id);
            }
            let said = Message { files, file_ids, ..world.draft(channel, &user.id, text, root.map(str::to_owned)) };
            world.publish(said.clone());
            said
        })
    }

    /// Deletes a post, as its author or an administrator does.
    pub fn delete(&self, (_, id): Place<'_>) {
        self.world.change(|world| world.delete(id));
    }

    /// Adds a reaction by its name.
    pub fn react(&self, (_, id): Place<'_>, user: &User, name: &str) {
        self.meet(user);
        self.world.change(|world| world.react(id, &user.id, name));
    }

    /// Takes a reaction back.
    pub fn unreact(&self, (_, id): Place<'_>, user: &User, name: &str) {
        self.world.change(|world| world.unreact(id, &user.id, name));
    }

    /// Adds a reaction again that may be there already, as tapping it twice does.
    pub fn tap(&self, place: Place<'_>, user: &User, name: &str) {
        self.unreact(place, user, name);
        self.react(place, user, name);
    }
}

impl World {
    /// Returns what `find` finds among the posts of a channel.
    pub(crate) fn on_screen<R>(&self, channel: &str, find: impl FnOnce(&[Message]) -> Option<R>) -> Option<R> {
        let messages = self.messages.iter().filter(|message| message.channel == channel);
        find(&messages.cloned().collect::<Vec<_>>())
    }
}
