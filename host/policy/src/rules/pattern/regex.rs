//! Regular expressions in linear time.
//!
//! gemini-cli's policy files hold JavaScript expressions; ours are read by regex-syntax, so that no input can make one slow.
//! [`dialect`] brings the two together: what it can, it reads as JavaScript does, and what it cannot is an error that says
//! where, never a silent other meaning.
//!
//! An expression is read at once, so that a mistake is told when its file loads, and compiled when it is first asked.
//! Limits: [`MAX_BYTES`] long, [`MAX_DEPTH`] deep, and [`MAX_PARTS`] parts when its repetitions are written out.

mod dialect;

use std::fmt;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use regex_automata::hybrid::{LazyStateID, dfa};
use regex_automata::nfa::thompson;
use regex_automata::util::{start, syntax};
use regex_automata::{Anchored, Input, meta};
use regex_syntax::ast;
use regex_syntax::hir::literal::Extractor;
use regex_syntax::hir::{Hir, translate};

use crate::Match;

/// The longest expression, in bytes. gemini-cli's limit is 2048.
pub(super) const MAX_BYTES: usize = 8192;

/// How deep groups and repetitions may nest.
pub(super) const MAX_DEPTH: u32 = 64;

/// How many characters, classes and boundaries an expression may have when its repetitions are written out:
/// `(ab){3}` has 6. It bounds the memory and the time of compiling it, and the time of looking for it: at the worst each
/// part is tried at each byte, which takes seconds for some hundred thousand bytes.
pub(super) const MAX_PARTS: u64 = 2048;

/// Enough for [`MAX_PARTS`] of the largest parts, in bytes.
const MAX_COMPILED: usize = 32 << 20;

/// The faster automaton takes more than twice as long to make, so it is not made for a process that asks no more often.
const SOON: u32 = 4;

/// A regular expression that was checked when it was read, and is compiled when it is first asked.
#[derive(Clone)]
pub struct Pattern {
    shared: Arc<Shared>,
}

struct Shared {
    source: String,
    hir: Hir,
    begins: OnceLock<Option<Vec<Vec<u8>>>>,
    /// How often it was asked.
    asked: AtomicU32,
    compiled: OnceLock<Option<meta::Regex>>,
    steps: OnceLock<Option<dfa::DFA>>,
}

/// Why a regular expression cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the regular expression cannot be read: {what}")]
pub struct PatternError {
    /// What is wrong, in words for whoever wrote the pattern.
    pub what: String,
    /// Where, in bytes from its beginning.
    pub offset: usize,
}

impl Pattern {
    /// Reads an expression.
    ///
    /// # Errors
    /// It is no regular expression, has what only JavaScript knows (lookaround, backreferences), or is over a limit.
    pub fn new(source: &str) -> Result<Self, PatternError> {
        if source.len() > MAX_BYTES {
            return Err(PatternError { what: format!("it is longer than {MAX_BYTES} bytes"), offset: MAX_BYTES });
        }
        let mut tree = ast::parse::ParserBuilder::new()
            .nest_limit(MAX_DEPTH)
            .octal(true)
            .build()
            .parse(source)
            .map_err(|error| PatternError { what: error.kind().to_string(), offset: error.span().start.offset })?;
        dialect::adapt(&mut tree)?;
        let hir = translate::Translator::new()
            .translate(source, &tree)
            .map_err(|error| PatternError { what: error.kind().to_string(), offset: error.span().start.offset })?;
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

    /// As it was written.
    pub fn as_str(&self) -> &str {
        &self.shared.source
    }

    /// Whether it matches somewhere in a text. [`Match::Maybe`] only if it could not be compiled.
    pub fn is_in(&self, text: &str) -> Match {
        self.search(Input::new(text))
    }

    /// Whether it matches from the beginning of a text. It need not reach the end: gemini-cli's `commandRegex`.
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

    /// Whether it matches from the beginning of a text of which only the beginning is known.
    ///
    /// [`Match::Yes`]: every text that begins so matches. [`Match::No`]: none does.
    pub fn may_start(&self, beginning: &str) -> Match {
        let known = beginning.as_bytes();
        let fits = |begin: &Vec<u8>| begin.starts_with(known) || known.starts_with(begin);
        if self.begins().is_some_and(|begins| !begins.iter().any(fits)) {
            return Match::No;
        }
        self.steps().and_then(|steps| walk(steps, beginning)).unwrap_or(Match::Maybe)
    }

    /// The command word that every match from the beginning has, when it is certain: `git` for `^git (status|log)`.
    pub fn first_word(&self) -> Option<String> {
        let mut words = self.begins()?.iter().map(|begin| first_word(begin));
        let word = words.next()??;
        words.all(|other| other == Some(word)).then(|| word.to_owned())
    }

    /// What every match from the beginning begins with, one of these; None when there are too many. To look is cheaper by
    /// far than to compile.
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

/// Steps over the beginning byte by byte. None when the automaton gives up.
fn walk(steps: &dfa::DFA, beginning: &str) -> Option<Match> {
    let mut cache = steps.create_cache();
    let mut state = steps.start_state(&mut cache, &start::Config::new().anchored(Anchored::Yes)).ok()?;
    for byte in beginning.bytes() {
        state = steps.next_state(&mut cache, state, byte).ok()?;
        if let Some(known) = settled(state) {
            return known;
        }
    }
    // A match is seen one byte late. What was matched when the known part ended shows whatever comes next.
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

/// What a state says for good, if it does. The inner None: the automaton cannot tell.
fn settled(state: LazyStateID) -> Option<Option<Match>> {
    match () {
        () if state.is_match() => Some(Some(Match::Yes)),
        () if state.is_dead() => Some(Some(Match::No)),
        () if state.is_quit() => Some(None),
        () => None,
    }
}

/// The word before the first blank, if there is a blank and nothing in the word means anything to a shell.
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
