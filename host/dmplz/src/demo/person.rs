//! The person in the chat: a user at the terminal, or a script.

use std::collections::VecDeque;

use anyhow::Context;
use dmplz_core::text::Lang;
use dmplz_fakes::telegram::{Message, MessageRef};

use super::answer::Answer;
use super::stage::Stage;

/// The person who plays.
pub(super) struct Person {
    /// The remaining steps of the script; `None` for a person at the terminal.
    script: Option<VecDeque<Deed>>,
    skip: &'static str,
}

enum Deed {
    Press(&'static str),
    /// Writes a message when a reason is asked for.
    Write(String),
}

impl Person {
    pub(super) fn new(answer: Option<&Answer>, lang: Lang) -> Self {
        let words = lang.words();
        let deeds = |answer: &Answer| match answer {
            Answer::Approve => vec![Deed::Press(words.approve)],
            Answer::Session => vec![Deed::Press(words.session)],
            Answer::Deny(reason) => vec![Deed::Press(words.deny), Deed::Write(reason.clone())],
            Answer::Timeout => vec![Deed::Press(words.deny)],
            Answer::Skip => vec![Deed::Press(words.deny), Deed::Press(words.skip)],
            Answer::Expired => vec![],
        };
        Self { script: answer.map(|answer| deeds(answer).into()), skip: words.skip }
    }

    pub(super) fn is_script(&self) -> bool {
        self.script.is_some()
    }

    /// Performs the next step of the script if it is possible now.
    pub(super) fn look(&mut self, messages: &[Message], stage: &Stage) -> anyhow::Result<()> {
        let Some(script) = &mut self.script else { return Ok(()) };
        let showing = |label: &str| messages.iter().find(|message| message.button(label).is_some());
        match script.front() {
            Some(Deed::Press(label)) => {
                let Some(message) = showing(label) else { return Ok(()) };
                stage.press(message.into(), label).with_context(|| format!("{label} cannot be pressed"))?;
            }
            Some(Deed::Write(text)) if showing(self.skip).is_some() => stage.write(text),
            _ => return Ok(()),
        }
        script.pop_front();
        Ok(())
    }

    /// Handles a typed line: the number of a button, or a message. Returns whether the button is still there.
    pub(super) fn write(&self, line: &str, buttons: &[(MessageRef, String)], stage: &Stage) -> bool {
        let number: Option<usize> = line.parse().ok();
        if let Some((message, label)) = number.and_then(|number| buttons.get(number.checked_sub(1)?)) {
            return stage.press(*message, label).is_ok();
        }
        if !line.is_empty() {
            stage.write(line);
        }
        true
    }
}
