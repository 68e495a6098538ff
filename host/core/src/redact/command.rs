//! Finds secrets in the arguments of known programs (`programs.rs`), and in the values of options of any program whose
//! name marks a secret.
//!
//! A command is a list of words, from a line of a shell, from string literals or from a list in YAML. If a sentence
//! mentions a program, words that continue the sentence stay: `docker login -p is not safe`.

use super::bytes::{memchr2, memrchr2};
use super::names::{self, Name, Words, words};
use super::programs::{Flag, Kind, Place, Positional, Program, known};
use super::values::{is_made, is_of_sentence, is_path, is_placeholder, is_plain, is_reference, without_punctuation};
use super::words::{Token, Word, items, literals, shell};
use super::{Secret, keys};

/// The maximum number of lines of the table that apply at once: `docker login -u mysql -p X` names two programs.
const ACTIVE: usize = 16;

/// Words after which a name and its value follow: `npm config set //host/:_authToken X`.
static VERBS: Words = words!("set config setenv setx put add export store update ENV -x -gx -Ux -xg");

/// Programs that start the program after them.
static WRAPPERS: Words =
    words!("sudo doas env time nohup exec xargs command nice ionice timeout watch stdbuf then do else $ % &");

/// Programs to which the lines for any program do not apply, because a word such as `login` may be the name of a host.
static HOSTS: Words = words!("ssh scp sftp telnet rsync mosh ping");

pub(super) fn find(text: &str, secrets: &mut Vec<Secret>) {
    commands(text, &shell(text), secrets);
    if memchr2(b'"', b'\'', text.as_bytes()).is_some() {
        commands(text, &literals(text), secrets);
    }
    if text.contains("- ") {
        commands(text, &items(text), secrets);
    }
}

#[derive(Default)]
struct Command<'a> {
    words: Vec<&'a Word<'a>>,
    here: Option<&'a Word<'a>>,
    lines: Option<Secret>,
}

fn commands(text: &str, tokens: &[Token], secrets: &mut Vec<Secret>) {
    let mut before = Command::default();
    let mut command = Command::default();
    let mut piped = false;
    let mut tokens = tokens.iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            Token::Word(word) => command.words.push(word),
            Token::Redirect => drop(tokens.next_if(|next| matches!(next, Token::Word(_)))),
            Token::Here => {
                if let Some(Token::Word(word)) = tokens.next_if(|next| matches!(next, Token::Word(_))) {
                    command.here = Some(word);
                }
            }
            Token::Pipe | Token::Break => {
                // The lines of a here document come after the line of its command.
                if let Some(Token::Lines(lines)) = tokens.peek() {
                    command.lines = Some(lines.clone());
                }
                if let Some(kind) = Reader::new(text, &command.words, secrets).read() {
                    mask_input(text, kind, &command, piped.then_some(&before), secrets);
                }
                before = std::mem::take(&mut command);
                piped = matches!(token, Token::Pipe);
            }
            Token::Lines(_) => {}
        }
    }
}

/// Masks the input of a command that reads a secret.
fn mask_input(text: &str, kind: Kind, command: &Command, before: Option<&Command>, secrets: &mut Vec<Secret>) {
    if let Some(word) = command.here {
        mask_value(text, word, 0, kind, true, secrets);
    }
    if let Some(lines) = &command.lines {
        let mut start = lines.start;
        for line in text.get(lines.clone()).unwrap_or_default().split_inclusive('\n') {
            let end = start + line.trim_end().len();
            let from = match kind {
                Kind::After(mark) => line.find(mark).map_or(end, |at| start + at + mark.len_utf8()),
                _ => start,
            };
            secrets.push(from..end);
            start += line.len();
        }
    }
    let Some((program, words)) = before.and_then(|before| before.words.split_first()) else { return };
    if matches!(base_name(&program.text), "echo" | "printf" | "print" | "Write-Output") {
        // The format in `printf '%s' X` is not a secret.
        for word in words.iter().filter(|word| !word.text.starts_with('-') && !word.text.starts_with('%')) {
            mask_value(text, word, 0, kind, true, secrets);
        }
    }
}

/// A program whose arguments are parsed.
struct Active {
    program: &'static Program,
    /// The number of its subcommands that were parsed.
    subcommands: usize,
    arguments: usize,
    last: Option<usize>,
    /// Whether it is at the beginning of a command.
    leads: bool,
}

struct Reader<'a> {
    text: &'a str,
    words: &'a [&'a Word<'a>],
    secrets: &'a mut Vec<Secret>,
    active: Vec<Active>,
    /// Whether a word that sets a value was parsed.
    sets: bool,
    /// Whether only assignments and wrappers were parsed.
    leads: bool,
    input: Option<Kind>,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str, words: &'a [&'a Word<'a>], secrets: &'a mut Vec<Secret>) -> Self {
        Self { text, words, secrets, active: Vec::new(), sets: false, leads: true, input: None }
    }

    /// Masks the arguments, and returns the kind of the secret that the command reads.
    fn read(mut self) -> Option<Kind> {
        let mut at = 0;
        while let Some(word) = self.words.get(at).copied() {
            let value = self.words.get(at + 1).copied().filter(|next| next.follows);
            at += if self.known_option(word, value) || self.named_option(word, value) || self.named_value(word, value) {
                2
            } else {
                self.argument(at, word);
                1
            };
        }
        self.finish();
        self.input
    }

    /// Parses an option of a known program. Returns whether the next word is its value.
    fn known_option(&mut self, word: &Word, value: Option<&Word>) -> bool {
        for active in self.active.iter().filter(|active| active.is_complete()) {
            for flag in &active.program.flags {
                let Some((separate, start)) = argument_of(&word.text, flag, active.program.switches) else { continue };
                if !separate {
                    mask_value(self.text, word, start, flag.kind, active.leads, self.secrets);
                    return false;
                }
                let Some(value) = value.filter(|value| !is_option(&value.text)) else { continue };
                mask_value(self.text, value, 0, flag.kind, active.leads, self.secrets);
                return true;
            }
        }
        false
    }

    /// Parses an option of any program whose name says that its value is a secret.
    fn named_option(&mut self, word: &Word, value: Option<&Word>) -> bool {
        let Some(name) = word.text.strip_prefix('-').map(|name| name.strip_prefix('-').unwrap_or(name)) else {
            return false;
        };
        if names::is_stdin_option(name) {
            self.input = Some(Kind::Whole);
            return false;
        }
        let (name, given) = name.split_once('=').map_or((name, false), |(name, _)| (name, true));
        if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.')) {
            return false;
        }
        let Some(kind) = names::option(name) else { return false };
        let (word, start) = match value {
            _ if given => (word, word.text.find('=').map_or(0, |at| at + 1)),
            Some(value) if !is_option(&value.text) => (value, 0),
            _ => return false,
        };
        let text = word.text.get(start..).unwrap_or_default();
        let plain = is_plain(text, false) || (!given && is_of_sentence(text));
        let secret = match kind {
            Name::Digits => is_code(text),
            Name::Perhaps if text.contains(':') => {
                mask_value(self.text, word, start, Kind::After(':'), false, self.secrets);
                return !given;
            }
            Name::Perhaps => {
                !is_path(text) && (name.contains("pass") || name.contains("pw") || is_made(text) || is_code(text))
            }
            Name::Made => is_made(text),
            Name::Secret | Name::Line | Name::Authorization => {
                !text.starts_with(['/', '~', '.']) || !text.contains('.')
            }
        };
        if secret && !plain && !is_reference(text) {
            mask_value(self.text, word, start, Kind::Whole, true, self.secrets);
        }
        !given
    }

    /// Masks X in `set NAME X`, if the name marks a secret.
    fn named_value(&mut self, word: &Word, value: Option<&Word>) -> bool {
        // `["DB_PASSWORD", "DB_USER"]` is a list of names.
        let sets = self.sets || (word.called && (!word.listed || names::is_header(&word.text)));
        self.sets |= VERBS.has(&word.text) || word.text.ends_with(":set");
        let Some(value) = value.filter(|value| sets && !is_option(&value.text)) else { return false };
        let is_verb = ["set-", "get-", "create-", "delete-", "list-"].iter().any(|verb| word.text.starts_with(verb));
        if is_verb || (word.called && names::is_key(&value.text)) {
            return false;
        }
        // The path in `put secret/path key=X` is not the name of a value.
        if word.text.contains('=')
            || value.text.contains('=')
            || !(names::is_key(&word.text) || (word.called && names::is_header(&word.text)))
            || is_of_sentence(&value.text)
        {
            return false;
        }
        mask_value(self.text, value, 0, Kind::Whole, true, self.secrets);
        true
    }

    /// Parses a word that is not an option: it may be a program, a subcommand or an argument.
    fn argument(&mut self, at: usize, word: &Word) {
        let dashed = (word.text.len() > 1 && word.text.starts_with('-'))
            || (word.text.starts_with('/') && word.text.contains(':'));
        for active in &mut self.active {
            match active.program.subcommands.get(active.subcommands) {
                Some(subcommand) => active.subcommands += usize::from(word.text == *subcommand),
                None if !dashed => {
                    active.arguments += 1;
                    active.last = Some(at);
                    let is_here = |place: &Positional| match place.place {
                        Place::At(number) => number == active.arguments,
                        Place::All => true,
                        Place::Last | Place::Input => false,
                    };
                    for place in active.program.positionals.iter().filter(|place| active.leads && is_here(place)) {
                        let wanted = place.needs.is_none_or(|needs| has(self.words, needs));
                        if wanted && (place.kind != Kind::Whole || !word.text.contains('=')) {
                            mask_value(self.text, word, 0, place.kind, false, self.secrets);
                        }
                    }
                }
                None => {}
            }
        }
        self.assignment(word);
        let name = base_name(&word.text);
        let leads = self.leads;
        let started = |leads| move |program| Active { program, subcommands: 0, arguments: 0, last: None, leads };
        self.active.extend(known(name).iter().map(started(leads)));
        if leads && !HOSTS.has(name) && !is_assignment(&word.text) {
            self.active.extend(known("*").iter().map(started(false)));
        }
        self.active.drain(..self.active.len().saturating_sub(ACTIVE));
        self.leads &= dashed || is_assignment(&word.text) || WRAPPERS.has(name);
    }

    /// Masks X in `NAME=X` if the value consists of several quotations, or is unquoted and has escapes.
    fn assignment(&mut self, word: &Word) {
        if !is_assignment(&word.text) || word.begins_quoted(self.text) {
            return;
        }
        let Some((name, value)) = word.text.split_once('=') else { return };
        let plain = is_plain(value, false) || is_reference(value) || value.contains(['&', ';', ',']);
        // `password=b"..."` is a string of Python.
        let marked = (1..=2).contains(&word.first_piece(name.len() + 1)) && value.len() > 2;
        let plain = plain || (marked && value.starts_with(['b', 'r', 'u', 'f', 'N', 'E']));
        if matches!(names::of(name), Some(Name::Secret | Name::Line)) && !plain {
            mask_value(self.text, word, name.len() + 1, Kind::Whole, true, self.secrets);
        }
    }

    fn finish(&mut self) {
        for active in self.active.iter().filter(|active| active.is_complete() && active.leads) {
            for place in &active.program.positionals {
                if !place.needs.is_none_or(|needs| has(self.words, needs)) {
                    continue;
                }
                match place.place {
                    Place::Input => self.input = Some(place.kind),
                    Place::Last => {
                        let last = active.last.and_then(|at| self.words.get(at));
                        let value =
                            last.filter(|word| !word.text.starts_with(['\\', '*']) && !word.text.ends_with(':'));
                        if let Some(word) = value.filter(|_| active.arguments > 1 || place.needs.is_none()) {
                            mask_value(self.text, word, 0, place.kind, false, self.secrets);
                        }
                    }
                    Place::At(_) | Place::All => {}
                }
            }
        }
    }
}

impl Active {
    fn is_complete(&self) -> bool {
        self.subcommands == self.program.subcommands.len()
    }
}

/// Returns whether the value of an option is in the next word, and the index in the word at which it begins otherwise.
fn argument_of(word: &str, flag: &Flag, switches: &str) -> Option<(bool, usize)> {
    if word.as_bytes().first() != flag.name.as_bytes().first() {
        return None;
    }
    let short = flag.name.len() == 2 && flag.name.starts_with('-');
    if let Some(rest) = word.strip_prefix(flag.name) {
        let prefix = flag.name.ends_with(':');
        return match rest.chars().next() {
            None => flag.separate.then_some((true, 0)),
            Some('=' | ':') if !prefix => flag.attached.then_some((false, flag.name.len() + 1)),
            Some(_) => (flag.attached && (short || prefix || flag.name == "-hp")).then_some((false, flag.name.len())),
        };
    }
    let letter = flag.name.strip_prefix('-').filter(|_| short && !switches.is_empty())?;
    let cluster = word.strip_prefix('-')?;
    let before = cluster.find(letter)?;
    if !cluster.get(..before)?.chars().all(|switch| switches.contains(switch)) {
        return None;
    }
    let start = 1 + before + letter.len();
    Some((start == word.len(), start))
}

/// Masks the secret in a value that starts at an index of a word. `always` means that it cannot be a word of a
/// sentence.
fn mask_value(text: &str, word: &Word, start: usize, kind: Kind, always: bool, secrets: &mut Vec<Secret>) {
    let value = word.text.get(start..).unwrap_or_default();
    if is_placeholder(value) {
        return;
    }
    let whole = start..word.text.len();
    let from = |offset: usize| start + offset..word.text.len();
    let part = match kind {
        Kind::Whole => Some(whole).filter(|_| always || !is_of_sentence(value)),
        Kind::After(mark) => value.find(mark).map(|at| from(at + mark.len_utf8())),
        Kind::Token => Some(value.find(':').map_or(whole, |at| from(at + 1))),
        Kind::Slash => value.find('/').zip(value.rfind('@')).and_then(|(slash, at)| {
            let starts = slash > 0 && slash < at;
            starts.then_some(start + slash + 1..start + at)
        }),
        Kind::Header => keys::header(value).map(|value| start + value.start..start + value.end),
        Kind::Cookie => value.contains('=').then_some(whole),
        Kind::Pass => match value.split_once(':') {
            Some(("pass", _)) => Some(from(5)),
            Some(("env" | "file" | "fd", _)) => None,
            _ if value == "stdin" => None,
            _ => Some(whole),
        },
    };
    let Some(part) = part else { return };
    let secret = word.text.get(part.clone()).unwrap_or_default();
    if is_placeholder(secret) || (kind == Kind::After(':') && secret.starts_with("//")) {
        return;
    }
    // Punctuation at the end of a sentence stays, unless the value consists of nothing else.
    let length = if word.is_quoted(text) {
        secret.len()
    } else {
        without_punctuation(secret.trim_end_matches(['"', '\''])).len()
    };
    let end = part.start + if length == 0 { secret.len() } else { length };
    word.mask(part.start..end, secrets);
}

/// Returns whether a value consists of digits, as a PIN or a one-time password does.
fn is_code(value: &str) -> bool {
    (4..=10).contains(&value.len()) && value.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_option(word: &str) -> bool {
    word.len() > 1
        && word.strip_prefix('-').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '-'))
}

fn is_assignment(word: &str) -> bool {
    let name = super::run(word, 0, |byte| byte.is_ascii_alphanumeric() || byte == b'_');
    name > 0 && word.as_bytes().get(name) == Some(&b'=')
}

/// Returns whether a command has this word, this letter of an option, or a word with this beginning.
fn has(words: &[&Word], needs: &str) -> bool {
    let letter = needs.strip_prefix('-').filter(|letter| letter.len() == 1);
    words.iter().map(|word| word.text.as_ref()).any(|word| {
        let cluster = word.strip_prefix('-').filter(|cluster| !cluster.starts_with('-') && cluster.len() < 8);
        word == needs
            || (needs.ends_with(['.', '\\']) && word.starts_with(needs))
            || letter.zip(cluster).is_some_and(|(letter, cluster)| cluster.contains(letter))
    })
}

/// Returns the name of a program without its path and its extension.
fn base_name(word: &str) -> &str {
    let path = memrchr2(b'/', b'\\', word.as_bytes()).map_or(0, |at| at + 1);
    let name = word.get(path..).unwrap_or_default();
    name.strip_suffix(".exe").unwrap_or(name)
}
