//! Draws a script from a number.

mod around;

use fastrand::Rng;

use crate::options::Components;
use crate::script::{Answers, Asks, Frame, HookId, Person, Says, Script, Step, When};

/// The calls that hooks ask for, with repetitions as weights.
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

/// The texts of people. An empty text is one that the messenger withholds from the bot.
const WORDS: &[&str] = &["use a branch", "use a branch", "something else", ""];

/// A script that is being drawn.
struct Draft {
    rng: Rng,
    frame: Frame,
    /// The start time of each hook.
    starts: Vec<u64>,
    steps: Vec<Step>,
}

/// Draws the script of a seed. A component has its own random numbers, so that its presence changes the script as
/// little as possible.
pub fn draw(seed: u64, components: Components) -> Script {
    let component = match components {
        Components::Drawn => Rng::with_seed(!seed).u8(..100) == 0,
        Components::Always => true,
        Components::Never => false,
    };
    let mut rng = Rng::with_seed(seed);
    let chat = rng.u8(..10) < 6 || component;
    let mut frame = Frame {
        seed,
        component,
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
    if component {
        frame.way = Answers::Buttons;
    }
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

    /// Draws a moment that is relevant to a hook: near its deadline, during its life, or after it.
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

    /// Adds steps in which a person fills in the form of a card.
    fn form(&mut self, hook: HookId, asks: Asks) {
        const QUESTIONS: &[&str] = &["q1-o1", "q1-next", "q2-o1", "q2-o2", "q2-next", "submit"];
        const OTHERS: &[&str] = &[
            "q1-o2", "q1-other", "q1-other", "q2-back", "q2-x1", "q2-other", "q2-other", "q2-x0", "q1-next", "q1-back",
        ];
        const SCOPES: &[&str] = &[
            "scope-user", "widen", "scope-project", "always-project-w", "narrow", "scope-session", "scope-local",
            "always-local", "always-session",
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

    /// Adds steps in which a person answers questions in their own words, soon after the card appeared.
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

    /// Adds denials, possibly several at once, with a reason, or with what to do instead.
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

    fn chaos(&mut self) {
        for _ in 0..2 {
            let hook = self.hook();
            let time = self.moment(hook);
            let at = if self.rng.bool() { When::Time(time) } else { When::Poll(self.rng.u32(1..60)) };
            match self.rng.u8(..20) {
                0..2 => self.steps.push(Step::Kill { hook, at }),
                2 => {
                    // The hook is answered while it is frozen beyond its deadline.
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

/// Returns a press. A form is filled in; on a messenger without forms this has no effect.
fn press(at: u64, who: Person, hook: HookId, choice: &str) -> Step {
    let words = matches!(choice, "tell" | "write" | "q1-other" | "q2-other").then_some("in a form");
    Step::Press { at, who, hook, choice: choice.to_owned(), text: words.map(str::to_owned) }
}

fn pick<T: Clone>(rng: &mut Rng, of: &[T]) -> T {
    of.get(rng.usize(0..of.len())).cloned().unwrap_or_else(|| unreachable!("a list that is not empty"))
}
