//! What a rule says, and how sure we are that it is meant.

/// What becomes of a call. The order is from lenient to strict: the strictest of several wins.
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
/// An allow needs [`Match::Yes`]. A deny or an ask that only may hold still asks: it never lets an allow through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Match {
    /// It does not, whatever the unknown parts turn out to be.
    No,
    /// It depends on what is only known when the command runs.
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

/// How a condition is read where it can be read in two ways.
///
/// A rule that allows holds only for what it surely means. A rule that denies or asks holds for everything that it may
/// mean: `/bin/rm`, `\rm` and `RM` are all `rm` to a deny.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// For a rule that allows.
    Narrow,
    /// For a rule that denies or asks.
    Broad,
}

impl Decision {
    /// How the conditions of such a rule are read.
    pub fn reading(self) -> Reading {
        match self {
            Self::Allow => Reading::Narrow,
            Self::AskUser | Self::Deny => Reading::Broad,
        }
    }
}
