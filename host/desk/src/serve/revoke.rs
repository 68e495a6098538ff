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
    pub(super) async fn revoke(&self, press: Chosen, progress: Progress) {
        let (lang, session) = (self.session.style.lang, &self.session);
        let Some(by) = self.terms.approvers.admit(&press.user) else {
            let told = Notice::NotAllowed.text(lang).map(str::to_owned);
            return session.acknowledge(press, told);
        };
        if progress.ended.is_none() {
            return session.acknowledge(press, None);
        }
        let words = lang.words();
        let tried = self.owner.revoked(&progress.subject.request_id, &by).await;
        if tried != Revocation::Failed {
            // The notice sent now tells how it ended.
            session.is_news(&progress.tag, &press.user, News::Over);
        }
        let (told, by) = match tried {
            Revocation::Failed => return session.acknowledge(press, Some(words.not_revoked.to_owned())),
            Revocation::Over => (words.granted_over, None),
            Revocation::Done => (words.revoked, Some(by.name())),
        };
        session.acknowledge(press, Some(told.to_owned()));
        show(session, progress, by);
    }
}

/// Shows that the grant of this request no longer holds: it was revoked elsewhere, or ended by itself.
pub(super) fn ungranted<M: Messenger + 'static, L: Ledger + 'static>(
    session: &Rc<ChatSession<M, L>>,
    request_id: &str,
    by: Option<&str>,
) {
    let granted = session.ledger.borrow().granted(request_id);
    if let Some(progress) = granted {
        show(session, progress, by);
    }
}

/// Records at once that the grant no longer holds, so that the next event about it finds it over; then shows it.
fn show<M: Messenger + 'static, L: Ledger + 'static>(
    session: &Rc<ChatSession<M, L>>,
    mut progress: Progress,
    by: Option<&str>,
) {
    let Some(ended) = progress.ended.take() else { return };
    let when = session.ledger.borrow().time_of_day();
    session.note_end(&mut progress, ended.without_grant(by, &when, session.style.lang));
    let session = Rc::clone(session);
    tokio::task::spawn_local(async move {
        if session.retire(&progress, &[], SHOWING).await.is_ok() {
            session.note_retired(&mut progress);
        }
    });
}
