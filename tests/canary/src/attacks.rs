//! Lines that got past a policy once, or that were thought of: `data/attacks.txt`. Every run begins with them.

/// A line that is known to have passed once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attack {
    /// The rule file that it is against.
    pub rules: &'static str,
    /// The line as it is run.
    pub line: &'static str,
}

/// Every line that is known.
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
