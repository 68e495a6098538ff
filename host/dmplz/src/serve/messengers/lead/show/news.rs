//! Posts what is new of a session: its card, and the ends of its turns.

use dmplz_core::lead::{self, Face};
use dmplz_core::messenger::ProviderError;
use dmplz_core::text::fill;
use dmplz_protocol::session::{Happening, Numbered, OneSession, State};
use dmplz_state::LedPlace;

use crate::serve::messengers::lead::face::face;
use crate::serve::messengers::lead::{Lead, MESSAGES};
use crate::settings::ChatDetail;
use crate::tag;

/// How many ends of turns are told that came at once, or while no gateway ran.
const TURNS: usize = 3;

impl Lead {
    /// Posts what a session is to have and has not: its card, and the ends of its turns.
    pub(super) async fn tell_news(&self, one: &OneSession) -> Result<(), ProviderError> {
        let id = one.session.id;
        let key = id.to_string();
        let Some(led) = self.led.borrow().sessions.get(&key).cloned() else { return Ok(()) };
        let face = face(&one.session, &one.events, &one.partial, self.account.detail);
        if led.over && one.session.state != State::Ended {
            self.change(id, |session| {
                session.over = false;
                session.tag = tag::fresh();
                let old = session.card.take();
                session.messages.extend(old);
            });
        }
        let runs = one.session.state != State::Ended;
        let is_placed = if runs || led.place == LedPlace::Undecided { self.settle(id, &face).await? } else { true };
        if !is_placed {
            return Ok(());
        }
        if self.card_of(id).is_none() && !self.post_card(id, &face).await? {
            return Ok(());
        }
        let mut text = None;
        let mut ends: Vec<(u64, String, String)> = Vec::new();
        for Numbered { number, event } in one.events.iter().filter(|event| event.number > led.told) {
            match event {
                Happening::Text { text: said, subagent: false } => text = Some(said),
                Happening::Message { .. } => text = None,
                event => {
                    if let Some((title, words)) = self.end(event, &face, text) {
                        ends.push((*number, title, words));
                        text = None;
                    }
                }
            }
        }
        ends.drain(..ends.len().saturating_sub(TURNS));
        for (number, title, words) in ends {
            let card = lead::note(&title, &words, &tag::fresh(), self.account.style, self.card_of(id));
            let Some(posted) = self.post_about(id, &face, &card).await? else { return Ok(()) };
            self.change(id, |session| {
                session.told = number;
                session.messages.push(posted);
                let old = session.messages.len().saturating_sub(MESSAGES);
                session.messages.drain(..old);
            });
        }
        Ok(())
    }

    /// The message about an end, and the words of the agent that belong to it.
    fn end(&self, event: &Happening, face: &Face, text: Option<&String>) -> Option<(String, String)> {
        // At the lowest level nothing that the agent says is sent.
        let text = text.filter(|_| self.account.detail != ChatDetail::Brief);
        let (words, said) = (self.words(), text.cloned().unwrap_or_default());
        let (title, text) = match event {
            Happening::Turn { ok: true, .. } => (words.turn, said),
            Happening::Turn { text, .. } => (words.turn_failed, text.clone().unwrap_or(said)),
            Happening::Ended { code: Some(0), .. } => (words.is_over, String::new()),
            Happening::Ended { text, .. } => (words.is_over_badly, text.clone()),
            _ => return None,
        };
        Some((fill(title, &[&face.name()]), text))
    }
}
