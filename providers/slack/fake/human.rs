//! The hands of the people in the workspace, and what they see.

use super::FakeSlack;
use super::model::{Button, Message, Revision, User};
use super::sockets::APP;
use super::world::{Press, Whisper, World};
use bytes::Bytes;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// A channel, and the time of a message in it.
pub type Place<'a> = (&'a str, &'a str);

impl FakeSlack {
    /// Makes a person a member of the workspace.
    pub fn meet(&self, user: &User) {
        self.world.change(|world| world.users.insert(user.id.clone(), user.clone()));
    }

    /// Opens a channel with the app in it; gives its id.
    pub fn channel(&self, name: &str) -> String {
        self.world.change(|world| world.open('C', name, None))
    }

    /// Opens the direct message with a person; gives its id.
    pub fn dm(&self, user: &User) -> String {
        self.meet(user);
        self.world.change(|world| world.dm(&user.id))
    }

    /// Takes the app out of a channel, or lets it in.
    pub fn set_member(&self, channel: &str, is_member: bool) {
        self.world.change(|world| world.channels.get_mut(channel).into_iter().for_each(|it| it.is_member = is_member));
    }

    /// Lets a person leave a channel.
    pub fn leave(&self, channel: &str, user: &str) {
        self.world.change(|world| {
            world.channels.get_mut(channel).into_iter().for_each(|it| _ = it.left.insert(user.to_owned()));
        });
    }

    /// Takes a scope away from the app's token.
    pub fn revoke(&self, scope: &str) {
        self.world.change(|world| world.scopes.remove(scope));
    }

    /// Writes a text in a channel, or in the thread of a message. The app is told where it is a direct message, or where
    /// the text mentions it.
    ///
    /// # Panics
    /// Never: the message was written before it is looked for.
    #[allow(clippy::expect_used, reason = "the message was written just before")]
    pub fn say(&self, channel: &str, user: &User, text: &str, thread: Option<&str>) -> Message {
        self.meet(user);
        let written = self.world.change(|world| {
            let said = Revision { text: text.to_owned(), blocks: Vec::new() };
            let ts = world.write(channel, user, said, thread.map(str::to_owned));
            let is_dm = world.channels.get(channel).is_some_and(|it| it.with.is_some());
            let mentions = text.contains(&format!("<@{}>", world.bot.id));
            let kind = if is_dm { Some("message") } else { mentions.then_some("app_mention") };
            if let Some(kind) = kind {
                let mut event =
                    json!({ "type": kind, "user": user.id, "text": text, "ts": ts, "channel": channel, "event_ts": ts });
                if is_dm {
                    event["channel_type"] = "im".into();
                }
                if let Some(thread) = thread {
                    event["thread_ts"] = thread.into();
                }
                let payload =
                    json!({ "type": "event_callback", "team_id": "T0DMPLZTM", "api_app_id": APP, "event": event });
                world.tell("events_api", payload, None);
            }
            world.messages.iter().find(|message| message.ts == ts).cloned()
        });
        written.expect("a message that was written")
    }

    /// Shares a file in a channel, with a text or without.
    pub fn attach(&self, channel: &str, user: &User, name: &str, bytes: impl Into<Bytes>, text: &str) -> Message {
        let bytes = bytes.into();
        let said = self.say(channel, user, text, None);
        self.world.change(|world| {
            let message = world.find(channel, &said.ts);
            message.map_or(said.clone(), |message| {
                message.files.push((name.to_owned(), bytes));
                message.clone()
            })
        })
    }

    /// Deletes a message of a channel.
    pub fn delete(&self, (channel, ts): Place<'_>) {
        self.world.change(|world| world.find(channel, ts).into_iter().for_each(|message| message.deleted = true));
    }

    /// Presses the button with this label on a message, or on what it showed before: a screen may still do. Gives the id of
    /// the press; none where there never was such a button.
    pub fn press(&self, place: Place<'_>, label: &str, user: &User) -> Option<u64> {
        self.meet(user);
        self.world.change(|world| {
            let message = world.messages.iter().find(|it| it.channel == place.0 && it.ts == place.1)?;
            let buttons = message.revisions.iter().rev().flat_map(Revision::buttons);
            let button = buttons.into_iter().find(|button| button.label == label)?;
            Some(press(world, place, &button, user))
        })
    }

    /// Sends a press with a value that no button has.
    pub fn forge(&self, place: Place<'_>, value: &str, user: &User) -> u64 {
        self.meet(user);
        let (label, action) = ("forged".to_owned(), "forged".to_owned());
        let button = Button { label, action, value: value.to_owned(), style: None };
        self.world.change(|world| press(world, place, &button, user))
    }

    /// Returns what came of a press.
    pub fn pressed(&self, press: u64) -> Option<Press> {
        self.world.read(|world| world.presses.get(&press).cloned())
    }

    /// Waits until a press has become as wanted, for at most `wait`.
    pub async fn await_press(&self, press: u64, wait: Duration, wanted: impl Fn(&Press) -> bool) -> Option<Press> {
        self.world.within(wait, |world| world.presses.get(&press).filter(|it| wanted(it)).cloned()).await
    }

    /// As [`FakeSlack::await_press`], for a thread without a runtime.
    pub fn await_press_blocking(&self, press: u64, wait: Duration, wanted: impl Fn(&Press) -> bool) -> Option<Press> {
        self.world.within_blocking(wait, |world| world.presses.get(&press).filter(|it| wanted(it)).cloned())
    }

    /// Writes into the modal that a press opened, and submits it. Gives the id of the submission; none where no modal is
    /// open, or where it does not take the text.
    pub fn submit(&self, press: u64, text: &str) -> Option<u64> {
        self.world.change(|world| {
            let opened = world.presses.get(&press)?;
            let (mut view, user) = (opened.modal.clone()?, opened.user.clone());
            let input = view["blocks"].as_array()?.iter().find(|block| block["type"] == "input")?;
            let (block, element) = (input["block_id"].as_str()?.to_owned(), input["element"].clone());
            let most = element["max_length"].as_u64().and_then(|most| usize::try_from(most).ok()).unwrap_or(3000);
            if text.encode_utf16().count() > most {
                return None;
            }
            let action = element["action_id"].as_str()?.to_owned();
            view["id"] = "V0000000001".into();
            view["state"] = json!({ "values": { block: { action: { "type": "plain_text_input", "value": text } } } });
            let payload = json!({ "type": "view_submission", "team": { "id": "T0DMPLZTM", "domain": "office" }, "user": shown(&user), "api_app_id": APP, "view": view });
            Some(tell(world, &user, payload))
        })
    }

    /// Returns what only this person sees.
    pub fn whispers(&self) -> Vec<Whisper> {
        self.world.read(|world| world.whispers.clone())
    }

    /// Waits until a person was told this, for at most `wait`.
    pub async fn await_whisper(&self, wait: Duration, wanted: impl Fn(&Whisper) -> bool) -> bool {
        self.world.within(wait, |world| world.whispers.iter().any(&wanted).then_some(())).await.is_some()
    }

    /// As [`FakeSlack::await_whisper`], for a thread without a runtime.
    pub fn await_whisper_blocking(&self, wait: Duration, wanted: impl Fn(&Whisper) -> bool) -> bool {
        self.world.within_blocking(wait, |world| world.whispers.iter().any(&wanted).then_some(())).is_some()
    }
}

impl World {
    /// Returns what `find` finds among the messages of a channel.
    pub(crate) fn on_screen<R>(&self, channel: &str, find: impl FnOnce(&[Message]) -> Option<R>) -> Option<R> {
        let messages = self.messages.iter().filter(|message| message.channel == channel);
        find(&messages.cloned().collect::<Vec<_>>())
    }
}

fn press(world: &mut World, (channel, ts): Place<'_>, button: &Button, user: &User) -> u64 {
    let thread = world.find(channel, ts).and_then(|message| message.thread_ts.clone());
    let mut container = json!({ "type": "message", "message_ts": ts, "channel_id": channel, "is_ephemeral": false });
    if let Some(thread) = thread {
        container["thread_ts"] = thread.into();
    }
    let action_ts = world.ts();
    let payload = json!({
        "type": "block_actions", "team": { "id": "T0DMPLZTM", "domain": "office" }, "user": shown(user), "api_app_id": APP, "container": container,
        "channel": { "id": channel, "name": "directmessage" },
        "response_url": "https://hooks.slack.com/actions/T0DMPLZTM/1/x",
        "actions": [{
            "type": "button", "action_id": button.action, "block_id": "b", "value": button.value, "action_ts": action_ts,
            "text": { "type": "plain_text", "text": button.label, "emoji": false },
        }],
    });
    tell(world, user, payload)
}

/// Tells the app what somebody did, with a `trigger_id`; gives its id.
fn tell(world: &mut World, user: &User, mut payload: Value) -> u64 {
    let id = world.next();
    let trigger = format!("13345224609.{id}.8fd887f22b6dd5f5");
    payload["trigger_id"] = trigger.clone().into();
    let trigger = (trigger, Instant::now());
    let press = Press { user: user.clone(), modal: None, failed: false, acknowledged: false, trigger };
    world.presses.insert(id, press);
    let is_told = world.tell("interactive", payload, Some(id));
    if let Some(press) = world.presses.get_mut(&id).filter(|_| !is_told) {
        press.failed = true;
    }
    id
}

fn shown(user: &User) -> Value {
    json!({ "id": user.id, "username": user.name, "name": user.name, "team_id": "T0DMPLZTM" })
}
