//! What sessions are called, for people: the first prompt that the gateway was told of, and the branch of their folder.
//! In memory only, and untrusted: it is masked, bounded and shown on one line.

mod branch;

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;

use dmplz_core::redact::mask;
use dmplz_core::visible::visible_line;
use dmplz_protocol::session_name::NamedSession;

use crate::approvals::Approvals;
use crate::mutex::Mutex;

/// The most sessions that are remembered. A further one replaces the oldest.
const SESSIONS: usize = 256;
/// The longest prompt that is kept, in characters.
const PROMPT: usize = 80;
/// The most bytes of a prompt that are looked at.
const LOOKED_AT: usize = 4 * 1_024;

/// The first prompts of sessions. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub(crate) struct SessionNames(Arc<Mutex<VecDeque<(String, String)>>>);

impl SessionNames {
    /// Notes a prompt, unless the session has one already.
    pub(crate) fn heard(&self, session: &str, prompt: &str) {
        let line = first_line(prompt);
        let mut all = self.0.lock();
        if line.is_empty() || all.iter().any(|(known, _)| known == session) {
            return;
        }
        if all.len() >= SESSIONS {
            all.pop_front();
        }
        all.push_back((session.to_owned(), line));
    }

    /// Forgets a session that has ended.
    pub(crate) fn forget(&self, session: &str) {
        self.0.lock().retain(|(known, _)| known != session);
    }

    /// Names the sessions that have an open request. Reads the branches of their folders from disk.
    pub(crate) async fn of_open(&self, approvals: &Approvals) -> Vec<NamedSession> {
        let mut sessions = BTreeMap::new();
        approvals.open_where(|request| {
            if let Some((session, _)) = request.source.session() {
                sessions.entry(session.to_owned()).or_insert_with(|| PathBuf::from(&request.cwd));
            }
            false
        });
        let looked = tokio::task::spawn_blocking(move || {
            sessions.into_iter().map(|(id, folder)| (id, branch::of(&folder))).collect::<Vec<_>>()
        });
        // A read that panics leaves sessions without names.
        let all = looked.await.unwrap_or_default();
        let named = all.into_iter().map(|(session_id, branch)| {
            let prompt = self.0.lock().iter().find(|(known, _)| *known == session_id).map(|(_, prompt)| prompt.clone());
            NamedSession { session_id, branch, prompt }
        });
        named.filter(|named| named.branch.is_some() || named.prompt.is_some()).collect()
    }
}

/// Returns the beginning of the first line that has text, masked before it is cut.
fn first_line(prompt: &str) -> String {
    let end = prompt.floor_char_boundary(LOOKED_AT);
    let masked = mask(prompt.get(..end).unwrap_or_default());
    let line = masked.as_str().lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let shown = visible_line(line);
    match shown.char_indices().nth(PROMPT) {
        Some((at, _)) => format!("{}…", shown.get(..at).unwrap_or_default().trim_end()),
        None => shown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_prompt_names_a_session_until_it_ends() {
        let names = SessionNames::default();
        names.heard("one", "\n  Fix the \u{202e}login\nand more");
        names.heard("one", "another");
        names.heard("two", " \n ");
        assert_eq!(*names.0.lock(), [("one".to_owned(), "Fix the ⟨U+202E⟩login".to_owned())]);
        names.forget("one");
        assert!(names.0.lock().is_empty());
        (0..SESSIONS + 5).for_each(|number| names.heard(&number.to_string(), "x"));
        let all = names.0.lock();
        assert_eq!((all.len(), all[0].0.as_str()), (SESSIONS, "5"));
    }

    #[test]
    fn a_prompt_is_masked_before_it_is_cut() {
        assert_eq!(first_line(&"한".repeat(100)), format!("{}…", "한".repeat(PROMPT)));
        let shown = first_line("use password=hunter2hunter2 please");
        assert!(!shown.contains("hunter2"), "{shown}");
    }
}
