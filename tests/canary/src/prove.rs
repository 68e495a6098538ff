//! Checks that the canaries fire: known attacks run without a policy, and each must fire. A sandbox in which nothing
//! fires would prove nothing about a policy.

use std::fmt;

use crate::rules::RuleFile;
use crate::sandbox::Sandbox;
use crate::shell::Shell;
use crate::verdict::{Fired, fired};

/// A row of `data/proof.txt`.
#[derive(Debug)]
struct Row {
    shells: Vec<Shell>,
    expected: &'static str,
    line: &'static str,
}

/// A row whose result differs from the expected one.
#[derive(Debug)]
pub struct Wrong {
    row: &'static str,
    shell: Shell,
    fired: Vec<Fired>,
    output: String,
}

fn rows() -> Vec<Row> {
    let lines = include_str!("../data/proof.txt").lines().filter(|line| !line.starts_with('#'));
    let row = |line: &'static str| {
        let mut fields = line.splitn(3, '|');
        let shells = fields.next()?;
        let shells =
            Shell::ALL.into_iter().filter(|shell| shells.split(' ').any(|name| name == shell.name())).collect();
        Some(Row { shells, expected: fields.next()?, line: fields.next()? })
    };
    lines.filter_map(row).collect()
}

/// Runs every row in its shells. Returns the number of runs, and the rows with another result.
///
/// # Errors
/// If the sandbox fails.
pub fn prove(drops_rights: bool) -> anyhow::Result<(usize, Vec<Wrong>)> {
    let mut sandbox = Sandbox::build(drops_rights)?;
    let (mut count, mut wrong) = (0, Vec::new());
    for row in rows() {
        let name = if row.expected == "gone" { "denied" } else { "starter" };
        let Some(rules) = RuleFile::named(name) else { continue };
        for shell in row.shells {
            let (ran, trace) = sandbox.run(shell, row.line)?;
            let fired = fired(&trace, rules);
            let held = match row.expected {
                "nothing" => fired.is_empty() && ran.succeeded,
                "refused" => !ran.succeeded,
                "gone" => fired.contains(&Fired::Started("rm".to_owned())),
                sort => fired.iter().any(|it| it.sort() == sort),
            };
            count += 1;
            if !held {
                wrong.push(Wrong { row: row.line, shell, fired, output: ran.output });
            }
        }
    }
    Ok((count, wrong))
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fired: Vec<_> = self.fired.iter().map(ToString::to_string).collect();
        let output = self.output.lines().next().unwrap_or_default();
        write!(f, "{}: {}\n    fired: {}\n    printed: {output}", self.shell.name(), self.row, fired.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_a_shell_and_something_to_expect() {
        let sorts = ["started", "gone", "read", "changed", "wrote", "nothing", "refused"];
        assert!(rows().len() > 100);
        for row in rows() {
            assert!(!row.shells.is_empty() && sorts.contains(&row.expected), "{row:?}");
        }
    }
}
