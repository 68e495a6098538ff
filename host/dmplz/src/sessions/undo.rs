//! `dmplz sessions undo`: shows what undoing changes, and undoes it after a confirmation.

use dmplz_core::text::{Lang, fill};
use dmplz_core::visible::visible_line;
use dmplz_protocol::client::Client;
use dmplz_protocol::session::{Undo, UndoSession, Undone};
use uuid::Uuid;

use crate::gateway::soon;
use crate::terminal::{say, show, tell};
use crate::told::Tell;
use crate::{consent, exit};

/// Shows what undoing the edits since a message changes, and undoes them with `yes` or after a confirmation. Returns the exit
/// code: that of failure if nothing was undone that could have been.
pub(super) fn undo(
    client: &mut Client,
    id: Uuid,
    message_id: Option<Uuid>,
    yes: bool,
    json: bool,
    lang: Lang,
) -> anyhow::Result<u8> {
    let seen = client.call(&UndoSession { id, message_id, confirm: None }, soon())?;
    if seen.undo.files.is_empty() || (json && !yes) {
        let none = say(lang, "되돌릴 편집이 없습니다.\n", "There are no edits to undo.\n");
        return tell(&seen, json, |_, _| none.to_owned());
    }
    if !json {
        show(&shown(&seen, lang))?;
    }
    if !yes {
        consent::possible().told("--yes가 필요합니다", "--yes is needed", &[])?;
        if !consent::ask(say(lang, "되돌릴까요?", "Undo this?"))? {
            show(say(lang, "그대로 두었습니다.\n", "Left as it was.\n"))?;
            return Ok(exit::FAILED);
        }
    }
    let done = client.call(&UndoSession { id, message_id, confirm: Some(seen.undo) }, soon())?;
    let undone = say(lang, "되돌렸습니다. 에이전트는 모릅니다.\n", "Undone. The agent does not know.\n");
    tell(&done, json, |_, _| undone.to_owned())
}

/// Returns the message, the files, and the numbers of lines.
fn shown(Undone { undo, text, .. }: &Undone, lang: Lang) -> String {
    let Undo { files, insertions, deletions, .. } = undo;
    let since = match text.as_str() {
        "" => String::new(),
        text => fill(say(lang, "이 메시지 이후의 편집: {}\n", "Edits since the message: {}\n"), &[&visible_line(text)]),
    };
    let files: String = files.iter().map(|file| format!("  {}\n", visible_line(file))).collect();
    let lines = say(lang, "되돌리면: +{} -{}줄\n", "Undoing changes lines: +{} -{}\n");
    format!("{since}{files}{}", fill(lines, &[&insertions.to_string(), &deletions.to_string()]))
}
