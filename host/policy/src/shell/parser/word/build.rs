//! Builds a word while it is parsed: its known text, and its pieces.

use crate::shell::shape::{self, Part, Piece, Yield};
use crate::shell::syntax::{Class, Text};

impl Text {
    pub(super) fn known(&mut self, known: &str) {
        self.note(known);
        self.add(known);
    }

    /// Adds text outside quotes, in which a comma separates alternatives in braces.
    pub(super) fn bare(&mut self, known: &str) {
        for (at, part) in known.split(',').enumerate() {
            if at > 0 {
                match self.braces {
                    0 => self.note(","),
                    _ => self.pieces.push(Piece::Comma),
                }
            }
            self.note(part);
        }
        self.add(known);
    }

    pub(super) fn note(&mut self, known: &str) {
        match self.pieces.last_mut() {
            _ if known.is_empty() => {}
            Some(Piece::Part(Part::Text(text))) => text.push_str(known),
            _ => self.pieces.push(Piece::Part(Part::Text(known.to_owned()))),
        }
    }

    pub(super) fn add(&mut self, known: &str) {
        if self.word.exact {
            self.word.known.push_str(known);
        }
        if let Some(emptied) = &mut self.emptied {
            emptied.push_str(known);
        }
    }

    pub(super) fn unknown(&mut self) {
        self.pieces.push(Piece::Part(Part::Any));
        self.unknown_part();
    }

    /// Adds what an expansion yields. `one` states that it is certainly not split.
    pub(super) fn yields(&mut self, what: Yield, one: bool) {
        self.push_yield(what, one);
        self.unknown_part();
    }

    fn push_yield(&mut self, what: Yield, one: bool) {
        self.pieces.push(Piece::Part(match what {
            what if !one && !self.whole => Part::Unquoted(what),
            Yield::Text | Yield::Number => Part::Any,
            Yield::Revision => Part::Revision,
        }));
    }

    /// Records what the substitution that was parsed last prints, if that is known.
    pub(super) fn printed(&mut self, quoted: bool) {
        if self.nested.last().is_some_and(|nested| nested.program.prints_commit()) {
            self.pieces.pop();
            self.push_yield(Yield::Revision, quoted);
        }
    }

    /// Adds the value of a variable.
    pub(super) fn variable(&mut self, name: &str, quoted: bool) {
        let quoted = quoted && name != "@" || self.whole;
        self.pieces.push(Piece::Part(Part::Variable { name: name.to_owned(), quoted }));
        self.unknown_part();
    }

    /// Records that the result of an operator on a variable may be anything. `one` states that it is certainly not split.
    pub(super) fn widen(&mut self, one: bool) {
        let variable = self.pieces.iter().rposition(|piece| matches!(piece, Piece::Part(Part::Variable { .. })));
        if let Some(at) = variable {
            self.pieces.truncate(at);
        }
        self.push_yield(Yield::Text, one);
    }

    /// Records that what the last piece yields may be these pieces instead: of `${x-a}` it is the value of `x`, or `a`.
    pub(super) fn or(&mut self, instead: Vec<Piece>) {
        let is_text = |piece: &Piece| matches!(piece, Piece::Part(Part::Text(text)) if !text.is_empty());
        let is_plain = instead.iter().any(is_text) && instead.iter().all(|piece| matches!(piece, Piece::Part(_)));
        if let Some(value) = self.pieces.pop_if(|_| is_plain) {
            self.pieces.extend([Piece::Open, value, Piece::Comma]);
            self.pieces.extend(instead);
            self.pieces.push(Piece::Close);
        }
    }

    pub(super) fn unknown_part(&mut self) {
        self.altered = true;
        self.word.exact = false;
        self.unknown.0 += 1;
        if self.emptied.is_none() {
            self.emptied = Some(self.word.known.clone());
        }
    }

    /// Adds an unquoted character of globs and braces.
    pub(super) fn special(&mut self, byte: u8) {
        let here = self.word.known.len();
        self.note_special(byte);
        match byte {
            b'*' | b'?' => self.unknown_part(),
            b'[' if self.word.exact => self.bracket = self.bracket.or(Some(here)),
            b']' => self.cut = self.cut.or(self.bracket),
            b'{' if self.word.exact => self.brace = self.brace.or(Some(here)),
            b'}' if self.brace_parts => self.cut = self.cut.min(self.brace).or(self.brace),
            _ => {}
        }
        self.add(char::from(byte).encode_utf8(&mut [0; 4]));
    }

    /// Records an unquoted character of globs and braces among the pieces.
    fn note_special(&mut self, byte: u8) {
        match byte {
            b'*' => self.pieces.push(Piece::Part(Part::Name)),
            b'?' => self.push_sign(),
            b'[' => self.open_class(),
            b']' => self.close_class(),
            b'{' => {
                self.braces += 1;
                self.pieces.push(Piece::Open);
            }
            _ => {
                self.braces = self.braces.saturating_sub(1);
                self.pieces.push(Piece::Close);
            }
        }
    }

    /// Records a part of a name that is no `*`: an empty text keeps it from being part of `**`.
    fn push_sign(&mut self) {
        let apart = || Piece::Part(Part::Text(String::new()));
        self.pieces.extend([apart(), Piece::Part(Part::Name), apart()]);
    }

    fn open_class(&mut self) {
        let at = self.pieces.len();
        self.class = match self.class {
            Some(class) if !class.closed || class.longer => Some(Class { longer: true, ..class }),
            _ => Some(Class { at, closed: false, longer: false }),
        };
        self.pieces.push(Piece::Part(Part::Text("[".to_owned())));
    }

    /// Records an unquoted `]`. If it may be one of the characters of the expression, a later `]` extends the name that
    /// the expression stands for, so that the name includes the text after every possible end.
    fn close_class(&mut self) {
        let Some(class) = self.class.filter(|class| !class.closed || class.longer) else { return self.note("]") };
        let inside = self.pieces.get(class.at..).unwrap_or_default();
        let first = matches!(inside, [Piece::Part(Part::Text(text))] if matches!(text.as_str(), "[" | "[!" | "[^"));
        // Braces and variables are expanded before a glob, and only zsh takes a slash for one of the characters.
        self.shapeless |= inside.iter().any(|piece| match piece {
            Piece::Part(Part::Text(text)) => text.contains('/'),
            Piece::Part(part) => *part != Part::Name,
            Piece::Open | Piece::Comma | Piece::Close => true,
        });
        self.pieces.truncate(class.at);
        self.push_sign();
        self.class = Some(Class { closed: true, longer: class.longer || first, ..class });
    }

    /// Ends the word. Its text is known only up to a bracket or brace that was closed.
    pub(super) fn finish(&mut self) {
        if let Some(cut) = self.cut {
            self.unknown_part();
            self.word.known.truncate(cut);
        }
        if !self.word.exact && !self.shapeless {
            self.word.shapes = shape::shapes(&self.pieces).map(Into::into);
        }
        if self.process && matches!(self.pieces.as_slice(), [Piece::Part(Part::Any)]) {
            // It is a pipe, which is no file that a path names.
            let none: Vec<shape::Shape> = Vec::new();
            self.word.shapes = Some(none.into());
        }
        let (unknown, quoted) = self.unknown;
        self.word.one = unknown == quoted && !self.spreads;
    }

    /// Adds the scripts, hazards and variables of another text.
    pub(super) fn absorb(&mut self, other: Self) {
        self.nested.extend(other.nested);
        self.hazard |= other.hazard;
        self.risky |= other.risky;
        self.sets.extend(other.sets);
    }
}
