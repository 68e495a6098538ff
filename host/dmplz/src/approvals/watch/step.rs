//! The current step of asking a request, and what a line means in it: the table of [`super`], step by step.

use dmplz_core::claude::{Answered, Question, Scope};
use dmplz_core::request::{Offer, Term};
use dmplz_core::text::{Lang, fill};
use dmplz_core::visible::visible_line;
use dmplz_protocol::AnswerBody;

use super::super::card::Look;
use super::super::chosen;
use super::super::offer::place_name;
use crate::terminal::say;
use crate::told::Told;

/// A step of asking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    /// Yes or no.
    Decide,
    /// The request is denied; the next line is the reason, or feedback.
    Reason { instead: bool },
    /// The place where "always" stores, and whether broad suggestions are included.
    Place { broad: bool },
    /// The question after these answers, or whether to send them.
    Question { answers: Vec<Answered> },
}

/// The meaning of a line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Typed {
    Nothing,
    /// It is not understood, or asks for help.
    Help,
    /// A text to show, and nothing else.
    Told(String),
    /// It leads to another step.
    On(Step),
    /// It denies, and a reason follows.
    Deny,
    /// It denies, and feedback follows.
    Tell,
    /// It is another answer than a denial.
    Decided(AnswerBody),
}

impl Step {
    pub(super) fn first(offer: &Offer) -> Self {
        if offer.questions.is_empty() { Self::Decide } else { Self::Question { answers: Vec::new() } }
    }

    /// Returns the prompt.
    pub(super) fn prompt(&self, offer: &Offer, lang: Lang) -> String {
        let mut more = String::new();
        let words = match self {
            Self::Reason { instead: false } => say(lang, "거부 사유 (Enter: 사유 없이): ", "Why? (Enter: no reason) "),
            Self::Reason { instead: true } => {
                say(lang, "대신 할 일 (Enter: 없음): ", "What should it do instead? (Enter: nothing) ")
            }
            Self::Decide if offer.plan => say(
                lang,
                "계획을 승인할까요? [1 편집은 자동 승인, 2 편집은 하나씩 승인, N 계획 계속, ? 도움말] ",
                "Approve the plan? [1 accept its edits, 2 approve them one by one, N keep planning, ? for help] ",
            ),
            Self::Decide => {
                more.extend(offer.session.then(|| say(lang, ", S 세션 허용", ", S for the session")));
                more.extend((!offer.always.is_empty()).then(|| say(lang, ", A 항상 허용", ", A always")));
                say(lang, "승인할까요? [Y/N{}, ? 도움말] ", "Allow? [Y/N{}, ? for help] ")
            }
            Self::Place { broad } => {
                more.push_str(match (offer.has_broad(), broad) {
                    (false, _) => "",
                    (true, false) => say(lang, ", W 넓은 규칙도", ", W with broader rules"),
                    (true, true) => say(lang, ", W 넓은 규칙 빼고", ", W without broader rules"),
                });
                say(lang, "어디에 저장할까요? [1-4{}, Enter 뒤로] ", "Where? [1-4{}, Enter goes back] ")
            }
            Self::Question { answers } if answers.len() < offer.questions.len() => {
                more = (answers.len() + 1).to_string();
                say(
                    lang,
                    "답 {} [번호, =직접 쓰기, B 뒤로, N 답하지 않음, ? 도움말] ",
                    "Answer {} [number, =own words, B back, N no answer, ? for help] ",
                )
            }
            Self::Question { .. } => say(
                lang,
                "이 답을 보낼까요? [Y, B 뒤로, N 답하지 않음] ",
                "Send these answers? [Y, B back, N no answer] ",
            ),
        };
        fill(words, &[&more])
    }

    /// Returns the text that is shown when this step begins.
    pub(super) fn shown(&self, offer: &Offer, look: Look) -> String {
        match self {
            Self::Decide | Self::Reason { .. } => String::new(),
            Self::Place { broad } => {
                let stored = look.stored(offer, *broad);
                let places = [Scope::Local, Scope::User, Scope::Project, Scope::Session].into_iter().enumerate();
                let places = places.map(|(at, scope)| format!("{}  {}", at + 1, place_name(scope, look.lang)));
                stored.into_iter().chain(places).map(|line| format!("  {line}\n")).collect()
            }
            Self::Question { answers } => match offer.questions.get(answers.len()) {
                Some(question) => look.question(question, answers.len(), offer.questions.len()),
                None => answers.iter().map(|answer| look.answer(answer)).collect(),
            },
        }
    }

    /// Interprets a line. The Hangul letters are those on the same keys.
    pub(super) fn typed(&self, line: &str, offer: &Offer, lang: Lang) -> Typed {
        let key = line.trim().to_lowercase();
        match self {
            // The whole line is the reason of the denial.
            Self::Reason { .. } => Typed::Nothing,
            Self::Decide => decided(&key, offer),
            Self::Place { broad } => placed(&key, *broad, offer, lang),
            Self::Question { answers } => answered(line.trim(), &key, answers, offer, lang),
        }
    }
}

fn decided(key: &str, offer: &Offer) -> Typed {
    Typed::Decided(match key {
        "" => return Typed::Nothing,
        "n" | "no" | "아니오" | "아니요" | "ㅜ" => return Typed::Deny,
        "t" | "tell" | "ㅅ" => return Typed::Tell,
        "1" if offer.plan => AnswerBody::AutoAccept,
        "2" if offer.plan => AnswerBody::Manual,
        "y" | "yes" | "예" | "네" | "ㅛ" if !offer.plan => AnswerBody::Approve,
        "s" | "session" | "세션" | "ㄴ" if offer.session => AnswerBody::Session,
        "a" | "always" | "항상" | "ㅁ" if !offer.always.is_empty() => {
            return Typed::On(Step::Place { broad: false });
        }
        "g" | "30m" | "ㅎ" if offer.granted => AnswerBody::Grant { term: Term::HalfHour },
        "gs" | "ㅎㄴ" if offer.granted => AnswerBody::Grant { term: Term::Session },
        _ => return Typed::Help,
    })
}

fn placed(key: &str, broad: bool, offer: &Offer, lang: Lang) -> Typed {
    let scope = match key {
        "" => return Typed::On(Step::Decide),
        "w" | "ㅈ" if offer.has_broad() => return Typed::On(Step::Place { broad: !broad }),
        "1" => Scope::Local,
        "2" => Scope::User,
        "3" => Scope::Project,
        "4" => Scope::Session,
        _ => return Typed::Help,
    };
    if offer.stored(scope, broad).is_empty() {
        let all = say(
            lang,
            "저장할 것이 모두 넓습니다. 그래도 저장하려면 먼저 W.",
            "All of these rules allow more than this request. To store them, press W first.",
        );
        return Typed::Told(format!("{all}\n"));
    }
    Typed::Decided(AnswerBody::Always { scope, broad })
}

fn answered(line: &str, key: &str, answers: &[Answered], offer: &Offer, lang: Lang) -> Typed {
    match key {
        "" => return Typed::Nothing,
        "n" | "ㅜ" => return Typed::Deny,
        "b" | "ㅠ" => {
            let before = answers.split_last().map_or(&[][..], |(_, before)| before);
            return Typed::On(Step::Question { answers: before.to_vec() });
        }
        _ => {}
    }
    match (offer.questions.get(answers.len()), key) {
        (None, "y" | "yes" | "ㅛ" | "예" | "네") => {
            Typed::Decided(AnswerBody::Answers { answers: answers.to_vec() })
        }
        (None, _) | (Some(_), "?") => Typed::Help,
        (Some(question), _) => match answer(question, line) {
            Ok(answer) => Typed::On(Step::Question { answers: [answers, &[answer]].concat() }),
            Err(why) => Typed::Told(format!("{}\n", why.of(lang))),
        },
    }
}

/// Parses labels or numbers, own words behind a `=`, or both.
fn answer(question: &Question, line: &str) -> Result<Answered, Told> {
    let (labels, text) = match chosen::labels(question, line) {
        Ok(labels) => (labels, None),
        Err(error) => match line.split_once('=') {
            Some(("", words)) => (Vec::new(), Some(words.trim().to_owned())),
            Some((labels, words)) => (chosen::labels(question, labels)?, Some(words.trim().to_owned())),
            None => return Err(error),
        },
    };
    let answer = Answered { question: question.question.clone(), labels, text };
    let answer = chosen::in_order(std::slice::from_ref(question), answer);
    if question.takes(&answer) {
        return Ok(answer);
    }
    Err(Told::new(
        "답이 되지 않습니다: {}. 여러 개를 고를 수 있는 질문이 아니면, 하나를 고르거나 직접 적어 주세요",
        "that is no answer to {}: it takes one option or words, unless several may be chosen",
        &[&visible_line(&question.question)],
    ))
}

/// Returns the help about what may be typed.
pub(super) fn help(step: &Step, offer: &Offer, lang: Lang) -> String {
    let lines: Vec<[&str; 2]> = match step {
        Step::Question { .. } => vec![
            ["1  그 번호의 답 (여러 개면 1,3)", "1  the option of that number (1,3 where several may be chosen)"],
            ["=직접 쓴 답", "=an answer in your own words"],
            ["b  앞의 질문으로", "b  back to the question before"],
            match offer.final_denial {
                true => ["n  답하지 않음", "n  no answer"],
                false => ["n  답하지 않음 (사유는 다음 줄에)", "n  no answer (the next line is the reason)"],
            },
        ],
        Step::Place { .. } => vec![
            ["1-4  그곳에 저장하고 허용", "1-4  allow it, and store it there"],
            ["w  이 요청보다 넓은 규칙도 저장", "w  also store the broader rules"],
        ],
        _ if offer.plan => vec![
            ["1  승인, 편집은 자동 승인", "1  approve, and accept its edits"],
            ["2  승인, 편집은 하나씩 승인", "2  approve, and approve its edits one by one"],
            ["n  계획 계속 (바꿀 것은 다음 줄에)", "n  keep planning (the next line is what to change)"],
        ],
        _ => {
            let session = [
                "s  허용, 그리고 위에 적힌 범위를 이 세션 동안",
                "s  allow, and what is written above for this session",
            ];
            let always = [
                "a  허용하고 규칙을 저장 (어디에, 다음에 물음)",
                "a  allow, and store what is written above (asks where)",
            ];
            let granted = [
                "g  허용, 그리고 똑같은 것을 30분 동안 (gs: 세션 동안)",
                "g  allow, and exactly the same for 30 minutes (gs: for the session)",
            ];
            let tell = [
                "t  거부하고 대신 할 일 알려 주기 (다음 줄에)",
                "t  deny, and tell what to do instead (on the next line)",
            ];
            let mut lines = vec![["y  이번 한 번 승인", "y  allow, this once"]];
            lines.extend(offer.session.then_some(session));
            lines.extend((!offer.always.is_empty()).then_some(always));
            lines.extend(offer.granted.then_some(granted));
            lines.extend([["n  거부 (사유는 다음 줄에)", "n  deny (the next line is the reason)"], tell]);
            lines
        }
    };
    let leave = [
        "Enter를 함께 누릅니다. Ctrl-C는 답하지 않고 종료합니다.",
        "Each with Enter. Ctrl-C leaves without an answer.",
    ];
    lines.into_iter().chain([leave]).map(|[ko, en]| format!("  {}\n", say(lang, ko, en))).collect()
}
