//! Decides which request is asked, and what a typed line means for it. Without a terminal or a gateway; time is an argument.
//!
//! A card gets its prompt once it was on the screen for [`GLANCE`] without a line, and a line counts only after that.

use std::collections::{HashSet, VecDeque};

use dmplz_core::text::{Lang, fill};
use dmplz_protocol::approval::Respond;
use dmplz_protocol::{AnswerBody, Code, Event, Message, RequestId, Standing, Status};

use super::super::card::Look;
use super::GLANCE;
use super::step::{Step, Typed, help};
use crate::named::short;
use crate::outage;
use crate::terminal::{Tone, say};

/// The requests in order of arrival, of which one is asked.
pub(super) struct Watcher {
    lang: Lang,
    waiting: VecDeque<Standing>,
    asking: Option<Asking>,
    /// The requests that were shown and left open; their ends are reported.
    followed: HashSet<RequestId>,
    /// A deny that may not have arrived.
    kept: Option<Respond>,
}

struct Asking {
    standing: Standing,
    step: Step,
    prompted: bool,
    /// When its card was shown, or the last line came that was too early for it.
    shown_ms: Option<u64>,
    /// Its first prompt was shown, so that lines count.
    is_read: bool,
}

impl Asking {
    /// Returns in how many milliseconds the card has its first prompt; `None` if it has had it.
    fn unread_ms(&self, now_ms: u64) -> Option<u64> {
        let shown = self.shown_ms.map_or(0, |shown| now_ms.saturating_sub(shown));
        (!self.is_read).then(|| GLANCE.saturating_sub(shown))
    }
}

/// The meaning of a line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Reply {
    /// It is no answer; the text to show.
    Nothing(String),
    Answer(Respond),
}

impl Watcher {
    pub(super) fn new(lang: Lang) -> Self {
        let (waiting, followed) = (VecDeque::new(), HashSet::new());
        Self { lang, waiting, asking: None, followed, kept: None }
    }

    pub(super) fn greeting(&self) -> String {
        let text = say(self.lang, "요청을 기다립니다. (Ctrl-C로 종료)", "Waiting for requests (Ctrl-C leaves).");
        format!("{text}\n")
    }

    /// Returns the request that is asked.
    pub(super) fn asked(&self) -> Option<RequestId> {
        self.asking.as_ref().map(|asking| asking.standing.request.id)
    }

    /// Processes a connection: these requests are open.
    pub(super) fn connected(&mut self, open: Vec<Standing>) {
        self.waiting = open.into_iter().filter(|standing| Some(standing.request.id) != self.asked()).collect();
        self.waiting.retain(|standing| standing.status == Status::Open);
        // If the request that is asked has ended meanwhile, an event reports it.
        self.ask_again();
    }

    /// Processes an event. Returns the text to show.
    pub(super) fn happened(&mut self, event: &Event, look: Look) -> Option<String> {
        match &event.message {
            Message::ApprovalRequested { approval } => {
                let id = approval.request.id;
                let known = self.asked() == Some(id) || self.waiting.iter().any(|waiting| waiting.request.id == id);
                if known {
                    return None;
                }
                self.waiting.push_back((**approval).clone());
                let asking = self.asking.as_mut().filter(|asking| asking.prompted)?;
                asking.prompted = false;
                let more = fill(say(self.lang, "(+{}건 대기 중)", "(+{} waiting)"), &[&self.waiting.len().to_string()]);
                Some(format!("\n{}\n", look.paint.tone(Tone::Faint, &more)))
            }
            // The answer to this watcher's own denial reports it.
            Message::ApprovalDenied { approval } => {
                let ours = self.asking.as_ref().is_some_and(|asking| matches!(asking.step, Step::Reason { .. }));
                if ours && self.asked() == Some(approval.request.id) { None } else { self.over(approval, look) }
            }
            Message::ApprovalResolved { approval } => self.over(approval, look),
            Message::MessengerUnreachable { messenger, since_ms, why } => {
                let told = outage::unreachable(self.lang, messenger, *since_ms, why.as_deref(), event.at_ms);
                Some(self.between(&format!("⚠️ {told}")))
            }
            Message::MessengerReachable { messenger } => {
                let told = outage::over(self.lang, messenger);
                Some(self.between(&look.paint.tone(Tone::Faint, &told)))
            }
            _ => None,
        }
    }

    /// Returns lines to show while a prompt may be shown: the prompt is repeated below them.
    pub(super) fn between(&mut self, lines: &str) -> String {
        let lines = lines.trim_end_matches('\n');
        match self.asking.as_mut().filter(|asking| asking.prompted) {
            Some(asking) => {
                asking.prompted = false;
                format!("\n{lines}\n")
            }
            None => format!("{lines}\n"),
        }
    }

    /// Returns the whole next request, if none is asked.
    pub(super) fn next(&mut self, look: Look) -> Option<String> {
        if self.asking.is_some() {
            return None;
        }
        let standing = self.waiting.pop_front()?;
        let card = format!("\n{}", look.whole(&standing));
        let step = Step::first(&standing.request.offer);
        self.asking = Some(Asking { standing, step, prompted: false, shown_ms: None, is_read: false });
        Some(card)
    }

    /// The card of the next request is on the screen.
    pub(super) fn shown(&mut self, now_ms: u64) {
        if let Some(asking) = &mut self.asking {
            asking.shown_ms = Some(now_ms);
        }
    }

    /// Returns in how many milliseconds a card has its first prompt; `None` if no card waits for it.
    pub(super) fn unread_ms(&self, now_ms: u64) -> Option<u64> {
        self.asking.as_ref()?.unread_ms(now_ms)
    }

    /// Returns the prompt, once, and not before somebody can have read the card.
    pub(super) fn prompt(&mut self, now_ms: u64) -> Option<String> {
        let asking = self.asking.as_mut().filter(|asking| !asking.prompted)?;
        if asking.unread_ms(now_ms).is_some_and(|left| left > 0) {
            return None;
        }
        (asking.prompted, asking.is_read) = (true, true);
        Some(asking.step.prompt(&asking.standing.request.offer, self.lang))
    }

    /// Shows the prompt again.
    pub(super) fn ask_again(&mut self) {
        if let Some(asking) = &mut self.asking {
            asking.prompted = false;
        }
    }

    /// Interprets a typed line. One from before the first prompt answers nothing, and the moment for reading begins anew.
    pub(super) fn typed(&mut self, line: &str, look: Look, now_ms: u64) -> Reply {
        self.ask_again();
        let Some(asking) = &mut self.asking else { return Reply::Nothing(String::new()) };
        if !asking.is_read {
            asking.shown_ms = Some(now_ms);
            return Reply::Nothing(format!("{}\n", look.paint.tone(Tone::Faint, just_appeared(self.lang))));
        }
        let (id, offer) = (asking.standing.request.id, &asking.standing.request.offer);
        let deny = |reason, reason_to_come, instead| {
            Reply::Answer(Respond { id, answer: AnswerBody::Deny { reason, instead }, reason_to_come })
        };
        if let Step::Reason { instead } = asking.step {
            let reason = Some(line.trim().to_owned()).filter(|line| !line.is_empty());
            let instead = instead && reason.is_some();
            return deny(reason, false, instead);
        }
        match asking.step.typed(line, offer, self.lang) {
            Typed::Nothing => Reply::Nothing(String::new()),
            Typed::Help => Reply::Nothing(help(&asking.step, offer, self.lang)),
            Typed::Told(text) => Reply::Nothing(text),
            Typed::Tell => deny(None, true, true),
            Typed::On(step) => {
                asking.step = step;
                Reply::Nothing(asking.step.shown(offer, look))
            }
            Typed::Deny => deny(None, true, false),
            Typed::Decided(answer) => Reply::Answer(Respond { id, answer, reason_to_come: false }),
        }
    }

    /// The gateway accepted an answer.
    pub(super) fn answered(&mut self, standing: Standing, look: Look) -> String {
        if let (Status::Denied { instead, .. }, Some(asking)) = (&standing.status, &mut self.asking) {
            asking.step = Step::Reason { instead: *instead };
            asking.prompted = false;
            return String::new();
        }
        self.asking = None;
        format!("→ {} · {}\n", look.status(&standing), short(standing.request.id))
    }

    /// The gateway rejected an answer.
    pub(super) fn refused(&mut self, answer: &Respond, code: Option<Code>) {
        match (code, &answer.answer) {
            (Some(Code::UNKNOWN), _) => self.asking = None,
            // The asker has the answer anyway, and its event reports it.
            (Some(Code::NOT_RECORDED), AnswerBody::Deny { .. }) => {
                self.asking = None;
                self.followed.insert(answer.id);
            }
            _ => self.ask_again(),
        }
    }

    /// Records an answer that may not have arrived: a deny is sent again, an allow is asked again.
    pub(super) fn keep(&mut self, answer: Respond) {
        self.kept = Some(answer).filter(|kept| matches!(kept.answer, AnswerBody::Deny { .. }));
    }

    /// Returns a deny that must be sent again.
    pub(super) fn unsent(&mut self) -> Option<Respond> {
        let asked = self.asked();
        self.kept.take().filter(|answer| asked == Some(answer.id))
    }

    /// Processes that a request has ended, or was denied by another person. Returns the text to show.
    pub(super) fn over(&mut self, standing: &Standing, look: Look) -> Option<String> {
        let id = standing.request.id;
        self.waiting.retain(|waiting| waiting.request.id != id);
        let was_asked = self.asked() == Some(id);
        if was_asked {
            self.asking = None;
        }
        let was_followed = self.followed.remove(&id);
        if matches!(standing.status, Status::Denied { .. }) && was_asked {
            self.followed.insert(id);
        }
        let line = format!("{} · {}\n", look.status(standing), short(id));
        if was_asked { Some(format!("\n↩ {line}")) } else { was_followed.then(|| format!("↩ {line}")) }
    }
}

/// Returns the text for input that came before anybody can have read the request.
pub(super) fn just_appeared(lang: Lang) -> &'static str {
    say(lang, "방금 나타난 요청입니다. 읽어 보고 답해 주세요.", "This request has just appeared: read it first.")
}

#[cfg(test)]
mod tests;
