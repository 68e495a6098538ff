//! What is kept of a card, so that the next gateway goes on with it. What was asked is not in it: that is the store's,
//! which masks it when the request ends.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use dmplz_desk::{Noted, Progress, Saved};
use dmplz_gateway::{Disk, Waiting};
use dmplz_protocol::RequestId;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinSet;

use crate::{tag, time, trouble};

/// Notes that share a commit at most.
const AT_ONCE: usize = 256;

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

/// What is to be kept of a request's card from now on: nothing once it is forgotten.
struct Write {
    id: RequestId,
    note: Option<Box<Progress>>,
    /// Dropped once it is on disk.
    written: oneshot::Sender<()>,
}

/// What counts of several writes about one request: the last note, and everybody who waits for one of them.
#[derive(Default)]
struct Latest {
    note: Option<Box<Progress>>,
    written: Vec<oneshot::Sender<()>>,
}

impl Notes {
    /// A writer joins the others. What came while it was writing is written together, in one commit, because a gateway that is
    /// killed leaves the cards that it had not noted. The writer ends when nobody can note anything any more and all of it is
    /// on disk.
    pub(super) fn start(disk: Disk, surface: &str, writers: &mut JoinSet<()>, waiting: Waiting) -> Self {
        let (writes, mut received) = mpsc::unbounded_channel();
        let surface: Rc<str> = surface.into();
        writers.spawn_local(async move {
            let mut writes = Vec::new();
            while received.recv_many(&mut writes, AT_ONCE).await > 0 {
                let mut commits = JoinSet::new();
                for (id, latest) in latest_of_each(writes.drain(..)) {
                    commits.spawn_local(keep(disk.clone(), Rc::clone(&surface), id, latest));
                }
                while commits.join_next().await.is_some() {}
            }
        });
        Self { tags: Rc::default(), writes, waiting: Rc::new(waiting) }
    }

    /// What the desk's ledger writes down with.
    pub(super) fn keeper(&self) -> impl FnMut(Noted<'_>) -> Saved + 'static {
        let (tags, writes, waiting) = (Rc::clone(&self.tags), self.writes.clone(), Rc::clone(&self.waiting));
        move |noted| {
            let mut tags = tags.borrow_mut();
            let (written, saved) = Saved::later();
            let write = match noted {
                Noted::Kept(progress) => tags.get_mut(&progress.tag).map(|tagged| {
                    tagged.kept = true;
                    Write { id: tagged.id, note: Some(Box::new(progress.clone())), written }
                }),
                Noted::Forgotten(tag) => tags.remove(tag).map(|tagged| Write { id: tagged.id, note: None, written }),
            };
            // The other end lives as long as this one.
            let _ = write.map(|write| writes.send(write));
            waiting.set(without_card(&tags));
            saved
        }
    }

    /// A tag for a request's card: one that nobody guesses.
    pub(super) fn tag(&self, id: RequestId) -> String {
        let tag = tag::fresh();
        let mut tags = self.tags.borrow_mut();
        tags.insert(tag.clone(), Tagged { id, kept: false });
        self.waiting.set(without_card(&tags));
        tag
    }

    /// Goes on with the card of a gateway that is gone.
    pub(super) fn adopt(&self, id: RequestId, tag: &str) {
        self.tags.borrow_mut().insert(tag.to_owned(), Tagged { id, kept: true });
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

fn latest_of_each(writes: impl Iterator<Item = Write>) -> HashMap<RequestId, Latest> {
    let mut latest: HashMap<RequestId, Latest> = HashMap::new();
    for Write { id, note, written } in writes {
        let of_this = latest.entry(id).or_default();
        of_this.note = note;
        of_this.written.push(written);
    }
    latest
}

async fn keep(disk: Disk, surface: Rc<str>, id: RequestId, latest: Latest) {
    let kept = match &latest.note {
        Some(note) => disk.keep_note(id, &surface, note, time::now_ms()).await,
        None => disk.drop_note(id, &surface).await,
    };
    trouble::report(kept);
}

/// How many requests wait for a place: nothing of their cards was written down yet.
fn without_card(tags: &HashMap<String, Tagged>) -> usize {
    tags.values().filter(|tagged| !tagged.kept).count()
}

#[cfg(test)]
mod tests {
    use dmplz_desk::CardView;
    use serde_json::json;

    use super::*;

    fn note(tag: &str) -> Box<Progress> {
        let written = json!({
            "stage": "waiting", "tag": tag, "card": null, "prompt": null, "denier": null, "seen": [], "awaited_text": false,
        });
        serde_json::from_value(written).unwrap()
    }

    #[test]
    fn of_several_notes_on_a_request_the_last_is_written_and_all_who_wait_are_told() {
        let [one, other]: [RequestId; 2] =
            ["00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"]
                .map(|id| id.parse().unwrap());
        let (first, mut hears_first) = oneshot::channel();
        let (last, mut hears_last) = oneshot::channel();
        let (forgotten, _) = oneshot::channel();
        let mut latest = latest_of_each(
            [
                Write { id: one, note: Some(note("a")), written: first },
                Write { id: other, note: None, written: forgotten },
                Write { id: one, note: Some(note("b")), written: last },
            ]
            .into_iter(),
        );
        assert!(latest[&other].note.is_none());
        let kept = latest.remove(&one).unwrap();
        assert_eq!(kept.note.as_ref().unwrap().tag, "b");
        assert!(hears_first.try_recv().is_err_and(|error| error == oneshot::error::TryRecvError::Empty));
        drop(kept);
        for hears in [&mut hears_first, &mut hears_last] {
            assert_eq!(hears.try_recv(), Err(oneshot::error::TryRecvError::Closed));
        }
    }

    #[test]
    fn a_note_is_written_and_read_as_it_was_before_its_drawing_became_one_thing() {
        let message = json!({ "chat": "c", "id": "7", "sequence": 7 });
        let written = json!({
            "stage": "waiting", "tag": "t", "card": message, "prompt": null, "denier": null, "seen": [],
            "awaited_text": false, "instead": true,
            "form": { "scope": "userSettings", "broad": true, "question": 0, "drafts": [] },
            "shown": { "scope": "localSettings", "broad": false, "question": 0, "drafts": [] },
            "pages": [{ "message": message, "choices": [], "menu": true }], "posted": 2, "spent": [message],
        });
        let note: Progress = serde_json::from_value(written.clone()).unwrap();
        let former = written.to_string().replace("broad", "wide");
        assert_eq!(
            serde_json::from_str::<Progress>(&former).unwrap().view,
            note.view,
            "the former name of a field is read"
        );
        assert!(note.view.instead && note.view.form.broad && note.view.pages[0].menu);
        let again = serde_json::to_value(&note).unwrap();
        assert!(again.get("subject").is_none() && again.get("ended").is_none(), "{again}");
        for key in ["instead", "form", "shown", "pages", "posted", "spent"] {
            assert_eq!(again[key], written[key], "{key}");
        }
        let oldest = json!({
            "stage": "waiting", "tag": "t", "card": null, "prompt": null, "denier": null, "seen": [], "awaited_text": false,
        });
        assert_eq!(serde_json::from_value::<Progress>(oldest).unwrap().view, CardView::default());
    }
}
