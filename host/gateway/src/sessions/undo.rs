//! Undoes the edits of files since a message. What a person confirmed is compared with what would change now, so nothing is
//! changed that they have not seen.

use dmplz_protocol::Refusal;
use dmplz_protocol::session::{State, Undo, Undone};
use dmplz_runner::control::Command;
use uuid::Uuid;

use super::{Sessions, told};

impl Sessions {
    /// Returns what undoing the edits since a message changes, and undoes them if that was confirmed. Without a message it is
    /// the last one that the agent received.
    pub async fn undo(&self, id: Uuid, message_id: Option<Uuid>, confirmed: Option<Undo>) -> Result<Undone, Refusal> {
        let view = self.find(id)?.view;
        match view.session().state {
            State::Idle => {}
            State::Ended => return Err(Refusal::SessionEnded { session: id }),
            State::Starting | State::Working | State::Asking => return Err(Refusal::SessionBusy { session: id }),
        }
        let named = message_id.or_else(|| confirmed.as_ref().map(|undo| undo.message_id));
        let message_id = named.or_else(|| view.last_received()).ok_or(Refusal::NothingReceived)?;
        let undo = self.rewind(id, message_id, true).await?;
        let done = confirmed.is_some();
        if let Some(confirmed) = confirmed {
            if confirmed != undo {
                return Err(Refusal::FilesChanged);
            }
            self.rewind(id, message_id, false).await?;
        }
        let queue = view.session().queue;
        let text = queue.into_iter().find(|queued| queued.id == message_id).map(|queued| queued.text);
        Ok(Undone { undo, text: text.unwrap_or_default(), done })
    }

    async fn rewind(&self, id: Uuid, message_id: Uuid, dry_run: bool) -> Result<Undo, Refusal> {
        let answer = self.ask(id, Command::RewindFiles { user_message_id: message_id, dry_run }).await?;
        let undo = told::undo(&answer, message_id).ok_or(Refusal::ClientUnclear)?;
        undo.map_err(|why| Refusal::NothingToUndo { why })
    }
}
