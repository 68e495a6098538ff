//! The folders in which a command may run, according to its line.
//!
//! | written | `x` runs |
//! |---|---|
//! | `cd a && x` | in `a` |
//! | `cd a; x`, `cd a \|\| x` | in `a`, or where the line starts |
//! | `cd a & x`, `(cd a); x`, `$(cd a); x` | where the line starts |
//! | `y \| cd a; x` | either: zsh runs the end of a pipeline in the shell itself |
//! | `cd a && cd b && x` | in `b` below `a` |
//! | `cd $(y) && x`, `cd -; x`, a loop or function that moves | anywhere |

use crate::shell::Word;

/// The maximum number of possible places. With more, the command may run anywhere.
const MAX_PLACES: usize = 8;

/// The places where a command may run: for each the folders that `cd` names, in order. `None` means anywhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct Folders(Option<Vec<Vec<Word>>>);

impl Folders {
    /// Returns the place where the line starts.
    pub(super) fn start() -> Self {
        Self(Some(vec![Vec::new()]))
    }

    /// Returns an unknown place.
    pub(super) fn anywhere() -> Self {
        Self(None)
    }

    /// Returns whether the place may differ from where the line starts.
    pub(super) fn is_moved(&self) -> bool {
        *self != Self::start()
    }

    /// Returns the places in the form in which a command stores them: empty if it did not move, or may run anywhere.
    pub(super) fn named(&self) -> Vec<Vec<Word>> {
        self.0.clone().filter(|_| self.is_moved()).unwrap_or_default()
    }

    /// Returns the places after a `cd` that succeeded.
    pub(super) fn into_folder(mut self, folder: &Word) -> Self {
        self.0.iter_mut().flatten().for_each(|place| place.push(folder.clone()));
        self
    }

    /// Returns the places of either.
    pub(super) fn or(self, other: &Self) -> Self {
        let (Some(mut places), Some(others)) = (self.0, &other.0) else { return Self::anywhere() };
        for place in others {
            if !places.contains(place) {
                places.push(place.clone());
            }
        }
        Self((places.len() <= MAX_PLACES).then_some(places))
    }
}
