//! The work of one worker: it generates its share of the lines, runs those that the policy allows, and shortens those
//! that should not have been allowed.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::time::{Duration, Instant};

use crate::attacks::Attack;
use crate::judge::Judge;
use crate::options::Options;
use crate::report::{Failure, Report};
use crate::rules::{RULE_FILES, RuleFile};
use crate::sandbox::Sandbox;
use crate::shell::Shell;
use crate::verdict::{Fired, fired};
use crate::{attacks, shrink};

/// The maximum number of failures of one sort that are shortened. More of them show little that is new.
const OF_A_SORT: u32 = 12;
/// The time limit for shortening one line.
const PATIENCE: Duration = Duration::from_secs(5);

/// A sandbox, the policies, and the findings so far.
#[derive(Debug)]
pub struct Hunt {
    sandbox: Sandbox,
    judges: Vec<(&'static RuleFile, Judge)>,
    sorts: BTreeMap<(&'static str, &'static str, String), u32>,
    report: Report,
}

impl Hunt {
    /// Builds the sandbox and reads the rule files.
    ///
    /// # Errors
    /// If one of them fails.
    pub fn begin(options: &Options) -> anyhow::Result<Self> {
        let sandbox = Sandbox::build(options.drops_rights)?;
        let wanted = |file: &&RuleFile| options.rules.as_ref().is_none_or(|name| name == file.name);
        let files = RULE_FILES.iter().filter(wanted);
        let judges =
            files.map(|file| Ok((file, Judge::new(file.text, file.mode)?))).collect::<anyhow::Result<Vec<_>>>()?;
        anyhow::ensure!(!judges.is_empty(), "find the rule file: there is none of that name");
        Ok(Self { sandbox, judges, sorts: BTreeMap::new(), report: Report::default() })
    }

    /// Runs this worker's share.
    ///
    /// # Errors
    /// If the sandbox fails.
    pub fn run(mut self, options: &Options) -> anyhow::Result<Report> {
        let began = Instant::now();
        let worker = options.worker.unwrap_or_default();
        if !options.drawn {
            let wanted = |attack: &Attack| options.rules.as_ref().is_none_or(|rules| *rules == attack.rules);
            let known = attacks::all().into_iter().filter(wanted).enumerate();
            for (_, attack) in known.filter(|(at, _)| *at as u64 % options.workers == worker) {
                self.line(attack.rules, attack.line)?;
            }
        }
        let share = options.lines.div_ceil(options.workers);
        let late = Duration::from_secs(options.seconds);
        let mut generator = crate::generate::Generator::new(options.seed.wrapping_mul(1_000_003).wrapping_add(worker));
        for (command, help) in self.helps()? {
            generator.learn(&command, &help);
        }
        let weights: usize = self.judges.iter().map(|(file, _)| file.weight).sum();
        while self.report.lines < share && began.elapsed() < late {
            let mut at = generator.below(weights);
            let drawn = self.judges.iter().find(|(file, _)| {
                let found = at < file.weight;
                at = at.saturating_sub(file.weight);
                found
            });
            let Some((file, _)) = drawn else { break };
            let file = *file;
            let line = generator.line(file);
            self.line(file.name, &line)?;
        }
        self.report.seconds = began.elapsed().as_secs_f64();
        Ok(self.report)
    }

    /// Returns the help text of every command that a rule file names.
    fn helps(&mut self) -> anyhow::Result<Vec<(String, String)>> {
        let mut commands: Vec<String> = self.judges.iter().flat_map(|(file, _)| file.prefixes()).collect();
        commands.sort();
        commands.dedup();
        let mut helps = Vec::new();
        for command in commands {
            let name = command.trim_end_matches("--version").trim_end_matches("--get").trim();
            // The short help of git and zip lists all options; the long one opens a manual page.
            let ask = if name.starts_with("git ") { "-h" } else { "--help" };
            let (ran, _) = self.sandbox.run(Shell::Bash, &format!("{name} {ask}"))?;
            helps.push((command, ran.output));
        }
        Ok(helps)
    }

    /// Judges a line, and runs it if it is allowed.
    ///
    /// # Errors
    /// If the sandbox fails.
    pub fn line(&mut self, rules: &str, line: &str) -> anyhow::Result<()> {
        let Some((file, judge)) = self.judges.iter().find(|(file, _)| file.name == rules) else { return Ok(()) };
        let file = *file;
        let allowed: Vec<Shell> = Shell::ALL.into_iter().filter(|shell| judge.allows(line, *shell)).collect();
        self.report.lines += 1;
        let counts = self.report.rules.entry(rules.to_owned()).or_default();
        counts.0 += 1;
        if allowed.is_empty() {
            return Ok(());
        }
        counts.1 += 1;
        self.report.allowed += 1;
        self.report.programs.extend(crate::shrink::programs(line));
        for shell in allowed {
            let (ran, trace) = self.sandbox.run(shell, line)?;
            *self.report.ran.entry(shell).or_default() += 1;
            *self.report.succeeded.entry(shell).or_default() += u64::from(ran.succeeded);
            self.report.late += u64::from(ran.late);
            let found = fired(&trace, file);
            if !found.is_empty() {
                self.report.fired += 1;
                self.shorten(file, shell, line, &found)?;
            }
        }
        Ok(())
    }

    /// Records a failure by its shortest form.
    fn shorten(&mut self, file: &'static RuleFile, shell: Shell, line: &str, found: &[Fired]) -> anyhow::Result<()> {
        let Some(sort) = found.first().map(Fired::sort) else { return Ok(()) };
        let contains = |known: &Failure| {
            known.rules == file.name && known.shells.contains(&shell) && shrink::contains(line, &known.line)
        };
        if self.report.failures.iter().any(contains) {
            return Ok(());
        }
        let program = shrink::programs(line).pop().unwrap_or_default();
        let seen = self.sorts.entry((file.name, sort, program)).or_default();
        *seen += 1;
        if *seen > OF_A_SORT {
            return Ok(());
        }
        let Some((_, judge)) = self.judges.iter().find(|(known, _)| known.name == file.name) else { return Ok(()) };
        let sandbox = &mut self.sandbox;
        let mut does = |line: &str, shell: Shell| -> anyhow::Result<Vec<Fired>> {
            if !judge.allows(line, shell) {
                return Ok(Vec::new());
            }
            Ok(fired(&sandbox.run(shell, line)?.1, file))
        };
        let began = Instant::now();
        let short = shrink::shortest(line, |line| {
            if began.elapsed() > PATIENCE {
                return Ok(None);
            }
            Ok(Some(does(line, shell)?.iter().any(|it| it.sort() == sort)))
        })?;
        let mut shells = Vec::new();
        let mut did = Vec::new();
        for shell in Shell::ALL {
            let again = does(&short, shell)?;
            if !again.is_empty() {
                shells.push(shell);
                did.extend(again);
            }
        }
        did.sort();
        did.dedup();
        if self.report.failures.iter().all(|known| known.rules != file.name || known.line != short) {
            let (rules, mode) = (file.name.to_owned(), file.mode.to_owned());
            let failure = Failure { rules, mode, line: short, shells, fired: did, from: line.to_owned() };
            let _ = writeln!(std::io::stderr(), "{failure}");
            self.report.failures.push(failure);
        }
        Ok(())
    }

    /// Runs a line whether it is allowed or not. Returns whether it is allowed, the canaries that fired, and its
    /// output.
    ///
    /// # Errors
    /// If the sandbox fails.
    pub fn show(&mut self, rules: &str, line: &str, shell: Shell) -> anyhow::Result<(bool, Vec<Fired>, String)> {
        let known = self.judges.iter().find(|(file, _)| file.name == rules);
        let (file, judge) = known.ok_or_else(|| anyhow::anyhow!("find the rule file {rules}: there is none"))?;
        let (ran, trace) = self.sandbox.run(shell, line)?;
        Ok((judge.allows(line, shell), fired(&trace, file), ran.output))
    }
}
