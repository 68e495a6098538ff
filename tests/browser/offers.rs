//! An answer from the page reaches as far as one from a card, and never further than what stood above the button.

use dmplz_e2e::stdin;
use serde_json::{Value, json};

use crate::gateway::Gateway;
use crate::page::{DESKTOP, PHONE, Page};

tests! {
    browser:
        always_stores_the_rule_that_was_shown_where_it_was_chosen,
        broader_rules_are_stored_only_once_they_are_ticked,
        a_plan_is_read_and_approved_in_three_ways,
        a_plan_of_a_stranger_is_text,
        questions_are_answered_one_by_one_and_looked_over,
        telling_claude_what_to_do_instead_denies,
        a_half_filled_form_outlives_a_reload_and_learns_who_was_first;
}

const ENGLISH: &[(&str, &str)] = &[("DMPLZ_LANG", "en")];

fn rule(content: &str, destination: &str) -> Value {
    let rule = json!({ "toolName": "Bash", "ruleContent": content });
    json!({ "type": "addRules", "rules": [rule], "behavior": "allow", "destination": destination })
}

async fn pick(page: &Page, scope: &str) {
    let pick = format!(
        "(() => {{ const it = document.querySelector('#scope'); it.value = '{scope}'; it.dispatchEvent(new Event('change')); return it.value; }})()"
    );
    assert_eq!(page.value(&pick).await, json!(scope));
}

async fn always_stores_the_rule_that_was_shown_where_it_was_chosen() {
    let gateway = Gateway::with(ENGLISH);
    let page = Page::paired(&gateway, PHONE).await;
    let hook = gateway.hook(&stdin::push());
    page.click(".rows button").await;
    page.shows(".always .rules", "Bash(git push *)").await;
    page.shows(".always .rules", ".claude/settings.local.json").await;
    page.shows(".always .keep", "Yes, allow Bash for this project (just you)").await;
    pick(&page, "projectSettings").await;
    page.shows(".always .keep", "Yes, allow Bash for this project (shared)").await;
    page.click(".always .keep").await;
    let permissions = [rule("git push *", "projectSettings")];
    hook.ended().decides(json!({ "behavior": "allow", "updatedPermissions": permissions }));
    page.shows(".rows [data-status=ended]", "Always allowed · you").await;
    page.go("history").await;
    page.click(".past summary").await;
    page.shows(".past .reach", "Always allowed for this project (shared) · .claude/settings.json").await;
    page.close().await;
}

async fn broader_rules_are_stored_only_once_they_are_ticked() {
    let gateway = Gateway::with(ENGLISH);
    let page = Page::paired(&gateway, DESKTOP).await;
    let mut asked = stdin::bash("one", "python3 tools/report.py");
    asked["permission_suggestions"] = json!([rule("python3 *", "localSettings")]);
    let hook = gateway.hook(&asked);
    page.shows(".always .wider", "Bash(python3 *)").await;
    page.shows(".always .wider", "These allow more than this request").await;
    page.until("nothing to press", "document.querySelector('.always .keep').disabled").await;
    page.write("ww").await;
    page.click("#broad").await;
    page.shows(".always .keep", "(with broader rules)").await;
    page.click(".always .keep").await;
    let permissions = [rule("python3 *", "localSettings")];
    hook.ended().decides(json!({ "behavior": "allow", "updatedPermissions": permissions }));
    page.close().await;
}

async fn a_plan_is_read_and_approved_in_three_ways() {
    let gateway = Gateway::with(ENGLISH);
    let page = Page::paired(&gateway, DESKTOP).await;
    let asked = |session: &str| {
        let mut plan = stdin::captured("PermissionRequest-ExitPlanMode");
        plan["session_id"] = json!(session);
        plan["tool_input"]["plan"] = json!("# Faster\n\n- an **index**\n\n```sql\nSELECT 1;\n```\n");
        plan
    };
    let hook = gateway.hook(&asked("one"));
    page.until("its heading in the list", "document.querySelector('.rows .what')?.textContent === 'Faster'").await;
    page.shows(".part.plan h3", "Faster").await;
    page.shows(".part.plan li strong", "index").await;
    page.shows(".part.plan pre code", "SELECT 1;").await;
    assert_eq!(page.count(".actions [data-decision=approve]").await, 0);
    page.click("[data-decision=auto-accept]").await;
    let decision = hook.answer();
    assert!(decision.to_string().contains("acceptEdits"), "{decision}");
    let hook = gateway.hook(&asked("two"));
    page.click("[data-decision=manual]").await;
    let decision = hook.answer();
    assert_eq!(decision["hookSpecificOutput"]["decision"]["behavior"], "allow", "{decision}");
    assert!(!decision.to_string().contains("acceptEdits"), "{decision}");
    let hook = gateway.hook(&asked("three"));
    page.click("[data-decision=deny]").await;
    page.until("the field", "document.activeElement?.id === 'reason'").await;
    page.write("leave the tables\n").await;
    let decision = hook.answer();
    assert_eq!(decision["hookSpecificOutput"]["decision"]["behavior"], "deny", "{decision}");
    assert!(decision.to_string().contains("leave the tables"), "{decision}");
    page.close().await;
}

async fn a_plan_of_a_stranger_is_text() {
    let gateway = Gateway::with(ENGLISH);
    let page = Page::paired(&gateway, DESKTOP).await;
    let bomb = "<img src=x onerror=alert(1)>";
    let mut plan = stdin::captured("PermissionRequest-ExitPlanMode");
    plan["tool_input"]["plan"] = json!(format!(
        "# {bomb}\n\n[click](javascript:alert(1)) ![x](http://127.0.0.1:9/x.png)\n\n> {bomb}\n\n| a | b |\n\n\u{202e}evil\n\n```\n{bomb}\nunclosed"
    ));
    let _hook = gateway.hook(&plan);
    page.shows(".part.plan h3", bomb).await;
    page.shows(".part.plan p", "javascript:alert(1").await;
    page.shows(".part.plan p", "http://127.0.0.1:9/x.png").await;
    page.shows(".part.plan blockquote", bomb).await;
    page.shows(".part.plan", "⟨U+202E⟩evil").await;
    page.shows(".part.plan pre", "unclosed").await;
    assert_eq!(page.count(".card a, .card img").await, 0);
    page.close().await;
}

async fn questions_are_answered_one_by_one_and_looked_over() {
    let gateway = Gateway::with(ENGLISH);
    let page = Page::paired(&gateway, PHONE).await;
    let mut asked = stdin::captured("PermissionRequest-AskUserQuestion");
    asked["tool_input"]["questions"][0]["options"][0]["label"] = json!("<b>Red</b>");
    let hook = gateway.hook(&asked);
    page.click(".rows button").await;
    page.shows(".question .asked", "Which color?").await;
    page.shows(".question .option", "<b>Red</b>").await;
    page.shows(".question .means", "a cold color").await;
    page.click(".option input[value='1']").await;
    page.click(".next-step").await;
    page.shows(".question .asked", "Which toppings?").await;
    page.click(".option input[value='0']").await;
    page.click("#own-words").await;
    page.write("olives").await;
    page.click(".next-step").await;
    page.shows(".question .answers", "olives").await;
    page.click(".back-step").await;
    page.shows(".question .asked", "Which toppings?").await;
    page.click(".next-step").await;
    page.click("[data-decision=answers]").await;
    let decision = hook.answer();
    let answers = &decision["hookSpecificOutput"]["decision"]["updatedInput"]["answers"];
    assert_eq!(answers["Which color?"], "Blue", "{decision}");
    assert!(answers["Which toppings?"].to_string().contains("olives"), "{decision}");
    page.go("history").await;
    page.click(".past summary").await;
    page.shows(".past .answers", "Blue").await;
    page.shows(".past .answers", "olives").await;
    page.close().await;
}

async fn telling_claude_what_to_do_instead_denies() {
    let gateway = Gateway::with(ENGLISH);
    let page = Page::paired(&gateway, DESKTOP).await;
    let hook = gateway.hook(&stdin::push());
    page.click("[data-decision=tell]").await;
    page.until("nothing to send", "document.querySelector('.reason .deny').disabled").await;
    page.write("run the tests first\n").await;
    hook.ended().denies("User rejected the request and said what to do instead: run the tests first");
    page.close().await;
}

async fn a_half_filled_form_outlives_a_reload_and_learns_who_was_first() {
    let gateway = Gateway::with(ENGLISH);
    let (first, second) = (Page::paired(&gateway, DESKTOP).await, Page::paired(&gateway, DESKTOP).await);
    let hook = gateway.hook(&stdin::push());
    first.shows(".always .rules", "Bash(git push *)").await;
    pick(&first, "userSettings").await;
    first.click("[data-decision=tell]").await;
    first.write("half a sente").await;
    first.value("location.reload()").await;
    first.online().await;
    first.until("the words", "document.querySelector('#reason')?.value === 'half a sente'").await;
    first.shows(".always .rules", "~/.claude/settings.json").await;
    second.click(".actions .approve").await;
    hook.ended().decides(json!({ "behavior": "allow" }));
    first.shows(".card .ending .who", "ada answered first, on Web.").await;
    assert_eq!(first.count(".card textarea, .card .always").await, 0);
    assert_eq!(first.value("sessionStorage.length").await, json!(0));
    first.close().await;
    second.close().await;
}
