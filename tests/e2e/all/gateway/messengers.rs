//! Tests of messengers as surfaces of the gateway: answers there, and the cards after an answer on another surface or
//! the gateway's death.

use dmplz_e2e::{Chat, Choice, Home, JIN, stdin};
use serde_json::json;

use crate::home;

tests! {
    on_each:
        approval_reaches_the_hook_that_waits_at_the_gateway,
        denial_reaches_it_with_its_reason,
        nobody_answering_expires_the_card,
        requests_are_shown_one_after_the_other,
        an_answer_from_the_command_line_ends_the_card,
        a_killed_gateway_comes_back_to_its_card,
        a_killed_gateway_comes_back_to_a_denial_that_waits_for_its_reason,
        a_stopped_hook_takes_its_card_back,
        a_hook_that_is_alone_ends_its_turn_first,
        a_hook_that_may_not_ask_the_gateway_says_that_nobody_is_asked;
    on_telegram:
        cards_that_are_up_at_once_have_their_reasons_by_reply;
    once:
        of_two_messengers_the_first_answer_wins_and_the_other_shows_it,
        a_denial_on_one_messenger_is_none_to_be_undone_on_the_other;
}

/// Returns a home with both messengers.
fn with_both(one: &Chat, other: &Chat) -> Home {
    let mut home = home(one);
    for (name, value) in other.settings() {
        home.set(name, value);
    }
    home
}

fn allow() -> serde_json::Value {
    json!({ "behavior": "allow" })
}

fn a_hook_that_may_not_ask_the_gateway_says_that_nobody_is_asked(chat: Chat) {
    let mut home = home(&chat);
    let gateway = home.serve();
    let first = home.hook(&stdin::push());
    let card = chat.await_card();
    home.set("DMPLZ_GATEWAY", "off");
    home.set("DMPLZ_LANG", "en");
    let ended = home.hook(&stdin::bash("second", "false")).ended();
    let has_it = format!("the gateway (process {}) has the bot", gateway.pid());
    assert!(ended.explains().starts_with(&format!("dmplz: nobody could be asked: {has_it}")), "{ended:?}");
    assert!(ended.stderr.contains(&has_it) && ended.stderr.contains("DMPLZ_GATEWAY=off"), "{ended:?}");
    chat.press(&card, Choice::Approve, JIN);
    first.ended().decides(allow());
    chat.assert_clean();
}

fn approval_reaches_the_hook_that_waits_at_the_gateway(chat: Chat) {
    let home = home(&chat);
    let _gateway = home.serve();
    let hook = home.hook(&stdin::push());
    let card = chat.await_card();
    chat.press(&card, Choice::Approve, JIN);
    hook.ended().decides(allow());
    chat.await_retired(&card, &format!("✅ 승인됨: Bash\n{}", chat.signed(JIN)));
    chat.assert_clean();
}

fn denial_reaches_it_with_its_reason(chat: Chat) {
    let home = home(&chat);
    let _gateway = home.serve();
    let hook = home.hook(&stdin::push());
    let card = chat.await_card();
    chat.press(&card, Choice::Deny, JIN);
    let prompt = chat.await_prompt();
    chat.say(JIN, "  운영 서버에는 안 됩니다 \n");
    hook.ended().denies("User rejected the request. Reason: 운영 서버에는 안 됩니다");
    chat.await_retired(&card, &format!("❌ 거부됨: Bash\n사유: 운영 서버에는 안 됩니다\n{}", chat.signed(JIN)));
    chat.await_retired(&prompt, "사유: 운영 서버에는 안 됩니다");
    chat.assert_clean();
}

fn nobody_answering_expires_the_card(chat: Chat) {
    let mut home = home(&chat);
    home.set("DMPLZ_QUESTION_TIMEOUT_MS", "2500");
    let _gateway = home.serve();
    let hook = home.hook(&stdin::push());
    let card = chat.await_card();
    hook.ended().decides_nothing();
    chat.await_retired(&card, "⌛ 만료됨: Bash");
    chat.assert_clean();
}

fn requests_are_shown_one_after_the_other(chat: Chat) {
    let home = home(&chat);
    let _gateway = home.serve();
    let first = home.hook(&stdin::bash("one", "git push origin one"));
    let card = chat.await_card();
    let second = home.hook(&stdin::bash("two", "git push origin two"));
    chat.press(&card, Choice::Approve, JIN);
    first.ended().decides(allow());
    chat.await_retired(&card, "✅ 승인됨: Bash");
    let next = chat.await_message("the next card", |message| message.is_open() && message.id != card.id);
    assert!(next.text.contains("git push origin two"), "{next:?}");
    chat.press(&next, Choice::Approve, JIN);
    second.ended().decides(allow());
    chat.await_retired(&next, "✅ 승인됨: Bash");
    assert_eq!(chat.cards().len(), 2);
    chat.assert_clean();
}

fn an_answer_from_the_command_line_ends_the_card(chat: Chat) {
    let home = home(&chat);
    let _gateway = home.serve();
    let hook = home.hook(&stdin::push());
    let card = chat.await_card();
    let listed = home.run(&["approvals", "list", "--json"]);
    let listed: serde_json::Value = serde_json::from_slice(&listed.stdout).unwrap_or_else(|_| panic!("{listed:?}"));
    let id = listed.pointer("/approvals/0/id").or(listed.pointer("/0/id")).unwrap_or_else(|| panic!("{listed}"));
    let approved = home.run(&["approvals", "approve", id.as_str().unwrap()]);
    assert!(approved.status.success(), "{approved:?}");
    hook.ended().decides(allow());
    let ended = chat.await_retired(&card, "✅ 승인됨: Bash\n답한 곳: 명령줄\n");
    chat.press_late(&card, Choice::Deny, JIN);
    let after = chat.message(ended.id);
    assert!(after.text.starts_with("✅ 승인됨"), "{after:?}");
    chat.assert_clean();
}

fn a_killed_gateway_comes_back_to_its_card(chat: Chat) {
    let home = home(&chat);
    let gateway = home.serve();
    let hook = home.hook(&stdin::push());
    let card = chat.await_card();
    home.await_kept(r#""stage":"waiting""#);
    gateway.kill();
    let _gateway = home.serve();
    chat.press(&card, Choice::Approve, JIN);
    hook.ended().decides(allow());
    chat.await_retired(&card, &format!("✅ 승인됨: Bash\n{}", chat.signed(JIN)));
    assert_eq!(chat.cards().len(), 1, "{:#?}", chat.cards());
    chat.assert_clean();
}

fn a_killed_gateway_comes_back_to_a_denial_that_waits_for_its_reason(chat: Chat) {
    let home = home(&chat);
    let gateway = home.serve();
    let hook = home.hook(&stdin::push());
    let card = chat.await_card();
    chat.press(&card, Choice::Deny, JIN);
    chat.await_prompt();
    home.await_kept(r#""prompt":{"chat""#);
    gateway.kill();
    let _gateway = home.serve();
    chat.say(JIN, "not before Monday");
    hook.ended().denies("User rejected the request. Reason: not before Monday");
    chat.await_retired(&card, &format!("❌ 거부됨: Bash\n사유: not before Monday\n{}", chat.signed(JIN)));
    chat.assert_clean();
}

fn a_stopped_hook_takes_its_card_back(chat: Chat) {
    let home = home(&chat);
    let _gateway = home.serve();
    let hook = home.hook(&stdin::push());
    let card = chat.await_card();
    hook.terminate();
    hook.ended().decides_nothing();
    chat.await_retired(&card, "↩️ 다른 곳에서 처리됨: Bash");
    chat.assert_clean();
}

fn a_hook_that_is_alone_ends_its_turn_first(chat: Chat) {
    let home = home(&chat);
    let alone = home.hook(&stdin::bash("alone", "git push origin alone"));
    let card = chat.await_card();
    let _gateway = home.serve();
    let waits = home.hook(&stdin::bash("waits", "git push origin waits"));
    chat.press(&card, Choice::Approve, JIN);
    alone.ended().decides(allow());
    let next = chat.await_message("the next card", |message| message.is_open() && message.id != card.id);
    chat.press(&next, Choice::Approve, JIN);
    waits.ended().decides(allow());
    chat.await_retired(&next, "✅ 승인됨: Bash");
    chat.assert_clean();
}

fn cards_that_are_up_at_once_have_their_reasons_by_reply(chat: Chat) {
    let mut home = home(&chat);
    home.set("DMPLZ_GATEWAY_ACTIVE_CARDS", "2");
    let _gateway = home.serve();
    let hooks = ["one", "two"].map(|name| {
        let hook = home.hook(&stdin::bash(name, &format!("git push origin {name}")));
        let card = chat.await_message(name, |message| message.is_open() && message.text.contains(name));
        (name, hook, card)
    });
    let mut prompts = Vec::new();
    for (_, _, card) in &hooks {
        chat.press(card, Choice::Deny, JIN);
        let last = prompts.last().map_or(0, |prompt: &dmplz_e2e::Message| prompt.id);
        prompts.push(chat.await_message("a prompt", |message| message.id > last && message.text.contains("(선택)")));
    }
    chat.say(JIN, "which?");
    chat.await_message("the question which", |message| message.text.starts_with("거부한 요청이 여러 개입니다."));
    for (prompt, (name, ..)) in prompts.iter().zip(&hooks).rev() {
        chat.reply(prompt, JIN, &format!("no {name}"));
    }
    for (name, hook, card) in hooks {
        hook.ended().denies(&format!("User rejected the request. Reason: no {name}"));
        chat.await_retired(&card, &format!("❌ 거부됨: Bash\n사유: no {name}\n{}", chat.signed(JIN)));
    }
    chat.assert_clean();
}

fn of_two_messengers_the_first_answer_wins_and_the_other_shows_it() {
    let (telegram, discord) = (Chat::telegram(), Chat::discord());
    let home = with_both(&telegram, &discord);
    let _gateway = home.serve();
    let hook = home.hook(&stdin::push());
    let (here, there) = (telegram.await_card(), discord.await_card());
    discord.press(&there, Choice::Approve, JIN);
    hook.ended().decides(allow());
    discord.await_retired(&there, "✅ 승인됨: Bash\njin · ");
    telegram.await_retired(&here, "✅ 승인됨: Bash\n답한 곳: Discord\njin · ");
    let late = telegram.press_late(&here, Choice::Deny, JIN);
    let shown = telegram.message(here.id);
    let when = shown.text.lines().nth(2).unwrap();
    let told = format!(
        "이 권한 요청은 이미 처리되었습니다: ✅ 승인됨: Bash · 답한 곳: Discord · {when} (request_id: {})",
        here.request_id()
    );
    telegram.await_told(&late, &told);
    let again = telegram.press_late(&here, Choice::Approve, JIN);
    telegram.await_silence(&again);
    telegram.assert_clean();
    discord.assert_clean();
}

fn a_denial_on_one_messenger_is_none_to_be_undone_on_the_other() {
    let (telegram, discord) = (Chat::telegram(), Chat::discord());
    let home = with_both(&telegram, &discord);
    let _gateway = home.serve();
    let hook = home.hook(&stdin::push());
    let (here, there) = (telegram.await_card(), discord.await_card());
    discord.press(&there, Choice::Deny, JIN);
    discord.await_prompt();
    let second = telegram.press(&here, Choice::Approve, JIN);
    telegram.await_told(&second, "jin 님이 이미 거부한 요청입니다.");
    let third = telegram.press(&here, Choice::Approve, JIN);
    telegram.await_silence(&third);
    discord.say(JIN, "use a branch");
    hook.ended().denies("User rejected the request. Reason: use a branch");
    telegram.await_retired(&here, "❌ 거부됨: Bash\n사유: use a branch\n답한 곳: Discord\njin · ");
    discord.await_retired(&there, "❌ 거부됨: Bash\n사유: use a branch\njin · ");
    telegram.assert_clean();
    discord.assert_clean();
}
