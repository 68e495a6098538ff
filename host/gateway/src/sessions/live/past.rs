//! What the session did before this gateway came, which the keeper tells first.

use dmplz_protocol::session::Happening;
use dmplz_runner::control::{Command, Effect, Initialize, Lines};
use tokio::task::yield_now;

use super::super::link::Link;
use super::super::told;
use super::Live;

/// What was said before this gateway came, each with its place in the log.
#[derive(Default)]
pub(super) struct Past {
    pub(super) effects: Vec<(u64, Effect)>,
    pub(super) events: Vec<(u64, Happening)>,
}

impl Live {
    /// Another client begins: what the one before asked is over, and what it said is not.
    pub(super) fn begins(&mut self, run: u64) {
        self.exchange.begins();
        (self.stdout, self.stdin) = (Lines::default(), Lines::default());
        (self.stderr, self.exit) = (Vec::new(), None);
        if let Some(past) = &mut self.past {
            past.effects.retain(|(_, effect)| !effect.is_to_do());
            if run > 0 {
                past.events.push((self.at, Happening::Resumed));
            }
        }
        self.run = run;
    }

    /// The past is over: takes up what is left to do of it.
    pub(super) async fn is_live(&mut self, link: &mut Link) -> std::io::Result<()> {
        for (at, effect) in self.look_back().await {
            self.carry_out(at, effect, link, false).await?;
        }
        self.view.is_live();
        self.view.is_known();
        self.spent(true);
        let (_, line) = self.exchange.command(&Command::Initialize(Initialize::default()));
        link.write(&line).await?;
        // Another client of the session knows nothing of them, and the gateway before may have ended before it told all.
        if self.permissions.were_any() { self.permit(link).await } else { Ok(()) }
    }

    /// Shows the past. What is left to do of it. It can be long, so everything else on this thread goes on meanwhile.
    pub(super) async fn look_back(&mut self) -> Vec<(u64, Effect)> {
        let Past { effects, events } = self.past.take().unwrap_or_default();
        let mut events = events.into_iter().peekable();
        let mut left = Vec::new();
        for (at, effect) in Effect::left(effects) {
            yield_now().await;
            while let Some((at, event)) = events.next_if(|(before, _)| *before <= at) {
                self.view.add(at, event);
            }
            match effect {
                Effect::Tell(message) => drop(self.view.take(at, &message, self.setup.lang)),
                Effect::Sent(message) => drop(self.view.sent(&message, false)),
                Effect::Rewound { message, answer, preview } => {
                    told::undone(&answer, preview.as_deref(), message).map(|undone| self.view.add(at, undone));
                }
                effect => left.push((at, effect)),
            }
        }
        for (at, event) in events {
            self.view.add(at, event);
        }
        left
    }
}
