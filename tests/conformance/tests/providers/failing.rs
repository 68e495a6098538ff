//! Failures of the platform become the errors of the contract, and the next call works.

use std::cell::Cell;
use std::time::Duration;

use dmplz_conformance::{
    Bench, Doing, JIN, MINA, Platform, Trouble, blank, card, choice, every_provider, file, question, text, watch,
};
use dmplz_core::messenger::{Card, Chat, Chosen, Event, MessageRef, OpenChat, ProviderError, Watch};
use dmplz_fakes::{Fault, On};

every_provider! {
    every_failure_of_every_call_has_its_error,
    the_network_is_no_reason_to_break,
    a_failed_call_does_not_hurt_the_next_one,
    a_press_is_told_whatever_happens_to_the_look,
    a_card_that_failed_half_way_can_be_posted_again,
    a_wait_that_the_messenger_names_arrives_to_the_millisecond,
    a_token_that_was_revoked_is_told,
    a_chat_that_is_not_there_is_not_found,
    a_token_that_the_server_echoes_reaches_nobody,
}

/// A card with a press on it, so that every call has something to do.
pub(crate) struct Scene {
    pub(crate) chat: OpenChat,
    message: MessageRef,
    press: Chosen,
    posts: Cell<u32>,
}

impl Scene {
    pub(crate) async fn of<P: Platform>(it: &Bench<P>) -> Self {
        let chat = it.group().await;
        let message = it.post(&chat, &question("Scene")).await.unwrap();
        it.press(&message, &choice("deny"), JIN).await;
        let press = it.presses(&[watch(&message, &question("Scene"), false)], 1).await.remove(0);
        Self { chat, message, press, posts: Cell::new(0) }
    }

    pub(crate) async fn call<P: Platform>(
        &self,
        it: &Bench<P>,
        doing: Doing,
        within: Duration,
    ) -> Result<(), ProviderError> {
        let watching = |card: &Card, text| -> [Watch; 1] { [watch(&self.message, card, text)] };
        let wait = within / 4;
        let provider = it.provider();
        match doing {
            Doing::Post => {
                // Each attempt uses a new card, because one that failed may have been posted nevertheless.
                self.posts.set(self.posts.get() + 1);
                let card = text(&format!("Next{}", self.posts.get()), "next");
                provider.post(&self.chat, &card, within).await.map(drop)
            }
            Doing::Revise => provider.revise(&self.message, &card("Scene"), within).await,
            Doing::Receive => {
                let watching = watching(&question("Scene"), false);
                provider.receive("", &watching, wait, within).await.map(drop)
            }
            Doing::ReceiveTexts => provider.receive("", &watching(&blank(""), true), wait, within).await.map(drop),
            Doing::Acknowledge => provider.acknowledge(&self.press, Some("noted"), within).await,
            Doing::Diagnose => provider.diagnose(&Chat::Room(self.chat.id.clone()), within).await.map(drop),
        }
    }
}

pub(crate) const DOINGS: [Doing; 6] =
    [Doing::Post, Doing::Revise, Doing::Receive, Doing::ReceiveTexts, Doing::Acknowledge, Doing::Diagnose];
const WITHIN: Duration = Duration::from_secs(5);

fn is_expected(error: &ProviderError, trouble: Trouble) -> bool {
    match trouble {
        Trouble::Unauthorized => *error == ProviderError::Unauthorized,
        Trouble::Forbidden => matches!(error, ProviderError::Denied(Some(said)) if !said.is_empty()),
        Trouble::NoChat => *error == ProviderError::NotFound,
        Trouble::RateLimited => *error == ProviderError::RateLimited(Some(2000)),
        Trouble::Conflict => matches!(error, ProviderError::Conflict(Some(_))),
        Trouble::Malformed => matches!(error, ProviderError::Rejected(Some(_))),
        Trouble::Hangs => *error == ProviderError::Deadline,
        _ => matches!(error, ProviderError::Unavailable(Some(_))),
    }
}

async fn every_failure_of_every_call_has_its_error<P: Platform>(it: &Bench<P>) {
    for doing in DOINGS {
        let it = &Bench::<P>::start().await;
        let scene = Scene::of(it).await;
        // These are last, because a provider may then pause as it was asked to.
        for trouble in
            [Trouble::Unauthorized, Trouble::Forbidden, Trouble::Conflict, Trouble::Malformed, Trouble::RateLimited]
        {
            let times = if trouble == Trouble::Unauthorized { P::refusals() } else { 1 };
            if !it.platform.fail(doing, trouble, times) {
                continue;
            }
            let error = scene.call(it, doing, WITHIN).await.expect_err("it fails");
            assert!(is_expected(&error, trouble), "{doing:?} {trouble:?}: {error:?}");
        }
    }
    let scene = Scene::of(it).await;
    for doing in [Doing::Post, Doing::Revise] {
        assert!(it.platform.fail(doing, Trouble::NoChat, 1));
        assert_eq!(scene.call(it, doing, WITHIN).await, Err(ProviderError::NotFound), "{doing:?}");
    }
}

async fn the_network_is_no_reason_to_break<P: Platform>(it: &Bench<P>) {
    let scene = Scene::of(it).await;
    let troubles = [
        Trouble::Down,
        Trouble::Broken,
        Trouble::CutBefore,
        Trouble::CutAfter,
        Trouble::CutInside,
        Trouble::Garbled,
        Trouble::Huge,
    ];
    for doing in DOINGS {
        for trouble in troubles {
            // A request over a connection that was kept may be tried again on a fresh one.
            assert!(it.platform.fail(doing, trouble, usize::MAX));
            match scene.call(it, doing, WITHIN).await {
                Err(error) => assert!(is_expected(&error, trouble), "{doing:?} {trouble:?}: {error:?}"),
                Ok(()) => assert!(P::needs_no(doing, trouble), "{doing:?} {trouble:?}"),
            }
            it.platform.heal();
        }
    }
}

async fn a_failed_call_does_not_hurt_the_next_one<P: Platform>(it: &Bench<P>) {
    let scene = Scene::of(it).await;
    for doing in DOINGS {
        for trouble in [Trouble::Broken, Trouble::CutInside, Trouble::Garbled, Trouble::Huge] {
            assert!(it.platform.fail(doing, trouble, usize::MAX));
            assert_eq!(
                scene.call(it, doing, WITHIN).await.is_ok(),
                P::needs_no(doing, trouble),
                "{doing:?} {trouble:?}"
            );
            it.platform.heal();
            assert_eq!(scene.call(it, doing, WITHIN).await, Ok(()), "{doing:?} after {trouble:?}");
        }
    }
}

async fn a_press_is_told_whatever_happens_to_the_look<P: Platform>(_: &Bench<P>) {
    let mut struck = 0;
    for trouble in Trouble::OF_A_LOOK {
        let it = Bench::<P>::start().await;
        let chat = it.group().await;
        let message = it.post(&chat, &question("Struck")).await.unwrap();
        let watching = [watch(&message, &question("Struck"), false)];
        it.press(&message, &choice("approve"), JIN).await;
        let mut cursor = it.receive(it.begun().await, &watching).await.unwrap().cursor;
        if !it.platform.strike(trouble) {
            continue;
        }
        struck += 1;
        let press = async {
            if P::forgets(trouble) {
                it.platform.heard().await;
            }
            it.platform.press(&message, &choice("deny"), MINA);
        };
        let hers = (MINA.known::<P>().name, "deny".to_owned());
        let look = async {
            let mut told = Vec::new();
            while told.is_empty() {
                let wait = Duration::from_millis(300);
                match it.provider().receive(&cursor, &watching, wait, Duration::from_secs(2)).await {
                    Ok(batch) => {
                        let presses = batch.events.into_iter().filter_map(|event| match event {
                            Event::Chosen(press) => Some((press.user.name, press.choice)),
                            Event::Said(_) => None,
                        });
                        told.extend(presses.filter(|press| *press == hers));
                        cursor = batch.cursor;
                    }
                    Err(error) => assert!(is_expected(&error, trouble), "{trouble:?}: {error:?}"),
                }
                it.platform.release();
            }
            told
        };
        assert_eq!(tokio::join!(press, look).1.as_slice(), std::slice::from_ref(&hers), "{trouble:?}");
        it.finish();
    }
    assert!(struck >= 11, "{struck} troubles");
}

async fn a_card_that_failed_half_way_can_be_posted_again<P: Platform>(it: &Bench<P>) {
    let chat = it.group().await;
    let card = Card { body: vec![file("whole.txt", 1000)], ..question("Half") };
    let (last, before) = P::last_of_post();
    it.platform.wire().fail(On::call(last).after(before), Fault::Html(502));
    let failed = it.post(&chat, &card).await;
    assert!(matches!(failed, Err(ProviderError::Unavailable(_))), "{failed:?}");
    let message = it.post(&chat, &card).await.unwrap();
    let all = it.platform.shown(&chat.id);
    assert_eq!(all.iter().map(|shown| shown.files.len()).sum::<usize>(), 1, "the file is there once: {all:?}");
    assert_eq!(all.iter().filter(|shown| shown.text.starts_with("May I?")).count(), 1);
    assert_eq!(it.shown(&message).choices.len(), 3);
}

async fn a_wait_that_the_messenger_names_arrives_to_the_millisecond<P: Platform>(_: &Bench<P>) {
    for seconds in [1, 30, 3600] {
        let it = Bench::<P>::start().await;
        let chat = it.group().await;
        let fault = Fault::RateLimited { retry_after: Duration::from_secs(seconds), global: true };
        it.platform.wire().fail(P::request(Doing::Post), fault);
        let limited = it.post(&chat, &card("Limited")).await;
        assert_eq!(limited, Err(ProviderError::RateLimited(Some(u32::try_from(seconds * 1000).unwrap()))));
    }
}

async fn a_token_that_was_revoked_is_told<P: Platform>(it: &Bench<P>) {
    let mut account = it.account();
    account.secrets.insert(P::GIVEN.to_owned(), dmplz_plugin::Secret::new("999999:wrong-token-that-is-long"));
    let other = it.connect(account).await.unwrap();
    let chat = it.group().await;
    let unauthorized = Err(ProviderError::Unauthorized);
    assert_eq!(other.post(&chat, &card("Wrong"), WITHIN).await.map(drop), unauthorized);
    assert_eq!(other.diagnose(&Chat::Room(chat.id), WITHIN).await.map(drop), unauthorized);
}

async fn a_chat_that_is_not_there_is_not_found<P: Platform>(it: &Bench<P>) {
    let nowhere = it.open(&it.platform.nowhere()).await.unwrap();
    assert_eq!(it.post(&nowhere, &card("Nowhere")).await, Err(ProviderError::NotFound));
}

async fn a_token_that_the_server_echoes_reaches_nobody<P: Platform>(it: &Bench<P>) {
    let chat = it.group().await;
    let token = it.platform.token();
    let escaped = token.replace(':', "%3A").replace('.', "%2E").replace('-', "%2d");
    for echo in [token.clone(), format!("https://api.example/bot{token}/x"), escaped] {
        let message = format!("Bad Request: no such thing as {echo}");
        it.platform.wire().fail(P::request(Doing::Post), Fault::Refused { status: 400, code: 1, message });
        let refused = it.post(&chat, &card("Echo")).await;
        assert!(refused.is_err_and(|error| !format!("{error:?}").contains(&echo)));
    }
}
