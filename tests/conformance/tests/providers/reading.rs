//! `receive`: what people write, the cursor, and waiting.

use std::time::{Duration, Instant};

use dmplz_conformance::{
    Bench, Doing, JIN, MINA, Platform, ROBOT, SOON, choice, every_provider, question, text, watch,
};
use dmplz_core::messenger::{Card, Event, MessageRef, OpenChat, Watch};
use dmplz_fakes::{Fault, On};

every_provider! {
    a_text_says_who_wrote_what_and_when_in_the_chat,
    texts_come_in_their_order,
    a_text_before_the_prompt_can_be_told_from_one_after_it,
    a_text_is_not_read_twice,
    a_fresh_instance_goes_on_at_the_cursor,
    a_cursor_of_somebody_else_does_no_harm,
    an_answer_to_the_prompt_says_so,
    words_under_a_file_are_words_and_a_file_alone_is_none,
    a_program_that_writes_is_called_one,
    texts_of_other_chats_are_left_out,
    what_the_bot_writes_is_no_text_of_a_person,
    a_text_that_is_withheld_comes_empty_or_not_at_all,
    doubled_and_reordered_texts_come_in_order,
    many_texts_all_come,
    a_long_text_comes_whole,
    an_idle_look_comes_back_in_time,
    a_press_ends_a_long_look_at_once,
}

/// A chat in which a prompt waits for words.
async fn prompted<P: Platform>(it: &Bench<P>) -> (OpenChat, MessageRef, [Watch; 1]) {
    let chat = it.group().await;
    let prompt = it.post(&chat, &Card { wants_text: true, ..text("Prompt", "why?") }).await.unwrap();
    let watching = [watch(&prompt, &[], true)];
    (chat, prompt, watching)
}

async fn a_text_says_who_wrote_what_and_when_in_the_chat<P: Platform>(it: &Bench<P>) {
    let (chat, prompt, watching) = prompted(it).await;
    let written = it.platform.say(&chat.id, MINA, "use a branch, *please*");
    let (texts, _) = it.texts("", &watching, 1).await;
    let [said] = texts.as_slice() else { panic!("one text: {texts:?}") };
    assert_eq!((&said.message, said.text.as_str(), &said.reply_to), (&written, "use a branch, *please*", &None));
    let user = (said.user.id.clone(), said.user.name.as_str(), said.user.is_bot);
    assert_eq!(user, (MINA.id.to_string(), MINA.name, false));
    assert!(said.message.sequence > prompt.sequence);
}

async fn texts_come_in_their_order<P: Platform>(it: &Bench<P>) {
    let (chat, _, watching) = prompted(it).await;
    for (by, text) in [(JIN, "one"), (MINA, "two"), (JIN, "three")] {
        it.platform.say(&chat.id, by, text);
    }
    let (texts, _) = it.texts("", &watching, 3).await;
    assert_eq!(texts.iter().map(|said| said.text.as_str()).collect::<Vec<_>>(), ["one", "two", "three"]);
}

async fn a_text_before_the_prompt_can_be_told_from_one_after_it<P: Platform>(it: &Bench<P>) {
    let chat = it.group().await;
    it.platform.say(&chat.id, JIN, "before");
    let prompt = it.post(&chat, &text("Prompt", "why?")).await.unwrap();
    it.platform.say(&chat.id, JIN, "after");
    let watching = [watch(&prompt, &[], true)];
    let (texts, mut cursor) = it.texts("", &watching, 1).await;
    let mut all = texts;
    while !all.iter().any(|said| said.text == "after") {
        let (more, next) = it.texts(&cursor, &watching, 1).await;
        (all, cursor) = ([all, more].concat(), next);
    }
    let after: Vec<_> = all.iter().filter(|said| said.message.sequence > prompt.sequence).collect();
    assert_eq!(after.iter().map(|said| said.text.as_str()).collect::<Vec<_>>(), ["after"]);
}

async fn a_text_is_not_read_twice<P: Platform>(it: &Bench<P>) {
    let (chat, _, watching) = prompted(it).await;
    it.platform.say(&chat.id, JIN, "first");
    let (_, cursor) = it.texts("", &watching, 1).await;
    it.platform.say(&chat.id, JIN, "second");
    let (texts, _) = it.texts(&cursor, &watching, 1).await;
    assert_eq!(texts.iter().map(|said| said.text.as_str()).collect::<Vec<_>>(), ["second"]);
}

async fn a_fresh_instance_goes_on_at_the_cursor<P: Platform>(it: &Bench<P>) {
    let (chat, _, watching) = prompted(it).await;
    it.platform.say(&chat.id, JIN, "first");
    let (_, cursor) = it.texts("", &watching, 1).await;
    it.platform.say(&chat.id, JIN, "second");
    let other = it.connect(it.account()).await.unwrap();
    let batch = other.receive(&cursor, &watching, Duration::from_secs(1), SOON).await.unwrap();
    let [Event::Said(said)] = batch.events.as_slice() else { panic!("one text: {batch:?}") };
    assert_eq!(said.text, "second");
}

async fn a_cursor_of_somebody_else_does_no_harm<P: Platform>(it: &Bench<P>) {
    let (chat, _, watching) = prompted(it).await;
    it.platform.say(&chat.id, JIN, "here");
    for cursor in ["x", ":", ",,", "1:2:3", "-", "\u{0}", "99999999999999999999999999", &"1:1,".repeat(256)] {
        let batch = it.receive(cursor, &watching).await.unwrap();
        assert!(batch.cursor.len() <= 1024, "{}", batch.cursor);
    }
}

async fn an_answer_to_the_prompt_says_so<P: Platform>(it: &Bench<P>) {
    let (_, prompt, watching) = prompted(it).await;
    it.platform.reply(&prompt, JIN, "because");
    let (texts, _) = it.texts("", &watching, 1).await;
    assert_eq!(texts[0].text, "because");
    assert_eq!(texts[0].reply_to, Some(prompt));
}

async fn words_under_a_file_are_words_and_a_file_alone_is_none<P: Platform>(it: &Bench<P>) {
    let (chat, _, watching) = prompted(it).await;
    it.platform.attach(&chat.id, JIN, "");
    it.platform.attach(&chat.id, JIN, "see the file");
    let (texts, _) = it.texts("", &watching, 1).await;
    assert_eq!(texts.iter().map(|said| said.text.as_str()).collect::<Vec<_>>(), ["see the file"]);
}

async fn a_program_that_writes_is_called_one<P: Platform>(it: &Bench<P>) {
    let (chat, _, watching) = prompted(it).await;
    it.platform.say(&chat.id, ROBOT, "build failed");
    it.platform.say(&chat.id, JIN, "oh");
    let (texts, _) = it.texts("", &watching, 1).await;
    for said in texts {
        assert_eq!(said.user.is_bot, said.user.id == ROBOT.id.to_string(), "{said:?}");
    }
}

async fn texts_of_other_chats_are_left_out<P: Platform>(it: &Bench<P>) {
    let (chat, _, watching) = prompted(it).await;
    let other = it.group().await;
    let private = it.open(&it.platform.private(JIN)).await.unwrap();
    it.platform.say(&other.id, JIN, "elsewhere");
    it.platform.say(&private.id, JIN, "in private");
    it.platform.say(&chat.id, JIN, "here");
    let (texts, _) = it.texts("", &watching, 1).await;
    assert_eq!(texts.iter().map(|said| said.text.as_str()).collect::<Vec<_>>(), ["here"]);
}

async fn what_the_bot_writes_is_no_text_of_a_person<P: Platform>(it: &Bench<P>) {
    let (chat, _, watching) = prompted(it).await;
    it.post(&chat, &question("Another")).await.unwrap();
    it.platform.say(&chat.id, JIN, "mine");
    let (texts, _) = it.texts("", &watching, 1).await;
    let people: Vec<_> = texts.iter().filter(|said| !said.user.is_bot).map(|said| said.text.as_str()).collect();
    assert_eq!(people, ["mine"]);
}

async fn a_text_that_is_withheld_comes_empty_or_not_at_all<P: Platform>(it: &Bench<P>) {
    let (chat, prompt, watching) = prompted(it).await;
    it.platform.withhold_texts(&chat.id);
    it.platform.say(&chat.id, JIN, "a reason");
    if P::TELLS_OF_WITHHELD_TEXTS {
        let (texts, _) = it.texts("", &watching, 1).await;
        assert_eq!(texts.iter().map(|said| said.text.as_str()).collect::<Vec<_>>(), [""]);
        return;
    }
    // An answer to the bot is never withheld.
    it.platform.reply(&prompt, JIN, "an answer");
    let (texts, _) = it.texts("", &watching, 1).await;
    assert_eq!(texts.iter().map(|said| said.text.as_str()).collect::<Vec<_>>(), ["an answer"]);
}

async fn doubled_and_reordered_texts_come_in_order<P: Platform>(_: &Bench<P>) {
    for fault in [Fault::Doubled, Fault::Reversed] {
        // Each time anew: a server may give only one event to who asks the same again at once.
        let it = Bench::<P>::start().await;
        let (chat, _, watching) = prompted(&it).await;
        let texts = ["one", "two", "three"];
        texts.iter().for_each(|text| drop(it.platform.say(&chat.id, JIN, text)));
        it.platform.wire().fail(On::call(P::request(Doing::ReceiveTexts)), fault);
        let (said, _) = it.texts("", &watching, 3).await;
        let mut said: Vec<_> = said.into_iter().map(|said| said.text).collect();
        said.dedup();
        assert_eq!(said, texts);
        it.finish();
    }
}

async fn many_texts_all_come<P: Platform>(it: &Bench<P>) {
    let (chat, _, watching) = prompted(it).await;
    let texts: Vec<_> = (0..130).map(|number| format!("line {number}")).collect();
    for text in &texts {
        it.platform.say(&chat.id, JIN, text);
    }
    let (said, _) = it.texts("", &watching, texts.len()).await;
    assert_eq!(said.into_iter().map(|said| said.text).collect::<Vec<_>>(), texts);
}

async fn a_long_text_comes_whole<P: Platform>(it: &Bench<P>) {
    let (chat, _, watching) = prompted(it).await;
    let long = "가😀".repeat(P::LONGEST / 3);
    it.platform.say(&chat.id, JIN, &long);
    assert_eq!(it.texts("", &watching, 1).await.0[0].text, long);
}

async fn an_idle_look_comes_back_in_time<P: Platform>(it: &Bench<P>) {
    let (_, _, watching) = prompted(it).await;
    let waits = it.way().poll_interval == 0;
    for wait in [Duration::ZERO, Duration::from_millis(300), Duration::from_secs(1)] {
        let before = Instant::now();
        // Another cursor each time: a server may hold back who asks the same again at once.
        let batch = it.provider().receive("", &watching, wait, SOON).await.unwrap();
        assert_eq!(batch.events, []);
        let took = before.elapsed();
        if waits {
            assert!(took >= wait.mul_f32(0.9), "{took:?} for {wait:?}");
        } else {
            assert!(took < Duration::from_secs(3), "{took:?} for {wait:?}");
        }
        assert!(took < wait + Duration::from_secs(4), "{took:?} for {wait:?}");
    }
}

async fn a_press_ends_a_long_look_at_once<P: Platform>(it: &Bench<P>) {
    let chat = it.group().await;
    let card = question("Press");
    let message = it.post(&chat, &card).await.unwrap();
    let watching = [watch(&message, &card.choices, false)];
    let press = async {
        it.platform.wire().await_call(SOON, |call| call.name == P::request(Doing::Receive)).await.unwrap();
        it.platform.press(&message, &choice("deny"), JIN);
        Instant::now()
    };
    let look = async {
        let mut cursor = String::new();
        loop {
            let batch = it.provider().receive(&cursor, &watching, Duration::from_secs(5), SOON).await.unwrap();
            cursor = batch.cursor;
            if let Some(Event::Chosen(press)) = batch.events.first() {
                assert_eq!(press.choice, "deny");
                return Instant::now();
            }
            tokio::time::sleep(Duration::from_millis(it.way().poll_interval.into()) / 10).await;
        }
    };
    let (pressed, seen) = tokio::join!(press, look);
    assert!(seen.saturating_duration_since(pressed) < Duration::from_secs(2));
}
