//! `receive`: what people write, the cursor, and waiting.

use std::time::{Duration, Instant};

use dmplz_conformance::{
    Bench, Doing, JIN, MINA, Platform, ROBOT, SOON, Trouble, blank, choice, every_provider, prompt, question, text,
    watch,
};
use dmplz_core::messenger::{Command, Event, MessageRef, OpenChat, ProviderError, Said, SentFile, Watch, Words};

every_provider! {
    a_text_says_who_wrote_what_and_when_in_the_chat,
    texts_come_in_their_order,
    a_text_before_the_prompt_can_be_told_from_one_after_it,
    a_text_is_not_read_twice,
    a_fresh_instance_goes_on_at_the_cursor,
    a_cursor_of_somebody_else_does_no_harm,
    an_answer_to_the_prompt_says_so,
    words_under_a_file_are_words_and_a_file_alone_has_none,
    a_file_that_somebody_sends_is_told_of_and_found,
    a_program_that_writes_is_called_one,
    a_program_that_writes_in_a_persons_name_is_called_one,
    texts_of_other_chats_are_left_out,
    what_the_bot_writes_is_no_text_of_a_person,
    a_text_that_is_withheld_comes_empty_or_not_at_all,
    doubled_and_reordered_texts_come_in_order,
    many_texts_all_come,
    a_long_text_comes_whole,
    an_idle_look_comes_back_in_time,
    a_press_ends_a_long_look_at_once,
}

/// Returns a chat in which a prompt waits for a text.
async fn prompted<P: Platform>(it: &Bench<P>) -> (OpenChat, MessageRef, [Watch; 1]) {
    let chat = it.group().await;
    let prompt = it.post(&chat, &prompt::<P>("Prompt")).await.unwrap();
    let watching = [watching::<P>(&prompt)];
    (chat, prompt, watching)
}

fn watching<P: Platform>(message: &MessageRef) -> Watch {
    watch(message, &prompt::<P>(""), true)
}

fn texts(said: &[Said]) -> Vec<&str> {
    said.iter().map(|said| said.text.as_str()).collect()
}

async fn a_text_says_who_wrote_what_and_when_in_the_chat<P: Platform>(it: &Bench<P>) {
    let (_, prompt, watching) = prompted(it).await;
    let written = it.write(&prompt, MINA, "use a branch, *please*").await;
    let (texts, _) = it.texts("", &watching, 1).await;
    let [said] = texts.as_slice() else { panic!("one text: {texts:?}") };
    let about = (!P::READS_CHAT).then(|| prompt.clone());
    assert_eq!((&said.message, said.text.as_str(), &said.reply_to), (&written, "use a branch, *please*", &about));
    assert_eq!(said.user, MINA.known::<P>());
    assert_eq!(said.message.sequence > prompt.sequence, P::READS_CHAT);
}

async fn texts_come_in_their_order<P: Platform>(it: &Bench<P>) {
    let (_, prompt, watching) = prompted(it).await;
    for (by, text) in [(JIN, "one"), (MINA, "two"), (JIN, "three")] {
        it.write(&prompt, by, text).await;
    }
    assert_eq!(texts(&it.texts("", &watching, 3).await.0), ["one", "two", "three"]);
}

async fn a_text_before_the_prompt_can_be_told_from_one_after_it<P: Platform>(it: &Bench<P>) {
    let chat = it.group().await;
    it.platform.say(&chat.id, JIN, "before");
    let prompt = it.post(&chat, &prompt::<P>("Prompt")).await.unwrap();
    it.write(&prompt, JIN, "after").await;
    let watching = [watching::<P>(&prompt)];
    let (mut all, mut cursor) = it.texts("", &watching, 1).await;
    while !all.iter().any(|said| said.text == "after") {
        let (more, next) = it.texts(&cursor, &watching, 1).await;
        (all, cursor) = ([all, more].concat(), next);
    }
    let after: Vec<_> = all.iter().filter(|said| said.message.sequence >= prompt.sequence).cloned().collect();
    assert_eq!(texts(&after), ["after"]);
    assert!(P::READS_CHAT || all.len() == 1, "what is written in the chat is not read: {all:?}");
}

async fn a_text_is_not_read_twice<P: Platform>(it: &Bench<P>) {
    let (_, prompt, watching) = prompted(it).await;
    it.write(&prompt, JIN, "first").await;
    let (_, cursor) = it.texts("", &watching, 1).await;
    it.write(&prompt, JIN, "second").await;
    assert_eq!(texts(&it.texts(&cursor, &watching, 1).await.0), ["second"]);
}

async fn a_fresh_instance_goes_on_at_the_cursor<P: Platform>(it: &Bench<P>) {
    let (_, prompt, watching) = prompted(it).await;
    it.write(&prompt, JIN, "first").await;
    let (_, cursor) = it.texts("", &watching, 1).await;
    it.write(&prompt, JIN, "second").await;
    let other = it.connect(it.account()).await.unwrap();
    let batch = other.receive(&cursor, &watching, Duration::from_secs(1), SOON).await.unwrap();
    let said = batch.events.iter().map(|event| match event {
        Event::Said(said) => Some(said.text.as_str()),
        Event::Chosen(press) => press.text.as_deref(),
    });
    assert_eq!(said.collect::<Vec<_>>(), [Some("second")]);
}

async fn a_cursor_of_somebody_else_does_no_harm<P: Platform>(it: &Bench<P>) {
    let (_, prompt, watching) = prompted(it).await;
    it.write(&prompt, JIN, "here").await;
    for cursor in ["x", ":", ",,", "1:2:3", "-", "\u{0}", "99999999999999999999999999", &"1:1,".repeat(256)] {
        let batch = it.receive(cursor, &watching).await.unwrap();
        assert!(batch.cursor.len() <= 1024, "{}", batch.cursor);
    }
}

async fn an_answer_to_the_prompt_says_so<P: Platform>(it: &Bench<P>) {
    let (_, prompt, watching) = prompted(it).await;
    it.reply(&prompt, JIN, "because").await;
    let (texts, _) = it.texts("", &watching, 1).await;
    assert_eq!(texts[0].text, "because");
    assert_eq!(texts[0].reply_to, Some(prompt));
}

async fn words_under_a_file_are_words_and_a_file_alone_has_none<P: Platform>(it: &Bench<P>) {
    let (chat, prompt, watching) = prompted(it).await;
    it.platform.attach(&chat.id, JIN, "");
    it.platform.attach(&chat.id, JIN, "see the file");
    it.write(&prompt, JIN, "done").await;
    let expected = match (P::READS_CHAT, P::FILES) {
        (true, true) => vec![("", 1), ("see the file", 1), ("done", 0)],
        (true, false) => vec![("see the file", 0), ("done", 0)],
        (false, _) => vec![("done", 0)],
    };
    let (said, _) = it.texts("", &watching, expected.len()).await;
    let said: Vec<_> = said.iter().map(|said| (said.text.as_str(), said.files.len())).collect();
    assert_eq!(said, expected);
}

async fn a_file_that_somebody_sends_is_told_of_and_found<P: Platform>(it: &Bench<P>) {
    let chat = it.group().await;
    assert_eq!(it.transport().files, P::FILES);
    if !P::FILES {
        return;
    }
    let words = |text: &str| Words { en: text.to_owned(), ko: text.to_owned() };
    let command = Command { name: "send".to_owned(), help: words("send it"), takes: Some(words("TEXT")), file: true };
    it.provider().set_commands(&chat, &[command], SOON).await.unwrap();
    let card = it.post(&chat, &text("T", "card")).await.unwrap();
    let begun = it.begun().await.to_owned();
    it.platform.send_file(&chat.id, JIN, "see the file");
    let (said, _) = it.texts(&begun, &[watch(&card, &blank(""), true)], 1).await;
    let [Said { text, files, .. }] = said.as_slice() else { panic!("one text: {said:?}") };
    let [file] = files.as_slice() else { panic!("one file: {files:?}") };
    assert!(text.ends_with("see the file"), "{text}");
    assert_eq!((file.name.as_str(), file.size), ("notes.txt", Some(5)));
    assert_eq!(it.provider().fetch(file, SOON).await.unwrap(), "notes");
    let gone = SentFile { id: it.platform.gone_file(), ..file.clone() };
    assert_eq!(it.provider().fetch(&gone, SOON).await, Err(ProviderError::NotFound));
}

async fn a_program_that_writes_is_called_one<P: Platform>(it: &Bench<P>) {
    let (_, prompt, watching) = prompted(it).await;
    it.write(&prompt, ROBOT, "build failed").await;
    it.write(&prompt, JIN, "oh").await;
    let (texts, _) = it.texts("", &watching, 1).await;
    for said in texts {
        assert_eq!(said.user.is_bot, said.user.id == ROBOT.id_on::<P>(), "{said:?}");
    }
}

async fn a_program_that_writes_in_a_persons_name_is_called_one<P: Platform>(it: &Bench<P>) {
    let (chat, _, watching) = prompted(it).await;
    if it.platform.automate(&chat.id, JIN, "deploy it") {
        let (texts, _) = it.texts("", &watching, 1).await;
        assert!(texts.iter().all(|said| said.text == "deploy it" && said.user.is_bot), "{texts:?}");
    }
}

async fn texts_of_other_chats_are_left_out<P: Platform>(it: &Bench<P>) {
    let (_, prompt, watching) = prompted(it).await;
    let other = it.group().await;
    let private = it.open(&it.platform.private(JIN)).await.unwrap();
    it.platform.say(&other.id, JIN, "elsewhere");
    it.platform.say(&private.id, JIN, "in private");
    it.write(&prompt, JIN, "here").await;
    assert_eq!(texts(&it.texts("", &watching, 1).await.0), ["here"]);
}

async fn what_the_bot_writes_is_no_text_of_a_person<P: Platform>(it: &Bench<P>) {
    let (chat, prompt, watching) = prompted(it).await;
    it.post(&chat, &question("Another")).await.unwrap();
    it.write(&prompt, JIN, "mine").await;
    let (texts, _) = it.texts("", &watching, 1).await;
    let people: Vec<_> = texts.iter().filter(|said| !said.user.is_bot).map(|said| said.text.as_str()).collect();
    assert_eq!(people, ["mine"]);
}

async fn a_text_that_is_withheld_comes_empty_or_not_at_all<P: Platform>(it: &Bench<P>) {
    let (chat, prompt, watching) = prompted(it).await;
    it.platform.withhold_texts(&chat.id);
    it.platform.say(&chat.id, JIN, "a reason");
    if P::TELLS_OF_WITHHELD_TEXTS {
        assert_eq!(texts(&it.texts("", &watching, 1).await.0), [""]);
        return;
    }
    // An answer to the bot is never withheld.
    it.reply(&prompt, JIN, "an answer").await;
    assert_eq!(texts(&it.texts("", &watching, 1).await.0), ["an answer"]);
}

async fn doubled_and_reordered_texts_come_in_order<P: Platform>(_: &Bench<P>) {
    for trouble in [Trouble::Doubled, Trouble::Reversed] {
        // Each time anew: a server may give only one event to who asks the same again at once.
        let it = Bench::<P>::start().await;
        let (_, prompt, watching) = prompted(&it).await;
        if !it.platform.fail(Doing::ReceiveTexts, trouble, 1) {
            continue;
        }
        let written = ["one", "two", "three"];
        for text in written {
            it.write(&prompt, JIN, text).await;
        }
        let (said, _) = it.texts("", &watching, 3).await;
        let mut said = texts(&said);
        said.dedup();
        assert_eq!(said, written);
        it.finish();
    }
}

async fn many_texts_all_come<P: Platform>(it: &Bench<P>) {
    let (_, prompt, watching) = prompted(it).await;
    let written: Vec<_> = (0..130).map(|number| format!("line {number}")).collect();
    for text in &written {
        it.write(&prompt, JIN, text).await;
    }
    let (said, _) = it.texts("", &watching, written.len()).await;
    assert_eq!(texts(&said), written);
}

async fn a_long_text_comes_whole<P: Platform>(it: &Bench<P>) {
    let (_, prompt, watching) = prompted(it).await;
    // As long as a form takes, too.
    let long = "가😀".repeat(P::LONGEST.min(P::FORM) / 3);
    it.write(&prompt, JIN, &long).await;
    assert_eq!(it.texts("", &watching, 1).await.0[0].text, long);
}

async fn an_idle_look_comes_back_in_time<P: Platform>(it: &Bench<P>) {
    let (_, _, watching) = prompted(it).await;
    let waits = it.transport().poll_interval == 0;
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
    let watching = [watch(&message, &card, false)];
    let press = async {
        it.platform.wire().await_call(SOON, |call| call.name == P::request(Doing::Receive)).await.unwrap();
        it.platform.heard().await;
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
            tokio::time::sleep(Duration::from_millis(it.transport().poll_interval.into()) / 10).await;
        }
    };
    let (pressed, seen) = tokio::join!(press, look);
    assert!(seen.saturating_duration_since(pressed) < Duration::from_secs(2));
}
