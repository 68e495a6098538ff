//! The actions of people in the chats, and what they see.

use super::model::{Answer, Chat, ChatKind, Document, Draft, Entity, Message, MessageRef, Revision, Topic, User};
use super::press::{self, PressError};
use super::world::World;
use super::{FakeTelegram, json, topics};
use crate::clock::unix_seconds;
use bytes::Bytes;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::time::Duration;

impl FakeTelegram {
    /// Opens the private chat of a person who has started the bot. Returns its id, which is the person's.
    pub fn private_chat(&self, person: &User) -> i64 {
        self.open(person.id, ChatKind::Private(person.clone()))
    }

    /// Creates a supergroup with the bot as a plain member. Returns its id.
    pub fn group_chat(&self, title: &str, members: &[User]) -> i64 {
        let id = self.world.read(|world| -1_001_000_000_001 - i64::try_from(world.chats.len()).unwrap_or(0));
        self.open(id, ChatKind::Group { title: title.to_owned(), members: members.to_vec() })
    }

    fn open(&self, id: i64, kind: ChatKind) -> i64 {
        self.world.change(|world| {
            let chat = Chat { id, kind, open: true, bot_is_admin: false, topics: None, messages: Vec::new() };
            world.chats.entry(id).or_insert(chat).open = true;
        });
        id
    }

    /// Makes the bot an administrator of a group, or a plain member again.
    pub fn set_admin(&self, chat: i64, admin: bool) {
        self.world.change(|world| world.chats.get_mut(&chat).into_iter().for_each(|chat| chat.bot_is_admin = admin));
    }

    /// Blocks the bot in a private chat, or removes it from a group.
    pub fn block(&self, chat: i64) {
        self.world.change(|world| world.chats.get_mut(&chat).into_iter().for_each(|chat| chat.open = false));
    }

    /// Sets a webhook, as another program with the same token can; `None` deletes it.
    pub fn set_webhook(&self, url: Option<&str>) {
        self.world.change(|world| world.updates.webhook = url.map(str::to_owned));
    }

    /// Writes a text. The bot receives it unless privacy mode hides it.
    pub fn say(&self, chat: i64, user: &User, text: &str) -> MessageRef {
        self.write(chat, user, text, None, None)
    }

    /// Replies to a message with a text.
    pub fn reply(&self, to: impl Into<MessageRef>, user: &User, text: &str) -> MessageRef {
        let to = to.into();
        self.write(to.chat, user, text, Some(to.id), None)
    }

    /// Turns topics on: of a group, or of the bot in this private chat and all others.
    pub fn enable_topics(&self, chat: i64) {
        self.world.change(|world| {
            world.chats.get_mut(&chat).into_iter().for_each(|chat| chat.topics = Some(BTreeMap::new()));
        });
    }

    /// Begins a topic of a chat that has topics, as a person can. Returns its id.
    pub fn open_topic(&self, chat: i64, user: &User, name: &str) -> i64 {
        self.world.change(|world| topics::begin(world, chat, user.clone(), name))
    }

    /// Writes a text in a topic.
    pub fn say_in(&self, chat: i64, topic: i64, user: &User, text: &str) -> MessageRef {
        self.write(chat, user, text, None, Some(topic))
    }

    /// Returns the topics of a chat, by the ids of the messages that began them.
    pub fn topics(&self, chat: i64) -> BTreeMap<i64, Topic> {
        self.world.read(|world| world.chats.get(&chat).and_then(|chat| chat.topics.clone()).unwrap_or_default())
    }

    /// Waits for a topic of a chat that satisfies `wanted`, for at most `wait`, and returns its id.
    pub fn await_topic_blocking(
        &self,
        chat: i64,
        wait: Duration,
        mut wanted: impl FnMut(i64, &Topic) -> bool,
    ) -> Option<i64> {
        self.world.within_blocking(wait, move |world| {
            let topics = world.chats.get(&chat)?.topics.as_ref()?;
            topics.iter().find(|(id, topic)| wanted(**id, topic)).map(|(id, _)| *id)
        })
    }

    /// Returns the drafts that the person of a private chat has seen, oldest first.
    pub fn drafts(&self, chat: i64) -> Vec<Draft> {
        self.world.read(|world| world.drafts.iter().filter(|draft| draft.chat == chat).cloned().collect())
    }

    /// Waits for a draft of a private chat that satisfies `wanted`, for at most `wait`.
    pub fn await_draft_blocking(
        &self,
        chat: i64,
        wait: Duration,
        mut wanted: impl FnMut(&Draft) -> bool,
    ) -> Option<Draft> {
        self.world.within_blocking(wait, move |world| {
            world.drafts.iter().find(|draft| draft.chat == chat && wanted(draft)).cloned()
        })
    }

    /// Deletes a topic with its messages, as an administrator can.
    pub fn delete_topic(&self, chat: i64, topic: i64) {
        self.world.change(|world| {
            let Some(chat) = world.chats.get_mut(&chat) else { return };
            chat.topics.iter_mut().for_each(|topics| drop(topics.remove(&topic)));
            let inside = chat.messages.iter_mut().filter(|message| message.topic == Some(topic));
            inside.for_each(|message| message.deleted = true);
        });
    }

    /// Returns the commands that people with this language see in a chat, as name and description.
    pub fn commands(&self, chat: i64, language: &str) -> Vec<(String, String)> {
        let text = |command: &Value, field: &str| command[field].as_str().unwrap_or_default().to_owned();
        self.world.read(|world| {
            let found = world.commands.get(&(chat, language.to_owned())).and_then(Value::as_array);
            let pair = |command: &Value| (text(command, "command"), text(command, "description"));
            found.map(|commands| commands.iter().map(pair).collect()).unwrap_or_default()
        })
    }

    /// Sends a file instead of a text; the message has a caption, but no text.
    pub fn attach(&self, chat: i64, user: &User, name: &str, bytes: impl Into<Bytes>, caption: &str) -> MessageRef {
        self.attach_in(chat, None, user, name, bytes, caption)
    }

    /// Sends a file in a topic of a chat, if one is named.
    pub fn attach_in(
        &self,
        chat: i64,
        topic: Option<i64>,
        user: &User,
        name: &str,
        bytes: impl Into<Bytes>,
        caption: &str,
    ) -> MessageRef {
        self.world.change(|world| {
            let (file_id, mime) = (world.new_file(), "application/octet-stream".to_owned());
            let document = Document { file_id, name: name.to_owned(), mime, bytes: bytes.into() };
            let shows = Revision { text: caption.to_owned(), document: Some(document), ..Revision::default() };
            let at = world.post(chat, user.clone(), None, shows);
            world.message_mut(at).into_iter().for_each(|message| message.topic = topic);
            report(world, at, "message");
            at
        })
    }

    /// Changes the text of a message, as its author can.
    pub fn edit(&self, message: impl Into<MessageRef>, text: &str) {
        let at = message.into();
        self.world.change(|world| {
            if let Some(message) = world.message_mut(at) {
                message.revisions.push(Revision { text: text.to_owned(), ..message.now() });
                message.edited = Some(unix_seconds());
            }
            report(world, at, "edited_message");
        });
    }

    /// Deletes a message, as its author or an administrator can. Bots receive no update about it.
    pub fn delete(&self, message: impl Into<MessageRef>) {
        let at = message.into();
        self.world.change(|world| world.message_mut(at).into_iter().for_each(|message| message.deleted = true));
    }

    fn write(&self, chat: i64, user: &User, text: &str, reply_to: Option<i64>, topic: Option<i64>) -> MessageRef {
        self.world.change(|world| {
            let shows = Revision { text: text.to_owned(), entities: commands(text), ..Revision::default() };
            let at = world.post(chat, user.clone(), reply_to, shows);
            let topic = topic.or_else(|| world.message((chat, reply_to?).into())?.topic);
            world.message_mut(at).into_iter().for_each(|message| message.topic = topic);
            report(world, at, "message");
            at
        })
    }

    /// Presses the button with this callback data or, if there is none, with this label. Returns the press's id.
    ///
    /// # Errors
    /// The message is gone, or shows no such button now.
    pub fn press(&self, message: impl Into<MessageRef>, button: &str, user: &User) -> Result<String, PressError> {
        let at = message.into();
        self.world.change(|world| press::press(world, at, button, user, false))
    }

    /// As [`FakeTelegram::press`], by a person whose screen may still show an earlier keyboard or a deleted message.
    ///
    /// # Errors
    /// The message never existed, or never had such a button.
    pub fn press_on_old_screen(
        &self,
        message: impl Into<MessageRef>,
        button: &str,
        user: &User,
    ) -> Result<String, PressError> {
        let at = message.into();
        self.world.change(|world| press::press(world, at, button, user, true))
    }

    /// Sends a press with any data, as a modified client can. Returns the press's id.
    pub fn forge_press(&self, message: impl Into<MessageRef>, data: &str, user: &User) -> String {
        let at = message.into();
        self.world.change(|world| press::send_press(world, at, data, user))
    }

    /// Drops all but the newest messages of every chat, and the presses that were answered, for runs that are too long
    /// to store all of it.
    pub fn forget(&self, kept: usize) {
        self.world.change(|world| {
            for chat in world.chats.values_mut() {
                chat.messages.drain(..chat.messages.len().saturating_sub(kept));
            }
            world.presses.retain(|_, press| press.answer.is_none());
        });
        self.wire().forget();
    }

    /// Makes a press too old to be answered.
    pub fn expire_press(&self, id: &str) {
        self.world.change(|world| world.presses.get_mut(id).into_iter().for_each(|press| press.fresh = false));
    }

    /// Returns the bot's answer to a press; `None` if there is none yet.
    pub fn answer(&self, press: &str) -> Option<Answer> {
        self.world.read(|world| world.presses.get(press)?.answer.clone())
    }

    /// Waits for the bot's answer to a press, for at most `wait`.
    pub async fn await_answer(&self, press: &str, wait: Duration) -> Option<Answer> {
        self.world.within(wait, |world| world.presses.get(press)?.answer.clone()).await
    }

    /// As [`FakeTelegram::await_answer`], for a thread without a runtime.
    pub fn await_answer_blocking(&self, press: &str, wait: Duration) -> Option<Answer> {
        self.world.within_blocking(wait, |world| world.presses.get(press)?.answer.clone())
    }

    /// Returns a message as people see it now.
    pub fn message(&self, at: impl Into<MessageRef>) -> Option<Message> {
        let at = at.into();
        self.world.read(|world| world.message(at).cloned())
    }

    /// Waits for a message of the bot that satisfies `wanted`, for at most `wait`; one that is there already counts.
    pub async fn await_message(&self, wait: Duration, wanted: impl FnMut(&Message) -> bool) -> Option<Message> {
        self.world.within(wait, first(wanted)).await
    }

    /// As [`FakeTelegram::await_message`], for a thread without a runtime.
    pub fn await_message_blocking(&self, wait: Duration, wanted: impl FnMut(&Message) -> bool) -> Option<Message> {
        self.world.within_blocking(wait, first(wanted))
    }
}

impl World {
    /// Returns what `find` finds among the messages of a chat.
    pub(crate) fn on_screen<R>(&self, chat: i64, find: impl FnOnce(&[Message]) -> Option<R>) -> Option<R> {
        find(&self.chats.get(&chat)?.messages)
    }
}

fn first(mut wanted: impl FnMut(&Message) -> bool) -> impl FnMut(&mut World) -> Option<Message> {
    move |world| {
        let bot = world.bot.id;
        let messages = world.chats.values().flat_map(|chat| &chat.messages);
        messages.filter(|message| message.from.id == bot).find(|message| wanted(message)).cloned()
    }
}

/// Queues an update about a message, if the bot may see it.
fn report(world: &mut World, at: MessageRef, kind: &str) {
    if let Some(message) = world.message(at).filter(|message| bot_sees(world, message)) {
        let message = json::message(world, message);
        world.updates.push(kind, message);
    }
}

/// Returns whether the bot may see a message, according to privacy mode:
/// <https://core.telegram.org/bots/features#privacy-mode>.
fn bot_sees(world: &World, message: &Message) -> bool {
    let Some(chat) = world.chats.get(&message.chat) else { return false };
    if !chat.open {
        return false;
    }
    let answered = message.reply_to.and_then(|id| world.message((chat.id, id).into()));
    let mention = world.bot.username.as_ref().is_some_and(|name| message.text().contains(&format!("@{name}")));
    matches!(chat.kind, ChatKind::Private(_))
        || !world.privacy
        || chat.bot_is_admin
        || mention
        || message.text().starts_with('/')
        || answered.is_some_and(|answered| answered.from.id == world.bot.id)
}

/// Returns the entity of a command at the start of a text, which client libraries look for.
fn commands(text: &str) -> Vec<Entity> {
    let command = text.split_whitespace().next().filter(|word| word.len() > 1 && word.starts_with('/'));
    let entity = |word: &str| Entity {
        kind: "bot_command".to_owned(),
        offset: 0,
        length: word.encode_utf16().count(),
        more: Map::<String, Value>::new(),
    };
    command.filter(|word| text.starts_with(word)).map(entity).into_iter().collect()
}
