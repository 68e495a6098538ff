//! Applies grants ([`grant`](dmplz_core::grant)) to calls that the rules leave to a person.
//!
//! A grant has the weight of a rule of the user's tier. It applies if no rule matches, or if a rule of the user or of
//! a workspace asks: the person who gave it saw that rule on the card. It does not apply to what no rule's allow
//! could apply to:
//!
//! | what | why |
//! |---|---|
//! | a call that a rule denies, or may deny, before the rule that decides | a deny wins |
//! | a call that an administrator's rule asks about | it is above the user's tier |
//! | a command that names a file of a rule that denies or asks, or that a safety checker covers | held back from every allow |
//! | protected places, dmplz commands that change rules or answer, commands that cannot be parsed | the same |
//! | questions and plans | each is a new one |
//! | anything, while any policy file has errors | a deny may be missing |

mod covers;

use dmplz_core::grant::{Covers, Grant, Moment};

pub use self::covers::covers;
use super::permit::Permit;
use super::unit::Unit;
use super::{Policy, hold};
use crate::call::Call;
use crate::call::tool_name::ToolName;
use crate::rules::decision::{Decision, Match};
use crate::rules::rule::{Rule, Tier};

impl Policy {
    /// Returns the permit of a grant for a call that the rules leave to a person. `None` if no grant applies.
    pub fn granted(&self, call: &Call<'_>, session: &str, grants: &[Grant], now: Moment) -> Option<Permit> {
        let grant = grants.iter().find(|grant| is_about(grant, call, session, now))?;
        self.is_open_to_grants(call).then(|| Permit::of(grant))
    }

    /// Returns the subject of a grant for a call. `None` if a grant would have no effect, so that none is offered.
    pub fn grantable(&self, call: &Call<'_>) -> Option<Covers> {
        covers(call).filter(|_| folder(call).is_some() && self.is_open_to_grants(call))
    }

    /// Returns whether the rules ask about a call, and leave it to a grant.
    fn is_open_to_grants(&self, call: &Call<'_>) -> bool {
        if !self.problems.is_empty() || self.check(call).decision != Decision::AskUser {
            return false;
        }
        let script = super::script(call);
        if script.as_ref().is_some_and(|script| script.unclear.is_some()) {
            return false;
        }
        let tool = ToolName::of(call);
        let mut found = Vec::new();
        super::units(script.as_ref()).all(|command| {
            let unit = Unit::new(call, &tool, command);
            self.candidates(&unit, &mut found);
            !self.holds_back_grants(&unit, &found)
        })
    }

    /// Returns whether something about a unit holds grants back. The rules are examined as in [`Policy::first_rule`].
    fn holds_back_grants(&self, unit: &Unit<'_>, candidates: &[super::Candidate]) -> bool {
        let transparent = unit.command.is_some_and(|command| command.is_transparent || command.possible);
        for candidate in candidates {
            let Some((rule, held)) = self.held(unit, candidate) else { continue };
            if transparent && super::is_about_every_command(rule) {
                continue;
            }
            match held {
                Match::No => continue,
                _ if is_above_grants(rule) => return true,
                Match::Maybe => {}
                Match::Yes => break,
            }
        }
        unit.command.is_some_and(|command| self.guarded(unit.call, command).is_some())
            || self.safety_check(unit).is_some()
            || hold::against_every_rule(unit, 0, None).is_some()
    }
}

fn is_above_grants(rule: &Rule) -> bool {
    match rule.decision {
        Decision::Deny => true,
        Decision::AskUser => rule.origin.tier == Tier::Admin,
        Decision::Allow => false,
    }
}

/// Returns whether a grant covers this call of this session. The rules take precedence.
fn is_about(grant: &Grant, call: &Call<'_>, session: &str, now: Moment) -> bool {
    let here = folder(call).is_some_and(|folder| folder == grant.folder);
    let of_session = grant.session.as_deref().is_none_or(|own| own == session);
    grant.is_sound()
        && here
        && of_session
        && grant.holds(now)
        && covers(call).is_some_and(|it| it.is_same(&grant.covers))
}

/// Returns the folder that a grant is bound to: the agent's working directory.
fn folder<'a>(call: &Call<'a>) -> Option<&'a str> {
    call.cwd.filter(|cwd| cwd.is_absolute())?.to_str()
}

#[cfg(test)]
mod tests;
