//! Draws the form that a press opens (<https://discord.com/developers/docs/interactions/receiving-and-responding>).

use anyhow::Context;
use serde_json::Value;

use crate::pictures::Frame;
use crate::pictures::sheet::{Box, Sheet};
use crate::pictures::text::{Ink, Look, Run, lines};

const PAD: u32 = 16;
const SIZE: u32 = 14;

/// Draws one form.
pub(super) fn modal(fields: &Value, room: u32, frame: &Frame) -> anyhow::Result<Sheet> {
    let (bold, quiet) = (Look { bold: true, ..Look::default() }, Look { ink: Ink::Quiet, ..Look::default() });
    let (mut inside, inner, mut y) = (Sheet::default(), room - 2 * PAD, PAD);
    y += inside.text(&lines(fields["title"].as_str().context("a title")?, bold, inner, 18), PAD, y, 18) + 10;
    for row in fields["components"].as_array().context("fields")? {
        let field = row.get("component").or_else(|| row.pointer("/components/0")).context("a field")?;
        anyhow::ensure!(field["type"] == 4, "a field of type {}", field["type"]);
        let label = row["label"].as_str().or_else(|| field["label"].as_str()).unwrap_or_default();
        y += inside.text(&lines(label, bold, inner, SIZE), PAD, y, SIZE) + 4;
        if let Some(description) = row["description"].as_str() {
            y += inside.text(&lines(description, quiet, inner, 12), PAD, y, 12) + 4;
        }
        let height = if field["style"] == 2 { 88 } else { 40 };
        inside.fill(Box { x: PAD, y, width: inner, height, round: 6, fill: "#f7f8f9", edge: Some("#dcdfe3") });
        let shown = field["value"].as_str().or_else(|| field["placeholder"].as_str()).unwrap_or_default();
        let look = if field["value"].is_string() { Look::default() } else { quiet };
        inside.text(&lines(shown, look, inner - 20, SIZE), PAD + 10, y + 10, SIZE);
        y += height + 12;
    }
    let white = Look { bold: true, ink: Ink::White, ..Look::default() };
    for (label, look, x, fill) in
        [(frame.cancel, bold, room - PAD - 180, "#e3e5e8"), (frame.submit, white, room - PAD - 86, "#5865f2")]
    {
        inside.fill(Box { x, y, width: 86, height: 34, round: 7, fill, edge: None });
        inside.centred(&vec![Run::new(label, look)], x + 43, y + 8, 13);
    }
    let mut sheet = Sheet::default();
    let height = y + 34 + PAD;
    sheet.fill(Box { x: 0, y: 0, width: room, height, round: 10, fill: "#ffffff", edge: Some("#b5bac1") });
    sheet.place(&inside, 0, 0);
    Ok(sheet)
}
