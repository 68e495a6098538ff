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
use crate::ledger::{Ledger, Progress};
use crate::session::chat::ChatSession;
use crate::session::messenger::Messenger;
use crate::session::notices_sent::News;
use crate::session::owner::{Owner, Revocation};

/// Letting the card show it.
const SHOWING: Duration = Duration::from_secs(20);

impl<M: Messenger + 'static, L: Ledger + 'static, O: Owner> Looker<M, L, O> {
    /// Somebody pressed it on the card of this request.
    pub(super) async fn revoke(&self, press: Chosen, mut progress: Progress) {
        let (lang, session) = (self.session.style.lang, &self.session);
        let Some(by) = self.terms.approvers.admit(&press.user) else {
            let told = lang.notice(Notice::NotAllowed).map(str::to_owned);
            return session.acknowledge(press, told);
        };
        let Some(ended) = progress.ended.take() else { return session.acknowledge(press, None) };
        let words = lang.words();
        let tried = self.owner.revoked(&progress.subject.request_id, &by).await;
        if tried != Revocation::Failed {
            // What they are told now is how it ended.
            session.is_news(&progress.tag, &press.user, News::Over);
        }
        let (told, ended) = match tried {
            Revocation::Failed => (words.not_revoked, None),
            Revocation::Over => (words.granted_over, Some(ended.granted_no_more(lang))),
            Revocation::Done => {
                let when = session.ledger.borrow().time_of_day();
                (words.revoked, Some(ended.revoked(by.name(), &when, lang)))
            }
        };
        session.acknowledge(press, Some(told.to_owned()));
        if let Some(ended) = ended {
            show(session, progress, ended);
        }
    }
}

/// The grant of this request holds no more: somebody took it back elsewhere, or it ended by itself.
pub(super) fn ungranted<M: Messenger + 'static, L: Ledger + 'static>(
    session: &Rc<ChatSession<M, L>>,
    request_id: &str,
    by: Option<&str>,
) {
    let Some(mut progress) = session.ledger.borrow().granted(request_id) else { return };
    let Some(ended) = progress.ended.take() else { return };
    let (lang, when) = (session.style.lang, session.ledger.borrow().time_of_day());
    let ended = match by {
        Some(by) => ended.revoked(by, &when, lang),
        None => ended.granted_no_more(lang),
    };
    show(session, progress, ended);
}

/// Notes it at once: what is said next about this grant finds it over.
fn show<M: Messenger + 'static, L: Ledger + 'static>(
    session: &Rc<ChatSession<M, L>>,
    mut progress: Progress,
    ended: Ended,
) {
    session.note_end(&mut progress, ended);
    let session = Rc::clone(session);
    tokio::task::spawn_local(async move {
        if session.retire(&progress, &[], SHOWING).await.is_ok() {
            session.note_retired(&mut progress);
        }
    });
}
