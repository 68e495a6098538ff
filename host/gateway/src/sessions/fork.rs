//! Going on from the conversation of a session: in the same one, or in another, its fork.

use std::collections::BTreeMap;

use dmplz_protocol::Refusal;
use dmplz_protocol::session::{Mode, OneSession, State};
use dmplz_runner::keeper::SessionDir;
use uuid::Uuid;

use super::start::{self, Given};
use super::{Place, Sessions};

impl Sessions {
    /// Goes on with a session that has ended, in the mode that it ended in, or in `default` where nobody would be asked in that.
    pub async fn resume(
        &self,
        id: Uuid,
        env: Option<BTreeMap<String, String>>,
        place: Place<'_>,
    ) -> Result<OneSession, Refusal> {
        let view = self.may_go_on(id, env.as_ref(), place)?;
        let session = view.session();
        let dir = SessionDir::of(&self.shared.setup.state, id);
        if session.state != State::Ended || dir.is_kept() {
            return Err(Refusal::SessionRunning { session: id });
        }
        self.has_room()?;
        let mode = Mode::named(&session.mode).unwrap_or_default();
        let budget = self.shared.spending.allowance(session.cost_usd, self.shared.approvals.now_ms())?;
        let given = Given { env, budget };
        let notes = start::resume(&self.shared, &dir, mode, view.conversation(), given).await?;
        let known = self.take_up(dir, notes);
        known.view.known().await;
        Ok(known.view.one())
    }

    /// Starts another session that goes on from the conversation of this one, in its mode, or in `default` where nobody would be asked in
    /// that. Named after it.
    pub async fn fork(
        &self,
        id: Uuid,
        env: Option<BTreeMap<String, String>>,
        place: Place<'_>,
    ) -> Result<OneSession, Refusal> {
        let view = self.may_go_on(id, env.as_ref(), place)?;
        view.known().await;
        let session = view.session();
        if !matches!(session.state, State::Idle | State::Ended) {
            return Err(Refusal::SessionBusy { session: id });
        }
        let conversation = view.conversation().ok_or(Refusal::NoConversation { session: id })?;
        self.has_room()?;
        let now_ms = self.shared.approvals.now_ms();
        let original = SessionDir::of(&self.shared.setup.state, id);
        let mode = Mode::named(&session.mode).unwrap_or_default();
        // The client goes on counting from what the original has cost (observed on 2.1.330).
        let given = Given { env, budget: self.shared.spending.allowance(session.cost_usd, now_ms)? };
        let (dir, notes) =
            start::fork(&self.shared, &original, conversation, mode, session.label(), given, now_ms).await?;
        self.shared.spending.count(dir.id(), session.cost_usd, now_ms, true);
        Ok(self.take_up(dir, notes).view.one())
    }
}
