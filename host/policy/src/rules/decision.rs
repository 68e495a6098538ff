//! The decision of a rule, and how certain its match is.

/// What happens to a call. The order is from lenient to strict, and the strictest of several decisions wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// The call may run.
    Allow,
    /// A person is asked.
    AskUser,
    /// The call may not run.
    Deny,
}

/// Whether a rule's condition holds.
///
/// An allow needs [`Match::Yes`]. A deny or an ask that only may match still asks, so it never lets an allow through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Match {
    /// It does not hold, whatever the unknown parts turn out to be.
    No,
    /// It depends on something that is known only when the command runs.
    Maybe,
    /// The condition holds.
    Yes,
}

impl Match {
    /// Joins two conditions of which both must hold.
    pub fn and(self, other: Self) -> Self {
        self.min(other)
    }

    /// Joins two conditions of which one must hold.
    pub fn or(self, other: Self) -> Self {
        self.max(other)
    }
}

impl From<bool> for Match {
    fn from(holds: bool) -> Self {
        if holds { Self::Yes } else { Self::No }
    }
}

/// How a condition is read if it is ambiguous.
///
/// A rule that allows matches only what it certainly means. A rule that denies or asks matches everything that it may
/// mean: `/bin/rm`, `\rm` and `RM` are all `rm` to a deny.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// For a rule that allows.
    Narrow,
    /// For a rule that denies or asks.
    Broad,
}

impl Decision {
    /// Returns how the conditions of such a rule are read.
    pub fn reading(self) -> Reading {
        match self {
            Self::Allow => Reading::Narrow,
            Self::AskUser | Self::Deny => Reading::Broad,
        }
    }
}
