//! Finds values that are separate from their names: `{"name": "DB_PASSWORD", "value": "X"}`, the same in YAML, TOML and
//! XML, in any order; and values that are blocks, lists or objects.
//!
//! It parses `key: value`, `key = value`, `key="value"` and `<key>value</key>` without regard to the language. Pairs
//! form a group until a bracket, an item of a list, an enclosing element or an empty line.

use super::names::{self, Name, Words, words};
use super::values::{is_placeholder, is_plain, is_reference};
use super::words::Quotes;
use super::{Secret, run};

/// Keys of a pair that contains a name, without `_` and `-`. A key that ends with `name` or `key` counts as well.
static NAMES: Words = words!(
    "id field label variable var header option parameter param property attribute setting env title k n \
    identifier"
);

/// Keys of a pair that contains a value. A key that ends with `value` counts as well.
static VALUES: Words =
    words!("val v content contents data default text plaintext current string secret secretstring body");

/// First keys of an object that describes a value and contains none.
static SCHEMA: Words = words!("type $ref description title properties allof anyof oneof required format in");

pub(super) fn find(text: &str, secrets: &mut Vec<Secret>) {
    let mut reader =
        Reader { text, quotes: Quotes::default(), group: Vec::new(), key: None, last: None, depth: 0, secret: None };
    let mut at = 0;
    while let Some(next) = reader.step(at, secrets) {
        at = next;
    }
    reader.end_group(secrets);
    manifests(text, secrets);
}

struct Reader<'a> {
    text: &'a str,
    quotes: Quotes,
    /// The names and values of the group: whether each is a value, and its position.
    group: Vec<(bool, Secret)>,
    /// The key whose value comes next.
    key: Option<Secret>,
    /// The last word or quotation.
    last: Option<Secret>,
    depth: usize,
    /// The depth of the bracket that follows a secret key.
    secret: Option<usize>,
}

impl Reader<'_> {
    fn step(&mut self, at: usize, secrets: &mut Vec<Secret>) -> Option<usize> {
        let byte = *self.text.as_bytes().get(at)?;
        match byte {
            b'"' | b'\'' => {
                let Some(close) = self.quotes.close(self.text, at) else { return Some(at + 1) };
                self.quotation(at + 1..close, secrets);
                return Some(close + 1);
            }
            b':' | b'=' => {
                self.key = self.last.take();
                let start = run(self.text, at + 1, |byte| matches!(byte, b' ' | b'\t'));
                return Some(self.value(byte, start, secrets));
            }
            b'{' | b'[' => {
                let named = self.last.take().filter(|_| byte == b'{');
                self.open(at);
                self.end_group(secrets);
                // `variable "db_password" { default = ... }`
                self.group.extend(named.map(|name| (false, name)));
            }
            b'}' | b']' => {
                self.depth = self.depth.saturating_sub(1);
                self.secret = self.secret.filter(|depth| self.depth > *depth);
                self.end_group(secrets);
            }
            b'\n' => {
                let start = run(self.text, at + 1, |byte| matches!(byte, b' ' | b'\t' | b'\r'));
                if self.text.get(start..).is_some_and(|rest| rest.starts_with("- ") || rest.starts_with('\n')) {
                    self.end_group(secrets);
                }
                self.last = None;
                return Some(start.max(at + 1));
            }
            b'<' => return Some(self.element(at, secrets)),
            b'/' if self.text.as_bytes().get(at + 1) == Some(&b'>') => self.end_group(secrets),
            byte if is_name(byte) => {
                let end = run(self.text, at, is_name);
                self.last = Some(at..end);
                return Some(end);
            }
            b' ' | b'\t' | b'\r' => {}
            _ => {
                self.last = None;
                // Characters of several bytes are neither part of a name nor its end.
                return Some(run(self.text, at + 1, |byte| !byte.is_ascii()));
            }
        }
        Some(at + 1)
    }

    fn quotation(&mut self, inside: Secret, secrets: &mut Vec<Secret>) {
        let after = run(self.text, inside.end + 1, |byte| matches!(byte, b' ' | b'\t'));
        if self.text.as_bytes().get(after) == Some(&b':') && self.key.is_none() {
            self.last = Some(inside);
            return;
        }
        if self.secret.is_some() {
            secrets.extend(self.secret_value(&inside));
        }
        if let Some(key) = self.key.take() {
            self.pair(&key, inside);
        } else {
            self.last = Some(inside);
        }
    }

    /// Parses the value that starts here, unless it is a quotation or a bracket. Returns the index at which to
    /// continue.
    fn value(&mut self, separator: u8, start: usize, secrets: &mut Vec<Secret>) -> usize {
        let Some(key) = self.key.clone() else { return start };
        let name = self.text.get(key.clone()).unwrap_or_default();
        let is_secret = matches!(names::of(name), Some(Name::Secret | Name::Line));
        let says = says(name);
        if says.is_none() && !is_secret {
            self.key = None;
            return start;
        }
        let rest = self.text.get(start..).unwrap_or_default();
        match rest.bytes().next() {
            Some(b'"' | b'\'' | b'{' | b'[') => return start,
            Some(b'|' | b'>') if separator == b':' => {
                if let Some(block) = self.block(start) {
                    self.key = None;
                    let end = block.end;
                    if is_secret {
                        secrets.push(block);
                    } else {
                        self.group.push((says == Some(Says::Value), block));
                    }
                    return end;
                }
            }
            _ => {}
        }
        self.key = None;
        if says.is_none() {
            return start;
        }
        let ends = |c: char| match separator {
            b':' if self.depth == 0 => matches!(c, '\n' | '\r'),
            _ => c.is_whitespace() || matches!(c, ',' | ';' | '}' | ']' | '>' | ')'),
        };
        let line = rest.find(ends).unwrap_or(rest.len());
        let value = rest.get(..line).unwrap_or_default();
        let value = value.split(" #").next().unwrap_or_default().trim_end();
        self.pair(&key, start..start + value.len());
        start + value.len()
    }

    fn pair(&mut self, key: &Secret, value: Secret) {
        let name = self.text.get(key.clone()).unwrap_or_default();
        self.group.extend(says(name).map(|says| (says == Says::Value, value)));
    }

    /// Handles a bracket, which may begin the value of a secret key.
    fn open(&mut self, at: usize) {
        let key = self.key.take().and_then(|key| self.text.get(key));
        let is_secret =
            key.is_some_and(|key| matches!(names::of(key), Some(Name::Secret | Name::Line | Name::Authorization)));
        if is_secret && self.secret.is_none() {
            let start = run(self.text, at + 1, |byte| byte.is_ascii_whitespace());
            let end = run(self.text, start + 1, |byte| byte.is_ascii_alphabetic() || byte == b'$');
            let quoted = self.text.as_bytes().get(start) == Some(&b'"');
            let first = self.text.get(start + 1..end.min(start + 16)).unwrap_or_default();
            if quoted && !SCHEMA.has(&first.to_ascii_lowercase()) {
                self.secret = Some(self.depth);
            }
        }
        self.depth += 1;
    }

    /// Returns the lines of the YAML block that this `|` or `>` begins: those that are indented deeper than its own
    /// line.
    fn block(&self, mark: usize) -> Option<Secret> {
        let line_start = self.text.get(..mark)?.rfind('\n').map_or(0, |at| at + 1);
        let indent = run(self.text, line_start, |byte| matches!(byte, b' ' | b'-')) - line_start;
        let first = run(self.text, mark, |byte| matches!(byte, b'|' | b'>' | b'-' | b'+' | b' ' | b'\r' | b'0'..=b'9'));
        if self.text.as_bytes().get(first) != Some(&b'\n') {
            return None;
        }
        let (mut at, mut end) = (first + 1, first + 1);
        for line in self.text.get(first + 1..)?.split_inclusive('\n') {
            let body = line.trim();
            let depth = line.len() - line.trim_start().len();
            if !body.is_empty() && depth <= indent {
                break;
            }
            at += line.len();
            if !body.is_empty() {
                end = at - (line.len() - line.trim_end().len());
            }
        }
        let start = run(self.text, first + 1, |byte| byte.is_ascii_whitespace());
        (start < end).then_some(start..end)
    }

    /// Parses the text of an XML element, which may be a value: `<key>value</key>`, `<entry key="name">value</entry>`.
    fn element(&mut self, at: usize, secrets: &mut Vec<Secret>) -> usize {
        const LONGEST: usize = 256;
        let name = at + 1..run(self.text, at + 1, |byte| is_name(byte) || byte == b':');
        let rest = self.text.get(name.end..).unwrap_or_default();
        let tag = rest.bytes().take(LONGEST).position(|byte| matches!(byte, b'>' | b'<'));
        let Some(length) = tag.filter(|length| !name.is_empty() && rest.as_bytes().get(*length) == Some(&b'>')) else {
            return at + 1;
        };
        let attributes = rest.get(..length).unwrap_or_default();
        let mut start = name.end + length + 1;
        if self.text.get(start..).is_some_and(|rest| rest.starts_with("<![CDATA[")) {
            start += 9;
        }
        let rest = self.text.get(start..).unwrap_or_default();
        let end = start + rest.bytes().take(LONGEST * 16).take_while(|byte| *byte != b'<').count();
        let inside = self.text.get(start..end).unwrap_or_default();
        let has_text = !inside.trim().is_empty() && self.text.as_bytes().get(end) == Some(&b'<');
        let full_name = self.text.get(name.clone()).unwrap_or_default();
        let local = full_name.rsplit(':').next().unwrap_or_default();
        if !has_text {
            self.end_group(secrets);
            // Its attributes are parsed as pairs.
            return name.end;
        }
        let value = start + (inside.len() - inside.trim_start().len())..start + inside.trim_end().len();
        if matches!(names::of(local), Some(Name::Secret | Name::Line)) || (local.eq_ignore_ascii_case("pass")) {
            secrets.extend(self.secret_value(&value));
        } else if attributes.trim().is_empty() {
            let key = name.end - local.len()..name.end;
            self.pair(&key, value);
        } else if attribute_name(attributes).is_some_and(names::is_secret) {
            secrets.extend(self.secret_value(&value));
        }
        if attributes.trim().is_empty() { end } else { name.end }
    }

    fn secret_value(&self, value: &Secret) -> Option<Secret> {
        let text = self.text.get(value.clone())?;
        (!is_reference(text) && !is_plain(text, false) && !is_placeholder(text)).then(|| value.clone())
    }

    /// Masks the values in the group of a secret's name: the one after it, or else the one before it.
    fn end_group(&mut self, secrets: &mut Vec<Secret>) {
        let group = std::mem::take(&mut self.group);
        let mut free = None;
        let mut named: Option<bool> = None;
        for (is_value, range) in group {
            if is_value {
                match named.take() {
                    Some(true) => secrets.extend(self.secret_value(&range)),
                    Some(false) => {}
                    None => free = Some(range),
                }
                continue;
            }
            let is_secret = self.text.get(range).is_some_and(names::is_secret);
            match free.take() {
                Some(value) if is_secret => secrets.extend(self.secret_value(&value)),
                Some(_) => {}
                None => named = Some(is_secret || named == Some(true)),
            }
        }
    }
}

/// Masks the values in a Secret of Kubernetes.
fn manifests(text: &str, secrets: &mut Vec<Secret>) {
    if !text.contains("kind: Secret") {
        return;
    }
    let mut start = 0;
    for document in text.split_inclusive("\n---") {
        if document.lines().any(|line| line.trim_end() == "kind: Secret") {
            let (mut at, mut inside) = (start, false);
            for line in document.split_inclusive('\n') {
                let body = line.trim_end();
                let indented = body.trim_start().len() < body.len();
                inside = if indented { inside } else { matches!(body, "data:" | "stringData:") };
                if indented
                    && inside
                    && let Some((key, value)) = body.split_once(": ")
                {
                    let value = value.trim_matches([' ', '"', '\'']);
                    let from = key.len() + body.get(key.len()..).and_then(|rest| rest.find(value)).unwrap_or(0);
                    if !value.is_empty() && !value.starts_with(['|', '>', '{', '$']) {
                        secrets.push(at + from..at + from + value.len());
                    }
                } else if indented && inside && !body.ends_with([':', '|', '>', '-']) {
                    secrets.push(at + (body.len() - body.trim_start().len())..at + body.len());
                }
                at += line.len();
            }
        }
        start += document.len();
    }
}

/// Returns the value of the attribute that names an element.
fn attribute_name(attributes: &str) -> Option<&str> {
    let (_, value) = attributes
        .split_once("name=")
        .or_else(|| attributes.split_once("key="))
        .or_else(|| attributes.split_once("id="))?;
    let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    value.get(1..)?.split(quote).next()
}

/// The meaning of a key for its value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Says {
    /// The value is the name of another value.
    Name,
    /// The value belongs to another name.
    Value,
}

fn says(key: &str) -> Option<Says> {
    let key = if key.len() > 64 { "" } else { key };
    let is_letter = |c: &char| !matches!(c, '_' | '-' | '@');
    let key: String = key.chars().filter(is_letter).map(|c| c.to_ascii_lowercase()).collect();
    if key.ends_with("name") || key.ends_with("key") || NAMES.has(&key) {
        return Some(Says::Name);
    }
    (key.ends_with("value") || VALUES.has(&key)).then_some(Says::Value)
}

fn is_name(byte: u8) -> bool {
    matches!(byte, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-' | b'.' | b'$' | b'@')
}
