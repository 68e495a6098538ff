//! Draws a script from a number.

use fastrand::Rng;

use crate::script::{
    Answers, Asks, Call, End, Event, Fault, Frame, HookId, Noise, Person, Refusal, Says, Script, Step, When,
};

/// What hooks ask for, some more often.
const ASKED: &[Asks] = &[
    Asks::Command,
    Asks::Command,
    Asks::Command,
    Asks::Command,
    Asks::Suggests,
    Asks::Suggests,
    Asks::Suggests,
    Asks::Questions,
    Asks::Questions,
    Asks::Questions,
    Asks::Plan,
    Asks::Again,
    Asks::Again,
    Asks::Allowed,
    Asks::Denied,
];

/// What nobody said: long lines cost much, and so are rare.
const NOISES: &[Noise] = &[
    Noise::Unknown,
    Noise::Unknown,
    Noise::NoJson,
    Noise::NoJson,
    Noise::WrongTypes,
    Noise::WrongTypes,
    Noise::Bytes,
    Noise::Bytes,
    Noise::Batch,
    Noise::Torn,
    Noise::Torn,
    Noise::Again,
    Noise::Again,
    Noise::Other,
    Noise::Other,
    Noise::TooLong,
];

/// What people write. An empty text is one that the messenger keeps from the bot.
const WORDS: &[&str] = &["use a branch", "use a branch", "something else", ""];

/// What a script may come to.
struct Draft {
    rng: Rng,
    frame: Frame,
    /// When each hook starts.
    starts: Vec<u64>,
    steps: Vec<Step>,
}

/// The script of a seed.
pub fn draw(seed: u64) -> Script {
    let mut rng = Rng::with_seed(seed);
    let chat = rng.u8(..10) < 6;
    let frame = Frame {
        seed,
        way: pick(
            &mut rng,
            &[Answers::Buttons, Answers::Buttons, Answers::Buttons, Answers::Reactions, Answers::Forms],
        ),
        limit: pick(&mut rng, &[15_000, 15_000, 20_000, 30_000, 60_000, 300_000]),
        reason: pick(&mut rng, &[1_000, 5_000, 60_000]),
        gateway: rng.u8(..10) < 5,
        chat,
        pageless: rng.u8(..10) < 3,
        store: rng.u8(..50) == 0,
        protocol: if rng.u8(..10) == 0 { Some(pick(&mut rng, &[0, 2, 7])) } else { None },
        relapse: None,
        latency: pick(&mut rng, &[1, 20, 80, 300]),
    };
    let mut draft = Draft { rng, frame, starts: Vec::new(), steps: Vec::new() };
    draft.hooks();
    match draft.frame.gateway {
        true => {
            if !draft.frame.pageless {
                draft.answers();
            }
            draft.gateways();
            draft.around_the_gateway();
            if draft.frame.chat {
                draft.people();
                draft.net();
            }
        }
        false => {
            draft.people();
            draft.net();
        }
    }
    draft.grants();
    if draft.rng.u8(..10) < 2 {
        draft.reasons();
    }
    draft.chaos();
    Script { frame: draft.frame, steps: draft.steps }
}

impl Draft {
    fn hooks(&mut self) {
        let mut at = 0;
        for hook in 0..pick(&mut self.rng, &[1, 1, 2, 2, 3, 4]) {
            self.starts.push(at);
            let asks = pick(&mut self.rng, ASKED);
            self.steps.push(Step::Hook { hook, at, asks });
            if matches!(asks, Asks::Suggests | Asks::Questions) {
                self.form(hook, asks);
            }
            at += self.rng.u64(0..self.frame.limit * 5 / 4);
        }
    }

    /// A moment that matters to a hook: near its deadline, during its life, or after it.
    fn moment(&mut self, hook: HookId) -> u64 {
        let start = self.starts.get(usize::from(hook)).copied().unwrap_or_default();
        let (limit, deadline) = (self.frame.limit, self.deadline(hook));
        match self.rng.u8(..10) {
            0..4 => (deadline + 300).saturating_sub(self.rng.u64(0..5_000)),
            4..8 => start + self.rng.u64(0..limit),
            8 => start + self.rng.u64(0..3_000),
            _ => start + limit + self.rng.u64(0..limit),
        }
    }

    fn deadline(&self, hook: HookId) -> u64 {
        let limit = self.frame.limit;
        self.starts.get(usize::from(hook)).copied().unwrap_or_default() + limit - (limit / 5).min(5_000)
    }

    fn hook(&mut self) -> HookId {
        let hooks = self.starts.len();
        HookId::try_from(self.rng.usize(0..hooks.max(1))).unwrap_or_default()
    }

    /// Somebody fills in the form of a card.
    fn form(&mut self, hook: HookId, asks: Asks) {
        const QUESTIONS: &[&str] = &["q1-o1", "q1-next", "q2-o1", "q2-o2", "q2-next", "submit"];
        const OTHERS: &[&str] = &[
            "q1-o2", "q1-other", "q1-other", "q2-back", "q2-x1", "q2-other", "q2-other", "q2-x0", "q1-next", "q1-back",
        ];
        const SCOPES: &[&str] = &[
            "scope-user",
            "widen",
            "scope-project",
            "always-project-w",
            "narrow",
            "scope-session",
            "scope-local",
            "always-local",
            "always-session",
        ];
        let mut at = self.moment(hook);
        let who = pick(&mut self.rng, &[Person::Ann, Person::Bob]);
        if asks == Asks::Questions && self.rng.u8(..10) < 4 {
            return self.own_words(hook, who);
        }
        for step in if asks == Asks::Questions { QUESTIONS } else { SCOPES } {
            at += pick(&mut self.rng, &[50, 900, 2_500]);
            if self.rng.u8(..10) < 2 {
                let other = pick(&mut self.rng, OTHERS);
                self.steps.push(press(at, who, hook, other));
                if self.rng.u8(..4) == 0 {
                    // The same again while its prompt is on its way, or is there.
                    self.steps.push(press(at + pick(&mut self.rng, &[5, 900]), who, hook, other));
                }
                let words = pick(&mut self.rng, WORDS);
                let later = pick(&mut self.rng, &[10, 1_500]);
                self.steps.push(Step::Say { at: at + later, who, text: words.to_owned() });
                if self.rng.u8(..4) == 0 {
                    self.steps.push(press(at + 2_000, who, hook, "q2-x0"));
                }
            }
            if self.rng.u8(..10) < 9 {
                self.steps.push(press(at, who, hook, step));
            }
        }
    }

    /// Somebody answers questions in their own words, soon after they came.
    fn own_words(&mut self, hook: HookId, who: Person) {
        let mut at = self.starts.get(usize::from(hook)).copied().unwrap_or_default() + self.rng.u64(1_500..4_000);
        for (choice, more) in [("q1-other", "q1-other"), ("q2-other", "q2-x0")] {
            self.steps.push(press(at, who, hook, choice));
            let later = at + pick(&mut self.rng, &[3, 50, 1_800]);
            self.steps.push(Step::Say { at: later, who, text: pick(&mut self.rng, WORDS).to_owned() });
            if self.rng.bool() {
                let again = at + pick(&mut self.rng, &[40, 1_200]);
                self.steps.push(press(again, who, hook, more));
            }
            at += 3_000;
        }
        for choice in ["q2-o1", "q2-next", "submit"] {
            self.steps.push(press(at, who, hook, choice));
            at += 1_000;
        }
    }

    fn people(&mut self) {
        for _ in 0..self.rng.u8(0..6) {
            let hook = self.hook();
            let at = self.moment(hook);
            for _ in 0..pick(&mut self.rng, &[1, 1, 2, 3, 4]) {
                let at = at + self.rng.u64(0..400);
                let hook = if self.rng.u8(..10) < 6 { hook } else { self.hook() };
                let who = pick(
                    &mut self.rng,
                    &[Person::Ann, Person::Ann, Person::Ann, Person::Bob, Person::Bob, Person::Eve, Person::Robot],
                );
                let step = match self.rng.u8(..20) {
                    0..7 => press(at, who, hook, "deny"),
                    7..12 => press(at, who, hook, "approve"),
                    12 => {
                        press(at, who, hook, self.rng.choice(["session", "auto-accept", "manual"]).unwrap_or_default())
                    }
                    13 => press(at, who, hook, self.rng.choice(["tell", "tell", "write"]).unwrap_or_default()),
                    14..16 => press(at, who, hook, "skip"),
                    16 => Step::Say { at, who, text: "no_reason".to_owned() },
                    _ => Step::Say { at, who, text: pick(&mut self.rng, WORDS).to_owned() },
                };
                self.steps.push(step);
            }
        }
    }

    /// Somebody denies, perhaps more than one at once, and says why, or what to do instead.
    fn reasons(&mut self) {
        let last = HookId::try_from(self.starts.len().saturating_sub(1)).unwrap_or_default();
        let (hook, at) = match self.rng.bool() {
            true => (last, self.starts.last().copied().unwrap_or_default() + self.rng.u64(1_500..5_000)),
            false => (last, self.moment(last)),
        };
        let who = pick(&mut self.rng, &[Person::Ann, Person::Bob]);
        let deny = pick(&mut self.rng, &["deny", "tell"]);
        self.steps.push(press(at, who, hook, deny));
        if self.rng.u8(..4) > 0 {
            let other = hook.saturating_sub(1);
            self.steps.push(press(at + self.rng.u64(0..900), who, other, "deny"));
        }
        let later = at + pick(&mut self.rng, &[5, 300, 1_500]);
        self.steps.push(Step::Say { at: later, who, text: pick(&mut self.rng, WORDS).to_owned() });
        self.steps.push(press(later + 700, who, hook, "write"));
        if self.rng.u8(..4) == 0 {
            self.steps.push(Step::Delete { at: at + self.rng.u64(0..3_000), hook });
        }
    }

    fn answers(&mut self) {
        for _ in 0..self.rng.u8(0..5) {
            let hook = self.hook();
            let at = self.moment(hook);
            for _ in 0..pick(&mut self.rng, &[1, 1, 2, 3]) {
                let at = at + self.rng.u64(0..400);
                let hook = if self.rng.u8(..10) < 8 { hook } else { self.hook() };
                let says = pick(
                    &mut self.rng,
                    &[
                        Says::Approve,
                        Says::Approve,
                        Says::Deny,
                        Says::Deny,
                        Says::DenyReasonToCome,
                        Says::DenyReasonToCome,
                        Says::DenyReasonToCome,
                        Says::Reason,
                        Says::Reason,
                        Says::Grant,
                        Says::Plan,
                        Says::Nonsense,
                    ],
                );
                self.steps.push(Step::Answer { at, hook, says });
                if self.rng.u8(..10) < 2 {
                    self.misfortune(at);
                }
            }
        }
    }

    /// Something happens to the gateway soon after.
    fn misfortune(&mut self, at: u64) {
        let at = at + pick(&mut self.rng, &[0, 1, 5, 100, 1_000, 3_000]);
        let loses = self.rng.bool();
        self.steps.push(if self.rng.u8(..10) < 7 {
            Step::GatewayKilled { at, loses }
        } else {
            Step::GatewayStops { at }
        });
        if self.rng.bool() {
            self.steps.push(Step::Gateway { at: at + pick(&mut self.rng, &[10, 500, 6_000, 40_000]) });
        }
    }

    fn gateways(&mut self) {
        self.steps.push(Step::Gateway { at: pick(&mut self.rng, &[0, 0, 0, 100, 2_000]) });
        for _ in 0..pick(&mut self.rng, &[0, 0, 0, 1, 2]) {
            let hook = self.hook();
            let at = self.moment(hook);
            self.misfortune(at);
        }
        for _ in 0..pick(&mut self.rng, &[0, 0, 1]) {
            let hook = self.hook();
            let from = self.moment(hook).saturating_sub(self.rng.u64(0..2_000));
            let until = from + pick(&mut self.rng, &[1_000, 10_000, 100_000]);
            let step = match self.rng.u8(..3) {
                0 => Step::DiskSlow { from, until, lasts: pick(&mut self.rng, &[50, 700, 5_000, 30_000]) },
                1 => Step::DiskFull { from, until, reads: self.rng.bool() },
                _ => {
                    let at = if self.rng.bool() { When::Time(from) } else { When::Poll(self.rng.u32(1..200)) };
                    Step::GatewayFreezes { at, lasts: pick(&mut self.rng, &[300, 3_000, 20_000, 400_000]) }
                }
            };
            self.steps.push(step);
        }
    }

    /// What else reaches the gateway: events of the client, programs on its bus, people who look, and noise.
    fn around_the_gateway(&mut self) {
        if self.rng.u8(..10) < 2 {
            let hook = self.hook();
            let at = self.moment(hook);
            let asks = pick(&mut self.rng, &[Asks::Command, Asks::Allowed, Asks::Denied]);
            let waits = pick(&mut self.rng, &[3_000, 30_000]);
            let program = HookId::MAX - 1;
            self.steps.push(Step::Confirm { at, hook: program, asks, waits });
            if self.rng.bool() {
                let says = pick(&mut self.rng, &[Says::Approve, Says::Deny]);
                self.steps.push(Step::Answer { at: at + self.rng.u64(100..2_900), hook: program, says });
            }
        }
        if self.rng.u8(..10) < 2 {
            let hook = self.hook();
            let at = self.moment(hook);
            self.steps.extend([0, 2_000, 20_000].map(|later| Step::Browse { at: at + later }));
        }
        if self.rng.u8(..10) < 2 {
            let hook = self.hook();
            let at = self.moment(hook);
            let to = pick(&mut self.rng, &[End::Hook, End::Gateway]);
            let noise = pick(&mut self.rng, NOISES);
            self.steps.push(Step::Noise { at, hook, to, noise });
        }
    }

    /// Somebody lets the same pass again, and takes that back.
    fn grants(&mut self) {
        if self.rng.u8(..10) < 2 {
            let hook = self.hook();
            let at = self.moment(hook);
            let event =
                pick(&mut self.rng, &[Event::Done, Event::Done, Event::OtherDone, Event::TurnOver, Event::SessionOver]);
            self.steps.push(Step::Event { at, hook, event });
        }
        if self.rng.u8(..10) < 3 {
            let hook = self.hook();
            let at = self.moment(hook);
            let term = pick(&mut self.rng, &["grant-30m", "grant-session"]);
            self.steps.push(press(at, Person::Ann, hook, term));
            for _ in 0..pick(&mut self.rng, &[0, 1, 2]) {
                let at = at + self.rng.u64(100..30_000);
                let who = pick(&mut self.rng, &[Person::Ann, Person::Bob, Person::Eve]);
                self.steps.push(press(at, who, hook, "revoke"));
            }
            let later = at + self.rng.u64(100..30_000);
            match self.rng.u8(..12) {
                0..3 => self.steps.push(Step::Revoke { at: later }),
                3..5 => self.steps.push(Step::Event { at: later, hook, event: Event::SessionOver }),
                5..7 => self.steps.push(Step::Clock { at: later, by: 7_200_000 }),
                7 => self.steps.push(Step::DiskFull { from: later, until: later + 20_000, reads: false }),
                _ => {}
            }
            self.steps.push(press(later + 2_000, Person::Ann, hook, "revoke"));
        }
    }

    fn net(&mut self) {
        for _ in 0..pick(&mut self.rng, &[0, 0, 1, 1, 2, 3, 5]) {
            let hook = self.hook();
            let from = self.moment(hook).saturating_sub(self.rng.u64(0..6_000));
            let until = from + pick(&mut self.rng, &[100, 1_000, 5_000, 20_000, 100_000]);
            let call = pick(
                &mut self.rng,
                &[
                    Call::Any,
                    Call::Open,
                    Call::Post,
                    Call::Revise,
                    Call::Look,
                    Call::Look,
                    Call::Acknowledge,
                    Call::Acknowledge,
                ],
            );
            let slow = pick(&mut self.rng, &[300, 1_500, 4_000, 30_000]);
            let refusal = pick(
                &mut self.rng,
                &[
                    Refusal::Unavailable,
                    Refusal::Unavailable,
                    Refusal::RateLimited(2_000),
                    Refusal::Conflict,
                    Refusal::Broken,
                    Refusal::Rejected,
                    Refusal::Unauthorized,
                    Refusal::TooLarge,
                ],
            );
            let fault = match self.rng.u8(..20) {
                0..5 => Fault::SlowThere(slow),
                5..10 => Fault::SlowBack(slow),
                10..12 => Fault::RequestLost,
                12..14 => Fault::ReplyLost,
                14..18 => Fault::Refused(refusal),
                18 => Fault::Repeated,
                _ => Fault::Reordered,
            };
            self.steps.push(Step::Net { call, from, until, fault });
        }
    }

    fn chaos(&mut self) {
        for _ in 0..2 {
            let hook = self.hook();
            let time = self.moment(hook);
            let at = if self.rng.bool() { When::Time(time) } else { When::Poll(self.rng.u32(1..60)) };
            match self.rng.u8(..20) {
                0..2 => self.steps.push(Step::Kill { hook, at }),
                2 => {
                    // Over the deadline of a hook that is answered meanwhile.
                    let at = When::Time(self.deadline(hook).saturating_sub(self.rng.u64(500..6_000)));
                    self.steps.push(Step::Freeze { hook, at, lasts: pick(&mut self.rng, &[6_000, 60_000]) });
                }
                3..5 => {
                    let lasts = pick(&mut self.rng, &[200, 3_000, 8_000, 20_000, 400_000]);
                    self.steps.push(Step::Freeze { hook, at, lasts });
                }
                5..7 => self.steps.push(Step::Stop { hook, at: time }),
                7 => self
                    .steps
                    .push(Step::Clock { at: time, by: pick(&mut self.rng, &[-7_200_000, -2_000, 2_000, 7_200_000]) }),
                8 => self.steps.push(Step::DiskFull { from: time, until: time + 10_000, reads: false }),
                _ => {}
            }
        }
    }
}

/// A press. Forms are filled in; on a messenger that has none that changes nothing.
fn press(at: u64, who: Person, hook: HookId, choice: &str) -> Step {
    let words = matches!(choice, "tell" | "write" | "q1-other" | "q2-other").then_some("in a form");
    Step::Press { at, who, hook, choice: choice.to_owned(), text: words.map(str::to_owned) }
}

fn pick<T: Clone>(rng: &mut Rng, of: &[T]) -> T {
    of.get(rng.usize(0..of.len())).cloned().unwrap_or_else(|| unreachable!("a list that is not empty"))
}
