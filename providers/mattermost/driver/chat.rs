//! Channels of Mattermost, for the end-to-end tests.

use dmplz_fakes::Fake;
use dmplz_fakes::mattermost::{self, FakeMattermost, User};

use crate::{Chat, Choice, JIN, MIN, Message, Person, Place, Press, Room, SOON};

/// The chats that cases about every messenger run in.
pub const PLACES: &[Place] = &[
    Place { has_buttons: false, lacks: LACKS, ..Place::new("mattermost", Chat::mattermost) },
    Place {
        is_private: false,
        has_buttons: false,
        lacks: LACKS,
        ..Place::new("mattermost_channel", Chat::mattermost_channel)
    },
];

/// The cases that are about what Mattermost does not do.
const LACKS: &[(&str, &str)] = &[
    ("unknown_chat_is_one_clear_line", "a number is no id of a channel, which is told before anybody is asked"),
    ("lists_doubled_or_reversed_change_nothing", "events come over a connection, in its order"),
];

/// Pages that a card has at most.
const PAGES: usize = 12;
/// The reaction that turns the pages of choices.
const MORE: &str = "➕";

/// A channel, or the direct channel of a person, with the bot.
#[derive(Clone, Debug)]
pub struct MattermostChannel {
    /// The server that stands in for Mattermost.
    pub fake: FakeMattermost,
    /// The id of the channel where the cards are.
    pub channel: String,
    is_private: bool,
}

impl Chat {
    /// Creates Jin's direct channel with a bot.
    pub fn mattermost() -> Self {
        let fake = FakeMattermost::spawn_thread();
        let channel = fake.dm(&user(JIN));
        Self::of(MattermostChannel { fake, channel, is_private: true })
    }

    /// Creates a channel of Jin, Min and a bot.
    pub fn mattermost_channel() -> Self {
        let fake = FakeMattermost::spawn_thread();
        let channel = fake.channel(&[JIN, MIN].map(user));
        Self::of(MattermostChannel { fake, channel, is_private: false })
    }
}

impl Room for MattermostChannel {
    fn provider(&self) -> &'static str {
        "mattermost"
    }

    fn id(&self) -> String {
        self.channel.clone()
    }

    fn settings(&self) -> Vec<(&'static str, String)> {
        vec![
            ("DMPLZ_MATTERMOST_SERVER", self.fake.base_url()),
            ("DMPLZ_MATTERMOST_ACCESS_TOKEN", self.token()),
            match self.is_private {
                true => ("DMPLZ_MATTERMOST_DM_USER_ID", self.id_of(JIN)),
                false => ("DMPLZ_MATTERMOST_CHANNEL_ID", self.id()),
            },
        ]
    }

    fn server(&self) -> &dyn Fake {
        &self.fake
    }

    fn posting(&self) -> &'static str {
        "post"
    }

    fn editing(&self) -> &'static str {
        "patch"
    }

    fn polling(&self) -> &'static str {
        "WebSocket"
    }

    /// Returns whether a card appears at once. The bot's reactions are added one after the other.
    fn posts_whole(&self) -> bool {
        false
    }

    fn watch(&self, is_there: &mut dyn FnMut(&[Message]) -> bool) -> bool {
        let bot = self.fake.bot();
        let seen = |messages: &[mattermost::Message]| is_there(&all_seen(messages, bot)).then_some(());
        self.fake.watch_blocking(&self.channel, SOON, seen).is_some()
    }

    /// Presses a choice. Further ones are asked for until the choice is shown. An old screen shows an earlier menu.
    fn press(&self, card: &Message, choice: Choice, by: Person, is_old: bool) -> Press {
        let mut shown = self.post(card);
        for _ in 0..PAGES {
            let menu = shown.reactions_of(self.fake.bot());
            let has = |emoji: &str| menu.iter().any(|name| name == FakeMattermost::name_of(emoji));
            // Only an approver turns pages; anybody can add any reaction.
            if is_old || by != JIN || has(choice.emoji()) || !has(MORE) {
                break;
            }
            self.fake.tap((&self.channel, &shown.id), &user(by), FakeMattermost::name_of(MORE));
            let next = |messages: &[mattermost::Message]| {
                let newest = messages.iter().rfind(|it| it.user == self.fake.bot() && !offered(it).is_empty())?;
                (newest.id != shown.id && is_whole(newest, self.fake.bot())).then(|| newest.clone())
            };
            shown = self.fake.watch_blocking(&self.channel, SOON, next).expect("the next page of choices");
        }
        self.fake.tap((&self.channel, &shown.id), &user(by), FakeMattermost::name_of(choice.emoji()));
        Press(card.id.to_string())
    }

    fn skip(&self, _: &Message, by: Person) {
        self.say(by, "no_reason");
    }

    fn say(&self, by: Person, text: &str) {
        self.fake.say(&self.channel, &user(by), text, None);
    }

    fn reply(&self, to: &Message, by: Person, text: &str) {
        self.fake.say(&self.channel, &user(by), text, Some(&self.post(to).id));
    }

    fn delete(&self, message: &Message) {
        self.fake.delete((&self.channel, &self.post(message).id));
    }

    fn say_elsewhere(&self, by: Person, text: &str) {
        let other = self.fake.channel(&[user(by)]);
        self.fake.say(&other, &user(by), text, None);
    }

    fn id_of(&self, person: Person) -> String {
        user(person).id
    }

    fn recorded(&self, message: &Message) -> String {
        self.post(message).id
    }
}

impl MattermostChannel {
    /// Returns the post as a client shows it now. Its number is the time of its creation.
    fn post(&self, message: &Message) -> mattermost::Message {
        self.fake.messages(&self.channel).into_iter().find(|it| it.at == message.id).expect("the message is there")
    }
}

fn user(person: Person) -> User {
    User::person(format!("{:x<26}", person.name.to_lowercase()), person.name)
}

/// Returns the names of the reactions that a card offers now.
fn offered(message: &mattermost::Message) -> Vec<String> {
    let menu = message.props["dmplz"]["menu"].as_object();
    menu.into_iter().flatten().map(|(name, _)| name.clone()).collect()
}

/// Returns whether all that a card offers is in its menu.
fn is_whole(message: &mattermost::Message, bot: &str) -> bool {
    let menu = message.reactions_of(bot);
    offered(message).iter().all(|name| menu.contains(name))
}

fn all_seen(messages: &[mattermost::Message], bot: &str) -> Vec<Message> {
    messages.iter().map(|message| seen(message, bot)).collect()
}

fn seen(message: &mattermost::Message, bot: &str) -> Message {
    let by_bot = message.user == bot;
    let words = |text: &String| if by_bot { plain(text) } else { text.clone() };
    let menu = message.reactions_of(bot);
    Message {
        id: message.at,
        by_bot,
        text: words(message.texts.last().unwrap()),
        // A menu comes reaction by reaction, and nobody answers before it is there.
        choices: match is_whole(message, bot) {
            true => menu.iter().map(|name| FakeMattermost::emoji_of(name).to_owned()).collect(),
            false => Vec::new(),
        },
        files: message.files.clone(),
        before: message.texts[..message.texts.len() - 1].iter().map(words).collect(),
        deleted: message.deleted,
    }
}

/// Returns the Markdown of a card as it is shown: references, bold, code spans and code blocks, which is all that cards use.
fn plain(markdown: &str) -> String {
    let (mut fence, mut shown) = (None, Vec::new());
    for line in markdown.lines() {
        match &fence {
            Some(open) if line == open => fence = None,
            Some(_) => shown.push(line.to_owned()),
            None if line.starts_with("```") => fence = Some(line.to_owned()),
            None => shown.push(words(line)),
        }
    }
    shown.join("\n")
}

fn words(line: &str) -> String {
    // In a text, a backquote is always a reference.
    let mut shown = line.replace("**", "").replace('`', "");
    for (reference, character) in [("&nbsp;", " "), ("&#8203;", ""), ("&#8288;", "")] {
        shown = shown.replace(reference, character);
    }
    // The ampersand is last, so that what it begins is no reference.
    for character in (' '..='~').rev().filter(|it| it.is_ascii_punctuation() && *it != '&').chain(['&']) {
        shown = shown.replace(&format!("&#{};", u32::from(character)), &character.to_string());
    }
    shown
}
