//! Tests of who may answer.

use dmplz_e2e::discord::DiscordRoom;
use dmplz_e2e::{Chat, Choice, JIN, MIN, SOON, stdin};
use dmplz_fakes::Call;
use serde_json::json;

use crate::home;

tests! {
    in_each_group:
        listed_approver_answers_in_a_group_and_others_are_told_that_they_may_not,
        group_without_approvers_is_not_asked,
        star_lets_everyone_in_the_group_answer,
        the_list_for_all_messengers_adds_nobody_to_a_messengers_own,
        only_the_words_of_the_one_who_denied_count,
        someone_else_cannot_skip_the_reason,
        late_press_of_a_stranger_changes_nothing,
        reason_is_found_behind_everything_that_others_write;
    on_each:
        a_listed_id_lets_somebody_answer_only_where_the_messenger_tells_who_it_is,
        words_before_the_prompt_are_no_reason,
        words_in_another_chat_are_no_reason,
        deny_wins_where_both_were_pressed_before_anybody_looked;
    in_private_telegram_group:
        reason_is_given_as_a_reply_where_the_bot_reads_nothing_else;
    in_discord_channel:
        words_that_come_without_their_text_are_said_to_be_unreadable,
        program_never_answers;
}

/// Returns the variable that lists who may answer on this messenger.
fn own_list(chat: &Chat) -> String {
    format!("DMPLZ_{}_ALLOWED_USERS", chat.provider().to_uppercase())
}

const MAY_NOT: &str = "이 요청에 답할 권한이 없습니다.";

fn listed_approver_answers_in_a_group_and_others_are_told_that_they_may_not(chat: Chat) {
    let mut home = home(&chat);
    home.set("DMPLZ_ALLOWED_USERS", format!("1, {}", chat.id_of(JIN)));
    let hook = home.hook(&stdin::push());
    let card = chat.await_card();
    let strange = chat.press(&card, Choice::Approve, MIN);
    chat.await_told(&strange, MAY_NOT);
    chat.press(&card, Choice::Deny, JIN);
    chat.skip(JIN);
    hook.ended().denies("User rejected the request. (No reason provided)");
    chat.await_retired(&card, "❌ 거부됨: Bash\n사유 없음\njin · ");
    home.nothing_is_left();
    chat.assert_clean();
}

fn group_without_approvers_is_not_asked(chat: Chat) {
    let home = home(&chat);
    let ended = home.hook(&stdin::push()).ended();
    ended.decides_nothing();
    assert!(ended.complaint().contains("_ALLOWED_USERS (* for everyone in it)"), "{ended:?}");
    assert!(chat.messages().is_empty());
    home.nothing_is_left();
}

fn star_lets_everyone_in_the_group_answer(chat: Chat) {
    let mut home = home(&chat);
    home.set("DMPLZ_ALLOWED_USERS", "*");
    let hook = home.hook(&stdin::push());
    let card = chat.await_card();
    chat.press(&card, Choice::Approve, MIN);
    hook.ended().decides(json!({ "behavior": "allow" }));
    chat.await_retired(&card, "✅ 승인됨: Bash\nmin · ");
    chat.assert_clean();
}

fn a_listed_id_lets_somebody_answer_only_where_the_messenger_tells_who_it_is(chat: Chat) {
    let mut home = home(&chat);
    home.set(&own_list(&chat), chat.id_of(JIN)).set("DMPLZ_ALLOWED_USERS", "*");
    let hook = home.hook(&stdin::push());
    if chat.listing(JIN) == "*" {
        let ended = hook.ended();
        ended.decides_nothing();
        assert!(ended.complaint().contains(&format!("only {}=* lets somebody", own_list(&chat))), "{ended:?}");
        assert!(chat.messages().is_empty());
    } else {
        chat.press(&chat.await_card(), Choice::Approve, JIN);
        hook.ended().decides(json!({ "behavior": "allow" }));
    }
    home.nothing_is_left();
}

fn the_list_for_all_messengers_adds_nobody_to_a_messengers_own(chat: Chat) {
    let mut home = home(&chat);
    home.set("DMPLZ_ALLOWED_USERS", "*").set(&own_list(&chat), chat.id_of(JIN));
    let hook = home.hook(&stdin::push());
    let card = chat.await_card();
    let strange = chat.press(&card, Choice::Approve, MIN);
    chat.await_told(&strange, MAY_NOT);
    chat.press(&card, Choice::Approve, JIN);
    hook.ended().decides(json!({ "behavior": "allow" }));
    chat.assert_clean();
}

fn only_the_words_of_the_one_who_denied_count(chat: Chat) {
    let mut home = home(&chat);
    home.set("DMPLZ_ALLOWED_USERS", format!("{},{}", chat.id_of(JIN), chat.id_of(MIN)));
    let hook = home.hook(&stdin::push());
    let card = chat.await_card();
    chat.press(&card, Choice::Deny, JIN);
    chat.await_prompt();
    chat.say(MIN, "I would allow it");
    chat.say(JIN, "not today");
    hook.ended().denies("User rejected the request. Reason: not today");
    chat.assert_clean();
}

fn someone_else_cannot_skip_the_reason(chat: Chat) {
    let mut home = home(&chat);
    home.set("DMPLZ_ALLOWED_USERS", format!("{},{}", chat.id_of(JIN), chat.id_of(MIN)));
    let hook = home.hook(&stdin::push());
    let card = chat.await_card();
    chat.press(&card, Choice::Deny, JIN);
    chat.skip(MIN);
    if chat.provider() == "telegram" {
        let told = |params: &serde_json::Value| params["text"] == "거부한 사람만 사유를 생략할 수 있습니다.";
        let answered = chat.wire().await_call_blocking(SOON, |call| told(&call.params));
        assert!(answered.is_some(), "{:#?}", chat.wire().calls());
    }
    chat.say(JIN, "not today");
    hook.ended().denies("User rejected the request. Reason: not today");
    chat.assert_clean();
}

fn late_press_of_a_stranger_changes_nothing(chat: Chat) {
    let mut home = home(&chat);
    home.set("DMPLZ_ALLOWED_USERS", chat.id_of(JIN));
    let hook = home.hook(&stdin::push());
    let old = chat.await_card();
    chat.press(&old, Choice::Approve, JIN);
    hook.ended().decides(json!({ "behavior": "allow" }));
    chat.await_retired(&old, "✅ 승인됨");
    let late = chat.press_late(&old, Choice::Deny, MIN);
    let hook = home.hook(&stdin::bash("another", "true"));
    chat.await_told(&late, &format!("이 권한 요청은 이미 만료되었습니다. (request_id: {})", old.request_id()));
    let card = chat.await_card();
    chat.press(&card, Choice::Approve, JIN);
    hook.ended().decides(json!({ "behavior": "allow" }));
    assert!(chat.message(old.id).text.starts_with("✅ 승인됨"));
    assert!(home.rejections().is_empty());
    chat.assert_clean();
}

fn words_before_the_prompt_are_no_reason(chat: Chat) {
    let home = home(&chat);
    let hook = home.hook(&stdin::push());
    let card = chat.await_card();
    chat.say(JIN, "no_reason");
    chat.say(JIN, "hmm, let me see");
    chat.press(&card, Choice::Deny, JIN);
    chat.await_prompt();
    chat.say(JIN, "not on a Friday");
    hook.ended().denies("User rejected the request. Reason: not on a Friday");
    chat.assert_clean();
}

fn deny_wins_where_both_were_pressed_before_anybody_looked(chat: Chat) {
    let home = home(&chat);
    chat.withhold();
    let hook = home.hook(&stdin::push());
    let card = chat.await_card();
    chat.press(&card, Choice::Approve, JIN);
    chat.press(&card, Choice::Deny, JIN);
    chat.tell();
    chat.skip(JIN);
    hook.ended().denies("User rejected the request. (No reason provided)");
    chat.await_retired(&card, "❌ 거부됨");
    chat.assert_clean();
}

fn words_in_another_chat_are_no_reason(chat: Chat) {
    let home = home(&chat);
    let hook = home.hook(&stdin::push());
    let card = chat.await_card();
    chat.press(&card, Choice::Deny, JIN);
    chat.await_prompt();
    chat.say_elsewhere(JIN, "good morning");
    chat.say(JIN, "not today");
    hook.ended().denies("User rejected the request. Reason: not today");
    chat.assert_clean();
}

fn reason_is_given_as_a_reply_where_the_bot_reads_nothing_else(chat: Chat) {
    let mut home = home(&chat);
    home.set("DMPLZ_ALLOWED_USERS", chat.id_of(JIN));
    let hook = home.hook(&stdin::push());
    let card = chat.await_card();
    chat.press(&card, Choice::Deny, JIN);
    let prompt = chat.await_prompt();
    chat.say(JIN, "the bot does not see this");
    chat.reply(&prompt, JIN, "but this");
    hook.ended().denies("User rejected the request. Reason: but this");
    chat.assert_clean();
}

fn words_that_come_without_their_text_are_said_to_be_unreadable(chat: Chat) {
    let mut home = home(&chat);
    home.set("DMPLZ_ALLOWED_USERS", chat.id_of(JIN)).set("DMPLZ_REJECT_REASON_TIMEOUT_MS", "6000");
    let fake = &chat.room::<DiscordRoom>().fake;
    fake.set_message_content(false);
    let hook = home.hook(&stdin::push());
    let card = chat.await_card();
    chat.press(&card, Choice::Deny, JIN);
    chat.await_prompt();
    chat.say(JIN, "because");
    chat.await_message("a word about it", |message| message.text.starts_with("메시지 내용을 읽을 수 없습니다."));
    hook.ended().denies("User rejected the request. (No reason provided: timeout)");
    chat.assert_clean();
}

fn reason_is_found_behind_everything_that_others_write(chat: Chat) {
    let mut home = home(&chat);
    home.set("DMPLZ_ALLOWED_USERS", chat.id_of(JIN));
    let hook = home.hook(&stdin::push());
    let card = chat.await_card();
    // More than either messenger gives in one look.
    (0..250).for_each(|line| chat.say(MIN, &format!("before {line}")));
    chat.press(&card, Choice::Deny, JIN);
    chat.await_prompt();
    (0..250).for_each(|line| chat.say(MIN, &format!("after {line}")));
    chat.say(JIN, "not today");
    hook.ended().denies("User rejected the request. Reason: not today");
    chat.assert_clean();
}

fn program_never_answers(chat: Chat) {
    let mut home = home(&chat);
    home.set("DMPLZ_ALLOWED_USERS", "*");
    let DiscordRoom { fake, channel, .. } = chat.room();
    let hook = home.hook(&stdin::push());
    let card = chat.await_card();
    let robot = dmplz_fakes::discord::User { bot: true, ..dmplz_fakes::discord::User::person(77, "robot") };
    fake.react((*channel, card.id), "✅", &robot);
    let asked_who = |call: &Call| call.name.ends_with("/reactions/{emoji_name}") && call.name.starts_with("GET");
    chat.wire().await_call_blocking(SOON, asked_who).expect("somebody looks who it was");
    chat.press(&card, Choice::Deny, JIN);
    chat.skip(JIN);
    hook.ended().denies("User rejected the request. (No reason provided)");
    chat.assert_clean();
}
