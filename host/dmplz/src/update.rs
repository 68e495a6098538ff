//! `dmplz update`: how this copy was installed, and the one command that updates it. It downloads nothing and changes nothing.

mod origin;

use std::path::{Path, PathBuf};

use anyhow::Context;
use dmplz_core::text::{Lang, fill};
use serde::Serialize;

use crate::service;
use crate::settings::environment;
use crate::terminal::{OnlyJson, Paint, Tone, lang, say, tell};
use origin::{Facts, Origin};

#[derive(Debug, Serialize)]
struct Report {
    version: &'static str,
    program: PathBuf,
    installed_by: &'static str,
    /// `null` where it is not known how this copy came here.
    command: Option<String>,
    /// Where the releases are, if the package says so.
    releases: Option<String>,
    /// What makes the gateway's service use the new program; `null` where there is no service.
    then: Option<&'static str>,
}

/// Prints the report.
pub(crate) fn run(args: &OnlyJson) -> anyhow::Result<u8> {
    let program = std::env::current_exe().context("this program's own path cannot be found")?;
    let program = program.canonicalize().unwrap_or(program);
    let read = |path: &Path| std::fs::read_to_string(path).ok();
    let facts = Facts { program: &program, read: &read, owner: &owner, arch: std::env::consts::ARCH };
    let origin = Origin::of(&facts);
    let (releases, lang) = (facts.releases(), lang(&environment));
    let (installed_by, by) = origin.names(lang);
    let report = Report {
        version: env!("CARGO_PKG_VERSION"),
        installed_by,
        command: origin.command(&facts, releases.as_deref()),
        releases,
        then: service::restart(),
        program,
    };
    tell(&report, args.json, |report, paint| report.text(by, lang, paint))
}

/// Asks rpm which package owns a file.
fn owner(path: &Path) -> Option<String> {
    let mut rpm = std::process::Command::new("rpm");
    rpm.args(["-qf", "--queryformat", "%{NAME}"]).arg(path).stdin(std::process::Stdio::null());
    let output = rpm.output().ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok()
}

impl Report {
    fn text(&self, by: &str, lang: Lang, paint: Paint) -> String {
        let head = say(lang, "dmplz {} ({})\n설치 방법: {}\n", "dmplz {} ({})\ninstalled by: {}\n");
        let mut text = fill(head, &[self.version, &self.program.display().to_string(), by]);
        let update = match &self.command {
            Some(command) => {
                let words = say(lang, "업데이트: {}", "to update: {}");
                fill(words, &[&paint.tone(Tone::Strong, command)])
            }
            None => say(
                lang,
                "이 파일을 받은 곳에서 새 파일을 받아 바꿔 주세요.",
                "Replace this file by a new one from where you took it.",
            )
            .to_owned(),
        };
        text.push_str(&format!("{update}\n"));
        if let Some(then) = self.then {
            text.push_str(&format!("{}\n", fill(say(lang, "그다음: {}", "then: {}"), &[then])));
        }
        text
    }
}
