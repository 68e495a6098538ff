//! `open-thread`, `set-thread`, `set-commands` and `draft`.

use dmplz_conformance::{Bench, JIN, MINA, Platform, SOON, blank, choice, every_provider, question, text, watch};
use dmplz_core::messenger::{Command, OpenChat, ProviderError, Words};

every_provider! {
    a_thread_is_opened_and_named_and_closed_and_opened_again,
    a_card_in_a_thread_is_a_message_of_the_thread,
    a_text_in_a_thread_says_so_and_is_no_reply,
    a_thread_that_was_deleted_is_not_found,
    a_private_chat_without_threads_says_so,
    commands_are_seen_in_either_language_and_replaced,
    a_command_that_is_used_comes_as_a_text,
    a_draft_is_seen_as_it_is_and_is_no_message,
}

/// Returns a group that has threads, and a thread in it; `None` if the transport has none, which it then says.
async fn opened<P: Platform>(it: &Bench<P>, name: &str) -> Option<(OpenChat, OpenChat)> {
    let chat = it.open(&it.platform.threaded()).await.unwrap();
    let thread = it.provider().open_thread(&chat, name, SOON).await.unwrap();
    assert_eq!(thread.is_some(), P::THREADS, "{thread:?}");
    let thread = thread?;
    assert!(thread.id != chat.id && thread.owner == chat.owner, "{thread:?}");
    Some((chat, thread))
}

async fn a_thread_is_opened_and_named_and_closed_and_opened_again<P: Platform>(it: &Bench<P>) {
    let Some((chat, thread)) = opened(it, "site · *fix* the test <b>").await else { return };
    assert_eq!(it.platform.threads(&chat.id), [("site · *fix* the test <b>".to_owned(), false)]);
    for (name, closed) in [("a new name", false), ("another", true), ("another", true), ("open again", false)] {
        it.provider().set_thread(&thread, name, closed, SOON).await.unwrap();
        assert_eq!(it.platform.threads(&chat.id), [(name.to_owned(), closed)]);
    }
    let long = "가".repeat(100);
    assert!(it.provider().open_thread(&chat, &long, SOON).await.unwrap().is_some_and(|other| other.id != thread.id));
    assert!(it.platform.threads(&chat.id).contains(&(long, false)));
}

async fn a_card_in_a_thread_is_a_message_of_the_thread<P: Platform>(it: &Bench<P>) {
    let Some((_, thread)) = opened(it, "thread").await else { return };
    let card = it.post(&thread, &question("T")).await.unwrap();
    assert_eq!(card.chat, thread.id);
    it.press(&card, &choice("deny"), MINA).await;
    let presses = it.presses(&[watch(&card, &question("T"), false)], 1).await;
    assert!(presses[0].message.is_same(&card) && presses[0].choice == "deny", "{presses:?}");
    // A session that ends closes its thread, and its last card may end after that.
    it.provider().set_thread(&thread, "thread", true, SOON).await.unwrap();
    it.revise(&card, &text("T", "over")).await.unwrap();
    let shown = it.platform.shown(&thread.id);
    assert!(shown.iter().any(|it| it.id == card.id && it.text.contains("over") && it.choices.is_empty()), "{shown:?}");
}

async fn a_text_in_a_thread_says_so_and_is_no_reply<P: Platform>(it: &Bench<P>) {
    if !P::READS_CHAT {
        return;
    }
    let Some((chat, thread)) = opened(it, "thread").await else { return };
    let home = it.post(&chat, &text("H", "home")).await.unwrap();
    let card = it.post(&thread, &text("T", "card")).await.unwrap();
    let watching = [watch(&home, &blank(""), true), watch(&card, &blank(""), true)];
    it.platform.say(&thread.id, JIN, "inside");
    it.platform.say(&chat.id, JIN, "outside");
    it.platform.reply(&card, JIN, "a reply");
    let (mut texts, _) = it.texts("", &watching, 3).await;
    texts.sort_by_key(|said| said.message.sequence);
    let seen: Vec<_> =
        texts.iter().map(|it| (it.text.as_str(), it.message.chat.as_str(), it.reply_to.as_ref())).collect();
    assert_eq!(seen.len(), 3, "{seen:?}");
    assert_eq!(seen[..2], [("inside", thread.id.as_str(), None), ("outside", chat.id.as_str(), None)]);
    assert!(seen[2].1 == thread.id && seen[2].2.is_some_and(|to| to.is_same(&card)), "{seen:?}");
}

async fn a_thread_that_was_deleted_is_not_found<P: Platform>(it: &Bench<P>) {
    let Some((chat, thread)) = opened(it, "thread").await else { return };
    it.platform.delete_thread(&thread.id);
    assert_eq!(it.post(&thread, &text("T", "card")).await, Err(ProviderError::NotFound));
    assert_eq!(it.provider().set_thread(&thread, "x", true, SOON).await, Err(ProviderError::NotFound));
    it.post(&chat, &text("C", "the chat is there")).await.unwrap();
}

async fn a_private_chat_without_threads_says_so<P: Platform>(it: &Bench<P>) {
    let chat = it.open(&it.platform.private(JIN)).await.unwrap();
    assert_eq!(it.provider().open_thread(&chat, "thread", SOON).await, Ok(None));
    it.post(&chat, &text("T", "card")).await.unwrap();
}

fn command(name: &str, takes: bool) -> Command {
    let words = |en: &str, ko: &str| Words { en: en.to_owned(), ko: ko.to_owned() };
    let takes = takes.then(|| words("FOLDER", "폴더"));
    let help = words(&format!("{name} it"), &format!("{name} 하기"));
    Command { name: name.to_owned(), help, takes, file: false }
}

async fn commands_are_seen_in_either_language_and_replaced<P: Platform>(it: &Bench<P>) {
    let chat = it.group().await;
    it.provider().set_commands(&chat, &[command("new", true), command("help", false)], SOON).await.unwrap();
    if !P::COMMANDS {
        return;
    }
    for (korean, help) in [(false, "help it"), (true, "help 하기")] {
        let seen = it.platform.commands(&chat.id, korean);
        assert!(seen.len() == 2 && seen.contains(&("help".to_owned(), help.to_owned())), "{seen:?}");
    }
    it.provider().set_commands(&chat, &[command("stop", false)], SOON).await.unwrap();
    assert_eq!(it.platform.commands(&chat.id, false), [("stop".to_owned(), "stop it".to_owned())]);
    it.provider().set_commands(&chat, &[], SOON).await.unwrap();
    assert_eq!(it.platform.commands(&chat.id, true), []);
}

async fn a_command_that_is_used_comes_as_a_text<P: Platform>(it: &Bench<P>) {
    if !P::COMMANDS {
        return;
    }
    let Some((chat, thread)) = opened(it, "thread").await else { return };
    it.provider().set_commands(&chat, &[command("new", true)], SOON).await.unwrap();
    let card = it.post(&thread, &text("T", "card")).await.unwrap();
    let watching = [watch(&card, &blank(""), true)];
    let begun = it.begun().await.to_owned();
    it.platform.command(&thread.id, MINA, "new", "site fix *it*");
    let (texts, _) = it.texts(&begun, &watching, 1).await;
    let [said] = texts.as_slice() else { panic!("one text: {texts:?}") };
    assert_eq!((said.text.as_str(), said.message.chat.as_str()), ("/new site fix *it*", thread.id.as_str()));
    assert_eq!((said.user.clone(), &said.reply_to), (MINA.known::<P>(), &None));
}

async fn a_draft_is_seen_as_it_is_and_is_no_message<P: Platform>(it: &Bench<P>) {
    let chat = it.open(&it.platform.private(JIN)).await.unwrap();
    let before = it.platform.shown(&chat.id);
    let texts = ["The test expects *two*", "The test expects *two* <b>decimals</b>\n@everyone 🙂"];
    for text in texts {
        it.provider().draft(&chat, 7, text, SOON).await.unwrap();
    }
    let seen = it.platform.drafts(&chat.id);
    assert_eq!(seen, if it.transport().drafts { texts.as_slice() } else { &[] });
    assert_eq!(it.platform.shown(&chat.id), before);
}
