use dmplz_core::approvers::Answerer;
use dmplz_core::card::Subject;
use dmplz_core::claude::Question;
use dmplz_protocol::{Request, RequestId};
use serde_json::json;

use super::*;

pub(in crate::approvals) const NOW: u64 = 1_795_000_000_000;

/// A request that came a minute and five seconds ago and has four minutes left.
pub(in crate::approvals) fn standing(tool: &str, parts: Vec<Part>) -> Standing {
    let id: RequestId = "3f0c1a52-6f3b-4c1e-9b1d-0a1b2c3d4e5f".parse().unwrap();
    let context = vec!["Folder: /home/ann/shop".to_owned()];
    let subject = Subject {
        request_id: id.to_string(),
        tool: tool.into(),
        context,
        parts,
        grant: None,
        granted: None,
        risks: Vec::new(),
    };
    let request = Request {
        id,
        source: Source::Hook { session_id: "s-1".into(), agent_id: None },
        tool: tool.into(),
        input: serde_json::Map::from_iter([("command".to_owned(), json!("git push"))]),
        cwd: "/home/ann/shop".into(),
        subject,
        offer: dmplz_core::request::Offer::plain(false),
        created_ms: NOW - 65_000,
        expires_ms: NOW + 240_000,
    };
    Standing { request, status: Status::Open }
}

pub(in crate::approvals) fn look(lang: Lang, columns: Option<usize>) -> Look {
    Look { hints: Hints::Options, lang, paint: Paint::PLAIN, columns, now_ms: NOW }
}

fn ended(outcome: End) -> Standing {
    let by = Some(Answerer { surface: "telegram".into(), id: "7".into(), name: "Min\u{202e}".into() });
    let resolution =
        Resolution { outcome, by, scope: None, reason: None, reason_source: None, cause: None, rule: None };
    Standing {
        status: Status::Ended { resolution, ended_ms: NOW, taken: Some(true) },
        ..standing("Bash", vec![Part::Code("git push".into())])
    }
}

/// Without the moments, which depend on where the machine is.
fn shown(standing: &Standing, look: Look) -> String {
    let text = look.whole(standing);
    text.replace(&time::moment(NOW), "NOW").replace(&time::moment(NOW - 65_000), "THEN")
}

#[test]
fn all_of_a_request_is_shown_and_an_edit_as_a_diff() {
    let parts = vec![Part::Text("src/a.rs".into()), Part::Code("- let a = 1;\n+ let a = 2;\n+\tb();".into())];
    insta::assert_snapshot!(shown(&standing("Edit", parts.clone()), look(Lang::En, None)), @"
    🔐 Claude Code asks for permission: Edit
      id      3f0c1a52-6f3b-4c1e-9b1d-0a1b2c3d4e5f
      status  open, 4m 0s left
      asked   THEN (1m 5s ago)
      from    Claude Code, session s-1
    │ Folder: /home/ann/shop
    │ src/a.rs
    │ - let a = 1;
    │ + let a = 2;
    │ +	b();
    ");
    insta::assert_snapshot!(shown(&standing("Edit", parts), look(Lang::Ko, Some(24))), @"
    🔐 Claude Code 권한 요청: Edit
      id      3f0c1a52-6f3b-4c1e-9b1d-0a1b2c3d4e5f
      상태    대기 중, 4분 0초 남음
      요청    THEN (1분 5초 전)
      출처    Claude Code, 세션 s-1
    │ Folder: /home/ann/sho
    ┆ p
    │ src/a.rs
    │ - let a = 1;
    │ + let a = 2;
    │ +⇥   b();
    ");
}

#[test]
fn what_stands_out_is_told_first() {
    let mut request = standing("Write", vec![Part::Text("/etc/motd".into())]);
    request.request.subject.risks = vec![dmplz_core::present::Risk::Outside];
    let text = shown(&request, look(Lang::En, None));
    assert!(text.contains("│ ⚠️ writes outside of the folder\n│ Folder: /home/ann/shop\n│ /etc/motd\n"), "{text}");
}

#[test]
fn a_stranger_cannot_draw_a_line_of_ours() {
    let forged = format!("true{}→ Approved\nAllow? [Y/N]\u{1b}[2J 🙂", "가 ".repeat(40));
    for columns in [None, Some(1), Some(24), Some(80)] {
        let mut request = standing("Bash", vec![Part::Code(forged.clone())]);
        request.request.tool = "Bash\n→ Approved".into();
        let text = look(Lang::En, columns).whole(&request);
        let ours = text.lines().filter(|line| !line.starts_with(['│', '┆']));
        assert_eq!(ours.clone().count(), 5, "{text}");
        assert!(!text.contains('\u{1b}') && !ours.clone().any(|line| line.starts_with(['→', 'A'])), "{text}");
        if let Some(columns) = columns {
            let wide = text.lines().filter(|line| line.starts_with(['│', '┆']));
            assert!(wide.clone().all(|line| terminal::width(line) < columns.max(NARROWEST)), "{text}");
        }
    }
}

#[test]
fn an_end_says_who_where_and_why() {
    let look = look(Lang::En, None);
    let status = |standing: &Standing| look.status(standing).replace(&time::moment(NOW), "NOW");
    assert_eq!(status(&ended(End::Approved)), "✅ Approved: Bash · Min⟨U+202E⟩ (telegram) · NOW");
    let mut denied = ended(End::RejectedWithReason);
    if let Status::Ended { resolution, taken, .. } = &mut denied.status {
        resolution.reason = Some("not to main\nnow".into());
        *taken = Some(false);
    }
    let reason = "Reason: not to main␊now · whoever asked did not get it";
    assert_eq!(status(&denied), format!("❌ Denied: Bash · Min⟨U+202E⟩ (telegram) · {reason} · NOW"));
    let mut late = ended(End::Expired);
    if let Status::Ended { resolution, .. } = &mut late.status {
        resolution.by = None;
    }
    assert_eq!(status(&late), "⌛ Expired: Bash · NOW");
}

#[test]
fn a_question_is_named_in_a_list() {
    let mut asking = standing("AskUserQuestion", Vec::new());
    let question = |text: &str| Question {
        question: text.into(),
        header: String::new(),
        multi_select: false,
        options: Vec::new(),
    };
    asking.request.offer.questions = vec![question("Which color?"), question("Which size?")];
    assert_eq!(Look::what(&asking), "Which color? ⋯");
}

#[test]
fn a_list_or_an_object_is_named_on_one_line_in_a_list() {
    let todos = |text: &str| standing("TodoWrite", vec![Part::Code(text.into())]);
    assert_eq!(Look::what(&todos("todos: [\n  1,\n  2\n]")), "todos: [1, 2]");
    assert_eq!(Look::what(&todos("todos: [\n  and so on")), "todos: [ ⋯");
}

#[test]
fn a_plan_is_named_by_its_heading_in_a_list() {
    let asking = standing("ExitPlanMode", vec![Part::Text("▪ Make it fast\n\n1. Measure.".into())]);
    assert_eq!(Look::what(&asking), "Make it fast ⋯");
    let other = standing("Bash", vec![Part::Code("▪ x".into())]);
    assert_eq!(Look::what(&other), "▪ x");
}
