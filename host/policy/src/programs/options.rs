//! Parses the options of a program.
//!
//! A [`Grammar`] is one line: the short options in getopt's notation (`-` if there are none), then the long ones.
//!
//! ```text
//! fk:ps:v foreground kill-after: preserve-status signal: verbose -onedash:
//! ```
//!
//! | after a name | meaning | written |
//! |---|---|---|
//! | nothing | a flag | `-f`, `-fp`, `--foreground` |
//! | `:` | takes a value | `-k5`, `-k 5`, `-fk5`, `--kill-after=5`, `--kill-after 5` |
//! | `?` | takes a value only if it is attached | `-i{}`, `--replace={}` |
//! | then one other sign | a mark, defined by the table that contains the line | |
//!
//! A long option may be abbreviated (`--kill=5`), as getopt_long permits. A name with `-` before it is a long option
//! with a single dash (`-toolexec`), which cannot be abbreviated. A line that begins with `+` belongs to a program
//! that also accepts `+f` as an option. After `--` there are only operands.

use crate::shell::Word;

/// The options of a program.
#[derive(Debug, Clone, Copy)]
pub(super) struct Grammar(pub(super) &'static str);

/// The role of a word in a call.
#[derive(Debug)]
pub(super) enum Item {
    /// An option of the grammar.
    Known(Known),
    /// A word that begins with a dash and is not in the grammar, by its index.
    Unknown(usize),
    /// An operand, by its index. If the word is not exact, it may still be anything.
    Operand(usize),
}

/// An option of the grammar.
#[derive(Debug)]
pub(super) struct Known {
    /// The option as people write it: `-k`, `--kill-after`.
    pub(super) name: String,
    /// The option's mark.
    pub(super) mark: Option<char>,
    /// The option's value. `None` if it takes none, or if the line ends before it.
    pub(super) value: Option<Word>,
    /// The index of the word that contains it.
    pub(super) at: usize,
    /// Whether it is `--no-x` for the grammar's `x`.
    pub(super) negated: bool,
}

/// Reads words one option at a time.
pub(super) struct Reader<'a> {
    grammar: Grammar,
    words: &'a [Word],
    /// The index of the next word.
    pub(super) at: usize,
    /// The rest of a bundle of short options (`-abc`).
    bundle: Option<&'a str>,
    /// Whether `--` was read.
    pub(super) ended: bool,
}

#[derive(Clone, Copy)]
enum Takes {
    Nothing,
    Attached,
    Value,
}

#[derive(Clone, Copy)]
struct Spec<'g> {
    name: &'g str,
    takes: Takes,
    mark: Option<char>,
}

impl<'a> Reader<'a> {
    /// Reads from the word at an index.
    pub(super) fn new(grammar: Grammar, words: &'a [Word], at: usize) -> Self {
        Self { grammar, words, at, bundle: None, ended: false }
    }

    /// Returns the next option or operand.
    pub(super) fn next(&mut self) -> Option<Item> {
        if let Some(bundle) = self.bundle {
            return Some(self.short(bundle));
        }
        let words = self.words;
        let word = words.get(self.at)?;
        let is_option = word.known.starts_with('-') || (self.grammar.has_plus() && word.known.starts_with('+'));
        if self.ended || !is_option || word.text() == Some("-") {
            self.at += 1;
            return Some(Item::Operand(self.at - 1));
        }
        if word.text() == Some("--") {
            self.ended = true;
            self.at += 1;
            return self.next();
        }
        if let Some(rest) = word.known.strip_prefix("--") {
            return Some(self.long(word, rest, "--"));
        }
        let rest = word.known.get(1..).unwrap_or_default();
        if self.grammar.one_dash(rest.split('=').next().unwrap_or(rest)).is_some() {
            return Some(self.long(word, rest, "-"));
        }
        Some(self.short(rest))
    }

    fn long(&mut self, word: &Word, rest: &str, dashes: &str) -> Item {
        let at = self.at;
        self.at += 1;
        let (name, attached) = match rest.split_once('=') {
            Some((name, value)) => (name, Some(word.with(value))),
            None if !word.exact => return Item::Unknown(at),
            None => (rest, None),
        };
        let spec = if dashes == "-" { self.grammar.one_dash(name) } else { self.grammar.long(name) };
        let Some(spec) = spec else {
            // The negation of an option without effect has no effect.
            let named = name.strip_prefix("no-").filter(|_| dashes == "--").and_then(|name| self.grammar.long(name));
            return match named.filter(|spec| spec.mark.is_none() && attached.is_none()) {
                Some(Spec { name, .. }) => {
                    Item::Known(Known { name: format!("--no-{name}"), mark: None, value: None, at, negated: true })
                }
                None => Item::Unknown(at),
            };
        };
        let value = match (attached, spec.takes) {
            (None, Takes::Value) => self.following(),
            // A flag may be negated by a value: `--version=false`.
            (Some(_), Takes::Nothing) => return Item::Unknown(at),
            (attached, _) => attached,
        };
        Item::Known(Known { name: format!("{dashes}{}", spec.name), mark: spec.mark, value, at, negated: false })
    }

    fn short(&mut self, bundle: &'a str) -> Item {
        let at = self.at;
        self.bundle = None;
        self.at += 1;
        let word = self.words.get(at);
        let mut letters = bundle.chars();
        let spec = letters.next().and_then(|letter| self.grammar.short(letter));
        let rest = letters.as_str();
        let Some(spec) = spec else {
            // The rest is most likely more letters.
            if !rest.is_empty() {
                self.bundle = Some(rest);
                self.at = at;
            }
            return Item::Unknown(at);
        };
        let attached = word.filter(|word| !rest.is_empty() || !word.exact).map(|word| word.with(rest));
        let value = match (attached, spec.takes) {
            (None, Takes::Value) => self.following(),
            (Some(_), Takes::Nothing) => {
                // More letters follow, or may follow.
                self.bundle = Some(rest);
                self.at = at;
                None
            }
            (attached, _) => attached,
        };
        Item::Known(Known { name: format!("-{}", spec.name), mark: spec.mark, value, at, negated: false })
    }

    /// Takes the next word as the value of the option that was just read.
    fn following(&mut self) -> Option<Word> {
        let value = self.words.get(self.at)?;
        self.at += 1;
        Some(value.clone())
    }
}

impl Grammar {
    fn short(self, letter: char) -> Option<Spec<'static>> {
        let letters = self.0.split(' ').next().unwrap_or_default();
        let at = letters.find(letter).filter(|_| letter.is_alphanumeric())?;
        let end = at + letter.len_utf8();
        let marks = letters.get(end..)?;
        let marks = marks.get(..marks.find(char::is_alphanumeric).unwrap_or(marks.len()))?;
        Some(Spec::new(letters.get(at..end)?, marks))
    }

    /// Returns the long option of a name, else one that begins with it; options with a mark take precedence.
    fn long(self, name: &str) -> Option<Spec<'static>> {
        let begins = |spec: &Spec<'_>| !name.is_empty() && spec.name.starts_with(name);
        let exact = self.specs().find(|spec| spec.name == name);
        let cut = || self.specs().filter(begins).min_by_key(|spec| spec.mark.is_none());
        exact.or_else(cut).or_else(|| self.one_dash(name))
    }

    /// Returns whether `+f` is an option as well.
    pub(super) fn has_plus(self) -> bool {
        self.0.starts_with('+')
    }

    /// Returns whether it has no options at all.
    pub(super) fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// Returns the marks of all its options.
    pub(super) fn marks(self) -> impl Iterator<Item = char> {
        let mut parts = self.0.split(' ');
        let short = parts.next().unwrap_or_default().trim_start_matches(['+', '-']);
        let is_mark = |sign: &char| !sign.is_alphanumeric() && !matches!(sign, ':' | '?');
        short.chars().filter(is_mark).chain(parts.filter_map(|word| Spec::of(word.trim_start_matches('-')).mark))
    }

    fn one_dash(self, name: &str) -> Option<Spec<'static>> {
        let mut specs = self.0.split(' ').skip(1).filter_map(|word| word.strip_prefix('-')).map(Spec::of);
        specs.find(|spec| spec.name == name)
    }

    fn specs(self) -> impl Iterator<Item = Spec<'static>> {
        self.0.split(' ').skip(1).filter(|word| !word.starts_with('-')).map(Spec::of)
    }
}

impl<'g> Spec<'g> {
    fn of(word: &'g str) -> Self {
        let end = word.find(|sign: char| !sign.is_alphanumeric() && sign != '-' && sign != '_').unwrap_or(word.len());
        let (name, marks) = word.split_at_checked(end).unwrap_or((word, ""));
        Self::new(name, marks)
    }

    fn new(name: &'g str, marks: &str) -> Self {
        let (takes, mark) = match marks.strip_prefix(':') {
            Some(mark) => (Takes::Value, mark),
            None => match marks.strip_prefix('?') {
                Some(mark) => (Takes::Attached, mark),
                None => (Takes::Nothing, marks),
            },
        };
        Self { name, takes, mark: mark.chars().next() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Formats the items of a line: `name mark value`, `unknown 1`, `operand 1`. `$` ends an inexact word.
    fn items(line: &str) -> Vec<String> {
        let grammar = Grammar("ab:c?d!e:$ all! bear: cat? al-most:$ -one: -two!");
        let words: Vec<Word> = line
            .split(' ')
            .map(|word| word.strip_suffix('$').map_or_else(|| Word::exact(word), Word::beginning))
            .collect();
        let mut reader = Reader::new(grammar, &words, 0);
        std::iter::from_fn(|| reader.next())
            .map(|item| match item {
                Item::Known(Known { name, mark, value, .. }) => {
                    let value = value.map(|word| if word.exact { word.known } else { word.known + "$" });
                    let mark = mark.map(String::from);
                    [Some(name), mark, value].into_iter().flatten().collect::<Vec<_>>().join(" ")
                }
                Item::Unknown(at) => format!("unknown {at}"),
                Item::Operand(at) => format!("operand {at}"),
            })
            .collect()
    }

    #[test]
    fn the_marks_of_a_line_are_those_of_all_its_options() {
        for (line, marks) in [("+ab:c?d!e:$ all! bear: -one:$ x-y?*", "!$!$*"), ("- all x_y", ""), ("ab:c?", "")] {
            assert_eq!(Grammar(line).marks().collect::<String>(), marks, "{line}");
        }
    }

    #[test]
    fn options_are_read_as_getopt_does() {
        for (line, expected) in [
            ("-a x", &["-a", "operand 1"][..]),
            ("-ab x y", &["-a", "-b x", "operand 2"]),
            ("-abx y", &["-a", "-b x", "operand 1"]),
            ("-acx y", &["-a", "-c x", "operand 1"]),
            ("-c x", &["-c", "operand 1"]),
            ("-ad x", &["-a", "-d !", "operand 1"]),
            ("-e x", &["-e $ x"]),
            ("-az x", &["-a", "unknown 0", "operand 1"]),
            ("-zd x", &["unknown 0", "-d !", "operand 1"]),
            ("-b", &["-b"]),
            ("--bear=x y", &["--bear x", "operand 1"]),
            ("--bear x", &["--bear x"]),
            ("--be x", &["--bear x"]),
            ("--all x", &["--all !", "operand 1"]),
            ("--al x", &["--all !", "operand 1"]),
            ("--al-m x", &["--al-most $ x"]),
            ("--cat x", &["--cat", "operand 1"]),
            ("--cat=x", &["--cat x"]),
            ("--dog x", &["unknown 0", "operand 1"]),
            ("-one x", &["-one x"]),
            ("-one=x", &["-one x"]),
            ("--one x", &["--one x"]),
            ("-two x", &["-two !", "operand 1"]),
            ("- x -- -a", &["operand 0", "operand 1", "operand 3"]),
            // Inexact words.
            ("$ -a", &["operand 0", "-a"]),
            ("-$ x", &["unknown 0", "operand 1"]),
            ("-a$ x", &["-a", "unknown 0", "operand 1"]),
            ("-b$ x", &["-b $", "operand 1"]),
            ("--bear=$ x", &["--bear $", "operand 1"]),
            // Negated options.
            ("--no-cat x", &["--no-cat", "operand 1"]),
            ("--no-bear", &["--no-bear"]),
            ("--no-all x", &["unknown 0", "operand 1"]),
            ("--no-cat=x", &["unknown 0"]),
            ("--be$ x", &["unknown 0", "operand 1"]),
        ] {
            assert_eq!(items(line), expected, "{line}");
        }
    }
}
