//! `diagnose`.

use dmplz_conformance::{Bench, JIN, Platform, choice, every_provider, question, watch};
use dmplz_core::messenger::{Chat, Diagnosis, Subject};

every_provider! {
    a_group_where_all_is_well,
    a_private_chat_where_all_is_well,
    a_chat_that_is_not_there_is_a_failed_check,
    what_is_missing_is_found_and_nothing_else,
    a_diagnosis_posts_and_changes_nothing,
    a_malformed_chat_is_a_bad_setting,
}

fn failed(diagnosis: &Diagnosis) -> Vec<Subject> {
    diagnosis.checks.iter().filter(|check| !check.ok).map(|check| check.subject).collect()
}

async fn a_group_where_all_is_well<P: Platform>(it: &Bench<P>) {
    let found = it.diagnose(&it.platform.group()).await.unwrap();
    assert_eq!(failed(&found), [], "{found:?}");
    assert!(!found.bot_id.is_empty() && !found.bot_name.is_empty(), "{found:?}");
    assert!(found.checks.iter().all(|check| !check.detail.is_empty()), "{found:?}");
    let is_checked = |subject| found.checks.iter().any(|check| check.subject == subject);
    for subject in [Subject::Chat, Subject::Post, Subject::Attach] {
        assert!(is_checked(subject), "{subject:?} is not checked");
    }
    assert_eq!(is_checked(Subject::Read), P::READS_CHAT, "what is not read needs no right to be");
}

async fn a_private_chat_where_all_is_well<P: Platform>(it: &Bench<P>) {
    let found = it.diagnose(&it.platform.private(JIN)).await.unwrap();
    assert_eq!(failed(&found), [], "{found:?}");
    assert!(found.checks.iter().any(|check| check.subject == Subject::Chat));
}

async fn a_chat_that_is_not_there_is_a_failed_check<P: Platform>(it: &Bench<P>) {
    let found = it.diagnose(&it.platform.nowhere()).await.unwrap();
    assert_eq!(failed(&found), [Subject::Chat], "{found:?}");
}

async fn what_is_missing_is_found_and_nothing_else<P: Platform>(it: &Bench<P>) {
    for what in P::AILMENTS {
        let it = Bench::<P>::start().await;
        let Chat::Room(id) = it.platform.group() else { panic!("a group is a room") };
        it.platform.ail(&id, *what);
        let found = it.diagnose(&Chat::Room(id)).await.unwrap();
        assert_eq!(failed(&found), [*what], "{found:?}");
        it.finish();
    }
    assert!(it.platform.wire().calls().is_empty());
}

async fn a_diagnosis_posts_and_changes_nothing<P: Platform>(it: &Bench<P>) {
    let chat = it.group().await;
    let message = it.post(&chat, &question("Untouched")).await.unwrap();
    it.press(&message, &choice("deny"), JIN).await;
    it.diagnose(&Chat::Room(chat.id.clone())).await.unwrap();
    assert_eq!(it.platform.shown(&chat.id).iter().filter(|shown| shown.by_bot).count(), 1);
    let presses = it.presses(&[watch(&message, &question("Untouched"), false)], 1).await;
    assert_eq!(presses[0].choice, "deny", "it takes no events away");
}

async fn a_malformed_chat_is_a_bad_setting<P: Platform>(it: &Bench<P>) {
    let refused = it.diagnose(&Chat::Room("nowhere at all".to_owned())).await;
    assert!(matches!(refused, Err(dmplz_core::messenger::ProviderError::BadSetting(..))), "{refused:?}");
}
