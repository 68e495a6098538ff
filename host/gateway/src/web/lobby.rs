//! The connections that hold no place: those that have not sent a request yet, those between two requests, and those
//! whose request waits for a place. A local program can open any number of connections and send nothing. They are
//! bounded here and cannot displace connections that do send requests: if the lobby is full, its oldest connection is
//! closed.

use std::collections::BTreeMap;
use std::sync::Arc;

use tokio::sync::Notify;

use crate::mutex::Mutex;

/// A bounded number of connections, in order of arrival. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Lobby {
    capacity: usize,
    seats: Arc<Mutex<Seats>>,
}

#[derive(Debug, Default)]
struct Seats {
    next: u64,
    taken: BTreeMap<u64, Arc<Notify>>,
}

/// The seat of one connection. Dropping it frees the seat.
#[derive(Debug)]
pub(super) struct Seat {
    lobby: Lobby,
    number: Mutex<Option<u64>>,
    turned_out: Arc<Notify>,
}

impl Lobby {
    pub(super) fn new(capacity: usize) -> Self {
        Self { capacity, seats: Arc::default() }
    }

    /// Gives a seat to a new connection.
    pub(super) fn enter(&self) -> Seat {
        let seat = Seat { lobby: self.clone(), number: Mutex::default(), turned_out: Arc::default() };
        seat.sit();
        seat
    }
}

impl Seat {
    /// Takes the newest seat. If the lobby is then over its capacity, the oldest connection is closed.
    pub(super) fn sit(&self) {
        self.stand();
        let mut seats = self.lobby.seats.lock();
        let number = seats.next;
        seats.next += 1;
        seats.taken.insert(number, Arc::clone(&self.turned_out));
        if seats.taken.len() > self.lobby.capacity
            && let Some((_, first)) = seats.taken.pop_first()
        {
            first.notify_one();
        }
        drop(seats);
        *self.number.lock() = Some(number);
    }

    /// Frees the seat, because the connection holds a place now. Returns false if it was turned out already.
    pub(super) fn stand(&self) -> bool {
        let number = self.number.lock().take();
        number.is_some_and(|number| self.lobby.seats.lock().taken.remove(&number).is_some())
    }

    /// Returns when the connection must be closed.
    pub(super) async fn turned_out(&self) {
        self.turned_out.notified().await;
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.stand();
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    fn is_out(seat: &Seat) -> bool {
        seat.turned_out().now_or_never().is_some()
    }

    #[test]
    fn a_full_lobby_turns_out_who_is_there_longest() {
        let lobby = Lobby::new(2);
        let (first, second) = (lobby.enter(), lobby.enter());
        assert!(!is_out(&first) && !is_out(&second));
        let third = lobby.enter();
        assert!(is_out(&first) && !is_out(&second) && !is_out(&third));
        assert!(!first.stand() && second.stand());
    }

    #[test]
    fn who_has_a_place_is_not_turned_out_and_comes_back_as_the_last() {
        let lobby = Lobby::new(2);
        let (first, second) = (lobby.enter(), lobby.enter());
        assert!(first.stand());
        let third = lobby.enter();
        assert!(!is_out(&first) && !is_out(&second) && !is_out(&third));
        first.sit();
        assert!(!is_out(&first) && is_out(&second));
        drop(third);
        let fourth = lobby.enter();
        assert!(!is_out(&first) && !is_out(&fourth));
    }
}
