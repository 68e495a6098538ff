//! What the screen says, in the person's language.

use dmplz_core::request::{Offer, Term};
use dmplz_core::text::{Lang, fill};
use dmplz_protocol::AnswerBody;

use super::super::step::Step;
use crate::approvals::offer::place_name;
use crate::terminal::say;

pub(super) fn rings(lang: Lang) -> &'static str {
    say(lang, "dmplz: 답을 기다리는 요청이 있습니다", "dmplz: a request waits for your answer")
}

pub(super) fn lost(lang: Lang) -> &'static str {
    say(
        lang,
        "게이트웨이와 연결이 끊겼습니다. 다시 연결될 때까지 기다립니다.",
        "The gateway is gone; waiting until it is back.",
    )
}

pub(super) fn refused(lang: Lang, why: &str) -> String {
    fill(say(lang, "❗ 답이 받아들여지지 않았습니다: {}", "❗ The answer was not accepted: {}"), &[why])
}

pub(super) fn pasted(lang: Lang) -> &'static str {
    say(lang, "붙여 넣은 글로는 답할 수 없습니다.", "A pasted text answers nothing.")
}

pub(super) fn too_early(lang: Lang) -> &'static str {
    say(lang, "방금 나타난 요청입니다. 읽어 보고 답해 주세요.", "This request has just appeared: read it first.")
}

pub(super) fn together(lang: Lang) -> &'static str {
    say(lang, "여러 키가 한꺼번에 들어왔습니다. 하나만 눌러 주세요.", "Several keys came at once: press one.")
}

pub(super) fn unknown(lang: Lang) -> &'static str {
    say(
        lang,
        "이 요청에는 그 키가 없습니다. ?를 누르면 도움말이 나옵니다.",
        "That key does nothing here; ? shows the keys.",
    )
}

pub(super) fn more_below(lang: Lang) -> &'static str {
    say(
        lang,
        "아래에 내용이 더 있습니다. PgDn으로 끝까지 읽어 주세요.",
        "There is more below: read to its end with PgDn.",
    )
}

pub(super) fn title(lang: Lang, waiting: usize, is_muted: bool) -> String {
    let count = waiting.to_string();
    let muted = if is_muted { say(lang, " · 소리 끔", " · bell off") } else { "" };
    format!(" dmplz · {}{muted}", fill(say(lang, "대기 {}", "{} waiting"), &[&count]))
}

pub(super) fn keys(lang: Lang) -> &'static str {
    say(lang, "↑↓ Tab PgDn · ? 도움말 · q 종료 ", "↑↓ Tab PgDn · ? help · q leaves ")
}

pub(super) fn nothing(lang: Lang) -> &'static str {
    say(
        lang,
        "답을 기다리는 요청이 없습니다. 오면 여기에 나타납니다.",
        "Nothing waits for an answer. What comes appears here.",
    )
}

pub(super) fn too_small(lang: Lang) -> &'static str {
    say(lang, "창이 너무 작습니다. 넓혀 주세요.", "The window is too small.")
}

/// The keys that answer, in one line.
pub(super) fn choices(step: &Step, offer: &Offer, lang: Lang) -> String {
    let mut choices = Vec::new();
    match step {
        Step::Place { .. } => {
            choices.push(say(lang, "[1-4] 저장할 곳", "[1-4] where to store it"));
            if offer.has_broad() {
                choices.push(say(lang, "[w] 넓은 규칙도/빼고", "[w] with or without broader rules"));
            }
            choices.push(say(lang, "[Esc] 뒤로", "[Esc] back"));
        }
        Step::Question { .. } => {
            choices.push(say(lang, "[y] 이 답 보내기", "[y] send these answers"));
            choices.push(say(lang, "[b] 뒤로", "[b] back"));
            choices.push(say(lang, "[n] 답하지 않음", "[n] no answer"));
        }
        Step::Decide | Step::Reason { .. } if offer.plan => {
            choices.push(say(lang, "[1] 승인, 편집 자동 수락", "[1] approve, accept its edits"));
            choices.push(say(lang, "[2] 승인, 편집마다 확인", "[2] approve, ask for each edit"));
            choices.push(say(lang, "[n] 계속 계획", "[n] keep planning"));
        }
        Step::Decide | Step::Reason { .. } => {
            choices.push(say(lang, "[y] 허용", "[y] allow"));
            if offer.session {
                choices.push(say(lang, "[s] 세션 동안", "[s] for the session"));
            }
            if !offer.always.is_empty() {
                choices.push(say(lang, "[a] 항상", "[a] always"));
            }
            if offer.granted {
                choices.push(say(
                    lang,
                    "[g] 30분, [G] 세션 동안 똑같은 것",
                    "[g] 30 minutes, [G] the session: exactly this",
                ));
            }
            choices.push(say(lang, "[n] 거부", "[n] deny"));
            choices.push(say(lang, "[t] 거부하고 대신 할 일", "[t] deny, say what instead"));
        }
    }
    choices.join("  ")
}

/// What Enter would send.
pub(super) fn confirm(answer: &AnswerBody, lang: Lang) -> String {
    let what = match answer {
        AnswerBody::Approve => say(lang, "이번 한 번 허용", "Allow it, this once").to_owned(),
        AnswerBody::Session => {
            say(lang, "허용, 그리고 위에 적힌 범위를 세션 동안", "Allow it, and what is written above for the session")
                .to_owned()
        }
        AnswerBody::Always { scope, broad } => {
            let broad = if *broad { say(lang, ", 넓은 규칙도", ", broader rules included") } else { "" };
            let words = say(lang, "허용하고 저장: {}{}", "Allow it, and store it: {}{}");
            fill(words, &[place_name(*scope, lang), broad])
        }
        AnswerBody::Grant { term: Term::HalfHour } => {
            say(lang, "허용, 그리고 똑같은 것을 30분 동안", "Allow it, and exactly the same for 30 minutes").to_owned()
        }
        AnswerBody::Grant { term: Term::Session } => {
            say(lang, "허용, 그리고 똑같은 것을 세션 동안", "Allow it, and exactly the same for the session").to_owned()
        }
        AnswerBody::AutoAccept => {
            say(lang, "계획 승인, 편집 자동 수락", "Approve the plan, and accept its edits").to_owned()
        }
        AnswerBody::Manual => {
            say(lang, "계획 승인, 편집마다 확인", "Approve the plan, and ask for each edit").to_owned()
        }
        AnswerBody::Answers { .. } => say(lang, "이 답 보내기", "Send these answers").to_owned(),
        AnswerBody::Deny { .. } => say(lang, "거부", "Deny it").to_owned(),
    };
    format!("{what}? {}", say(lang, "[Enter] 예  [Esc] 아니요", "[Enter] yes  [Esc] no"))
}

/// The keys that do not answer, for the help.
pub(super) fn moves(lang: Lang) -> [&'static str; 5] {
    [
        say(lang, "↑ ↓  다른 요청", "↑ ↓  another request"),
        say(lang, "Tab  다음 대기 중인 요청 (답하지 않고)", "Tab  the next one that waits (without an answer)"),
        say(lang, "PgUp PgDn Space  내용 넘기기", "PgUp PgDn Space  the details"),
        say(lang, "m  소리 끄기, 켜기", "m  bell off and on"),
        say(lang, "q  답하지 않고 종료", "q  leave without an answer"),
    ]
}

/// The first line of the help.
pub(super) fn how(lang: Lang) -> &'static str {
    say(
        lang,
        "허용하는 키는 Enter를 눌러야 보내집니다. n과 t는 바로 거부합니다.",
        "A key that allows is sent with Enter. n and t deny at once.",
    )
}
