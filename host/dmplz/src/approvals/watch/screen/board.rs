//! Which requests there are, and which one is looked at; `typing` has what a key means for it. It knows neither a terminal nor a
//! gateway, and time is an argument.

mod typing;

use std::collections::VecDeque;

use dmplz_core::text::{Lang, fill};
use dmplz_core::visible::visible_line;
use dmplz_protocol::approval::Respond;
use dmplz_protocol::{AnswerBody, Code, Event, Message, RequestId, Standing, Status};

use super::super::GLANCE;
use super::super::step::Step;
use super::words;
use crate::approvals::card::Look;
use crate::named::short;
use crate::outage;
use crate::terminal::say;

/// How many ended requests are kept in view.
const ENDED: usize = 50;

/// What is on the screen.
pub(super) struct Board {
    pub(super) lang: Lang,
    /// In order of arrival, the open ones first.
    pub(super) requests: Vec<Standing>,
    pub(super) selected: Option<RequestId>,
    pub(super) focus: Focus,
    /// Lines of the details above the first one in view.
    pub(super) scroll: usize,
    /// The text about what happened last, or why a key did nothing.
    pub(super) notice: String,
    pub(super) is_lost: bool,
    pub(super) is_muted: bool,
    /// What was drawn last.
    drawn: Drawn,
    /// Which request was on the screen last, and the last moment at which a key was pressed too early for it.
    shown: Option<(RequestId, u64)>,
    /// Denies that may not have arrived.
    unsent: VecDeque<Respond>,
    rings: bool,
}

/// How much of the details was drawn; the board decides from it whether an allow counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Drawn {
    /// The lines that the details have.
    pub(super) lines: usize,
    /// The lines of them that fit.
    pub(super) page: usize,
    /// The end of the details is on the screen.
    pub(super) is_read: bool,
    pub(super) is_too_small: bool,
}

/// What the keys are for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Focus {
    /// One key chooses.
    Choose(Step),
    /// An answer that allows is chosen; Enter sends it.
    Confirm(Step, AnswerBody),
    /// A line is typed.
    Line(Step, String),
    Help(Step),
}

/// What to do about a key.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Action {
    Nothing,
    Leave,
    Interrupt,
    Send(Respond),
}

impl Board {
    pub(super) fn new(lang: Lang) -> Self {
        Self {
            lang,
            requests: Vec::new(),
            selected: None,
            focus: Focus::Choose(Step::Decide),
            scroll: 0,
            notice: String::new(),
            is_lost: false,
            is_muted: false,
            drawn: Drawn::default(),
            shown: None,
            unsent: VecDeque::new(),
            rings: false,
        }
    }

    /// The request whose details are shown.
    pub(super) fn current(&self) -> Option<&Standing> {
        self.requests.iter().find(|standing| Some(standing.request.id) == self.selected)
    }

    /// How many wait for an answer.
    pub(super) fn waiting(&self) -> usize {
        self.requests.iter().filter(|standing| standing.status == Status::Open).count()
    }

    /// Whether the bell is to be rung; once for all that came since.
    pub(super) fn rings(&mut self) -> bool {
        std::mem::take(&mut self.rings) && !self.is_muted
    }

    /// Returns a deny that must be sent again.
    pub(super) fn unsent(&mut self) -> Option<Respond> {
        self.unsent.pop_front()
    }

    /// Returns the requests that were denied by an answer that may not have arrived.
    pub(super) fn undelivered_denies(&self) -> Vec<RequestId> {
        let mut requests = Vec::new();
        for answer in &self.unsent {
            if !requests.contains(&answer.id) {
                requests.push(answer.id);
            }
        }
        requests
    }

    /// The board was drawn. Returns whether a request was drawn that was not on the screen before, so that what was typed until
    /// now was typed for something else.
    pub(super) fn drawn(&mut self, drawn: Drawn, now_ms: u64) -> bool {
        let page_end = drawn.lines.saturating_sub(drawn.page);
        self.scroll = self.scroll.min(page_end);
        self.drawn = drawn;
        let is_new = self.shown.map(|(id, _)| id) != self.selected;
        if is_new {
            self.shown = self.selected.map(|id| (id, now_ms));
        }
        is_new
    }

    /// Connected: these requests are open.
    pub(super) fn connected(&mut self, open: Vec<Standing>) {
        self.is_lost = false;
        self.notice.clear();
        // An event tells how those that are not open any more ended.
        self.requests.retain(|known| {
            known.status != Status::Open || open.iter().any(|standing| standing.request.id == known.request.id)
        });
        for standing in open {
            if standing.status == Status::Open && !self.knows(standing.request.id) {
                self.rings = true;
                self.requests.push(standing);
            }
        }
        // What was chosen may have been sent before the connection was lost.
        if self.current().is_none() || !matches!(self.focus, Focus::Line(Step::Reason { .. }, _)) {
            self.refocus();
        }
        self.shown = None;
        self.arrange();
    }

    pub(super) fn lost(&mut self) {
        self.is_lost = true;
        self.notice = words::lost(self.lang).to_owned();
    }

    pub(super) fn alerts(&mut self, alerts: &[String]) {
        if let Some(alert) = alerts.first() {
            self.notice = format!("⚠️ {alert}");
        }
    }

    /// Processes an event.
    pub(super) fn happened(&mut self, event: &Event, look: Look) {
        match &event.message {
            Message::ApprovalRequested { approval } if !self.knows(approval.request.id) => {
                self.requests.push((**approval).clone());
                self.rings = true;
                self.arrange();
            }
            Message::ApprovalDenied { approval } => {
                let ours = matches!(&self.focus, Focus::Line(Step::Reason { .. }, _));
                if !(ours && self.selected == Some(approval.request.id)) {
                    self.over((**approval).clone(), look);
                }
            }
            Message::ApprovalResolved { approval } => self.over((**approval).clone(), look),
            Message::MessengerUnreachable { messenger, since_ms, why } => {
                let told = outage::unreachable(self.lang, messenger, *since_ms, why.as_deref(), event.at_ms);
                self.notice = format!("⚠️ {told}");
            }
            Message::MessengerReachable { messenger } => self.notice = outage::over(self.lang, messenger),
            _ => {}
        }
    }

    /// The gateway took an answer.
    pub(super) fn answered(&mut self, standing: Standing, look: Look) {
        if let Status::Denied { instead, .. } = &standing.status {
            let is_current = self.selected == Some(standing.request.id);
            let step = Step::Reason { instead: *instead };
            self.replace(standing);
            if is_current {
                self.focus = Focus::Line(step, String::new());
            }
            return;
        }
        self.over(standing, look);
    }

    /// An answer may not have arrived.
    pub(super) fn undelivered(&mut self, answer: Respond, why: &str) {
        if matches!(answer.answer, AnswerBody::Deny { .. }) {
            self.unsent.push_back(answer);
        }
        self.refocus();
        self.lost();
        self.notice = format!("{} ({})", words::lost(self.lang), visible_line(why));
    }

    /// The gateway did not take an answer.
    pub(super) fn refused(&mut self, id: RequestId, code: Option<Code>, is_deny: bool, why: &str) {
        if code == Some(Code::UNKNOWN) {
            self.requests.retain(|standing| standing.request.id != id);
            self.arrange();
        }
        // A deny that could not be recorded reaches the asker all the same, and its event reports it.
        if !(is_deny && code == Some(Code::NOT_RECORDED)) {
            self.refocus();
        }
        let refused = say(self.lang, "❗ 답이 받아들여지지 않았습니다: {}", "❗ The answer was not accepted: {}");
        self.notice = fill(refused, &[&visible_line(why)]);
    }

    fn tell(&mut self, ko: &'static str, en: &'static str) {
        self.notice = say(self.lang, ko, en).to_owned();
    }

    fn go(&mut self, step: Step) {
        let asks = self.current().is_some_and(|standing| {
            matches!(&step, Step::Question { answers } if answers.len() < standing.request.offer.questions.len())
        });
        self.scroll = 0;
        self.notice.clear();
        self.focus = if asks { Focus::Line(step, String::new()) } else { Focus::Choose(step) };
    }

    /// The first step of the request that is looked at.
    fn refocus(&mut self) {
        let step = match self.current() {
            Some(standing) if standing.status == Status::Open => Step::first(&standing.request.offer),
            _ => Step::Decide,
        };
        let scroll = self.scroll;
        self.go(step);
        self.scroll = scroll;
    }

    fn select(&mut self, id: RequestId) {
        if self.selected != Some(id) {
            self.selected = Some(id);
            self.scroll = 0;
            self.drawn.is_read = false;
            self.refocus();
        }
    }

    fn step_by(&mut self, by: isize) {
        let at = self.requests.iter().position(|standing| Some(standing.request.id) == self.selected);
        let next = at.and_then(|at| at.checked_add_signed(by)).and_then(|at| self.requests.get(at));
        if let Some(id) = next.map(|standing| standing.request.id) {
            self.select(id);
        }
    }

    /// On to the next one that waits.
    fn skip(&mut self) {
        let at = self.requests.iter().position(|standing| Some(standing.request.id) == self.selected);
        let behind = self.requests.iter().skip(at.map_or(0, |at| at + 1));
        let next = behind.chain(&self.requests).find(|standing| standing.status == Status::Open);
        if let Some(id) = next.map(|standing| standing.request.id) {
            self.select(id);
        }
    }

    /// A request has ended, or was denied by somebody else.
    pub(super) fn over(&mut self, standing: Standing, look: Look) {
        let id = standing.request.id;
        if !self.knows(id) {
            return;
        }
        let notice = format!("{} · {}", look.status(&standing), short(id));
        let is_current = self.selected == Some(id);
        if is_current {
            self.focus = Focus::Choose(Step::Decide);
        }
        self.replace(standing);
        if is_current && self.selected == Some(id) {
            self.skip();
        }
        self.notice = notice;
    }

    fn replace(&mut self, standing: Standing) {
        if let Some(known) = self.requests.iter_mut().find(|known| known.request.id == standing.request.id) {
            *known = standing;
        }
        self.arrange();
    }

    /// Those that wait come first, then those that ended, the last one first; always one is looked at.
    fn arrange(&mut self) {
        let (open, mut ended): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.requests).into_iter().partition(|standing| standing.status == Status::Open);
        ended.sort_by_key(|standing| std::cmp::Reverse(ended_ms(standing)));
        ended.truncate(ENDED);
        self.requests = open.into_iter().chain(ended).collect();
        if self.current().is_none() {
            self.selected = None;
            if let Some(id) = self.requests.first().map(|standing| standing.request.id) {
                self.select(id);
            }
            return;
        }
        let is_over = self.current().is_some_and(|standing| matches!(standing.status, Status::Ended { .. }));
        // Somebody who looks at a request that is over is shown the first one that comes.
        if is_over && !self.is_lost && self.waiting() == 1 && self.rings {
            self.skip();
        }
    }

    fn knows(&self, id: RequestId) -> bool {
        self.requests.iter().any(|standing| standing.request.id == id)
    }
}

fn ended_ms(standing: &Standing) -> u64 {
    match &standing.status {
        Status::Ended { ended_ms, .. } => *ended_ms,
        Status::Open | Status::Denied { .. } => u64::MAX,
    }
}

#[cfg(test)]
mod tests;
