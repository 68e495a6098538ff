//! What the screen says, in the person's language.

use dmplz_core::request::{Offer, Term};
use dmplz_core::text::{Lang, fill};
use dmplz_protocol::{AnswerBody, RequestId};

use super::super::step::Step;
use crate::approvals::offer::place_name;
use crate::named::short;
use crate::terminal::say;

pub(super) fn lost(lang: Lang) -> &'static str {
    say(
        lang,
        "게이트웨이와 연결이 끊겼습니다. 다시 연결될 때까지 기다립니다.",
        "The gateway is gone; waiting until it is back.",
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

/// The keys that answer, in one line.
pub(super) fn choices(step: &Step, offer: &Offer, lang: Lang) -> String {
    let choices = match step {
        Step::Place { .. } => vec![
            (true, "[1-4] 저장할 곳", "[1-4] where to store it"),
            (offer.has_broad(), "[w] 넓은 규칙도/빼고", "[w] with or without broader rules"),
            (true, "[Esc] 뒤로", "[Esc] back"),
        ],
        Step::Question { .. } => vec![
            (true, "[y] 이 답 보내기", "[y] send these answers"),
            (true, "[b] 뒤로", "[b] back"),
            (true, "[n] 답하지 않음", "[n] no answer"),
        ],
        Step::Decide | Step::Reason { .. } if offer.plan => vec![
            (true, "[1] 승인, 편집은 자동 승인", "[1] approve, accept its edits"),
            (true, "[2] 승인, 편집은 하나씩 승인", "[2] approve, ask for each edit"),
            (true, "[n] 계획 계속", "[n] keep planning"),
        ],
        Step::Decide | Step::Reason { .. } => vec![
            (true, "[y] 승인", "[y] allow"),
            (offer.session, "[s] 세션 동안", "[s] for the session"),
            (!offer.always.is_empty(), "[a] 항상", "[a] always"),
            (offer.granted, "[g] 30분, [G] 세션 동안 똑같은 것", "[g] 30 minutes, [G] the session: exactly this"),
            (true, "[n] 거부", "[n] deny"),
            (true, "[t] 거부하고 대신 할 일", "[t] deny, say what instead"),
        ],
    };
    let choices = choices.into_iter().filter(|(is_there, ..)| *is_there).map(|(_, ko, en)| say(lang, ko, en));
    choices.collect::<Vec<_>>().join("  ")
}

/// What Enter would send.
pub(super) fn confirm(answer: &AnswerBody, lang: Lang) -> String {
    let say = |ko, en| say(lang, ko, en);
    let stored;
    let what = match answer {
        AnswerBody::Approve => say("이번 한 번 승인", "Allow it, this once"),
        AnswerBody::Session => {
            say("허용, 그리고 위에 적힌 범위를 세션 동안", "Allow it, and what is written above for the session")
        }
        AnswerBody::Always { scope, broad } => {
            let broad = if *broad { say(", 넓은 규칙도", ", broader rules included") } else { "" };
            let words = say("허용하고 저장: {}{}", "Allow it, and store it: {}{}");
            stored = fill(words, &[place_name(*scope, lang), broad]);
            stored.as_str()
        }
        AnswerBody::Grant { term: Term::HalfHour } => {
            say("허용, 그리고 똑같은 것을 30분 동안", "Allow it, and exactly the same for 30 minutes")
        }
        AnswerBody::Grant { term: Term::Session } => {
            say("허용, 그리고 똑같은 것을 세션 동안", "Allow it, and exactly the same for the session")
        }
        AnswerBody::AutoAccept => say("계획 승인, 편집은 자동 승인", "Approve the plan, and accept its edits"),
        AnswerBody::Manual => say("계획 승인, 편집은 하나씩 승인", "Approve the plan, and ask for each edit"),
        AnswerBody::Answers { .. } => say("이 답 보내기", "Send these answers"),
        AnswerBody::Deny { .. } => say("거부", "Deny it"),
    };
    format!("{what}? {}", say("[Enter] 예  [Esc] 아니요", "[Enter] yes  [Esc] no"))
}

/// What is said on leaving: which requests were denied by an answer that may not have arrived.
pub(super) fn undelivered(requests: &[RequestId], lang: Lang) -> String {
    let words = say(
        lang,
        "❗ 거부가 게이트웨이에 전달되지 않았을 수 있습니다. 다시 거부하려면: dmplz approvals deny {}\n",
        "❗ A denial may not have reached the gateway. To deny it again: dmplz approvals deny {}\n",
    );
    requests.iter().map(|id| fill(words, &[&short(id)])).collect()
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
