//! Which surfaces are in front of a person now: pages report whether they are visible, and terminals that `dmplz approvals
//! watch` is open.
//!
//! A report ends with its connection. A page repeats its report with its pulse, every 25 s, because the connection of a
//! phone that fell asleep stays open for long; a report of a page that is older than [`FRESH`] counts no more.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use dmplz_core::notify::Front;
use tokio::time::Instant;

use crate::mutex::Mutex;

/// How long the report of a page counts.
const FRESH: Duration = Duration::from_secs(60);

/// The reports of all connections. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Presence(Arc<Mutex<HashMap<u64, (Front, Instant)>>>);

/// The report of one connection, which ends when this is dropped.
#[derive(Debug)]
pub struct Present {
    presence: Presence,
    connection: u64,
}

impl Presence {
    /// Notes that a surface is in front of a person. `connection` is the number of its connection.
    pub fn enter(&self, connection: u64, front: Front) -> Present {
        self.0.lock().insert(connection, (front, Instant::now()));
        Present { presence: self.clone(), connection }
    }

    /// Returns the surfaces that are in front of a person, each once.
    pub fn fronts(&self) -> Vec<Front> {
        let all = self.0.lock();
        let is_there = |front: &Front| {
            all.values().any(|(known, at)| known == front && (*front != Front::Page || at.elapsed() < FRESH))
        };
        Front::ALL.into_iter().filter(is_there).collect()
    }
}

impl Present {
    /// Notes that the surface is still in front of a person.
    pub fn renew(&self) {
        if let Some((_, at)) = self.presence.0.lock().get_mut(&self.connection) {
            *at = Instant::now();
        }
    }
}

impl Drop for Present {
    fn drop(&mut self) {
        self.presence.0.lock().remove(&self.connection);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_report_ends_with_its_connection_and_that_of_a_page_also_with_time() {
        let presence = Presence::default();
        assert_eq!(presence.fronts(), []);
        let (page, terminal) = (presence.enter(1, Front::Page), presence.enter(2, Front::Terminal));
        let other = presence.enter(3, Front::Page);
        assert_eq!(presence.fronts(), [Front::Page, Front::Terminal]);
        drop(page);
        assert_eq!(presence.fronts(), [Front::Page, Front::Terminal]);
        tokio::time::advance(FRESH - Duration::from_secs(1)).await;
        other.renew();
        tokio::time::advance(Duration::from_secs(2)).await;
        assert_eq!(presence.fronts(), [Front::Page, Front::Terminal]);
        tokio::time::advance(FRESH).await;
        assert_eq!(presence.fronts(), [Front::Terminal]);
        drop((other, terminal));
        assert_eq!(presence.fronts(), []);
    }
}
