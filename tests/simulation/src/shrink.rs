//! Cuts a script down as long as the same invariant breaks.

use std::path::Path;

use crate::oracle::Invariant;
use crate::run::play;
use crate::script::{Frame, Script, Step, When};

/// Runs that one script is worth.
const TRIES: u32 = 600;

/// Returns the shortest script found in which the invariant still breaks.
///
/// # Errors
/// When a run cannot be set up.
pub fn shortest(script: &Script, invariant: Invariant, dir: &Path) -> anyhow::Result<Script> {
    let mut tries = 0;
    let mut best = script.clone();
    let mut breaks = |script: &Script| -> anyhow::Result<bool> {
        tries += 1;
        if tries > TRIES {
            return Ok(false);
        }
        breaks_by_itself(script, invariant, dir)
    };
    loop {
        let before = best.clone();
        for at in (0..best.steps.len()).rev() {
            let mut tried = best.clone();
            tried.steps.remove(at);
            if breaks(&tried)? {
                best = tried;
            }
        }
        for frame in frames(&best.frame) {
            let tried = Script { frame, ..best.clone() };
            if tried.frame != best.frame && breaks(&tried)? {
                best = tried;
            }
        }
        for at in 0..best.steps.len() {
            for step in best.steps.get(at).map(simpler).unwrap_or_default() {
                let mut tried = best.clone();
                if let Some(place) = tried.steps.get_mut(at) {
                    *place = step;
                }
                if tried != best && breaks(&tried)? {
                    best = tried;
                }
            }
        }
        if best == before {
            return Ok(best);
        }
    }
}

/// Returns whether an invariant breaks in a script; where a fault of the past is put back, because of that fault.
///
/// # Errors
/// When a run cannot be set up.
pub fn breaks_by_itself(script: &Script, invariant: Invariant, dir: &Path) -> anyhow::Result<bool> {
    let breaks = |script: &Script| -> anyhow::Result<bool> {
        let place = tempfile::tempdir_in(dir)?;
        let shown = play(script, place.path(), false)?;
        Ok(shown.broken.iter().any(|broken| broken.invariant == invariant))
    };
    let without = Script { frame: Frame { relapse: None, ..script.frame.clone() }, ..script.clone() };
    Ok(breaks(script)? && (script.frame.relapse.is_none() || !breaks(&without)?))
}

/// Returns simpler frames.
fn frames(frame: &Frame) -> Vec<Frame> {
    vec![
        Frame { seed: 1, ..frame.clone() },
        Frame { latency: 20, ..frame.clone() },
        Frame { reason: 5_000, ..frame.clone() },
        Frame { component: false, ..frame.clone() },
        Frame { store: false, ..frame.clone() },
        Frame { protocol: None, ..frame.clone() },
    ]
}

/// Returns the same step with rounder times.
fn simpler(step: &Step) -> Vec<Step> {
    let round = |time: u64| [1_000, 100].map(|to| time / to * to);
    match step {
        Step::Hook { hook, at, asks } => round(*at).map(|at| Step::Hook { hook: *hook, at, asks: *asks }).to_vec(),
        Step::Stop { hook, at } => round(*at).map(|at| Step::Stop { hook: *hook, at }).to_vec(),
        Step::Press { at, who, hook, choice, text } => {
            let press = |at| Step::Press { at, who: *who, hook: *hook, choice: choice.clone(), text: text.clone() };
            round(*at).map(press).to_vec()
        }
        Step::Event { at, hook, event } => round(*at).map(|at| Step::Event { at, hook: *hook, event: *event }).to_vec(),
        Step::Noise { at, hook, to, noise } => {
            round(*at).map(|at| Step::Noise { at, hook: *hook, to: *to, noise: *noise }).to_vec()
        }
        Step::Say { at, who, text } => round(*at).map(|at| Step::Say { at, who: *who, text: text.clone() }).to_vec(),
        Step::Net { call, from, until, fault } => {
            round(*from).map(|from| Step::Net { call: *call, from, until: *until, fault: *fault }).to_vec()
        }
        Step::Kill { hook, at: When::Time(at) } => {
            round(*at).map(|at| Step::Kill { hook: *hook, at: When::Time(at) }).to_vec()
        }
        Step::Freeze { hook, at: When::Time(at), lasts } => {
            round(*at).map(|at| Step::Freeze { hook: *hook, at: When::Time(at), lasts: *lasts }).to_vec()
        }
        Step::Answer { at, hook, says } => round(*at).map(|at| Step::Answer { at, hook: *hook, says: *says }).to_vec(),
        Step::Gateway { at } => round(*at).map(|at| Step::Gateway { at }).to_vec(),
        Step::GatewayKilled { at, loses } => round(*at).map(|at| Step::GatewayKilled { at, loses: *loses }).to_vec(),
        Step::GatewayStops { at } => round(*at).map(|at| Step::GatewayStops { at }).to_vec(),
        _ => Vec::new(),
    }
}
