//! Every kind of stdin: what is asked, what is shown of it, what is left alone.

use dmplz_e2e::{Chat, Choice, JIN, Message, stdin};
use serde_json::{Value, json};

use crate::{bare_home, home};

tests! {
    on_each:
        without_suggestions_the_grant_covers_this_very_call,
        where_no_narrow_rule_exists_the_session_is_not_offered,
        plan_is_allowed_with_an_updated_input,
        long_input_arrives_whole_as_a_file,
        what_a_screen_would_hide_or_reorder_is_visible,
        markup_is_shown_literally,
        subagent_is_named;
    by_buttons_alone:
        every_captured_request_is_asked;
    on_telegram:
        every_other_captured_event_is_silent_and_reaches_nobody;
    once:
        stdin_that_is_no_event_is_one_line_on_stderr,
        stdin_of_more_than_2_mib_is_one_line_on_stderr,
        request_that_cannot_be_read_is_denied_where_nobody_answering_is_a_deny,
        request_without_its_tool_is_one_line_on_stderr;
}

fn without_suggestions_the_grant_covers_this_very_call(chat: Chat) {
    let home = home(&chat);
    let hook = home.hook(&stdin::captured("PermissionRequest-Bash-compound"));
    chat.press(&chat.await_card(), Choice::Session, JIN);
    let rule = json!({ "toolName": "Bash", "ruleContent": "cd sub && npm install && git push origin main" });
    let grant = json!({ "type": "addRules", "rules": [rule], "behavior": "allow", "destination": "session" });
    hook.ended().decides(json!({ "behavior": "allow", "updatedPermissions": [grant] }));
    chat.assert_clean();
}

fn where_no_narrow_rule_exists_the_session_is_not_offered(chat: Chat) {
    let home = home(&chat);
    let mut request = stdin::bash("s", "rm *.o");
    request["permission_suggestions"] = json!([]);
    let hook = home.hook(&request);
    let card = chat.await_card();
    assert!(!card.choices.iter().any(|choice| choice.starts_with('🔄')), "{card:?}");
    assert!(!card.text.contains("🔄"), "{card:?}");
    if chat.provider() == "discord" {
        // Anybody can leave any reaction; one that the card does not offer means nothing.
        chat.press(&card, Choice::Session, JIN);
    }
    chat.press(&card, Choice::Approve, JIN);
    hook.ended().decides(json!({ "behavior": "allow" }));
    chat.assert_clean();
}

fn plan_is_allowed_with_an_updated_input(chat: Chat) {
    let home = home(&chat);
    let hook = home.hook(&stdin::captured("PermissionRequest-ExitPlanMode"));
    let card = chat.await_card();
    assert!(card.text.starts_with("📋 Claude Code 계획 승인 요청\n"), "{card:?}");
    assert!(card.text.contains("\n▪ P\n"), "{card:?}");
    assert_eq!(card.choices.len(), 3, "{card:?}");
    chat.press(&card, Choice::Approve, JIN);
    let mode = json!({ "type": "setMode", "mode": "default", "destination": "session" });
    hook.ended().decides(json!({ "behavior": "allow", "updatedInput": {}, "updatedPermissions": [mode] }));
    chat.await_retired(&card, "✅ 승인됨: ExitPlanMode");
    chat.assert_clean();
}

fn subagent_is_named(chat: Chat) {
    let home = home(&chat);
    let hook = home.hook(&stdin::captured("PermissionRequest-Bash-subagent"));
    let card = chat.await_card();
    assert!(card.text.contains("\n서브에이전트: general-purpose\n"), "{card:?}");
    chat.press(&card, Choice::Approve, JIN);
    hook.ended().decides(json!({ "behavior": "allow" }));
    chat.assert_clean();
}

fn every_captured_request_is_asked(chat: Chat) {
    let home = home(&chat);
    let requests = stdin::all().into_iter().filter(|name| name.starts_with("PermissionRequest-"));
    let requests: Vec<String> = requests.filter(|name| !name.ends_with("AskUserQuestion")).collect();
    assert!(requests.len() >= 16);
    for name in requests {
        let request = stdin::captured(&name);
        let hook = home.hook(&request);
        let card = chat.await_card();
        for value in request["tool_input"].as_object().unwrap().values().filter_map(Value::as_str) {
            // A plan's titles are drawn.
            for line in value.lines().map(|line| line.trim_start_matches("# ")) {
                assert!(card.text.contains(line), "{name} shows {line:?}: {card:?}");
            }
        }
        chat.press(&card, Choice::Approve, JIN);
        assert_eq!(hook.ended().decision()["behavior"], "allow", "{name}");
        chat.await_retired(&card, "✅");
    }
    chat.assert_clean();
}

fn every_other_captured_event_is_silent_and_reaches_nobody(chat: Chat) {
    let home = home(&chat);
    let events: Vec<String> = stdin::all().into_iter().filter(|name| !name.starts_with("PermissionRequest")).collect();
    assert!(events.len() >= 30);
    for names in events.chunks(6) {
        let hooks: Vec<_> = names.iter().map(|name| home.hook(&stdin::captured(name))).collect();
        hooks.into_iter().for_each(|hook| hook.ended().is_silent());
    }
    home.hook(&json!({ "hook_event_name": "SomethingNew", "more": [1] })).ended().is_silent();
    assert!(chat.wire().calls().is_empty());
    assert!(!home.state().exists(), "an event leaves nothing behind where nobody was ever asked");
}

fn long_input_arrives_whole_as_a_file(chat: Chat) {
    let home = home(&chat);
    let content: String = (0..40_000).map(|line| format!("{line:08}\n")).collect::<String>() + &"x".repeat(40_000);
    assert_eq!(content.len(), 400_000);
    let mut request = stdin::captured("PermissionRequest-Write");
    request["tool_input"]["content"] = json!(content);
    let hook = home.hook(&request);
    let card = chat.await_card();
    let files: Vec<_> = chat.messages().into_iter().flat_map(|message: Message| message.files).collect();
    let [(name, bytes)] = files.as_slice() else { panic!("one file: {files:?}") };
    let text = String::from_utf8(bytes.to_vec()).unwrap();
    assert!(text.contains(&content), "the whole of it");
    assert!(text.contains("/home/user/project/big.txt"));
    assert!(card.text.contains(name.as_str()) && card.text.contains("첨부 파일"), "{card:?}");
    assert!(card.text.contains("00000000\n"), "its beginning: {card:?}");
    chat.press(&card, Choice::Deny, JIN);
    chat.skip(JIN);
    hook.ended().denies("User rejected the request. (No reason provided)");
    chat.await_retired(&card, "❌");
    home.never_keeps("00031415\n00031416");
    chat.assert_clean();
}

fn what_a_screen_would_hide_or_reorder_is_visible(chat: Chat) {
    let home = home(&chat);
    let command = "echo safe\u{1b}[2K\u{1b}[1Grm -rf /\r\u{8}\u{0} a\u{202e}b\u{200b}c\u{2066}d";
    let mut request = stdin::bash("s", command);
    request["tool_input"]["description"] = json!("line one\nrequest_id: forged\u{202e}");
    request["cwd"] = json!("/home/user/\u{202e}project\n🔐 forged");
    let hook = home.hook(&request);
    let card = chat.await_card();
    let shown = "echo safe␛[2K␛[1Grm -rf /␍␈␀ a⟨U+202E⟩b⟨U+200B⟩c⟨U+2066⟩d";
    assert!(card.text.contains(shown), "{card:?}");
    assert!(card.text.contains("폴더: /home/user/⟨U+202E⟩project␊🔐 forged\n"), "{card:?}");
    assert!(card.text.chars().all(|c| c == '\n' || !c.is_control()), "{card:?}");
    chat.press(&card, Choice::Approve, JIN);
    hook.ended().decides(json!({ "behavior": "allow" }));
    chat.await_retired(&card, "✅");
    chat.assert_clean();
}

fn markup_is_shown_literally(chat: Chat) {
    let home = home(&chat);
    let hostile =
        "**b** _i_ __u__ ~~s~~ ||x|| `c` [a](https://x.example) <b>&amp;</b> <@1> @everyone :smile: \\ # > - 1.";
    let fences = "echo ```\nrm -rf / # ```` <pre>\n```";
    let mut request = stdin::bash("s", fences);
    request["tool_input"]["description"] = json!(hostile);
    request["cwd"] = json!(hostile);
    let hook = home.hook(&request);
    let card = chat.await_card();
    assert!(card.text.contains(&format!("폴더: {hostile}\n")), "{}", card.text);
    assert!(card.text.contains(&format!("description: {hostile}\n")), "{}", card.text);
    // Code that cannot be in a fence is in a quote, line by line.
    let unquoted = card.text.replace("\n> ", "\n");
    assert!(unquoted.contains(&format!("\n{fences}\n")), "{}", card.text);
    chat.press(&card, Choice::Deny, JIN);
    chat.await_prompt();
    chat.say(JIN, hostile);
    hook.ended().denies(&format!("User rejected the request. Reason: {hostile}"));
    let ended = chat.await_retired(&card, "❌ 거부됨");
    assert!(ended.text.contains(&format!("\n사유: {hostile}\n")), "{}", ended.text);
    chat.assert_clean();
}

fn stdin_that_is_no_event_is_one_line_on_stderr() {
    let home = bare_home();
    let request = String::from_utf8(stdin::line(&stdin::push())).unwrap();
    let cut = &request[..request.len() / 2];
    let twice = format!("{request}{request}");
    for blank in ["", "\n"] {
        let ended = home.hook_with(blank.as_bytes().to_vec()).ended();
        ended.decides_nothing();
        assert!(ended.complaint().ends_with("dmplz hook --help"), "{blank:?}: {ended:?}");
    }
    for bad in ["garbage", "null", "[]", "{}", "\u{feff}{}", r#"{"hook_event_name":7}"#, cut, &twice] {
        let ended = home.hook_with(bad.as_bytes().to_vec()).ended();
        ended.decides_nothing();
        let complaint = "the hook input is not the JSON object that Claude Code sends";
        assert!(ended.complaint().starts_with(complaint), "{bad:?}: {ended:?}");
    }
    let ended = home.hook_with(vec![0xff, 0xfe, b'{', b'}']).ended();
    ended.decides_nothing();
    ended.complaint();
}

fn stdin_of_more_than_2_mib_is_one_line_on_stderr() {
    let home = bare_home();
    let mut request = stdin::push();
    request["tool_input"]["command"] = json!("x".repeat(2 << 20));
    let ended = home.hook(&request).ended();
    ended.decides_nothing();
    assert_eq!(ended.complaint(), "the hook input is longer than 2 MiB, which nobody could look through");
}

fn request_that_cannot_be_read_is_denied_where_nobody_answering_is_a_deny() {
    let mut home = bare_home();
    home.set("DMPLZ_ON_EXPIRED", "deny");
    let mut request = stdin::push();
    request["tool_input"]["command"] = json!("x".repeat(2 << 20));
    home.hook(&request)
        .ended()
        .denies("The permission request could not be delivered, so it was not allowed. No user rejected it.");
}

fn request_without_its_tool_is_one_line_on_stderr() {
    let home = bare_home();
    for missing in ["tool_name", "tool_input"] {
        let mut request = stdin::push();
        request.as_object_mut().unwrap().remove(missing);
        let ended = home.hook(&request).ended();
        ended.decides_nothing();
        assert!(ended.complaint().contains(missing), "{ended:?}");
    }
}
