//! Finds builtins of bash that evaluate their arguments: the index of `a[$(id)]` runs `id`.
//!
//! | builtin | evaluates |
//! |---|---|
//! | `let`; in zsh also `exit`, `return`, `break`, `continue`, `shift`, `logout`, `bye` | every argument |
//! | `test`, `[` | the name after `-v` and `-R`; in zsh the descriptor after `-t` |
//! | `printf -v`, `wait -p` | the name |
//! | `read`, `unset`, `getopts`, `mapfile`, `vared` | every name |
//! | `read`, `getopts`, `printf -v`, `print -v`, `vared` | the value, if the variable is a number |
//! | `mapfile -C`, `compgen`, `complete` | a script |
//! | `hash -p`, `enable -f` | nothing, but the name then runs another program |
//! | `declare`, `export`, `local`, ... | names, and with `-i`, `-E` and `-F` the values, also later ones |
//! | `integer`, `float` | the values, also later ones |
//!
//! An unknown word may be an option or a name.

use crate::programs::is_usual;
use crate::shell::parser::{is_digits, is_name};
use crate::shell::variable;
use crate::shell::{Assignment, Command, Unclear, Word};

/// The operators of `test` between two operands.
const BETWEEN: [&str; 17] =
    ["=", "==", "!=", "=~", "<", ">", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef", "-a", "-o"];

/// An argument, and whether it may expand to more than one.
pub(super) type Argument<'a> = (&'a Word, bool);

/// Returns why a builtin may run more than its words show.
pub(super) fn evaluates(name: &str, arguments: &[Argument<'_>]) -> Option<Unclear> {
    let unclear = match name {
        "read" | "getopts" | "mapfile" | "readarray" | "print" | "vared"
            if arguments.iter().any(|(word, _)| sets_number(word)) =>
        {
            true
        }
        "printf" if arguments.iter().take(2).any(|(word, _)| sets_number(word)) => true,
        // They evaluate what later commands assign, too.
        "integer" | "float" => !arguments.is_empty(),
        "let" | "exit" | "return" | "break" | "continue" | "shift" | "logout" | "bye" => {
            !arguments.iter().all(|(word, _)| word.text().is_some_and(is_number))
        }
        "test" | "[" => {
            let operands = match arguments {
                [operands @ .., (last, _)] if name == "[" && last.text() == Some("]") => operands,
                _ => arguments,
            };
            let is_last = |at: usize| at + 2 == operands.len();
            operands.iter().any(|(_, splits)| *splits)
                || operands.windows(2).enumerate().any(
                    |(at, pair)| matches!(pair, [(first, _), (second, _)] if is_tested(first, second, is_last(at))),
                )
        }
        "printf" => match arguments.first() {
            Some((word, _)) if word.known.starts_with("-v") => !names_only(arguments.get(..2).unwrap_or(arguments)),
            Some((word, splits)) => *splits || !word.exact && word.known.is_empty(),
            None => false,
        },
        "wait" => arguments.iter().any(|(word, splits)| *splits || word.known.starts_with('-') && word.known != "-n"),
        "read" | "unset" | "getopts" | "vared" => !names_only(arguments),
        "mapfile" | "readarray" => {
            !names_only(arguments) || arguments.iter().any(|(word, _)| is_option(word, ['C', 'C']))
        }
        "hash" | "enable" if arguments.iter().any(|(word, _)| !word.exact || is_option(word, ['p', 'f'])) => {
            return Some(Unclear::Code);
        }
        // It changes what the rest means: with `dotglob`, `*` is also a hidden folder.
        "shopt" => {
            let is_known = |word: &Word| matches!(word.text(), Some("-s" | "-u" | "-q" | "-p")) || is_usual(word);
            return (!arguments.iter().all(|(word, _)| is_known(word))).then_some(Unclear::Code);
        }
        "compgen" | "complete" => return Some(Unclear::Code),
        // These builtins of zsh change how the rest is parsed, or run something later.
        "setopt" | "unsetopt" | "emulate" | "zmodload" | "autoload" | "sched" | "zle" | "bindkey" | "zstyle"
        | "zcompile" | "repeat" | "foreach" | "always" => return Some(Unclear::Code),
        "set" => return arguments.iter().any(|(word, _)| !is_usual_setting(word)).then_some(Unclear::Code),
        _ => false,
    };
    unclear.then_some(Unclear::Expansion)
}

/// Returns whether a word is an operand of `set`, or an option that only changes when a script ends and what it prints.
fn is_usual_setting(word: &Word) -> bool {
    const NAMED: [&str; 8] =
        ["errexit", "nounset", "pipefail", "xtrace", "verbose", "errtrace", "functrace", "noclobber"];
    match word.text() {
        Some(text) if NAMED.contains(&text) => true,
        Some(text) => match text.strip_prefix(['-', '+']) {
            Some(letters) => letters.chars().all(|letter| "euxveoTEC-".contains(letter)),
            None => true,
        },
        None => word.known.starts_with(|first: char| first.is_ascii_alphanumeric() || first == '/'),
    }
}

fn is_option(word: &Word, letters: [char; 2]) -> bool {
    word.known.strip_prefix('-').is_some_and(|options| options.contains(letters))
}

/// Returns whether two words may be an operator and an operand that it evaluates, or may expand to that. An unknown word
/// before an operator that has two operands is the first of them.
fn is_tested(first: &Word, second: &Word, is_last: bool) -> bool {
    match first.text() {
        Some("-v" | "-R") => !second.text().is_some_and(is_name),
        Some("-t") => !second.text().is_some_and(is_digits),
        Some(_) => false,
        None if first.known.is_empty() || first.known.starts_with('-') => {
            !second.text().is_some_and(|text| text == ")" || !is_last && BETWEEN.contains(&text))
        }
        None => false,
    }
}

/// Returns whether a word is the name of a variable that is a number; zsh's `read` takes a prompt after it.
fn sets_number(word: &Word) -> bool {
    let name = word.known.strip_prefix("-v").unwrap_or(&word.known);
    name.split('?').next().is_some_and(variable::is_number)
}

/// Returns whether every index in the arguments is a number.
fn names_only(arguments: &[Argument<'_>]) -> bool {
    arguments.iter().all(|(word, _)| match word.text() {
        Some(text) => text.split('[').skip(1).all(|index| index.split(']').next().is_some_and(is_number)),
        None => false,
    })
}

fn is_number(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit() || b" +-*/%()<>=!&|^~?:,".contains(&byte))
}

/// Returns whether a command sets variables that its words do not certainly name, or sets them to unknown values.
pub(super) fn sets_any(command: &Command) -> bool {
    let Some(name) = command.name() else { return !command.words.is_empty() };
    let option = |letter: char| {
        command
            .words
            .iter()
            .skip(1)
            .any(|word| !word.exact || word.known.starts_with('-') && word.known.contains(letter))
    };
    match name {
        "read" | "mapfile" | "readarray" | "getopts" | "eval" | "source" | "." | "let" | "vared" | "print" => true,
        "select" | "set" | "shift" | "unset" | "zparseopts" | "sysread" | "fc" | "trap" | "integer" | "float" => true,
        "declare" | "typeset" | "local" | "export" | "readonly" | "private" => {
            // These options change the assigned value, or assign to another variable.
            "nulicAaTLRZEF".chars().any(option)
        }
        "printf" | "wait" => option('v') || option('p'),
        _ => false,
    }
}

/// Moves the variables that `export A=b` and similar commands set to the command's assignments.
pub(super) fn declared(command: &mut Command) {
    let Some(name) = command.name() else { return };
    if !matches!(name, "export" | "declare" | "typeset" | "local" | "readonly" | "private") {
        return;
    }
    let mut unclear = None;
    let mut assignments = Vec::new();
    for word in command.words.iter().skip(1) {
        if let Some(options) = word.known.strip_prefix(['-', '+']) {
            // `-i` evaluates the assigned value, as zsh's `-E` and `-F` do, also one that a later command assigns. `-n`
            // assigns to another variable, and only that of `export` does not.
            let evaluates = options.contains(['i', 'E', 'F']) || (options.contains('n') && name != "export");
            unclear = unclear.or((evaluates || !word.exact).then_some(Unclear::Expansion));
            continue;
        }
        let (known, value) = match word.known.split_once('=') {
            Some((known, value)) => (known, Some(value)),
            None => (word.known.as_str(), None),
        };
        let (known, appends) = known.strip_suffix('+').map_or((known, false), |known| (known, true));
        match value {
            _ if !is_name(known) => {
                unclear = unclear.or(Some(if word.exact { Unclear::Expansion } else { Unclear::Variable }))
            }
            None if !word.exact => unclear = unclear.or(Some(Unclear::Variable)),
            None => {}
            Some(value) => {
                let value = word.with(value);
                assignments.push(Assignment { name: known.to_owned(), value });
                // The whole value is not known.
                let whole = || Assignment { name: known.to_owned(), value: Word::beginning("") };
                assignments.extend(appends.then(whole));
            }
        }
    }
    command.assignments.extend(assignments);
    command.unclear = command.unclear.or(unclear);
}
