//! Creates the messengers, the homes, and the gateway of a run.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use dmplz_e2e::{Chat, Fake, Gateway, Home};
use dmplz_fakes::Call;
use tempfile::TempDir;

use super::{Options, weather};
use crate::gateway;

/// `DMPLZ_HOOK_TIMEOUT_MS`.
pub(super) const TIMEOUT: Duration = Duration::from_millis(7500);
/// The time after which a request expires: a fifth of the time-out is reserved for the handover.
pub(super) const DEADLINE: Duration = Duration::from_millis(6000);

/// The hooks of one home, and the chats in which they ask.
pub(super) struct Account {
    pub(super) number: usize,
    pub(super) home: Home,
    pub(super) chats: Vec<Chat>,
    /// The socket of the gateway, if they ask through one.
    pub(super) socket: Option<PathBuf>,
}

/// All accounts of a run.
pub(super) struct Stage {
    pub(super) accounts: Vec<Account>,
    /// The account of each of the hooks that run at the same time.
    pub(super) places: Vec<usize>,
}

impl Stage {
    /// Creates the stage. Without a gateway, three of four hooks have a bot of their own, and the others share two.
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

    /// Ends all faults of the messengers.
    pub(super) fn calm(&self) {
        self.chats.iter().for_each(|chat| chat.wire().heal());
    }
}

/// Returns whether the oracle reads the replies of a request: those that hand out presses or contain the id of a
/// message.
fn is_told(call: &Call) -> bool {
    matches!(call.name.as_str(), "getUpdates" | "sendMessage" | "POST /channels/{channel_id}/messages")
        || call.name.starts_with("GET /channels/{channel_id}/messages/{message_id}/reactions/")
}

/// The span in which a process was absent: a reply that it received then is lost with it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Absence {
    /// The time when it was killed.
    pub(super) from: Instant,
    /// The time when the next one was ready; `None` if there was none.
    pub(super) until: Option<Instant>,
}

impl Absence {
    /// Returns whether a process that received a reply at this time may have had less than the needed time.
    pub(super) fn cuts(&self, told: Instant, needs: Duration) -> bool {
        self.from < told + needs && self.until.is_none_or(|until| told < until)
    }
}

/// Kills the gateway repeatedly, and records its absences.
pub(super) struct Reaper<'a> {
    account: &'a Account,
    log: PathBuf,
    pub(super) absences: Mutex<Vec<Absence>>,
    pub(super) over: AtomicBool,
    running: Mutex<Option<Gateway>>,
}

impl<'a> Reaper<'a> {
    /// Starts the first gateway.
    pub(super) fn start(account: &'a Account, logs: &TempDir) -> anyhow::Result<Self> {
        let log = logs.path().join("serve.log");
        let running = gateway::start(&account.home, &log)?;
        Ok(Self {
            account,
            log,
            absences: Mutex::default(),
            over: AtomicBool::new(false),
            running: Mutex::new(Some(running)),
        })
    }

    /// Lets each gateway run for the given time and starts the next, until the run is over. The last one is not killed.
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
            let started = gateway::start(&self.account.home, &self.log)?;
            self.absences.lock().unwrap().push(Absence { from, until: Some(Instant::now()) });
            *self.running.lock().unwrap() = Some(started);
            next = Instant::now() + life;
        }
        Ok(())
    }

    /// Returns whether the last gateway still runs.
    pub(super) fn stands(&self) -> bool {
        self.running.lock().unwrap().as_mut().is_some_and(|gateway| !gateway.has_ended())
    }
}

/// Disturbs the sessions of Discord's gateway.
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
