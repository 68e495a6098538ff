//! Reads the Markdown of a post as the apps show it, by CommonMark.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// A post as a person reads it.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Read {
    /// The text without markup.
    pub(super) text: String,
    /// The parts of the text that are bold.
    pub(super) bold: Vec<String>,
    /// The code spans and blocks.
    pub(super) code: Vec<String>,
    /// What else had an effect.
    pub(super) markup: Vec<String>,
}

/// References that show nothing of the text, and stand-ins for them: a blank that is kept, an empty line, and what breaks a
/// mention.
const KEPT: [(&str, char, &str); 3] =
    [("&nbsp;", '\u{E000}', " "), ("&#8203;", '\u{E001}', ""), ("&#8288;", '\u{E002}', "")];
/// What makes a link, a mention, a hashtag, an emoji or a formula wherever it stands in a text.
const ACTIVE: [&str; 6] = ["@", ":", "#", "~", "$", "www."];

/// Returns what a person reads of the Markdown of a post.
pub(super) fn read(markdown: &str) -> Read {
    let mut read = Read { markup: active(markdown), ..Read::default() };
    let source = KEPT
        .iter()
        .fold(markdown.to_owned(), |text, (reference, stand_in, _)| text.replace(reference, &stand_in.to_string()));
    let mut parts = Vec::<String>::new();
    let mut needs_line = false;
    for event in Parser::new_ext(&source, Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TABLES) {
        if matches!(event, Event::Start(Tag::Paragraph | Tag::CodeBlock(_))) && std::mem::take(&mut needs_line) {
            read.text.push('\n');
        }
        match event {
            Event::Start(Tag::Paragraph) => {}
            Event::End(TagEnd::Paragraph) => needs_line = true,
            Event::Start(Tag::Strong | Tag::CodeBlock(_)) => parts.push(String::new()),
            Event::End(TagEnd::Strong) => read.bold.extend(parts.pop()),
            Event::End(TagEnd::CodeBlock) => {
                // The last line end belongs to the fence.
                read.text.pop();
                read.code.extend(parts.pop().map(|code| code.strip_suffix('\n').unwrap_or(&code).to_owned()));
                needs_line = true;
            }
            Event::Text(text) => push(&mut read, &mut parts, &text),
            Event::Code(code) => {
                read.code.push(code.to_string());
                push(&mut read, &mut parts, &code);
            }
            Event::SoftBreak | Event::HardBreak => push(&mut read, &mut parts, "\n"),
            other => read.markup.push(format!("{other:?}")),
        }
    }
    for text in read.bold.iter_mut().chain(&mut read.code).chain([&mut read.text]) {
        *text = KEPT.iter().fold(std::mem::take(text), |text, (_, stand_in, shown)| text.replace(*stand_in, shown));
    }
    read
}

fn push(read: &mut Read, parts: &mut [String], text: &str) {
    read.text.push_str(text);
    parts.iter_mut().for_each(|part| part.push_str(text));
}

/// Returns what an app would make something of outside of code, although CommonMark does not.
fn active(markdown: &str) -> Vec<String> {
    let mut fence = None;
    let mut found = Vec::new();
    for line in markdown.lines() {
        match &fence {
            Some(open) if line == open => fence = None,
            Some(_) => {}
            None if line.starts_with("```") => fence = Some(line.to_owned()),
            None => {
                // Code spans are at odd places. A reference is not the character that it stands for.
                let words = line.split('`').step_by(2).collect::<String>().replace("&#", "");
                found.extend(ACTIVE.iter().filter(|it| words.contains(**it)).map(|it| (*it).to_owned()));
            }
        }
    }
    found
}
