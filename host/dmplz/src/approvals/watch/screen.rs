//! `dmplz approvals watch` on the whole screen: a list of requests, the details of one, and a line that says which keys answer it.
//!
//! | key | |
//! |---|---|
//! | `y`, `s`, `a`, `g`, `G`, `1`, `2` | chooses an answer that allows; Enter then sends it, any other key does not |
//! | `n`, `t` | denies at once and for good; what is typed next is the reason, or what to do instead |
//! | ↑ ↓, Tab | another request; the next that waits |
//! | PgUp, PgDn, Space | the details |
//! | `?`, `m`, `q` | help; the bell off and on; leave |
//!
//! No key allows by accident. Input from before a request was drawn is discarded; so is every key until the request was on the
//! screen for [`GLANCE`](super::GLANCE) without one, which a key that is held down never reaches. Keys that arrive together, as
//! from a paste, choose nothing. An allow takes two keys, the second one Enter, and needs the end of the details to have been
//! on the screen. If another request takes the place of the one that was chosen, the choice is gone.
//!
//! What is drawn ([`draw`]) and what a key means ([`board`], [`keys`]) are functions without a terminal.

mod ansi;
mod board;
mod draw;
mod keys;
mod words;

use std::io::Read;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use anyhow::Context;
use dmplz_core::notify::{Notice, Sequence};
use dmplz_core::text::Lang;
use dmplz_protocol::approval::Respond;
use dmplz_protocol::client::GatewayError;
use dmplz_protocol::{AnswerBody, Code, RequestId};
use ratatui_core::terminal::Terminal;
use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::termios::{OptionalActions, Termios, tcdrain, tcgetattr, tcsetattr};
use tokio::signal::unix::SignalKind;

use self::ansi::Ansi;
use self::board::{Action, Board};
use self::keys::{Decoder, Input};
use super::feed::{Feed, News};
use super::{AGAIN, discard_typed, read_typed};
use crate::approvals::answer::first;
use crate::approvals::card::{Hints, Look};
use crate::settings::environment;
use crate::terminal::signals::signals;
use crate::terminal::{Paint, is_capable, say, show};
use crate::{exit, gateway, time};

/// How often the remaining time is drawn anew.
const TICK: Duration = Duration::from_secs(1);
/// As a shell says it of SIGINT.
const INTERRUPTED: u8 = 130;
/// The alternate screen, its cursor hidden, and pastes marked as such.
const ENTER: &str = "\x1b[?1049h\x1b[?25l\x1b[?2004h";
const LEAVE: &str = "\x1b[?2004l\x1b[?25h\x1b[?1049l";

/// Whether the terminal can be drawn on.
pub(super) fn is_possible() -> bool {
    is_capable(&environment)
}

/// Watches until the person leaves. Returns the exit code.
pub(super) fn run(feed: Feed, lang: Lang) -> anyhow::Result<u8> {
    let stops = signals(&[SignalKind::terminate(), SignalKind::hangup()])?;
    let resized = signals(&[SignalKind::window_change()])?;
    let raw = Raw::enter()?;
    let terminal = Terminal::new(Ansi::new(Paint::of_stdout().is_on()))?;
    let (board, keys, began) = (Board::new(lang), Decoder::default(), Instant::now());
    let (done, undelivered) = Screen { feed, board, keys, terminal, began, stops, resized }.run();
    drop(raw);
    // The terminal may be gone; the exit code tells it too.
    let _ = show(&words::undelivered(&undelivered, lang));
    done.map(|code| left(code, &undelivered))
}

/// Returns the exit code of a person who leaves with this one: it is no success if a deny may not have arrived.
fn left(code: u8, undelivered: &[RequestId]) -> u8 {
    if code == exit::OK && !undelivered.is_empty() { exit::NO_GATEWAY } else { code }
}

struct Screen {
    feed: Feed,
    board: Board,
    keys: Decoder,
    terminal: Terminal<Ansi>,
    began: Instant,
    stops: UnixStream,
    resized: UnixStream,
}

impl Screen {
    /// Watches until the person leaves. Returns the exit code, and the requests that were denied by an answer that may not have arrived.
    fn run(mut self) -> (anyhow::Result<u8>, Vec<RequestId>) {
        (self.watch(), self.board.undelivered_denies())
    }

    fn watch(&mut self) -> anyhow::Result<u8> {
        loop {
            self.listen()?;
            self.draw()?;
            let stdin = std::io::stdin();
            let gateway = self.feed.descriptor();
            let is_connected = gateway.is_some();
            let [person, stopped, resized] = wait(gateway, [stdin.as_fd(), self.stops.as_fd(), self.resized.as_fd()])?;
            if stopped {
                return Ok(exit::OK);
            }
            if resized {
                let _ = self.resized.read(&mut [0; 64]);
                self.terminal.autoresize()?;
            }
            if !is_connected {
                self.feed.reconnect()?;
            }
            if person {
                // The gateway's messages come first, because the key may be meant for a request that has ended.
                self.listen()?;
                if let Some(code) = self.typed()? {
                    return Ok(code);
                }
            }
        }
    }

    /// Processes the gateway's messages.
    fn listen(&mut self) -> anyhow::Result<()> {
        while let Some(news) = self.feed.take()? {
            match news {
                News::Connected(open) => self.board.connected(open),
                News::Alerts(alerts) => self.board.alerts(&alerts),
                News::Lost => self.board.lost(),
                News::Happened(event) => self.board.happened(&event, self.look()),
                News::Session(_) => {}
            }
        }
        while self.feed.descriptor().is_some()
            && let Some(denied) = self.board.unsent()
        {
            self.send(denied)?;
        }
        Ok(())
    }

    /// Draws the board. What was typed before a request was on the screen counts for nothing.
    fn draw(&mut self) -> anyhow::Result<()> {
        let (board, look) = (&self.board, self.look());
        let mut drawn = board::Drawn::default();
        self.terminal.draw(|frame| drawn = draw::draw(board, frame.area(), frame.buffer_mut(), look))?;
        let now_ms = self.now_ms();
        if self.board.drawn(drawn, now_ms) {
            tcdrain(std::io::stdout())?;
            discard_typed()?;
            self.keys.forget();
        }
        if self.board.rings() {
            // A sound, and a notice that does not tell what is asked.
            let lang = self.board.lang;
            let title = say(lang, "dmplz: 답을 기다리는 요청이 있습니다", "dmplz: a request waits for your answer");
            let notice = Notice { title: title.to_owned(), body: String::new() };
            let mut sequences = vec![Sequence::Bell, Sequence::of_terminal(&environment)];
            sequences.dedup();
            let rung: String = sequences.iter().map(|one| one.write(&notice, lang, &environment)).collect();
            show(&rung)?;
        }
        Ok(())
    }

    /// Processes what was typed. Returns the exit code once the person leaves.
    fn typed(&mut self) -> anyhow::Result<Option<u8>> {
        let Some(bytes) = read_typed()? else { return Ok(None) };
        if bytes.is_empty() {
            return Ok(Some(exit::OK));
        }
        let typed = self.keys.read(&bytes);
        let is_alone = typed.len() == 1 || typed.iter().all(|input| matches!(input, Input::Key(key) if key.denies()));
        for input in typed {
            match self.board.typed(input, is_alone, self.now_ms()) {
                Action::Nothing => {}
                Action::Leave => return Ok(Some(exit::OK)),
                Action::Interrupt => return Ok(Some(INTERRUPTED)),
                Action::Send(answer) => {
                    self.send(answer)?;
                    // The rest was typed for the request that is answered now.
                    return Ok(None);
                }
            }
        }
        Ok(None)
    }

    fn send(&mut self, answer: Respond) -> anyhow::Result<()> {
        let look = self.look();
        match self.feed.respond(&answer) {
            Ok(standing) => self.board.answered(standing, look),
            Err(error @ (GatewayError::Lost | GatewayError::TimedOut | GatewayError::Io(_))) => {
                // Whether it counts is known once the gateway is back: a deny is sent again, an allow is asked again.
                self.board.undelivered(answer, &error.to_string());
                self.feed.lose();
            }
            Err(error) if error.code() == Some(Code::ANSWERED) => self.board.over(first(error)?, look),
            Err(error) => {
                let hint = gateway::hint(&error, self.board.lang).map(|hint| format!(" ({hint})")).unwrap_or_default();
                let is_deny = matches!(answer.answer, AnswerBody::Deny { .. });
                self.board.refused(answer.id, error.code(), is_deny, &format!("{error}{hint}"));
            }
        }
        Ok(())
    }

    fn look(&self) -> Look {
        Look { hints: Hints::Keys, paint: Paint::PLAIN, ..Look::of_stdout(self.board.lang) }
    }

    fn now_ms(&self) -> u64 {
        time::millis(self.began.elapsed())
    }
}

/// Waits for the gateway, or one of the others; which of those is readable.
fn wait(gateway: Option<BorrowedFd<'_>>, others: [BorrowedFd<'_>; 3]) -> anyhow::Result<[bool; 3]> {
    let limit = if gateway.is_some() { TICK } else { AGAIN };
    let limit = Timespec::try_from(limit).context("the time cannot be waited for")?;
    let mut all: Vec<PollFd<'_>> =
        others.into_iter().chain(gateway).map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN)).collect();
    super::wait(&mut all, Some(&limit))?;
    let is_ready = |at: usize| all.get(at).is_some_and(|polled| !polled.revents().is_empty());
    Ok([is_ready(0), is_ready(1), is_ready(2)])
}

/// A terminal that hands over every key, on a screen of its own, until this is dropped.
struct Raw(Termios);

impl Raw {
    fn enter() -> anyhow::Result<Self> {
        let before = tcgetattr(std::io::stdin())?;
        let mut raw = before.clone();
        raw.make_raw();
        tcsetattr(std::io::stdin(), OptionalActions::Flush, &raw)?;
        let raw = Self(before);
        show(ENTER)?;
        Ok(raw)
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        let _ = show(LEAVE);
        // Keys that are still on their way are not for the shell.
        let _ = tcsetattr(std::io::stdin(), OptionalActions::Flush, &self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaving_with_a_deny_that_may_not_have_arrived_is_said_and_is_no_success() {
        let denied: RequestId = "11111111-1111-4111-8111-111111111111".parse().unwrap();
        assert_eq!((left(exit::OK, &[]), words::undelivered(&[], Lang::En)), (exit::OK, String::new()));
        assert_eq!((left(exit::OK, &[denied]), left(INTERRUPTED, &[denied])), (exit::NO_GATEWAY, INTERRUPTED));
        for lang in [Lang::Ko, Lang::En] {
            assert!(words::undelivered(&[denied], lang).contains("dmplz approvals deny 11111111"), "{lang:?}");
        }
    }
}
