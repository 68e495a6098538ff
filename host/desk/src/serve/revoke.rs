//! Revokes a grant on the card of the request that was answered with it.
//!
//! | the press | the effect |
//! |---|---|
//! | by a user who may not answer | the user gets a notice, and the card stays |
//! | while the grant holds | it stops counting before the user is told; the card names the user, and loses the choice |
//! | after it ended by itself | the user is told once; the card loses the choice |
//! | when it cannot be revoked just now | the user is told, and may press again |
//!
//! If it was revoked elsewhere, or ended by itself, the card shows that too.

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

/// How long showing the revocation on the card may take.
const SHOWING: Duration = Duration::from_secs(20);

impl<M: Messenger + 'static, L: Ledger + 'static, O: Owner> Looker<M, L, O> {
    /// Handles the press of a user who revokes the grant of this request.
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
            // The notice sent now tells how it ended.
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

/// Shows that the grant of this request no longer holds: it was revoked elsewhere, or ended by itself.
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

/// Records the end at once, so that the next event about this grant finds it over; then shows it.
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
