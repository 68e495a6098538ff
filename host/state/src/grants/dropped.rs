//! The grants that a change removed from the list.

use dmplz_core::grant::change::Over;
use dmplz_core::grant::{Change, Grant, Moment};

/// The grants that were removed from the list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Dropped {
    /// The revoked grants, which held until then.
    pub meant: Vec<Grant>,
    /// The grants that had expired.
    pub expired: Vec<Grant>,
}

impl Dropped {
    /// Splits a list into the grants that stay and those that are removed.
    pub(super) fn from_list(list: Vec<Grant>, is_meant: impl Fn(&Grant) -> bool, now: Moment) -> (Vec<Grant>, Self) {
        let (held, expired): (Vec<_>, Vec<_>) = list.into_iter().partition(|grant| grant.holds(now));
        let (meant, rest) = held.into_iter().partition(is_meant);
        (rest, Self { meant, expired })
    }

    /// Returns whether no grant was removed.
    pub fn is_empty(&self) -> bool {
        self.meant.is_empty() && self.expired.is_empty()
    }

    /// Returns the changes to log. `how` makes the change of a revoked grant.
    pub fn changes(&self, how: impl Fn(&Grant) -> Change) -> Vec<Change> {
        let expired = self.expired.iter().map(|grant| Change::ended(grant, Over::Expired));
        expired.chain(self.meant.iter().map(how)).collect()
    }
}
