//! Runs one hook from its start to its exit, with the actions of people meanwhile.

use std::os::unix::process::ExitStatusExt;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use dmplz_e2e::{Chat, Choice, Hook, JIN, MIN, Person};
use dmplz_protocol::AnswerBody;

use super::plan::{Blow, Deed, Plan};
use super::socket::Socket;
use super::stage::{Account, DEADLINE};
use crate::person::{self, Card};

/// The events in the life of a hook.
#[derive(Debug)]
pub(super) struct Life {
    pub(super) plan: Plan,
    pub(super) account: usize,
    pub(super) started: Instant,
    pub(super) exited: Instant,
    /// The time for which it waited for a processor.
    pub(super) starved: Duration,
    pub(super) stdout: String,
    pub(super) stderr: String,
    pub(super) code: Option<i32>,
    pub(super) signal: Option<i32>,
    pub(super) deeds: Deeds,
}

/// The actions on it and for it, with their times.
#[derive(Debug, Default)]
pub(super) struct Deeds {
    /// The time when the client told it to stop.
    pub(super) stopped: Option<Instant>,
    pub(super) killed: Option<Instant>,
    /// The span in which it was frozen.
    pub(super) frozen: Option<(Instant, Instant)>,
    /// All presses of people.
    pub(super) presses: Vec<Pressed>,
    /// The time when the person saw the prompt for a reason, after which their denial counts.
    pub(super) prompted: Option<Instant>,
}

/// An answer of a person.
#[derive(Debug, Clone)]
pub(super) struct Pressed {
    pub(super) at: Instant,
    pub(super) denies: bool,
    /// Whether the person may answer.
    pub(super) counts: bool,
    /// For an answer over the socket, whether the gateway acknowledged it. `None` on a messenger.
    pub(super) acknowledged: Option<bool>,
}

/// Runs a hook by its plan.
pub(super) fn live(account: &Account, plan: Plan) -> Life {
    let hook = account.home.hook(&plan.stdin());
    let deeds = Mutex::new(Deeds::default());
    std::thread::scope(|scope| {
        if let Some((after, blow)) = plan.blow {
            let (hook, deeds) = (&hook, &deeds);
            scope.spawn(move || strike(hook, Duration::from_millis(after), blow, deeds));
        }
        Company { account, plan: &plan, hook: &hook, deeds: &deeds }.act();
    });
    let ended = hook.ended();
    Life {
        plan,
        account: account.number,
        started: ended.started,
        exited: ended.exited,
        starved: ended.starved,
        stdout: ended.stdout,
        stderr: ended.stderr,
        code: ended.status.code(),
        signal: ended.status.signal(),
        deeds: deeds.into_inner().unwrap(),
    }
}

/// Sleeps until a time. Returns whether the hook still runs.
fn sleep_until(hook: &Hook, then: Instant) -> bool {
    while Instant::now() < then && !hook.is_over() {
        std::thread::sleep(Duration::from_millis(10).min(then.saturating_duration_since(Instant::now())));
    }
    !hook.is_over()
}

fn strike(hook: &Hook, after: Duration, blow: Blow, deeds: &Mutex<Deeds>) {
    if !sleep_until(hook, hook.started() + after) {
        return;
    }
    let at = Instant::now();
    match blow {
        Blow::Stop => {
            deeds.lock().unwrap().stopped = Some(at);
            hook.terminate();
        }
        Blow::Kill => {
            deeds.lock().unwrap().killed = Some(at);
            hook.kill();
        }
        Blow::Freeze(ms) => {
            hook.pause();
            std::thread::sleep(Duration::from_millis(ms));
            // The note is made before the hook continues, so that it precedes everything that the hook does.
            deeds.lock().unwrap().frozen = Some((at, Instant::now()));
            hook.go_on();
        }
    }
}

/// The person who answers one hook.
struct Company<'a> {
    account: &'a Account,
    plan: &'a Plan,
    hook: &'a Hook,
    deeds: &'a Mutex<Deeds>,
}

impl Company<'_> {
    fn chat(&self) -> &Chat {
        let chats = &self.account.chats;
        &chats[usize::from(self.plan.elsewhere) % chats.len()]
    }

    /// Waits for the card while the hook runs.
    fn card(&self) -> Option<Card> {
        while !self.hook.is_over() {
            if let Some(card) = person::await_card(self.chat(), &self.plan.marker, Duration::from_millis(300)) {
                return Some(card);
            }
        }
        None
    }

    fn press(&self, card: &Card, choice: Choice, by: Person) {
        // The press is recorded first, because its effect may come before this call returns.
        let pressed =
            Pressed { at: Instant::now(), denies: choice == Choice::Deny, counts: by == JIN, acknowledged: None };
        self.deeds.lock().unwrap().presses.push(pressed);
        let _ = person::press(self.chat(), card, choice, by);
    }

    fn rest(&self, ms: u64) {
        std::thread::sleep(Duration::from_millis(ms));
    }

    fn until_gone(&self) {
        while !self.hook.is_over() {
            self.rest(10);
        }
    }

    fn act(&self) {
        let Plan { deed, looks, pause, .. } = *self.plan;
        if matches!(deed, Deed::AllowOnSocket | Deed::DenyOnSocket) {
            return self.on_socket(deed == Deed::DenyOnSocket);
        }
        let Some(card) = (deed != Deed::Nobody).then(|| self.card()).flatten() else { return };
        self.rest(looks);
        match deed {
            Deed::Allow => self.press(&card, Choice::Approve, JIN),
            Deed::AllowSession => self.press(&card, Choice::Session, JIN),
            Deed::AllowTwice => {
                self.press(&card, Choice::Approve, JIN);
                self.rest(pause);
                self.press(&card, Choice::Approve, JIN);
            }
            Deed::DenyWithReason | Deed::DenyAndSkip | Deed::DenyWithoutAWord => {
                self.press(&card, Choice::Deny, JIN);
                self.reason(&card, deed);
            }
            Deed::AllowThenDeny => {
                self.press(&card, Choice::Approve, JIN);
                self.rest(pause);
                self.press(&card, Choice::Deny, JIN);
            }
            Deed::DenyThenAllow => {
                self.press(&card, Choice::Deny, JIN);
                self.rest(pause);
                self.press(&card, Choice::Approve, JIN);
            }
            Deed::AllowAtTheLimit | Deed::DenyAtTheLimit => {
                sleep_until(self.hook, self.hook.started() + DEADLINE - Duration::from_millis(pause));
                self.press(&card, if deed == Deed::DenyAtTheLimit { Choice::Deny } else { Choice::Approve }, JIN);
            }
            Deed::AllowLate | Deed::DenyLate => {
                self.until_gone();
                self.rest(pause);
                self.press(&card, if deed == Deed::DenyLate { Choice::Deny } else { Choice::Approve }, JIN);
            }
            Deed::StrangerAllows => self.press(&card, Choice::Approve, MIN),
            Deed::StrangerAllowsThenDeny => {
                self.press(&card, Choice::Approve, MIN);
                self.rest(pause);
                self.press(&card, Choice::Deny, JIN);
            }
            Deed::Nobody | Deed::AllowOnSocket | Deed::DenyOnSocket => {}
        }
    }

    fn reason(&self, card: &Card, deed: Deed) {
        while !self.hook.is_over() {
            let Some(prompt) = person::await_prompt(self.chat(), card, Duration::from_millis(300)) else { continue };
            self.deeds.lock().unwrap().prompted = Some(Instant::now());
            let _ = match deed {
                Deed::DenyWithReason => person::reply(self.chat(), prompt, JIN, "not on a Friday"),
                Deed::DenyAndSkip => person::skip(self.chat(), prompt, JIN),
                _ => None,
            };
            return;
        }
    }

    fn on_socket(&self, denies: bool) {
        let Some(path) = &self.account.socket else { return };
        let answer = if denies { AnswerBody::Deny { reason: None, instead: false } } else { AnswerBody::Approve };
        let mut acknowledged = false;
        while !self.hook.is_over() && !acknowledged {
            self.rest(40);
            let Ok(mut socket) = Socket::connect(path) else { continue };
            let Ok(ids) = socket.open(&self.plan.marker) else { continue };
            for id in ids {
                self.rest(self.plan.pause);
                let mut pressed = Pressed { at: Instant::now(), denies, counts: true, acknowledged: Some(false) };
                acknowledged = socket.answer(id, answer.clone()).is_ok();
                if acknowledged {
                    pressed.acknowledged = Some(true);
                }
                self.deeds.lock().unwrap().presses.push(pressed);
            }
        }
    }
}
