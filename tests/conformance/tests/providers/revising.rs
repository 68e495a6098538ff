//! `revise`.

use dmplz_conformance::{Bench, Doing, JIN, Platform, blank, card, choice, code, every_provider, file, question, text};
use dmplz_core::messenger::{Block, Card, MessageRef, ProviderError};

every_provider! {
    a_card_in_its_final_state_has_nothing_to_press,
    a_final_card_stays_final_when_people_had_reacted,
    the_same_card_twice_is_no_error,
    choices_can_change,
    a_message_that_somebody_deleted_is_not_found,
    a_message_that_never_was_is_not_found,
    files_are_not_sent_again,
    a_fresh_instance_can_revise_what_another_posted,
    a_card_in_a_private_chat_ends_too,
}

async fn a_card_in_its_final_state_has_nothing_to_press<P: Platform>(it: &Bench<P>) {
    let chat = it.group().await;
    let message = it.post(&chat, &question("Final")).await.unwrap();
    let body = vec![Block::Code("rm -rf *".to_owned()), Block::Text("미나 🦊 · *now*".to_owned())];
    it.revise(&message, &Card { title: "❌ Denied: Bash".to_owned(), body, ..blank("Final") }).await.unwrap();
    let shown = it.shown(&message);
    assert_eq!(shown.text, "❌ Denied: Bash\nrm -rf *\n미나 🦊 · *now*");
    assert_eq!((shown.bold, shown.code), (vec!["❌ Denied: Bash".to_owned()], code::<P>(&["rm -rf *"])));
    assert_eq!((shown.choices, shown.markup), Default::default());
}

async fn a_final_card_stays_final_when_people_had_reacted<P: Platform>(it: &Bench<P>) {
    let chat = it.group().await;
    let message = it.post(&chat, &question("Pressed")).await.unwrap();
    it.press(&message, &choice("deny"), JIN).await;
    it.revise(&message, &card("Pressed")).await.unwrap();
    assert_eq!(it.shown(&message).choices, Vec::<String>::new());
}

async fn the_same_card_twice_is_no_error<P: Platform>(it: &Bench<P>) {
    let chat = it.group().await;
    let message = it.post(&chat, &question("Same")).await.unwrap();
    it.revise(&message, &question("Same")).await.unwrap();
    assert_eq!(it.shown(&message).choices.len(), 3);
    it.revise(&message, &card("Same")).await.unwrap();
    it.revise(&message, &card("Same")).await.unwrap();
    assert_eq!((it.shown(&message).text.as_str(), it.shown(&message).choices.len()), ("May I?\nrm -rf ./target", 0));
}

async fn choices_can_change<P: Platform>(it: &Bench<P>) {
    let chat = it.group().await;
    let message = it.post(&chat, &question("Change")).await.unwrap();
    it.revise(&message, &Card { choices: vec![choice("deny")], ..card("Change") }).await.unwrap();
    assert_eq!(it.shown(&message).choices, [P::face(&choice("deny"))]);
    it.revise(&message, &Card { choices: vec![choice("deny"), choice("approve")], ..card("Change") }).await.unwrap();
    assert_eq!(it.shown(&message).choices, [P::face(&choice("deny")), P::face(&choice("approve"))]);
}

async fn a_message_that_somebody_deleted_is_not_found<P: Platform>(it: &Bench<P>) {
    let chat = it.group().await;
    let message = it.post(&chat, &question("Deleted")).await.unwrap();
    it.platform.delete(&message);
    assert_eq!(it.revise(&message, &card("Deleted")).await, Err(ProviderError::NotFound));
    assert_eq!(it.platform.shown(&chat.id), []);
}

async fn a_message_that_never_was_is_not_found<P: Platform>(it: &Bench<P>) {
    let chat = it.group().await;
    for id in ["424242", "not-an-id", "1/../2"] {
        let message = MessageRef { chat: chat.id.clone(), id: id.to_owned(), sequence: 424_242 };
        let refused = it.revise(&message, &card("Never")).await;
        let known = matches!(refused, Err(ProviderError::NotFound | ProviderError::Rejected(_)));
        assert!(known && (id != "424242" || refused == Err(ProviderError::NotFound)), "{id}: {refused:?}");
    }
}

async fn files_are_not_sent_again<P: Platform>(it: &Bench<P>) {
    let chat = it.group().await;
    let with_file = |tag: &str| Card { body: vec![Block::Text("see".to_owned()), file("a.txt", 10)], ..question(tag) };
    let message = it.post(&chat, &with_file("Kept")).await.unwrap();
    let sent = it.platform.wire().calls().len();
    let final_state = Card { choices: Vec::new(), title: "✅".to_owned(), ..with_file("Kept") };
    it.revise(&message, &final_state).await.unwrap();
    let calls = it.platform.wire().calls();
    assert!(calls[sent..].iter().any(|call| call.name == P::request(Doing::Revise)));
    assert_eq!(it.platform.shown(&chat.id).iter().map(|shown| shown.files.len()).sum::<usize>(), 1);
    assert_eq!(it.shown(&message).text, "✅\nsee");
}

async fn a_fresh_instance_can_revise_what_another_posted<P: Platform>(it: &Bench<P>) {
    let chat = it.group().await;
    let message = it.post(&chat, &question("Orphan")).await.unwrap();
    let other = it.connect(it.account()).await.unwrap();
    other.revise(&message, &text("Orphan", "⚠️ Interrupted"), dmplz_conformance::SOON).await.unwrap();
    let shown = it.shown(&message);
    assert_eq!((shown.text.as_str(), shown.choices.len()), ("⚠️ Interrupted", 0));
}

async fn a_card_in_a_private_chat_ends_too<P: Platform>(it: &Bench<P>) {
    let chat = it.open(&it.platform.private(JIN)).await.unwrap();
    let message = it.post(&chat, &question("Private")).await.unwrap();
    it.press(&message, &choice("approve"), JIN).await;
    it.revise(&message, &card("Private")).await.unwrap();
    assert_eq!(it.shown(&message).choices, Vec::<String>::new());
}
