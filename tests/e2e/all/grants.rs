//! Grants of our own: what a person lets pass for a while on a card, and what passes then.

use dmplz_e2e::{Chat, Choice, Home, JIN, MIN, Message, stdin, until};
use serde_json::{Value, json};

use crate::home;

tests! {
    on_each:
        exactly_what_was_granted_passes_until_it_is_taken_back,
        a_grant_that_cannot_be_kept_allows_the_one_call_and_says_so;
    on_telegram:
        a_grant_for_the_session_ends_with_it,
        a_deny_and_a_spoilt_policy_win_over_a_grant,
        what_no_rule_may_allow_is_not_offered,
        a_file_is_granted_with_what_that_means;
    in_each_group:
        who_may_not_answer_grants_nothing;
}

fn allow() -> Value {
    json!({ "behavior": "allow" })
}

fn push(command: &str) -> Value {
    stdin::bash("s1", command)
}

/// Asks, lets Jin answer the card that comes up, and waits for its end. The card as it asked.
pub(crate) fn answered(chat: &Chat, home: &Home, event: &Value, choice: Choice, shows: &str) -> Message {
    let before = chat.cards().last().map_or(0, |card| card.id);
    let hook = home.hook(event);
    let card = chat.await_message("a new card", |message| message.is_open() && message.id > before);
    chat.press(&card, choice, JIN);
    hook.ended().decides(allow());
    chat.await_retired(&card, shows);
    card
}

pub(crate) fn approved(chat: &Chat, home: &Home, event: &Value) -> Message {
    answered(chat, home, event, Choice::Approve, "✅ 승인됨: ")
}

fn exactly_what_was_granted_passes_until_it_is_taken_back(chat: Chat) {
    let home = home(&chat);
    answered(&chat, &home, &push("git push"), Choice::HalfHour, "30분 동안");
    let asked = chat.cards().len();
    for _ in 0..2 {
        home.hook(&push("git push")).ended().decides(allow());
    }
    assert_eq!(chat.cards().len(), asked, "nobody was asked");
    let uses: Vec<_> = home.requests().into_iter().filter(|line| line["outcome"] == "allowed_by_rule").collect();
    assert!(
        uses.len() == 2 && uses.iter().all(|line| line["rule"].as_str().unwrap().starts_with("grant:")),
        "{uses:?}"
    );
    assert!(approved(&chat, &home, &push("git push --force")).text.contains("--force"));
    assert!(home.run(&["grants", "revoke", "--all"]).status.success());
    approved(&chat, &home, &push("git push"));
    chat.assert_clean();
}

fn a_grant_that_cannot_be_kept_allows_the_one_call_and_says_so(chat: Chat) {
    let home = home(&chat);
    let hook = home.hook(&push("git push"));
    let card = chat.await_card();
    std::fs::create_dir(home.state().join("grants.json.new")).unwrap();
    chat.press(&card, Choice::HalfHour, JIN);
    let ended = hook.ended();
    ended.decides(allow());
    assert!(ended.complaint().starts_with("the grant cannot be kept, so only this call is allowed: "), "{ended:?}");
    let retired = chat.await_retired(&card, "이번 한 번만 허용했습니다");
    assert!(!retired.text.contains("30분 동안 묻지"), "{retired:?}");
    assert_eq!(home.requests()[0]["outcome"], "approved_granted");
    chat.assert_clean();
}

fn a_grant_for_the_session_ends_with_it(chat: Chat) {
    let home = home(&chat);
    answered(&chat, &home, &push("git push"), Choice::ForSession, "세션이 끝날 때까지");
    home.hook(&push("git push")).ended().decides(allow());
    approved(&chat, &home, &stdin::bash("s2", "git push"));
    let over =
        json!({"hook_event_name": "SessionEnd", "session_id": "s1", "cwd": "/home/user/project", "reason": "exit"});
    home.hook(&over).ended().is_silent();
    assert!(!home.state().join("grants.json").exists());
    approved(&chat, &home, &push("git push"));
    chat.assert_clean();
}

fn a_deny_and_a_spoilt_policy_win_over_a_grant(chat: Chat) {
    let home = home(&chat);
    answered(&chat, &home, &push("git push"), Choice::HalfHour, "30분 동안");
    let policy = home.state().join("policy.toml");
    let deny = "[[rule]]\ntoolName = \"Bash\"\ncommandPrefix = \"git push\"\ndecision = \"deny\"\npriority = 1\n";
    std::fs::write(&policy, deny).unwrap();
    assert_eq!(home.hook(&push("git push")).ended().decision()["behavior"], "deny");
    std::fs::write(&policy, "[[rule]]\ndecision = \"denny\"\n").unwrap();
    let card = approved(&chat, &home, &push("git push"));
    assert!(!card.choices.iter().any(|label| label.starts_with('⏳')), "{card:?}");
    std::fs::write(&policy, "").unwrap();
    home.hook(&push("git push")).ended().decides(allow());
    chat.assert_clean();
}

fn what_no_rule_may_allow_is_not_offered(chat: Chat) {
    let home = home(&chat);
    for command in ["dmplz approvals approve 1", "cat ~/.claude/dm-plz/gateway.token", "$X"] {
        let card = approved(&chat, &home, &push(command));
        assert!(!card.choices.iter().any(|label| label.starts_with(['⏳', '🕒'])), "{card:?}");
    }
    chat.assert_clean();
}

fn a_file_is_granted_with_what_that_means(chat: Chat) {
    let home = home(&chat);
    let write = |content: &str| {
        let mut event = push("");
        event["tool_name"] = json!("Write");
        event["tool_input"] = json!({ "file_path": "/home/user/project/a.txt", "content": content });
        event["permission_suggestions"] = json!([]);
        event
    };
    let card = answered(&chat, &home, &write("one"), Choice::HalfHour, "30분 동안");
    assert!(
        card.text.contains("⏳ 잠시 허용하면: 이 폴더에서 Write, 파일 /home/user/project/a.txt (내용과 무관)"),
        "{card:?}"
    );
    home.hook(&write("two")).ended().decides(allow());
    assert_eq!(chat.cards().len(), 1);
    chat.assert_clean();
}

fn who_may_not_answer_grants_nothing(chat: Chat) {
    let mut home = home(&chat);
    home.set("DMPLZ_ALLOWED_USERS", chat.id_of(JIN));
    let hook = home.hook(&push("git push"));
    let card = chat.await_card();
    chat.press(&card, Choice::HalfHour, MIN);
    chat.press(&card, Choice::Approve, JIN);
    hook.ended().decides(allow());
    until("the log", || !home.requests().is_empty());
    assert_eq!(home.requests()[0]["outcome"], "approved");
    assert!(!home.state().join("grants.json").exists());
}
