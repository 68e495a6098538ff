//! Templates: the words of a channel's notices, as the operator writes them.
//!
//! ```text
//! template = (text | "{{" path "}}")*        a path is one of the table; spaces around it are allowed; no logic
//! ```
//!
//! | path | value | shown from |
//! |---|---|---|
//! | `event.title` | what happened, in the language of the notices | minimal |
//! | `event.name`, `event.priority` | the event and its priority, as in settings | minimal |
//! | `event.count` | the number of merged occurrences | minimal |
//! | `event.age` | how long ago it happened, empty if that is less than two minutes | minimal |
//! | `session.folder`, `session.id` | the folder's name, the first characters of the session's id | minimal |
//! | `event.subject`, `event.summary` | the tool or reason, a line or two of the error or message | normal |
//! | `event.content` | content, such as a tool's input | verbose |
//!
//! A path that the notice's detail does not show is empty. A line of the body with paths that are all empty is left out.
//! Values are masked and made visible before they are put in, and are not searched for paths. Where a template does not
//! show the count or the age, they are added as without a template, because a notice never understates them. Default: no
//! template, see [`render`](super::render).

use std::fmt;

use crate::text::Lang;

/// The most bytes of a template.
pub const LONGEST: usize = 4_000;

/// A template that was checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    title: Vec<Piece>,
    /// The pieces of the body, by lines.
    body: Vec<Vec<Piece>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Text(String),
    Value(Path),
}

/// A value that a template can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Path {
    /// The title of the event.
    Title,
    /// The name of the event.
    Name,
    /// The priority of the event.
    Priority,
    /// The number of merged occurrences.
    Count,
    /// How long ago it happened.
    Age,
    /// The tool or reason.
    Subject,
    /// A line or two of the error or message.
    Summary,
    /// Content, such as a tool's input.
    Content,
    /// The first characters of the session's id.
    SessionId,
    /// The name of the session's folder.
    SessionFolder,
}

/// A text is no template.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TemplateError {
    /// A path is not known; its first byte in the text.
    #[error("the path {path:?} is none of: {}", Path::names())]
    Unknown {
        /// The path that is not known.
        path: String,
        /// The position of its braces, in bytes.
        at: usize,
    },
    /// Braces are not closed.
    #[error("{{{{ is not closed by }}}}")]
    Unclosed {
        /// The position of the braces, in bytes.
        at: usize,
    },
    /// The title has more than one line, or the text is too long.
    #[error("a template has at most {LONGEST} bytes, and its title has one line")]
    TooLong,
}

impl Path {
    /// Every path as templates contain it, in the order in which they are listed.
    pub const ALL: [(Self, &'static str); 10] = [
        (Self::Title, "event.title"),
        (Self::Name, "event.name"),
        (Self::Priority, "event.priority"),
        (Self::Count, "event.count"),
        (Self::Age, "event.age"),
        (Self::Subject, "event.subject"),
        (Self::Summary, "event.summary"),
        (Self::Content, "event.content"),
        (Self::SessionId, "session.id"),
        (Self::SessionFolder, "session.folder"),
    ];

    fn names() -> String {
        Self::ALL.map(|(_, name)| name).join(", ")
    }
}

impl TemplateError {
    /// Returns the position in the text that the error is about, in bytes.
    pub fn at(&self) -> usize {
        match self {
            Self::Unknown { at, .. } | Self::Unclosed { at } => *at,
            Self::TooLong => 0,
        }
    }
}

impl Template {
    /// The names of the presets.
    pub const PRESETS: [&'static str; 2] = ["line", "labels"];

    /// Returns the preset of this name in a language.
    pub fn preset(name: &str, lang: Lang) -> Option<Self> {
        let (title, body) = match (name, lang) {
            // All of it in the line that a locked phone shows.
            ("line", _) => ("{{event.title}} · {{session.folder}}", "{{event.subject}} {{event.summary}}"),
            ("labels", Lang::En) => (
                "{{event.title}}",
                "Folder: {{session.folder}}\nSession: {{session.id}}\nAbout: {{event.subject}}\nDetails: {{event.summary}}\n\
                 {{event.content}}",
            ),
            ("labels", Lang::Ko) => (
                "{{event.title}}",
                "폴더: {{session.folder}}\n세션: {{session.id}}\n대상: {{event.subject}}\n내용: {{event.summary}}\n\
                 {{event.content}}",
            ),
            _ => return None,
        };
        let title = Self::title(title).ok()?;
        Self::body(body).ok().map(|body| Self { title, body })
    }

    /// Checks the two texts of a template. The error is of the title, or else of the body.
    pub fn parse(title: &str, body: &str) -> Result<Self, (Part, TemplateError)> {
        let title = Self::title(title).map_err(|error| (Part::Title, error))?;
        let body = Self::body(body).map_err(|error| (Part::Body, error))?;
        Ok(Self { title, body })
    }

    fn title(text: &str) -> Result<Vec<Piece>, TemplateError> {
        let title = pieces(text, 0)?;
        if text.len() > LONGEST || text.contains('\n') { Err(TemplateError::TooLong) } else { Ok(title) }
    }

    fn body(text: &str) -> Result<Vec<Vec<Piece>>, TemplateError> {
        if text.len() > LONGEST {
            return Err(TemplateError::TooLong);
        }
        let mut start = 0;
        let mut line = |line: &str| {
            let at = start;
            start += line.len() + 1;
            pieces(line, at)
        };
        text.split('\n').map(&mut line).collect()
    }

    /// Returns whether the template shows a value.
    pub(super) fn shows(&self, path: Path) -> bool {
        let mut pieces = self.title.iter().chain(self.body.iter().flatten());
        pieces.any(|piece| *piece == Piece::Value(path))
    }

    /// Returns title and body, with the values that `value` returns.
    pub(super) fn fill(&self, value: impl Fn(Path) -> String) -> (String, String) {
        let title = filled(&self.title, &value).unwrap_or_default();
        let lines: Vec<String> = self.body.iter().filter_map(|line| filled(line, &value)).collect();
        (title.split_whitespace().collect::<Vec<_>>().join(" "), lines.join("\n"))
    }
}

/// One of the two texts of a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The title, one line.
    Title,
    /// The lines after the first one.
    Body,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Title => "title",
            Self::Body => "body",
        })
    }
}

/// Returns one line; `None` if it has values that are all empty.
fn filled(line: &[Piece], value: impl Fn(Path) -> String) -> Option<String> {
    let (mut text, mut has_values, mut has_content) = (String::new(), false, false);
    for piece in line {
        match piece {
            Piece::Text(literal) => text.push_str(literal),
            Piece::Value(path) => {
                let value = value(*path);
                (has_values, has_content) = (true, has_content || !value.is_empty());
                text.push_str(&value);
            }
        }
    }
    (has_content || !has_values).then(|| text.trim().to_owned())
}

/// Reads the pieces of a line that begins at byte `start` of its text.
fn pieces(line: &str, start: usize) -> Result<Vec<Piece>, TemplateError> {
    let (mut pieces, mut rest, mut at) = (Vec::new(), line, start);
    while let Some((text, behind)) = rest.split_once("{{") {
        at += text.len();
        let Some((path, after)) = behind.split_once("}}") else { return Err(TemplateError::Unclosed { at }) };
        let known = Path::ALL.into_iter().find(|(_, name)| *name == path.trim());
        let (known, _) = known.ok_or_else(|| TemplateError::Unknown { path: path.trim().to_owned(), at })?;
        pieces.extend([Piece::Text(text.to_owned()), Piece::Value(known)]);
        at += path.len() + 4;
        rest = after;
    }
    pieces.push(Piece::Text(rest.to_owned()));
    pieces.retain(|piece| *piece != Piece::Text(String::new()));
    Ok(pieces)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn error(title: &str, body: &str) -> (Part, usize, String) {
        let (part, error) = Template::parse(title, body).unwrap_err();
        (part, error.at(), error.to_string())
    }

    #[test]
    fn an_unknown_path_is_an_error_with_its_position() {
        let (part, at, said) = error("{{event.title}} {{event.tilte}}", "");
        assert_eq!((part, at), (Part::Title, 16));
        insta::assert_snapshot!(said, @r#"the path "event.tilte" is none of: event.title, event.name, event.priority, event.count, event.age, event.subject, event.summary, event.content, session.id, session.folder"#);
        let (part, at, said) = error("x", "한\n{{ event.title }}\n  {{#if}}");
        assert_eq!((part, at), (Part::Body, 24));
        assert!(said.starts_with("the path \"#if\""), "{said}");
        assert_eq!(error("x", "a {{event.title"), (Part::Body, 2, "{{ is not closed by }}".to_owned()));
        assert_eq!(error("a\nb", "").0, Part::Title);
        assert_eq!(error("a", &"b".repeat(LONGEST + 1)).0, Part::Body);
    }

    #[test]
    fn values_are_put_in_once_and_lines_without_any_value_are_left_out() {
        let template = Template::parse("{{event.title}}", "a {{ event.subject }}\nb {{event.content}}\n\nc").unwrap();
        let value = |path| match path {
            Path::Title => "two\nlines {{event.subject}}".to_owned(),
            Path::Subject => "{{event.title}}".to_owned(),
            _ => String::new(),
        };
        let (title, body) = template.fill(value);
        assert_eq!((title.as_str(), body.as_str()), ("two lines {{event.subject}}", "a {{event.title}}\n\nc"));
        assert!(template.shows(Path::Subject) && !template.shows(Path::Count));
    }

    #[test]
    fn every_preset_is_a_template_in_both_languages() {
        for name in Template::PRESETS {
            for lang in [Lang::Ko, Lang::En] {
                assert!(Template::preset(name, lang).unwrap().shows(Path::Title), "{name}");
            }
        }
        assert_eq!(Template::preset("short", Lang::En), None);
    }

    proptest! {
        #[test]
        fn any_text_is_a_template_or_an_error_at_braces(title in ".{0,40}", body in "(.|\n|\\{\\{|\\}\\}|event\\.title){0,40}") {
            match Template::parse(&title, &body) {
                Ok(template) => {
                    let _ = template.fill(|_| "x".to_owned());
                }
                Err((_, TemplateError::TooLong)) => {}
                Err((part, error)) => {
                    let text = if part == Part::Title { &title } else { &body };
                    prop_assert!(text[error.at()..].starts_with("{{"), "{:?}", error);
                }
            }
        }
    }
}
