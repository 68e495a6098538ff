//! Removes user ids where the messenger does not identify people.
//!
//! | the manifest says | the owner of a chat | the user of an event |
//! |---|---|---|
//! | `identified` | as the provider says | as the provider says |
//! | `anonymous` | nobody | [`User::anonymous`], whatever the provider says; a program stays a program |
//!
//! In that case nobody can be paired either (`dmplz setup`), since a code alone does not identify the person who sent
//! it.
//!
//! In an anonymous chat no id admits anybody (`dmplz_core::approvers`): only `*` lets an event answer.

use dmplz_core::messenger::{Batch, Chosen, Event, Meeting, OpenChat, Said, User, Users};

/// Returns the chat, without its owner if the messenger does not identify people.
pub(crate) fn chat(users: Users, chat: OpenChat) -> OpenChat {
    match users {
        Users::Identified => OpenChat { users, ..chat },
        Users::Anonymous => OpenChat { owner: None, users, ..chat },
    }
}

/// Returns the events, without their users if the messenger does not identify people.
pub(crate) fn batch(users: Users, mut batch: Batch) -> Batch {
    if users == Users::Anonymous {
        for event in &mut batch.events {
            let (Event::Chosen(Chosen { user, .. }) | Event::Said(Said { user, .. })) = event;
            *user = User { is_bot: user.is_bot, ..User::anonymous() };
        }
    }
    batch
}

/// Returns the greetings; none if the messenger does not identify people.
pub(crate) fn meeting(users: Users, mut meeting: Meeting) -> Meeting {
    if users == Users::Anonymous {
        meeting.greetings.clear();
    }
    meeting
}

#[cfg(test)]
mod tests {
    use dmplz_core::approvers::Approvers;
    use dmplz_core::messenger::{Chat, Greeting, MessageRef};

    use super::*;

    fn said(by: &str) -> Batch {
        let user = User { id: by.to_owned(), name: "jin".to_owned(), is_bot: false };
        let message = MessageRef { chat: "topic".to_owned(), id: "1".to_owned(), sequence: 1 };
        let event = Event::Said(Said { message, reply_to: None, user, text: "yes".to_owned(), files: Vec::new() });
        Batch { events: vec![event], cursor: "1".to_owned() }
    }

    fn admitted(users: Users, by: &str, listed: &[&str]) -> bool {
        let opened =
            chat(users, OpenChat { id: "topic".to_owned(), owner: Some("7".to_owned()), users: Users::Anonymous });
        let listed: Vec<String> = listed.iter().map(|id| (*id).to_owned()).collect();
        let events = batch(users, said(by)).events;
        let Some(Event::Said(said)) = events.first() else { return false };
        Approvers::of("messenger", &opened, &listed).admit(&said.user).is_some()
    }

    #[test]
    fn nobody_is_met_where_the_messenger_does_not_tell_who_wrote() {
        let user = User { id: "7".to_owned(), name: "jin".to_owned(), is_bot: false };
        let greeting = Greeting { chat: Chat::Room("topic".to_owned()), user, code: "c0de".to_owned() };
        let met = |users| {
            meeting(users, Meeting { greetings: vec![greeting.clone()], cursor: "1".to_owned() }).greetings.len()
        };
        assert_eq!((met(Users::Identified), met(Users::Anonymous)), (1, 0));
    }

    #[test]
    fn an_anonymous_event_answers_only_where_everybody_may() {
        assert!(admitted(Users::Identified, "7", &[]), "the owner of an identified chat");
        for (by, listed, may) in [
            ("7", vec![], false),
            ("7", vec!["7"], false),
            ("8", vec!["8"], false),
            ("anonymous", vec!["anonymous"], false),
            ("", vec!["7"], false),
            ("7", vec!["*"], true),
            ("", vec!["7", "*"], true),
        ] {
            assert_eq!(admitted(Users::Anonymous, by, &listed), may, "{by} {listed:?}");
        }
    }
}
