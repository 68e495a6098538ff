//! `receive`: what people press.

use dmplz_conformance::{
    Bench, Doing, JIN, MINA, Platform, ROBOT, Trouble, card, choice, every_provider, question, watch,
};
use dmplz_core::messenger::{ButtonStyle, Card, Choice, Event, MessageRef};

every_provider! {
    nobody_pressed_anything_yet,
    a_press_says_who_pressed_what_on_which_card,
    several_people_can_press_on_one_card,
    one_person_can_press_several_choices,
    a_program_that_presses_is_called_one,
    presses_on_two_cards_are_told_apart,
    a_press_on_a_card_of_the_past_is_told_when_it_is_looked_at,
    a_press_in_a_private_chat_is_seen,
    a_press_that_comes_twice_is_the_same_press,
    a_choice_that_stays_on_an_ended_card_can_be_pressed_and_goes,
    a_deleted_card_does_not_hide_the_others,
    presses_survive_the_instance,
    a_press_on_something_that_was_never_offered_is_no_press,
}

async fn nobody_pressed_anything_yet<P: Platform>(it: &Bench<P>) {
    let chat = it.group().await;
    let message = it.post(&chat, &question("Quiet")).await.unwrap();
    let batch = it.receive("", &[watch(&message, &question("Quiet"), false)]).await.unwrap();
    assert_eq!(batch.events, []);
}

async fn a_press_says_who_pressed_what_on_which_card<P: Platform>(it: &Bench<P>) {
    let chat = it.group().await;
    let message = it.post(&chat, &question("Who")).await.unwrap();
    it.press(&message, &choice("session"), MINA).await;
    let presses = it.presses(&[watch(&message, &question("Who"), false)], 1).await;
    let [press] = presses.as_slice() else { panic!("one press: {presses:?}") };
    assert_eq!(press.message, message);
    assert_eq!(press.choice, "session");
    assert!(press.tag.as_deref().is_none_or(|tag| tag == "Who"), "{press:?}");
    assert_eq!(press.user, MINA.known::<P>());
}

async fn several_people_can_press_on_one_card<P: Platform>(it: &Bench<P>) {
    let chat = it.group().await;
    let message = it.post(&chat, &question("Both")).await.unwrap();
    it.press(&message, &choice("approve"), JIN).await;
    it.press(&message, &choice("deny"), MINA).await;
    it.press(&message, &choice("approve"), MINA).await;
    let presses = it.presses(&[watch(&message, &question("Both"), false)], 3).await;
    let mut pressed: Vec<_> = presses.iter().map(|press| (press.choice.as_str(), press.user.name.as_str())).collect();
    pressed.sort_unstable();
    assert_eq!(pressed, [("approve", JIN.name), ("approve", MINA.name), ("deny", MINA.name)]);
}

async fn one_person_can_press_several_choices<P: Platform>(it: &Bench<P>) {
    let chat = it.group().await;
    let message = it.post(&chat, &question("Wavers")).await.unwrap();
    it.press(&message, &choice("deny"), JIN).await;
    it.press(&message, &choice("approve"), JIN).await;
    let presses = it.presses(&[watch(&message, &question("Wavers"), false)], 2).await;
    // In their order where the messenger knows it, and otherwise the refusal first.
    assert_eq!(presses.iter().map(|press| press.choice.as_str()).collect::<Vec<_>>(), ["deny", "approve"]);
}

async fn a_program_that_presses_is_called_one<P: Platform>(it: &Bench<P>) {
    let chat = it.group().await;
    let message = it.post(&chat, &question("Robot")).await.unwrap();
    it.press(&message, &choice("approve"), ROBOT).await;
    let presses = it.presses(&[watch(&message, &question("Robot"), false)], 1).await;
    assert!(presses.iter().all(|press| press.user.is_bot && press.user.id == ROBOT.id_on::<P>()), "{presses:?}");
}

async fn presses_on_two_cards_are_told_apart<P: Platform>(it: &Bench<P>) {
    let chat = it.group().await;
    let (one, two) = (question("One"), question("Two"));
    let (first, second) = (it.post(&chat, &one).await.unwrap(), it.post(&chat, &two).await.unwrap());
    it.press(&second, &choice("deny"), JIN).await;
    it.press(&first, &choice("approve"), MINA).await;
    let watching = [watch(&first, &one, false), watch(&second, &two, false)];
    let mut presses = it.presses(&watching, 2).await;
    presses.sort_by_key(|press| press.message.sequence);
    assert_eq!((&presses[0].message, presses[0].choice.as_str()), (&first, "approve"));
    assert_eq!((&presses[1].message, presses[1].choice.as_str()), (&second, "deny"));
}

async fn a_press_on_a_card_of_the_past_is_told_when_it_is_looked_at<P: Platform>(it: &Bench<P>) {
    let chat = it.group().await;
    let past = it.post(&chat, &question("Past")).await.unwrap();
    it.revise(&past, &dmplz_conformance::card("Past")).await.unwrap();
    let open = it.post(&chat, &question("Open")).await.unwrap();
    it.press(&past, &choice("approve"), JIN).await;
    let watching = [watch(&open, &question("Open"), false), watch(&past, &question("Past"), false)];
    let presses = it.presses(if P::TELLS_OF_EVERY_PRESS { &watching[..1] } else { &watching }, 1).await;
    let MessageRef { chat, id, .. } = &presses[0].message;
    assert_eq!((chat, id, presses[0].choice.as_str()), (&past.chat, &past.id, "approve"));
}

async fn a_press_in_a_private_chat_is_seen<P: Platform>(it: &Bench<P>) {
    let chat = it.open(&it.platform.private(JIN)).await.unwrap();
    let message = it.post(&chat, &question("Private")).await.unwrap();
    it.press(&message, &choice("deny"), JIN).await;
    let presses = it.presses(&[watch(&message, &question("Private"), false)], 1).await;
    assert_eq!(presses[0].user, JIN.known::<P>());
    assert!(!P::IDENTIFIES || chat.owner == Some(JIN.id_on::<P>()));
    assert_eq!(presses[0].message, message);
}

async fn a_press_that_comes_twice_is_the_same_press<P: Platform>(_: &Bench<P>) {
    for trouble in [Trouble::Doubled, Trouble::Reversed] {
        let it = Bench::<P>::start().await;
        let chat = it.group().await;
        let message = it.post(&chat, &question("Twice")).await.unwrap();
        if !it.platform.fail(Doing::Receive, trouble, 4) {
            continue;
        }
        it.press(&message, &choice("deny"), JIN).await;
        it.press(&message, &choice("deny"), MINA).await;
        let presses = it.presses(&[watch(&message, &question("Twice"), false)], 2).await;
        assert!(presses.iter().all(|press| press.choice == "deny" && press.message == message), "{presses:?}");
        let mut who: Vec<_> = presses.iter().map(|press| press.user.name.as_str()).collect();
        who.sort_unstable();
        who.dedup();
        let mut both = vec![JIN.known::<P>().name, MINA.known::<P>().name];
        both.dedup();
        assert_eq!(who, both);
        it.finish();
    }
}

async fn a_deleted_card_does_not_hide_the_others<P: Platform>(it: &Bench<P>) {
    let chat = it.group().await;
    let (one, two) = (question("One"), question("Two"));
    let (first, second) = (it.post(&chat, &one).await.unwrap(), it.post(&chat, &two).await.unwrap());
    it.platform.delete(&first);
    it.press(&second, &choice("deny"), JIN).await;
    let watching = [watch(&first, &one, false), watch(&second, &two, false)];
    let presses = it.presses(&watching, 1).await;
    assert_eq!(presses[0].message, second);
}

async fn presses_survive_the_instance<P: Platform>(it: &Bench<P>) {
    let chat = it.group().await;
    let message = it.post(&chat, &question("Survives")).await.unwrap();
    it.press(&message, &choice("approve"), JIN).await;
    let other = it.connect(it.account()).await.unwrap();
    let watching = [watch(&message, &question("Survives"), false)];
    let wait = std::time::Duration::from_secs(1);
    let batch = other.receive(it.begun().await, &watching, wait, dmplz_conformance::SOON).await.unwrap();
    let [Event::Chosen(press)] = batch.events.as_slice() else { panic!("one press: {batch:?}") };
    assert_eq!((&press.message, press.choice.as_str()), (&message, "approve"));
}

async fn a_press_on_something_that_was_never_offered_is_no_press<P: Platform>(it: &Bench<P>) {
    let chat = it.group().await;
    let message = it.post(&chat, &question("Forged")).await.unwrap();
    it.forge(&message, JIN).await;
    it.press(&message, &choice("deny"), MINA).await;
    let presses = it.presses(&[watch(&message, &question("Forged"), false)], 1).await;
    assert_eq!(presses.iter().map(|press| press.user.clone()).collect::<Vec<_>>(), [MINA.known::<P>()]);
}

async fn a_choice_that_stays_on_an_ended_card_can_be_pressed_and_goes<P: Platform>(it: &Bench<P>) {
    let chat = it.group().await;
    let message = it.post(&chat, &question("Granted")).await.unwrap();
    let revoke = Choice::new("revoke", "🚫 Ask again from now on", ButtonStyle::Danger);
    let granted = Card { choices: vec![revoke.clone()], ..card("Granted") };
    it.revise(&message, &granted).await.unwrap();
    assert_eq!(it.shown(&message).choices, [P::face(&revoke)]);
    it.press(&message, &revoke, JIN).await;
    let presses = it.presses(&[watch(&message, &granted, false)], 1).await;
    let [press] = presses.as_slice() else { panic!("one press: {presses:?}") };
    assert_eq!((press.choice.as_str(), &press.user), ("revoke", &JIN.known::<P>()));
    it.acknowledge(press, Some("You will be asked again from now on.")).await.unwrap();
    it.revise(&message, &card("Granted")).await.unwrap();
    assert_eq!(it.shown(&message).choices, Vec::<String>::new());
}
