//! Breaks text into lines without a font: the width of each character is an estimate for common fonts, rather too large
//! than too small.

use unicode_width::UnicodeWidthChar;

/// A colour. Pictures have a light background of their own, so they look the same on a dark page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Ink {
    #[default]
    Text,
    Quiet,
    Link,
    White,
    Other(&'static str),
}

/// The style of a piece of text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Look {
    pub(super) bold: bool,
    pub(super) italic: bool,
    pub(super) mono: bool,
    pub(super) underline: bool,
    pub(super) strike: bool,
    pub(super) ink: Ink,
}

/// A piece of a line in one style.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) text: String,
    pub(super) look: Look,
}

pub(super) type Line = Vec<Run>;

impl Ink {
    pub(super) fn colour(self) -> &'static str {
        match self {
            Self::Text => "#1f2328",
            Self::Quiet => "#5c6670",
            Self::Link => "#0969da",
            Self::White => "#ffffff",
            Self::Other(colour) => colour,
        }
    }
}

impl Run {
    pub(super) fn new(text: &str, look: Look) -> Self {
        Self { text: text.to_owned(), look }
    }
}

/// The line that stands for lines which the picture, not the card, leaves out.
pub(super) const FOLD: &str = "⋮";
/// The number of lines up to which a text is drawn whole. Of a longer text, the first and the last lines are drawn, and
/// those around a line that starts with `⋯`.
const MOST: usize = 40;
const FIRST: usize = 12;
const LAST: usize = 8;
const AROUND: usize = 3;

/// Breaks a text of one style into lines of at most `room` pixels.
pub(super) fn lines(text: &str, look: Look, room: u32, size: u32) -> Vec<Line> {
    wrap(&[Run::new(text, look)], room, size)
}

/// Breaks text after spaces, and between wide characters other than Hangul, which is broken between words. Code, and a
/// word that is too long for a line, break anywhere.
pub(super) fn wrap(runs: &[Run], room: u32, size: u32) -> Vec<Line> {
    let mut done = Vec::new();
    let mut line: Vec<(char, Look)> = Vec::new();
    let (mut used, mut may_break) = (0, None);
    for (c, look) in runs.iter().flat_map(|run| run.text.chars().map(|c| (c, run.look))) {
        if c == '\n' {
            done.push(line_of(std::mem::take(&mut line)));
            (used, may_break) = (0, None);
            continue;
        }
        let width = advance(c, look, size);
        if used + width > room * 1000 && c != ' ' && !line.is_empty() {
            let rest = may_break.map_or_else(Vec::new, |at| line.split_off(at));
            used = rest.iter().map(|(c, look)| advance(*c, *look, size)).sum();
            done.push(line_of(std::mem::replace(&mut line, rest)));
            may_break = None;
        }
        line.push((c, look));
        used += width;
        if c == ' ' && !look.mono || c.width() == Some(2) && !is_hangul(c) {
            may_break = Some(line.len());
        }
    }
    done.push(line_of(line));
    done
}

/// Shortens a long text to its first and last lines, and the line in which the card states how many characters it
/// leaves out. [`FOLD`] stands for the other lines.
pub(super) fn folded(lines: Vec<Line>) -> Vec<Line> {
    let count = lines.len();
    if count <= MOST {
        return lines;
    }
    let says: Vec<usize> = (0..count).filter(|at| lines.get(*at).is_some_and(says_of_more)).collect();
    let is_kept = |at: usize| at < FIRST || at + LAST >= count || says.iter().any(|it| it.abs_diff(at) <= AROUND);
    let mut kept = Vec::new();
    let mut folding = false;
    for (at, line) in lines.into_iter().enumerate() {
        if is_kept(at) {
            kept.push(line);
        } else if !folding {
            kept.push(vec![Run::new(FOLD, Look { ink: Ink::Quiet, ..Look::default() })]);
        }
        folding = !is_kept(at);
    }
    kept
}

fn says_of_more(line: &Line) -> bool {
    line.first().is_some_and(|run| run.text.starts_with('⋯'))
}

/// Returns the width of a text on one line, in pixels.
pub(super) fn width(text: &str, look: Look, size: u32) -> u32 {
    text.chars().map(|c| advance(c, look, size)).sum::<u32>().div_ceil(1000)
}

/// Cuts the text to the width of a line, and ends it with an ellipsis if it was cut.
pub(super) fn fitted(text: &str, look: Look, room: u32, size: u32) -> String {
    if width(text, look, size) <= room {
        return text.to_owned();
    }
    let mut kept = String::new();
    for c in text.chars() {
        if width(&kept, look, size) + advance(c, look, size).div_ceil(1000) + size > room {
            break;
        }
        kept.push(c);
    }
    format!("{}…", kept.trim_end())
}

fn line_of(chars: Vec<(char, Look)>) -> Line {
    let mut line: Line = Vec::new();
    for (c, look) in chars {
        match line.last_mut().filter(|run| run.look == look) {
            Some(run) => run.text.push(c),
            None => line.push(Run::new(&c.to_string(), look)),
        }
    }
    line
}

fn is_hangul(c: char) -> bool {
    matches!(c, '\u{1100}'..='\u{11ff}' | '\u{3130}'..='\u{318f}' | '\u{ac00}'..='\u{d7a3}')
}

/// Returns the width of a character in thousandths of a pixel.
fn advance(c: char, look: Look, size: u32) -> u32 {
    let em = match (c, c.width().unwrap_or_default()) {
        (_, 0) => 0,
        ('\u{2600}'..='\u{27bf}' | '\u{1f000}'.., _) => 1350,
        (_, 2) => 1000,
        _ if look.mono => 610,
        ('i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | ' ' | 'I', _) => 300,
        ('f' | 't' | 'r' | '(' | ')' | '[' | ']' | '{' | '}' | '/' | '\\' | '-' | '"' | '`', _) => 400,
        ('m' | 'w' | 'M' | 'W' | '@' | '%', _) => 890,
        ('A'..='Z', _) => 690,
        _ => 630,
    };
    em * size * if look.bold { 112 } else { 100 } / 100
}
