//! Taking a grant back on the card of the request that was answered with it.
//!
//! | who, when | what happens |
//! |---|---|
//! | may not answer | they are told so, and the card stays |
//! | while the grant holds | it counts no more before they are told; the card says who did it, and has no choice any more |
//! | after it ended by itself | they are told once; the card has no choice any more |
//! | it cannot be taken back just now | they are told, and may press again |
//!
//! Where it was taken back elsewhere, or ended by itself, the card says so too.

use std::rc::Rc;
use std::time::Duration;

use dmplz_core::card::Ended;
use dmplz_core::flow::Notice;
use dmplz_core::messenger::Chosen;

use super::look::Looker;
use crate::counter::Counter;
use crate::ledger::{Ledger, Progress};
use crate::messenger::Messenger;
use crate::owner::{Owner, Revocation};
use crate::told::News;

/// Letting the card show it.
const SHOWING: Duration = Duration::from_secs(20);

impl<M: Messenger + 'static, L: Ledger + 'static, O: Owner> Looker<M, L, O> {
    /// Somebody pressed it on the card of this request.
    pub(super) async fn revoke(&self, press: Chosen, mut progress: Progress) {
        let (lang, counter) = (self.counter.style.lang, &self.counter);
        let Some(by) = self.terms.approvers.admit(&press.user) else {
            let told = lang.notice(Notice::NotAllowed).map(str::to_owned);
            return counter.acknowledge(press, told);
        };
        let Some(ended) = progress.ended.take() else { return counter.acknowledge(press, None) };
        let words = lang.words();
        let tried = self.owner.revoked(&progress.subject.request_id, &by).await;
        if tried != Revocation::Failed {
            // What they are told now is how it ended.
            counter.is_news(&progress.tag, &press.user, News::Over);
        }
        let (told, ended) = match tried {
            Revocation::Failed => (words.not_revoked, None),
            Revocation::Over => (words.granted_over, Some(ended.granted_no_more(lang))),
            Revocation::Done => {
                let when = counter.ledger.borrow().time_of_day();
                (words.revoked, Some(ended.revoked(by.name(), &when, lang)))
            }
        };
        counter.acknowledge(press, Some(told.to_owned()));
        if let Some(ended) = ended {
            show(counter, progress, ended);
        }
    }
}

/// The grant of this request holds no more: somebody took it back elsewhere, or it ended by itself.
pub(super) fn ungranted<M: Messenger + 'static, L: Ledger + 'static>(
    counter: &Rc<Counter<M, L>>,
    request_id: &str,
    by: Option<&str>,
) {
    let Some(mut progress) = counter.ledger.borrow().granted(request_id) else { return };
    let Some(ended) = progress.ended.take() else { return };
    let (lang, when) = (counter.style.lang, counter.ledger.borrow().time_of_day());
    let ended = match by {
        Some(by) => ended.revoked(by, &when, lang),
        None => ended.granted_no_more(lang),
    };
    show(counter, progress, ended);
}

/// Notes it at once: what is said next about this grant finds it over.
fn show<M: Messenger + 'static, L: Ledger + 'static>(
    counter: &Rc<Counter<M, L>>,
    mut progress: Progress,
    ended: Ended,
) {
    counter.note_end(&mut progress, ended);
    let counter = Rc::clone(counter);
    tokio::task::spawn_local(async move {
        if counter.retire(&progress, &[], SHOWING).await.is_ok() {
            counter.note_retired(&mut progress);
        }
    });
}
