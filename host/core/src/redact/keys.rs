//! Values that their name calls secret.
//!
//! ```text
//! pair     = name [quote] spaces ("=" | ":" | "==" | ":=" | "=>") spaces [scheme] value
//! sentence = name (" is " | "는 " | "은 " | "이 " | "가 ") made
//! flag     = "--" name " " made
//! bearer   = "Bearer " made
//! name     = any words whose end, without spaces and `_-.`, is in SUFFIXES, or whose last word is in WORDS
//! scheme   = "Bearer " | "Basic " | ...
//! value    = quoted text | text without spaces
//! made     = a value of six or more characters with a letter and a digit
//! ```

use super::{Secret, run};

/// What the name of a secret ends with, lower case, without separators.
const SUFFIXES: &str = "token secret password passwd passcode passwort apikey accesskey accesskeyid secretkey \
    privatekey signingkey encryptionkey authkey sharedkey accountkey masterkey sessionkey sessionid credential \
    credentials authorization 비밀번호 비번 암호 패스워드 토큰 시크릿 비밀키 개인키 인증키 액세스키 api키 密码 密碼 \
    口令 令牌 密钥 パスワード トークン 秘密鍵";

/// Short names that say nothing as the end of a longer word (`bypass`), and little by themselves (`pass: 12`).
const WORDS: &str = "pass pw pwd auth otp jwt sig";

/// Names whose value goes on to the end of the line.
const LINES: &str = "cookie passphrase seedphrase recoveryphrase mnemonic";

const SCHEMES: &str = "bearer basic digest token bot apikey negotiate";

/// What is written in place of a secret, and what a sentence goes on with after a colon.
const PLAIN: &str = "null none nil true false undefined empty n/a this that these there please never always should \
    must when where what your with they don't rotate remove required missing string str bytes number boolean bool \
    option optional";

/// Bytes before a separator that are looked at for a name.
const NAME: usize = 64;

#[derive(Clone, Copy)]
enum Name {
    /// Its value is a secret.
    Secret,
    /// Its value is a secret if it is given with `=` or looks made.
    Perhaps,
    /// The rest of the line is a secret.
    Line,
}

#[derive(Clone, Copy)]
enum Given {
    /// After `=`.
    Assigned,
    /// After `:`.
    Said,
    /// After a word or a flag.
    Told,
}

pub(super) fn find(text: &str, secrets: &mut Vec<Secret>) {
    let mut values = Values { text, ends: Vec::new() };
    for (at, separator) in text.char_indices() {
        let (given, name_end) = match separator {
            '=' | '＝' => (Given::Assigned, Some(at)),
            // `Token::new` gives nothing.
            ':' if text.get(..at).is_some_and(|before| before.ends_with(':')) => continue,
            ':' if text.get(at + 1..).is_some_and(|after| after.starts_with(':')) => continue,
            ':' | '：' => (Given::Said, Some(at)),
            ' ' => (Given::Told, told(text, at)),
            _ => continue,
        };
        if let Some(name) = name_end.and_then(|end| name(text, end)) {
            secrets.extend(values.value(at + separator.len_utf8(), name, given));
        }
    }
}

/// Where the name ends when the words before this space can announce a value.
fn told(text: &str, space: usize) -> Option<usize> {
    let before = text.get(..space)?;
    for particle in [" is", "는", "은", "이", "가"] {
        if let Some(name) = before.strip_suffix(particle) {
            return Some(name.len());
        }
    }
    let word = before.rsplit(char::is_whitespace).next()?;
    (word.starts_with("--") || word.eq_ignore_ascii_case("bearer")).then_some(space)
}

/// What the name that ends there calls its value.
fn name(text: &str, end: usize) -> Option<Name> {
    let mut start = end.saturating_sub(NAME);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    let name = text.get(start..end)?.trim_end_matches([' ', '\t', '"', '\'', '`', '\\', '*', ']']);
    let joined: String = name.chars().filter(|c| !matches!(c, '_' | '-' | '.' | ' ')).collect();
    let joined = joined.to_lowercase();
    let word = name.rsplit(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default().to_ascii_lowercase();
    if LINES.split(' ').any(|line| joined.ends_with(line)) {
        Some(Name::Line)
    } else if SUFFIXES.split(' ').any(|suffix| joined.ends_with(suffix)) || word == "bearer" {
        Some(Name::Secret)
    } else {
        WORDS.split(' ').any(|known| known == word).then_some(Name::Perhaps)
    }
}

/// What ends a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stop {
    Quote(char),
    Line,
    Assigned,
    Said,
}

impl Stop {
    fn is(self, character: char) -> bool {
        match self {
            Self::Quote(quote) => matches!(character, '\n' | '\r') || character == quote,
            Self::Line => matches!(character, '\n' | '\r'),
            Self::Assigned => character == '&' || Self::Said.is(character),
            Self::Said => character.is_whitespace() || matches!(character, '"' | '\'' | '`' | '<' | '>'),
        }
    }
}

struct Values<'a> {
    text: &'a str,
    /// The last end that was found for each stop, and from where: values that begin in between have the same one, so
    /// that names within values (`token=token=token=...`) do not make the search slow.
    ends: Vec<(Stop, Secret)>,
}

impl Values<'_> {
    /// The value that starts there, if it is a secret.
    fn value(&mut self, start: usize, name: Name, given: Given) -> Option<Secret> {
        let separated = run(self.text, start, |byte| matches!(byte, b'=' | b'>'));
        let mut start = run(self.text, separated, is_blank);
        let mut spaced = start > separated;
        let scheme = run(self.text, start, |byte| byte.is_ascii_alphabetic());
        let after_scheme = run(self.text, scheme, is_blank);
        if after_scheme > scheme && SCHEMES.split(' ').any(|known| self.is(start..scheme, known)) {
            start = after_scheme;
            spaced = false;
        }
        if let Some(quoted) = self.quoted(start) {
            let value = self.text.get(quoted.clone())?;
            return (!is_reference(value) && !is_plain(value, false)).then_some(quoted);
        }
        let end = match (name, given) {
            (Name::Line, Given::Assigned | Given::Said) => return Some(start..self.end(Stop::Line, start)),
            (_, Given::Assigned) => self.end(Stop::Assigned, start),
            (_, Given::Said | Given::Told) => self.end(Stop::Said, start),
        };
        let value = without_punctuation(self.text.get(start..end)?);
        let secret = match (name, given) {
            (_, Given::Told) | (Name::Perhaps, Given::Said) => is_made(value),
            // `PWD=/home/user` is no password.
            (Name::Perhaps, Given::Assigned) => !value.starts_with(['/', '~']),
            _ => true,
        };
        (secret && !is_reference(value) && !is_plain(value, spaced)).then_some(start..start + value.len())
    }

    /// The inside of a quotation that starts there, up to the end of the line where it is not closed.
    fn quoted(&mut self, start: usize) -> Option<Secret> {
        let start = run(self.text, start, |byte| byte == b'\\');
        let quote = self.text.get(start..)?.chars().next()?;
        let close = match quote {
            '"' | '\'' | '`' => quote,
            '“' => '”',
            '‘' => '’',
            '「' => '」',
            _ => return None,
        };
        let start = start + quote.len_utf8();
        let end = self.end(Stop::Quote(close), start);
        let inside = self.text.get(start..end)?;
        // In quoted JSON the closing quote is escaped.
        Some(start..start + inside.strip_suffix('\\').unwrap_or(inside).len())
    }

    fn end(&mut self, stop: Stop, start: usize) -> usize {
        let known = self.ends.iter().position(|(known, _)| *known == stop);
        if let Some((_, seen)) = known.and_then(|known| self.ends.get(known))
            && (seen.start..=seen.end).contains(&start)
        {
            return seen.end;
        }
        let rest = self.text.get(start..).unwrap_or_default();
        let end = start + rest.find(|character| stop.is(character)).unwrap_or(rest.len());
        known.map(|known| self.ends.swap_remove(known));
        self.ends.push((stop, start..end));
        end
    }

    fn is(&self, range: Secret, word: &str) -> bool {
        self.text.get(range).is_some_and(|text| text.eq_ignore_ascii_case(word))
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// Without what ends a sentence or closes a bracket: at most eight of it.
fn without_punctuation(value: &str) -> &str {
    const MARKS: [char; 12] = ['.', ',', ';', ':', '!', '?', ')', ']', '}', '。', '、', '，'];
    (0..8).fold(value, |value, _| value.strip_suffix(MARKS).unwrap_or(value))
}

/// Whether the value only names where the secret is.
fn is_reference(value: &str) -> bool {
    let variable = |name: &str| name.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_');
    match value.strip_prefix('$') {
        Some(rest) => rest.starts_with(['{', '(']) || variable(rest),
        None => {
            value.starts_with(['{', '<', '[', '(']) || value.starts_with("https://") || value.starts_with("http://")
        }
    }
}

/// Whether the value is a word of a sentence, or says that there is none.
fn is_plain(value: &str, spaced: bool) -> bool {
    let short = value.len() <= 3 && value.bytes().all(|byte| byte.is_ascii_lowercase());
    value.chars().all(|c| !c.is_ascii() && c.is_alphabetic())
        || PLAIN.split(' ').any(|plain| value.eq_ignore_ascii_case(plain))
        || (spaced && short)
}

fn is_made(value: &str) -> bool {
    let start = || value.bytes().take(NAME);
    value.len() >= 6 && start().any(|byte| byte.is_ascii_digit()) && start().any(|byte| byte.is_ascii_alphabetic())
}
