//! How a session looks in a chat. All texts of the agent are untrusted: they are masked, made visible, and then cut.

use crate::card::{Style, field};
use crate::lead::{SessionState, TodoState, help};
use crate::messenger::{Answering, Block, ButtonStyle, Card, Choice, MessageRef, TextField};
use crate::redact::mask;
use crate::text::{Lang, LeadWords, fill, split_units, units};
use crate::visible::{short, visible};

/// The ids of the choices on the card of a session, and on the card of the chat.
pub mod choice {
    /// All of them begin so, and no choice of a request does.
    pub const PREFIX: &str = "lead-";
    /// Stops what the session does.
    pub const INTERRUPT: &str = "lead-interrupt";
    /// The id of the choice that ends the session.
    pub const STOP: &str = "lead-stop";
    /// Writes to the session, in a form.
    pub const WRITE: &str = "lead-write";
    /// The mode in which edits of files are not asked about.
    pub const EDITS: &str = "lead-edits";
    /// The mode in which the agent plans first.
    pub const PLAN: &str = "lead-plan";
    /// The mode in which edits are asked about.
    pub const DEFAULT: &str = "lead-default";
    /// Starts a session, in a form; on the card of the chat.
    pub const NEW: &str = "lead-new";
    /// Lists the sessions; on the card of the chat.
    pub const LIST: &str = "lead-list";
    /// Undoes what the card shows; on the card of an undo.
    pub const UNDO: &str = "lead-undo";
    /// Leaves the files alone; on the card of an undo.
    pub const KEEP: &str = "lead-keep";
}

/// The longest line of a card, in characters.
const LINE: usize = 160;
/// How many things that are to be done a card lists.
const LISTED: usize = 8;
/// How many files the card of an undo lists.
const FILES: usize = 15;
/// The most units of an agent's words in a message.
const WORDS: usize = 3_000;
/// The most units of a thread's name.
const THREAD_NAME: usize = 100;
/// The units that a card keeps for its frame.
const FRAME: usize = 200;
/// The most units of a text that a form takes.
const FIELD: usize = 3_000;

/// A session, as its card shows it.
#[derive(Debug, Clone)]
pub struct Face {
    /// The name of its folder.
    pub folder: String,
    /// The beginning of its id, by which commands name it.
    pub id: String,
    /// The name that a person gave it; empty if nobody did.
    pub label: String,
    /// The beginning of its first message; empty while there is none.
    pub title: String,
    /// What it is busy with.
    pub busy: SessionState,
    /// The permission mode, as the client calls it.
    pub mode: String,
    /// The model; empty until it is known.
    pub model: String,
    /// What it has cost, in US dollars.
    pub cost_usd: f64,
    /// How much of the plan is used, in a few characters; empty if it is not known.
    pub limit: String,
    /// What it did lately, one line each, the newest last.
    pub lines: Vec<String>,
    /// What is to be done.
    pub todos: Vec<(TodoState, String)>,
    /// The messages that it has not taken yet, oldest first.
    pub waiting: Vec<String>,
}

/// How people write to sessions on a messenger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Medium {
    /// As replies to messages.
    Replies,
    /// In the thread of the session, where every text is one.
    Thread,
    /// In forms, which a button opens.
    Forms,
}

impl Medium {
    /// Returns the medium of a messenger that reads its chat, or does not.
    pub fn of(reads_chat: bool) -> Self {
        if reads_chat { Self::Replies } else { Self::Forms }
    }
}

impl Face {
    /// Returns the name by which messages call the session: its folder and the beginning of its id.
    pub fn name(&self) -> String {
        format!("{} ({})", line(&self.folder), line(&self.id))
    }

    /// Returns the session in one line, as lists show it: with its name, or else its first message.
    pub fn summary(&self, lang: Lang) -> String {
        let label = if self.label.is_empty() { &self.title } else { &self.label };
        let title = if label.is_empty() { String::new() } else { format!(" · {}", line(label)) };
        let words = &lang.words().lead;
        let (sign, state) = match self.busy {
            SessionState::Starting => ("⏳", words.starting),
            SessionState::Idle => ("💤", words.idle),
            SessionState::Working => ("⚙️", words.working),
            SessionState::Asking => ("🙋", words.asking),
            SessionState::Ended => ("⏹", words.ended),
        };
        format!("{sign} {}: {state}{title}", self.name())
    }
}

/// Returns the card of a session.
pub fn card(face: &Face, tag: &str, style: Style, medium: Medium) -> Card {
    let words = &style.lang.words().lead;
    let lines: Vec<String> = face.lines.iter().map(|text| line(text)).collect();
    // The newest lines stay where the messenger takes little.
    let mut from = 0;
    loop {
        let title = Face { title: String::new(), ..face.clone() }.summary(style.lang);
        let body = body(face, lines.get(from..).unwrap_or_default(), words, medium);
        // The person began it, or has it already; what is new is told by messages of its own.
        let shown = Card { choices: choices(face, style, medium), silent: true, ..Card::new(tag, title, body) };
        if from >= lines.len() || length(&shown) <= style.limits.text {
            return shown;
        }
        from += 1;
    }
}

/// Returns the card of the chat, which says what can be done here. `folders` are those in which sessions may be started.
/// `threads` says whether sessions may get threads.
pub fn home(folders: &[String], tag: &str, style: Style, medium: Medium, threads: bool) -> Card {
    let words = &style.lang.words().lead;
    let allowed = match folders {
        [] => words.no_folders.to_owned(),
        folders => fill(words.folders, &[&folders.iter().map(|folder| line(folder)).collect::<Vec<_>>().join(", ")]),
    };
    let form = TextField { max: FIELD, ..field(words.new_title, words.new_label, words.new_placeholder) };
    let choices = match (medium, style.answering) {
        (Medium::Forms, Answering::Buttons) => vec![
            Choice { field: Some(form), ..button(choice::NEW, words.new, ButtonStyle::Primary, 0) },
            button(choice::LIST, words.list, ButtonStyle::Secondary, 0),
        ],
        _ => Vec::new(),
    };
    let how = match medium {
        Medium::Replies | Medium::Thread => words.how_by_replies.to_owned(),
        Medium::Forms => words.how_by_forms.to_owned(),
    };
    let threads = threads.then(|| Block::Text(words.how_threads.to_owned()));
    let commands = (medium != Medium::Forms).then(|| Block::Text(help(words)));
    let body = [Block::Text(how)].into_iter().chain(threads).chain([Block::Text(allowed)]).chain(commands);
    Card { choices, silent: true, ..Card::new(tag, words.home.to_owned(), body.collect()) }
}

/// Returns the name of a session's thread: its folder, and its name, its first message or its id.
pub fn thread_name(face: &Face) -> String {
    let label = [&face.label, &face.title, &face.id].into_iter().find(|label| !label.is_empty());
    let name = format!("{} · {}", line(&face.folder), line(label.map_or("", |label| label)));
    split_units(&name, THREAD_NAME).0.to_owned()
}

/// Returns a message about a session: its title is ours, its text the agent's, which is cut to what the messenger takes.
pub fn note(title: &str, text: &str, tag: &str, style: Style, reply_to: Option<MessageRef>) -> Card {
    let room = style.limits.text.saturating_sub(FRAME + units(title)).min(WORDS);
    let text = visible(mask(text).as_str());
    let body = match text.trim() {
        "" => Vec::new(),
        text => vec![Block::Text(cut(text, room, style.lang))],
    };
    Card { reply_to, ..Card::new(tag, title.to_owned(), body) }
}

/// Returns the end of what the agent is writing, as much as the messenger takes; empty if there is nothing to show.
pub fn draft(partial: &str, style: Style) -> String {
    let room = style.limits.text.min(WORDS);
    let text = visible(mask(partial.trim()).as_str());
    let mut spent = 0;
    let begins = text.char_indices().rev().find_map(|(at, c)| {
        spent += c.len_utf16();
        (spent > room).then_some(at + c.len_utf8())
    });
    text.get(begins.unwrap_or_default()..).unwrap_or_default().to_owned()
}

/// Edits that can be undone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edits {
    /// The beginning of the message since which they were made.
    pub message: String,
    /// The paths of the files that undoing changes.
    pub files: Vec<String>,
    /// The number of lines that undoing adds.
    pub insertions: u64,
    /// The number of lines that undoing removes.
    pub deletions: u64,
}

/// Returns the card that says what undoing changes: with its two choices while nobody has chosen.
pub fn undo(edits: &Edits, title: &str, tag: &str, style: Style, reply_to: Option<MessageRef>, open: bool) -> Card {
    let words = &style.lang.words().lead;
    let shown = edits.files.iter().take(FILES).map(|file| line(file));
    let rest = edits.files.len().saturating_sub(FILES);
    let rest = (rest > 0).then(|| fill(words.more_files, &[&rest.to_string()]));
    let files = shown.chain(rest).collect::<Vec<_>>().join("\n");
    let message = (!edits.message.is_empty()).then(|| format!("❯ {}", line(&edits.message)));
    let lines = format!("+{} −{}", edits.insertions, edits.deletions);
    let choices = [
        button(choice::UNDO, words.undo, ButtonStyle::Danger, 0),
        button(choice::KEEP, words.keep, ButtonStyle::Secondary, 0),
    ];
    let body = message.into_iter().chain([files, lines]).map(Block::Text).collect();
    let choices = choices.into_iter().filter(|_| open).collect();
    Card { choices, reply_to, ..Card::new(tag, title.to_owned(), body) }
}

fn body(face: &Face, lines: &[String], words: &LeadWords, medium: Medium) -> Vec<Block> {
    let title = (!face.title.is_empty()).then(|| format!("❯ {}", line(&face.title)));
    // The first message is shown once. As a title it may be cut.
    let title = title.filter(|title| {
        let begins = |first: &str| title.strip_suffix('…').is_some_and(|cut| first.starts_with(cut));
        lines.first().is_none_or(|first| first != title && !begins(first))
    });
    let todos = todos(face, words);
    let waiting = face.waiting.iter().map(|text| fill(words.waiting, &[&line(text)])).collect::<Vec<_>>().join("\n");
    let hint = match (face.busy, medium) {
        (SessionState::Ended, Medium::Replies | Medium::Thread) => Some(fill(words.resume_hint, &[&line(&face.id)])),
        (_, Medium::Replies) => Some(words.reply_hint.to_owned()),
        (_, Medium::Thread) => Some(words.thread_hint.to_owned()),
        (_, Medium::Forms) => None,
    };
    let figures = [&face.mode, &face.model].into_iter().filter(|text| !text.is_empty()).map(|text| line(text));
    let figures: Vec<String> = figures.chain([format!("${:.2}", face.cost_usd)]).collect();
    let limit = (!face.limit.is_empty()).then(|| format!("⏳ {}", line(&face.limit)));
    let figures: Vec<String> = figures.into_iter().chain(limit).collect();
    let parts = [title, Some(lines.join("\n")), Some(todos), Some(waiting), Some(figures.join(" · ")), hint];
    parts.into_iter().flatten().filter(|text| !text.is_empty()).map(Block::Text).collect()
}

/// What is being done and what comes next, before what is done.
fn todos(face: &Face, words: &LeadWords) -> String {
    let is_done = |todo: &&(TodoState, String)| todo.0 == TodoState::Done;
    let done = face.todos.iter().filter(is_done).count();
    let skipped = done.min(face.todos.len().saturating_sub(LISTED));
    let mut left_out = skipped;
    let shown = face.todos.iter().filter(|todo| {
        let skips = left_out > 0 && is_done(todo);
        left_out -= usize::from(skips);
        !skips
    });
    let mark = |(mark, text): &(TodoState, String)| {
        let sign = match mark {
            TodoState::Open => "☐",
            TodoState::Doing => "▶",
            TodoState::Done => "☑",
        };
        format!("{sign} {}", line(text))
    };
    let mut listed: Vec<String> = shown.take(LISTED).map(mark).collect();
    let hidden = face.todos.len() - listed.len();
    if hidden > 0 {
        listed.push(fill(words.more_todos, &[&hidden.to_string(), &done.to_string()]));
    }
    listed.join("\n")
}

/// Choices that are reactions stay set, so a restart would see them again: there, commands do it.
fn choices(face: &Face, style: Style, medium: Medium) -> Vec<Choice> {
    let words = &style.lang.words().lead;
    if !style.answering.has_labels() || face.busy == SessionState::Ended {
        return Vec::new();
    }
    let form = TextField { max: FIELD, ..field(words.write_title, words.write_label, "") };
    let write = Choice { field: Some(form), ..button(choice::WRITE, words.write, ButtonStyle::Primary, 0) };
    let interrupt = button(choice::INTERRUPT, words.interrupt, ButtonStyle::Secondary, 0);
    let modes = [
        ("default", button(choice::DEFAULT, words.mode_default, ButtonStyle::Secondary, 1)),
        ("acceptEdits", button(choice::EDITS, words.mode_edits, ButtonStyle::Secondary, 1)),
        ("plan", button(choice::PLAN, words.mode_plan, ButtonStyle::Secondary, 1)),
    ];
    let others = modes.into_iter().filter(|(mode, _)| *mode != face.mode).map(|(_, choice)| choice);
    Some(write)
        .filter(|_| medium == Medium::Forms)
        .into_iter()
        .chain(Some(interrupt).filter(|_| matches!(face.busy, SessionState::Working | SessionState::Asking)))
        .chain([button(choice::STOP, words.stop, ButtonStyle::Danger, 0)])
        .chain(others)
        .take(style.limits.choices)
        .collect()
}

fn button(id: &str, label: &str, style: ButtonStyle, row: u8) -> Choice {
    Choice { row, ..Choice::new(id, label, style) }
}

/// One line of untrusted text, cut.
fn line(text: &str) -> String {
    short(mask(text).as_str(), LINE)
}

/// The beginning of a text, and how much more there is.
fn cut(text: &str, room: usize, lang: Lang) -> String {
    let (shown, rest) = split_units(text, room);
    if rest.is_empty() {
        return text.to_owned();
    }
    format!("{}\n{}", shown.trim_end(), fill(lang.words().notices.left_out, &[&rest.chars().count().to_string()]))
}

fn length(card: &Card) -> usize {
    let text = |block: &Block| match block {
        Block::Text(text) | Block::Hint(text) | Block::Code(text) => units(text) + 1,
        Block::File(_) => 0,
    };
    units(&card.title) + card.body.iter().map(text).sum::<usize>()
}

#[cfg(test)]
mod tests;
