//! Cards that offer more than yes and no, as people read them.

mod questions;

use std::collections::HashSet;

use serde_json::{Value, json};

use self::questions::questions;
use super::*;
use crate::claude::{Answered, Scope, ToolCall};
use crate::flow::Draft;
use crate::messenger::Choice;
use crate::request::{Edits, Term};

const CWD: &str = "/home/user/project";

fn call(tool: &str, input: Value, suggestions: Value) -> ToolCall {
    let stdin = json!({
        "hook_event_name": "PermissionRequest", "tool_name": tool, "tool_input": input,
        "permission_suggestions": suggestions,
    });
    HookInput::parse(stdin.to_string().as_bytes()).unwrap().tool_call().unwrap()
}

fn rules(rules: &[&str]) -> Value {
    let rule = |rule: &&str| match rule.split_once('(') {
        Some((tool, content)) => json!({ "toolName": tool, "ruleContent": content.strip_suffix(')').unwrap() }),
        None => json!({ "toolName": rule }),
    };
    let rules: Vec<Value> = rules.iter().map(rule).collect();
    json!({ "type": "addRules", "rules": rules, "behavior": "allow", "destination": "localSettings" })
}

fn push() -> ToolCall {
    call("Bash", json!({ "command": "git push origin main" }), json!([rules(&["Bash(git push *)"])]))
}

fn sudo() -> ToolCall {
    call("Bash", json!({ "command": "sudo id" }), json!([rules(&["Bash(sudo *)"])]))
}

fn write() -> ToolCall {
    let mode = json!({ "type": "setMode", "mode": "acceptEdits", "destination": "session" });
    let folder = json!({ "type": "addDirectories", "directories": ["/data/x"], "destination": "session" });
    call("Write", json!({ "file_path": "/data/x/a", "content": "x" }), json!([mode, folder]))
}

fn shown(call: &ToolCall, form: &Form, lang: Lang, answering: Answering) -> String {
    let style = style(lang, answering);
    let offer = Offer { granted: call.tool == "Bash", ..Offer::of(call, CWD, &FirstWords) };
    let subject = Subject::of(call, ID, CWD, None, &session_grant(call, CWD, &FirstWords), lang);
    let cards = ask(Asking { subject: &subject, offer: &offer, form, tag: "T" }, style, 4096).unwrap();
    let [card] = cards.as_slice() else { panic!("one card") };
    let rows = |choice: &Choice| format!("{} {} {}: {}", choice.row, choice.emoji, choice.id, choice.label);
    let choices: Vec<String> = card.choices.iter().map(rows).collect();
    let text = plain(&Card { choices: Vec::new(), ..card.clone() });
    format!("{text}\n{}", choices.join("\n")).replace(&format!("\nrequest_id: {ID}"), "")
}

#[test]
fn always_names_its_rule_and_where_it_is_stored_as_the_scope_says() {
    let form = |scope| Form { scope, ..Form::default() };
    insta::assert_snapshot!(shown(&push(), &form(Scope::Local), Lang::Ko, Answering::Buttons), @"
    🔐 Claude Code 권한 요청: Bash
    ```
    git push origin main
    ```
    폴더: /home/user/project
    🔄 세션 허용 범위: Bash(git push *)
    💾 항상 허용하면 저장: Bash(git push *) → 이 프로젝트(나만), .claude/settings.local.json
    0 ✅ approve: ✅ 승인
    0 🔄 session: 🔄 세션 허용
    0 ❌ deny: ❌ 거부
    1 💾 always-local: 예, <Bash> 허용: 이 프로젝트(나만)
    2 🔄 scope-user: 🔄 범위: 이 프로젝트(나만)
    3 ⏳ grant-30m: ⏳ 같은 요청 30분 허용
    3 🕒 grant-session: 🕒 같은 요청 세션 동안 허용
    4 💬 tell: 💬 대신 할 일 알려주기
    ");
    insta::assert_snapshot!(shown(&push(), &form(Scope::User), Lang::En, Answering::Buttons), @"
    🔐 Claude Code asks for permission: Bash
    ```
    git push origin main
    ```
    Folder: /home/user/project
    🔄 For the session would allow: Bash(git push *)
    💾 Always would store: Bash(git push *) → all projects, ~/.claude/settings.json
    0 ✅ approve: ✅ Approve
    0 🔄 session: 🔄 For the session
    0 ❌ deny: ❌ Deny
    1 💾 always-user: Yes, allow <Bash> for all projects
    2 🔄 scope-project: 🔄 Scope: all projects
    3 ⏳ grant-30m: ⏳ Allow exactly this for 30 minutes
    3 🕒 grant-session: 🕒 Allow exactly this for the session
    4 💬 tell: 💬 Tell Claude what to do instead
    ");
    insta::assert_snapshot!(shown(&push(), &form(Scope::Local), Lang::En, Answering::Reactions), @"
    🔐 Claude Code asks for permission: Bash
    ```
    git push origin main
    ```
    Folder: /home/user/project
    🔄 For the session would allow: Bash(git push *)
    💾 Always would store: Bash(git push *)
    Stored in: 💾 this project (just you), .claude/settings.local.json · 🌐 all projects, ~/.claude/settings.json · 👥 this project (shared), .claude/settings.json
    Answer with a reaction: ✅ Approve · 🔄 For the session · ❌ Deny · 💾 Yes, always allow for this project (just you) · 🌐 Yes, always allow for all projects · 👥 Yes, always allow for this project (shared) · ⏳ Allow exactly this for 30 minutes · 💬 Tell Claude what to do instead
    0 ✅ approve: ✅ Approve
    0 🔄 session: 🔄 For the session
    0 ❌ deny: ❌ Deny
    1 💾 always-local: 💾 Yes, always allow for this project (just you)
    1 🌐 always-user: 🌐 Yes, always allow for all projects
    1 👥 always-project: 👥 Yes, always allow for this project (shared)
    3 ⏳ grant-30m: ⏳ Allow exactly this for 30 minutes
    4 💬 tell: 💬 Tell Claude what to do instead
    ");
    insta::assert_snapshot!(shown(&write(), &form(Scope::Project), Lang::En, Answering::Buttons), @"
    🔐 Claude Code asks for permission: Write
    /data/x/a
    ```
    x
    ```
    Folder: /home/user/project
    🔄 For the session would allow: accepting edits automatically (acceptEdits), folder /data/x
    💾 Always would store: accepting edits automatically (acceptEdits) → this session
    💾 Always would store: folder /data/x → this project (shared), .claude/settings.json
    0 ✅ approve: ✅ Approve
    0 🔄 session: 🔄 For the session
    0 ❌ deny: ❌ Deny
    1 💾 always-project: Yes, allow access to 1 directory for this project (shared)
    2 🔄 scope-session: 🔄 Scope: this project (shared)
    4 💬 tell: 💬 Tell Claude what to do instead
    ");
    insta::assert_snapshot!(shown(&write(), &form(Scope::Session), Lang::Ko, Answering::Reactions), @"
    🔐 Claude Code 권한 요청: Write
    /data/x/a
    ```
    x
    ```
    폴더: /home/user/project
    🔄 세션 허용 범위: 편집 자동 승인 모드(acceptEdits), 폴더 /data/x
    💾 항상 허용하면 저장: 편집 자동 승인 모드(acceptEdits) → 이 세션
    💾 항상 허용하면 저장: 폴더 /data/x
    저장할 곳: 💾 이 프로젝트(나만), .claude/settings.local.json · 🌐 모든 프로젝트, ~/.claude/settings.json · 👥 이 프로젝트(공유), .claude/settings.json
    리액션으로 답해주세요: ✅ 승인 · 🔄 세션 허용 · ❌ 거부 · 💾 예, 항상 허용: 이 프로젝트(나만) · 🌐 예, 항상 허용: 모든 프로젝트 · 👥 예, 항상 허용: 이 프로젝트(공유) · 💬 대신 할 일 알려주기
    0 ✅ approve: ✅ 승인
    0 🔄 session: 🔄 세션 허용
    0 ❌ deny: ❌ 거부
    1 💾 always-local: 💾 예, 항상 허용: 이 프로젝트(나만)
    1 🌐 always-user: 🌐 예, 항상 허용: 모든 프로젝트
    1 👥 always-project: 👥 예, 항상 허용: 이 프로젝트(공유)
    4 💬 tell: 💬 대신 할 일 알려주기
    ");
}

#[test]
fn what_reaches_further_is_shown_as_such_and_stored_only_when_somebody_asks_for_it() {
    let input = json!({ "command": "python3 x.py && git push" });
    let call = call("Bash", input, json!([rules(&["Bash(python3 *)", "Bash(git push *)"])]));
    let all = sudo();
    let broad = Form { broad: true, ..Form::default() };
    insta::assert_snapshot!(shown(&call, &Form::default(), Lang::Ko, Answering::Buttons), @"
    🔐 Claude Code 권한 요청: Bash
    ```
    python3 x.py && git push
    ```
    폴더: /home/user/project
    🔄 세션 허용 범위: Bash(git push *)
    💾 항상 허용하면 저장: Bash(git push *) → 이 프로젝트(나만), .claude/settings.local.json
    ⚠️ 이 요청보다 넓은 규칙이라 항상 허용에서 제외: Bash(python3 *) (어떤 코드든 실행할 수 있음)
    0 ✅ approve: ✅ 승인
    0 🔄 session: 🔄 세션 허용
    0 ❌ deny: ❌ 거부
    1 💾 always-local: 예, <Bash> 허용: 이 프로젝트(나만)
    2 🔄 scope-user: 🔄 범위: 이 프로젝트(나만)
    2 🔓 widen: 🔓 넓은 규칙도 포함
    3 ⏳ grant-30m: ⏳ 같은 요청 30분 허용
    3 🕒 grant-session: 🕒 같은 요청 세션 동안 허용
    4 💬 tell: 💬 대신 할 일 알려주기
    ");
    insta::assert_snapshot!(shown(&call, &broad, Lang::En, Answering::Buttons), @"
    🔐 Claude Code asks for permission: Bash
    ```
    python3 x.py && git push
    ```
    Folder: /home/user/project
    🔄 For the session would allow: Bash(git push *)
    💾 Always would store: Bash(python3 *) → this project (just you), .claude/settings.local.json
    💾 Always would store: Bash(git push *) → this project (just you), .claude/settings.local.json
    ⚠️ Allows more than this request, and Always now includes it: Bash(python3 *) (it runs any code)
    0 ✅ approve: ✅ Approve
    0 🔄 session: 🔄 For the session
    0 ❌ deny: ❌ Deny
    1 💾 always-local-w: Yes, allow <Bash> for this project (just you)
    2 🔄 scope-user: 🔄 Scope: this project (just you)
    2 🔒 narrow: 🔒 Leave out broader rules
    3 ⏳ grant-30m: ⏳ Allow exactly this for 30 minutes
    3 🕒 grant-session: 🕒 Allow exactly this for the session
    4 💬 tell: 💬 Tell Claude what to do instead
    ");
    insta::assert_snapshot!(shown(&all, &Form::default(), Lang::En, Answering::Reactions), @"
    🔐 Claude Code asks for permission: Bash
    ```
    sudo id
    ```
    Folder: /home/user/project
    🔄 For the session would allow: Bash(sudo id)
    ⚠️ Allows more than this request, so Always leaves it out: Bash(sudo *) (it starts any other command)
    Answer with a reaction: ✅ Approve · 🔄 For the session · ❌ Deny · 🔓 Include broader rules · ⏳ Allow exactly this for 30 minutes · 💬 Tell Claude what to do instead
    0 ✅ approve: ✅ Approve
    0 🔄 session: 🔄 For the session
    0 ❌ deny: ❌ Deny
    2 🔓 widen: 🔓 Include broader rules
    3 ⏳ grant-30m: ⏳ Allow exactly this for 30 minutes
    4 💬 tell: 💬 Tell Claude what to do instead
    ");
    insta::assert_snapshot!(shown(&all, &broad, Lang::Ko, Answering::Reactions), @"
    🔐 Claude Code 권한 요청: Bash
    ```
    sudo id
    ```
    폴더: /home/user/project
    🔄 세션 허용 범위: Bash(sudo id)
    💾 항상 허용하면 저장: Bash(sudo *)
    저장할 곳: 💾 이 프로젝트(나만), .claude/settings.local.json · 🌐 모든 프로젝트, ~/.claude/settings.json · 👥 이 프로젝트(공유), .claude/settings.json
    ⚠️ 이 요청보다 넓은 규칙이지만 항상 허용에 포함: Bash(sudo *) (다른 어떤 명령이든 실행할 수 있음)
    리액션으로 답해주세요: ✅ 승인 · 🔄 세션 허용 · ❌ 거부 · 💾 예, 항상 허용: 이 프로젝트(나만) · 🌐 예, 항상 허용: 모든 프로젝트 · 👥 예, 항상 허용: 이 프로젝트(공유) · 🔒 넓은 규칙 제외 · ⏳ 같은 요청 30분 허용 · 💬 대신 할 일 알려주기
    0 ✅ approve: ✅ 승인
    0 🔄 session: 🔄 세션 허용
    0 ❌ deny: ❌ 거부
    1 💾 always-local-w: 💾 예, 항상 허용: 이 프로젝트(나만)
    1 🌐 always-user-w: 🌐 예, 항상 허용: 모든 프로젝트
    1 👥 always-project-w: 👥 예, 항상 허용: 이 프로젝트(공유)
    2 🔒 narrow: 🔒 넓은 규칙 제외
    3 ⏳ grant-30m: ⏳ 같은 요청 30분 허용
    4 💬 tell: 💬 대신 할 일 알려주기
    ");
}

#[test]
fn a_plan_has_three_answers() {
    let plan = call("ExitPlanMode", json!({ "plan": "# P\n1. do *A*" }), json!([]));
    insta::assert_snapshot!(shown(&plan, &Form::default(), Lang::Ko, Answering::Buttons), @"
    📋 Claude Code 계획 승인 요청
    ▪ P
    1. do *A*
    폴더: /home/user/project
    0 ⏩ auto-accept: ⏩ 예, 편집은 자동 승인
    1 ✅ manual: ✅ 예, 편집은 하나씩 승인
    2 ❌ deny: ❌ 아니요, 계획 계속
    ");
    insta::assert_snapshot!(shown(&plan, &Form::default(), Lang::En, Answering::Reactions), @"
    📋 Claude Code asks to approve a plan
    ▪ P
    1. do *A*
    Folder: /home/user/project
    Answer with a reaction: ⏩ Yes, and auto-accept · ✅ Yes, and manually approve edits · ❌ No, keep planning
    0 ⏩ auto-accept: ⏩ Yes, and auto-accept
    1 ✅ manual: ✅ Yes, and manually approve edits
    2 ❌ deny: ❌ No, keep planning
    ");
}

#[test]
fn the_label_of_always_is_that_of_the_seed() {
    let label = |suggestions: Value, scope, lang| {
        let call = call("Bash", json!({ "command": "git push; ls; npm test" }), suggestions);
        let offer = Offer::of(&call, CWD, &FirstWords);
        always::label(&offer, &Form { scope, broad: true, ..Form::default() }, lang)
    };
    let tool = |name: &str| rules(&[&format!("{name}(x)")]);
    let long = format!("mcp__{}", "server".repeat(20));
    let folders =
        |folders: &[&str]| json!({ "type": "addDirectories", "directories": folders, "destination": "session" });
    let mode = json!({ "type": "setMode", "mode": "acceptEdits", "destination": "session" });
    let cases = [
        (json!([tool("Bash")]), Scope::Local),
        (json!([tool("Bash"), tool("Bash"), tool("Write")]), Scope::User),
        (json!([tool("Bash"), tool("Write"), tool("Read"), tool("WebFetch")]), Scope::Project),
        (json!([tool(&long)]), Scope::Project),
        (json!([tool(&long), tool(&format!("{long}2"))]), Scope::Project),
        (json!([folders(&["/data/a"])]), Scope::Session),
        (json!([folders(&["/data/a", "/data/b"]), tool("Bash")]), Scope::Local),
        (json!([mode]), Scope::Local),
    ];
    let labels = cases.into_iter().flat_map(|(suggestions, scope)| {
        [Lang::En, Lang::Ko].map(|lang| {
            let label = label(suggestions.clone(), scope, lang);
            assert!(units(&label) <= 64, "{label}");
            label
        })
    });
    insta::assert_snapshot!(labels.collect::<Vec<_>>().join("\n"), @"
    Yes, allow <Bash> for this project (just you)
    예, <Bash> 허용: 이 프로젝트(나만)
    Yes, allow <Bash> and <Write> for all projects
    예, <Bash> 및 <Write> 허용: 모든 프로젝트
    Yes, allow <Bash> and 3 more for this project (shared)
    예, <Bash> 외 3개 허용: 이 프로젝트(공유)
    Yes, allow <mcp__serverserverservers…> for this project (shared)
    예, <mcp__serverserverserverserverserverserverse…> 허용: 이 프로젝트(공유)
    Yes, allow <mcp__ser…> and <mcp__ser…> for this project (shared)
    예, <mcp__serverservers…> 및 <mcp__serverservers…> 허용: 이 프로젝트(공유)
    Yes, allow access to 1 directory for this session
    예, 폴더 1개 접근 허용: 이 세션
    Yes, allow access to 2 directories for this project (just you)
    예, 폴더 2개 접근 허용: 이 프로젝트(나만)
    Yes, always allow for this session
    예, 항상 허용: 이 세션
    ");
}

#[test]
fn every_choice_fits_a_button_and_every_reaction_is_another_one() {
    let odd = rules(&["Bash(git push *)", "Bash(bash *)", "mcp__x__y"]);
    let calls = [push(), write(), questions(), call("Bash", json!({ "command": "git push" }), json!([odd]))];
    for (call, lang, answering, broad, question) in calls.iter().flat_map(|call| {
        [Lang::Ko, Lang::En].into_iter().flat_map(move |lang| {
            [Answering::Buttons, Answering::Reactions].into_iter().flat_map(move |answering| {
                [false, true].into_iter().flat_map(move |broad| (0..3).map(move |n| (call, lang, answering, broad, n)))
            })
        })
    }) {
        let offer = Offer { granted: true, ..Offer::of(call, CWD, &FirstWords) };
        let drafts = vec![Draft { options: vec![0], text: None }, Draft { options: vec![0], text: Some("x".into()) }];
        let form = Form { broad, question, drafts, ..Form::default() }.fitting(&offer);
        let all = choices(style(lang, answering), &offer, &form);
        for choice in &all {
            let field = choice.field.as_ref();
            assert!(units(&choice.label) <= 64 && choice.row < 5, "{choice:?}");
            assert!(crate::flow::Action::parse(&choice.id).is_some(), "{choice:?}");
            assert!(field.is_none_or(|it| units(&it.title) <= 45 && units(&it.label) <= 45 && it.max <= 4000));
            assert!(all.iter().filter(|other| other.row == choice.row).count() <= 5);
        }
        let emoji: HashSet<&str> = all.iter().map(|choice| choice.emoji.as_str()).collect();
        assert!(answering == Answering::Buttons || emoji.len() == all.len(), "{all:?}");
        let rows: Vec<u8> = all.iter().map(|choice| choice.row).collect();
        assert!(answering == Answering::Reactions || rows.is_sorted(), "{rows:?}");
    }
}

#[test]
fn a_final_state_says_how_far_it_reaches() {
    let user = User { id: "7".into(), name: "Ann".into(), is_bot: false };
    let by = Approvers::owner("chat", "7").admit(&user).unwrap();
    let answers = vec![
        Answered { question: "Which color?".into(), labels: vec!["Blue".into()], text: None },
        Answered {
            question: "Which sizes?".into(),
            labels: vec!["S".into(), "L".into()],
            text: Some("XL\u{7}".into()),
        },
    ];
    let scopes = [
        ApprovalScope::Always { scope: Scope::User, broad: false },
        ApprovalScope::Plan { edits: Edits::AutoAccept },
        ApprovalScope::Plan { edits: Edits::Manual },
        ApprovalScope::Answers { answers },
        ApprovalScope::Granted { term: Term::HalfHour },
        ApprovalScope::Granted { term: Term::Session },
    ];
    let approved = scopes.into_iter().map(|scope| Outcome::Approved { by: by.clone(), scope });
    let instead = Outcome::RejectedWithReason { by: by.clone(), reason: "use a branch".into(), instead: true };
    let outcomes: Vec<Outcome> = approved.chain([instead]).collect();
    let told = |lang| {
        let told = |outcome: &Outcome| {
            Ended::of(outcome, false, "10:00", lang)
                .storing(outcome, &Offer::of(&write(), CWD, &FirstWords), lang)
                .told("T")
        };
        outcomes.iter().map(told).collect::<Vec<_>>().join("\n")
    };
    insta::assert_snapshot!(told(Lang::Ko), @"
    💾 항상 허용됨: T · 저장: 편집 자동 승인 모드(acceptEdits) → 이 세션 · 저장: 폴더 /data/x → 모든 프로젝트, ~/.claude/settings.json · Ann · 10:00
    ✅ 승인됨: T · 이후 편집은 자동으로 승인됩니다. · Ann · 10:00
    ✅ 승인됨: T · 이후 편집은 하나씩 승인합니다. · Ann · 10:00
    📨 답변함: T · Which color?␊→ Blue · Which sizes?␊→ S, L, XL␇ · Ann · 10:00
    ✅ 승인됨: T · ⏳ 같은 요청은 30분 동안 묻지 않고 허용됩니다. · Ann · 10:00
    ✅ 승인됨: T · 🕒 같은 요청은 이 세션이 끝날 때까지 묻지 않고 허용됩니다. · Ann · 10:00
    ❌ 거부됨: T · 대신 할 일: use a branch · Ann · 10:00
    ");
    insta::assert_snapshot!(told(Lang::En), @"
    💾 Always allowed: T · Stored: accepting edits automatically (acceptEdits) → this session · Stored: folder /data/x → all projects, ~/.claude/settings.json · Ann · 10:00
    ✅ Approved: T · Edits are accepted automatically from now on. · Ann · 10:00
    ✅ Approved: T · Edits are approved one by one from now on. · Ann · 10:00
    📨 Answered: T · Which color?␊→ Blue · Which sizes?␊→ S, L, XL␇ · Ann · 10:00
    ✅ Approved: T · ⏳ Exactly this is allowed for 30 minutes without asking. · Ann · 10:00
    ✅ Approved: T · 🕒 Exactly this is allowed without asking until the session ends. · Ann · 10:00
    ❌ Denied: T · Instead: use a branch · Ann · 10:00
    ");
}

#[test]
fn what_is_asked_for_in_words_depends_on_what_was_pressed() {
    let plan = Offer { plan: true, ..Offer::default() };
    let line = |wanted, lang| {
        let card = prompt(style(lang, Answering::Buttons), "T", wanted, 60_000, "n/a", None);
        plain(&card).lines().next().unwrap().to_owned()
    };
    let wanted = [Wanted::of(&plan, false), Wanted::of(&Offer::default(), true), Wanted::of(&plan, true)];
    let answer = |lang| plain(&answer_prompt(style(lang, Answering::Buttons), "T", "Which\u{202e} color?", None));
    let all = |lang| wanted.map(|wanted| line(wanted, lang)).into_iter().chain([answer(lang)]).collect::<Vec<_>>();
    insta::assert_snapshot!(all(Lang::Ko).join("\n"), @"
    계획에서 바꿀 점을 입력해주세요 (선택).
    Claude가 대신 할 일을 입력해주세요 (선택).
    Claude가 대신 할 일을 입력해주세요 (선택).
    답을 입력해주세요: Which⟨U+202E⟩ color?
    ");
    insta::assert_snapshot!(all(Lang::En).join("\n"), @"
    Please write what to change in the plan (optional).
    Please write what Claude should do instead (optional).
    Please write what Claude should do instead (optional).
    Please write your answer: Which⟨U+202E⟩ color?
    ");
}

/// Returns the ids of the choices on a page, and the page that its last choice shows.
fn page(call: &ToolCall, page: usize, most: usize, answering: Answering) -> (Vec<String>, usize) {
    let mut style = style(Lang::En, answering);
    style.limits.choices = most;
    let offer = Offer { granted: call.tool == "Bash", ..Offer::of(call, CWD, &FirstWords) };
    let form = Form { page, ..Form::default() }.fitting(&offer);
    let ids: Vec<String> = choices(style, &offer, &form).into_iter().map(|choice| choice.id).collect();
    let next = ids.iter().find_map(|id| id.strip_prefix("more-")).map_or(0, |next| next.parse::<usize>().unwrap() - 1);
    (ids, next)
}

#[test]
fn a_messenger_that_shows_few_choices_gets_them_page_by_page_with_the_refusal_on_each() {
    for (call, answering) in [
        (push(), Answering::Buttons),
        (sudo(), Answering::Buttons),
        (questions(), Answering::Buttons),
        (questions(), Answering::Reactions),
    ] {
        let (all, _) = page(&call, 0, usize::MAX, answering);
        for most in 3..=all.len() {
            let (mut at, mut seen) = (0, HashSet::new());
            loop {
                let (ids, next) = page(&call, at, most, answering);
                assert!(ids.len() <= most && ids.iter().any(|id| id == "deny"), "{most}: {ids:?}");
                assert!(ids.iter().any(|id| *id != "deny" && !id.starts_with("more-")), "{most}: {ids:?}");
                seen.extend(ids.into_iter().filter(|id| !id.starts_with("more-")));
                at = next;
                if at == 0 {
                    break;
                }
            }
            assert_eq!(seen, all.iter().cloned().collect(), "{most}");
        }
    }
    let shown = [0, 1, 6, 7].map(|at| page(&push(), at, 3, Answering::Buttons).0.join(" "));
    assert_eq!(shown, ["approve deny more-2", "session deny more-3", "deny tell more-1", "approve deny more-2"]);
}
