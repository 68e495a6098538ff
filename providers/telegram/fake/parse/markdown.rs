use super::{Cursor, Parsed};

/// Parses the old Markdown, in which entities do not nest and have to be closed.
pub(super) fn parse(text: &str) -> Result<Parsed, String> {
    let mut parsed = Parsed::default();
    let mut cursor = Cursor::new(text);
    loop {
        let begin = cursor.at;
        match cursor.next() {
            None => return Ok(parsed),
            Some('\\') if cursor.peek().is_some_and(|next| "_*`[".contains(next)) => {
                cursor.next().into_iter().for_each(|escaped| parsed.push(escaped));
            }
            Some(mark @ ('_' | '*' | '`' | '[')) => {
                let offset = parsed.units;
                let block = mark == '`' && cursor.skip("``");
                let language = if block { cursor.language() } else { "" };
                let end = match mark {
                    '`' if block => "```",
                    '`' => "`",
                    '[' => "]",
                    '_' => "_",
                    _ => "*",
                };
                let inner = cursor.rest().split_once(end).map(|(inner, _)| inner);
                let inner =
                    inner.ok_or_else(|| format!("Can't find end of the entity starting at byte offset {begin}"))?;
                cursor.at += inner.len() + end.len();
                inner.chars().for_each(|character| parsed.push(character));
                match mark {
                    '_' => parsed.mark("italic", offset, None),
                    '*' => parsed.mark("bold", offset, None),
                    '[' if cursor.skip("(") => {
                        let url = cursor.until(|character| character == ')');
                        cursor.skip(")");
                        parsed.link(offset, url);
                    }
                    '[' => parsed.link(offset, inner),
                    _ if !block => parsed.mark("code", offset, None),
                    _ if language.is_empty() => parsed.mark("pre", offset, None),
                    _ => parsed.mark("pre", offset, Some(("language", language))),
                }
            }
            Some(character) => parsed.push(character),
        }
    }
}
