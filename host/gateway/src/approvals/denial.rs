//! The asker learns of a denial as soon as it is on disk, while the gateway still waits for the reason.

use std::time::Duration;

use dmplz_core::request::Resolution;
use dmplz_protocol::RequestId;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, timeout};

use super::entry::Life;
use super::{Approvals, DenialNotice};

/// How long the denier's confirmation waits, at most, for the askers to learn of the denial.
const HEARD: Duration = Duration::from_millis(500);

impl Approvals {
    /// Waits until the request is denied with its reason still to come. Never returns if the request ends in another
    /// way.
    pub(crate) async fn denied(&self, id: RequestId) -> DenialNotice {
        let denied = {
            let mut state = self.state();
            state.requests.get_mut(&id).map(|entry| {
                let (told, denied) = oneshot::channel();
                match notice(&entry.life, None) {
                    Some(denial) => drop(told.send(denial)),
                    None => {
                        entry.denials.retain(|told| !told.is_closed());
                        entry.denials.push(told);
                    }
                }
                denied
            })
        };
        if let Some(denied) = denied
            && let Ok(denial) = denied.await
        {
            return denial;
        }
        std::future::pending().await
    }

    /// Tells the waiting askers that the request is denied, and waits up to [`HEARD`] until they know.
    pub(super) async fn tell_denied(&self, id: RequestId) {
        let (unheard, mut heard) = mpsc::channel(1);
        {
            let mut state = self.state();
            let Some(entry) = state.requests.get_mut(&id) else { return };
            for told in std::mem::take(&mut entry.denials) {
                if let Some(denial) = notice(&entry.life, Some(unheard.clone())) {
                    drop(told.send(denial));
                }
            }
        }
        drop(unheard);
        // A suspended asker finds out when it resumes.
        let _ = timeout(HEARD, heard.recv()).await;
    }
}

fn notice(life: &Life, unheard: Option<mpsc::Sender<()>>) -> Option<DenialNotice> {
    let Life::Denied(denial) = life else { return None };
    let left = denial.until.at.saturating_duration_since(Instant::now());
    Some(DenialNotice::new(Resolution::of(&denial.silent()), left, unheard))
}
