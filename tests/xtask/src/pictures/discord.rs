//! Draws a Discord channel: messages, embeds, buttons, reactions, files, and the responses to presses
//! (<https://discord.com/developers/docs/components/reference>).

mod modal;
mod parts;

use anyhow::{Context, bail};
use serde_json::Value;

use super::Frame;
use super::sheet::{Box, Sheet};
use super::text::{Ink, Look, Run, fitted, lines, width};

const WIDTH: u32 = 460;
const LEFT: u32 = 56;
const ROOM: u32 = WIDTH - LEFT - 12;
const SIZE: u32 = 14;
const SMALL: u32 = 12;
/// The flag `EPHEMERAL` of a message.
const EPHEMERAL: u64 = 1 << 6;

/// A message in its current state.
#[derive(Debug, Clone)]
enum Post<'a> {
    Message { fields: &'a Value, reactions: Vec<&'a str> },
    Said { by: &'a str, text: &'a str, to: Option<usize> },
    Modal(&'a Value),
}

impl Post<'_> {
    fn stays(&self) -> bool {
        match self {
            Self::Message { fields, .. } => !is_ephemeral(fields),
            Self::Said { .. } => true,
            Self::Modal(_) => false,
        }
    }
}

/// Draws the channel in its state after all requests.
pub(super) fn channel(sent: &[Value], frame: &Frame) -> anyhow::Result<Sheet> {
    let mut posts: Vec<Post<'_>> = Vec::new();
    for request in sent {
        let fields = &request["with"];
        let place = || place(&request["message"]).context("a message");
        match request["does"].as_str() {
            None => {
                let text = |field: &str| request[field].as_str().context("what somebody says");
                if request["in"] == "form" {
                    // Submitting a form closes it.
                    anyhow::ensure!(matches!(posts.pop(), Some(Post::Modal(_))), "no form is open");
                    continue;
                }
                posts.push(Post::Said { by: text("says")?, text: text("text")?, to: self::place(&request["to"]) });
            }
            Some("POST /channels/{channel_id}/messages" | "POST /webhooks/{webhook_id}/{webhook_token}") => {
                posts.push(Post::Message { fields, reactions: Vec::new() });
            }
            Some(
                "PATCH /channels/{channel_id}/messages/{message_id}"
                | "PATCH /webhooks/{webhook_id}/{webhook_token}/messages/{message_id}",
            ) => match at(&mut posts, place()?) {
                Some(Post::Message { fields: now, .. }) => *now = fields,
                _ => bail!("an edit of a message that was not sent"),
            },
            Some("PUT /channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}/@me") => {
                if let Some(Post::Message { reactions, .. }) = at(&mut posts, place()?) {
                    reactions.push(request["emoji"].as_str().context("an emoji")?);
                }
            }
            Some(delete) if delete.starts_with("DELETE ") && delete.contains("/reactions") => {
                let gone = request["emoji"].as_str();
                if let Some(Post::Message { reactions, .. }) = at(&mut posts, place()?) {
                    reactions.retain(|emoji| gone.is_some_and(|gone| gone != *emoji));
                }
            }
            Some("POST /interactions/{interaction_id}/{interaction_token}/callback") => {
                match fields["type"].as_u64() {
                    Some(4) => posts.push(Post::Message { fields: &fields["data"], reactions: Vec::new() }),
                    // Types 5 and 6 only acknowledge the press; the edit of the card is a request of its own.
                    Some(5 | 6) => {}
                    Some(7) => match posts.first_mut() {
                        Some(Post::Message { fields: now, .. }) => *now = &fields["data"],
                        _ => bail!("an update of a message that was not sent"),
                    },
                    Some(9) => posts.push(Post::Modal(&fields["data"])),
                    other => bail!("an answer of type {other:?}"),
                }
            }
            Some(other) => bail!("a request {other}"),
        }
    }
    let mut drawn = Sheet::default();
    let mut y = 12;
    for post in &posts {
        let sheet = match post {
            Post::Message { fields, reactions } => message(fields, reactions, &posts, frame)?,
            Post::Said { by, text, to } => said(by, text, to.and_then(|to| stays(&posts).nth(to))),
            Post::Modal(fields) => modal::modal(fields, ROOM, frame)?,
        };
        let x = if matches!(post, Post::Modal(_)) { LEFT } else { 0 };
        drawn.place(&sheet, x, y);
        y += sheet.height + 14;
    }
    let mut channel = Sheet::default();
    let edge = Some("#e3e5e8");
    channel.fill(Box { x: 0, y: 0, width: WIDTH, height: y, round: 10, fill: "#ffffff", edge });
    channel.place(&drawn, 0, 0);
    Ok(channel)
}

fn message(fields: &Value, reactions: &[&str], posts: &[Post<'_>], frame: &Frame) -> anyhow::Result<Sheet> {
    let mut sheet = Sheet::default();
    let answered = fields.pointer("/message_reference/message_id").and_then(place).and_then(|at| stays(posts).nth(at));
    let mut y = head(&mut sheet, "dm-plz", true, answered);
    if let Some(content) = fields["content"].as_str().filter(|content| !content.is_empty()) {
        y = parts::words(&mut sheet, content, LEFT, y, ROOM)?;
    }
    let list = |field: &str| fields[field].as_array().map(Vec::as_slice).unwrap_or_default();
    for embed in list("embeds") {
        y = parts::embed(&mut sheet, embed, LEFT, y + 4, ROOM)?;
    }
    for name in parts::files(fields) {
        y = parts::file(&mut sheet, name, LEFT, y + 4);
    }
    for row in list("components") {
        y = parts::row(&mut sheet, row, LEFT, y + 6, ROOM)?;
    }
    if !reactions.is_empty() {
        y = parts::reactions(&mut sheet, reactions, LEFT, y + 4);
    }
    if is_ephemeral(fields) {
        let look = Look { ink: Ink::Quiet, ..Look::default() };
        sheet.text(&lines(frame.only_you, look, ROOM, SMALL), LEFT, y + 4, SMALL);
    }
    Ok(sheet)
}

fn is_ephemeral(fields: &Value) -> bool {
    fields["flags"].as_u64().is_some_and(|flags| flags & EPHEMERAL != 0)
}

fn said(by: &str, text: &str, answered: Option<&Post<'_>>) -> Sheet {
    let mut sheet = Sheet::default();
    let y = head(&mut sheet, by, false, answered);
    sheet.text(&lines(text, Look::default(), ROOM, SIZE), LEFT, y, SIZE);
    sheet
}

/// Draws the message that it replies to, the avatar and the name. Returns the y of what follows.
fn head(sheet: &mut Sheet, by: &str, is_bot: bool, answered: Option<&Post<'_>>) -> u32 {
    let mut y = 0;
    let quiet = Look { ink: Ink::Quiet, ..Look::default() };
    if let Some(answered) = answered {
        let line = format!("↱ {}", snippet(answered));
        sheet.text(&lines(&fitted(&line, quiet, ROOM, SMALL), quiet, WIDTH, SMALL), LEFT - 24, y, SMALL);
        y += 20;
    }
    sheet.circle(28, y + 18, 17, if is_bot { "#5865f2" } else { "#3ba55c" });
    let initial: String = by.chars().take(1).flat_map(char::to_uppercase).collect();
    sheet.centred(&vec![Run::new(&initial, Look { bold: true, ink: Ink::White, ..Look::default() })], 28, y + 7, 16);
    let bold = Look { bold: true, ..Look::default() };
    sheet.text(&lines(by, bold, ROOM, SIZE), LEFT, y, SIZE);
    let x = LEFT + width(by, bold, SIZE) + 8;
    if is_bot {
        sheet.fill(Box { x, y: y + 3, width: 34, height: 15, round: 4, fill: "#5865f2", edge: None });
        sheet.centred(
            &vec![Run::new("APP", Look { ink: Ink::White, bold: true, ..Look::default() })],
            x + 17,
            y + 3,
            10,
        );
    }
    y + 22
}

fn snippet(post: &Post<'_>) -> String {
    let (by, text) = match post {
        Post::Said { by, text, .. } => (*by, (*text).to_owned()),
        Post::Message { fields, .. } => ("dm-plz", parts::plain(fields)),
        Post::Modal(_) => ("dm-plz", String::new()),
    };
    format!("{by}  {}", text.lines().next().unwrap_or_default())
}

/// Returns the messages that everybody sees. Only these are numbered.
fn stays<'p, 'a>(posts: &'p [Post<'a>]) -> impl Iterator<Item = &'p Post<'a>> {
    posts.iter().filter(|post| post.stays())
}

fn at<'p, 'a>(posts: &'p mut [Post<'a>], place: usize) -> Option<&'p mut Post<'a>> {
    posts.iter_mut().filter(|post| post.stays()).nth(place)
}

/// Returns a message's index among the posts. The payloads count from 1.
fn place(number: &Value) -> Option<usize> {
    usize::try_from(number.as_u64()?).ok()?.checked_sub(1)
}
