use dmplz_core::messenger::{Attachment, Block, ButtonStyle, Card, Choice, TextField};

use crate::Platform;

/// The beginning of the label of the choice that opens a prompt's form.
pub const WRITE: &str = "✍️";

/// The ids and emoji of the choices of [`question`].
pub const CHOICES: [(&str, &str); 3] = [("approve", "✅"), ("session", "🔄"), ("deny", "❌")];

/// Returns an empty card.
pub fn blank(tag: &str) -> Card {
    Card::new(tag, String::new(), Vec::new())
}

/// Returns a notice with one text.
pub fn text(tag: &str, text: &str) -> Card {
    Card { body: vec![Block::Text(text.to_owned())], ..blank(tag) }
}

/// Returns a card of an ended request: without choices.
pub fn card(tag: &str) -> Card {
    Card { title: "May I?".to_owned(), body: vec![Block::Code("rm -rf ./target".to_owned())], ..blank(tag) }
}

/// Returns the same card with its choices.
pub fn question(tag: &str) -> Card {
    Card { choices: CHOICES.map(|(id, _)| choice(id)).to_vec(), ..card(tag) }
}

/// Returns a card that asks for a text, in this platform's way.
pub fn prompt<P: Platform>(tag: &str) -> Card {
    let field =
        TextField { title: "Why?".to_owned(), label: "A reason".to_owned(), placeholder: String::new(), max: 4000 };
    let write = Choice { field: Some(field), ..Choice::new("write", &format!("{WRITE} Write"), ButtonStyle::Primary) };
    let choices = if P::READS_CHAT { Vec::new() } else { vec![write] };
    Card { wants_text: true, choices, ..text(tag, "why?") }
}

/// Returns the choice of [`CHOICES`] with that id.
pub fn choice(id: &str) -> Choice {
    let (id, emoji) = CHOICES.into_iter().find(|choice| choice.0 == id).expect("a choice of the question");
    Choice::new(id, &format!("{emoji} {id}"), ButtonStyle::Secondary)
}

/// Returns code as this platform's people see it; nothing if it looks like other text.
pub fn code<P: Platform>(code: &[&str]) -> Vec<String> {
    let shown = code.iter().filter(|_| P::SHOWS_CODE);
    shown.map(|code| (*code).to_owned()).collect()
}

/// Returns a file of that many bytes.
pub fn file(name: &str, bytes: usize) -> Block {
    let data = b"0123456789abcdef".iter().copied().cycle().take(bytes).collect();
    Block::File(Attachment { name: name.to_owned(), media_type: "text/plain; charset=utf-8".to_owned(), data })
}
