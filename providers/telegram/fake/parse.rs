//! Parses text according to `parse_mode` (<https://core.telegram.org/bots/api#formatting-options>), with the errors of
//! TDLib's parsers.

use super::model::Entity;
use serde_json::{Map, Value};

mod html;
mod markdown;
mod markdown_v2;

/// A text without its marks, and the entities that they stood for.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Parsed {
    pub(crate) text: String,
    pub(crate) entities: Vec<Entity>,
    /// The length of the text in UTF-16 units.
    units: usize,
}

/// Parses the marks of a text. The error is Telegram's description.
pub(crate) fn parse(mode: &str, text: &str) -> Result<Parsed, String> {
    let parsed = match mode.to_ascii_lowercase().as_str() {
        "html" => html::parse(text),
        "markdown" => markdown::parse(text),
        "markdownv2" => markdown_v2::parse(text),
        _ => return Err("unsupported parse_mode".to_owned()),
    };
    parsed.map_err(|why| format!("can't parse entities: {why}"))
}

impl Parsed {
    fn push(&mut self, character: char) {
        self.text.push(character);
        self.units += character.len_utf16();
    }

    /// Adds an entity for the text since `offset`, unless that text is empty.
    fn mark(&mut self, kind: &str, offset: usize, more: Option<(&str, &str)>) {
        let more: Map<String, Value> =
            more.map(|(key, value)| (key.to_owned(), Value::from(value))).into_iter().collect();
        if self.units > offset {
            self.entities.push(Entity { kind: kind.to_owned(), offset, length: self.units - offset, more });
        }
    }

    /// Adds a link for the text since `offset`, unless the address is invalid.
    fn link(&mut self, offset: usize, url: &str) {
        if url.contains('.') || url.contains("://") {
            let whole = if url.contains("://") { url.to_owned() } else { format!("http://{url}") };
            self.mark("text_link", offset, Some(("url", &whole)));
        }
    }

    /// Sorts outer entities before inner ones.
    fn sorted(mut self) -> Self {
        self.entities.sort_by_key(|entity| (entity.offset, std::cmp::Reverse(entity.length)));
        self
    }
}

/// A position in a text, in bytes.
struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        Some(next)
    }

    /// Skips `what` if it comes next. Returns whether it did.
    fn skip(&mut self, what: &str) -> bool {
        let there = self.rest().starts_with(what);
        self.at += if there { what.len() } else { 0 };
        there
    }

    /// Takes the text before the first character that `stop` accepts, or all of it.
    fn until(&mut self, stop: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let taken = rest.find(stop).map_or(rest, |end| rest.get(..end).unwrap_or_default());
        self.at += taken.len();
        taken
    }

    /// Takes the language after three backticks, and skips one line break.
    fn language(&mut self) -> &'a str {
        let start = self.at;
        let mut language = self.until(|character| character.is_whitespace() || character == '`');
        if matches!(self.peek(), None | Some('`')) {
            (language, self.at) = ("", start);
        }
        let _ = self.skip("\r\n") || self.skip("\n") || self.skip("\r");
        language
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Formats the result: the text, and each entity as `kind@offset+length` with its other fields.
    fn read(mode: &str, text: &str) -> String {
        match parse(mode, text) {
            Err(why) => why,
            Ok(parsed) => {
                let entities = parsed.entities.iter().map(|it| {
                    let more: String = it.more.values().map(|value| format!(" {value}")).collect();
                    format!("{}@{}+{}{more}", it.kind, it.offset, it.length)
                });
                format!("{} [{}]", parsed.text, entities.collect::<Vec<_>>().join(", "))
            }
        }
    }

    #[test]
    fn html_is_read() {
        assert_eq!(read("HTML", "a <b>b <i>c</i></b> &lt;&amp;&#33;"), "a b c <&! [bold@2+3, italic@4+1]");
        assert_eq!(read("html", "<pre><code class=\"language-sh\">ls</code></pre>"), "ls [pre@0+2 \"sh\"]");
        assert_eq!(read("HTML", "😀<code>x</code>"), "😀x [code@2+1]");
        assert_eq!(read("HTML", "<a href='https://a.example/'>x</a>"), "x [text_link@0+1 \"https://a.example/\"]");
        assert_eq!(read("HTML", "1 & 2 &nosuch;"), "1 & 2 &nosuch; []");
    }

    #[test]
    fn bad_html_is_refused_in_the_words_of_the_platform() {
        let why = |text: &str| read("HTML", text).replace("can't parse entities: ", "");
        assert_eq!(why("a < b"), "Unsupported start tag \"\" at byte offset 2");
        assert_eq!(why("a <b"), "Unclosed start tag at byte offset 2");
        assert_eq!(why("<script>x"), "Unsupported start tag \"script\" at byte offset 0");
        assert_eq!(why("x</b>"), "Unexpected end tag at byte offset 1");
        assert_eq!(why("<b>x</i>"), "Unmatched end tag at byte offset 4, expected \"</b>\", found \"</i>\"");
        assert_eq!(why("<b>x"), "Can't find end tag corresponding to start tag \"b\"");
    }

    #[test]
    fn markdown_is_read_and_refused() {
        let read = |text: &str| read("Markdown", text);
        assert_eq!(read("*b* _i_ `c` \\*"), "b i c * [bold@0+1, italic@2+1, code@4+1]");
        assert_eq!(read("```sh\nls\n```"), "ls\n [pre@0+3 \"sh\"]");
        assert_eq!(read("[x](https://a.example)"), "x [text_link@0+1 \"https://a.example\"]");
        assert_eq!(
            read("a snake_case"),
            "can't parse entities: Can't find end of the entity starting at byte offset 7"
        );
    }

    #[test]
    fn markdown_v2_is_read_and_refused() {
        let read = |text: &str| read("MarkdownV2", text).replace("can't parse entities: ", "");
        assert_eq!(
            read("*b _i_* __u__ ~s~ ||p||"),
            "b i u s p [bold@0+3, italic@2+1, underline@4+1, strikethrough@6+1, spoiler@8+1]"
        );
        assert_eq!(read("1\\.5 `a.b`"), "1.5 a.b [code@4+3]");
        assert_eq!(read("```sh\na-b```"), "a-b [pre@0+3 \"sh\"]");
        assert_eq!(read(">quoted\nnot"), "quoted\nnot [blockquote@0+7]");
        assert_eq!(read("1.5"), "Character '.' is reserved and must be escaped with the preceding '\\'");
        assert_eq!(read("*b"), "Can't find end of Bold entity at byte offset 0");
        assert_eq!(parse("wiki", "x").unwrap_err(), "unsupported parse_mode");
    }
}
