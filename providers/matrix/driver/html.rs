//! Reads the HTML of a message as a client shows it.

/// What a person sees of a message.
#[derive(Debug, Default)]
pub(super) struct Read {
    pub(super) text: String,
    pub(super) bold: Vec<String>,
    pub(super) code: Vec<String>,
    /// Tags other than those of a card.
    pub(super) markup: Vec<String>,
}

/// Reads HTML: blanks merge except in `pre`, which begins and ends a line.
pub(super) fn read(html: &str) -> Read {
    let (mut read, mut rest, mut is_pre) = (Read::default(), html, false);
    // Where what is emphasised, or code, began.
    let (mut bold, mut code) = (0, 0);
    let mut needs_line = false;
    while let Some(character) = rest.chars().next() {
        if let Some((tag, after)) = rest.strip_prefix('<').and_then(|rest| rest.split_once('>')) {
            rest = after;
            match tag {
                "br" => read.text.push('\n'),
                "pre" => {
                    is_pre = true;
                    needs_line |= !read.text.is_empty() && !read.text.ends_with('\n');
                    if std::mem::take(&mut needs_line) {
                        read.text.push('\n');
                    }
                }
                "/pre" => (is_pre, needs_line) = (false, true),
                "strong" => bold = read.text.len(),
                "/strong" => read.bold.push(read.text[bold..].to_owned()),
                "code" => code = read.text.len(),
                "/code" => read.code.push(read.text[code..].to_owned()),
                other => read.markup.push(other.to_owned()),
            }
            continue;
        }
        let entity = rest.strip_prefix('&').and_then(|rest| rest.split_once(';'));
        let (shown, after) = match entity {
            Some(("amp", after)) => ('&', after),
            Some(("lt", after)) => ('<', after),
            Some(("gt", after)) => ('>', after),
            Some(("nbsp", after)) => (' ', after),
            _ => (character, &rest[character.len_utf8()..]),
        };
        if std::mem::take(&mut needs_line) {
            read.text.push('\n');
        }
        let is_merged = !is_pre && rest.starts_with(' ') && (read.text.is_empty() || read.text.ends_with(['\n', ' ']));
        // A blank that does not break is never merged, nor is one after it.
        let follows_fixed = html[..html.len() - rest.len()].ends_with("&nbsp;");
        if !is_merged || follows_fixed {
            read.text.push(shown);
        }
        rest = after;
    }
    read
}
