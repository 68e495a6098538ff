//! Measures many open cards on Discord: how soon presses are acknowledged, and the gateway's memory.
//!
//! ```text
//! cargo run --release -p dmplz-e2e --example cards -- DMPLZ
//! ```
//!
//! Prints one JSON object. The real `dmplz serve` has many open cards in one channel of the fake Discord, over its
//! gateway. People press `Scope` on one card after the other, 20 times a second. `acknowledged_*_ms` is the time from
//! the press to the first response at the fake, which adds no delay. `frame_us` is the processor time of the gateway,
//! with the component's work, for an event that is not about our cards, a message of 1 KiB.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a measurement that fails should fail loudly")]

use std::fs;
use std::thread::sleep;
use std::time::{Duration, Instant};

use dmplz_e2e::{Gateway, Home, Surface};
use dmplz_fakes::FakeDiscord;
use dmplz_fakes::discord::{Message, User};
use serde_json::{Value, json};

/// Cards that are up while people press.
const PRESSED: usize = 100;
/// Presses, and the time between two of them.
const PRESSES: usize = 400;
const APART: Duration = Duration::from_millis(50);
/// Cards that are up when memory is read.
const MANY: usize = 1_000;
/// The number of events that are not about our cards.
const FRAMES: usize = 5_000;
/// The time limit of every wait, which is exceeded only if something is broken.
const PATIENCE: Duration = Duration::from_secs(300);

fn main() {
    let dmplz = std::env::args().nth(1).unwrap();
    let few = Office::open(&dmplz, PRESSED);
    let acknowledged = few.press();
    let frame = few.frames();
    let at = |share: usize| acknowledged.get(acknowledged.len() * share / 100).copied();
    let alone = Office::open(&dmplz, 0).resident_mib();
    let many = Office::open(&dmplz, MANY).resident_mib();
    let figures = json!({
        "acknowledged_p50_ms": at(50), "acknowledged_p99_ms": at(99), "acknowledged_max_ms": acknowledged.last(),
        "frame_us": frame, "no_cards_mib": alone, "many_cards_mib": many,
    });
    println!("{figures}");
}

/// A gateway with cards up in a channel.
struct Office {
    discord: FakeDiscord,
    person: User,
    gateway: Gateway,
    cards: Vec<Message>,
    /// The connection that waits for the answers.
    _hooks: Option<Surface>,
    _home: Home,
}

impl Office {
    fn open(dmplz: &str, cards: usize) -> Self {
        let discord = FakeDiscord::spawn_thread();
        let person = User::person(7, "Jin");
        let channel = discord.channel(discord.guild("office"), "approvals");
        let mut home = Home::bare(dmplz);
        home.set("DMPLZ_DISCORD_API_BASE", discord.base_url())
            .set("DMPLZ_DISCORD_GATEWAY_URL", discord.gateway().url())
            .set("DMPLZ_DISCORD_BOT_TOKEN", discord.token())
            .set("DMPLZ_DISCORD_CHANNEL_ID", channel.to_string())
            .set("DMPLZ_ALLOWED_USERS", "7")
            .set("DMPLZ_LANG", "en")
            .set("DMPLZ_GATEWAY_ACTIVE_CARDS", MANY.to_string())
            .set("DMPLZ_QUESTION_TIMEOUT_MS", "86400000");
        let gateway = home.serve();
        let hooks = (cards > 0).then(|| ask(&gateway, cards));
        let cards = discord
            .watch_blocking(channel, PATIENCE, |messages| {
                let up = messages.iter().filter(|message| !message.buttons().is_empty());
                let up: Vec<_> = up.cloned().collect();
                (up.len() == cards).then_some(up)
            })
            .unwrap();
        Self { discord, person, gateway, cards, _hooks: hooks, _home: home }
    }

    /// Milliseconds from each press to its acknowledgement, ascending.
    fn press(&self) -> Vec<f64> {
        let mut presses = Vec::new();
        let start = Instant::now();
        for (number, card) in (0..PRESSES).zip(self.cards.iter().cycle()) {
            let due = start + APART * u32::try_from(number).unwrap();
            sleep(due.saturating_duration_since(Instant::now()));
            presses.push(self.press_scope(card));
        }
        let millis =
            |press| self.discord.await_response_blocking(press, PATIENCE).unwrap().after.unwrap().as_secs_f64() * 1e3;
        let mut took: Vec<f64> = presses.into_iter().map(millis).collect();
        took.sort_by(f64::total_cmp);
        took
    }

    /// Presses the button that names another place to store "always" in: an answer would end the card.
    fn press_scope(&self, card: &Message) -> u64 {
        let card = self.discord.message(card).unwrap();
        let scope = card.buttons().into_iter().flatten().find(|button| button.label.contains("Scope: ")).unwrap();
        self.discord.press(&card, &scope.label, &self.person).unwrap()
    }

    /// Microseconds of processor time for a frame.
    fn frames(&self) -> f64 {
        let before = self.processor();
        let content = "x".repeat(1024);
        let frame = json!({ "op": 0, "s": null, "t": "MESSAGE_CREATE", "d": { "id": "1", "channel_id": "1", "content": content } });
        for number in 0..FRAMES {
            self.discord.gateway().send(&frame.to_string());
            // As they come from a busy server, and not more than the gateway may keep.
            if number % 50 == 0 {
                sleep(Duration::from_millis(5));
            }
        }
        // A press after them is acknowledged only when all of them have been read.
        let press = self.press_scope(self.cards.first().unwrap());
        self.discord.await_response_blocking(press, PATIENCE).unwrap();
        (self.processor() - before).as_secs_f64() * 1e6 / FRAMES as f64
    }

    /// Returns the processor time of the gateway so far.
    fn processor(&self) -> Duration {
        let tasks = fs::read_dir(format!("/proc/{}/task", self.gateway.pid())).unwrap();
        let ran = tasks.map(|task| {
            let stat = fs::read_to_string(task.unwrap().path().join("schedstat")).unwrap();
            stat.split_whitespace().next().unwrap().parse::<u64>().unwrap()
        });
        Duration::from_nanos(ran.sum())
    }

    fn resident_mib(&self) -> f64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.gateway.pid())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").parse::<f64>().unwrap() / 1024.0
    }
}

/// Opens requests whose card has all buttons.
fn ask(gateway: &Gateway, cards: usize) -> Surface {
    let mut hooks = gateway.connect();
    for number in 0..cards {
        let line = json!({ "jsonrpc": "2.0", "id": number, "method": "hook.ask", "params": request(number) });
        hooks.write(line.to_string().as_bytes());
    }
    for _ in 0..cards {
        hooks.await_told("hook.accepted");
    }
    hooks
}

fn request(number: usize) -> Value {
    let rules = json!([{ "toolName": "Bash", "ruleContent": "cargo test *" }]);
    let input = json!({
        "hook_event_name": "PermissionRequest", "session_id": format!("crowd-{}", number % 50),
        "cwd": "/home/user/project", "tool_name": "Bash",
        "tool_input": { "command": format!("cargo test --package part-{number} -- --nocapture"), "description": "Run the tests" },
        "permission_suggestions": [{ "type": "addRules", "rules": rules, "behavior": "allow", "destination": "localSettings" }],
    });
    let id = format!("00000000-0000-4000-8000-{number:012}");
    json!({ "requestId": id, "input": input, "remarks": [], "expiresInMs": 86_400_000 })
}
