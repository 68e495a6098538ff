//! Renders a message in Discord's dialect of Markdown (<https://support.discord.com/hc/en-us/articles/210298617>). It
//! is independent of the provider's escaping, and stricter than Discord: every unescaped character that could be markup
//! counts as markup.

/// A message as it is shown.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Read {
    pub(crate) text: String,
    pub(crate) bold: Vec<String>,
    /// Blocks and spans of code, and quotes.
    pub(crate) code: Vec<String>,
    /// Everything else that could take effect.
    pub(crate) markup: Vec<String>,
}

const FENCE: &str = "```";
const QUOTE: &str = "> ";

/// Reads the content of a message.
pub(crate) fn read(content: &str) -> Read {
    let mut read = Read::default();
    let mut rest = content;
    while let Some(character) = rest.chars().next() {
        let starts_line = read.text.is_empty() || read.text.ends_with('\n');
        rest = match () {
            () if rest.starts_with(FENCE) => read.block(rest),
            () if starts_line && rest.starts_with(QUOTE) => read.quote(rest),
            () if starts_line && is_list_or_heading(rest) => read.live(rest, character),
            () => read.character(rest, character),
        };
    }
    read
}

impl Read {
    fn block<'a>(&mut self, rest: &'a str) -> &'a str {
        let inside = &rest[FENCE.len()..];
        let Some(end) = inside.find(FENCE) else { return self.live(rest, '`') };
        let code = inside[..end].strip_prefix('\n').unwrap_or(&inside[..end]);
        self.put_code(code.strip_suffix('\n').unwrap_or(code));
        &inside[end + FENCE.len()..]
    }

    /// Adds a quote. Consecutive quoted lines are one quote.
    fn quote<'a>(&mut self, rest: &'a str) -> &'a str {
        let quoted = rest.split('\n').take_while(|line| line.starts_with(QUOTE));
        let length = quoted.clone().map(|line| line.len() + 1).sum::<usize>() - 1;
        let lines = quoted.map(|line| {
            let line = self::read(&line[QUOTE.len()..]);
            self.markup.extend(line.markup);
            line.text
        });
        let lines = lines.collect::<Vec<_>>().join("\n");
        self.put_code(&lines);
        &rest[length..]
    }

    fn character<'a>(&mut self, rest: &'a str, character: char) -> &'a str {
        let after = &rest[character.len_utf8()..];
        let next = after.chars().next();
        match character {
            '\\' if next.is_some_and(|next| next.is_ascii_punctuation()) => {
                self.text.extend(next);
                &after[1..]
            }
            '*' if rest.starts_with("**") => match closing(&rest[2..]) {
                Some(end) => {
                    let inside = self::read(&rest[2..2 + end]);
                    self.text.push_str(&inside.text);
                    self.bold.push(inside.text);
                    self.markup.extend(inside.markup);
                    &rest[end + 4..]
                }
                None => self.live(rest, character),
            },
            '`' => match after.find('`') {
                Some(end) => {
                    self.put_code(&after[..end]);
                    &after[end + 1..]
                }
                None => self.live(rest, character),
            },
            '_' => {
                let before = self.text.chars().next_back();
                let in_word = [before, next].iter().all(|it| it.is_some_and(|it| it.is_ascii_alphanumeric()));
                if in_word { self.put(rest, character) } else { self.live(rest, character) }
            }
            '*' | '~' | '|' | '[' | '<' | '@' => self.live(rest, character),
            ':' if next.is_some_and(|next| !next.is_whitespace()) => self.live(rest, character),
            _ => self.put(rest, character),
        }
    }

    fn put<'a>(&mut self, rest: &'a str, character: char) -> &'a str {
        self.text.push(character);
        &rest[character.len_utf8()..]
    }

    fn live<'a>(&mut self, rest: &'a str, character: char) -> &'a str {
        self.markup.push(rest.chars().take(20).collect());
        self.put(rest, character)
    }

    fn put_code(&mut self, code: &str) {
        self.text.push_str(code);
        self.code.push(code.to_owned());
    }
}

/// Returns the end of the emphasis that begins here.
fn closing(text: &str) -> Option<usize> {
    let mut escaped = false;
    let ends = text.char_indices().find(|(at, character)| {
        let ends = !escaped && text[*at..].starts_with("**");
        escaped = !escaped && *character == '\\';
        ends
    });
    ends.map(|(at, _)| at)
}

fn is_list_or_heading(line: &str) -> bool {
    let number = line.trim_start_matches(|character: char| character.is_ascii_digit());
    line.starts_with(['#', '-', '+', '>']) || number.len() < line.len() && number.starts_with(['.', ')'])
}
