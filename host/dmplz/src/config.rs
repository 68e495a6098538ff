//! `dmplz config`: every setting, its value, where it came from, and what is wrong with it. No secret is ever shown.

use std::borrow::Cow;

use dmplz_core::text::Lang;
use serde::Serialize;

use crate::failed::Failed;
use crate::settings::{self, Entry, Settings, Source, Spec, Table, as_shown, hidden, specs, third_party};
use crate::terminal::{self, OnlyJson, Paint, Tone, say, tell};
use crate::{exit, wording};

/// All settings, as they are shown.
#[derive(Debug, Serialize)]
struct Report {
    file: String,
    /// Why the file, or a part of it, cannot be used.
    #[serde(skip_serializing_if = "Option::is_none")]
    file_error: Option<String>,
    settings: Vec<Row>,
    /// Problems of settings that are valid individually.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// One setting.
#[derive(Debug, Serialize)]
struct Row {
    name: String,
    /// `None` if it is not set and has no default.
    value: Option<String>,
    source: Option<Source>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    secret: bool,
    help: Cow<'static, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// Shows the settings. The exit code is 3 if a value, or the file of some, cannot be read.
pub(crate) fn run(args: &OnlyJson) -> anyhow::Result<u8> {
    let (mut table, wrong) = Table::as_far_as_usable(&settings::environment)?;
    let mut wrong = wrong.map(anyhow::Error::from);
    match third_party::installed(&table.state_dir()?) {
        Ok(installed) => {
            installed.into_iter().for_each(|messenger| table.learn(messenger, &settings::environment));
        }
        Err(error) => wrong = wrong.or_else(|| Some(error.into())),
    }
    let lang = table.lang().unwrap_or_else(|_| terminal::lang(&settings::environment));
    let report = Report::of(&table, wrong.as_ref(), lang);
    tell(&report, args.json, |report, paint| report.text(lang, paint))?;
    Ok(match wrong {
        Some(error) => Failed::of(&error, lang).with_exit(exit::SETTINGS).tell(false),
        None if report.is_well() => exit::OK,
        None => exit::SETTINGS,
    })
}

/// Returns an error of settings in words.
fn told(error: impl Into<anyhow::Error>, lang: Lang) -> String {
    wording::words(&error.into(), lang).0
}

impl Report {
    fn of(table: &Table, wrong: Option<&anyhow::Error>, lang: Lang) -> Self {
        let known = specs().iter().chain(&table.learned).map(|spec| Row::of(spec, table, lang));
        let others = table.others().map(|(name, entry)| Row::of_provider(name, entry, lang));
        let settings: Vec<Row> = known.chain(others).collect();
        let single = settings.iter().any(|row| row.error.is_some());
        let error = if single { None } else { Settings::of(table).err().map(|error| told(error, lang)) };
        let file_error = wrong.map(|error| wording::words(error, lang).0);
        Self { file: table.file.display().to_string(), file_error, settings, error }
    }

    fn is_well(&self) -> bool {
        self.error.is_none() && self.file_error.is_none() && self.settings.iter().all(|row| row.error.is_none())
    }

    fn text(&self, lang: Lang, paint: Paint) -> String {
        let mut text = format!("{}: {}\n", say(lang, "설정 파일", "settings file"), self.file);
        if let Some(error) = &self.file_error {
            text.push_str(&format!("{}\n", paint.tone(Tone::Bad, &format!("✗ {error}"))));
        }
        for row in &self.settings {
            let from = row.source.map_or("-", |source| match source {
                Source::Environment => say(lang, "환경 변수", "environment"),
                Source::File => say(lang, "파일", "file"),
                Source::Default => say(lang, "기본값", "default"),
            });
            let value = match &row.value {
                Some(value) if row.error.is_some() => paint.tone(Tone::Bad, value),
                Some(value) if row.source != Some(Source::Default) => paint.tone(Tone::Good, value),
                Some(value) => value.clone(),
                None => paint.tone(Tone::Faint, say(lang, "(없음)", "(not set)")),
            };
            let help = paint.tone(Tone::Faint, &row.help);
            text.push_str(&format!("\n{} = {value}  [{from}]\n    {help}\n", paint.tone(Tone::Strong, &row.name)));
            if let Some(error) = &row.error {
                text.push_str(&format!("    {}\n", paint.tone(Tone::Bad, &format!("✗ {error}"))));
            }
        }
        if let Some(error) = &self.error {
            text.push_str(&format!("\n{}\n", paint.tone(Tone::Bad, &format!("✗ {error}"))));
        }
        text
    }
}

impl Row {
    fn of(spec: &Spec, table: &Table, lang: Lang) -> Self {
        let entry = table.entry(spec.name);
        Self {
            name: spec.name.to_owned(),
            value: entry.map(|entry| as_shown(spec.kind, &entry.value)),
            source: entry.map(|entry| entry.source),
            secret: spec.is_secret(),
            help: spec.help(lang),
            error: table.get(spec.name).err().map(|error| told(error, lang)),
        }
    }

    /// Returns a setting in the file for a provider given by path. Only the provider knows its meaning, so its value is
    /// hidden.
    fn of_provider(name: &str, entry: &Entry, lang: Lang) -> Self {
        Self {
            name: name.to_owned(),
            value: Some(hidden(&entry.value)),
            source: Some(entry.source),
            secret: true,
            help: say(lang, "프로바이더의 설정", "a setting of the provider").into(),
            error: None,
        }
    }
}

#[cfg(test)]
mod tests;
