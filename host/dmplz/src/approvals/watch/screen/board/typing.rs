//! What a key means for the request that is looked at. An allow takes a key and Enter, neither of them early nor together with
//! other keys; a deny takes one key.

use dmplz_core::visible::visible_line;
use dmplz_protocol::approval::Respond;
use dmplz_protocol::{AnswerBody, Status};

use super::super::super::prompt::just_appeared;
use super::super::super::step::{Step, Typed};
use super::super::keys::{Input, Key};
use super::{Action, Board, Focus, GLANCE};

/// The longest reason or answer that can be typed, in characters.
const LONGEST: usize = 3_000;

impl Board {
    /// Processes what was typed. `is_alone` is false where it arrived together with other keys, as from a paste.
    pub(in super::super) fn typed(&mut self, input: Input, is_alone: bool, now_ms: u64) -> Action {
        match input {
            Input::Paste(text) => {
                if let Focus::Line(_, line) = &mut self.focus {
                    extend(line, &text);
                } else {
                    self.tell("붙여 넣은 글로는 답할 수 없습니다.", "A pasted text answers nothing.");
                }
                Action::Nothing
            }
            Input::Key(Key::Interrupt) => Action::Interrupt,
            Input::Key(Key::Leave) => Action::Leave,
            Input::Key(key) => match self.focus.clone() {
                Focus::Line(step, line) => self.line(&step, line, key, is_alone, now_ms),
                Focus::Help(step) => {
                    self.focus = Focus::Choose(step);
                    Action::Nothing
                }
                Focus::Confirm(step, answer) => self.confirm(step, answer, key, is_alone, now_ms),
                Focus::Choose(step) => self.choose(&step, key, is_alone, now_ms),
            },
        }
    }

    fn choose(&mut self, step: &Step, key: Key, is_alone: bool, now_ms: u64) -> Action {
        let page = self.drawn.page.max(2) - 1;
        match key {
            Key::Up => self.step_by(-1),
            Key::Down => self.step_by(1),
            Key::Tab => self.skip(),
            Key::PageUp => self.scroll = self.scroll.saturating_sub(page),
            Key::PageDown | Key::Char(' ') => self.scroll = self.scroll.saturating_add(page),
            Key::Escape => self.refocus(),
            Key::Char('q' | 'ㅂ') => return Action::Leave,
            Key::Char('?') => self.focus = Focus::Help(step.clone()),
            Key::Char('m' | 'ㅡ') => self.is_muted = !self.is_muted,
            Key::Char(letter) => return self.chosen(step, letter, is_alone, now_ms),
            Key::Enter | Key::Backspace | Key::Interrupt | Key::Leave => {}
        }
        Action::Nothing
    }

    /// A key that may answer.
    fn chosen(&mut self, step: &Step, letter: char, is_alone: bool, now_ms: u64) -> Action {
        let open = self.current().filter(|standing| standing.status == Status::Open);
        let Some((id, offer)) = open.map(|standing| (standing.request.id, standing.request.offer.clone())) else {
            return Action::Nothing;
        };
        if self.is_early(now_ms) {
            self.notice = just_appeared(self.lang).to_owned();
            return Action::Nothing;
        }
        if !is_alone {
            self.tell("여러 키가 한꺼번에 들어왔습니다. 하나만 눌러 주세요.", "Several keys came at once: press one.");
            return Action::Nothing;
        }
        // The grant for the session takes two letters where lines are typed.
        let typed = match letter {
            'G' => "gs".to_owned(),
            letter => letter.to_string(),
        };
        let typed = step.typed(&typed, &offer, self.lang);
        let deny = |instead| {
            Action::Send(Respond { id, answer: AnswerBody::Deny { reason: None, instead }, reason_to_come: true })
        };
        match typed {
            Typed::Deny => return deny(false),
            Typed::Tell => return deny(true),
            Typed::Nothing => {}
            Typed::Help => self.tell(
                "이 요청에는 그 키가 없습니다. ?를 누르면 도움말이 나옵니다.",
                "That key does nothing here; ? shows the keys.",
            ),
            Typed::Told(text) => self.notice = text.trim_end().to_owned(),
            Typed::On(_) | Typed::Decided(_) if !self.is_read() => self.tell(
                "아래에 내용이 더 있습니다. PgDn으로 끝까지 읽어 주세요.",
                "There is more below: read to its end with PgDn.",
            ),
            Typed::On(step) => self.go(step),
            Typed::Decided(answer) => self.focus = Focus::Confirm(step.clone(), answer),
        }
        Action::Nothing
    }

    fn confirm(&mut self, step: Step, answer: AnswerBody, key: Key, is_alone: bool, now_ms: u64) -> Action {
        let open = self.current().filter(|standing| standing.status == Status::Open).map(|it| it.request.id);
        match (key, open) {
            (Key::Enter, Some(id)) if is_alone => {
                self.focus = Focus::Choose(step);
                Action::Send(Respond { id, answer, reason_to_come: false })
            }
            (Key::Char(_), Some(_)) if key.denies() => {
                self.focus = Focus::Choose(step.clone());
                self.choose(&step, key, is_alone, now_ms)
            }
            _ => {
                self.focus = Focus::Choose(step);
                Action::Nothing
            }
        }
    }

    fn line(&mut self, step: &Step, mut line: String, key: Key, is_alone: bool, now_ms: u64) -> Action {
        let is_reason = matches!(step, Step::Reason { .. });
        match key {
            Key::Char(letter) => extend(&mut line, letter.encode_utf8(&mut [0; 4])),
            Key::Backspace => drop(line.pop()),
            Key::Escape if is_reason => return self.reason(step, ""),
            Key::Escape => line.clear(),
            Key::Enter if is_reason => return self.reason(step, &line),
            Key::Enter if is_alone && !self.is_early(now_ms) => return self.answer(step, &line),
            Key::PageUp => self.scroll = self.scroll.saturating_sub(1),
            Key::PageDown => self.scroll = self.scroll.saturating_add(1),
            Key::Up | Key::Down | Key::Tab if !is_reason => return self.choose(step, key, is_alone, now_ms),
            _ => {}
        }
        self.focus = Focus::Line(step.clone(), line);
        Action::Nothing
    }

    /// The reason of a denial that counts already.
    fn reason(&mut self, step: &Step, line: &str) -> Action {
        let Some(id) = self.selected else { return Action::Nothing };
        let reason = Some(line.trim().to_owned()).filter(|line| !line.is_empty());
        let instead = matches!(step, Step::Reason { instead: true }) && reason.is_some();
        self.refocus();
        Action::Send(Respond { id, answer: AnswerBody::Deny { reason, instead }, reason_to_come: false })
    }

    /// A line that answers a question.
    fn answer(&mut self, step: &Step, line: &str) -> Action {
        let Some(standing) = self.current().filter(|standing| standing.status == Status::Open) else {
            return Action::Nothing;
        };
        let id = standing.request.id;
        match step.typed(line, &standing.request.offer, self.lang) {
            Typed::Deny => {
                let answer = AnswerBody::Deny { reason: None, instead: false };
                return Action::Send(Respond { id, answer, reason_to_come: true });
            }
            Typed::On(step) => self.go(step),
            Typed::Help => self.focus = Focus::Help(step.clone()),
            Typed::Told(text) => {
                self.notice = visible_line(text.trim_end());
                self.focus = Focus::Line(step.clone(), String::new());
            }
            Typed::Nothing | Typed::Tell | Typed::Decided(_) => {}
        }
        Action::Nothing
    }

    /// Whether a key was pressed before anybody can have read the request; a key that is held down goes on being early.
    fn is_early(&mut self, now_ms: u64) -> bool {
        let Some((id, since)) = &mut self.shown else { return true };
        if Some(*id) != self.selected {
            return true;
        }
        let is_early = now_ms.saturating_sub(*since) < GLANCE;
        if is_early {
            *since = now_ms;
        }
        is_early
    }

    /// Whether the end of the details was on the screen, or is no part of what is answered now.
    fn is_read(&self) -> bool {
        !self.drawn.is_too_small && self.drawn.is_read
    }
}

/// Adds text to a line that is typed: one line, without control characters, of a length that a card can show.
fn extend(line: &mut String, text: &str) {
    let room = LONGEST.saturating_sub(line.chars().count());
    let text = text.chars().map(|c| if c.is_whitespace() { ' ' } else { c }).filter(|c| !c.is_control());
    line.extend(text.take(room));
}
