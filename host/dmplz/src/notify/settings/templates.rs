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
use dmplz_core::notify::template::{LONGEST, Part, Path, TemplateError};
use dmplz_core::text::{Lang, fill};
use dmplz_protocol::notify::settings::TemplateTexts;
use serde::Deserialize;
use toml::{Spanned, Table, Value};

use super::fields::{only, table, text};
use super::wrong::{self, Wrong};
use super::{MOST, is_name};
use crate::told::Phrase;

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
            let place = Phrase::fill("템플릿 {}", "template {}", &[&format!("{name:?}")]);
            if !is_name(name) {
                return Err(Wrong::name(&place));
            }
            if Template::PRESETS.contains(&name.as_str()) {
                let wrong = ["미리 정해진 템플릿의 이름이라 쓸 수 없습니다", "has the name of a preset"];
                return Err(Wrong::new(&place, wrong.into()).about("name"));
            }
            let Value::Table(value) = value else { return Err(Wrong::no_table(&place)) };
            only(value, &place, &["title", "body"])?;
            let [title, body] = ["title", "body"].map(|key| text(value, key, &place).map(Option::unwrap_or_default));
            let (title, body) = (title?, body?);
            let template = Template::parse(&title, &body).map_err(|(part, error)| {
                let at = position(file, name, part, error.at());
                let key = match part {
                    Part::Title => "title",
                    Part::Body => "body",
                };
                Wrong::new(&place, unusable(part, at, &error)).about(key)
            })?;
            texts.push(TemplateTexts { name: name.clone(), title, body });
            templates.insert(name.clone(), template);
        }
        if templates.len() > MOST {
            let (ko, en) = ("템플릿이 {}개를 넘습니다", "has more than {} templates");
            return Err(Wrong::at(&wrong::whole(), ko, en, &[&MOST.to_string()]));
        }
        Ok(Self { read: templates, texts })
    }

    /// Returns the template or preset that a channel names.
    pub(super) fn named(&self, name: &str, place: &Phrase) -> Result<Words, Wrong> {
        let preset = Template::PRESETS.into_iter().find(|preset| *preset == name).map(Words::Preset);
        preset.or_else(|| self.read.get(name).cloned().map(Words::Own)).ok_or_else(|| {
            let known: Vec<&str> = Template::PRESETS.into_iter().chain(self.read.keys().map(String::as_str)).collect();
            let (ko, en) = ("없는 템플릿입니다: {}. 쓸 수 있는 것: {}", "has the template {}, which is none of: {}");
            Wrong::at(place, ko, en, &[&format!("{name:?}"), &known.join(", ")]).about("template")
        })
    }
}

/// Says why a part of a template cannot be used, with the line and column where they are known.
fn unusable(part: Part, at: Option<(usize, usize)>, error: &TemplateError) -> Phrase {
    let why = match error {
        TemplateError::Unknown { path, .. } => {
            let known = Path::ALL.map(|(_, name)| name).join(", ");
            fill("없는 항목입니다: {}. 쓸 수 있는 것: {}", &[&format!("{path:?}"), &known])
        }
        TemplateError::Unclosed { .. } => "{{가 }}로 닫히지 않았습니다".to_owned(),
        TemplateError::TooLong => {
            fill("템플릿은 {}바이트까지 쓸 수 있고, title은 한 줄이어야 합니다", &[&LONGEST.to_string()])
        }
    };
    let (ko_at, en_at) = match at {
        Some((line, column)) => (format!("{line}번째 줄 {column}번째 칸: "), format!("line {line}, column {column}: ")),
        None => (String::new(), String::new()),
    };
    [format!("{part}에 쓸 수 없는 글입니다: {ko_at}{why}"), format!("has a {part} that cannot be used: {en_at}{error}")]
        .into()
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
