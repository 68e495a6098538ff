//! Formats a notice, and cuts it to the length that a service accepts.
//!
//! | detail | shown |
//! |---|---|
//! | minimal | the kind of event, the folder's name, the first characters of the session's id |
//! | normal | also the subject (a tool, a reason), and a line or two of the error or message |
//! | verbose | also content, such as a tool's input or the agent's last message |
//!
//! At every level a notice states how many occurrences it stands for, and its delay if that is two minutes or more.
//! Every text is masked, then made visible ([`crate::visible`]), and only then cut.

use super::template::Path;
use super::{Detail, EventKind, Occurrence, Priority, Template};
use crate::redact::mask;
use crate::text::{Lang, NoticeWords, fill, split_cost, title};
use crate::visible::{visible, visible_line};

/// The delay from which a notice states it, in minutes.
const LATE_MINUTES: u64 = 2;
/// The number of characters of a session's id that are shown.
const SESSION: usize = 8;

/// A notice as people read it, before it is cut to a service's length.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// What happened, on one line.
    pub title: String,
    /// The other lines; may be empty.
    pub body: String,
}

/// A notice that fits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fitted {
    /// What happened, on one line.
    pub title: String,
    /// The other lines, with the number of characters that are left out.
    pub body: String,
    /// The number of characters that are left out.
    pub left_out: usize,
}

impl Notice {
    /// Returns the notice about an occurrence, which is the last of `count` merged ones.
    pub fn of(occurrence: &Occurrence, count: u32, detail: Detail, lang: Lang, now_ms: u64) -> Self {
        let words = &lang.words().notices;
        let title = headline(occurrence, words) + &times(count);
        let mut lines = vec![place(occurrence, words)];
        if is_normal(occurrence, detail) {
            lines.push(about(occurrence));
        }
        if count > 1 {
            lines.push(fill(words.merged, &[&count.to_string()]));
        }
        lines.push(age(occurrence, words, now_ms));
        if detail == Detail::Verbose {
            lines.extend(occurrence.content.as_deref().map(shown));
        }
        lines.retain(|line| !line.is_empty());
        Self { title, body: lines.join("\n") }
    }

    /// Returns the same notice in the words of a template.
    pub fn by(
        template: &Template,
        occurrence: &Occurrence,
        count: u32,
        detail: Detail,
        lang: Lang,
        now_ms: u64,
    ) -> Self {
        let words = &lang.words().notices;
        let (normal, verbose) = (is_normal(occurrence, detail), detail == Detail::Verbose);
        let text =
            |text: &Option<String>, is_shown: bool| text.as_deref().filter(|_| is_shown).map(shown).unwrap_or_default();
        let (mut title, mut body) = template.fill(|path| match path {
            Path::Title => headline(occurrence, words),
            Path::Name => occurrence.event.name().to_owned(),
            Path::Priority => Priority::of(occurrence).name().to_owned(),
            Path::Count => count.to_string(),
            Path::Age => age(occurrence, words, now_ms),
            Path::Subject => text(&occurrence.subject, normal).replace('\n', " "),
            Path::Summary => text(&occurrence.summary, normal),
            Path::Content => text(&occurrence.content, verbose),
            Path::SessionId => session(occurrence),
            Path::SessionFolder => folder(occurrence),
        });
        if title.is_empty() {
            title = headline(occurrence, words);
        }
        if !template.shows(Path::Count) {
            title.push_str(&times(count));
        }
        let age = age(occurrence, words, now_ms);
        if !template.shows(Path::Age) && !age.is_empty() {
            body.push_str(&format!("\n{age}"));
        }
        Self { title, body: body.trim().to_owned() }
    }

    /// Shortens the notice so that title and body together cost at most `limit`. Text is left out at the end, and the
    /// notice then says so. If the limit is too small even for that, the notice is empty.
    pub fn fit(&self, limit: usize, cost: impl Fn(char) -> usize, lang: Lang) -> Fitted {
        let of = |text: &str| text.chars().map(&cost).sum::<usize>();
        if of(&self.title) + of(&self.body) <= limit {
            return Fitted { title: self.title.clone(), body: self.body.clone(), left_out: 0 };
        }
        let all = self.title.chars().count() + self.body.chars().count();
        let mark = |left_out: usize| fill(lang.words().notices.left_out, &[&left_out.to_string()]);
        // The mark is longest where everything is left out.
        let room = limit.saturating_sub(of(&mark(all)) + cost('\n'));
        let (title, _) = split_cost(&self.title, room, &cost);
        let (body, _) = split_cost(&self.body, room.saturating_sub(of(title)), &cost);
        let left_out = all - title.chars().count() - body.chars().count();
        let marked = if body.is_empty() { mark(left_out) } else { format!("{}\n{}", body.trim_end(), mark(left_out)) };
        let fits = of(title) + of(&marked) <= limit;
        Fitted { title: title.to_owned(), body: if fits { marked } else { String::new() }, left_out }
    }
}

fn headline(occurrence: &Occurrence, words: &NoticeWords) -> String {
    let subject = occurrence.subject.as_deref();
    match occurrence.event {
        EventKind::Notification => match subject {
            Some("permission_prompt") => words.permission,
            Some("idle_prompt") => words.idle,
            _ => words.attention,
        },
        // A turn whose tasks go on is not the end of the work.
        EventKind::Stop if occurrence.background > 0 => {
            return fill(words.turn_with_tasks, &[&occurrence.background.to_string()]);
        }
        EventKind::Stop => words.turn,
        EventKind::StopFailure => words.turn_failed,
        EventKind::SubagentStop => words.subagent,
        EventKind::SessionStart => words.session_started,
        EventKind::SessionEnd => words.session_ended,
        EventKind::UserPromptSubmit => words.prompt,
        EventKind::PostToolUse => words.tool_ran,
        EventKind::PostToolUseFailure => words.tool_failed,
        EventKind::PermissionDenied => words.denied,
        EventKind::RequestAsked => words.asked,
        EventKind::RequestExpired => words.expired,
        EventKind::NobodyReachable => words.nobody,
        EventKind::MessengerUnreachable => {
            let messenger = subject.map(|name| title(&visible_line(name))).unwrap_or_default();
            return format!("{}: {messenger}", words.messenger);
        }
        EventKind::Message => words.message,
    }
    .to_owned()
}

/// Returns whether a notice says more than what kind of thing happened. A person's own text is always shown.
fn is_normal(occurrence: &Occurrence, detail: Detail) -> bool {
    detail >= Detail::Normal || occurrence.event == EventKind::Message
}

/// Masks a text, and makes it visible.
fn shown(text: &str) -> String {
    visible(mask(text).as_str())
}

/// Returns the end of a title that counts; empty for a single occurrence.
fn times(count: u32) -> String {
    if count > 1 { format!(" ×{count}") } else { String::new() }
}

/// Returns how long ago it happened; empty if that is not worth a line.
fn age(occurrence: &Occurrence, words: &NoticeWords, now_ms: u64) -> String {
    let minutes = now_ms.saturating_sub(occurrence.at_ms) / 60_000;
    if minutes < LATE_MINUTES { String::new() } else { fill(words.late, &[&minutes.to_string()]) }
}

fn folder(occurrence: &Occurrence) -> String {
    let cwd = mask(&occurrence.cwd);
    cwd.as_str().trim_end_matches('/').rsplit('/').next().map(visible_line).unwrap_or_default()
}

fn session(occurrence: &Occurrence) -> String {
    visible_line(&occurrence.session_id.chars().take(SESSION).collect::<String>())
}

/// Returns the folder's name and the session.
fn place(occurrence: &Occurrence, words: &NoticeWords) -> String {
    let id = session(occurrence);
    let session = if id.is_empty() { String::new() } else { fill(words.session, &[&id]) };
    let parts = [folder(occurrence), session];
    parts.iter().filter(|part| !part.is_empty()).map(String::as_str).collect::<Vec<_>>().join(" · ")
}

/// Returns the subject of the event, and what happened. Some events have their subject in the headline already.
fn about(occurrence: &Occurrence) -> String {
    let is_said = matches!(
        occurrence.event,
        EventKind::Notification | EventKind::MessengerUnreachable | EventKind::Message | EventKind::Stop
    );
    let subject =
        occurrence.subject.as_deref().filter(|_| !is_said).map(|subject| visible_line(mask(subject).as_str()));
    let summary = occurrence.summary.as_deref().map(|summary| visible(mask(summary).as_str()));
    match (subject, summary) {
        (Some(subject), Some(summary)) => format!("{subject}: {summary}"),
        (subject, summary) => subject.or(summary).unwrap_or_default(),
    }
}

/// Returns the cost of a character for a service that counts UTF-16 code units.
pub fn units_cost(c: char) -> usize {
    c.len_utf16()
}

/// Returns the cost of a character in a Discord message, in which markup is escaped.
pub fn discord_cost(c: char) -> usize {
    units_cost(c) + usize::from(is_discord_markup(c))
}

/// Escapes a text, so that Discord shows it without interpreting markup.
pub fn escaped_for_discord(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if is_discord_markup(c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

/// Returns whether a character is ASCII punctuation that begins or ends markup, a mention, a link or a list.
fn is_discord_markup(c: char) -> bool {
    matches!(
        c,
        '\\' | '*' | '_' | '~' | '`' | '|' | '>' | '<' | '[' | ']' | '(' | ')' | '#' | '-' | '+' | ':' | '@' | '.'
    )
}

#[cfg(test)]
mod tests;
