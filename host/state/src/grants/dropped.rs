//! What a change of the list took out of it.

use dmplz_core::grant::change::Over;
use dmplz_core::grant::{Change, Grant, Moment};

/// The grants that are not in the list any more.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Dropped {
    /// Those that were meant, and held until then.
    pub meant: Vec<Grant>,
    /// Those whose time had passed.
    pub expired: Vec<Grant>,
}

impl Dropped {
    /// What stays in a list, and what does not.
    pub(super) fn from_list(list: Vec<Grant>, is_meant: impl Fn(&Grant) -> bool, now: Moment) -> (Vec<Grant>, Self) {
        let (held, expired): (Vec<_>, Vec<_>) = list.into_iter().partition(|grant| grant.holds(now));
        let (meant, rest) = held.into_iter().partition(is_meant);
        (rest, Self { meant, expired })
    }

    /// Whether nothing was taken out.
    pub fn is_empty(&self) -> bool {
        self.meant.is_empty() && self.expired.is_empty()
    }

    /// What to log of it: of those that were meant, what `how` says.
    pub fn changes(&self, how: impl Fn(&Grant) -> Change) -> Vec<Change> {
        let expired = self.expired.iter().map(|grant| Change::ended(grant, Over::Expired));
        expired.chain(self.meant.iter().map(how)).collect()
    }
}
