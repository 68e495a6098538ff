//! Messengers, homes, and the gateway.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use dmplz_e2e::{Chat, Fake, Home};
use dmplz_fakes::Call;
use tempfile::TempDir;

use super::{Options, weather};
use crate::gateway::Gateway;

/// `DMPLZ_HOOK_TIMEOUT_MS`.
pub(super) const TIMEOUT: Duration = Duration::from_millis(7500);
/// When a request expires: a fifth of the time-out is kept free for handing over.
pub(super) const DEADLINE: Duration = Duration::from_millis(6000);

/// Hooks of one home, and whom they ask.
pub(super) struct Account {
    pub(super) number: usize,
    pub(super) home: Home,
    pub(super) chats: Vec<Chat>,
    /// Of the gateway, where they ask through one.
    pub(super) socket: Option<PathBuf>,
}

/// All accounts of a run.
pub(super) struct Stage {
    pub(super) accounts: Vec<Account>,
    /// Which account each of those that live at the same time uses.
    pub(super) places: Vec<usize>,
}

impl Stage {
    /// Alone, three of four hooks have a bot of their own, and the others share two.
    pub(super) fn set(options: &Options, binary: &Path) -> Self {
        if options.gateway {
            let chats = vec![Chat::telegram(), Chat::discord_with_buttons()];
            let account = Account::new(0, chats, binary, options);
            return Self { accounts: vec![account], places: vec![0; usize::try_from(options.at_a_time).unwrap()] };
        }
        let at_a_time = usize::try_from(options.at_a_time).unwrap();
        let alone = at_a_time - at_a_time / 4;
        let count = if alone < at_a_time { alone + 2 } else { alone };
        let chat = |number: usize| if number.is_multiple_of(2) { Chat::telegram() } else { Chat::discord() };
        let accounts = (0..count).map(|number| Account::new(number, vec![chat(number)], binary, options)).collect();
        let places = (0..at_a_time).map(|place| if place < alone { place } else { alone + place % 2 }).collect();
        Self { accounts, places }
    }
}

impl Account {
    fn new(number: usize, chats: Vec<Chat>, binary: &Path, options: &Options) -> Self {
        let mut home = Home::bare(&binary.display().to_string());
        home.set("DMPLZ_LANG", "en")
            .set("DMPLZ_HOOK_TIMEOUT_MS", TIMEOUT.as_millis().to_string())
            .set("DMPLZ_REJECT_REASON_TIMEOUT_MS", "1500")
            .set("DMPLZ_GATEWAY_ACTIVE_CARDS", options.at_a_time.to_string());
        for (place, chat) in chats.iter().enumerate() {
            for (name, value) in chat.settings() {
                home.set(name, value);
            }
            chat.wire().keep_replies(is_told);
            weather::begin(chat, options.seed.wrapping_mul(1_000_003) + (number * 2 + place) as u64);
        }
        let socket = options.gateway.then(|| home.state().join("gateway.sock"));
        Self { number, home, chats, socket }
    }

    /// From now on the weather is fine.
    pub(super) fn calm(&self) {
        self.chats.iter().for_each(|chat| chat.wire().heal());
    }
}

/// Requests whose replies the oracle reads: what hands out presses, and what tells where a message is.
fn is_told(call: &Call) -> bool {
    matches!(call.name.as_str(), "getUpdates" | "sendMessage" | "POST /channels/{channel_id}/messages")
        || call.name.starts_with("GET /channels/{channel_id}/messages/{message_id}/reactions/")
}

/// From when until when a process was not there: what a messenger tells it then, it tells nobody.
#[derive(Debug, Clone, Copy)]
pub(super) struct Absence {
    /// When it was killed.
    pub(super) from: Instant,
    /// When the next one was there; none where none came.
    pub(super) until: Option<Instant>,
}

impl Absence {
    /// Whether a process that was told something then may not have had so much time for it.
    pub(super) fn cuts(&self, told: Instant, needs: Duration) -> bool {
        self.from < told + needs && self.until.is_none_or(|until| told < until)
    }
}

/// Kills the gateway again and again. When it was not there.
pub(super) struct Reaper<'a> {
    account: &'a Account,
    log: PathBuf,
    pub(super) absences: Mutex<Vec<Absence>>,
    pub(super) over: AtomicBool,
    running: Mutex<Option<Gateway>>,
}

impl<'a> Reaper<'a> {
    /// Starts the first one.
    pub(super) fn start(account: &'a Account, logs: &TempDir) -> anyhow::Result<Self> {
        let log = logs.path().join("serve.log");
        let running = Gateway::start(&account.home, &log)?;
        Ok(Self {
            account,
            log,
            absences: Mutex::default(),
            over: AtomicBool::new(false),
            running: Mutex::new(Some(running)),
        })
    }

    /// Lets one live for so long, and starts the next, until it is over. The last one lives on.
    pub(super) fn reap(&self, life: Duration, seed: u64) -> anyhow::Result<()> {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut next = Instant::now() + life;
        while !self.over.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(20));
            if Instant::now() < next {
                continue;
            }
            let killed = self.running.lock().unwrap().take();
            let from = Instant::now();
            killed.into_iter().for_each(Gateway::kill);
            disturb(self.account, &mut random);
            let started = Gateway::start(&self.account.home, &self.log)?;
            self.absences.lock().unwrap().push(Absence { from, until: Some(Instant::now()) });
            *self.running.lock().unwrap() = Some(started);
            next = Instant::now() + life;
        }
        Ok(())
    }

    /// Whether the last one is still there.
    pub(super) fn stands(&self) -> bool {
        self.running.lock().unwrap().as_mut().is_some_and(|gateway| !gateway.has_ended())
    }
}

/// What Discord's gateway does to its sessions.
fn disturb(account: &Account, random: &mut fastrand::Rng) {
    for chat in &account.chats {
        if let Fake::Discord(fake, _) = chat.fake() {
            match random.u8(..6) {
                0 => fake.gateway().forget_sessions(),
                1 => fake.gateway().cut_after(random.usize(1..8)),
                2 => fake.gateway().turn_away(4000, 1),
                _ => {}
            }
        }
    }
}
