//! Computes what an edit replaces, line by line.

use serde::{Deserialize, Serialize};
use similar::{Algorithm, ChangeTag, TextDiff};
use utoipa::ToSchema;

use crate::visible::visible;

/// The most pairs of lines that are compared, because the time grows with the product of the texts' lengths. Above it
/// the diff removes all old lines and adds all new ones, which is correct too.
const MAX_PAIRS: usize = 1_000_000;

/// A line of a diff.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DiffLine {
    /// Whether it is removed, added or unchanged.
    pub sign: Sign,
    /// The line, made visible, without its line end.
    pub text: String,
}

/// The change of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum Sign {
    /// The line stays as it is.
    #[serde(rename = " ")]
    Same,
    /// The line is removed.
    #[serde(rename = "-")]
    Old,
    /// The line is added.
    #[serde(rename = "+")]
    New,
}

impl Sign {
    /// Returns the sign before a line in a text.
    pub fn mark(self) -> char {
        match self {
            Self::Same => ' ',
            Self::Old => '-',
            Self::New => '+',
        }
    }
}

/// Returns all lines of both texts. A text that ends in a newline has an empty last line, so that an added or removed
/// newline is visible. An empty last line that both texts have is not shown.
pub(super) fn lines(old: &str, new: &str) -> Vec<DiffLine> {
    let (old, new) = match (old.strip_suffix('\n'), new.strip_suffix('\n')) {
        (Some(old), Some(new)) => (old.split('\n').collect(), new.split('\n').collect()),
        _ => (split(old), split(new)),
    };
    let shared = |pairs: &mut dyn Iterator<Item = (&&str, &&str)>| pairs.take_while(|(old, new)| old == new).count();
    let before = shared(&mut old.iter().zip(&new));
    let behind = shared(&mut old.iter().rev().zip(new.iter().rev()));
    let differing = |lines: &[&str]| lines.len().saturating_sub(before + behind).max(1);
    if differing(&old).saturating_mul(differing(&new)) > MAX_PAIRS {
        let side = |sign, lines: &[&str]| lines.iter().map(|line| DiffLine { sign, text: visible(line) }).collect();
        let sides: [Vec<DiffLine>; 2] = [side(Sign::Old, &old), side(Sign::New, &new)];
        return sides.concat();
    }
    let diff = TextDiff::configure().algorithm(Algorithm::Myers).diff_slices(&old, &new);
    let line = |change: similar::Change<&str>| DiffLine {
        sign: match change.tag() {
            ChangeTag::Equal => Sign::Same,
            ChangeTag::Delete => Sign::Old,
            ChangeTag::Insert => Sign::New,
        },
        text: visible(change.value()),
    };
    diff.iter_all_changes().map(line).collect()
}

/// Splits a text into lines. An empty text has none.
fn split(text: &str) -> Vec<&str> {
    if text.is_empty() { Vec::new() } else { text.split('\n').collect() }
}
