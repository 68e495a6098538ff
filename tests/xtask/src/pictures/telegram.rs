//! Draws a Telegram chat: bubbles, entities, inline keyboards, replies and files
//! (<https://core.telegram.org/bots/api#messageentity>).

use anyhow::{Context, bail};
use serde_json::Value;

use super::Frame;
use super::sheet::{Box, Sheet, leading};
use super::text::{Ink, Look, Run, fitted, folded, lines, wrap};

const WIDTH: u32 = 400;
const PAD: u32 = 12;
const SIZE: u32 = 14;
const CODE: u32 = 13;
const INNER: u32 = WIDTH - 4 * PAD;
const GROUND: &str = "#d5e3ec";
const MINE: &str = "#e3fbd0";

/// A message in its current state, or an alert in reply to a press.
struct Bubble<'a> {
    fields: &'a Value,
    /// The name of the author; `None` for the bot.
    by: Option<&'a str>,
    alert: bool,
}

/// Draws the chat in its state after all requests.
pub(super) fn chat(sent: &[Value], frame: &Frame) -> anyhow::Result<Sheet> {
    let mut bubbles: Vec<Bubble<'_>> = Vec::new();
    for request in sent {
        let fields = &request["with"];
        match request["does"].as_str() {
            Some("sendMessage" | "sendDocument") => bubbles.push(Bubble { fields, by: None, alert: false }),
            Some("answerCallbackQuery") => {
                anyhow::ensure!(fields["show_alert"] == true, "a toast");
                bubbles.push(Bubble { fields, by: None, alert: true });
            }
            Some("editMessageText" | "editMessageReplyMarkup") => {
                let at = message_id(fields).context("the message that is edited")?;
                let bubble = bubbles
                    .iter_mut()
                    .filter(|bubble| !bubble.alert)
                    .nth(at)
                    .context("an edit of a message that was not sent")?;
                bubble.fields = fields;
            }
            None => {
                bubbles.push(Bubble { fields: request, by: request["says"].as_str(), alert: false });
            }
            Some(other) => bail!("a request {other}"),
        }
    }
    let mut chat = Sheet::default();
    let mut y = PAD;
    let mut drawn = Sheet::default();
    for bubble in &bubbles {
        let answered = message_id(&bubble.fields["reply_parameters"]).or_else(|| place(&bubble.fields["to"]));
        let answered = answered.and_then(|at| bubbles.iter().filter(|bubble| !bubble.alert).nth(at)).map(snippet);
        let sheet = if bubble.alert { alert(bubble.fields, frame)? } else { draw(bubble, answered.as_deref())? };
        drawn.place(&sheet, PAD, y);
        y += sheet.height + PAD - 4;
    }
    chat.fill(Box { x: 0, y: 0, width: WIDTH, height: y + 4, round: 10, fill: GROUND, edge: None });
    chat.place(&drawn, 0, 0);
    Ok(chat)
}

fn draw(bubble: &Bubble<'_>, answered: Option<&str>) -> anyhow::Result<Sheet> {
    if bubble.fields.get("parse_mode").is_some() {
        bail!("a parse_mode");
    }
    let mut inside = Sheet::default();
    let mut y = PAD - 4;
    if let Some(by) = bubble.by {
        let look = Look { bold: true, ink: Ink::Other("#2c7a3f"), ..Look::default() };
        y += inside.text(&lines(by, look, INNER, CODE), PAD, y, CODE);
    }
    if let Some(answered) = answered {
        let ink = Ink::Other("#3a7fb5");
        inside.fill(Box { x: PAD, y, width: INNER, height: 42, round: 4, fill: "#eaf2f8", edge: None });
        inside.fill(Box { x: PAD, y, width: 3, height: 42, round: 1, fill: "#3a7fb5", edge: None });
        inside.text(&lines("dm-plz", Look { bold: true, ink, ..Look::default() }, INNER, CODE), PAD + 10, y + 3, CODE);
        let line = fitted(answered, Look::default(), INNER - 20, CODE);
        inside.text(&lines(&line, Look::default(), INNER, CODE), PAD + 10, y + 21, CODE);
        y += 48;
    }
    if let Some(name) = bubble.fields["document"].as_str() {
        inside.circle(PAD + 20, y + 24, 20, "#3a7fb5");
        inside.centred(
            &vec![Run::new("↓", Look { ink: Ink::White, bold: true, ..Look::default() })],
            PAD + 20,
            y + 15,
            18,
        );
        let name = fitted(name, Look { bold: true, ..Look::default() }, INNER - 60, SIZE);
        inside.text(&lines(&name, Look { bold: true, ..Look::default() }, INNER, SIZE), PAD + 52, y + 14, SIZE);
        y += 50;
    }
    y = words(&mut inside, bubble.fields, y)?;
    let fill = if bubble.by.is_some() { MINE } else { "#ffffff" };
    let mut sheet = Sheet::default();
    let width = WIDTH - 2 * PAD;
    sheet.fill(Box { x: 0, y: 0, width, height: y + PAD - 4, round: 12, fill, edge: None });
    sheet.place(&inside, 0, 0);
    keyboard(&mut sheet, &bubble.fields["reply_markup"], width)?;
    Ok(sheet)
}

/// Draws an alert, which the person who pressed sees over the chat until they close it.
fn alert(fields: &Value, frame: &Frame) -> anyhow::Result<Sheet> {
    let (x, room) = (36, WIDTH - 2 * PAD - 72);
    let bold = Look { bold: true, ..Look::default() };
    let (mut inside, mut y) = (Sheet::default(), PAD + 2);
    y += inside.text(&lines("dm-plz", bold, room, SIZE), x + 16, y, SIZE) + 2;
    let text = fields["text"].as_str().context("an alert's text")?;
    y += inside.text(&lines(text, Look::default(), room - 32, SIZE), x + 16, y, SIZE) + 8;
    inside.centred(&vec![Run::new(frame.ok, Look { ink: Ink::Link, ..bold })], x + room - 28, y, SIZE);
    let mut sheet = Sheet::default();
    let height = y + 20 + PAD;
    sheet.fill(Box { x, y: 0, width: room, height, round: 12, fill: "#ffffff", edge: Some("#9fb3c2") });
    sheet.place(&inside, 0, 0);
    Ok(sheet)
}

/// Draws the text with its entities. Returns the y below it.
fn words(sheet: &mut Sheet, fields: &Value, mut y: u32) -> anyhow::Result<u32> {
    for (block, runs) in blocks(fields)? {
        match block {
            Block::Plain => y += sheet.text(&folded(wrap(&runs, INNER, SIZE)), PAD, y, SIZE),
            Block::Pre => {
                let lines = folded(wrap(&runs, INNER - 20, CODE));
                let height = u32::try_from(lines.len())? * leading(CODE) + 12;
                sheet.fill(Box { x: PAD, y: y + 2, width: INNER, height, round: 6, fill: "#eef2f5", edge: None });
                sheet.fill(Box { x: PAD, y: y + 2, width: 3, height, round: 1, fill: "#7d8b99", edge: None });
                sheet.text(&lines, PAD + 12, y + 8, CODE);
                y += height + 6;
            }
            Block::Quote => {
                let lines = folded(wrap(&runs, INNER - 24, SIZE));
                let height = u32::try_from(lines.len())? * leading(SIZE) + 10;
                sheet.fill(Box { x: PAD, y: y + 2, width: INNER, height, round: 4, fill: "#eaf2f8", edge: None });
                sheet.fill(Box { x: PAD, y: y + 2, width: 3, height, round: 1, fill: "#3a7fb5", edge: None });
                sheet.text(&lines, PAD + 12, y + 6, SIZE);
                y += height + 6;
            }
        }
    }
    Ok(y)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Block {
    Plain,
    Pre,
    Quote,
}

/// Splits the text into blocks that are drawn below each other.
fn blocks(fields: &Value) -> anyhow::Result<Vec<(Block, Vec<Run>)>> {
    let (text, marks) = match fields["text"].as_str() {
        Some(text) => (text, &fields["entities"]),
        None => (fields["caption"].as_str().unwrap_or_default(), &fields["caption_entities"]),
    };
    let mut marked = Vec::new();
    for entity in marks.as_array().map(Vec::as_slice).unwrap_or_default() {
        let number = |field: &str| entity[field].as_u64().with_context(|| format!("an entity's {field}"));
        let from = usize::try_from(number("offset")?)?;
        marked.push((from, from + usize::try_from(number("length")?)?, entity["type"].as_str().unwrap_or_default()));
    }
    let mut blocks: Vec<(Block, Vec<Run>)> = Vec::new();
    let mut at = 0;
    for c in text.chars() {
        let (mut block, mut look) = (Block::Plain, Look::default());
        for (_, _, kind) in marked.iter().filter(|(from, to, _)| (*from..*to).contains(&at)) {
            match *kind {
                "bold" => look.bold = true,
                "italic" => look.italic = true,
                "underline" => look.underline = true,
                "strikethrough" => look.strike = true,
                "code" => (look.mono, look.ink) = (true, Ink::Other("#b0386b")),
                "pre" => (block, look.mono) = (Block::Pre, true),
                "blockquote" | "expandable_blockquote" => block = Block::Quote,
                "url" | "text_link" => look.ink = Ink::Link,
                other => bail!("an entity {other}"),
            }
        }
        at += c.len_utf16();
        match blocks.last_mut() {
            Some((same, runs)) if *same == block => match runs.last_mut().filter(|run| run.look == look) {
                Some(run) => run.text.push(c),
                None => runs.push(Run::new(&c.to_string(), look)),
            },
            // The line feed between two blocks is dropped, because a block starts a new line anyway.
            Some(_) if c == '\n' && block == Block::Plain => blocks.push((block, Vec::new())),
            _ => blocks.push((block, vec![Run::new(&c.to_string(), look)])),
        }
    }
    for (block, runs) in &mut blocks {
        if let Some(last) = runs.last_mut().filter(|_| *block == Block::Plain) {
            last.text.truncate(last.text.strip_suffix('\n').unwrap_or(&last.text).len());
        }
    }
    blocks.retain(|(_, runs)| runs.iter().any(|run| !run.text.is_empty()));
    Ok(blocks)
}

fn keyboard(sheet: &mut Sheet, markup: &Value, room: u32) -> anyhow::Result<()> {
    let Some(markup) = markup.as_object() else { return Ok(()) };
    let rows = markup.get("inline_keyboard").and_then(Value::as_array).context("a keyboard that is not inline")?;
    for row in rows {
        let buttons = row.as_array().context("a row")?;
        let (count, y) = (u32::try_from(buttons.len())?.max(1), sheet.height + 4);
        let wide = (room - (count - 1) * 4) / count;
        for (button, at) in buttons.iter().zip(0..) {
            let x = at * (wide + 4);
            // The last button also takes the remainder of the division.
            let wide = if at + 1 == count { room - x } else { wide };
            sheet.fill(Box { x, y, width: wide, height: 36, round: 8, fill: "#6b8aa3", edge: None });
            let look = Look { bold: true, ink: Ink::White, ..Look::default() };
            let label = fitted(button["text"].as_str().context("a label")?, look, wide - 12, CODE);
            sheet.centred(&vec![Run::new(&label, look)], x + wide / 2, y + 9, CODE);
        }
    }
    Ok(())
}

fn snippet(bubble: &Bubble<'_>) -> String {
    let text = ["text", "caption", "document"].iter().find_map(|field| bubble.fields[*field].as_str());
    let line = text.unwrap_or_default().lines().next().unwrap_or_default();
    line.to_owned()
}

fn message_id(fields: &Value) -> Option<usize> {
    place(&fields["message_id"])
}

/// Returns a message's index among the bubbles. The payloads count from 1.
fn place(number: &Value) -> Option<usize> {
    usize::try_from(number.as_u64()?).ok()?.checked_sub(1)
}
