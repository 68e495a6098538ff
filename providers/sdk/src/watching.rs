//! What is looked up in the cards that are watched.

use crate::{MessageRef, TextField, Watch};

/// Lookups in the argument `watching` of [`Provider::receive`](crate::Provider::receive).
pub trait Watching {
    /// Returns the card with this message, where the messenger gives no two messages the same id.
    fn card(&self, message: &str) -> Option<&Watch>;

    /// Returns the cards that offer choices, so that presses on them matter.
    fn cards(&self) -> impl Iterator<Item = &Watch>;

    /// Returns whether a card of this chat is watched, so that what is written there matters.
    fn has_chat(&self, chat: &str) -> bool;

    /// Returns the words that a card's choice asks for; `None` if it asks for none, or is not watched.
    fn field(&self, message: &MessageRef, choice: &str) -> Option<&TextField>;
}

impl Watching for [Watch] {
    fn card(&self, message: &str) -> Option<&Watch> {
        self.iter().find(|watch| watch.message.id == message)
    }

    fn cards(&self) -> impl Iterator<Item = &Watch> {
        self.iter().filter(|watch| !watch.choices.is_empty())
    }

    fn has_chat(&self, chat: &str) -> bool {
        self.iter().any(|watch| watch.message.chat == chat)
    }

    fn field(&self, message: &MessageRef, choice: &str) -> Option<&TextField> {
        let is_it = |watch: &&Watch| (&watch.message.chat, &watch.message.id) == (&message.chat, &message.id);
        self.iter().find(is_it)?.choices.iter().find(|offered| offered.id == choice)?.field.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Choice;
    use crate::testing::choice;

    #[test]
    fn a_field_is_that_of_the_choice_of_the_card() {
        let text = || "x".to_owned();
        let field = TextField { title: text(), label: text(), placeholder: text(), max: 1 };
        let choices = vec![choice("deny", "", ""), Choice { field: Some(field.clone()), ..choice("tell", "", "") }];
        let message = |chat: &str| MessageRef::new(chat, "1", 1);
        let watching = [Watch { message: message("a"), choices, text: false }];
        assert_eq!(watching.field(&message("a"), "tell"), Some(&field));
        assert_eq!((watching.field(&message("a"), "deny"), watching.field(&message("b"), "tell")), (None, None));
        assert!(watching.has_chat("a") && !watching.has_chat("b"));
        let prompt = Watch { message: message("b"), choices: Vec::new(), text: true };
        assert_eq!([watching[0].clone(), prompt].cards().collect::<Vec<_>>(), [&watching[0]]);
        assert!(watching.card("1").is_some() && watching.card("2").is_none());
    }
}
