//! The answers of a person, and what the client gets for each.

use dmplz_e2e::{Chat, Choice, JIN, stdin};
use serde_json::json;

use crate::home;

tests! {
    on_each:
        approval_is_an_allow,
        session_approval_carries_the_grant_for_the_session,
        denial_asks_for_an_optional_reason_and_passes_it_on,
        denial_can_be_confirmed_without_a_reason_at_once,
        denial_whose_reason_never_comes_is_a_denial_by_timeout,
        nobody_answering_is_no_decision,
        nobody_answering_is_a_denial_where_the_operator_wants_it,
        press_after_the_end_is_told_that_it_expired_once_by_the_next_process,
        words_after_the_time_for_a_reason_are_told_that_it_expired_once,
        reason_is_never_waited_for_beyond_the_deadline;
    on_discord:
        each_keyword_confirms_a_denial_without_a_reason;
}

fn approval_is_an_allow(chat: Chat) {
    let home = home(&chat);
    let hook = home.hook(&stdin::push());
    let card = chat.await_card();
    chat.press(&card, Choice::Approve, JIN);
    hook.ended().decides(json!({ "behavior": "allow" }));
    chat.await_retired(&card, &format!("✅ 승인됨: Bash\n{}", chat.signed(JIN)));
    home.nothing_is_left();
    assert!(home.rejections().is_empty());
    assert_eq!(home.requests()[0]["outcome"], "approved");
    chat.assert_clean();
}

fn session_approval_carries_the_grant_for_the_session(chat: Chat) {
    let home = home(&chat);
    let hook = home.hook(&stdin::push());
    let card = chat.await_card();
    assert!(card.text.contains("🔄 세션 허용 범위: Bash(git push *)"), "{}", card.text);
    chat.press(&card, Choice::Session, JIN);
    let rule = json!({ "toolName": "Bash", "ruleContent": "git push *" });
    let grant = json!({ "type": "addRules", "rules": [rule], "behavior": "allow", "destination": "session" });
    hook.ended().decides(json!({ "behavior": "allow", "updatedPermissions": [grant] }));
    chat.await_retired(&card, &format!("🔄 세션 허용됨: Bash\n{}", chat.signed(JIN)));
    chat.assert_clean();
}

fn denial_asks_for_an_optional_reason_and_passes_it_on(chat: Chat) {
    let home = home(&chat);
    let hook = home.hook(&stdin::push());
    let card = chat.await_card();
    chat.press(&card, Choice::Deny, JIN);
    let prompt = chat.await_prompt();
    chat.say(JIN, "  운영 서버에는 안 됩니다 \n");
    hook.ended().denies("User rejected the request. Reason: 운영 서버에는 안 됩니다");
    chat.await_retired(&card, &format!("❌ 거부됨: Bash\n사유: 운영 서버에는 안 됩니다\n{}", chat.signed(JIN)));
    chat.await_retired(&prompt, "사유: 운영 서버에는 안 됩니다");
    let rejections = home.rejections();
    assert_eq!(rejections.len(), 1);
    assert_eq!(rejections[0]["reason_source"], "user_input");
    home.nothing_is_left();
    chat.assert_clean();
}

fn denial_can_be_confirmed_without_a_reason_at_once(chat: Chat) {
    let home = home(&chat);
    let hook = home.hook(&stdin::push());
    let card = chat.await_card();
    chat.press(&card, Choice::Deny, JIN);
    chat.skip(JIN);
    hook.ended().denies("User rejected the request. (No reason provided)");
    chat.await_retired(&card, &format!("❌ 거부됨: Bash\n사유 없음\n{}", chat.signed(JIN)));
    assert_eq!(home.rejections()[0]["reason_source"], "explicit_skip");
    assert_eq!(home.rejections()[0]["reason"], "");
    home.nothing_is_left();
    chat.assert_clean();
}

fn denial_whose_reason_never_comes_is_a_denial_by_timeout(chat: Chat) {
    let mut home = home(&chat);
    home.set("DMPLZ_REJECT_REASON_TIMEOUT_MS", "1500");
    let hook = home.hook(&stdin::push());
    let card = chat.await_card();
    chat.press(&card, Choice::Deny, JIN);
    hook.ended().denies("User rejected the request. (No reason provided: timeout)");
    chat.await_retired(&card, &format!("❌ 거부됨: Bash\n사유 없음 (시간 초과)\n{}", chat.signed(JIN)));
    assert_eq!(home.rejections()[0]["reason_source"], "timeout");
    home.nothing_is_left();
    chat.assert_clean();
}

fn nobody_answering_is_no_decision(chat: Chat) {
    let mut home = home(&chat);
    home.set("DMPLZ_QUESTION_TIMEOUT_MS", "4000");
    let hook = home.hook(&stdin::push());
    let card = chat.await_card();
    let ended = hook.ended();
    assert_eq!(ended.explains(), "dmplz: 시간 안에 아무도 답하지 않았습니다. 여기서 답해 주세요.");
    assert_eq!(ended.stderr, "");
    chat.await_retired(&card, "⌛ 만료됨: Bash\n아무도 답하지 않았습니다. 터미널에서 다시 묻습니다.");
    assert_eq!(home.requests()[0]["outcome"], "expired");
    assert!(home.rejections().is_empty());
    home.nothing_is_left();
    chat.assert_clean();
}

fn nobody_answering_is_a_denial_where_the_operator_wants_it(chat: Chat) {
    let mut home = home(&chat);
    home.set("DMPLZ_QUESTION_TIMEOUT_MS", "4000").set("DMPLZ_ON_EXPIRED", "deny");
    let hook = home.hook(&stdin::push());
    let card = chat.await_card();
    hook.ended().denies("Nobody answered the permission request in time, so it was not allowed. No user rejected it.");
    chat.await_retired(&card, "⌛ 만료됨: Bash\n아무도 답하지 않아 허용되지 않았습니다.");
    assert!(home.rejections().is_empty(), "a time-out is never blamed on the user");
    chat.assert_clean();
}

fn press_after_the_end_is_told_that_it_expired_once_by_the_next_process(chat: Chat) {
    let mut home = home(&chat);
    home.set("DMPLZ_QUESTION_TIMEOUT_MS", "4000");
    let hook = home.hook(&stdin::push());
    let old = chat.await_card();
    hook.ended().decides_nothing();
    chat.await_retired(&old, "⌛");
    home.unset("DMPLZ_QUESTION_TIMEOUT_MS");
    let late = chat.press_late(&old, Choice::Approve, JIN);
    let hook = home.hook(&stdin::bash("another", "true"));
    chat.await_told(&late, &format!("이 권한 요청은 이미 만료되었습니다. (request_id: {})", old.request_id()));
    let card = chat.await_card();
    assert_ne!(card.id, old.id);
    chat.press(&card, Choice::Approve, JIN);
    hook.ended().decides(json!({ "behavior": "allow" }));
    chat.await_retired(&card, "✅");
    let told = chat.messages().iter().filter(|message| message.text.contains("이미 만료되었습니다")).count();
    assert!(told <= 1, "{told} times");
    assert_eq!(home.requests()[0]["outcome"], "expired", "nothing changed afterwards");
    chat.assert_clean();
}

fn words_after_the_time_for_a_reason_are_told_that_it_expired_once(chat: Chat) {
    let mut home = home(&chat);
    home.set("DMPLZ_REJECT_REASON_TIMEOUT_MS", "500");
    let hook = home.hook(&stdin::push());
    let old = chat.await_card();
    chat.press(&old, Choice::Deny, JIN);
    hook.ended().denies("User rejected the request. (No reason provided: timeout)");
    chat.await_retired(&old, "❌ 거부됨");
    chat.say(JIN, "because of the audit");
    chat.say(JIN, "really");
    let hook = home.hook(&stdin::bash("another", "true"));
    let told = format!("이 권한 요청은 이미 만료되었습니다. (request_id: {})", old.request_id());
    chat.await_message("the late words' answer", |message| message.text == told);
    let card = chat.await_card();
    chat.press(&card, Choice::Approve, JIN);
    hook.ended().decides(json!({ "behavior": "allow" }));
    assert_eq!(chat.messages().iter().filter(|message| message.text == told).count(), 1);
    assert_eq!(home.rejections().len(), 1);
    assert_eq!(home.rejections()[0]["reason"], "");
    chat.assert_clean();
}

fn reason_is_never_waited_for_beyond_the_deadline(chat: Chat) {
    let mut home = home(&chat);
    home.set("DMPLZ_QUESTION_TIMEOUT_MS", "4500");
    let hook = home.hook(&stdin::push());
    let card = chat.await_card();
    chat.press(&card, Choice::Deny, JIN);
    let prompt = chat.await_prompt();
    let limit = prompt.text.lines().find_map(|line| line.strip_prefix("시간 제한: ")?.strip_suffix("ms")?.parse().ok());
    assert!(limit.is_some_and(|limit: u32| limit < 4500), "the time there really is: {prompt:?}");
    hook.ended().denies("User rejected the request. (No reason provided: timeout)");
    chat.await_retired(&card, "❌ 거부됨");
    home.nothing_is_left();
    chat.assert_clean();
}

fn each_keyword_confirms_a_denial_without_a_reason(chat: Chat) {
    let mut home = home(&chat);
    home.set("DMPLZ_REJECT_REASON_NO_REASON_KEYWORDS", "none, n/a,-");
    for said in ["  N/A\n", "-", "NONE"] {
        let hook = home.hook(&stdin::push());
        let card = chat.await_card();
        chat.press(&card, Choice::Deny, JIN);
        assert!(chat.await_prompt().text.contains("none 를 입력하세요."));
        chat.say(JIN, said);
        hook.ended().denies("User rejected the request. (No reason provided)");
        chat.await_retired(&card, "❌ 거부됨");
    }
    chat.assert_clean();
}
