//! The two topics of a chat: cards go to the one that the operator named, answers come from `TOPIC-answers`.

use dmplz_provider_sdk::{Chat, Error};

/// What the topic for answers has behind the name of the topic for cards.
const ANSWERS: &str = "-answers";
/// Characters of a topic (the server's `topicRegex`: `[-_A-Za-z0-9]{1,64}`).
const LONGEST: usize = 64;

/// The topic that the operator named.
pub(crate) fn of(chat: &Chat) -> Result<String, Error> {
    let (Chat::Room(topic) | Chat::Person(topic)) = chat;
    let topic = topic.trim();
    if is_name(topic) && topic.len() + ANSWERS.len() <= LONGEST {
        return Ok(topic.to_owned());
    }
    let expected = "a topic of 1 to 56 letters, digits, - and _, and none that somebody could guess";
    Err(Error::BadSetting(("topic".to_owned(), expected.to_owned())))
}

/// Where people answer what was published to a topic.
pub(crate) fn answers(topic: &str) -> String {
    format!("{topic}{ANSWERS}")
}

/// The topic that something was answered in.
pub(crate) fn answered(answers: &str) -> Option<&str> {
    answers.strip_suffix(ANSWERS)
}

/// Whether it can name a topic, or a sequence of messages.
pub(crate) fn is_name(text: &str) -> bool {
    let letter = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    (1..=LONGEST).contains(&text.len()) && text.bytes().all(letter)
}
