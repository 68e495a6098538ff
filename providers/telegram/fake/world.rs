use super::model::{Answer, Chat, ChatKind, Draft, Message, MessageRef, Revision, User};
use super::refusal::Refusal;
use super::updates::Updates;
use crate::clock::unix_seconds;
use serde_json::Value;
use std::collections::BTreeMap;

/// The state of the server.
pub(crate) struct World {
    pub(crate) token: String,
    pub(crate) bot: User,
    pub(crate) privacy: bool,
    pub(crate) chats: BTreeMap<i64, Chat>,
    pub(crate) presses: BTreeMap<String, Press>,
    pub(crate) updates: Updates,
    /// The lists of `setMyCommands`, by the chat of their scope and their language.
    pub(crate) commands: BTreeMap<(i64, String), Value>,
    /// The texts of `sendMessageDraft`, oldest first: the chat, the topic, the id, and the text.
    pub(crate) drafts: Vec<Draft>,
    next_message: i64,
    next_press: u64,
    next_file: u64,
}

/// A press of a button.
#[derive(Clone, Debug)]
pub(crate) struct Press {
    /// Whether it can still be answered.
    pub(crate) fresh: bool,
    pub(crate) answer: Option<Answer>,
}

impl World {
    pub(crate) fn new(token: &str, privacy: bool) -> Self {
        let id = token.split(':').next().and_then(|id| id.parse().ok()).unwrap_or(1);
        let bot = User {
            id,
            is_bot: true,
            first_name: "DM-Plz".to_owned(),
            username: Some("dmplz_fake_bot".to_owned()),
            language: None,
        };
        Self {
            token: token.to_owned(),
            bot,
            privacy,
            chats: BTreeMap::new(),
            presses: BTreeMap::new(),
            updates: Updates::default(),
            commands: BTreeMap::new(),
            drafts: Vec::new(),
            next_message: 1,
            next_file: 1,
            next_press: 4_382_015_880_471_297_001,
        }
    }

    /// Returns the chat that a request names, if the bot may act in it.
    pub(crate) fn chat_for_bot(&self, id: &str) -> Result<&Chat, Refusal> {
        let chat = self.chat_to_see(id)?;
        match chat.kind {
            ChatKind::Private(_) if !chat.open => Err(Refusal::forbidden("bot was blocked by the user")),
            _ => Ok(chat),
        }
    }

    /// Returns the chat that a request names, if the bot may read about it. It may do so even if the person has blocked
    /// it.
    pub(crate) fn chat_to_see(&self, id: &str) -> Result<&Chat, Refusal> {
        if id.is_empty() {
            return Err(Refusal::bad_request("chat_id is empty"));
        }
        let number: i64 = id.parse().unwrap_or(0);
        let chat = self.chats.get(&number).ok_or_else(|| Refusal::bad_request("chat not found"))?;
        match chat.kind {
            ChatKind::Group { .. } if !chat.open => Err(Refusal::forbidden("bot was kicked from the supergroup chat")),
            _ => Ok(chat),
        }
    }

    pub(crate) fn message(&self, at: MessageRef) -> Option<&Message> {
        self.chats.get(&at.chat)?.messages.iter().find(|message| message.id == at.id)
    }

    pub(crate) fn message_mut(&mut self, at: MessageRef) -> Option<&mut Message> {
        self.chats.get_mut(&at.chat)?.messages.iter_mut().find(|message| message.id == at.id)
    }

    /// Adds a message to an existing chat.
    pub(crate) fn post(&mut self, chat: i64, from: User, reply_to: Option<i64>, shows: Revision) -> MessageRef {
        let id = self.next_message;
        self.next_message += 1;
        let date = unix_seconds();
        let revisions = vec![shows];
        if let Some(chat) = self.chats.get_mut(&chat) {
            let message = Message {
                chat: chat.id,
                id,
                topic: None,
                begins: None,
                from,
                date,
                edited: None,
                reply_to,
                silent: false,
                deleted: false,
                revisions,
            };
            chat.messages.push(message);
        }
        MessageRef { chat, id }
    }

    pub(crate) fn new_press(&mut self) -> String {
        self.next_press += 7_919;
        let id = self.next_press.to_string();
        self.presses.insert(id.clone(), Press { fresh: true, answer: None });
        id
    }

    pub(crate) fn new_file(&mut self) -> String {
        self.next_file += 1;
        format!("BQACAgUAAxkDAAI{:016x}", self.next_file * 2_654_435_761)
    }
}
