use super::{Cursor, Parsed};

const TAGS: [&str; 15] = [
    "a", "b", "blockquote", "code", "del", "em", "i", "ins", "pre", "s", "span", "strike", "strong", "tg-spoiler", "u",
];

/// An open tag.
struct Open {
    tag: String,
    /// The value of its attribute: the address, the language or the class.
    argument: String,
    /// The offset of its text in UTF-16 units, and below in bytes.
    units: usize,
    bytes: usize,
}

pub(super) fn parse(text: &str) -> Result<Parsed, String> {
    let (mut parsed, mut open) = (Parsed::default(), Vec::new());
    let mut cursor = Cursor::new(text);
    loop {
        let begin = cursor.at;
        match cursor.next() {
            None => break,
            Some('&') => match entity(&mut cursor) {
                Some(character) => parsed.push(character),
                None => parsed.push('&'),
            },
            Some('<') if cursor.skip("/") => {
                let tag = open.pop().ok_or_else(|| format!("Unexpected end tag at byte offset {begin}"))?;
                end(&mut cursor, begin, tag, &mut parsed)?;
            }
            Some('<') => {
                let (tag, argument) = start(&mut cursor, begin)?;
                open.push(Open { tag, argument, units: parsed.units, bytes: parsed.text.len() });
            }
            Some(character) => parsed.push(character),
        }
    }
    match open.pop() {
        Some(open) => Err(format!("Can't find end tag corresponding to start tag \"{}\"", open.tag)),
        None => {
            // Only a `pre` may have a language.
            parsed.entities.iter_mut().filter(|it| it.kind == "code").for_each(|it| it.more.clear());
            Ok(parsed.sorted())
        }
    }
}

fn start(cursor: &mut Cursor<'_>, begin: usize) -> Result<(String, String), String> {
    let unclosed = || format!("Unclosed start tag at byte offset {begin}");
    let tag = cursor.until(|character| character.is_whitespace() || character == '>').to_ascii_lowercase();
    if cursor.peek().is_none() {
        return Err(unclosed());
    }
    if !TAGS.contains(&tag.as_str()) {
        return Err(format!("Unsupported start tag \"{tag}\" at byte offset {begin}"));
    }
    let mut argument = String::new();
    loop {
        cursor.until(|character| !character.is_whitespace());
        if cursor.skip(">") {
            break;
        }
        let name = cursor.until(|character| character.is_whitespace() || "=>/\"'".contains(character));
        if name.is_empty() {
            return Err(format!("Empty attribute name in the tag \"{tag}\" at byte offset {begin}"));
        }
        cursor.until(|character| !character.is_whitespace());
        let value = if cursor.skip("=") { value(cursor)? } else { "1".to_owned() };
        if cursor.peek().is_none() {
            return Err(unclosed());
        }
        match (tag.as_str(), name) {
            ("a", "href") | ("blockquote", "expandable") => argument = value,
            ("code", "class") => argument = value.strip_prefix("language-").unwrap_or_default().to_owned(),
            ("span", "class") => argument = value,
            _ => {}
        }
    }
    if tag == "span" && argument != "tg-spoiler" {
        return Err(format!("Tag \"span\" must have class \"tg-spoiler\" at byte offset {begin}"));
    }
    Ok((tag, argument))
}

fn value(cursor: &mut Cursor<'_>) -> Result<String, String> {
    cursor.until(|character| !character.is_whitespace());
    let begin = cursor.at;
    let Some(quote) = cursor.peek().filter(|character| matches!(character, '"' | '\'')) else {
        let token = cursor.until(|character| !(character.is_ascii_alphanumeric() || ".-".contains(character)));
        return match cursor.peek() {
            None | Some('>') => Ok(token.to_ascii_lowercase()),
            Some(end) if end.is_whitespace() => Ok(token.to_ascii_lowercase()),
            Some(_) => Err(format!("Unexpected end of name token at byte offset {begin}")),
        };
    };
    cursor.next();
    let mut value = String::new();
    while let Some(character) = cursor.next().filter(|character| *character != quote) {
        let decoded = if character == '&' { entity(cursor) } else { None };
        value.push(decoded.unwrap_or(character));
    }
    Ok(value)
}

fn end(cursor: &mut Cursor<'_>, begin: usize, open: Open, parsed: &mut Parsed) -> Result<(), String> {
    let found = cursor.until(|character| character.is_whitespace() || character == '>').to_ascii_lowercase();
    cursor.until(|character| !character.is_whitespace());
    if !cursor.skip(">") {
        return Err(format!("Unclosed end tag at byte offset {begin}"));
    }
    let Open { tag, argument, units, bytes } = open;
    if !found.is_empty() && found != tag {
        return Err(format!("Unmatched end tag at byte offset {begin}, expected \"</{tag}>\", found \"</{found}>\""));
    }
    match tag.as_str() {
        "b" | "strong" => parsed.mark("bold", units, None),
        "i" | "em" => parsed.mark("italic", units, None),
        "u" | "ins" => parsed.mark("underline", units, None),
        "s" | "strike" | "del" => parsed.mark("strikethrough", units, None),
        "blockquote" if !argument.is_empty() => parsed.mark("expandable_blockquote", units, None),
        "blockquote" => parsed.mark("blockquote", units, None),
        "a" if argument.is_empty() => {
            let url = parsed.text.get(bytes..).unwrap_or_default().to_owned();
            parsed.link(units, &url);
        }
        "a" => parsed.link(units, &argument),
        "code" if argument.is_empty() => parsed.mark("code", units, None),
        "code" => parsed.mark("code", units, Some(("language", &argument))),
        "pre" => preformatted(parsed, units),
        _ => parsed.mark("spoiler", units, None),
    }
    Ok(())
}

/// Adds a `pre`. It takes the language of a `code` that fills it.
fn preformatted(parsed: &mut Parsed, units: usize) {
    let inner = parsed
        .entities
        .last()
        .filter(|inner| inner.kind == "code" && inner.offset == units && inner.offset + inner.length == parsed.units);
    let language = inner.and_then(|inner| inner.more.get("language")?.as_str().map(str::to_owned));
    match language {
        Some(language) => {
            parsed.entities.pop();
            parsed.mark("pre", units, Some(("language", &language)));
        }
        None => parsed.mark("pre", units, None),
    }
}

/// Parses the character of an HTML entity, after its `&`.
fn entity(cursor: &mut Cursor<'_>) -> Option<char> {
    for (name, character) in [("lt;", '<'), ("gt;", '>'), ("amp;", '&'), ("quot;", '"')] {
        if cursor.skip(name) {
            return Some(character);
        }
    }
    let end = cursor.rest().find(';')?;
    let number = cursor.rest().get(..end)?.strip_prefix('#')?;
    let code = match number.strip_prefix(['x', 'X']) {
        Some(hexadecimal) => u32::from_str_radix(hexadecimal, 16).ok()?,
        None => number.parse().ok()?,
    };
    let character = char::from_u32(code).filter(|character| *character != '\0')?;
    cursor.at += end + 1;
    Some(character)
}
