//! The values that a script assigns to its variables, substituted into the shapes of its words.

use std::collections::HashMap;

use crate::shell::Word;
use crate::shell::shape::{MAX_SHAPES, Part, Shape, Yield, joined, product};

/// The longest chain of variables that refer to each other.
const MAX_DEPTH: usize = 6;

/// The values that a script gives its variables.
#[derive(Debug, Default)]
pub(super) struct Values {
    values: HashMap<String, Vec<Word>>,
    /// Whether a command sets unknown variables: `read`, `eval`, `source`.
    open: bool,
    /// Whether a command changes the folder.
    moves: bool,
}

impl Values {
    /// Records that a variable is assigned a value somewhere.
    pub(super) fn set(&mut self, name: &str, value: &Word) {
        self.values.entry(name.to_owned()).or_default().push(value.clone());
    }

    /// Records that any variable may have any value.
    pub(super) fn open(&mut self) {
        self.open = true;
    }

    /// Records that the folder changes, so that `PWD` in the value of a variable may be another one than where it is used.
    pub(super) fn moves(&mut self) {
        self.moves = true;
    }

    /// Returns whether a script changes a variable.
    pub(super) fn sets(&self, name: &str) -> bool {
        self.open || self.values.contains_key(name)
    }

    /// Substitutes the values into the shapes of a word. An unknown value may be anything.
    pub(super) fn fill(&self, word: &mut Word) {
        let Some(shapes) = word.shapes.take() else { return };
        let mut filled = Vec::new();
        for shape in &*shapes {
            match self.shapes(shape, MAX_DEPTH) {
                Some(more) if filled.len() + more.len() <= MAX_SHAPES => filled.extend(more),
                _ => return,
            }
        }
        filled.dedup();
        word.shapes = Some(filled.into());
    }

    /// Returns the possible values of a shape. One that is split may be any words, besides the word that it is unsplit.
    fn shapes(&self, shape: &[Part], depth: usize) -> Option<Vec<Shape>> {
        let mut filled: Vec<Shape> = vec![Vec::new()];
        let mut splits = false;
        for (at, part) in shape.iter().enumerate() {
            let choices = match part {
                Part::Variable { name, quoted } => {
                    let mut choices = self.value(name, *quoted, depth)?;
                    if at > 0 && choices.iter().any(begins_at_home) {
                        choices.push(vec![Part::Any]);
                    }
                    splits |= !quoted && (self.sets("IFS") || choices.iter().flatten().any(may_be_split));
                    choices
                }
                Part::Unquoted(what) => {
                    splits |= *what == Yield::Text || self.sets("IFS");
                    vec![vec![if *what == Yield::Revision { Part::Revision } else { Part::Any }]]
                }
                part => vec![vec![part.clone()]],
            };
            filled = product(&filled, &choices)?;
        }
        // Stars of a value and beside it are one name.
        if shape.iter().any(|part| matches!(part, Part::Variable { .. } | Part::Unquoted(_))) {
            filled = joined(filled);
        }
        let any = vec![Part::Any];
        if splits && !filled.contains(&any) {
            filled.push(any);
        }
        (filled.len() <= MAX_SHAPES).then_some(filled)
    }

    /// Returns the possible values of a variable. `HOME` and `PWD` stay as they are if the script does not change
    /// them.
    fn value(&self, name: &str, quoted: bool, depth: usize) -> Option<Vec<Shape>> {
        if matches!(name, "#" | "?" | "$" | "!") {
            return Some(vec![vec![Part::Name]]);
        }
        let values = self.values.get(name).filter(|_| !self.open && depth > 0);
        let Some(values) = values else {
            let kept = matches!(name, "HOME" | "PWD") && !self.sets(name);
            let variable = Part::Variable { name: name.to_owned(), quoted };
            let may_have_moved = name == "PWD" && depth < MAX_DEPTH && self.moves;
            let known = kept.then(|| vec![variable]);
            let any = (!kept || may_have_moved).then(|| vec![Part::Any]);
            return Some(known.into_iter().chain(any).collect());
        };
        let mut all = Vec::new();
        for value in values {
            match (&value.shapes, value.text()) {
                (_, Some(text)) if quoted => all.push(vec![Part::Text(text.to_owned())]),
                (_, Some(text)) if !self.sets("IFS") => all.push(unquoted(text)),
                // The value is split and expanded again without quotes.
                (Some(shapes), None) if quoted && !value.names_no_file() => {
                    for shape in &**shapes {
                        all.extend(self.shapes(shape, depth - 1)?);
                    }
                }
                _ => all.push(vec![Part::Any]),
            }
            if all.len() > MAX_SHAPES {
                return None;
            }
        }
        Some(all)
    }
}

/// Returns whether a value begins with a `~`, which the shell replaced when it was assigned: with `x=~/a`, `..$x` is not `..~/a`.
fn begins_at_home(value: &Shape) -> bool {
    matches!(value.first(), Some(Part::Text(text)) if text.starts_with('~'))
}

/// Returns whether a part of a variable's value may contain blanks. A user's home directory contains none, but an agent may
/// make a folder whose name does.
fn may_be_split(part: &Part) -> bool {
    match part {
        Part::Variable { name, .. } => name == "PWD",
        part => *part == Part::Any,
    }
}

/// Returns the shape of a value outside quotes: blanks split it, and it is expanded as a glob. A bracket expression may
/// begin or end outside the value, and a backslash is removed only from a glob.
fn unquoted(text: &str) -> Shape {
    if text.contains(|sign: char| sign.is_whitespace() || "[]\\(".contains(sign)) {
        return vec![Part::Any];
    }
    let mut shape = Vec::new();
    for (index, run) in text.split(['*', '?']).enumerate() {
        if index > 0 {
            shape.push(Part::Name);
        }
        if !run.is_empty() {
            shape.push(Part::Text(run.to_owned()));
        }
    }
    shape
}
