//! The actions of people on their phones, and what they see. Their requests are not recorded, because the record is
//! that of the bot.

use super::FakeNtfy;
use super::model::Published;
use super::publishing::{MESSAGE, empty};
use bytes::Bytes;

impl FakeNtfy {
    /// Publishes a text to a topic. Returns the message. The server makes a file of a text that is longer than a message
    /// (<https://docs.ntfy.sh/publish/#limitations>).
    pub fn say(&self, topic: &str, text: &str) -> Published {
        if text.len() > MESSAGE {
            return self.attach(topic, "attachment.txt", text.to_owned(), "");
        }
        self.world.change(|world| world.publish(Published { message: text.trim().to_owned(), ..empty(topic) }))
    }

    /// Publishes a file. `text` may be empty.
    pub fn attach(&self, topic: &str, name: &str, bytes: impl Into<Bytes>, text: &str) -> Published {
        let message = if text.is_empty() { format!("You received a file: {name}") } else { text.to_owned() };
        let attachment = Some((name.to_owned(), bytes.into()));
        self.world.change(|world| world.publish(Published { message, attachment, ..empty(topic) }))
    }

    /// Presses the button with this label on a message, or on an earlier revision of it, which a notification may still
    /// show. Returns the id of the message that the phone published; `None` if the message never had such a button.
    pub fn press(&self, topic: &str, id: &str, label: &str) -> Option<String> {
        self.world.change(|world| {
            let message = world.screen(topic).into_iter().find(|message| message.id == id)?;
            let actions = message.revisions.iter().rev().flat_map(|revision| &revision.actions);
            let action = actions.into_iter().find(|action| action.label == label)?.clone();
            let to = action.url.rsplit('/').next()?;
            Some(world.publish(Published { message: action.body, ..empty(to) }).id)
        })
    }

    /// Deletes a message on the phones. The server does not notice.
    pub fn delete(&self, topic: &str, id: &str) {
        self.world.change(|world| world.deleted.insert((topic.to_owned(), id.to_owned())));
    }
}
