//! Collects the problems that are found while a file is parsed.

use std::sync::Arc;

use toml::Spanned;
use toml::de::DeString;

use super::fault::Fault;
use super::{MAX_PROBLEMS, Problem, in_order};
use crate::rules::nearest::nearest;
use crate::rules::rule::Origin;

pub(super) struct Notes<'t> {
    origin: Arc<Origin>,
    text: &'t str,
    /// The offsets at which its lines begin.
    lines: Vec<usize>,
    /// The base of the offsets, because a part of the file is parsed on its own.
    start: usize,
    problems: Vec<Problem>,
}

impl<'t> Notes<'t> {
    pub(super) fn new(origin: &Arc<Origin>, text: &'t str) -> Self {
        let lines = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Self { origin: Arc::clone(origin), text, lines, start: 0, problems: Vec::new() }
    }

    /// Sets the base of the offsets that follow.
    pub(super) fn begin_at(&mut self, start: usize) {
        self.start = start;
    }

    pub(super) fn add(&mut self, offset: usize, what: Fault) {
        let (line, column) = self.place(offset);
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(Problem { origin: Arc::clone(&self.origin), line, column, what });
        }
    }

    /// Adds the problem of an unknown key or table.
    pub(super) fn unknown(
        &mut self,
        fault: fn(String, Option<&'static str>) -> Fault,
        key: &Spanned<DeString<'_>>,
        known: &[&'static str],
    ) {
        let name = key.get_ref();
        self.add(key.span().start, fault(name.to_string(), nearest(name, known)));
    }

    /// Returns the line and column of an offset, both from 1, the column in characters.
    pub(super) fn place(&self, offset: usize) -> (u32, u32) {
        let offset = self.start + offset;
        let line = self.lines.partition_point(|start| *start <= offset);
        let start = self.lines.get(line - 1).copied().unwrap_or_default();
        let before = self.text.as_bytes().get(start..offset.min(self.text.len())).unwrap_or_default();
        let characters = before.iter().filter(|byte| (**byte as i8) >= -0x40).count();
        let [line, column] = [line, characters + 1].map(|count| u32::try_from(count).unwrap_or(u32::MAX));
        (line, column)
    }

    /// Returns the position in the file of an offset in a text. If the text is written with escapes, it is the
    /// beginning of the text.
    pub(super) fn within(&self, value: &Spanned<impl Sized>, text: &str, position: usize) -> usize {
        let span = value.span();
        let written = self.text.get(self.start + span.start..self.start + span.end).unwrap_or_default();
        let quotes = written.len().saturating_sub(text.len()) / 2;
        let verbatim = written.get(quotes..quotes + text.len()) == Some(text);
        if verbatim { span.start + quotes + position } else { span.start }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.problems.is_empty()
    }

    pub(super) fn origin(&self) -> &Arc<Origin> {
        &self.origin
    }

    pub(super) fn finish(mut self) -> Vec<Problem> {
        in_order(&mut self.problems);
        self.problems
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::rule::Tier;

    #[test]
    fn a_place_counts_lines_and_characters() {
        let origin = Origin { tier: Tier::User, path: "policy.toml".into(), root: None, trusted: true };
        let notes = Notes::new(&Arc::new(origin), "a\n한글 b\r\n\nc");
        for (offset, place) in
            [(0, (1, 1)), (1, (1, 2)), (2, (2, 1)), (5, (2, 2)), (9, (2, 4)), (12, (3, 1)), (13, (4, 1)), (14, (4, 2))]
        {
            assert_eq!(notes.place(offset), place, "{offset}");
        }
        assert_eq!(notes.place(99), (4, 2));
    }
}
