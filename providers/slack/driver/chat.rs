//! Chats of Slack, for the end-to-end tests.

use dmplz_fakes::Fake;
use dmplz_fakes::slack::{self, FakeSlack, User};

use crate::{Chat, Choice, JIN, MIN, Message, Person, Place, Press, Room, SOON};

/// The chats that cases about every messenger run in.
pub const PLACES: &[Place] = &[
    Place { lacks: LACKS, ..Place::new("slack", Chat::slack) },
    Place { is_private: false, lacks: LACKS, ..Place::new("slack_channel", Chat::slack_channel) },
];

/// The cases that are about what Slack does not do, or does in another way.
const LACKS: &[(&str, &str)] = &[
    ("words_after_the_time_for_a_reason_are_told_that_it_expired_once", BY_FORM),
    ("a_denial_reaches_the_session_with_its_reason", BY_FORM),
    ("question_is_answered_in_own_words", BY_FORM),
    ("denial_asks_for_an_optional_reason_and_passes_it_on", BY_FORM),
    ("lists_doubled_or_reversed_change_nothing", BY_FORM),
    ("denial_reaches_it_with_its_reason", BY_FORM),
    ("a_killed_gateway_comes_back_to_a_denial_that_waits_for_its_reason", BY_FORM),
    ("rejection_is_one_line_of_the_schema", BY_FORM),
    ("reason_hostile_to_json_is_passed_on_and_logged_whole", BY_FORM),
    ("plan_takes_three_answers", BY_FORM),
    ("the_words_are_korean_by_default", BY_FORM),
    ("agent_is_told_what_to_do_instead", BY_FORM),
    ("only_the_words_of_the_one_who_denied_count", BY_FORM),
    ("someone_else_cannot_skip_the_reason", BY_FORM),
    ("two_requests_at_once_do_not_mix_up_their_reasons", BY_FORM),
    ("reason_is_found_behind_everything_that_others_write", BY_FORM),
    ("words_before_the_prompt_are_no_reason", BY_FORM),
    ("words_in_another_chat_are_no_reason", BY_FORM),
    ("markup_is_shown_literally", BY_FORM),
    ("a_session_is_started_written_to_and_ended_in_the_chat", BY_FORM),
    ("a_killed_gateway_finds_its_cards_again_and_sends_nothing_twice", BY_FORM),
    ("only_an_approver_leads_in_a_group_and_only_by_replies_and_commands", BY_FORM),
    ("press_after_the_end_is_told_that_it_expired_once_by_the_next_process", NOT_KEPT),
    ("killed_while_its_card_is_being_posted", NOT_KEPT),
    ("late_press_of_a_stranger_changes_nothing", NOT_KEPT),
    (
        "lost_replies_to_posting_do_not_lose_the_answer",
        "a card whose reply was lost is there twice: Slack refuses no copy",
    ),
    ("unknown_chat_is_one_clear_line", "an unknown id has another form"),
];
const BY_FORM: &str = "words come by forms, not from the chat; the conformance cases fill them";
const NOT_KEPT: &str = "Slack keeps no press while nobody is connected: its person reads that it failed";

/// A channel, or a direct message, with the app.
#[derive(Clone, Debug)]
pub struct SlackRoom {
    /// The server that stands in for Slack.
    pub fake: FakeSlack,
    /// The channel where the cards are.
    pub channel: String,
    is_private: bool,
}

impl Chat {
    /// Jin's direct message with the app.
    pub fn slack() -> Self {
        let fake = FakeSlack::spawn_thread();
        let channel = fake.dm(&user(JIN));
        Self::of(SlackRoom { fake, channel, is_private: true })
    }

    /// A channel of Jin and Min.
    pub fn slack_channel() -> Self {
        let fake = FakeSlack::spawn_thread();
        for person in [JIN, MIN] {
            fake.meet(&user(person));
        }
        let channel = fake.channel("approvals");
        Self::of(SlackRoom { fake, channel, is_private: false })
    }
}

impl Room for SlackRoom {
    fn provider(&self) -> &'static str {
        "slack"
    }

    fn id(&self) -> String {
        self.channel.clone()
    }

    fn settings(&self) -> Vec<(&'static str, String)> {
        vec![
            ("DMPLZ_SLACK_API_BASE", self.fake.base_url()),
            ("DMPLZ_SLACK_BOT_TOKEN", self.token()),
            ("DMPLZ_SLACK_APP_TOKEN", self.fake.app_token().to_owned()),
            match self.is_private {
                true => ("DMPLZ_SLACK_DM_USER_ID", self.id_of(JIN)),
                false => ("DMPLZ_SLACK_CHANNEL_ID", self.id()),
            },
        ]
    }

    fn server(&self) -> &dyn Fake {
        &self.fake
    }

    fn posting(&self) -> &'static str {
        "chat.postMessage"
    }

    fn editing(&self) -> &'static str {
        "chat.update"
    }

    fn polling(&self) -> &'static str {
        "apps.connections.open"
    }

    /// A press that Slack cannot deliver at all fails, so the connection stalls and the presses wait in it.
    fn withhold(&self) {
        self.fake.stall(true);
    }

    fn tell(&self) {
        self.fake.stall(false);
    }

    fn watch(&self, is_there: &mut dyn FnMut(&[Message]) -> bool) -> bool {
        // Asked before, because the server is held while the messages are looked at.
        let bot = self.fake.bot().id;
        let found =
            self.fake.watch_blocking(&self.channel, SOON, |messages| is_there(&all_seen(messages, &bot)).then_some(()));
        found.is_some()
    }

    /// An old screen may show what the message showed before.
    fn press(&self, card: &Message, choice: Choice, by: Person, _is_old: bool) -> Press {
        let label = choice.label_on(card);
        assert!(self.fake.await_ready_blocking(SOON), "somebody hears of it");
        let pressed = self.fake.press((&self.channel, &ts(card.id)), label, &user(by));
        Press(pressed.expect("the button").to_string())
    }

    /// The prompt's only button that opens no form.
    fn skip(&self, prompt: &Message, by: Person) {
        let skip = prompt.choices.last().expect("a button").clone();
        assert!(self.fake.await_ready_blocking(SOON), "somebody hears of it");
        self.fake.press((&self.channel, &ts(prompt.id)), &skip, &user(by)).expect("the button");
    }

    fn say(&self, by: Person, text: &str) {
        self.fake.say(&self.channel, &user(by), text, None);
    }

    fn reply(&self, to: &Message, by: Person, text: &str) {
        self.fake.say(&self.channel, &user(by), text, Some(&ts(to.id)));
    }

    fn delete(&self, message: &Message) {
        self.fake.delete((&self.channel, &ts(message.id)));
    }

    fn say_elsewhere(&self, by: Person, text: &str) {
        self.fake.say(&self.fake.channel("general"), &user(by), text, None);
    }

    fn id_of(&self, person: Person) -> String {
        user(person).id
    }

    fn await_told(&self, press: &Press, text: &str) {
        let press = self.fake.pressed(press.0.parse().unwrap()).expect("a press");
        let is_it = |it: &slack::Whisper| it.user == press.user.id && it.said.screen().text == text;
        let told = self.fake.await_whisper_blocking(SOON, is_it);
        assert!(told, "{text} was not said; {:#?}", self.fake.whispers());
    }

    fn await_silence(&self, press: &Press) {
        let press = press.0.parse().unwrap();
        let taken = self.fake.await_press_blocking(press, SOON, |press| press.acknowledged);
        assert!(taken.is_some(), "the press was not acknowledged");
    }
}

fn user(person: Person) -> User {
    User::person(format!("U{:09}", person.id), person.name)
}

/// The time of a message, of which its number is all digits.
fn ts(id: u64) -> String {
    format!("{}.{:06}", id / 1_000_000, id % 1_000_000)
}

fn all_seen(messages: &[slack::Message], bot: &str) -> Vec<Message> {
    messages.iter().map(|message| seen(message, bot)).collect()
}

fn seen(message: &slack::Message, bot: &str) -> Message {
    let now = message.now();
    let earlier = &message.revisions[..message.revisions.len() - 1];
    Message {
        id: message.sequence(),
        by_bot: message.user.id == bot,
        text: now.screen().text,
        choices: now.buttons().into_iter().map(|button| button.label).collect(),
        files: message.files.clone(),
        before: earlier.iter().map(|revision| revision.screen().text).collect(),
        deleted: message.deleted,
    }
}
