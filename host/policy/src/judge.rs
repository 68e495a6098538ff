//! Decides a call by the rules.
//!
//! A shell call is judged command by command, any other call as a whole. The strictest command decides.
//!
//! | a command | decision |
//! |---|---|
//! | its first rule (by tier, then priority, then deny before ask before allow) denies or asks | the same |
//! | a stricter rule of higher precedence may match | ask, or stricter |
//! | it touches a file that a rule denies or asks about (`guard`) | deny or ask |
//! | a safety checker of the file may apply to it | ask, or stricter |
//! | its first rule allows it, and there is no [`Hold`] | allow |
//! | no rule matches, but a prefix would without the options in front of the subcommand (`git --no-pager log`) | as that |
//! | its first rule allows it but for the folder that it names (`make test -C sub`), and no rule stops it | as in that folder |
//! | no rule matches | ask |
//! | it only starts another command (`timeout 5 ls`), and no rule names it | not counted |
//! | it only sets a variable (`x=1`) or leaves the line (`exit 1`, `set -e`), and no rule is about it | not counted |
//! | it changes nothing (`true`, `wait`, `export CI=1`), and no rule is about it | not counted |
//!
//! If no command counts, if the line cannot be read, or if a policy file has errors, the decision is ask. If commands are
//! nested so deeply that not all are listed, every rule that denies some command of the tool matches.

mod away;
mod condition;
mod explain;
mod folder;
mod granted;
mod guard;
mod hold;
pub(crate) mod index;
mod line;
mod made;
mod permit;
mod protection;
pub(crate) mod unit;

pub use self::condition::Condition;
pub use self::explain::{Considered, Explained, Explanation, Role};
pub use self::granted::covers;
use self::hold::Stopped;
use self::index::{Candidate, Index};
pub use self::permit::Permit;
use self::unit::Unit;
use crate::call::Call;
use crate::call::targets;
use crate::call::tool_name::ToolName;
use crate::commands::{self, Script};
use crate::file::{File, Problem};
use crate::programs;
use crate::rules::decision::{Decision, Match};
use crate::rules::rule::{Arguments, Rule, Tier};
use crate::shell::{Command, Word};
use crate::tools::{self, Kind};
use crate::why::{Hold, Why};

/// All rules of all files, in order of precedence.
#[derive(Debug, Default)]
pub struct Policy {
    rules: Vec<Rule>,
    index: Index,
    problems: Vec<Problem>,
    /// The highest tier of a file with problems: a deny may be missing from that tier.
    damaged: Option<Tier>,
    /// The programs that rules deny or ask about.
    stopped: Stopped,
}

/// The decision of the rules on a call.
#[derive(Debug, Clone)]
pub struct Judgement<'p> {
    /// What happens to the call.
    pub decision: Decision,
    /// The rule that decided, or the rule whose allow was held back. `None` if no rule matched.
    pub rule: Option<&'p Rule>,
    /// Why the call is decided this way.
    pub why: Why,
    /// The command of the line that decided, as it was parsed.
    pub command: Option<String>,
    /// A rule that may deny a call which is left to a person: what the call is, or which file it is about, is not known
    /// for certain.
    pub may_deny: Option<&'p Rule>,
    /// The permit of the rule that allows the call. Only the judge sets it, so no other code can make a judgement
    /// with a permit.
    allowing: Option<&'p Rule>,
}

/// The decision on one unit.
#[derive(Debug, Clone)]
pub(crate) struct Ruling<'p> {
    pub(crate) decision: Decision,
    pub(crate) rule: Option<&'p Rule>,
    pub(crate) why: Why,
    /// Whether the unit counts. A command that only starts another one counts only if a rule denies it or asks about
    /// it.
    pub(crate) counts: bool,
    /// A rule that may deny it.
    may_deny: Option<&'p Rule>,
}

impl Policy {
    /// Sorts the rules of all files by precedence.
    pub fn new(files: Vec<File>) -> Self {
        let mut policy = Self::default();
        for file in files {
            if !file.problems.is_empty() {
                policy.damaged = policy.damaged.max(Some(file.origin.tier));
            }
            policy.problems.extend(file.problems);
            policy.rules.extend(file.rules);
        }
        policy.rules.sort_by_key(|rule| std::cmp::Reverse((rule.origin.tier, rule.priority, rule.decision)));
        policy.index = Index::of(&policy.rules);
        policy.stopped = Stopped::by(&policy.rules);
        policy
    }

    /// Returns the rules in order of precedence.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// Returns the problems of the policy files.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Decides a call by the rules of every file.
    pub fn check(&self, call: &Call<'_>) -> Judgement<'_> {
        let script = script(call);
        let tool = ToolName::of(call);
        let mut found = Vec::new();
        let rulings = units(script.as_ref()).map(|command| {
            let unit = Unit::new(call, &tool, command);
            self.candidates(&unit, &mut found);
            (command, self.rule_on(&unit, &found))
        });
        self.strictest(call, script.as_ref(), rulings)
    }

    /// Returns the rules that may match a unit, in order of precedence.
    pub(crate) fn candidates(&self, unit: &Unit<'_>, found: &mut Vec<Candidate>) {
        self.index.candidates(unit, found);
    }

    /// Decides a unit by its candidate rules.
    pub(crate) fn rule_on(&self, unit: &Unit<'_>, candidates: &[Candidate]) -> Ruling<'_> {
        let mut ruling = self.first_rule(unit, candidates);
        if let Some((rule, decision)) = unit.command.and_then(|command| self.guarded(unit.call, command)) {
            let why = if decision == rule.decision { Why::Rule } else { Why::File };
            ruling.tighten(decision, Some(rule), why);
            ruling.may_deny = ruling.may_deny.or(Some(rule).filter(|rule| rule.decision == Decision::Deny));
        }
        if let Some(rule) = self.safety_check(unit) {
            ruling.tighten(Decision::AskUser, Some(rule), Why::Checker);
        }
        if unit.command.is_some_and(Command::may_run_any) {
            ruling.may_deny = ruling.may_deny.or_else(|| self.denies_some_command(unit.call));
        }
        ruling
    }

    /// Decides a unit by the first rule that matches and the rules before it that may match.
    fn first_rule(&self, unit: &Unit<'_>, candidates: &[Candidate]) -> Ruling<'_> {
        let transparent = unit.command.is_some_and(|command| command.is_transparent || command.possible);
        let (mut may_be_stricter, mut may_deny) = (None, None);
        // Whether a rule for every command matched: no rule after it may deny.
        let mut is_covered = false;
        let mut first = None;
        for candidate in candidates {
            let Some((rule, held)) = self.held(unit, candidate) else { continue };
            if held == Match::Maybe && rule.decision == Decision::Deny && !is_covered {
                may_deny = may_deny.or(Some(rule));
            }
            // A command that only starts the one that counts is stopped only by a rule that names it.
            if transparent && is_about_every_command(rule) {
                is_covered |= held == Match::Yes;
                continue;
            }
            match held {
                Match::No => {}
                Match::Maybe => may_be_stricter = may_be_stricter.or(Some(rule)),
                Match::Yes => {
                    first = Some((rule, candidate.prefix.map_or(0, |(_, named)| named)));
                    break;
                }
            }
        }
        let mut ruling = match first {
            Some((rule, named)) => {
                let told = self.as_told(unit, rule, named);
                // A prefix of the program alone does not say what it does in another folder.
                let is_held = named > 1 && matches!(told.why, Why::Reserved(Hold::Escape(_)));
                let elsewhere = if is_held { self.told_elsewhere(unit, candidates) } else { None };
                elsewhere.unwrap_or(told)
            }
            None if transparent || unit.changes_nothing() || unit.command.is_some_and(programs::changes_nothing) => {
                Ruling::uncounted(hold::unreadable(unit))
            }
            None => {
                let told = if may_be_stricter.is_none() { self.told_without_front(unit) } else { None };
                told.map(|(ruling, _)| ruling).unwrap_or(Ruling::of(Decision::AskUser, None, Why::NoRule))
            }
        };
        if transparent && ruling.decision == Decision::Allow {
            ruling = Ruling::uncounted(hold::unreadable(unit));
        }
        if let Some(rule) = may_be_stricter {
            ruling.tighten(Decision::AskUser, Some(rule), Why::Maybe);
        }
        Ruling { may_deny: may_deny.or(ruling.may_deny), ..ruling }
    }

    /// Returns the rule of a candidate, and whether it matches the unit.
    fn held(&self, unit: &Unit<'_>, candidate: &Candidate) -> Option<(&Rule, Match)> {
        let rule = self.rules.get(candidate.rank as usize)?;
        Some((rule, rule.holds(unit, candidate.prefix.map(|(held, _)| held)).held))
    }

    /// Decides a unit as if it had no options in front of its subcommand that a prefix does not have to name, and tells
    /// whether one of them names a folder. `None` if no rule matches then, or if only a person can allow the unit
    /// with them.
    fn told_without_front(&self, unit: &Unit<'_>) -> Option<(Ruling<'_>, bool)> {
        let command = unit.command?;
        let (mut entered, mut names_folder): (Vec<Word>, bool) = Default::default();
        let words = programs::without_front(&command.words, |path| {
            names_folder = true;
            let is_entered = !entered.is_empty() || !folder::is_here(unit.call, command, path);
            if is_entered {
                entered.push(Word::exact(path));
            }
            !is_entered || folder::may_enter(path)
        })?;
        if hold::against_every_rule(unit, 1, None).is_some() {
            return None;
        }
        let plain = folder::entered(Command { words, ..command.clone() }, &entered);
        let unit = Unit::new(unit.call, unit.tool, Some(&plain));
        let mut found = Vec::new();
        self.candidates(&unit, &mut found);
        // Only a prefix allows so; whatever else stops the plain command stops this one too.
        let stops = |rank: u32| self.rules.get(rank as usize).is_some_and(|rule| rule.decision != Decision::Allow);
        found.retain(|candidate| candidate.prefix.is_some() || stops(candidate.rank));
        let ruling = Some(self.first_rule(&unit, &found)).filter(|ruling| ruling.rule.is_some())?;
        Some((ruling, names_folder))
    }

    /// Allows a unit that a rule allows but for an option that names the folder it runs in: `make test -C sub`. `None` if
    /// the rules do not allow it there, or if any rule stops what names a folder so.
    fn told_elsewhere(&self, unit: &Unit<'_>, candidates: &[Candidate]) -> Option<Ruling<'_>> {
        let stops = |(rule, held): (&Rule, Match)| rule.decision != Decision::Allow && held != Match::No;
        if candidates.iter().filter_map(|candidate| self.held(unit, candidate)).any(stops) {
            return None;
        }
        let (ruling, names_folder) = self.told_without_front(unit)?;
        Some(ruling).filter(|ruling| names_folder && ruling.decision == Decision::Allow)
    }

    /// Returns the ruling of a rule that matches the unit.
    fn as_told<'p>(&'p self, unit: &Unit<'_>, rule: &'p Rule, named: usize) -> Ruling<'p> {
        let hold = (rule.decision == Decision::Allow).then(|| self.hold(unit, rule, named)).flatten();
        let (decision, why) = match hold {
            Some(hold) => (Decision::AskUser, Why::Reserved(hold)),
            None => (rule.decision, Why::Rule),
        };
        Ruling::of(decision, Some(rule), why)
    }

    fn hold(&self, unit: &Unit<'_>, rule: &Rule, named: usize) -> Option<Hold> {
        if tools::kind(unit.call.tool) == Kind::Question {
            return Some(Hold::Question);
        }
        if let Some(tier) = self.damaged.filter(|tier| rule.origin.tier <= *tier) {
            let at = |problem: &Problem| format!("{}:{}", problem.origin.path.display(), problem.line);
            let place = self.problems.iter().find(|problem| problem.origin.tier == tier).map(at).unwrap_or_default();
            return Some(Hold::Damaged(place));
        }
        let hold = hold::against(unit, rule, named, &self.stopped)?;
        // `wc -l < x` is a `wc -l x`. A rule for whole commands means them as they are written.
        let is_input = named > 0 && matches!(hold, Hold::Redirection(_));
        let plain = unit.command.filter(|_| is_input).and_then(programs::with_input_as_operand);
        let is_held = |plain: &Command| {
            hold::against(&Unit::new(unit.call, unit.tool, Some(plain)), rule, named, &self.stopped).is_some()
        };
        plain.as_ref().is_none_or(is_held).then_some(hold)
    }

    /// Returns the safety checker's rule that matches or may match a unit.
    fn safety_check(&self, unit: &Unit<'_>) -> Option<&Rule> {
        let checks = self.index.safety_checks(unit);
        let mut held = checks.iter().filter_map(|check| self.held(unit, check));
        held.find(|(_, held)| *held != Match::No).map(|(rule, _)| rule)
    }
}

impl<'p> Ruling<'p> {
    fn of(decision: Decision, rule: Option<&'p Rule>, why: Why) -> Self {
        Self { decision, rule, why, counts: true, may_deny: None }
    }

    /// Returns the ruling for a line without commands: not counted, unless the line cannot be parsed.
    fn uncounted(unreadable: Option<Hold>) -> Self {
        match unreadable {
            Some(hold) => Self::of(Decision::AskUser, None, Why::Reserved(hold)),
            None => Self { counts: false, ..Self::of(Decision::Allow, None, Why::NoRule) },
        }
    }

    fn tighten(&mut self, decision: Decision, rule: Option<&'p Rule>, why: Why) {
        if decision > self.decision {
            *self = Self { may_deny: self.may_deny, ..Self::of(decision, rule, why) };
        }
    }
}

impl Judgement<'_> {
    /// Returns the permit. Only an allow has one.
    pub fn permit(&self) -> Option<Permit> {
        self.allowing.map(Permit::by)
    }
}

/// Returns the commands of a shell call. `None` for any other call.
pub(crate) fn script(call: &Call<'_>) -> Option<Script> {
    (call.server.is_none() && tools::kind(call.tool) == Kind::Shell)
        .then(|| targets::command(call).map(|line| commands::read_as(line, call.shell)).unwrap_or_default())
}

fn is_about_every_command(rule: &Rule) -> bool {
    matches!(rule.when.arguments, Arguments::Any)
}

/// Returns the units that are judged one by one.
pub(crate) fn units(script: Option<&Script>) -> impl Iterator<Item = Option<&Command>> {
    let commands = script.into_iter().flat_map(|script| &script.commands).map(Some);
    commands.chain(script.is_none().then_some(None))
}
