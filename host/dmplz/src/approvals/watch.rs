//! `dmplz approvals watch`: shows requests when they arrive and asks for answers, on the whole screen ([`screen`]). With
//! `--plain`, and where the terminal cannot be drawn on, it asks about one request at a time, in order of arrival:
//!
//! | typed | |
//! |---|---|
//! | `y` | allow, this once |
//! | `s` | allow, and the grant that was shown, for the session; if one was shown |
//! | `a`, then `1` to `4` | allow, and store what was shown in that place; `w` before it includes broad suggestions |
//! | `g`, `gs` | allow, and exactly the same for 30 minutes, for the session; if that is offered |
//! | `1`, `2` | approve a plan and accept its edits, or approve them one by one |
//! | `2`, `1,3`, `=words` | the answer to a question; `b` goes back, and `y` sends them all |
//! | `n` | deny, at once and for good; the next line is the reason, an empty one gives none |
//! | `t` | the same; the next line is feedback: what to do instead |
//! | `?` | what can be typed |
//! | nothing, anything else | no answer: asked again |
//!
//! Each line ends with Enter. Input that was typed before the request was shown is discarded, and so is every line in the
//! first moment after it, because nobody can have read it; the prompt comes after that moment. Ctrl-C and
//! Ctrl-D leave without an answer; a typed deny stays in force. If the gateway is gone, the command waits for it and
//! then reports what happened meanwhile.

mod feed;
mod prompt;
mod room;
mod screen;
mod step;

use std::io::{IsTerminal, Write};
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use dmplz_core::text::{Lang, fill};
use dmplz_protocol::approval::Respond;
use dmplz_protocol::client::GatewayError;
use dmplz_protocol::{AnswerBody, Code, Message};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::termios::{QueueSelector, tcdrain, tcflush};
use uuid::Uuid;

use self::feed::{Feed, News};
use self::prompt::{Reply, Watcher};
use self::room::Room;
use super::answer::first;
use super::card::{Hints, Look};
use crate::gateway::{self, Place};
use crate::terminal::{Tone, say, show};
use crate::told::Told;
use crate::{exit, time};

/// How long a request has to be on the screen without input before input counts, in milliseconds.
const GLANCE: u64 = 600;
/// The interval of attempts to reconnect to a gateway that is gone.
const AGAIN: Duration = Duration::from_millis(300);
/// The longest line that a terminal returns at once (`N_TTY_BUF_SIZE` of Linux).
const LINE: usize = 4096;

/// What it is told.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only tell what happens, one JSON object a line, and ask nothing · 묻지 않고 일어나는 일만 한 줄에 JSON 하나씩
    #[arg(long)]
    json: bool,
    /// Ask line by line, and leave the screen as it is · 화면 전체를 쓰지 않고 한 줄씩 묻기
    #[arg(long, conflicts_with = "json")]
    plain: bool,
}

/// Watches until it is interrupted.
pub(super) fn run(args: &Args) -> anyhow::Result<u8> {
    let place = Place::find()?;
    if args.json {
        return tell(Feed::open(&place, None, false)?);
    }
    if !std::io::stdin().is_terminal() || !std::io::stdout().is_terminal() {
        bail!(Told::new(
            "물을 수 없습니다. 터미널이 아닙니다. 프로그램은 `dmplz approvals watch --json`을 씁니다",
            "you cannot be asked: this is no terminal; `dmplz approvals watch --json` tells programs",
            &[],
        ));
    }
    let feed = Feed::open(&place, None, true)?;
    if !args.plain && screen::is_possible() {
        return screen::run(feed, place.lang);
    }
    let terminal = Terminal::new(feed, place.lang, None);
    show(&terminal.watcher.greeting())?;
    terminal.run()
}

/// Follows a session at the terminal, until it ends or the person leaves. Input while nothing is asked is sent to the
/// session.
pub(crate) fn follow(place: &Place, session: Uuid) -> anyhow::Result<u8> {
    let (feed, room) = (Feed::open(place, Some(session), false)?, Some(Room::open(session, place.lang)?));
    Terminal::new(feed, place.lang, room).run()
}

/// Writes events for programs, until the reader is gone.
fn tell(mut feed: Feed) -> anyhow::Result<u8> {
    let mut stdout = std::io::stdout().lock();
    let mut is_told = false;
    loop {
        while let Some(news) = feed.take()? {
            // After the gateway was away, its events report what is new.
            let repeated = std::mem::replace(&mut is_told, true) && matches!(news, News::Connected(_));
            for object in news.objects()?.into_iter().filter(|_| !repeated) {
                if writeln!(stdout, "{object}").and_then(|()| stdout.flush()).is_err() {
                    return Ok(exit::OK);
                }
            }
        }
        let Some(gateway) = feed.descriptor() else {
            std::thread::sleep(AGAIN);
            feed.reconnect()?;
            continue;
        };
        let mut descriptors = [PollFd::new(&gateway, PollFlags::IN), PollFd::new(&stdout, PollFlags::empty())];
        wait(&mut descriptors, None)?;
        let [_, reader] = &descriptors;
        if !reader.revents().is_empty() {
            return Ok(exit::OK);
        }
    }
}

/// The interactive side.
struct Terminal {
    feed: Feed,
    watcher: Watcher,
    lang: Lang,
    began: Instant,
    /// The session that is followed.
    room: Option<Room>,
}

impl Terminal {
    fn new(feed: Feed, lang: Lang, room: Option<Room>) -> Self {
        Self { feed, watcher: Watcher::new(lang), lang, began: Instant::now(), room }
    }

    fn run(mut self) -> anyhow::Result<u8> {
        loop {
            self.listen()?;
            if let Some(code) = self.room.as_ref().and_then(Room::is_over) {
                return Ok(code);
            }
            if self.feed.descriptor().is_some() {
                self.ask()?;
            }
            let Some(gateway) = self.feed.descriptor() else {
                std::thread::sleep(AGAIN);
                self.feed.reconnect()?;
                continue;
            };
            let stdin = std::io::stdin();
            let interrupts = self.room.as_ref().map_or(stdin.as_fd(), |room| room.interrupts.as_fd());
            let interrupts = PollFd::from_borrowed_fd(interrupts, PollFlags::IN);
            let mut descriptors =
                [PollFd::new(&gateway, PollFlags::IN), PollFd::new(&stdin, PollFlags::IN), interrupts];
            let unread = self.watcher.unread_ms(self.now_ms()).map(Duration::from_millis);
            let unread = unread.map(Timespec::try_from).transpose().context("the time cannot be waited for")?;
            wait(&mut descriptors, unread.as_ref())?;
            let [_, person, interrupted] = descriptors.map(|polled| !polled.revents().is_empty());
            if interrupted && let Some(room) = &mut self.room {
                show(&room.interrupted(&mut self.feed))?;
            }
            if !person {
                continue;
            }
            // The gateway's messages are processed first, because the line may be meant for a request that has ended.
            let asked = self.watcher.asked();
            self.listen()?;
            if self.watcher.asked() != asked || self.feed.descriptor().is_none() {
                continue;
            }
            let Some(line) = read_line()? else {
                show(&format!("\n{}", self.room.as_ref().map(Room::left).unwrap_or_default()))?;
                return Ok(exit::OK);
            };
            if let Some(room) = self.room.as_mut().filter(|_| self.watcher.asked().is_none()) {
                let Some(said) = room.typed(&line, &mut self.feed) else {
                    show(&room.left())?;
                    return Ok(exit::OK);
                };
                show(&said)?;
                continue;
            }
            self.typed(&line)?;
        }
    }

    /// Processes the gateway's messages.
    fn listen(&mut self) -> anyhow::Result<()> {
        while let Some(news) = self.feed.take()? {
            let said = match news {
                News::Connected(open) => {
                    self.watcher.connected(open);
                    discard_typed()?;
                    None
                }
                News::Alerts(alerts) => {
                    let lines: String = alerts.iter().map(|alert| format!("⚠️ {alert}\n")).collect();
                    Some(lines).filter(|lines| !lines.is_empty())
                }
                News::Session(one) => self.room.as_mut().map(|room| room.connected(&one)),
                News::Happened(event)
                    if matches!(event.message, Message::SessionEvent { .. } | Message::SessionPartial { .. }) =>
                {
                    let look = self.look();
                    let said = self.room.as_mut().and_then(|room| room.happened(&event.message, look));
                    said.map(|said| self.watcher.between(&said))
                }
                News::Lost => Some(format!("\n{}\n", self.faint(self.lost()))),
                News::Happened(event) => self.watcher.happened(&event, self.look()),
            };
            if let Some(said) = said {
                show(&said)?;
            }
        }
        Ok(())
    }

    /// Shows the next request, if none is asked.
    fn ask(&mut self) -> anyhow::Result<()> {
        if let Some(denied) = self.watcher.unsent() {
            return self.send(denied);
        }
        if let Some(card) = self.watcher.next(self.look()) {
            show(&card)?;
            tcdrain(std::io::stdout())?;
            discard_typed()?;
            self.watcher.shown(self.now_ms());
        }
        if let Some(prompt) = self.watcher.prompt(self.now_ms()) {
            show(&prompt)?;
        }
        Ok(())
    }

    fn typed(&mut self, line: &str) -> anyhow::Result<()> {
        match self.watcher.typed(line, self.look(), self.now_ms()) {
            Reply::Nothing(text) => show(&text),
            Reply::Answer(answer) => self.send(answer),
        }
    }

    fn send(&mut self, answer: Respond) -> anyhow::Result<()> {
        match self.feed.respond(&answer) {
            Ok(standing) => show(&self.watcher.answered(standing, self.look())),
            Err(error @ (GatewayError::Lost | GatewayError::TimedOut | GatewayError::Io(_))) => {
                // Whether it counts is known once the gateway is back.
                let is_deny = matches!(answer.answer, AnswerBody::Deny { .. });
                self.watcher.keep(answer);
                self.feed.lose();
                show(&format!("{}\n{}", self.faint(&error.to_string()), if is_deny { self.undelivered() } else { "" }))
            }
            Err(error) if error.code() == Some(Code::ANSWERED) => {
                show(&self.watcher.over(&first(error)?, self.look()).unwrap_or_default())
            }
            Err(error) => {
                let hint = gateway::hint(&error, self.lang).map(|hint| format!(" ({hint})")).unwrap_or_default();
                let refused = say(self.lang, "❗ 답이 받아들여지지 않았습니다: {}{}\n", "❗ Not taken: {}{}\n");
                self.watcher.refused(&answer, error.code());
                show(&fill(refused, &[&error.to_string(), &hint]))
            }
        }
    }

    fn now_ms(&self) -> u64 {
        time::millis(self.began.elapsed())
    }

    fn look(&self) -> Look {
        Look { hints: Hints::Lines, ..Look::of_stdout(self.lang) }
    }

    fn faint(&self, text: &str) -> String {
        self.look().paint.tone(Tone::Faint, text)
    }

    /// Returns what is said of a deny at once, because Ctrl-C ends the process without a word.
    fn undelivered(&self) -> &'static str {
        say(
            self.lang,
            "❗ 거부가 게이트웨이에 전달되지 않았을 수 있습니다. 다시 연결되면 보내며, 그 전에 나가면 보내지 않습니다.\n",
            "❗ The denial may not have reached the gateway. It is sent again once the gateway is back, but not if you leave before.\n",
        )
    }

    fn lost(&self) -> &'static str {
        say(
            self.lang,
            "게이트웨이와 연결이 끊겼습니다. 다시 연결될 때까지 기다립니다. (Ctrl-C로 종료)",
            "The gateway is gone; waiting until it is back (Ctrl-C leaves).",
        )
    }
}

/// Waits until one of them is readable, or for this long. A signal that does not end the process is ignored.
fn wait(descriptors: &mut [PollFd<'_>], limit: Option<&Timespec>) -> anyhow::Result<()> {
    match poll(descriptors, limit) {
        Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Discards input that was not read yet.
fn discard_typed() -> anyhow::Result<()> {
    Ok(tcflush(std::io::stdin(), QueueSelector::IFlush)?)
}

/// Reads what was typed, nothing at the terminal's end; `None` where a signal came first. Nothing is read ahead, so that all
/// unread input can be discarded.
fn read_typed() -> anyhow::Result<Option<Vec<u8>>> {
    let mut bytes = [0; LINE];
    let count = match rustix::io::read(std::io::stdin(), &mut bytes) {
        Ok(count) => count,
        Err(rustix::io::Errno::INTR) => return Ok(None),
        // The terminal is gone.
        Err(rustix::io::Errno::IO) => 0,
        Err(error) => return Err(error.into()),
    };
    Ok(bytes.get(..count).map(<[u8]>::to_vec))
}

/// Reads one line from the terminal; `None` at its end. An unfinished line counts as empty.
fn read_line() -> anyhow::Result<Option<String>> {
    Ok(match read_typed()?.as_deref() {
        Some([]) => None,
        Some([text @ .., b'\n']) => Some(String::from_utf8_lossy(text).into_owned()),
        _ => Some(String::new()),
    })
}
