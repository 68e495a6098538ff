//! The two topics of a chat: cards go to the one that the operator named, answers come from `TOPIC-answers`.

use dmplz_provider_sdk::{Chat, Error};

/// The suffix of the topic for answers.
const ANSWERS: &str = "-answers";
/// The most characters of a topic (the server's `topicRegex`: `[-_A-Za-z0-9]{1,64}`).
const LONGEST: usize = 64;

/// Returns the topic that the operator named.
pub(crate) fn of(chat: &Chat) -> Result<String, Error> {
    let (Chat::Room(topic) | Chat::Person(topic)) = chat;
    let topic = topic.trim();
    if is_name(topic) && topic.len() + ANSWERS.len() <= LONGEST {
        return Ok(topic.to_owned());
    }
    let expected = "a topic of 1 to 56 letters, digits, - and _, and none that somebody could guess";
    Err(Error::bad_setting("topic", expected))
}

/// Returns the topic in which people answer.
pub(crate) fn answers(topic: &str) -> String {
    format!("{topic}{ANSWERS}")
}

/// Returns the topic to which an answer belongs.
pub(crate) fn answered(answers: &str) -> Option<&str> {
    answers.strip_suffix(ANSWERS)
}

/// Returns whether a text is valid as the name of a topic or of a sequence of messages.
pub(crate) fn is_name(text: &str) -> bool {
    let letter = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    (1..=LONGEST).contains(&text.len()) && text.bytes().all(letter)
}
