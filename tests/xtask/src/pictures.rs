//! Draws the cards as approvers see them, from the JSON that the bundled components send.
//!
//! `docs/cards/payloads/*.json` holds what is sent; a test in `tests/conformance` compares it with what the components
//! send now. Each file becomes one picture, `docs/cards/*.svg`. Text stays text, the same payload always gives the same
//! bytes, and a picture references no other file. Apps differ between devices, so a picture shows the arrangement, not
//! exact sizes. A part of a payload that cannot be drawn is an error. Of a long text only the first and last lines are
//! drawn, with a `⋮` between them, which no card contains; nothing else is left out.

mod discord;
mod markdown;
mod sheet;
mod telegram;
mod text;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};
use serde_json::Value;

use crate::Finding;
use sheet::{Sheet, picture};
use text::{Ink, Look, lines};

/// The labels that the apps themselves add.
struct Frame {
    ok: &'static str,
    cancel: &'static str,
    submit: &'static str,
    only_you: &'static str,
}

const KO: Frame = Frame {
    ok: "확인", cancel: "취소", submit: "제출", only_you: "👁 나만 볼 수 있어요 · 메시지 닫기"
};
const EN: Frame =
    Frame { ok: "OK", cancel: "Cancel", submit: "Submit", only_you: "👁 Only you can see this · Dismiss message" };

const FOLDER: &str = "docs/cards";
/// The space between panels and around them, in pixels.
const GAP: u32 = 16;

/// Records what the components send now, and draws it. Returns the files of the pictures.
///
/// # Errors
/// Returns an error if the payloads cannot be recorded or drawn.
pub fn pictures(root: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root).args(["test", "--quiet", "--workspace", "--test", "pictures"]).env("DMPLZ_RECORD", "1");
    anyhow::ensure!(cargo.status().context("start cargo")?.success(), "record what is sent");
    for file in files(root, "svg")? {
        std::fs::remove_file(&file).with_context(|| format!("remove {}", file.display()))?;
    }
    let drawn = drawn(root)?;
    for (file, svg) in &drawn {
        std::fs::write(file, svg).with_context(|| format!("write {}", file.display()))?;
    }
    Ok(drawn.into_iter().map(|(file, _)| file).collect())
}

/// Returns the pictures that differ from what their payloads give.
///
/// # Errors
/// Returns an error if a payload cannot be drawn.
pub fn outdated(root: &Path) -> anyhow::Result<Vec<Finding>> {
    let drawn = drawn(root)?;
    let again = "is not what its payload gives: cargo xtask pictures";
    let wrong = drawn.iter().filter(|(file, svg)| std::fs::read_to_string(file).ok().as_ref() != Some(svg));
    let wrong = wrong.map(|(file, _)| Finding::new(file, None, again));
    let kept = files(root, "svg")?;
    let odd = kept.iter().filter(|file| !drawn.iter().any(|(known, _)| known == *file));
    Ok(wrong.chain(odd.map(|file| Finding::new(file, None, "has no payload"))).collect())
}

fn drawn(root: &Path) -> anyhow::Result<Vec<(PathBuf, String)>> {
    let draw = |file: PathBuf| {
        let json = std::fs::read_to_string(&file).with_context(|| format!("read {}", file.display()))?;
        let svg = draw(&json).with_context(|| format!("draw {}", file.display()))?;
        let name = file.file_name().context("a name")?;
        anyhow::Ok((root.join(FOLDER).join(name).with_extension("svg"), svg))
    };
    files(root, "payloads/json")?.into_iter().map(draw).collect()
}

/// Draws one picture: its panels side by side.
fn draw(json: &str) -> anyhow::Result<String> {
    let scene: Value = serde_json::from_str(json).context("read it")?;
    let panels = scene.get("panels").and_then(Value::as_array).context("panels")?;
    let frame = if scene.get("lang").and_then(Value::as_str) == Some("ko") { &KO } else { &EN };
    let panels = panels.iter().map(|it| panel(it, frame)).collect::<anyhow::Result<Vec<_>>>()?;
    let mut all = Sheet::default();
    for panel in panels {
        let x = if all.width == 0 { GAP } else { all.width + GAP };
        all.place(&panel, x, GAP);
    }
    Ok(picture(scene.get("title").and_then(Value::as_str).context("a title")?, all, GAP))
}

fn panel(panel: &Value, frame: &Frame) -> anyhow::Result<Sheet> {
    let sent = panel["sent"].as_array().context("what was sent")?;
    let (name, chat) = match panel["on"].as_str() {
        Some("telegram") => ("Telegram", telegram::chat(sent, frame)?),
        Some("discord") => ("Discord", discord::channel(sent, frame)?),
        Some("discord-reactions") => ("Discord, reactions", discord::channel(sent, frame)?),
        other => bail!("a panel on {other:?}"),
    };
    let mut sheet = Sheet::default();
    let head = lines(name, Look { bold: true, ink: Ink::Quiet, ..Look::default() }, 400, 12);
    sheet.text(&head, 0, 0, 12);
    sheet.place(&chat, 0, 22);
    Ok(sheet)
}

fn files(root: &Path, kind: &str) -> anyhow::Result<Vec<PathBuf>> {
    let (folder, extension) = match kind.split_once('/') {
        Some((below, extension)) => (root.join(FOLDER).join(below), extension),
        None => (root.join(FOLDER), kind),
    };
    let entries = std::fs::read_dir(&folder).with_context(|| format!("read {}", folder.display()))?;
    let files = entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>()?;
    let mut files: Vec<PathBuf> =
        files.into_iter().filter(|file| file.extension().is_some_and(|it| it == extension)).collect();
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests;
