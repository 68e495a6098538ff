//! Answers that are typed, for messengers that have neither buttons nor a menu of reactions.
//!
//! The component posts texts and reports texts. The host writes a code in front of each choice of a card, and takes a text that
//! begins with such a code for a press of that choice. To all others this is a messenger with buttons.
//!
//! | somebody writes | so |
//! |---|---|
//! | the code of a choice of a watched card in that chat, in any case | the choice is pressed |
//! | the code, and words | likewise, if the choice asks for words or denies: a denial with words is one. Otherwise it is a text: "yes, but" is no yes |
//! | anything else: "ok", "1", the code of a card of the past | a text |
//!
//! A card that is revised while the component waits for events has other codes than it was told to watch, so the choices that this
//! process showed count as well, for as long as they are [remembered](Shown).
//!
//! A card may be seen long before the component returns from posting it, and it may never return. So a code that denies and is
//! typed meanwhile is a press at once. Any other is kept, and is a press once the card's message is known.
//!
//! A code follows from the tag of its card, which nobody can guess, and from the choice, so that it is the same after a restart and
//! another one on every card. Two choices that have the same code (one in 24 million) cannot be told apart, so it answers neither.

use std::borrow::Cow;
use std::collections::VecDeque;

use dmplz_core::flow::Action;
use dmplz_core::messenger::{
    Batch, Block, ButtonStyle, Card, Choice, Chosen, Event, MessageRef, Said, Transport, Watch,
};
use dmplz_core::text::{Lang, units};
use sha2::{Digest, Sha256};

/// What a code consists of: none of it is mistaken for another, or spells a word.
const LETTERS: &[u8; 28] = b"23456789BCDFGHJKMNPQRSTVWXYZ";
/// The letters of a code.
const LENGTH: usize = 5;
/// The most units of a choice's line: the code, what stands between, a label, the line feed.
const LINE: usize = LENGTH + 5 + 64 + 1;
/// The most choices on a card, however many the component takes.
const MOST: usize = 12;

/// The most cards whose choices are remembered. A card of the past that is still watched needs no place here.
const REMEMBERED: usize = 256;
/// The most codes that are kept for cards which are being posted.
const EARLY: usize = 32;

/// The choices that this process showed, of the last cards. What a choice means now, and whether it still does, others decide.
#[derive(Debug, Default)]
pub(crate) struct Shown {
    cards: VecDeque<Watch>,
    /// The cards that are being posted, or may have been. Their messages have no id and no place yet.
    posting: VecDeque<Watch>,
    /// The codes of those cards that were typed already and do not deny, oldest first.
    early: VecDeque<Said>,
}

impl Shown {
    /// Remembers the choices of a card that is about to be posted to this chat.
    pub(crate) fn post(&mut self, chat: &str, card: &Card) {
        self.posting.retain(|watch| watch.tag != card.tag);
        if !card.choices.is_empty() {
            let message = MessageRef { chat: chat.to_owned(), id: String::new(), sequence: 0 };
            let watch = Watch { message, tag: card.tag.clone(), choices: card.choices.clone(), text: false };
            push(&mut self.posting, watch, REMEMBERED);
        }
    }

    /// Remembers the choices of a card, beside those that it had before.
    pub(crate) fn keep(&mut self, message: &MessageRef, card: &Card) {
        self.posting.retain(|watch| watch.tag != card.tag);
        let before = self.cards.iter().position(|watch| watch.message == *message && watch.tag == card.tag);
        if before.is_none() && card.choices.is_empty() {
            return;
        }
        let empty = || Watch { message: message.clone(), tag: card.tag.clone(), choices: Vec::new(), text: false };
        let mut watch = before.and_then(|at| self.cards.remove(at)).unwrap_or_else(empty);
        for choice in &card.choices {
            watch.choices.retain(|it| it.id != choice.id);
            watch.choices.push(choice.clone());
        }
        push(&mut self.cards, watch, REMEMBERED);
    }

    /// Returns what the component watches: whether a text answers the host finds out. The chats of cards that are being posted are
    /// watched as well.
    pub(crate) fn watched(&self, watching: &[Watch]) -> Vec<Watch> {
        let watch = |watch: &Watch| Watch {
            choices: Vec::new(),
            text: watch.text || !watch.choices.is_empty(),
            ..watch.clone()
        };
        watching.iter().chain(&self.posting).map(watch).collect()
    }

    /// Takes the presses on cards that were being posted when their codes came in.
    pub(crate) fn arrived(&mut self, watching: &[Watch]) -> Vec<Event> {
        let early = std::mem::take(&mut self.early);
        let mut presses = Vec::new();
        for said in early {
            match self.pressed(&said, watching) {
                Some(press) => presses.push(Event::Chosen(press)),
                None => self.early.push_back(said),
            }
        }
        presses
    }

    /// Returns the events, in which the texts that press a choice are presses. Codes of a card that is being posted are kept for
    /// [`Self::arrived`], unless they deny.
    pub(crate) fn answered(&mut self, batch: Batch, watching: &[Watch]) -> Batch {
        let mut events = Vec::new();
        for event in batch.events {
            match event {
                Event::Said(said) => {
                    let posted = self.pressed(&said, watching);
                    match posted.or_else(|| pressed(&said, self.posting.iter())) {
                        Some(press) if press.message.is_known() || denies(&press) => events.push(Event::Chosen(press)),
                        Some(_) => push(&mut self.early, said, EARLY),
                        None => events.push(Event::Said(said)),
                    }
                }
                Event::Chosen(_) => events.push(event),
            }
        }
        Batch { events, ..batch }
    }

    fn pressed(&self, said: &Said, watching: &[Watch]) -> Option<Chosen> {
        pressed(said, watching.iter().chain(&self.cards))
    }
}

/// Returns the press that a text is on one of these cards.
fn pressed<'a>(said: &Said, cards: impl Iterator<Item = &'a Watch>) -> Option<Chosen> {
    let text = said.text.trim();
    let (first, words) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let first = first.trim_matches(|c: char| !c.is_alphanumeric());
    let words = words.trim();
    let here = cards.filter(|watch| watch.message.chat == said.message.chat);
    let mut found = here
        .flat_map(|watch| watch.choices.iter().map(move |choice| (watch, choice)))
        .filter(|(watch, choice)| code(&watch.tag, choice).eq_ignore_ascii_case(first));
    let (watch, choice) = found.next()?;
    // The same choice may be here twice.
    if found.any(|(other, it)| other.message != watch.message || it.id != choice.id) {
        return None;
    }
    let takes_words = choice.field.is_some();
    if !words.is_empty() && !takes_words && choice.style != ButtonStyle::Danger {
        return None;
    }
    Some(Chosen {
        message: watch.message.clone(),
        tag: Some(watch.tag.clone()),
        choice: choice.id.clone(),
        user: said.user.clone(),
        token: said.message.id.clone(),
        text: Some(words.to_owned()).filter(|_| takes_words && !words.is_empty()),
    })
}

fn denies(press: &Chosen) -> bool {
    Action::parse(&press.choice).is_some_and(Action::denies)
}

/// Returns the press as the component acknowledges it: if the message of the card is not known, the message is the text.
pub(crate) fn acknowledged(press: &Chosen) -> Cow<'_, Chosen> {
    if press.message.is_known() {
        return Cow::Borrowed(press);
    }
    let message = MessageRef { id: press.token.clone(), ..press.message.clone() };
    Cow::Owned(Chosen { message, ..press.clone() })
}

/// Returns the transport as the host uses it: what the codes take is not there for the card's own texts.
pub(crate) fn with_room(transport: Transport, lang: Lang) -> Transport {
    let mut limits = transport.limits;
    limits.choices = limits.choices.min(MOST);
    limits.text = limits.text.saturating_sub(units(lang.words().typed) + 1 + limits.choices * LINE);
    Transport { limits, ..transport }
}

/// Returns the card with its choices as lines of text.
pub(crate) fn shown(card: &Card, lang: Lang) -> Card {
    let mut card = card.clone();
    let choices = std::mem::take(&mut card.choices);
    if choices.is_empty() {
        return card;
    }
    let line = |choice: &Choice| {
        let more = if choice.field.is_some() { " …" } else { "" };
        format!("{}{more} · {}", code(&card.tag, choice), choice.label)
    };
    let lines: Vec<String> = std::iter::once(lang.words().typed.to_owned()).chain(choices.iter().map(line)).collect();
    card.body.push(Block::Text(lines.join("\n")));
    card
}

/// Adds to a list, and drops the oldest beyond `most`.
fn push<T>(list: &mut VecDeque<T>, one: T, most: usize) {
    list.push_back(one);
    if list.len() > most {
        list.pop_front();
    }
}

fn code(tag: &str, choice: &Choice) -> String {
    let digest = Sha256::new().chain_update(tag).chain_update([0]).chain_update(&choice.id).finalize();
    let letter = |byte: &u8| LETTERS.get(usize::from(*byte) % LETTERS.len()).map(|letter| char::from(*letter));
    digest.iter().take(LENGTH).filter_map(letter).collect()
}

#[cfg(test)]
mod tests {
    use dmplz_core::messenger::{Answering, Limits, TextField, User};

    use super::*;

    fn choices() -> Vec<Choice> {
        let field = TextField { title: "t".into(), label: "l".into(), placeholder: String::new(), max: 9 };
        vec![
            Choice::new("approve", "✅ Approve", ButtonStyle::Success),
            Choice::new("deny", "❌ Deny", ButtonStyle::Danger),
            Choice { field: Some(field), ..Choice::new("tell", "✏️ Tell", ButtonStyle::Secondary) },
        ]
    }

    fn watch(tag: &str, chat: &str) -> Watch {
        let message = MessageRef { chat: chat.into(), id: format!("card {tag}"), sequence: 1 };
        Watch { message, tag: tag.into(), choices: choices(), text: false }
    }

    fn press(text: &str, watching: &[Watch]) -> Option<(String, String, Option<String>)> {
        let user = User { id: "7".into(), name: "Jin".into(), is_bot: false };
        let message = MessageRef { chat: "office".into(), id: "said".into(), sequence: 2 };
        let said = Said { message, reply_to: None, user, text: text.into(), files: Vec::new() };
        let batch = Batch { events: vec![Event::Said(said.clone())], cursor: "c".into() };
        match Shown::default().answered(batch, watching).events.pop().unwrap() {
            Event::Chosen(it) => {
                assert_eq!((it.user, it.token), (said.user, "said".to_owned()));
                Some((it.message.id, it.choice, it.text))
            }
            event => {
                assert_eq!(event, Event::Said(said));
                None
            }
        }
    }

    #[test]
    fn a_card_shows_a_code_in_front_of_each_choice_and_nothing_else_of_them() {
        let card = Card { choices: choices(), ..Card::new("TAG", "title".into(), vec![Block::Text("text".into())]) };
        let shown = shown(&card, Lang::En);
        assert!(shown.choices.is_empty());
        insta::assert_compact_debug_snapshot!(shown.body, @r#"[Text("text"), Text("To answer, send the code in front of your choice:\nFXGBB · ✅ Approve\nN7QPX · ❌ Deny\nN6RR8 … · ✏\u{fe0f} Tell")]"#);
        let plain = Card::new("TAG", "title".into(), Vec::new());
        assert_eq!(super::shown(&plain, Lang::En), plain);
    }

    #[test]
    fn only_a_code_of_a_watched_card_in_the_same_chat_presses_a_choice() {
        let watching = [watch("TAG", "office"), watch("GAT", "office"), watch("ELSE", "elsewhere")];
        let all = choices();
        let [approve, deny, tell] = [&all[0], &all[1], &all[2]].map(|choice| code("TAG", choice));
        let chosen =
            |id: &str, text: Option<&str>| Some(("card TAG".to_owned(), id.to_owned(), text.map(str::to_owned)));
        for (text, is) in [
            (approve.clone(), chosen("approve", None)),
            (format!("  {} \n", approve.to_lowercase()), chosen("approve", None)),
            (format!("`{approve}`."), chosen("approve", None)),
            (format!("{approve} but only once"), None),
            (format!("ok {approve}"), None),
            (format!("{approve}{deny}"), None),
            (format!("{deny} not to main"), chosen("deny", None)),
            (tell.clone(), chosen("tell", None)),
            (format!("{tell}\n run  the tests\nfirst "), chosen("tell", Some("run  the tests\nfirst"))),
            (code("ELSE", &all[0]), None),
            (code("PAST", &all[0]), None),
            ("ok".to_owned(), None),
            ("approve".to_owned(), None),
            ("1".to_owned(), None),
            (String::new(), None),
        ] {
            assert_eq!(press(&text, &watching), is, "{text:?}");
        }
        assert_eq!(press(&code("GAT", &all[0]), &watching).unwrap().0, "card GAT");
    }

    #[test]
    fn what_a_card_showed_is_known_although_nobody_watches_it_yet() {
        let message = watch("TAG", "office").message;
        let mut shown = Shown::default();
        let card = |choices| Card { choices, ..Card::new("TAG", String::new(), Vec::new()) };
        shown.keep(&message, &card(choices()[..1].to_vec()));
        shown.keep(&message, &card(choices()[1..].to_vec()));
        shown.keep(&message, &card(Vec::new()));
        let said = |choice: &Choice| Said {
            message: MessageRef { id: "said".into(), ..message.clone() },
            reply_to: None,
            user: User { id: "7".into(), name: "Jin".into(), is_bot: false },
            text: code("TAG", choice),
            files: Vec::new(),
        };
        for choice in &choices() {
            assert_eq!(shown.pressed(&said(choice), &[]).unwrap().choice, choice.id);
        }
        for number in 0..REMEMBERED {
            let other = MessageRef { id: number.to_string(), ..message.clone() };
            shown.keep(&other, &Card { tag: number.to_string(), ..card(choices()) });
        }
        assert_eq!((shown.cards.len(), shown.pressed(&said(&choices()[0]), &[])), (REMEMBERED, None));
    }

    #[test]
    fn a_code_that_is_typed_while_its_card_is_being_posted_presses_once_the_message_is_known() {
        let message = watch("TAG", "office").message;
        let card = Card { choices: choices(), ..Card::new("TAG", String::new(), Vec::new()) };
        let said = |chat: &str, text: String| {
            let message = MessageRef { chat: chat.into(), id: "said".into(), sequence: 2 };
            let user = User { id: "7".into(), name: "Jin".into(), is_bot: false };
            Event::Said(Said { message, reply_to: None, user, text, files: Vec::new() })
        };
        let mut shown = Shown::default();
        shown.post("office", &card);
        let watched = shown.watched(&[]);
        assert_eq!((watched.len(), watched[0].text, &watched[0].message.chat), (1, true, &message.chat));
        let [approve, deny] = [0, 1].map(|at| code("TAG", &choices()[at]));
        let others = [said("elsewhere", deny), said("office", format!("{approve} but")), said("office", "ok".into())];
        let events = others.iter().cloned().chain([said("office", approve)]).collect();
        let batch = shown.answered(Batch { events, cursor: "c".into() }, &[]);
        assert_eq!((batch.events, batch.cursor), (others.to_vec(), "c".to_owned()));
        // Not before its message is known, also where the first attempt to post it failed.
        assert_eq!(shown.arrived(&[]), []);
        shown.post("office", &card);
        assert_eq!(shown.arrived(&[]), []);
        shown.keep(&message, &card);
        let arrived = shown.arrived(&[]);
        let [Event::Chosen(press)] = arrived.as_slice() else { panic!("{arrived:?}") };
        assert_eq!((&press.message, press.choice.as_str()), (&message, "approve"));
        assert_eq!((shown.arrived(&[]), shown.watched(&[])), (Vec::new(), Vec::new()));
    }

    #[test]
    fn a_denial_that_is_typed_while_its_card_is_being_posted_presses_at_once() {
        let card = Card { choices: choices(), ..Card::new("TAG", String::new(), Vec::new()) };
        let mut shown = Shown::default();
        shown.post("office", &card);
        for (at, choice) in [(1, "deny"), (2, "tell")] {
            let user = User { id: "7".into(), name: "Jin".into(), is_bot: false };
            let message = MessageRef { chat: "office".into(), id: "said".into(), sequence: 2 };
            let text = format!("{} not to main", code("TAG", &choices()[at]));
            let said = Event::Said(Said { message, reply_to: None, user, text, files: Vec::new() });
            let events = shown.answered(Batch { events: vec![said], cursor: String::new() }, &[]).events;
            let [Event::Chosen(press)] = events.as_slice() else { panic!("{events:?}") };
            assert_eq!((press.choice.as_str(), press.tag.as_deref()), (choice, Some("TAG")));
            assert!(!press.message.is_known(), "nobody may take it for the card");
            assert_eq!(acknowledged(press).message.id, "said");
        }
        shown.keep(&watch("TAG", "office").message, &card);
        assert_eq!(shown.arrived(&[]), []);
    }

    #[test]
    fn the_codes_that_wait_for_their_cards_are_bounded() {
        let card = Card { choices: choices(), ..Card::new("TAG", String::new(), Vec::new()) };
        let mut shown = Shown::default();
        for number in 0..=REMEMBERED {
            shown.post("office", &Card { tag: number.to_string(), ..card.clone() });
        }
        shown.post("office", &card);
        let user = User { id: "7".into(), name: "Jin".into(), is_bot: false };
        let message = MessageRef { chat: "office".into(), id: "said".into(), sequence: 2 };
        let text = code("TAG", &choices()[0]);
        let said = Event::Said(Said { message, reply_to: None, user, text, files: Vec::new() });
        shown.answered(Batch { events: vec![said; EARLY + 1], cursor: String::new() }, &[]);
        assert_eq!((shown.posting.len(), shown.early.len()), (REMEMBERED, EARLY));
    }

    #[test]
    fn a_code_that_two_choices_have_answers_neither() {
        let (one, mut other) = (watch("TAG", "office"), watch("TAG", "office"));
        let code = code("TAG", &one.choices[0]);
        assert!(press(&code, &[one.clone(), one.clone()]).is_some(), "one card, watched twice");
        other.message.id = "another card".into();
        assert_eq!(press(&code, &[one, other]), None);
    }

    #[test]
    fn codes_have_letters_that_are_read_aloud_and_are_new_on_every_card() {
        let all = choices();
        let codes: std::collections::BTreeSet<String> =
            (0..1000).flat_map(|tag| all.iter().map(move |choice| code(&format!("T{tag}"), choice))).collect();
        assert!(codes.len() > 2_990, "{}", codes.len());
        assert!(codes.iter().all(|code| code.len() == LENGTH && code.bytes().all(|byte| LETTERS.contains(&byte))));
    }

    #[test]
    fn what_the_codes_take_is_not_there_for_the_texts() {
        let limits = Limits { text: 2_000, choices: 100, attachment: 0, notice: 100 };
        let transport = Transport {
            name: "t".into(),
            help: String::new(),
            limits,
            answering: Answering::Typed,
            poll_interval: 0,
            presses_kept: None,
            persistent: true,
            reads_chat: true,
            threads: false,
            commands: false,
            files: false,
            drafts: false,
        };
        let long = |at| Choice { label: "🙂".repeat(32), ..Choice::new(&format!("c{at}"), "", ButtonStyle::Primary) };
        for lang in [Lang::En, Lang::Ko] {
            let left = with_room(transport.clone(), lang).limits;
            let choices = (0..left.choices).map(long).collect();
            let card = shown(&Card { choices, ..Card::new("T", "x".repeat(left.text), Vec::new()) }, lang);
            let Some(Block::Text(lines)) = card.body.first() else { panic!("{card:?}") };
            assert!(units(&card.title) + 1 + units(lines) <= limits.text, "{}", units(lines));
        }
    }
}
