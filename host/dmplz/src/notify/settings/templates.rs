//! `[notify.templates]`: the words of notices, as the operator writes them.
//!
//! ```toml
//! [notify.templates.short]
//! title = "{{session.folder}}: {{event.title}}"
//! body = "{{event.summary}}"
//!
//! [notify.channels.phone]
//! template = "short"
//! ```
//!
//! A channel may also name a preset: `line` or `labels`. The paths are those of [`dmplz_core::notify::template`]. An error
//! names the line and the column of the braces.

use std::collections::BTreeMap;

use dmplz_core::notify::Template;
use dmplz_core::notify::template::Part;
use dmplz_core::text::Lang;
use dmplz_protocol::notify::settings::TemplateTexts;
use serde::Deserialize;
use toml::{Spanned, Table, Value};

use super::fields::{Wrong, only, table, text};
use super::{MOST, is_name};

/// The templates of the file.
#[derive(Debug, Default)]
pub(super) struct Templates {
    read: BTreeMap<String, Template>,
    /// The templates as they are written.
    pub(super) texts: Vec<TemplateTexts>,
}

/// The words of a channel's notices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Words {
    /// A template of the file.
    Own(Template),
    /// The name of a preset.
    Preset(&'static str),
}

impl Words {
    /// Returns the template in this language.
    pub(crate) fn template(&self, lang: Lang) -> Option<Template> {
        match self {
            Self::Own(template) => Some(template.clone()),
            Self::Preset(name) => Template::preset(name, lang),
        }
    }
}

/// The file with the places of its templates.
#[derive(Deserialize)]
struct File {
    notify: Notify,
}

#[derive(Deserialize)]
struct Notify {
    templates: BTreeMap<String, Texts>,
}

#[derive(Deserialize)]
struct Texts {
    title: Option<Spanned<String>>,
    body: Option<Spanned<String>>,
}

impl Templates {
    /// Reads the templates of `[notify]`. `file` is the whole text, in which errors are located.
    pub(super) fn read(notify: &Table, file: &str) -> Result<Self, Wrong> {
        let (mut templates, mut texts) = (BTreeMap::new(), Vec::new());
        for (name, value) in table(notify, "templates")?.into_iter().flatten() {
            let place = format!("template {name:?}");
            if !is_name(name) {
                return Err(Wrong::at(&place, "has a name that cannot be used: it takes 1 to 32 of a-z, 0-9 and -")
                    .about("name"));
            }
            if Template::PRESETS.contains(&name.as_str()) {
                return Err(Wrong::at(&place, "has the name of a preset").about("name"));
            }
            let Value::Table(value) = value else { return Err(Wrong::at(&place, "must be a table")) };
            only(value, &place, &["title", "body"])?;
            let [title, body] = ["title", "body"].map(|key| text(value, key, &place).map(Option::unwrap_or_default));
            let (title, body) = (title?, body?);
            let template = Template::parse(&title, &body).map_err(|(part, error)| {
                let at = position(file, name, part, error.at());
                let at = at.map(|(line, column)| format!("line {line}, column {column}: ")).unwrap_or_default();
                let key = match part {
                    Part::Title => "title",
                    Part::Body => "body",
                };
                Wrong::at(&place, &format!("has a {part} that cannot be used: {at}{error}")).about(key)
            })?;
            texts.push(TemplateTexts { name: name.clone(), title, body });
            templates.insert(name.clone(), template);
        }
        if templates.len() > MOST {
            return Err(Wrong::at("it", &format!("there are more than {MOST} templates")));
        }
        Ok(Self { read: templates, texts })
    }

    /// Returns the template or preset that a channel names.
    pub(super) fn named(&self, name: &str, place: &str) -> Result<Words, Wrong> {
        let preset = Template::PRESETS.into_iter().find(|preset| *preset == name).map(Words::Preset);
        preset.or_else(|| self.read.get(name).cloned().map(Words::Own)).ok_or_else(|| {
            let known: Vec<&str> = Template::PRESETS.into_iter().chain(self.read.keys().map(String::as_str)).collect();
            let wrong = format!("has the template {name:?}, which is none of: {}", known.join(", "));
            Wrong::at(place, &wrong).about("template")
        })
    }
}

/// Returns the line and column in the file of the braces at byte `at` of a template's text, both from 1. Where the file
/// writes the braces as escapes, it is the beginning of the text.
fn position(file: &str, name: &str, part: Part, at: usize) -> Option<(usize, usize)> {
    let read: File = toml::from_str(file).ok()?;
    let texts = read.notify.templates.get(name)?;
    let text = match part {
        Part::Title => texts.title.as_ref()?,
        Part::Body => texts.body.as_ref()?,
    };
    let span = text.span();
    let before = text.get_ref().get(..at)?.matches("{{").count();
    let inside = file.get(span.clone())?.match_indices("{{").nth(before).map_or(0, |(found, _)| found);
    let head = file.get(..span.start + inside)?;
    let line_start = head.rfind('\n').map_or(0, |end| end + 1);
    Some((head.matches('\n').count() + 1, head.get(line_start..)?.chars().count() + 1))
}
