//! Regular expressions in linear time.
//!
//! gemini-cli's policy files contain JavaScript expressions. Here they are parsed by regex-syntax, so that no input
//! can make one slow. [`dialect`] reconciles the two: an expression means what it means in JavaScript, or it is an
//! error at its position, but it never silently means something else.
//!
//! An expression is parsed at once, so that a mistake is reported when its file loads, and compiled on first use.
//! Limits: [`MAX_BYTES`] long, [`MAX_DEPTH`] deep, and [`MAX_PARTS`] parts when its repetitions are written out.

mod dialect;

use std::fmt;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use regex_automata::hybrid::dfa;
use regex_automata::nfa::thompson;
use regex_automata::util::{start, syntax};
use regex_automata::{Anchored, Input, meta};
use regex_syntax::ast::{self, Span};
use regex_syntax::hir::literal::Extractor;
use regex_syntax::hir::{Hir, translate};

use crate::Match;

/// The longest expression, in bytes. gemini-cli's limit is 2048.
pub(super) const MAX_BYTES: usize = 8192;

/// The deepest nesting of groups and repetitions.
pub(super) const MAX_DEPTH: u32 = 64;

/// The most characters, classes and boundaries of an expression when its repetitions are written out: `(ab){3}` has
/// 6. It bounds the memory and time of compiling the expression and the time of a search: in the worst case each part
/// is tried at each byte, which takes seconds for some hundred thousand bytes.
pub(super) const MAX_PARTS: u64 = 2048;

/// The bytes that suffice for [`MAX_PARTS`] of the largest parts.
const MAX_COMPILED: usize = 32 << 20;

/// The number of matches from which the faster automaton pays off: building it takes more than twice as long.
const SOON: u32 = 4;

/// A regular expression that was checked when it was parsed, and is compiled on first use.
#[derive(Clone)]
pub struct Pattern {
    shared: Arc<Shared>,
}

struct Shared {
    source: String,
    hir: Hir,
    begins: OnceLock<Option<Vec<Vec<u8>>>>,
    /// The number of matches so far.
    asked: AtomicU32,
    compiled: OnceLock<Option<meta::Regex>>,
    steps: OnceLock<Option<dfa::DFA>>,
}

/// Why a regular expression cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the regular expression cannot be read: {what}")]
pub struct PatternError {
    /// What is wrong with it, for its author.
    pub what: PatternFault,
    /// The position, in bytes from its beginning.
    pub offset: usize,
}

/// What is wrong with a regular expression.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PatternFault {
    /// It is too long; the limit in bytes.
    #[error("it is longer than {0} bytes")]
    TooLong(usize),
    /// Its repetitions make it too large; the limit.
    #[error("it has more than {0} parts when its repetitions are written out")]
    TooManyParts(u64),
    /// It refers to a group.
    #[error("backreferences are not supported")]
    Backreference,
    /// A class has an operator that JavaScript does not have.
    #[error("`&&`, `--` and `~~` in a class are not what they are in JavaScript; put a `\\` before each")]
    ClassOperator,
    /// A class is inside another one, which JavaScript does not have.
    #[error("`[` in a class is not what it is in JavaScript; put a `\\` before it")]
    ClassInClass,
    /// What the parser says.
    #[error("{0}")]
    Syntax(String),
}

impl Pattern {
    /// Parses an expression.
    ///
    /// # Errors
    /// Returns an error if it is not a regular expression, uses a feature that only JavaScript has (lookaround,
    /// backreferences), or exceeds a limit.
    pub fn new(source: &str) -> Result<Self, PatternError> {
        if source.len() > MAX_BYTES {
            return Err(PatternError { what: PatternFault::TooLong(MAX_BYTES), offset: MAX_BYTES });
        }
        let mut tree = ast::parse::ParserBuilder::new()
            .nest_limit(MAX_DEPTH)
            .octal(true)
            .build()
            .parse(source)
            .map_err(|error| unparsed(error.kind(), error.span()))?;
        dialect::adapt(&mut tree)?;
        let hir = translate::Translator::new()
            .translate(source, &tree)
            .map_err(|error| unparsed(error.kind(), error.span()))?;
        let shared = Shared {
            source: source.to_owned(),
            hir,
            begins: OnceLock::new(),
            asked: AtomicU32::new(0),
            compiled: OnceLock::new(),
            steps: OnceLock::new(),
        };
        Ok(Self { shared: Arc::new(shared) })
    }

    /// Returns it as written.
    pub fn as_str(&self) -> &str {
        &self.shared.source
    }

    /// Returns whether it matches somewhere in a text. [`Match::Maybe`] only if it could not be compiled.
    pub fn is_in(&self, text: &str) -> Match {
        self.search(Input::new(text))
    }

    /// Returns whether it matches from the beginning of a text, not necessarily to the end, as gemini-cli's
    /// `commandRegex` does.
    pub fn starts(&self, text: &str) -> Match {
        if self.begins().is_some_and(|begins| !begins.iter().any(|begin| text.as_bytes().starts_with(begin))) {
            return Match::No;
        }
        let input = Input::new(text).anchored(Anchored::Yes);
        if self.shared.asked.fetch_add(1, Ordering::Relaxed) < SOON
            && let Some(found) =
                self.steps().and_then(|steps| steps.try_search_fwd(&mut steps.create_cache(), &input).ok())
        {
            return found.is_some().into();
        }
        self.search(input)
    }

    /// Returns whether it matches from the beginning of a text of which only the beginning is known.
    ///
    /// [`Match::Yes`]: every text with this beginning matches. [`Match::No`]: none does.
    pub fn may_start(&self, beginning: &str) -> Match {
        let known = beginning.as_bytes();
        let fits = |begin: &Vec<u8>| begin.starts_with(known) || known.starts_with(begin);
        if self.begins().is_some_and(|begins| !begins.iter().any(fits)) {
            return Match::No;
        }
        self.steps().and_then(|steps| walk(steps, beginning)).unwrap_or(Match::Maybe)
    }

    /// Returns the command word with which every match begins, if it is certain: `git` for `^git (status|log)`.
    pub fn first_word(&self) -> Option<String> {
        let mut words = self.begins()?.iter().map(|begin| first_word(begin));
        let word = words.next()??;
        words.all(|other| other == Some(word)).then(|| word.to_owned())
    }

    /// Returns the texts with one of which every match begins; `None` if there are too many. Comparing them is far
    /// cheaper than compiling.
    fn begins(&self) -> Option<&[Vec<u8>]> {
        let extract = || {
            let prefixes = Extractor::new().extract(&self.shared.hir);
            Some(prefixes.literals()?.iter().map(|literal| literal.as_bytes().to_vec()).collect())
        };
        self.shared.begins.get_or_init(extract).as_deref()
    }

    fn search(&self, input: Input<'_>) -> Match {
        let compiled = self.shared.compiled.get_or_init(|| {
            let limits = meta::Config::new().nfa_size_limit(Some(MAX_COMPILED));
            meta::Builder::new().configure(limits).build_from_hir(&self.shared.hir).ok()
        });
        compiled.as_ref().map_or(Match::Maybe, |regex| Match::from(regex.is_match(input)))
    }

    fn steps(&self) -> Option<&dfa::DFA> {
        let build = || {
            let limits = thompson::Config::new().nfa_size_limit(Some(MAX_COMPILED));
            let nfa = thompson::Compiler::new().configure(limits).build_from_hir(&self.shared.hir).ok()?;
            let config = dfa::Config::new().skip_cache_capacity_check(true);
            dfa::Builder::new().syntax(syntax::Config::new()).configure(config).build_from_nfa(nfa).ok()
        };
        self.shared.steps.get_or_init(build).as_ref()
    }
}

fn unparsed(what: &impl fmt::Display, at: &Span) -> PatternError {
    PatternError { what: PatternFault::Syntax(what.to_string()), offset: at.start.offset }
}

/// Feeds the beginning to the automaton byte by byte. `None` if the automaton gives up.
fn walk(steps: &dfa::DFA, beginning: &str) -> Option<Match> {
    let mut cache = steps.create_cache();
    let mut state = steps.start_state(&mut cache, &start::Config::new().anchored(Anchored::Yes)).ok()?;
    for byte in beginning.bytes() {
        state = steps.next_state(&mut cache, state, byte).ok()?;
        match () {
            () if state.is_match() => return Some(Match::Yes),
            () if state.is_dead() => return Some(Match::No),
            () if state.is_quit() => return None,
            () => {}
        }
    }
    // A match is reported one byte late, so a match at the end of the known part needs one step more.
    let at_end = steps.next_eoi_state(&mut cache, state).ok()?;
    if !at_end.is_match() {
        return Some(Match::Maybe);
    }
    for byte in 0..=u8::MAX {
        if !steps.next_state(&mut cache, state, byte).ok()?.is_match() {
            return Some(Match::Maybe);
        }
    }
    Some(Match::Yes)
}

/// Returns the word before the first blank, if there is a blank and the word has no character that is special to a
/// shell.
fn first_word(literal: &[u8]) -> Option<&str> {
    let (word, _) = std::str::from_utf8(literal).ok()?.split_once([' ', '\t'])?;
    let plain = |char: char| char.is_ascii_alphanumeric() || "_-./+".contains(char);
    (!word.is_empty() && word.chars().all(plain)).then_some(word)
}

impl fmt::Debug for Pattern {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Pattern({:?})", self.as_str())
    }
}

#[cfg(test)]
mod tests;
