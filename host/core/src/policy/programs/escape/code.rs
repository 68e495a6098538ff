//! Arguments that are programs in a small language.

use super::{Effect, Escape, Found, sed};
use crate::policy::shell::{Word, local, variable};

/// What `sqlite3` can do without changing the database.
const SQLITE_READS: [&str; 12] = [
    ".tables",
    ".schema",
    ".databases",
    ".indexes",
    ".indices",
    ".headers",
    ".mode",
    ".width",
    ".nullvalue",
    ".stats",
    ".timer",
    ".version",
];

/// The functions of SQLite's shell that load code or write files.
const SQLITE_FUNCTIONS: [&str; 4] = ["load_extension", "writefile", "edit(", "fts3_tokenizer"];

/// `sed`: a program with `e` or `w` runs or writes.
pub(in super::super) fn sed(found: &Found<'_>) -> Option<Escape> {
    let mut programs: Vec<&Word> = found.values(&["-e", "--expression"]).collect();
    if !found.known.iter().any(|known| matches!(known.name.as_str(), "-e" | "--expression" | "-f" | "--file")) {
        programs.extend(found.operands.first().filter(|at| **at >= found.named).and_then(|at| found.words.get(*at)));
    }
    if programs.iter().any(|program| !program.exact) {
        return Some(Escape::unknown());
    }
    let program = programs.iter().map(|program| program.known.as_str()).collect::<Vec<_>>().join("\n");
    sed::acts(&program).map(|(command, effect)| Escape::new(command, effect))
}

/// `awk`: a program with `system`, a pipe or a redirection.
pub(in super::super) fn awk(found: &Found<'_>) -> Option<Escape> {
    let mut programs = found.values(&["-e", "--source"]).chain(found.operands());
    programs.find_map(|program| {
        if !program.exact {
            return Some(Escape::unknown());
        }
        let text = program.known.replace("||", " ").replace(">=", " ");
        let code = without_texts(&text);
        let runs = code.as_ref().unwrap_or(&text);
        if runs.contains("system") || runs.contains(['|', '@']) {
            return Some(Escape::new(&program.known, Effect::Runs));
        }
        let writes = code.map_or_else(|| text.contains('>') && text.contains("print"), |code| redirects(&code));
        writes.then(|| Escape::new(&program.known, Effect::Writes))
    })
}

/// A program of awk without what is in its string literals. None where a regular expression or a comment may hide a quote.
fn without_texts(program: &str) -> Option<String> {
    let mut code = String::new();
    let mut signs = program.chars();
    while let Some(sign) = signs.next() {
        code.push(sign);
        match sign {
            '/' | '#' => return None,
            '"' => loop {
                match signs.next()? {
                    '"' => break,
                    '\\' => _ = signs.next(),
                    _ => {}
                }
            },
            _ => {}
        }
    }
    Some(code)
}

/// Whether a `>` may write: it is in an action, and not in parentheses, where it compares.
fn redirects(code: &str) -> bool {
    let (mut braces, mut parentheses) = (0u32, 0u32);
    code.chars().any(|sign| {
        match sign {
            '{' => braces += 1,
            '}' => braces = braces.saturating_sub(1),
            '(' => parentheses += 1,
            ')' => parentheses = parentheses.saturating_sub(1),
            _ => {}
        }
        sign == '>' && braces > 0 && parentheses == 0
    })
}

/// `sqlite3 DB '.shell CMD'`
pub(in super::super) fn sqlite(found: &Found<'_>) -> Option<Escape> {
    found.operands().find_map(|word| {
        let text = word.known.trim_start().to_ascii_lowercase();
        let command = text.split_whitespace().next().unwrap_or_default();
        let runs = command.starts_with('.') && !command.contains('/') && !SQLITE_READS.contains(&command);
        let calls = SQLITE_FUNCTIONS.iter().any(|function| text.contains(function));
        (runs || calls || !word.exact).then(|| Escape::new(&word.known, Effect::Code))
    })
}

/// `psql -c '\! CMD'`, `COPY ... PROGRAM`, `mysql -e 'system CMD'`
pub(in super::super) fn psql(found: &Found<'_>) -> Option<Escape> {
    let values = found.values(&["-c", "--command", "-e", "--execute", "-v", "--variable", "--set", "--init-command"]);
    values.chain(found.operands()).find_map(|word| {
        let text = word.known.to_ascii_lowercase();
        let runs =
            text.contains('\\') || text.contains("program") || text.contains("system") || text.contains("outfile");
        (runs || !word.exact).then(|| Escape::new(&word.known, Effect::Code))
    })
}

/// PowerShell: anything but a file of its own is code.
pub(in super::super) fn powershell(found: &Found<'_>) -> Option<Escape> {
    let first = found.operands().find(|word| {
        let flag = word.known.to_ascii_lowercase();
        !word.exact || !matches!(flag.as_str(), "-noprofile" | "-nologo" | "-noninteractive" | "-nop")
    })?;
    let is_file = matches!(first.known.to_ascii_lowercase().as_str(), "-file" | "-version" | "-help") && first.exact;
    (!is_file).then(|| Escape::new(&first.known, Effect::Code))
}

/// Whatever it is given.
pub(in super::super) fn any(found: &Found<'_>) -> Option<Escape> {
    found.operands().next().map(|word| Escape::new(&word.known, Effect::Code))
}

/// `printf -v 'a[$(CMD)]'`, `unset 'a[$(CMD)]'`: the index of an array is evaluated.
pub(in super::super) fn subscript(found: &Found<'_>) -> Option<Escape> {
    let is_test = found.words.first().is_some_and(|word| matches!(word.known.as_str(), "test" | "["));
    if is_test && !found.words.iter().any(|word| matches!(word.known.as_str(), "-v" | "-R")) {
        return None;
    }
    found.operands().find_map(|word| {
        if !word.exact && word.known.is_empty() {
            return Some(Escape::unknown());
        }
        let name = word.known.split('=').next().unwrap_or_default();
        let evaluated = word.known.contains('[') && (word.known.contains("$(") || word.known.contains('`'));
        let unknown = !word.exact && name == word.known && word.known.contains('[');
        (evaluated || unknown).then(|| Escape::new(&word.known, Effect::Code))
    })
}

/// `read PATH`: a variable that is not the script's own changes what follows.
pub(in super::super) fn variables(found: &Found<'_>) -> Option<Escape> {
    let names = found.values(&["-a"]).chain(found.operands());
    let foreign = |word: &&Word| !word.exact || !(local::is_local(&word.known) || variable::is_safe(&word.known));
    // The first operand of `getopts` is a list of letters.
    let letters = usize::from(found.words.first().is_some_and(|word| word.known == "getopts"));
    let mut names = names.skip(letters);
    names.find(foreign).map(|word| Escape::new(&word.known, Effect::Changes))
}

/// `set -o keyword`: arguments are variables from then on.
pub(in super::super) fn keywords(found: &Found<'_>) -> Option<Escape> {
    let keyword = found.values(&["-o"]).any(|word| !word.exact || word.known == "keyword");
    keyword.then(|| Escape::new("-o keyword", Effect::Changes))
}
