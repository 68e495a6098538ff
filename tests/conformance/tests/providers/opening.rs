//! `open`.

use dmplz_conformance::{Bench, JIN, Platform, every_provider, text};
use dmplz_core::messenger::{Chat, ProviderError};

every_provider! {
    a_group_has_no_owner_and_needs_no_network,
    a_private_chat_belongs_to_its_person,
    a_malformed_id_is_a_bad_setting,
    a_blank_around_an_id_is_forgiven,
    a_person_can_be_written_to_again_and_again,
}

async fn a_group_has_no_owner_and_needs_no_network<P: Platform>(it: &Bench<P>) {
    let Chat::Room(id) = it.platform.group() else { panic!("a group is a room") };
    let open = it.open(&Chat::Room(id.clone())).await.unwrap();
    assert_eq!((open.id, open.owner), (id, None));
    assert_eq!(it.platform.wire().calls().len(), 0);
}

async fn a_private_chat_belongs_to_its_person<P: Platform>(it: &Bench<P>) {
    let open = it.open(&it.platform.private(JIN)).await.unwrap();
    // Where nobody is identified, a chat is nobody's.
    assert_eq!(open.owner, P::IDENTIFIES.then(|| JIN.id_on::<P>()));
}

async fn a_malformed_id_is_a_bad_setting<P: Platform>(it: &Bench<P>) {
    for nonsense in P::MALFORMED {
        for chat in [Chat::Room((*nonsense).to_owned()), Chat::Person((*nonsense).to_owned())] {
            let refused = it.open(&chat).await;
            assert!(matches!(&refused, Err(ProviderError::BadSetting(..))), "{chat:?}: {refused:?}");
        }
    }
    assert_eq!(it.platform.wire().calls().len(), 0);
}

async fn a_blank_around_an_id_is_forgiven<P: Platform>(it: &Bench<P>) {
    let Chat::Room(id) = it.platform.group() else { panic!("a group is a room") };
    assert_eq!(it.open(&Chat::Room(format!(" {id}\n"))).await.unwrap().id, id);
}

async fn a_person_can_be_written_to_again_and_again<P: Platform>(it: &Bench<P>) {
    let chat = it.platform.private(JIN);
    let (first, second) = (it.open(&chat).await.unwrap(), it.open(&chat).await.unwrap());
    assert_eq!(first, second);
    let message = it.post(&second, &text("Hello", "hello")).await.unwrap();
    assert_eq!(message.chat, first.id);
    assert_eq!(it.shown(&message).text, "hello");
}
