use super::{Cursor, Parsed};

/// The characters that have to be escaped with a backslash.
const RESERVED: &str = "_*[]()~`>#+-=|{}.!";

/// An open entity.
struct Open<'a> {
    mark: Mark,
    language: &'a str,
    /// The offset of its text in UTF-16 units, and below in bytes of the output.
    units: usize,
    bytes: usize,
    /// The offset of its mark in the input.
    begin: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    Bold,
    Italic,
    Underline,
    Strikethrough,
    Spoiler,
    Code,
    Pre,
    TextUrl,
    BlockQuote,
}

impl Mark {
    const fn end(self) -> &'static str {
        match self {
            Self::Bold => "*",
            Self::Italic => "_",
            Self::Underline => "__",
            Self::Strikethrough => "~",
            Self::Spoiler => "||",
            Self::Code => "`",
            Self::Pre => "```",
            Self::TextUrl => "]",
            Self::BlockQuote => "\n",
        }
    }

    const fn kind(self) -> &'static str {
        match self {
            Self::Bold => "bold",
            Self::Italic => "italic",
            Self::Underline => "underline",
            Self::Strikethrough => "strikethrough",
            Self::Spoiler => "spoiler",
            Self::Code => "code",
            Self::Pre => "pre",
            Self::TextUrl => "text_link",
            Self::BlockQuote => "blockquote",
        }
    }

    /// Returns the name of the entity in Telegram's errors.
    const fn name(self) -> &'static str {
        match self {
            Self::Bold => "Bold",
            Self::Italic => "Italic",
            Self::Underline => "Underline",
            Self::Strikethrough => "Strikethrough",
            Self::Spoiler => "Spoiler",
            Self::Code => "Code",
            Self::Pre => "Pre",
            Self::TextUrl => "TextUrl",
            Self::BlockQuote => "BlockQuote",
        }
    }
}

pub(super) fn parse(text: &str) -> Result<Parsed, String> {
    let (mut parsed, mut open) = (Parsed::default(), Vec::<Open<'_>>::new());
    let mut cursor = Cursor::new(text);
    let mut line_start = true;
    while let Some(next) = cursor.peek() {
        let verbatim = open.last().is_some_and(|open| matches!(open.mark, Mark::Code | Mark::Pre));
        let quoting = open.iter().any(|open| open.mark == Mark::BlockQuote);
        let at_line_start = std::mem::replace(&mut line_start, next == '\n');
        if next == '\\' {
            cursor.next();
            match cursor.peek().filter(|escaped| ('\u{1}'..='\u{7e}').contains(escaped)) {
                Some(escaped) => {
                    cursor.next();
                    parsed.push(escaped);
                }
                None => parsed.push('\\'),
            }
        } else if next == '\n' && quoting && !cursor.rest().starts_with("\n>") {
            let quote = open.pop().filter(|open| open.mark == Mark::BlockQuote);
            let quote = quote.ok_or_else(|| format!("Can't find end of an entity at byte offset {}", cursor.at))?;
            cursor.next();
            parsed.push('\n');
            parsed.mark("blockquote", quote.units, None);
        } else if let Some(last) = open.pop_if(|open| ends(&cursor, open.mark)) {
            cursor.skip(last.mark.end());
            close(&mut parsed, &mut cursor, &last)?;
        } else if at_line_start && quoting && next == '>' {
            cursor.next();
        } else if verbatim || next == '\n' || !RESERVED.contains(next) {
            cursor.next();
            parsed.push(next);
        } else {
            let begin = cursor.at;
            let mark = begins(&mut cursor, at_line_start)
                .ok_or_else(|| format!("Character '{next}' is reserved and must be escaped with the preceding '\\'"))?;
            let language = if mark == Mark::Pre { cursor.language() } else { "" };
            open.push(Open { mark, language, units: parsed.units, bytes: parsed.text.len(), begin });
        }
    }
    if let Some(quote) = open.pop_if(|open| open.mark == Mark::BlockQuote) {
        parsed.mark("blockquote", quote.units, None);
    }
    match open.pop() {
        Some(open) => Err(format!("Can't find end of {} entity at byte offset {}", open.mark.name(), open.begin)),
        None => Ok(parsed.sorted()),
    }
}

fn begins(cursor: &mut Cursor<'_>, line_start: bool) -> Option<Mark> {
    let marks = [
        ("__", Mark::Underline),
        ("_", Mark::Italic),
        ("*", Mark::Bold),
        ("~", Mark::Strikethrough),
        ("||", Mark::Spoiler),
        ("[", Mark::TextUrl),
        ("```", Mark::Pre),
        ("`", Mark::Code),
    ];
    let mark = marks.into_iter().find(|(begin, _)| cursor.skip(begin)).map(|(_, mark)| mark);
    mark.or_else(|| (line_start && cursor.skip(">")).then_some(Mark::BlockQuote))
}

/// Returns whether the innermost entity ends here. Two underscores end an underline, not an italic.
fn ends(cursor: &Cursor<'_>, mark: Mark) -> bool {
    let rest = cursor.rest();
    match mark {
        Mark::BlockQuote => false,
        Mark::Italic => rest.starts_with('_') && !rest.starts_with("__"),
        other => rest.starts_with(other.end()),
    }
}

fn close(parsed: &mut Parsed, cursor: &mut Cursor<'_>, open: &Open<'_>) -> Result<(), String> {
    match open.mark {
        Mark::TextUrl if cursor.skip("(") => {
            let begin = cursor.at;
            let mut url = String::new();
            loop {
                match cursor.next() {
                    None => return Err(format!("Can't find end of a URL at byte offset {begin}")),
                    Some(')') => break,
                    Some('\\') => url.extend(cursor.next()),
                    Some(character) => url.push(character),
                }
            }
            parsed.link(open.units, &url);
        }
        Mark::TextUrl => {
            let url = parsed.text.get(open.bytes..).unwrap_or_default().to_owned();
            parsed.link(open.units, &url);
        }
        mark if open.language.is_empty() => parsed.mark(mark.kind(), open.units, None),
        mark => parsed.mark(mark.kind(), open.units, Some(("language", open.language))),
    }
    Ok(())
}
