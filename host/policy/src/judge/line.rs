//! Makes one judgement of the rulings on all commands of a line.
//!
//! The strictest command decides. An allow is held back where a variable, a link or a repository of the line may do what
//! no rule names; a deny is added where the line may hold a command that is not known.

use super::unit::Unit;
use super::{Judgement, Policy, Ruling, away, is_about_every_command, made, protection};
use crate::call::Call;
use crate::call::tool_name::ToolName;
use crate::commands::Script;
use crate::programs;
use crate::rules::decision::{Decision, Match};
use crate::rules::rule::Rule;
use crate::shell::Command;
use crate::why::{Hold, Why};

impl Policy {
    /// Returns the strictest of the rulings that count.
    pub(crate) fn strictest<'p, 'c>(
        &'p self,
        call: &Call<'_>,
        script: Option<&Script>,
        rulings: impl Iterator<Item = (Option<&'c Command>, Ruling<'p>)>,
    ) -> Judgement<'p> {
        let mut strictest: Option<(Option<&Command>, Ruling<'_>)> = None;
        let mut may_deny = None;
        for (command, ruling) in rulings {
            may_deny = may_deny.or(ruling.may_deny);
            if ruling.counts && strictest.as_ref().is_none_or(|(_, so_far)| so_far.decision < ruling.decision) {
                strictest = Some((command, ruling));
            }
        }
        let asked = |why| Judgement {
            decision: Decision::AskUser,
            rule: None,
            why,
            command: None,
            may_deny: None,
            allowing: None,
        };
        let mut judgement = match strictest {
            Some((command, Ruling { decision, rule, why, .. })) => Judgement {
                decision,
                rule,
                command: command.map(Command::to_string),
                allowing: rule.filter(|_| decision == Decision::Allow),
                ..asked(why)
            },
            None => asked(Why::Nothing),
        };
        let unclear = script.and_then(|script| script.unclear);
        if let Some(unclear) = unclear.filter(|_| judgement.decision < Decision::Deny) {
            judgement = asked(Why::Unclear(unclear));
        }
        // A rule for every command means every variable.
        let narrow = judgement.decision == Decision::Allow && !judgement.rule.is_some_and(is_about_every_command);
        if let Some(variable) = script.filter(|_| narrow).and_then(|script| programs::evaluated(&script.commands)) {
            (judgement.decision, judgement.allowing) = (Decision::AskUser, None);
            judgement.why = Why::Reserved(Hold::Variable(variable.to_owned()));
        }
        let commands = script.filter(|_| judgement.decision == Decision::Allow).map(|script| &*script.commands);
        let linked = |commands| {
            let above = protection::links::above(call, commands);
            above.or_else(|| protection::unpacked::of(call, commands))
        };
        // A rule for every command means git too, whatever it starts, if no rule stops anything.
        let is_about_all = judgement.rule.is_some_and(is_about_every_command);
        let minds_git = !self.stopped.is_empty() || !is_about_all;
        let made = |commands| if minds_git { made::of(call, commands) } else { None };
        let away = |commands| if is_about_all { None } else { away::of(call, commands) };
        let held = |commands| linked(commands).or_else(|| made(commands)).or_else(|| away(commands));
        if let Some(hold) = commands.and_then(held) {
            (judgement.decision, judgement.allowing) = (Decision::AskUser, None);
            judgement.why = Why::Reserved(hold);
        }
        let denied = match judgement.decision {
            Decision::Deny => None,
            _ if script.is_some_and(|script| script.incomplete) => self.denies_some_command(call),
            // A command that cannot be parsed and matches no rule is still a call of this tool.
            Decision::AskUser if judgement.rule.is_none() => self.denied_whatever_it_is(call),
            Decision::AskUser | Decision::Allow => None,
        };
        if denied.is_some() {
            (judgement.decision, judgement.rule, judgement.allowing) = (Decision::Deny, denied, None);
            judgement.why = Why::Rule;
        }
        judgement.may_deny = match unclear {
            _ if judgement.decision != Decision::AskUser => None,
            Some(_) => self.denies_some_command(call),
            None => may_deny,
        };
        judgement
    }

    /// Returns the rule that denies a call whatever its input is: the first match that has no condition on the input.
    fn denied_whatever_it_is(&self, call: &Call<'_>) -> Option<&Rule> {
        let tool = ToolName::of(call);
        let unit = Unit::new(call, &tool, None);
        let mut found = Vec::new();
        self.candidates(&unit, &mut found);
        let mut rules = found.iter().filter_map(|candidate| self.rules.get(candidate.rank as usize));
        let first = rules.find(|rule| is_about_every_command(rule) && rule.holds(&unit, None).held == Match::Yes)?;
        (first.decision == Decision::Deny).then_some(first)
    }

    /// Returns the first rule that denies some command of this tool: a command that is not listed may be that one. Rules
    /// after one that matches every command decide nothing.
    pub(super) fn denies_some_command(&self, call: &Call<'_>) -> Option<&Rule> {
        let tool = ToolName::of(call);
        let unit = Unit::new(call, &tool, None);
        let mut rules = self.rules.iter().filter(|rule| !rule.safety_check && rule.holds_for_some_command(&unit));
        let first = rules.find(|rule| rule.decision == Decision::Deny || is_about_every_command(rule))?;
        (first.decision == Decision::Deny).then_some(first)
    }
}
