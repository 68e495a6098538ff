//! Finds secrets by their position in a format: `.netrc`, `.pgpass`, SQL, data source names, and tables of users.

use super::bytes::{memchr, memchr_iter};
use super::names::{self, Words, words};
use super::values::{is_made, is_of_sentence, is_placeholder, is_plain};
use super::{Secret, begins_word, run};

/// The number of bytes that are searched after a word.
const NEAR: usize = 256;

/// Settings in configuration files whose value follows a space, with nothing else on the line.
static SETTINGS: Words = words!(
    "password passphrase secret token requirepass masterauth bindpw rootpw auth-pass psk apikey api_key \
    authtoken auth_token secret_key access_key credentials pass"
);

pub(super) fn find(text: &str, secrets: &mut Vec<Secret>) {
    netrc(text, secrets);
    sql(text, secrets);
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let body = line.trim_end();
        secrets.extend(pgpass(body).map(|secret| start + secret.start..start + secret.end));
        secrets.extend(setting(body).map(|secret| start + secret.start..start + secret.end));
        start += line.len();
    }
    user_at_host(text, secrets);
    logins(text, secrets);
}

/// Finds X in `machine host login user password X`. Text in quotes, as in JSON, is searched separately (`layers`).
fn netrc(text: &str, secrets: &mut Vec<Secret>) {
    let has = |word: &str| text.contains(word);
    if !(has("machine") || has("default")) || !has("passw") {
        return;
    }
    let (mut inside, mut at) = (false, 0);
    let mut next = || {
        let start = run(text, at, |byte| byte.is_ascii_whitespace());
        at = run(text, start, |byte| !byte.is_ascii_whitespace());
        (start < at).then_some(start..at)
    };
    while let Some(word) = next() {
        match text.get(word).unwrap_or_default() {
            "machine" => inside = next().is_some(),
            "default" => inside = true,
            "login" | "account" if inside => drop(next()),
            "password" | "passwd" if inside => {
                secrets.extend(next().and_then(|value| netrc_password(text, value)));
            }
            _ => inside = false,
        }
    }
}

/// Returns the password in a word after `password`: the whole word, or the text in its quotes.
fn netrc_password(text: &str, word: Secret) -> Option<Secret> {
    let whole = text.get(word.clone())?;
    let quoted = whole.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    // `","` and `":"` separate two strings of JSON, the first of which ends in `password `.
    let quoted = quoted.filter(|inner| !inner.contains('"') && !matches!(*inner, "," | ":"));
    let (start, value) = match quoted {
        Some(inner) => (word.start + 1, inner),
        None => (word.start, whole.split('"').next()?),
    };
    // `\n` is the escape for a line end in a string.
    let value = value.split("\\n").next()?;
    let secret = !value.is_empty() && !is_of_sentence(value) && !is_placeholder(value);
    secret.then_some(start..start + value.len())
}

/// Finds X in `host:port:database:user:X`.
fn pgpass(line: &str) -> Option<Secret> {
    memchr_iter(b':', line.as_bytes()).nth(3)?;
    let mut fields = line.splitn(5, ':');
    let (host, port, database, user) = (fields.next()?, fields.next()?, fields.next()?, fields.next()?);
    let password = fields.next()?;
    let plain =
        |field: &str| !field.is_empty() && field.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-*/".contains(&b));
    let number = |field: &str| field.bytes().all(|byte| byte.is_ascii_digit());
    let shape =
        [host, port, database, user].into_iter().all(plain) && (port == "*" || (number(port) && port.len() <= 5));
    // `main.rs:3:7:error:x` is a position in a file.
    let secret = shape && !number(database) && !number(user) && !password.is_empty() && !password.contains(' ');
    secret.then_some(line.len() - password.len()..line.len())
}

/// Finds X in `requirepass X` on a line of its own.
fn setting(line: &str) -> Option<Secret> {
    let mut words = line.split_whitespace();
    let (name, mut value) = (words.next()?, words.next()?);
    if name == "AUTH" && matches!(value, "PLAIN" | "LOGIN" | "XOAUTH2" | "default") {
        value = words.next()?;
    }
    let known = name.len() <= 12 && SETTINGS.has(&name.to_ascii_lowercase());
    let surely = matches!(name, "requirepass" | "masterauth" | "rootpw" | "bindpw" | "PASS" | "AUTH");
    let secret = (known && is_made(value)) || surely;
    if !secret {
        return None;
    }
    let value = value.trim_matches(['"', '\'']);
    let start = line.rfind(value)?;
    let one = words.next().is_none() && !value.is_empty() && !is_placeholder(value) && !is_plain(value, false);
    one.then_some(start..start + value.len())
}

/// Finds strings after the SQL keywords that set a password.
fn sql(text: &str, secrets: &mut Vec<Secret>) {
    const WORDS: [&str; 6] = ["password", "passphrase", "crypt", "by", "credentials", "insert"];
    let may_begin = |byte: u8| matches!(byte | 0x20, b'p' | b'c' | b'b' | b'i');
    for (at, _) in text.bytes().enumerate().filter(|(_, byte)| may_begin(*byte)) {
        let Some(rest) = text.as_bytes().get(at..) else { continue };
        let is = |word: &str| rest.get(..word.len()).is_some_and(|it| it.eq_ignore_ascii_case(word.as_bytes()));
        if !WORDS.into_iter().any(is) || !begins_word(text, at) {
            continue;
        }
        let word = rest.iter().take(12).take_while(|byte| byte.is_ascii_alphabetic()).count();
        let Some(word) = text.get(at..at + word) else { continue };
        let end = at + word.len();
        match word.to_ascii_lowercase().as_str() {
            "password" | "passphrase" | "crypt" | "by" | "credentials" => {
                let start = run(text, end, |byte| matches!(byte, b' ' | b'\t' | b'(' | b'\n'));
                // `BY PASSWORD '...'` and `= '...'` count by themselves, `by 'x'` only after IDENTIFIED.
                let before = text.get(at.saturating_sub(80)..at).unwrap_or_default().to_ascii_lowercase();
                let identified = before.contains("identified") || before.contains("encrypted");
                if start > end && (!word.eq_ignore_ascii_case("by") || identified) {
                    secrets.extend(string(text, start));
                }
            }
            "insert" => drop(insert(text, at, secrets)),
            _ => {}
        }
    }
}

/// Returns the inside of a SQL string that starts here, which may contain `''` and `\'`.
fn string(text: &str, start: usize) -> Option<Secret> {
    let start = run(text, start, |byte| matches!(byte, b'N' | b'E' | b'\\'));
    let quote = *text.as_bytes().get(start)?;
    if !matches!(quote, b'\'' | b'"') {
        return None;
    }
    let mut at = start + 1;
    let limit = start + NEAR;
    loop {
        match (text.as_bytes().get(at)?, text.as_bytes().get(at + 1)) {
            (byte, Some(next)) if *byte == quote && *next == quote => at += 2,
            (byte, _) if *byte == quote => break,
            (b'\\', Some(next)) if *next != quote => at += 2,
            (b'\n', _) => return None,
            _ if at > limit => return None,
            _ => at += 1,
        }
    }
    let inside = text.get(start + 1..at)?;
    let secret = start + 1..start + 1 + inside.trim_end_matches('\\').len();
    let ended = inside.trim_start_matches([' ', ',', ')', ':', '=', '}', ']']).len() == inside.len();
    (ended && !is_placeholder(inside) && !secret.is_empty()).then_some(secret)
}

/// Finds X in `INSERT INTO t (name, password) VALUES ('a', 'X')`.
fn insert(text: &str, at: usize, secrets: &mut Vec<Secret>) -> Option<()> {
    const LONGEST: usize = 1024;
    let statement = text.get(at..text.floor_char_boundary(at + LONGEST))?;
    let statement = statement.split(';').next()?;
    let columns = statement.find('(')? + 1..statement.find(')')?;
    let secret: Vec<bool> = statement
        .get(columns.clone())?
        .split(',')
        .map(|column| names::is_secret(column.trim_matches([' ', '`', '"', '\\', '[', ']', '\n'])))
        .collect();
    let values = statement.get(columns.end..)?;
    let mut start = at + columns.end + values.to_ascii_lowercase().find("values")? + 6;
    if !secret.contains(&true) {
        return None;
    }
    let (mut column, limit) = (0, at + statement.len());
    while start < limit {
        match text.as_bytes().get(start)? {
            b'(' => column = 0,
            b',' => column += 1,
            b'\'' | b'"' => {
                let value = string(text, start)?;
                start = value.end;
                if secret.get(column) == Some(&true) {
                    secrets.push(value);
                }
            }
            _ => {}
        }
        start += 1;
    }
    Some(())
}

/// Finds the second of two strings in `login("user", "X")` and `auth=("user", "X")`.
fn logins(text: &str, secrets: &mut Vec<Secret>) {
    const CALLS: [&str; 9] =
        ["login", "auth", "authenticate", "credential", "credentials", "signin", "sign_in", "log_in", "set_password"];
    let string = |at: usize| {
        let quote = *text.as_bytes().get(at).filter(|byte| matches!(byte, b'"' | b'\''))?;
        let length =
            text.as_bytes().get(at + 1..)?.iter().take(NEAR).position(|byte| *byte == quote || *byte == b'\n')?;
        (text.as_bytes().get(at + 1 + length) == Some(&quote)).then_some(at + 1..at + 1 + length)
    };
    for at in memchr_iter(b'(', text.as_bytes()) {
        if !matches!(text.as_bytes().get(at + 1), Some(b'"' | b'\'')) {
            continue;
        }
        let name =
            text.get(at.saturating_sub(24)..at).unwrap_or_default().trim_end_matches([' ', '=']).to_ascii_lowercase();
        let Some(user) = CALLS.iter().any(|call| name.ends_with(call)).then(|| string(at + 1)).flatten() else {
            continue;
        };
        let comma = run(text, user.end + 1, |byte| byte == b' ');
        if text.as_bytes().get(comma) != Some(&b',') {
            continue;
        }
        let secret = string(run(text, comma + 1, |byte| byte.is_ascii_whitespace()));
        let value = |secret: &Secret| text.get(secret.clone()).unwrap_or_default();
        secrets.extend(secret.filter(|secret| !is_placeholder(value(secret)) && !is_plain(value(secret), false)));
    }
}

/// Finds X in `user:X@tcp(host)/db` and `user:X@host:3306/db`.
fn user_at_host(text: &str, secrets: &mut Vec<Secret>) {
    static NO_USERS: Words = words!("mailto xmpp sip sips acct npm jsr sha256 sha512 file image docker");
    let is_user = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'%');
    let (mut done, mut mark, bytes) = (0, 0, text.as_bytes());
    for colon in memchr_iter(b':', bytes) {
        if colon < done || bytes.get(colon + 1) == Some(&b'/') {
            continue;
        }
        // Most texts have no `@` nearby.
        if mark <= colon {
            let Some(next) = bytes.get(colon..).and_then(|rest| memchr(b'@', rest)) else { return };
            mark = colon + next;
        }
        if mark > colon + NEAR || !colon.checked_sub(1).and_then(|at| bytes.get(at)).is_some_and(|byte| is_user(*byte))
        {
            continue;
        }
        let is_password =
            |byte: u8| !byte.is_ascii_whitespace() && !matches!(byte, b'"' | b'\'' | b'<' | b'>' | b'`' | b',' | b'\\');
        let word = bytes.get(colon + 1..).unwrap_or_default();
        let word = word.iter().take(NEAR).take_while(|byte| is_password(**byte)).count();
        let Some(word) = text.get(colon + 1..colon + 1 + word) else { continue };
        let Some(length) = word.rfind('@').filter(|length| *length > 0) else { continue };
        let (password, host) = (word.get(..length).unwrap_or_default(), word.get(length + 1..).unwrap_or_default());
        let name = bytes.get(done..colon).unwrap_or_default().iter().rev().take_while(|byte| is_user(**byte)).count();
        let user = text.get(colon - name..colon).unwrap_or_default();
        let is_host = |host: &str| {
            let name = host.split([':', '/', '?', '(']).next().unwrap_or_default();
            let rest = host.get(name.len()..).unwrap_or_default();
            let port =
                rest.strip_prefix(':').is_some_and(|port| port.starts_with(|c: char| c.is_ascii_digit() || c == '/'));
            let number = name.split('.').all(|part| part.bytes().all(|byte| byte.is_ascii_digit()));
            let address = !number || name.split('.').count() == 4;
            let known = (matches!(name, "tcp" | "unix" | "udp" | "") && rest.starts_with('(')) || name == "localhost";
            let dotted = number && name.split('.').count() == 4;
            known || dotted || (!name.is_empty() && address && (port || (rest.starts_with('/') && name.contains('.'))))
        };
        if is_host(host)
            && !user.is_empty()
            && !NO_USERS.has(user)
            && !is_placeholder(password)
            && !password.contains("//")
            && password != "x-oauth-basic"
        {
            secrets.push(colon + 1..colon + 1 + length);
            done = colon + 1 + length;
        }
    }
}
