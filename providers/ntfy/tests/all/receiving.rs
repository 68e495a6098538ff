use dmplz_provider_sdk::http::{HttpError, Request, Response};
use dmplz_provider_sdk::socket::{Socket, SocketError};
use dmplz_provider_sdk::{Batch, Chat, Chosen, Error, Event, Host, Level, Provider};

use crate::{FakeHost, message, ntfy, watching};

const ANSWERS: &str = "secret_topic-answers";

fn line(id: &str, time: u64, text: &str) -> String {
    format!(r#"{{"id":"{id}","time":{time},"event":"message","topic":"{ANSWERS}","message":"{text}"}}"#) + "\n"
}

/// Polls once with a new provider and a card that was posted at 1800000000.
fn look(host: &FakeHost, cursor: &str) -> Result<Batch, Error> {
    ntfy().receive(host, cursor, &watching(message("tag1", 3_600_000_000)), 0)
}

fn url(host: &FakeHost) -> String {
    host.requests().last().unwrap().url.clone()
}

#[test]
fn a_button_is_a_press_of_its_card_and_all_else_is_words() {
    let lines = [
        line("AAAAAAAAAAAA", 1_800_000_000, "dmplz:tag1:deny"),
        line("BBBBBBBBBBBB", 1_800_000_001, "use a branch: please"),
        line("CCCCCCCCCCCC", 1_800_000_002, "dmplz:another:approve"),
    ];
    let batch = look(&FakeHost::new().reply(200, lines.concat()), "").unwrap();
    let [Event::Chosen(press), Event::Said(said), Event::Chosen(other)] = batch.events.as_slice() else {
        panic!("{batch:?}")
    };
    assert_eq!(press.message, message("tag1", 3_600_000_000));
    let of = |press: &Chosen| (press.tag.clone().unwrap(), press.choice.clone(), press.token.clone());
    assert_eq!(of(press), ("tag1".into(), "deny".into(), "AAAAAAAAAAAA".into()));
    assert_eq!((&said.message, said.text.as_str()), (&message("BBBBBBBBBBBB", 3_600_000_003), "use a branch: please"));
    assert_eq!((&other.message, other.tag.as_deref()), (&message("another", 3_600_000_005), Some("another")));
    assert_eq!(batch.cursor, "CCCCCCCCCCCC");
}

#[test]
fn what_only_looks_like_a_button_is_nothing() {
    for text in
        ["dmplz:", "dmplz:tag1", "dmplz::deny", "dmplz:tag1:", "dmplz:tag1:DENY", "dmplz:ta g:deny", "dmplz:a:b:c"]
    {
        let batch = look(&FakeHost::new().reply(200, line("AAAAAAAAAAAA", 1, text)), "").unwrap();
        assert_eq!((batch.events, batch.cursor.as_str()), (vec![], "AAAAAAAAAAAA"), "{text}");
    }
}

#[test]
fn words_of_the_second_in_which_the_prompt_came_are_behind_it() {
    let prompt = message("tag1r", 3_600_000_000);
    let host = FakeHost::new().reply(200, line("AAAAAAAAAAAA", 1_800_000_000, "because"));
    let batch = ntfy().receive(&host, "", &watching(prompt.clone()), 0).unwrap();
    let [Event::Said(said)] = batch.events.as_slice() else { panic!("{batch:?}") };
    assert!(said.message.sequence > prompt.sequence);
}

#[test]
fn events_come_in_the_order_of_their_time() {
    let lines = [line("BBBBBBBBBBBB", 2, "two"), line("AAAAAAAAAAAA", 1, "one")];
    let batch = look(&FakeHost::new().reply(200, lines.concat()), "").unwrap();
    let texts = batch.events.iter().map(|event| match event {
        Event::Said(said) => said.text.as_str(),
        Event::Chosen(_) => "",
    });
    assert_eq!(texts.collect::<Vec<_>>(), ["one", "two"]);
    assert_eq!(batch.cursor, "BBBBBBBBBBBB");
}

#[test]
fn a_look_begins_at_the_cursor_or_at_the_oldest_card() {
    for (cursor, since) in
        [("", "1799999400"), ("AAAAAAAAAAAA", "AAAAAAAAAAAA"), ("all", "1799999400"), ("9", "1799999400")]
    {
        let host = FakeHost::new().reply(200, "");
        assert_eq!(look(&host, cursor).unwrap().cursor, cursor);
        assert_eq!(url(&host), format!("https://ntfy.example/{ANSWERS}/json?poll=1&since={since}"), "{cursor}");
    }
}

#[test]
fn a_reply_that_was_cut_off_moves_nothing() {
    let whole = line("AAAAAAAAAAAA", 1, "dmplz:tag1:deny");
    for cut in [1, whole.len() / 2, whole.len() - 1] {
        let refused = look(&FakeHost::new().reply(200, &whole[..cut]), "");
        assert!(matches!(refused, Err(Error::Unavailable(Some(_)))), "{refused:?}");
    }
}

#[test]
fn a_file_alone_says_nothing() {
    let file = format!(
        r#"{{"id":"AAAAAAAAAAAA","time":1,"event":"message","topic":"{ANSWERS}","message":"You received a file: a.txt","attachment":{{"name":"a.txt"}}}}"#
    ) + "\n";
    assert_eq!(look(&FakeHost::new().reply(200, file), "").unwrap().events, []);
}

#[test]
fn a_text_of_which_the_server_made_a_file_comes_without_its_words() {
    let file = format!(
        r#"{{"id":"AAAAAAAAAAAA","time":1,"event":"message","topic":"{ANSWERS}","message":"You received a file: attachment.txt","attachment":{{"name":"attachment.txt"}}}}"#
    ) + "\n";
    let batch = look(&FakeHost::new().reply(200, file), "").unwrap();
    let [Event::Said(said)] = batch.events.as_slice() else { panic!("{batch:?}") };
    assert_eq!((said.text.as_str(), said.message.id.as_str()), ("", "AAAAAAAAAAAA"));
}

#[test]
fn looks_keep_to_the_pace_that_ntfy_allows() {
    // Looks at 0, 5, 10, 15, 20 and, at its end, 22 seconds.
    let host = (0..6).fold(FakeHost::new(), |host, _| host.reply(200, ""));
    let batch = ntfy().receive(&host, "", &watching(message("tag1", 2)), 22_000).unwrap();
    assert_eq!((batch.events.len(), host.left(), host.slept()), (0, 0, 22_000));
}

#[test]
fn looks_follow_sooner_after_something_happened() {
    let mut provider = ntfy();
    let card = watching(message("tag1", 2));
    let host = (0..6)
        .fold(FakeHost::new().reply(200, line("AAAAAAAAAAAA", 1, "dmplz:tag1:more-2")), |host, _| host.reply(200, ""));
    assert_eq!(provider.receive(&host, "", &card, 25_000).unwrap().events.len(), 1);
    assert_eq!(host.slept(), 0, "an event ends the wait");
    provider.receive(&host, "AAAAAAAAAAAA", &card, 10_000).unwrap();
    // At 1, 2, 3, 4, 5 and 10 seconds.
    assert_eq!((host.left(), host.slept()), (0, 10_000));
}

/// A host whose clock is ahead of another one's.
struct Later<'a>(&'a FakeHost, u64);

impl Host for Later<'_> {
    fn send(&self, request: Request) -> Result<Response, HttpError> {
        self.0.send(request)
    }

    fn now(&self) -> u64 {
        self.0.now() + self.1
    }

    fn remaining(&self) -> u32 {
        self.0.remaining()
    }

    fn sleep(&self, milliseconds: u32) {
        self.0.sleep(milliseconds);
    }

    fn log(&self, level: Level, message: &str) {
        self.0.log(level, message);
    }

    fn connect_socket(&self, url: &str) -> Result<Box<dyn Socket>, SocketError> {
        self.0.connect_socket(url)
    }
}

#[test]
fn looks_are_rare_when_no_card_is_new() {
    let mut provider = ntfy();
    // Counts the polls in 25 seconds, after `minutes` minutes, with a card that was posted at `posted`.
    let mut looks = |minutes: u64, posted: u64| {
        let host = (0..9).fold(FakeHost::new(), |host, _| host.reply(200, ""));
        let card = watching(message("tag1", posted));
        provider.receive(&Later(&host, minutes * 60_000), "", &card, 25_000).unwrap();
        host.requests().len()
    };
    assert_eq!([looks(0, 1), looks(1, 1), looks(9, 1)], [6, 6, 6]);
    assert_eq!([looks(11, 1), looks(12, 1)], [2, 1], "one that was due, and one at the end of each wait");
    assert_eq!(looks(13, 2), 6, "another card");
    let host = (0..2).fold(FakeHost::new(), |host, _| host.reply(200, ""));
    let mut provider = ntfy();
    provider.open(&host, Chat::Room("secret_topic".to_owned())).unwrap();
    provider.receive(&host, "", &[], 25_000).unwrap();
    assert_eq!((host.left(), host.slept()), (0, 25_000), "no card at all");
}

#[test]
fn a_chat_that_is_opened_later_is_only_posted_to() {
    let host = (0..2).fold(FakeHost::new(), |host, _| host.reply(200, ""));
    let mut provider = ntfy();
    for topic in ["secret_topic", "notices"] {
        provider.open(&host, Chat::Room(topic.to_owned())).unwrap();
    }
    provider.receive(&host, "", &[], 25_000).unwrap();
    let sent = host.sent();
    assert!(sent.contains("secret_topic") && !sent.contains("notices"), "{sent}");
}

#[test]
fn without_a_card_and_a_topic_nobody_is_asked() {
    let host = FakeHost::new();
    let batch = ntfy().receive(&host, "AAAAAAAAAAAA", &[], 1_000).unwrap();
    assert_eq!((batch.events.len(), batch.cursor.as_str(), host.sent().as_str()), (0, "AAAAAAAAAAAA", ""));
    assert_eq!(host.slept(), 1_000);
}
