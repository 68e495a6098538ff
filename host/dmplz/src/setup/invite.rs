//! How somebody is let into the list of those who may answer, and taken out again.
//!
//! An invitation is a pairing of another person: the code of one link, a yes at the terminal and a yes in the chat
//! ([`pairing`](super::pairing)). No option replaces either yes.

mod listed;

use std::time::Duration;

use dmplz_bundled::Messenger;
use dmplz_core::approvers::Approvers;
use dmplz_core::messenger::OpenChat;
use dmplz_core::visible::visible_line;
use dmplz_state::StateDir;

use super::bot::{Entered, WITHIN, is_kept_in_the_file, start};
use super::code::Code;
use super::console::Console;
use super::failure::Failure;
use super::pairing::{Bot, Pairing, Person, failure_of_known};
use super::{chosen, keepable};
use crate::component::choice::Choice;
use crate::settings::edit::{self, FileError};
use crate::settings::{Settings, Table};
use crate::{trouble, wording};

/// The messenger that is set up, its chat, and who may answer there.
pub(crate) struct People {
    pub(crate) messenger: &'static Messenger,
    bot: Bot,
    pub(crate) state: StateDir,
    /// The chat as the messenger opened it; `None` if it could not.
    chat: Option<OpenChat>,
    /// The ids in the settings.
    listed: Vec<String>,
}

/// One person who may answer.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub(crate) struct Somebody {
    /// The messenger's id of them; `*` for everybody in the chat.
    pub(crate) id: String,
    /// Their name when they were invited, if the settings have it.
    pub(crate) name: Option<String>,
    /// Whether they may because the chat is their own, and not because they are listed.
    pub(crate) owner: bool,
}

impl People {
    /// Reads who may answer on the messenger that is set up.
    pub(crate) async fn load() -> anyhow::Result<Self> {
        let chosen = chosen()?;
        let Choice::Bundled(messenger) = chosen.choice else {
            return Err(Failure::NoLink(chosen.choice.messenger().allowed_users).into());
        };
        let bot = start(messenger, &Entered::new()).await?;
        let settings = Settings::of(&bot.table)?;
        trouble::set_verbosity(settings.verbose);
        let state = keepable(&settings)?;
        let chat = trouble::report(bot.provider.open(&chosen.chat, WITHIN).await);
        let listed = bot.table.allowed_users(messenger)?;
        Ok(Self { messenger, bot, state, chat, listed })
    }

    /// Returns everybody who may answer, the owner of a private chat first.
    pub(crate) fn all(&self) -> Vec<Somebody> {
        let names = listed::names(&self.table().file, self.variable());
        let owner = self.chat.iter().filter_map(|chat| chat.owner.clone());
        let owner = owner.map(|id| Somebody { id, name: None, owner: true });
        let listed =
            self.listed.iter().map(|id| Somebody { id: id.clone(), name: names.get(id).cloned(), owner: false });
        owner.chain(listed).collect()
    }

    /// Invites somebody: shows a link, waits for a press on it, and asks both sides. Returns who may answer now.
    pub(crate) async fn invite(&self, waits: Duration, console: &mut Console) -> anyhow::Result<Somebody> {
        if !console.can_ask() {
            return Err(Failure::NeedsPairing.into());
        }
        let chat = self
            .chat
            .as_ref()
            .ok_or_else(|| Failure::Messenger(["채팅을 열 수 없습니다", "the chat cannot be opened"].into()))?;
        if chat.owner.is_some() {
            return Err(Failure::PrivateChat.into());
        }
        is_kept_in_the_file(self.table(), self.variable())?;
        let mut code = Code::new(waits);
        let provider = &self.bot.provider;
        let introduction =
            provider.introduce(&code.text, WITHIN).await.map_err(|error| failure_of_known(&error, self.messenger))?;
        let introduction = introduction.ok_or(Failure::NoLink(self.messenger.allowed_users))?;
        if let Some(check) = introduction.found.checks.iter().find(|check| !check.ok) {
            return Err(Failure::Webhook(check.detail.clone()).into());
        }
        let pairing = Pairing::begin(&self.bot, &self.state, &mut code, Person::Invited)?;
        let user = pairing.meet(&introduction, console).await?.user;
        let name = visible_line(&user.name);
        if Approvers::of(self.messenger.name, chat, &self.listed).admit(&user).is_none() {
            let add = |text: &str| listed::with(text, self.messenger.allowed_users, &self.listed, &user.id, &name);
            self.change(add)?;
        }
        Ok(Somebody { id: user.id, name: Some(name), owner: false })
    }

    /// Removes somebody from the list. `anyway` also removes the last person.
    pub(crate) fn remove(&self, id: &str, anyway: bool) -> anyhow::Result<()> {
        // Neither of the two would be kept from answering by the list.
        if self.chat.as_ref().and_then(|chat| chat.owner.as_deref()) == Some(id) {
            return Err(Failure::Owner(id.to_owned()).into());
        }
        let rest: Vec<_> = self.listed.iter().filter(|listed| *listed != id).cloned().collect();
        if rest.iter().any(|listed| listed == "*") {
            return Err(Failure::Everybody(id.to_owned()).into());
        }
        if rest.len() == self.listed.len() {
            return Err(Failure::NotListed(id.to_owned()).into());
        }
        let is_last = match &self.chat {
            Some(chat) => Approvers::of(self.messenger.name, chat, &rest).is_empty(),
            None => rest.is_empty(),
        };
        if is_last && !anyway {
            return Err(Failure::LastPerson(id.to_owned()).into());
        }
        is_kept_in_the_file(self.table(), self.variable())?;
        self.change(|text| listed::without(text, self.variable(), &rest, id))
    }

    /// The variable of the list that counts: the messenger's own, or the one for all.
    fn variable(&self) -> &'static str {
        match self.table().is_set(self.messenger.allowed_users) {
            true => self.messenger.allowed_users,
            false => "DMPLZ_ALLOWED_USERS",
        }
    }

    fn table(&self) -> &Table {
        &self.bot.table
    }

    fn change(&self, new: impl FnOnce(&str) -> Result<String, FileError>) -> anyhow::Result<()> {
        let file = &self.table().file;
        let not_writable =
            |error: FileError| Failure::NotWritable(file.display().to_string(), wording::whole(&error.into()));
        Ok(edit::change(file, new).map_err(not_writable)?)
    }
}
