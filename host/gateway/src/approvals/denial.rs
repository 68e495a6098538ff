//! Whoever asked hears of a denial as soon as it is on the disk, while its reason is still waited for.

use std::time::Duration;

use dmplz_core::request::Resolution;
use dmplz_protocol::RequestId;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, timeout};

use super::Approvals;
use super::entry::Life;

/// How long whoever denied waits for their sign until those who asked have heard of it.
const HEARD: Duration = Duration::from_millis(500);

/// A denial whose reason may still come. Whoever asked drops it once they surely know of it: only then whoever denied is
/// told that it counts.
#[derive(Debug)]
pub(crate) struct DenialNotice {
    /// How the request ends if no reason comes.
    pub(crate) resolution: Resolution,
    /// What is left of the time for one.
    pub(crate) left: Duration,
    _unheard: Option<mpsc::Sender<()>>,
}

impl Approvals {
    /// Waits until somebody denied it and may still say why. A request that ends otherwise is waited for in vain.
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
        match denied {
            Some(denied) => match denied.await {
                Ok(denial) => denial,
                Err(_) => std::future::pending().await,
            },
            None => std::future::pending().await,
        }
    }

    /// Tells those who asked for it that it is denied, and waits until they know.
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
        // One that is suspended finds out when it goes on.
        let _ = timeout(HEARD, heard.recv()).await;
    }
}

fn notice(life: &Life, unheard: Option<mpsc::Sender<()>>) -> Option<DenialNotice> {
    let Life::Denied(denial) = life else { return None };
    let left = denial.until.at.saturating_duration_since(Instant::now());
    Some(DenialNotice { resolution: Resolution::of(&denial.silent()), left, _unheard: unheard })
}
