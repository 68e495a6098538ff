//! What an edit replaces, line by line.

use serde::{Deserialize, Serialize};
use similar::{Algorithm, ChangeTag, TextDiff};
use utoipa::ToSchema;

use crate::visible::visible;

/// Finding the lines that two texts share takes time in proportion to the product of their lengths at worst. Above this
/// many pairs of lines all old lines go and all new ones come: that is true as well.
const MAX_PAIRS: usize = 1_000_000;

/// A line of a diff.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DiffLine {
    /// Whether it goes, comes or stays.
    pub sign: Sign,
    /// The line, visible, without its end.
    pub text: String,
}

/// What becomes of a line.
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
    /// The sign before a line in a text.
    pub fn mark(self) -> char {
        match self {
            Self::Same => ' ',
            Self::Old => '-',
            Self::New => '+',
        }
    }
}

/// All lines of both texts. A text that ends in a newline has an empty last line, so that a newline which goes or comes is seen; one
/// that both texts end in is not shown.
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

/// No text at all has no line.
fn split(text: &str) -> Vec<&str> {
    if text.is_empty() { Vec::new() } else { text.split('\n').collect() }
}
