//! Collects the problems that are found while a file is parsed.

use std::sync::Arc;

use toml::Spanned;
use toml::de::DeString;

use super::lines::Lines;
use super::{MAX_PROBLEMS, Problem, in_order};
use crate::rules::nearest::nearest;
use crate::rules::rule::Origin;

pub(super) struct Notes<'t> {
    origin: Arc<Origin>,
    text: &'t str,
    lines: Lines<'t>,
    /// The base of the offsets, because a part of the file is parsed on its own.
    start: usize,
    problems: Vec<Problem>,
}

impl<'t> Notes<'t> {
    pub(super) fn new(origin: &Arc<Origin>, text: &'t str) -> Self {
        Self { origin: Arc::clone(origin), text, lines: Lines::new(text), start: 0, problems: Vec::new() }
    }

    /// Sets the base of the offsets that follow.
    pub(super) fn begin_at(&mut self, start: usize) {
        self.start = start;
    }

    pub(super) fn add(&mut self, offset: usize, what: impl Into<String>) {
        let (line, column) = self.place(offset);
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(Problem { origin: Arc::clone(&self.origin), line, column, what: what.into() });
        }
    }

    /// Adds the problem of an unknown key or table.
    pub(super) fn unknown(&mut self, kind: &str, key: &Spanned<DeString<'_>>, known: &[&str]) {
        let name = key.get_ref();
        let what = match nearest(name, known) {
            Some(meant) => format!("unknown {kind} `{name}`; did you mean `{meant}`?"),
            None => format!("unknown {kind} `{name}`"),
        };
        self.add(key.span().start, what);
    }

    /// Returns the line and column of an offset, from 1.
    pub(super) fn place(&self, offset: usize) -> (u32, u32) {
        self.lines.place(self.start + offset)
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
