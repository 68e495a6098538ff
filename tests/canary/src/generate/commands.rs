//! The arguments with which people use a command: `data/programs.txt`.

use std::collections::BTreeMap;

/// The forms of every command.
#[derive(Debug)]
pub(super) struct Commands {
    forms: BTreeMap<&'static str, Vec<&'static str>>,
}

impl Commands {
    pub(super) fn read() -> Self {
        let lines = include_str!("../../data/programs.txt").lines().filter(|line| !line.starts_with('#'));
        let split = lines.filter_map(|line| line.split_once('|'));
        Self { forms: split.map(|(command, forms)| (command, forms.split('|').collect())).collect() }
    }

    /// Returns the forms for the longest listed prefix of a command.
    pub(super) fn forms(&self, command: &str) -> Vec<&'static str> {
        let ends = command.match_indices(' ').map(|(at, _)| at).chain([command.len()]).collect::<Vec<_>>();
        let named = ends.iter().rev().find_map(|end| self.forms.get(command.get(..*end)?));
        named.or_else(|| self.forms.get("*")).cloned().unwrap_or_default()
    }
}
