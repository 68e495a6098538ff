//! Decides whether a value after a secret name is a secret.

use super::names::{Words, is_key, words};

/// Placeholders for secrets, and words that continue a sentence after a colon.
static PLAIN: Words = words!(
    "null none nil true false undefined empty n/a this that these there please never always should \
    must when where what your with they don't rotate remove required missing string str bytes number boolean bool \
    option optional yes no inherit"
);

/// Words that continue a sentence after the name of an option, and are not used as passwords.
static SENTENCE: Words = words!(
    "a an the this that these those it its i you he she we they my your our their is are was were be \
    been am do does did has have had can could will would shall should may might must and or but nor so yet if then \
    else when while where which who whose what why how because since until unless though although as at by for from in \
    into of off on onto out over to toward under up upon with within without about above across after against along \
    among around before behind below beneath beside between beyond during except inside near outside per than through \
    throughout via not no also just only instead too very here there now again once option options flag flags argument \
    arguments parameter parameters switch switches takes take requires require expects expect prompts prompt needs need \
    sets set reads read works work means specifies specify accepts accept defaults gets get being isn't aren't doesn't \
    don't won't can't shouldn't please like e.g. i.e. etc etc. e.g i.e"
);

/// Roots of expressions that read a value from elsewhere: `process.env.TOKEN`.
const ELSEWHERE: [&str; 14] = [
    "process.env", "os.environ", "os.getenv", "os.Getenv", "getenv(", "env.", "ENV[", "config.", "self.", "this.",
    "secrets.", "var.", "args.", "$env:",
];

/// The number of bytes of a value that are searched for letters and digits.
const START: usize = 64;

/// Removes punctuation and closing brackets at the end of a value: at most eight characters.
pub(super) fn without_punctuation(value: &str) -> &str {
    const MARKS: [char; 12] = ['.', ',', ';', ':', '!', '?', ')', ']', '}', '。', '、', '，'];
    (0..8).fold(value, |value, _| value.strip_suffix(MARKS).unwrap_or(value))
}

/// Returns whether the value only names the place of the secret.
pub(super) fn is_reference(value: &str) -> bool {
    let variable = |name: &str| name.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_');
    match value.strip_prefix('$') {
        Some(rest) => rest.starts_with(['{', '(']) || variable(rest) || value.starts_with("$env:"),
        None => {
            value.starts_with(['{', '<', '[', '('])
                || value.starts_with("https://")
                || value.starts_with("http://")
                || ELSEWHERE.iter().any(|root| value.starts_with(root))
        }
    }
}

/// Returns whether it is a call without arguments or a path of Rust: `lexer.next()`, `Token::Eof`.
pub(super) fn is_call(value: &str) -> bool {
    let name = value.trim_end_matches(';');
    let called =
        name.len() < START && (name.ends_with("()") || name.contains("::") && name.starts_with(char::is_uppercase));
    let path = name.strip_suffix("()").unwrap_or(name);
    called && path.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.:".contains(&byte))
}

/// Returns whether the argument of an option only names the place of the secret: `$pass`, `{{ token }}`, `PASSWORD`.
pub(super) fn is_placeholder(value: &str) -> bool {
    let name = |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let capital = value.bytes().all(|byte| byte.is_ascii_uppercase() || matches!(byte, b'_' | b'-'));
    value == "$"
        || value.strip_prefix('$').is_some_and(|rest| name(rest) && !rest.starts_with(|c: char| c.is_ascii_digit()))
        || value.starts_with("${")
        || value.starts_with("$(")
        || value.starts_with("{{")
        || (value.starts_with('{') && value.ends_with('}') && !value.contains([':', ',']))
        || (value.starts_with('<') && value.ends_with('>'))
        || (value.len() > 4 && value.starts_with('%') && value.ends_with('%'))
        || (capital && value.len() > 2 && is_key(value))
}

/// Returns whether the value is a word of a sentence, or says that there is none.
pub(super) fn is_plain(value: &str, spaced: bool) -> bool {
    let short = value.len() <= 3 && value.bytes().all(|byte| byte.is_ascii_lowercase());
    value.chars().all(|c| !c.is_ascii() && c.is_alphabetic())
        || (value.len() < 16 && PLAIN.has(&value.to_ascii_lowercase()))
        || (spaced && short)
}

/// Returns whether this word continues a sentence.
pub(super) fn is_of_sentence(word: &str) -> bool {
    SENTENCE.has(without_punctuation(word)) || is_plain(without_punctuation(word), false)
}

/// Returns whether the value cannot be an ordinary word: six or more characters with a letter and a digit.
pub(super) fn is_made(value: &str) -> bool {
    let start = || value.bytes().take(START);
    value.len() >= 6 && start().any(|byte| byte.is_ascii_digit()) && start().any(|byte| byte.is_ascii_alphabetic())
}

/// Returns whether it is the path of a file.
pub(super) fn is_path(value: &str) -> bool {
    let file = |end: &str| value.ends_with(end);
    value.starts_with(['/', '~', '.'])
        || value.starts_with("file:")
        || value.starts_with('@')
        || [".json", ".pem", ".key", ".txt", ".yml", ".yaml", ".toml", ".p12", ".pfx", ".env", ".crt", ".jks", ".ini"]
            .into_iter()
            .any(file)
}
