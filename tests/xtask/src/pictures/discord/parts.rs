//! Draws the parts of a message. Functions that draw return the y below what they drew.

use anyhow::{Context, bail};
use serde_json::Value;

use crate::pictures::markdown::{Piece, pieces};
use crate::pictures::sheet::{Box, Sheet, leading};
use crate::pictures::text::{Ink, Look, Run, fitted, folded, lines, width, wrap};

const SIZE: u32 = 14;
const CODE: u32 = 13;
const SMALL: u32 = 12;

/// Draws Markdown.
pub(super) fn words(sheet: &mut Sheet, text: &str, x: u32, mut y: u32, room: u32) -> anyhow::Result<u32> {
    for piece in pieces(text) {
        y += match piece {
            Piece::Words { runs, heading } => {
                let size = match heading {
                    1 => 19,
                    2 => 17,
                    3 => 15,
                    _ => SIZE,
                };
                sheet.text(&folded(wrap(&runs, room, size)), x, y, size)
            }
            Piece::Item { sign, runs } => {
                sheet.text(&lines(&sign, Look::default(), room, SIZE), x + 4, y, SIZE);
                sheet.text(&wrap(&runs, room - 24, SIZE), x + 24, y, SIZE)
            }
            Piece::Quote(runs) => {
                let height = sheet.text(&wrap(&runs, room - 16, SIZE), x + 16, y, SIZE);
                sheet.fill(Box { x, y, width: 4, height, round: 2, fill: "#c4c9ce", edge: None });
                height
            }
            Piece::Code(code) => {
                let lines = folded(lines(&code, Look { mono: true, ..Look::default() }, room - 20, CODE));
                let height = u32::try_from(lines.len())? * leading(CODE) + 14;
                let edge = Some("#dcdfe3");
                sheet.fill(Box { x, y: y + 3, width: room, height, round: 5, fill: "#f2f3f5", edge });
                sheet.text(&lines, x + 10, y + 10, CODE);
                height + 8
            }
        };
    }
    Ok(y)
}

/// Draws an embed: <https://discord.com/developers/docs/resources/message#embed-object>.
pub(super) fn embed(sheet: &mut Sheet, embed: &Value, x: u32, y: u32, room: u32) -> anyhow::Result<u32> {
    let known = ["title", "description", "color", "fields", "footer", "author", "type"];
    let fields = embed.as_object().context("an embed")?;
    if let Some(odd) = fields.keys().find(|key| !known.contains(&key.as_str())) {
        bail!("an embed's {odd}");
    }
    let (mut inside, inner, mut below) = (Sheet::default(), room - 32, 10);
    let (bold, quiet) = (Look { bold: true, ..Look::default() }, Look { ink: Ink::Quiet, ..Look::default() });
    if let Some(author) = string(embed, "/author/name") {
        below += inside.text(&lines(author, bold, inner, SMALL), 0, below, SMALL) + 2;
    }
    if let Some(title) = embed["title"].as_str() {
        below = titled(&mut inside, title, below, inner)?;
    }
    if let Some(description) = embed["description"].as_str() {
        below = words(&mut inside, description, 0, below, inner)?;
    }
    for field in embed["fields"].as_array().map(Vec::as_slice).unwrap_or_default() {
        below += inside.text(&lines(field["name"].as_str().unwrap_or_default(), bold, inner, CODE), 0, below + 6, CODE);
        below = words(&mut inside, field["value"].as_str().unwrap_or_default(), 0, below + 6, inner)?;
    }
    if let Some(footer) = string(embed, "/footer/text") {
        below += inside.text(&lines(footer, quiet, inner, SMALL), 0, below + 6, SMALL) + 6;
    }
    let (height, edge) = (below + 8, Some("#e3e5e8"));
    sheet.fill(Box { x, y, width: room, height, round: 5, fill: "#f7f8f9", edge });
    sheet.bar(x, y, height, embed["color"].as_u64().unwrap_or(0xe3e5e8));
    sheet.place(&inside, x + 16, y);
    Ok(y + height)
}

fn titled(sheet: &mut Sheet, title: &str, y: u32, room: u32) -> anyhow::Result<u32> {
    let mut below = y;
    for piece in pieces(title) {
        let Piece::Words { runs, .. } = piece else { bail!("a title with more than words") };
        let runs: Vec<Run> = runs.into_iter().map(|run| Run { look: Look { bold: true, ..run.look }, ..run }).collect();
        below += sheet.text(&wrap(&runs, room, 15), 0, below, 15);
    }
    Ok(below + 2)
}

/// Returns the names of a message's files: fields such as `files[0]`.
pub(super) fn files(fields: &Value) -> Vec<&str> {
    let fields = fields.as_object().into_iter().flatten();
    fields.filter(|(key, _)| key.starts_with("files[")).filter_map(|(_, name)| name.as_str()).collect()
}

/// Draws a file.
pub(super) fn file(sheet: &mut Sheet, name: &str, x: u32, y: u32) -> u32 {
    let edge = Some("#dcdfe3");
    sheet.fill(Box { x, y, width: 320, height: 48, round: 8, fill: "#f7f8f9", edge });
    sheet.text(&lines("📄", Look::default(), 40, 20), x + 12, y + 9, 20);
    let look = Look { ink: Ink::Link, ..Look::default() };
    sheet.text(&lines(&fitted(name, look, 250, SIZE), look, 300, SIZE), x + 50, y + 14, SIZE);
    y + 48
}

/// Draws an action row. Buttons that do not fit go to the next line.
pub(super) fn row(sheet: &mut Sheet, row: &Value, x: u32, y: u32, room: u32) -> anyhow::Result<u32> {
    let buttons = row["components"].as_array().filter(|_| row["type"] == 1).context("an action row")?;
    let (mut at, mut top) = (0, y);
    for button in buttons {
        anyhow::ensure!(button["type"] == 2, "a component of type {}", button["type"]);
        let (fill, ink) = match button["style"].as_u64() {
            Some(1) => ("#5865f2", Ink::White),
            Some(2) => ("#e3e5e8", Ink::Text),
            Some(3) => ("#248046", Ink::White),
            Some(4) => ("#c9353c", Ink::White),
            other => bail!("a button of style {other:?}"),
        };
        let look = Look { bold: true, ink, ..Look::default() };
        let emoji = string(button, "/emoji/name").map(|emoji| format!("{emoji} ")).unwrap_or_default();
        let label = format!("{emoji}{}", button["label"].as_str().unwrap_or_default());
        let label = fitted(&label, look, room - 28, CODE);
        let wide = width(&label, look, CODE) + 28;
        if at > 0 && at + wide > room {
            (at, top) = (0, top + 40);
        }
        sheet.fill(Box { x: x + at, y: top, width: wide, height: 34, round: 7, fill, edge: None });
        sheet.centred(&vec![Run::new(&label, look)], x + at + wide / 2, top + 8, CODE);
        at += wide + 8;
    }
    Ok(top + 34)
}

/// Draws reactions.
pub(super) fn reactions(sheet: &mut Sheet, reactions: &[&str], x: u32, y: u32) -> u32 {
    for (emoji, at) in reactions.iter().zip(0..) {
        let edge = Some("#5865f2");
        sheet.fill(Box { x: x + at * 56, y, width: 48, height: 26, round: 8, fill: "#eef0fe", edge });
        let look = Look { bold: true, ink: Ink::Other("#4752c4"), ..Look::default() };
        sheet.centred(&vec![Run::new(&format!("{emoji} 1"), look)], x + at * 56 + 24, y + 6, CODE);
    }
    y + 26
}

/// Returns a message's text for a preview line.
pub(super) fn plain(fields: &Value) -> String {
    let of_embed = string(fields, "/embeds/0/title");
    let text = fields["content"].as_str().filter(|text| !text.is_empty()).or(of_embed).unwrap_or_default();
    let words = pieces(text).into_iter().find_map(|piece| match piece {
        Piece::Words { runs, .. } => Some(runs.into_iter().map(|run| run.text).collect()),
        _ => None,
    });
    words.unwrap_or_default()
}

fn string<'a>(value: &'a Value, pointer: &str) -> Option<&'a str> {
    value.pointer(pointer)?.as_str()
}
