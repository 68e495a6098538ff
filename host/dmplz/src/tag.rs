//! The tags of cards, which identify them across processes.

use uuid::Uuid;

/// The longest tag in characters, as in `wit/types.wit` (`card.tag`).
const LENGTH: usize = 22;

/// Returns a tag for a new card. Nobody can guess it.
pub(crate) fn fresh() -> String {
    Uuid::new_v4().simple().to_string().chars().take(LENGTH).collect()
}
