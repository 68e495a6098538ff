//! Draws what happens around hooks: the network, the gateway, the client's events, grants.

use super::{Draft, pick, press};
use crate::script::{Asks, Call, End, Event, Fault, HookId, Noise, Person, Refusal, Says, Step, When};

/// Forged frames. Long lines are costly, and therefore rare.
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

impl Draft {
    /// Adds an incident of the gateway soon after a time.
    pub(super) fn misfortune(&mut self, at: u64) {
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

    pub(super) fn gateways(&mut self) {
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

    /// Adds everything else that reaches the gateway: events of the client, programs on its bus, people who look, and
    /// noise.
    pub(super) fn around_the_gateway(&mut self) {
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

    /// Adds steps in which a person grants the same call, and revokes the grant.
    pub(super) fn grants(&mut self) {
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

    pub(super) fn net(&mut self) {
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
                10 => Fault::RequestLost,
                11 => Fault::Unconnected,
                12..14 => Fault::ReplyLost,
                14..18 => Fault::Refused(refusal),
                18 => Fault::Repeated,
                _ => Fault::Reordered,
            };
            self.steps.push(Step::Net { call, from, until, fault });
        }
    }
}
