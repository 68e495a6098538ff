//! What is kept of a card, so that the next gateway goes on with it. What was asked is not in it: that is the store's,
//! which masks it when the request ends.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use dmplz_core::messenger::MessageRef;
use dmplz_desk::{Drawn, Noted, Progress, Saved};
use dmplz_gateway::{Disk, RequestId, Standing, Waiting};
use dmplz_state::Stage;
use serde::{Deserialize, Serialize};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::trouble;

/// Characters of what was asked that a card's end shows at most.
const BRIEF: usize = 4000;

/// One card.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Note {
    pub(super) stage: Stage,
    tag: String,
    card: Option<MessageRef>,
    prompt: Option<MessageRef>,
    denier: Option<String>,
    seen: Vec<String>,
    awaited_text: bool,
    #[serde(flatten)]
    drawn: Drawn,
}

/// Which card is whose, and the way to the disk.
pub(super) struct Notes {
    tags: Rc<RefCell<HashMap<String, Tagged>>>,
    writes: mpsc::UnboundedSender<Write>,
    waiting: Rc<Waiting>,
}

struct Tagged {
    id: RequestId,
    /// Whether there is something to forget.
    kept: bool,
}

enum Write {
    /// The last part is dropped once it is on disk.
    Keep(RequestId, Box<Note>, oneshot::Sender<()>),
    Drop(RequestId),
}

impl Notes {
    /// A writer joins the others: it writes one note after the other, and ends when nobody can note anything any more and
    /// all of it is on disk.
    pub(super) fn start(disk: Disk, surface: &str, writers: &mut JoinSet<()>, waiting: Waiting) -> Self {
        let (writes, mut received) = mpsc::unbounded_channel();
        let surface = surface.to_owned();
        writers.spawn_local(async move {
            while let Some(write) = received.recv().await {
                let (written, told) = match write {
                    Write::Keep(id, note, told) => (disk.keep_note(id, &surface, &note).await, Some(told)),
                    Write::Drop(id) => (disk.drop_note(id, &surface).await, None),
                };
                if let Err(error) = written {
                    trouble::warn(&format!("failed to {}", trouble::chain(&error.into())));
                }
                drop(told);
            }
        });
        Self { tags: Rc::default(), writes, waiting: Rc::new(waiting) }
    }

    /// What the desk's book writes down with.
    pub(super) fn keeper(&self) -> impl FnMut(Noted<'_>) -> Saved + 'static {
        let (tags, writes, waiting) = (Rc::clone(&self.tags), self.writes.clone(), Rc::clone(&self.waiting));
        move |noted| {
            let mut tags = tags.borrow_mut();
            let (written, saved) = Saved::later();
            let write = match noted {
                Noted::Kept(progress) => tags.get_mut(&progress.tag).map(|tagged| {
                    tagged.kept = true;
                    Write::Keep(tagged.id, Box::new(Note::of(progress)), written)
                }),
                Noted::Forgotten(tag) => tags.remove(tag).map(|tagged| Write::Drop(tagged.id)),
            };
            // The other end lives as long as this one.
            let _ = write.map(|write| writes.send(write));
            waiting.set(without_card(&tags));
            saved
        }
    }

    /// A tag for a request's card: one that nobody guesses.
    pub(super) fn tag(&self, id: RequestId) -> String {
        let tag: String = Uuid::new_v4().simple().to_string().chars().take(22).collect();
        let mut tags = self.tags.borrow_mut();
        tags.insert(tag.clone(), Tagged { id, kept: false });
        self.waiting.set(without_card(&tags));
        tag
    }

    /// Goes on with the card of a gateway that is gone.
    pub(super) fn adopt(&self, id: RequestId, note: &Note) {
        self.tags.borrow_mut().insert(note.tag.clone(), Tagged { id, kept: true });
    }

    /// A request has ended. One that never had a card is forgotten.
    pub(super) fn ended(&self, tag: &str) {
        let mut tags = self.tags.borrow_mut();
        if tags.get(tag).is_some_and(|tagged| !tagged.kept) {
            tags.remove(tag);
            self.waiting.set(without_card(&tags));
        }
    }
}

/// How many requests wait for a place: nothing of their cards was written down yet.
fn without_card(tags: &HashMap<String, Tagged>) -> usize {
    tags.values().filter(|tagged| !tagged.kept).count()
}

impl Note {
    fn of(progress: &Progress) -> Self {
        let Progress { stage, tag, card, prompt, denier, seen, awaited_text, drawn, .. } = progress.clone();
        Self { stage, tag, card, prompt, denier, seen, awaited_text, drawn }
    }

    /// How far the request had come.
    pub(super) fn progress(&self, standing: &Standing) -> Progress {
        Progress {
            stage: self.stage,
            card: self.card.clone(),
            prompt: self.prompt.clone(),
            denier: self.denier.clone(),
            seen: self.seen.clone(),
            awaited_text: self.awaited_text,
            drawn: self.drawn.clone(),
            ..Progress::new(&self.tag, standing.request.subject.brief(BRIEF))
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_note_is_written_and_read_as_it_was_before_its_drawing_became_one_thing() {
        let message = json!({ "chat": "c", "id": "7", "sequence": 7 });
        let written = json!({
            "stage": "waiting", "tag": "t", "card": message, "prompt": null, "denier": null, "seen": [],
            "awaited_text": false, "instead": true,
            "form": { "scope": "userSettings", "wide": true, "question": 0, "drafts": [] },
            "shown": { "scope": "localSettings", "wide": false, "question": 0, "drafts": [] },
            "pages": [{ "message": message, "choices": [], "menu": true }], "posted": 2, "spent": [message],
        });
        let note: Note = serde_json::from_value(written.clone()).unwrap();
        assert!(note.drawn.instead && note.drawn.form.wide && note.drawn.pages[0].menu);
        let again = serde_json::to_value(&note).unwrap();
        for key in ["instead", "form", "shown", "pages", "posted", "spent"] {
            assert_eq!(again[key], written[key], "{key}");
        }
        let oldest = json!({
            "stage": "waiting", "tag": "t", "card": null, "prompt": null, "denier": null, "seen": [], "awaited_text": false,
        });
        assert_eq!(serde_json::from_value::<Note>(oldest).unwrap().drawn, Drawn::default());
    }
}
