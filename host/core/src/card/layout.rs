//! Fits a request into the limits of a messenger. No text is dropped silently: the middle of a long text moves into a
//! file that holds all of it, or into messages above the card if the messenger takes no files.

use super::{Part, Style, Subject, always, choices, question};
use crate::flow::Form;
use crate::messenger::{Answering, Attachment, Block, Card, Choice};
use crate::present::MODE_CHANGE;
use crate::request::Offer;
use crate::text::{fill, split_units, units};

/// The most messages above a card. With more, nobody could judge the request in a chat.
const MAX_PAGES: usize = 20;
/// The fewest units that are kept of a long part, so that even a full card shows what it is about.
const MIN_EXCERPT: usize = 80;

/// The request is larger than the messenger can show in any form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the request is too long to be shown whole: {units} characters are more than this messenger takes")]
pub struct DoesNotFit {
    /// The request's length in units.
    pub units: usize,
}

/// The content of the card that asks a request.
#[derive(Debug, Clone, Copy)]
pub struct Asking<'a> {
    /// The subject, in full.
    pub subject: &'a Subject,
    /// The answers that are offered besides yes and no.
    pub offer: &'a Offer,
    /// The choices made on the card so far.
    pub form: &'a Form,
    /// The tag that each of its buttons carries.
    pub tag: &'a str,
}

/// Returns the cards to post for a request, in order. The last one carries the choices, those before it the rest of
/// its text. `budget` is the number of units that the card may have: the messenger's limit, or less if that proved
/// too much.
pub fn ask(asking: Asking<'_>, style: Style, budget: usize) -> Result<Vec<Card>, DoesNotFit> {
    let Asking { subject, tag, .. } = asking;
    let frame = Frame::of(asking, style);
    let whole: usize = frame.parts.iter().map(|part| units(part.text()) + 1).sum();
    let room = budget.saturating_sub(frame.units);
    if whole <= room {
        return Ok(vec![frame.card(frame.parts.clone(), None)]);
    }
    let text = full_text(subject, &frame.parts);
    let total = units(&text);
    let file_name = format!("request-{}.txt", subject.request_id.chars().take(8).collect::<String>());
    if text.len() <= style.limits.attachment {
        let gap = |left_out: usize| fill(style.lang.words().in_file, &[&left_out.to_string(), &file_name]);
        let excerpt = excerpt(&frame.parts, room, &gap);
        let media_type = "text/plain; charset=utf-8".to_owned();
        let file = Attachment { name: file_name.clone(), media_type, data: text.into_bytes() };
        return Ok(vec![frame.card(excerpt, Some(file))]);
    }
    let pages = pages(&text, style.limits.text.min(budget).saturating_sub(MIN_EXCERPT));
    if pages.len() > MAX_PAGES {
        return Err(DoesNotFit { units: total });
    }
    let gap = |left_out: usize| fill(style.lang.words().above, &[&left_out.to_string()]);
    let card = frame.card(excerpt(&frame.parts, room, &gap), None);
    let count = pages.len().to_string();
    let above = pages.into_iter().enumerate().map(|(index, page)| {
        let number = (index + 1).to_string();
        // A page has a tag of its own, so that a messenger that rejects duplicates does not mistake it for the card.
        let tag = format!("{}{number}", tag.chars().take(18).collect::<String>());
        let title = fill(style.lang.words().page, &[&number, &count]);
        Card::new(&tag, title, vec![Block::Code(page)])
    });
    Ok(above.chain([card]).collect())
}

/// The blocks around the parts: the title above, the context and other lines below, the choices.
struct Frame<'a> {
    asking: Asking<'a>,
    title: String,
    parts: Vec<Part>,
    context: Vec<String>,
    below: Vec<String>,
    choices: Vec<Choice>,
    units: usize,
}

impl<'a> Frame<'a> {
    fn of(asking: Asking<'a>, style: Style) -> Self {
        let (words, subject) = (style.lang.words(), asking.subject);
        let form = asking.form.clone().fitting(asking.offer);
        let title = match subject.tool.as_str() {
            "ExitPlanMode" => words.plan.to_owned(),
            MODE_CHANGE => words.mode_change.to_owned(),
            tool => fill(words.request, &[tool]),
        };
        let (title, parts) = match question::text(asking.offer, &form, words) {
            Some((title, parts)) => (title, parts.into_iter().chain(subject.parts.iter().cloned()).collect()),
            None => (title, subject.parts.clone()),
        };
        let choices = choices(style, asking.offer, &form);
        let legend = || {
            let labels: Vec<_> = choices.iter().map(named).collect();
            fill(words.react, &[&labels.join(" · ")])
        };
        let legend = (style.answering == Answering::Reactions).then(legend);
        let id = fill(words.id, &[&subject.request_id]);
        let elsewhere = asking.offer.asked_on.as_ref().map_or(words.unanswerable, |_| words.asked_here);
        let elsewhere = asking.offer.unanswerable.then(|| elsewhere.to_owned());
        let granting = subject.grant.iter().chain(&subject.granted).cloned();
        let always = always::lines(asking.offer, &form, style);
        let below = elsewhere.into_iter().chain(granting).chain(always).chain([id]).chain(legend);
        let below: Vec<String> = below.collect();
        let context: Vec<String> =
            subject.warning(style.lang).into_iter().chain(subject.context.iter().cloned()).collect();
        let lines = context.iter().chain(&below);
        let frame_units = units(&title) + 1 + lines.map(|line| units(line) + 1).sum::<usize>();
        Self { asking, title, parts, context, below, choices, units: frame_units }
    }

    fn card(&self, parts: Vec<Part>, file: Option<Attachment>) -> Card {
        let parts = parts.into_iter().map(Part::block);
        let context = self.context.iter().cloned().map(Block::Text);
        let below = self.below.iter().cloned().map(Block::Text);
        // A phone's notification shows the first lines: what is asked, what stands out about it, then where.
        let body = parts.chain(context).chain(file.map(Block::File)).chain(below).collect();
        Card { choices: self.choices.clone(), ..Card::new(self.asking.tag, self.title.clone(), body) }
    }
}

/// Returns a choice for the legend of reactions: its label, which begins with its emoji.
fn named(choice: &Choice) -> String {
    match choice.label.split_once(' ') {
        Some((mark, rest)) if matches!(mark, "✅" | "▫️") && mark != choice.emoji => {
            format!("{} {mark} {rest}", choice.emoji)
        }
        _ => choice.label.clone(),
    }
}

/// Returns everything that is asked, as one text.
fn full_text(subject: &Subject, parts: &[Part]) -> String {
    let lines = subject.context.iter().map(String::as_str);
    let parts = parts.iter().map(Part::text);
    let tool = std::iter::once(subject.tool.as_str());
    tool.chain(lines).chain(parts).collect::<Vec<_>>().join("\n")
}

/// Returns the parts that fit in about `room` units. The middle of the longest ones is left out, and each gap is
/// marked.
fn excerpt(parts: &[Part], room: usize, gap: &dyn Fn(usize) -> String) -> Vec<Part> {
    let gap_units = units(&gap(usize::MAX / 2)) + 2;
    // A part that is shorter than its fair share stays whole, and leaves the rest of its share to the others.
    let mut by_length: Vec<_> = parts.iter().enumerate().map(|(at, part)| (units(part.text()) + 1, at)).collect();
    by_length.sort_unstable();
    let (mut room, mut shares) = (room, vec![0; parts.len()]);
    for (done, (length, at)) in by_length.iter().enumerate() {
        let fair = room / (parts.len() - done).max(1);
        let share = (*length).min(fair);
        room -= share;
        if let Some(slot) = shares.get_mut(*at) {
            *slot = share;
        }
    }
    let shortened = parts.iter().zip(shares).map(|(part, share)| {
        let text = part.text();
        if units(text) < share {
            return part.clone();
        }
        let keep = share.saturating_sub(gap_units).max(MIN_EXCERPT.min(share));
        let (head, rest) = split_units(text, keep * 2 / 3);
        let tail_from = units(rest).saturating_sub(keep / 3);
        let (left_out, tail) = split_units(rest, tail_from);
        part.with_text(format!("{head}\n{}\n{tail}", gap(left_out.chars().count())))
    });
    shortened.collect()
}

fn pages(text: &str, page_units: usize) -> Vec<String> {
    let mut pages = Vec::new();
    let mut rest = text;
    while !rest.is_empty() && pages.len() <= MAX_PAGES {
        let (page, more) = split_units(rest, page_units.max(2));
        pages.push(page.to_owned());
        rest = more;
    }
    pages
}
