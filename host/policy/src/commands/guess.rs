//! Guesses which commands an unparsable line may run, for denies only.
//!
//! The line is split wherever a command may begin, also inside quotes, and the words of every piece are a possible
//! command.

use crate::shell::parser::{KEYWORDS, is_name};
use crate::shell::{Command, Word};

/// Returns the pieces as commands.
pub(super) fn commands(script: &str) -> Vec<Command> {
    let script = script.replace("\\\n", "");
    let pieces = script.split([';', '&', '|', '\n', '(', ')', '{', '}', '`', '\0']);
    pieces
        .map(words)
        .filter(|words| !words.is_empty())
        .map(|words| Command { possible: true, ..Command::of(words) })
        .collect()
}

fn words(piece: &str) -> Vec<Word> {
    let bare = |word: &str| word.replace(['\'', '"', '\\'], "");
    let words = piece.split_whitespace().map(bare).filter(|word| !word.is_empty() && word != "$");
    // A keyword is no command, and may precede one.
    let is_first =
        |word: &String| !KEYWORDS.contains(&word.as_str()) && !word.starts_with(['<', '>']) && !is_assignment(word);
    words.skip_while(|word| !is_first(word)).map(Word::exact).collect()
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| is_name(name))
}
