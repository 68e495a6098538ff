//! Finds effects in arguments that are programs in a small language.

use super::{Effect, Escape, Found, goes_nowhere, sed, written};
use crate::shell::{Word, local};

/// The statements and commands of `sqlite3` that do not change the database.
const SQLITE_READS: [&str; 12] = [
    ".tables", ".schema", ".databases", ".indexes", ".indices", ".headers", ".mode", ".width", ".nullvalue", ".stats",
    ".timer", ".version",
];

/// The functions and statements of SQLite's shell that load code, or reach other files than the database.
const SQLITE_WORDS: [&str; 8] =
    ["load_extension", "readfile", "writefile", "edit", "fts3_tokenizer", "fsdir", "zipfile", "attach"];

/// Returns whether a text of SQL has a word with which SQLite's shell loads code, or reaches another file.
pub(in super::super) fn reaches_files(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let has = |name: &str| lower.split(|sign: char| !sign.is_alphanumeric() && sign != '_').any(|word| word == name);
    SQLITE_WORDS.into_iter().any(has) || has("vacuum") && has("into")
}

/// Returns the escape of a program that is not exact. One whose values are in the line is read with each of them
/// ([`super::unread`]).
fn unknown(program: &Word) -> Escape {
    if written(program).is_some() { Escape::unknown() } else { Escape::unknown_code() }
}

/// Checks `sed`: a program with `e` or `w` runs a command or writes a file.
pub(in super::super) fn sed(found: &Found<'_>) -> Option<Escape> {
    let mut programs: Vec<&Word> = found.values(&["-e", "--expression"]).collect();
    if !found.known.iter().any(|known| matches!(known.name.as_str(), "-e" | "--expression" | "-f" | "--file")) {
        programs.extend(found.nth(0));
        // In `sed -i '' PROGRAM` the first operand is the suffix of the backup on BSD, and the program elsewhere.
        if programs.first().is_some_and(|word| word.text() == Some("")) {
            programs.extend(found.operands().nth(1));
        }
    }
    if let Some(program) = programs.iter().find(|program| !program.exact) {
        return Some(unknown(program));
    }
    let program = programs.iter().map(|program| program.known.as_str()).collect::<Vec<_>>().join("\n");
    sed::acts(&program).map(|(command, effect)| Escape::new(command, effect))
}

/// Checks `awk`: a program with `system`, a pipe or a redirection.
pub(in super::super) fn awk(found: &Found<'_>) -> Option<Escape> {
    let is_given = found.known.iter().any(|known| ["-e", "--source", "-f", "--file"].contains(&known.name.as_str()));
    let operands = found.operands.iter().enumerate().filter(|(_, at)| **at >= found.named);
    // The first operand is the program, and the others are files, unless an option gives the program.
    let operands = operands.filter_map(|(index, at)| Some((found.words.get(*at)?, index == 0 && !is_given)));
    let mut programs = found.values(&["-e", "--source"]).map(|value| (value, true)).chain(operands);
    programs.find_map(|(program, is_program)| {
        if !program.exact {
            return Some(if is_program { unknown(program) } else { Escape::unknown() });
        }
        let text = program.known.replace("||", " ").replace(">=", " ");
        let code = without_texts(&text);
        let runs = code.as_ref().unwrap_or(&text);
        if runs.contains("system") || runs.contains(['|', '@']) {
            return Some(Escape::new(&program.known, Effect::Runs));
        }
        if ["getline", "ENVIRON", "ARGV", "SYMTAB", "FUNCTAB"].iter().any(|word| runs.contains(word)) {
            return Some(Escape::new(&program.known, Effect::Reads));
        }
        let writes = code.map_or_else(|| text.contains('>') && text.contains("print"), |code| redirects(&code));
        writes.then(|| Escape::new(&program.known, Effect::Writes))
    })
}

/// Returns a program of awk without the contents of its string literals. `None` if a regular expression or a comment
/// may contain a quote.
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

/// Returns whether a `>` may be a redirection: it is in an action, and not in parentheses, where it is a comparison,
/// unless a `print` stands before it there: `for (print > "x";;)`.
fn redirects(code: &str) -> bool {
    let (mut braces, mut parentheses, mut opened) = (0u32, 0u32, 0);
    code.char_indices().any(|(at, sign)| {
        match sign {
            '{' => braces += 1,
            '}' => braces = braces.saturating_sub(1),
            '(' => {
                if parentheses == 0 {
                    opened = at;
                }
                parentheses += 1;
            }
            ')' => parentheses = parentheses.saturating_sub(1),
            _ => {}
        }
        let prints = || code.get(opened..at).is_some_and(|text| text.replace("sprintf", "").contains("print"));
        sign == '>' && braces > 0 && (parentheses == 0 || prints())
    })
}

/// The words in a filter of `jq` and `yq` that read variables of the environment or files.
const FILTER_READS: [&str; 11] = [
    "env", "ENV", "import", "include", "load", "load_str", "load_xml", "load_props", "load_base64", "strenv",
    "envsubst",
];

/// Checks `jq` for a filter that reads something other than its input, such as `env`, and for one in a file.
pub(in super::super) fn filter(found: &Found<'_>) -> Option<Escape> {
    let mut unnamed = found.known.iter().filter(|known| known.at >= found.named);
    if let Some(file) = unnamed.find(|known| matches!(known.name.as_str(), "-f" | "--from-file")) {
        return Some(Escape::new(&file.name, Effect::Reads));
    }
    // An option that takes two values leaves the second one as an operand before the filter.
    let pairs = found.known.iter().any(|known| known.name.contains("arg") || known.name.ends_with("file"));
    let filters = match found.operands().next().map(|word| word.known.as_str()) {
        _ if pairs => usize::MAX,
        Some("e" | "eval" | "ea" | "eval-all") => 2,
        _ => 1,
    };
    found.operands().take(filters).find_map(reads_more)
}

/// Checks the filter of `gh pr view --jq env`.
pub(in super::super) fn shown(found: &Found<'_>) -> Option<Escape> {
    found.values(&["-q", "--jq"]).find_map(reads_more)
}

/// Returns an escape for a filter that reads something other than its input, or may.
fn reads_more(filter: &Word) -> Option<Escape> {
    if !filter.exact {
        return Some(Escape::unknown());
    }
    let is_name = |sign: char| sign.is_alphanumeric() || sign == '_';
    let mut before = "";
    // In a filter, `.env` is a key.
    let mut names = filter.known.split_inclusive(|sign| !is_name(sign)).map(|part| {
        let name = part.trim_end_matches(|sign| !is_name(sign));
        let is_key = before.ends_with('.');
        before = part;
        (name, is_key)
    });
    let reads = names.any(|(name, is_key)| !is_key && FILTER_READS.contains(&name));
    reads.then(|| Escape::new(&filter.known, Effect::Reads))
}

/// Checks `sqlite3 DB '.shell CMD'`, and `sqlite3 file:DB`, in which `%2e` is a dot.
pub(in super::super) fn sqlite(found: &Found<'_>) -> Option<Escape> {
    found.operand(Effect::Code, |word| {
        let text = word.known.trim_start().to_ascii_lowercase();
        let command = text.split_whitespace().next().unwrap_or_default();
        let runs = command.starts_with('.') && !command.contains('/') && !SQLITE_READS.contains(&command);
        runs || !word.exact || word.known.starts_with("file:") || reaches_files(&text)
    })
}

/// Checks `psql -c '\! CMD'`, `COPY ... PROGRAM` and `mysql -e 'system CMD'`.
pub(in super::super) fn psql(found: &Found<'_>) -> Option<Escape> {
    let values = found.values(&["-c", "--command", "-e", "--execute", "-v", "--variable", "--set", "--init-command"]);
    values.chain(found.operands()).find_map(|word| {
        let text = word.known.to_ascii_lowercase();
        let runs =
            text.contains('\\') || text.contains("program") || text.contains("system") || text.contains("outfile");
        (runs || !word.exact).then(|| Escape::new(&word.known, Effect::Code))
    })
}

/// Checks `python -m json.tool IN OUT`, which writes the second file.
pub(in super::super) fn module(found: &Found<'_>) -> Option<Escape> {
    let module = found.known.iter().rev().find(|known| known.name == "-m")?.value.as_ref()?;
    if module.text() != Some("json.tool") {
        return None;
    }
    // The options of the module are among its files.
    let from = *found.operands.first()?;
    let words = || (from..).zip(found.words.get(from..).unwrap_or_default());
    if words().any(|(at, word)| at >= found.named && !word.one) {
        return Some(Escape::unknown());
    }
    let is_option = |word: &Word| word.known.starts_with('-') && word.known != "-";
    let is_value = |at: usize| found.words.get(at - 1).is_some_and(|before| before.text() == Some("--indent"));
    let files: Vec<(usize, &Word)> = words().filter(|(at, word)| !is_option(word) && !is_value(*at)).collect();
    let &(at, output) = files.get(1)?;
    (at >= found.named && !goes_nowhere(Some(output))).then(|| Escape::new(&output.known, Effect::Writes))
}

/// Checks PowerShell: everything except a script file is code.
pub(in super::super) fn powershell(found: &Found<'_>) -> Option<Escape> {
    let first = found.operands().find(|word| {
        let flag = word.known.to_ascii_lowercase();
        !word.exact || !matches!(flag.as_str(), "-noprofile" | "-nologo" | "-noninteractive" | "-nop")
    })?;
    let is_file = matches!(first.known.to_ascii_lowercase().as_str(), "-file" | "-version" | "-help") && first.exact;
    (!is_file).then(|| Escape::new(&first.known, Effect::Code))
}

/// Reports an escape for any argument.
pub(in super::super) fn any(found: &Found<'_>) -> Option<Escape> {
    found.operand(Effect::Code, |_| true)
}

/// Checks `printf -v 'a[$(CMD)]'` and `unset 'a[$(CMD)]'`: the index of an array is evaluated. zsh evaluates what follows
/// `test -t` as well, unless it is a number.
pub(in super::super) fn subscript(found: &Found<'_>) -> Option<Escape> {
    let is_test = found.words.first().is_some_and(|word| matches!(word.known.as_str(), "test" | "["));
    let is_number = |word: &Word| word.text().is_some_and(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
    let is_evaluated = |pair: &[Word]| match pair {
        [operator, operand] if operator.known == "-t" => !is_number(operand),
        [operator, _] => matches!(operator.known.as_str(), "-v" | "-R"),
        _ => false,
    };
    if is_test && !found.words.windows(2).any(is_evaluated) {
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

/// The conversions of `printf` whose arguments are numbers. A width of `*` is one as well.
const NUMBERS: &str = "diouxXeEfFgGaA*";

/// Checks `printf FORMAT ARGUMENT`: `%n` sets the variable that the argument names, and `zsh` evaluates the argument of
/// `%d`, in which a name means the variable's value. It reads escapes first, so that the letter of `%\x64` is unknown
/// here.
pub(in super::super) fn printf(found: &Found<'_>) -> Option<Escape> {
    let format = found.words.get(*found.operands.first()?)?;
    let takes: Vec<char> = format.known.replace("%%", "").split('%').skip(1).flat_map(conversion).collect();
    let has = |signs: &str| takes.iter().any(|sign| signs.contains(*sign));
    let sets = has("n\\");
    let evaluates = sets || !format.exact || has("cC") || has(NUMBERS);
    // Otherwise it is not certain which argument is whose.
    let in_order = format.exact && !sets && !format.known.contains('$');
    let takes_number = |at: usize| match in_order {
        true => takes.get(at % takes.len().max(1)).is_some_and(|sign| NUMBERS.contains(*sign)),
        false => evaluates,
    };
    let is_code = |word: &Word| evaluates && (sets || !word.exact || word.known.contains(['[', '`', '$']));
    let arguments = found.words.get(found.operands.first()? + 1..)?;
    let mut arguments = arguments.iter().enumerate();
    let (_, word) = arguments.find(|(at, word)| is_code(word) || takes_number(*at) && !is_number(&word.known))?;
    Some(if word.exact { Escape::new(&word.known, Effect::Code) } else { Escape::unknown() })
}

/// Returns the letter of a conversion of `printf`, after the `%` and the number of its argument (`%1$d`), behind a `*`
/// for each width that takes an argument as well.
fn conversion(text: &str) -> Vec<char> {
    let is_flag = |sign: char| sign.is_ascii_digit() || "-+ #'.hlLjzt$".contains(sign);
    let end = text.find(|sign: char| sign != '*' && !is_flag(sign));
    let widths = text.get(..end.unwrap_or(text.len())).unwrap_or_default().chars().filter(|sign| *sign == '*');
    let letter = end.and_then(|end| text.get(end..)?.chars().next());
    widths.chain(letter).collect()
}

/// Returns whether a text is certainly a number, or the code of a character: `'a`.
fn is_number(text: &str) -> bool {
    let digits = text.trim_start_matches(['-', '+']);
    let is_plain = || digits.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'.');
    text.is_empty()
        || text.starts_with(['\'', '"'])
        || (digits.starts_with(|first: char| first.is_ascii_digit()) && is_plain())
}

/// Checks `read PATH`: a variable that does not belong to the script changes later commands, as `NODE_ENV` does
/// with a value that leads to another folder.
pub(in super::super) fn variables(found: &Found<'_>) -> Option<Escape> {
    let names = found.values(&["-a"]).chain(found.operands());
    let foreign = |word: &&Word| !word.exact || !local::is_local(&word.known);
    // The first operand of `getopts` is a list of letters.
    let letters = usize::from(found.words.first().is_some_and(|word| word.known == "getopts"));
    let mut names = names.skip(letters);
    names.find(foreign).map(|word| Escape::new(&word.known, Effect::Changes))
}

/// Checks `set -o keyword`, after which arguments of the form `NAME=value` are variables.
pub(in super::super) fn keywords(found: &Found<'_>) -> Option<Escape> {
    let keyword = found.values(&["-o"]).any(|word| !word.exact || word.known == "keyword");
    keyword.then(|| Escape::new("-o keyword", Effect::Changes))
}
