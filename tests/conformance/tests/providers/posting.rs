//! `post`.

use dmplz_conformance::{
    Bench, JIN, Platform, blank, card, choice, code, every_provider, file, prompt, question, text,
};
use dmplz_core::messenger::{Block, ButtonStyle, Card, Choice, ProviderError};

every_provider! {
    a_card_shows_all_its_parts_in_order,
    every_choice_can_be_pressed_in_the_order_of_the_card,
    as_many_choices_as_the_manifest_says_can_be_offered_and_no_more,
    a_notice_has_nothing_to_press,
    a_card_answers_the_message_it_is_about,
    a_reply_to_a_message_that_is_gone_or_elsewhere_is_posted_all_the_same,
    a_file_comes_with_its_card_whole,
    a_card_can_be_a_file_only_with_a_title,
    the_longest_message_is_shown_whole_and_a_longer_one_not_at_all,
    as_much_text_as_the_manifest_says_fits,
    the_largest_file_is_taken_and_a_larger_one_refused_unsent,
    large_files_come_together,
    a_server_that_keeps_its_rate_limits_takes_a_card_and_its_end,
    a_card_posted_again_with_its_tag_is_recognised,
    a_prompt_for_text_can_still_show_its_end,
    later_messages_have_higher_sequences,
    nobody_is_pinged_and_no_link_unfolds,
}

async fn a_card_shows_all_its_parts_in_order<P: Platform>(it: &Bench<P>) {
    let chat = it.group().await;
    let body = vec![
        Block::Text("first line\nsecond line".to_owned()),
        Block::Code("git push --force\n  origin main".to_owned()),
        Block::Hint("type `no_reason` to skip".to_owned()),
        Block::Text("last".to_owned()),
    ];
    let card = Card { title: "🔐 May I?".to_owned(), body, ..question("Parts") };
    let shown = it.shown(&it.post(&chat, &card).await.unwrap());
    let whole = "🔐 May I?\nfirst line\nsecond line\ngit push --force\n  origin main\ntype no_reason to skip\nlast";
    assert_eq!(shown.text, whole);
    assert_eq!(shown.bold, ["🔐 May I?"]);
    let mut seen = shown.code;
    seen.sort();
    assert_eq!(seen, code::<P>(&["git push --force\n  origin main", "no_reason"]));
    assert_eq!((shown.markup, shown.by_bot), (Vec::<String>::new(), true));
}

async fn every_choice_can_be_pressed_in_the_order_of_the_card<P: Platform>(it: &Bench<P>) {
    let chat = it.group().await;
    let shown = it.shown(&it.post(&chat, &question("Order")).await.unwrap());
    assert_eq!(shown.choices, question("Order").choices.iter().map(P::face).collect::<Vec<_>>());
}

async fn as_many_choices_as_the_manifest_says_can_be_offered_and_no_more<P: Platform>(it: &Bench<P>) {
    let chat = it.group().await;
    let choices = |count: usize| {
        let emoji = |number: usize| char::from_u32(0x1F400 + u32::try_from(number).unwrap()).unwrap();
        let choice = |number: usize| {
            let (id, label) = (format!("choice-{number}"), format!("{} {number}", emoji(number)));
            Choice { row: (number / 5) as u8, ..Choice::new(&id, &label, ButtonStyle::Secondary) }
        };
        (0..count).map(choice).collect::<Vec<_>>()
    };
    let most = it.transport().limits.choices;
    let full = Card { choices: choices(most), ..question("Most") };
    assert_eq!(it.shown(&it.post(&chat, &full).await.unwrap()).choices.len(), most);
    let calls = it.platform.wire().calls().len();
    let fuller = Card { choices: choices(most + 1), ..question("TooMany") };
    assert_eq!(it.post(&chat, &fuller).await, Err(ProviderError::TooLarge));
    assert_eq!(it.platform.wire().calls().len(), calls);
}

async fn a_notice_has_nothing_to_press<P: Platform>(it: &Bench<P>) {
    let chat = it.group().await;
    let shown = it.shown(&it.post(&chat, &text("Notice", "It came too late.")).await.unwrap());
    assert_eq!((shown.text.as_str(), shown.choices.len(), shown.bold.len()), ("It came too late.", 0, 0));
}

async fn a_card_answers_the_message_it_is_about<P: Platform>(it: &Bench<P>) {
    let chat = it.group().await;
    let first = it.post(&chat, &question("First")).await.unwrap();
    let prompt = Card { reply_to: Some(first.clone()), wants_text: true, ..text("Prompt", "why?") };
    assert_eq!(it.shown(&it.post(&chat, &prompt).await.unwrap()).reply_to, Some(first.id));
    let said = it.platform.say(&chat.id, JIN, "because");
    let answer = Card { reply_to: Some(said.clone()), ..text("Answer", "too late") };
    assert_eq!(it.shown(&it.post(&chat, &answer).await.unwrap()).reply_to, Some(said.id));
}

async fn a_reply_to_a_message_that_is_gone_or_elsewhere_is_posted_all_the_same<P: Platform>(it: &Bench<P>) {
    let (chat, other) = (it.group().await, it.group().await);
    let gone = it.post(&chat, &card("Gone")).await.unwrap();
    it.platform.delete(&gone);
    let elsewhere = it.post(&other, &card("Elsewhere")).await.unwrap();
    for (tag, message) in [("A", gone), ("B", elsewhere)] {
        let answer = Card { reply_to: Some(message), ..text(tag, "still here") };
        let shown = it.shown(&it.post(&chat, &answer).await.unwrap());
        assert_eq!((shown.text.as_str(), shown.reply_to), ("still here", None));
    }
}

async fn a_file_comes_with_its_card_whole<P: Platform>(it: &Bench<P>) {
    let chat = it.group().await;
    let name = "요청 \"a\" (1).txt";
    let body = vec![Block::Text("see the file".to_owned()), file(name, 100_000), Block::Code("ls".to_owned())];
    let message = it.post(&chat, &Card { body, ..question("File") }).await.unwrap();
    let all = it.platform.shown(&chat.id);
    let files: Vec<_> = all.iter().flat_map(|shown| &shown.files).collect();
    let Block::File(sent) = file(name, 100_000) else { unreachable!() };
    assert_eq!(files.len(), 1);
    assert!(files[0].1 == sent.data, "every byte of it");
    assert!(files[0].0.contains("요청") && files[0].0.ends_with(".txt"), "{}", files[0].0);
    assert_eq!(it.shown(&message).text, "May I?\nsee the file\nls");
    assert_eq!(all.last().map(|shown| &shown.id), Some(&message.id), "what can be pressed is the last in the chat");
}

async fn a_card_can_be_a_file_only_with_a_title<P: Platform>(it: &Bench<P>) {
    let chat = it.group().await;
    let card =
        Card { title: "📄 1/1".to_owned(), body: vec![file("all.txt", 10), file("more.txt", 20)], ..blank("Files") };
    let message = it.post(&chat, &card).await.unwrap();
    assert_eq!(it.shown(&message).text, "📄 1/1");
    assert_eq!(it.platform.shown(&chat.id).iter().map(|shown| shown.files.len()).sum::<usize>(), 2);
}

async fn the_longest_message_is_shown_whole_and_a_longer_one_not_at_all<P: Platform>(it: &Bench<P>) {
    let chat = it.group().await;
    // Counted as the strictest messenger does: this emoji is two.
    let longest = format!("{}😀", "가".repeat(P::LONGEST - 2));
    assert_eq!(it.shown(&it.post(&chat, &text("Long", &longest)).await.unwrap()).text, longest);
    let calls = it.platform.wire().calls().len();
    assert_eq!(it.post(&chat, &text("Longer", &format!("{longest}!"))).await, Err(ProviderError::TooLarge));
    assert_eq!(it.platform.wire().calls().len(), calls, "nothing is sent that cannot be shown whole");
    let message = it.post(&chat, &card("Short")).await.unwrap();
    assert_eq!(it.revise(&message, &text("Short", &format!("{longest}!"))).await, Err(ProviderError::TooLarge));
    assert_eq!(it.shown(&message).text, "May I?\nrm -rf ./target");
}

async fn as_much_text_as_the_manifest_says_fits<P: Platform>(it: &Bench<P>) {
    let chat = it.group().await;
    let room = it.transport().limits.text - 40;
    let body = vec![
        Block::Text("t".repeat(10)),
        Block::Code("c".repeat(room - 10)),
        Block::Hint("type `no`!".to_owned()),
        Block::Text("u".repeat(10)),
        Block::Text("v".repeat(10)),
    ];
    let card = Card { title: "T".repeat(10), body, ..question("Full") };
    let shown = it.shown(&it.post(&chat, &card).await.unwrap());
    let whole = "c".repeat(room - 10);
    assert!(shown.text.contains(&whole) && shown.code.contains(&whole) == P::SHOWS_CODE);
    assert!(shown.text.ends_with(&format!("{}\n{}", "u".repeat(10), "v".repeat(10))));
}

async fn the_largest_file_is_taken_and_a_larger_one_refused_unsent<P: Platform>(it: &Bench<P>) {
    let chat = it.group().await;
    let most = it.transport().limits.attachment;
    assert!(most > 0, "both take files");
    let with = |tag: &str, bytes| Card { body: vec![file("big.bin", bytes)], ..question(tag) };
    it.post(&chat, &with("Big", most)).await.unwrap();
    let sizes = |shown: Vec<dmplz_conformance::Shown>| {
        shown.iter().flat_map(|shown| &shown.files).map(|file| file.1.len()).collect::<Vec<_>>()
    };
    assert_eq!(sizes(it.platform.shown(&chat.id)), [most]);
    let calls = it.platform.wire().calls().len();
    let refused = it.post(&chat, &with("Bigger", most + 1)).await;
    assert_eq!(refused, Err(ProviderError::TooLarge));
    assert_eq!(it.platform.wire().calls().len(), calls);
}

async fn large_files_come_together<P: Platform>(it: &Bench<P>) {
    let chat = it.group().await;
    let bytes = it.transport().limits.attachment / 2;
    let body = ["a.bin", "b.bin"].map(|name| file(name, bytes)).to_vec();
    // Twice in one instance: what the first took is given back.
    for tag in ["First", "Second"] {
        it.post(&chat, &Card { body: body.clone(), ..question(tag) }).await.unwrap();
    }
    let shown = it.platform.shown(&chat.id);
    assert_eq!(shown.iter().flat_map(|shown| &shown.files).filter(|file| file.1.len() == bytes).count(), 4);
}

async fn a_server_that_keeps_its_rate_limits_takes_a_card_and_its_end<P: Platform>(_: &Bench<P>) {
    let it = Bench::over(P::start_strict().await).await;
    let chat = it.group().await;
    let message = it.post(&chat, &question("Strict")).await.unwrap();
    assert_eq!(it.shown(&message).choices.len(), 3);
    it.revise(&message, &card("Strict")).await.unwrap();
    assert_eq!(it.shown(&message).choices, Vec::<String>::new());
    it.finish();
}

async fn a_card_posted_again_with_its_tag_is_recognised<P: Platform>(it: &Bench<P>) {
    let chat = it.group().await;
    let card = question("Again");
    let first = it.post(&chat, &card).await.unwrap();
    let second = it.post(&chat, &card).await.unwrap();
    if P::REFUSES_COPIES {
        assert_eq!(first, second);
        assert_eq!(it.platform.shown(&chat.id).len(), 1);
        let another = it.post(&chat, &question("Another")).await.unwrap();
        assert_ne!(first, another, "the same words under another tag are another card");
        return;
    }
    // The host can tell by the tag that a press on either copy is about the same card.
    it.press(&first, &choice("approve"), JIN).await;
    it.press(&second, &choice("deny"), JIN).await;
    let presses = it.presses(&[], 2).await;
    let tags: Vec<_> = presses.iter().map(|press| press.tag.as_deref()).collect();
    assert_eq!(tags, [Some("Again"), Some("Again")]);
}

async fn a_prompt_for_text_can_still_show_its_end<P: Platform>(it: &Bench<P>) {
    let chat = it.group().await;
    let prompt = Card { choices: [prompt::<P>("").choices, vec![choice("deny")]].concat(), ..prompt::<P>("Prompt") };
    let message = it.post(&chat, &prompt).await.unwrap();
    it.revise(&message, &text("Prompt", "Reason: none")).await.unwrap();
    let shown = it.shown(&message);
    assert_eq!((shown.text.as_str(), shown.choices.len()), ("Reason: none", 0));
}

async fn later_messages_have_higher_sequences<P: Platform>(it: &Bench<P>) {
    let chat = it.group().await;
    let first = it.post(&chat, &question("First")).await.unwrap();
    let said = it.platform.say(&chat.id, JIN, "hm");
    let second = it.post(&chat, &question("Second")).await.unwrap();
    assert!(first.sequence < said.sequence && said.sequence < second.sequence, "{first:?} {said:?} {second:?}");
    assert_eq!((first.chat.as_str(), second.chat.as_str()), (chat.id.as_str(), chat.id.as_str()));
}

async fn nobody_is_pinged_and_no_link_unfolds<P: Platform>(it: &Bench<P>) {
    let chat = it.group().await;
    let said = it.platform.say(&chat.id, JIN, "hello");
    let words =
        format!("@everyone @here <@{0}> <@!{0}> <@&{0}> @jin https://example.com [x](https://example.com)", JIN.id);
    let loud = Card { title: words.clone(), reply_to: Some(said), ..text("Loud", &words) };
    let message = it.post(&chat, &loud).await.unwrap();
    assert_eq!(it.shown(&message).text, format!("{words}\n{words}"));
    it.revise(&message, &loud).await.unwrap();
    it.revise(&message, &text("Loud", &words)).await.unwrap();
    assert_eq!(it.platform.side_effects(&chat.id), Vec::<String>::new());
}
