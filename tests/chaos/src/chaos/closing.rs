//! Checks the accounts after the end: a next process runs for each account, and then no card may look open.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use dmplz_e2e::{Chat, Choice, Fake, JIN};
use dmplz_fakes::{discord, telegram};

use super::Options;
use super::life::{self, Life};
use super::oracle::{Broken, Invariant};
use super::plan::{Deed, Plan};
use super::socket::Socket;
use super::stage::{Absence, Account};
use super::truth::{self, Truth};

/// The time limit for the edits of the next process.
const SETTLES: Duration = Duration::from_secs(20);
/// A process that learned the id of a card within this time before it was killed may not have stored it.
const WRITTEN: Duration = Duration::from_millis(700);
/// The same for a run without time limits, on a machine of unknown speed; and the number of processes that run there
/// before a card counts as left.
const WRITTEN_ANYWHERE: Duration = Duration::from_secs(5);
const VISITS_ANYWHERE: u64 = 3;

/// The processes that may have been killed before they stored the ids of their cards.
pub(super) struct Kills {
    /// The kills of hooks, by the marker of their request.
    hooks: BTreeMap<String, Absence>,
    /// The kills of the gateway.
    pub(super) gateway: Vec<Absence>,
    /// The time that storing may take.
    written: Duration,
}

impl Kills {
    /// Collects the kills of the hooks and of the gateway.
    pub(super) fn of(options: &Options, lives: &[Result<Life, u64>], gateway: Vec<Absence>) -> Self {
        let gone = |from| Absence { from, until: None };
        let killed = lives.iter().flatten();
        let killed = killed.filter_map(|life| Some((life.plan.marker.clone(), gone(life.deeds.killed?))));
        let written = if options.is_timed { WRITTEN } else { WRITTEN_ANYWHERE };
        Self { hooks: killed.collect(), gateway, written }
    }

    /// Returns whether the process that was told the id of a card had the time to store it.
    fn left_time(&self, marker: &str, told: Instant) -> bool {
        let mut absences = self.hooks.get(marker).into_iter().chain(&self.gateway);
        !absences.any(|absence| absence.cuts(told, self.written))
    }
}

/// Runs the next process, and then presses every card that still looks open, because only a press reveals a card whose
/// posting was never confirmed. Returns the cards that are left after both.
pub(super) fn close(account: &Account, options: &Options, kills: &Kills) -> Vec<Broken> {
    account.calm();
    let prefix = format!("chaos-{}-", options.seed);
    for round in 1..if options.is_timed { 2 } else { VISITS_ANYWHERE + 1 } {
        visit(account, options, round);
    }
    let (mut left, mut pressed) = (Vec::new(), Vec::new());
    for chat in &account.chats {
        let truth = Truth::of(chat, &prefix);
        let is_known = |id: &u64| truth.is_known(chat, *id, kills);
        until(|| !truth::open(chat).iter().any(is_known));
        for id in truth::open(chat).into_iter().filter(is_known) {
            left.push(broken(chat, &truth, id, "after the next process came"));
        }
        pressed.push(press_all(chat, &truth::open(chat)));
    }
    visit(account, options, 0);
    for (chat, pressed) in account.chats.iter().zip(pressed) {
        let truth = Truth::of(chat, &prefix);
        // On a card that is answered by reactions, a press is noticed only if a process knows the card.
        let is_heard = |id: &u64| {
            let is_remembered = truth::is_pressed(chat, *id) && !truth.is_forgotten(*id, options.gateway);
            truth.is_known(chat, *id, kills) || is_remembered
        };
        let is_card = |id: &u64| truth.messages.contains_key(id) && is_heard(id);
        until(|| !truth::open(chat).iter().any(is_card));
        for id in truth::open(chat).into_iter().filter(is_card) {
            let when =
                format!("after somebody pressed it ({}) and the next process came", told(chat, pressed.get(&id)));
            left.push(broken(chat, &truth, id, &when));
        }
    }
    left
}

/// Checks the requests that are open on the gateway although no hook waits for them, and the trail.
pub(super) fn open_requests(account: &Account) -> Vec<Broken> {
    let mut left = Vec::new();
    let mut add = |why: String| left.push(Broken { invariant: Invariant::NothingLeftOpen, hook: None, why });
    let look = || Socket::connect(account.socket.as_ref()?).ok()?.open("").ok();
    until(|| look().is_some_and(|open| open.is_empty()));
    match look() {
        Some(open) if open.is_empty() => {}
        open => add(format!("requests are still open: {open:?}")),
    }
    let verified = account.home.run(&["audit", "verify"]);
    if !verified.status.success() {
        add(format!("the trail does not hold: {}", String::from_utf8_lossy(&verified.stdout)));
    }
    left
}

impl Truth {
    fn is_known(&self, chat: &Chat, id: u64, kills: &Kills) -> bool {
        let known = self.messages.get(&id).zip(self.known(chat, id));
        known.is_some_and(|(marker, at)| kills.left_time(marker, at))
    }
}

/// Runs one more hook, which is allowed in every chat.
fn visit(account: &Account, options: &Options, round: u64) {
    for elsewhere in 0..account.chats.len() {
        let number = options.hooks + round * 10 + elsewhere as u64;
        let plan = Plan {
            number,
            marker: format!("chaos-{}-{number}-end", options.seed),
            kind: "PermissionRequest-Bash".to_owned(),
            deed: Deed::Allow,
            looks: 0,
            pause: 0,
            elsewhere: elsewhere == 1,
            blow: None,
        };
        drop(life::live(account, plan));
    }
}

fn until(is_so: impl Fn() -> bool) {
    let end = Instant::now() + SETTLES;
    while !is_so() && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn broken(chat: &Chat, truth: &Truth, id: u64, when: &str) -> Broken {
    let hook = truth.messages.get(&id).and_then(|marker| marker.split('-').nth(2)?.parse().ok());
    let message = chat.message(id);
    let line = message.text.lines().next().unwrap_or_default();
    let why = format!("message {id} still looks open {when}: {line:?} with {:?}", message.choices);
    Broken { invariant: Invariant::NoCardLeft, hook, why }
}

/// Presses the first button of these messages. Returns the presses, by message.
fn press_all(chat: &Chat, messages: &BTreeSet<u64>) -> BTreeMap<u64, String> {
    let press = |id: &u64| match chat.fake() {
        Fake::Telegram(fake, room) => {
            let at = (*room, i64::try_from(*id).unwrap());
            let data = fake.message(at)?.keyboard().first()?.first()?.data.clone()?;
            Some(fake.forge_press(at, &data, &telegram::User::person(JIN.id.into(), JIN.name)))
        }
        Fake::Discord(fake, room) => {
            let jin = discord::User::person(JIN.id.into(), JIN.name);
            let button = fake.message((*room, *id))?.buttons().first().and_then(|row| Some(row.first()?.label.clone()));
            match button {
                Some(label) => Some(fake.press((*room, *id), &label, &jin).ok()?.to_string()),
                None => {
                    fake.react((*room, *id), Choice::Approve.emoji(), &jin);
                    None
                }
            }
        }
    };
    messages.iter().filter_map(|id| Some((*id, press(id)?))).collect()
}

/// Returns the answer to a press.
fn told(chat: &Chat, press: Option<&String>) -> String {
    let told = press.and_then(|press| match chat.fake() {
        Fake::Telegram(fake, _) => Some(fake.answer(press)?.text),
        Fake::Discord(fake, _) => Some(fake.interaction(press.parse().ok()?)?.whisper().to_owned()),
    });
    told.map_or_else(|| "told nothing".to_owned(), |told| format!("told {told:?}"))
}
