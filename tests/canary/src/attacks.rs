//! Attacks: lines that passed a policy once, or that could have: `data/attacks.txt`. Every run begins with them.

/// A line that is known as an attack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attack {
    /// The rule file that the line attacks.
    pub rules: &'static str,
    /// The line as it is run.
    pub line: &'static str,
}

/// Returns all known attacks.
pub fn all() -> Vec<Attack> {
    let lines = include_str!("../data/attacks.txt").lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once('|')).map(|(rules, line)| Attack { rules, line }).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_attack_is_against_a_rule_file() {
        for attack in super::all() {
            assert!(crate::rules::RuleFile::named(attack.rules).is_some(), "{attack:?}");
        }
    }
}
