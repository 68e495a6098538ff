//! Receives what people do.
//!
//! The WebSocket tells it at once. What happened before there was a connection, or while it was interrupted, is read by one
//! request for each watched channel: the posts that were written or changed since. Adding a reaction changes its post
//! (`server/channels/app/reaction.go`), so no press is lost, unless it is taken back meanwhile.

use std::collections::{BTreeMap, BTreeSet};

use dmplz_provider_sdk::prelude::*;
use dmplz_provider_sdk::serde_json::from_str;

use crate::connection::{Connection, Frame};
use crate::limits::{BATCH, EVENTS, POSTS_SINCE};
use crate::{channel, meeting, posting};

/// The milliseconds after which what happened before a connection is read once more, because a server that reads from copies
/// of its database may not have known all of it; our choice.
const AGAIN: u64 = 5_000;
/// The most posts of the bot that are known to be newer than the connection; our choice.
const OWN: usize = 256;

/// The connection of this instance, and what it told.
#[derive(Debug, Default)]
pub(crate) struct Listener {
    connection: Option<Connection>,
    /// The cursor that was returned last.
    cursor: String,
    seen: Seen,
    /// The watched posts for which everything before the connection was read.
    known: BTreeSet<String>,
    /// When it is read once more, in milliseconds.
    again: Option<u64>,
    /// The last posts of the bot that came over the connection: nothing can have happened to them before.
    own: Vec<String>,
}

impl Listener {
    /// Listens for at most `wait` milliseconds, and returns as soon as something happened.
    pub(crate) fn receive(&mut self, api: Api<'_>, cursor: &str, watching: &[Watch], wait: u32) -> Result<Batch> {
        let Heard { mut events, .. } = self.hear(api, cursor, Heard::watching(watching), wait)?;
        // One look at a busy channel can bring more than the host takes, which would get them again and again. The first texts are
        // left out.
        let mut excess = events.len().saturating_sub(EVENTS);
        events.retain(|event| {
            let is_left_out = excess > 0 && matches!(event, Event::Said(_));
            excess -= usize::from(is_left_out);
            !is_left_out
        });
        Ok(Batch { events, cursor: self.cursor.clone() })
    }

    /// Listens for people who write to the bot.
    pub(crate) fn meet(&mut self, api: Api<'_>, cursor: &str, wait: u32) -> Result<Meeting> {
        let Heard { greetings, .. } = self.hear(api, cursor, Heard::meeting(), wait)?;
        Ok(Meeting { greetings, cursor: self.cursor.clone() })
    }

    fn hear<'a>(&mut self, api: Api<'_>, cursor: &str, mut heard: Heard<'a>, wait: u32) -> Result<Heard<'a>> {
        if cursor != self.cursor {
            self.hang_up();
            self.seen = Seen::parse(cursor);
        }
        self.known.retain(|id| heard.watching.card(id).is_some());
        let listened = self.listen(api, &mut heard, wait);
        self.cursor = self.seen.cursor();
        heard.told_first(&*api, listened)
    }

    fn listen(&mut self, api: Api<'_>, heard: &mut Heard<'_>, wait: u32) -> Result<()> {
        let end = api.end(wait);
        let mut closed = BTreeSet::new();
        while heard.len() < BATCH {
            if self.connection.is_none() {
                if !heard.connects("Mattermost")? {
                    return Ok(());
                }
                self.connection = Some(Connection::open(api)?);
                self.again = Some(api.now() + AGAIN);
            }
            if self.again.is_some_and(|again| again <= api.now()) {
                self.again = None;
                self.known.clear();
            }
            self.catch_up(api, &mut closed, heard)?;
            let until = self.again.map_or(end, |again| again.min(end));
            let left = if heard.is_empty() { api.until(until) } else { 0 };
            let Some(connection) = &mut self.connection else { continue };
            match connection.listen(&*api, left)? {
                Frame::Event(event) => {
                    // An event that could not be told is read again after the next connection.
                    self.take(api, &event, heard).inspect_err(|_| self.hang_up())?;
                }
                Frame::Silence if heard.is_empty() && api.now() < end => {}
                Frame::Silence => return Ok(()),
                Frame::End => self.hang_up(),
            }
        }
        Ok(())
    }

    fn hang_up(&mut self) {
        self.connection = None;
        self.known.clear();
        self.own.clear();
    }

    /// Handles an event of the connection.
    fn take(&mut self, api: Api<'_>, event: &Value, heard: &mut Heard<'_>) -> Result<()> {
        let data = event.inner("data");
        let inner = |name: &str| data.text(name).and_then(|text| from_str::<Value>(text).ok()).unwrap_or_default();
        match event.text("event") {
            Some("posted") => {
                let post = inner("post");
                if post.text("user_id") == Some(api.me()?) {
                    self.own.extend(post.text("id").map(str::to_owned));
                    self.own.drain(..self.own.len().saturating_sub(OWN));
                } else if heard.meets {
                    heard.greetings.extend(meeting::greeting(api, data, &post)?);
                } else {
                    self.said(api, &post, heard)?;
                }
            }
            Some("reaction_added") if !heard.meets => self.pressed(api, None, &inner("reaction"), heard)?,
            _ => {}
        }
        Ok(())
    }

    /// Reads what happened to the watched posts before the connection. `closed` are the channels that could not be read.
    fn catch_up(&mut self, api: Api<'_>, closed: &mut BTreeSet<String>, heard: &mut Heard<'_>) -> Result<()> {
        let watching = heard.watching;
        let is_unknown = |it: &&Watch| !self.known.contains(&it.message.id) && !self.own.contains(&it.message.id);
        let mut since = BTreeMap::<&str, u64>::new();
        for MessageRef { chat, sequence, .. } in watching.iter().filter(is_unknown).map(|watch| &watch.message) {
            let first = since.entry(chat).or_insert(*sequence);
            *first = (*first).min(*sequence);
        }
        let is_only = since.len() == 1 && watching.iter().all(|watch| since.contains_key(watch.message.chat.as_str()));
        since.retain(|chat, _| !closed.contains(*chat));
        for (chat, first) in since {
            match self.read_since(api, chat, first.saturating_sub(1), heard) {
                // The bot is not in the channel any more, which hides no other one.
                Err(error @ (Error::Denied(_) | Error::NotFound)) if !is_only => {
                    api.warn("a channel cannot be read", &error);
                    closed.insert(chat.to_owned());
                }
                read => {
                    read?;
                    let here = watching.iter().filter(|watch| watch.message.chat == chat);
                    self.known.extend(here.map(|watch| watch.message.id.clone()));
                }
            }
        }
        Ok(())
    }

    /// Reads what happened in a channel since a time, in milliseconds, in the order in which it happened.
    fn read_since(&mut self, api: Api<'_>, chat: &str, since: u64, heard: &mut Heard<'_>) -> Result<()> {
        let list = api.get(&format!("channels/{chat}/posts?since={since}"))?;
        let mut cards = Vec::new();
        if list.entries("posts").count() >= POSTS_SINCE {
            api.log(Level::Warn, "more happened in a channel than a server tells at once: some texts are not read");
            // A server leaves out any posts then, so the cards may be among them.
            let is_missing = |it: &&MessageRef| it.chat == chat && list.inner("posts").get(&it.id).is_none();
            for card in heard.watching.iter().map(|watch| &watch.message).filter(is_missing) {
                cards.push(self.card(api, &card.id)?);
            }
        }
        let me = api.me()?;
        let posts = list.entries("posts").map(|(_, post)| post).chain(&cards);
        let posts = posts.filter(|post| post.int("delete_at").unwrap_or_default() == 0);
        let (mine, theirs) = posts.partition::<Vec<_>, _>(|post| post.text("user_id") == Some(me));
        let presses = mine.iter().flat_map(|post| posting::reactions(post).iter().map(|it| (Some(*post), it)));
        let presses = presses.map(|(card, reaction)| (channel::reacted(reaction), card, reaction));
        // An older post was edited.
        let texts = theirs.into_iter().map(|post| (channel::created(post), None, post));
        let texts = texts.filter(|(at, ..)| at.is_some_and(|at| at > since));
        let mut all = presses.chain(texts).collect::<Vec<_>>();
        all.sort_by_key(|(at, ..)| *at);
        for (at, card, what) in all {
            match card {
                Some(card) => self.pressed(api, Some(card), what, heard)?,
                None if self.seen.is_past(at.unwrap_or_default()) => {}
                None => self.said(api, what, heard)?,
            }
        }
        Ok(())
    }

    /// Takes a reaction, of this post of the bot or of any other.
    fn pressed(&mut self, api: Api<'_>, card: Option<&Value>, reaction: &Value, heard: &mut Heard<'_>) -> Result<()> {
        let (Some(post), Some(user), Some(name), Some(at)) = (
            reaction.text("post_id"),
            reaction.text("user_id"),
            reaction.text("emoji_name").and_then(emoji::known),
            channel::reacted(reaction),
        ) else {
            return Ok(());
        };
        if user == api.me()? {
            return Ok(());
        }
        // A card may offer more by now than when this call began.
        let watch = heard.watching.card(post);
        let choice = watch.and_then(|watch| {
            let choice = watch.choices.iter().find(|choice| emoji::name(&choice.emoji) == Some(name))?;
            Some((watch.message.clone(), None, choice.id.clone()))
        });
        let answer = match (choice, card) {
            (Some(choice), _) => Some(choice),
            (None, Some(card)) => posting::offered(card, name),
            (None, None) => posting::offered(&self.card(api, post)?, name),
        };
        let Some((message, tag, choice)) = answer else { return Ok(()) };
        // An event that could not be told is not noted.
        let Some(person) = known(api, user)? else { return Ok(()) };
        if self.seen.is_new(&format!("{post} {user} {name} {at}"), at) {
            heard.events.push(Event::Chosen(Chosen { tag, ..Chosen::new(message, &choice, person) }));
        }
        Ok(())
    }

    /// Takes what somebody wrote in a watched channel. What the server itself writes has a type.
    fn said(&mut self, api: Api<'_>, post: &Value, heard: &mut Heard<'_>) -> Result<()> {
        let (Some(message), Some(user)) = (channel::reference(post), post.text("user_id")) else { return Ok(()) };
        let text = post.text("message").unwrap_or_default();
        let is_watched = heard.watching.has_chat(&message.chat);
        let files = channel::files(post);
        let is_somebodys = post.text("type").unwrap_or_default().is_empty();
        if !is_watched || !is_somebodys || (text.is_empty() && files.is_empty()) {
            return Ok(());
        }
        let Some(user) = known(api, user)? else { return Ok(()) };
        let user = channel::author(user, post);
        if !self.seen.is_new(&message.id, message.sequence) {
            return Ok(());
        }
        let root = post.text("root_id").filter(|root| !root.is_empty()).map(|root| {
            let watched = heard.watching.card(root).map(|watch| &watch.message);
            watched.cloned().unwrap_or_else(|| MessageRef { id: root.to_owned(), sequence: 0, ..message.clone() })
        });
        let said = Said { reply_to: root, user, text: text.to_owned(), message, files };
        heard.events.push(Event::Said(said));
        Ok(())
    }

    /// Returns a post of the bot, and nothing for one of anybody else.
    fn card(&self, api: Api<'_>, id: &str) -> Result<Value> {
        let post = visible(api.get(&format!("posts/{id}")))?.unwrap_or_default();
        Ok(if post.text("user_id") == Some(api.me()?) { post } else { Value::Null })
    }
}

/// Returns who a user is; `None` if the account was deleted, or the bot may not look at it. What such a user did does not count, and keeps
/// nobody else from being heard.
fn known(api: Api<'_>, user: &str) -> Result<Option<User>> {
    let found = api.person(user, || channel::person(api, user));
    visible(found.inspect_err(|error| api.warn("somebody in a channel is not known", error)))
}
