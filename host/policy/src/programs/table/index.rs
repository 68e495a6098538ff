//! Finds the row of a name. The index is computed at compile time: a hook judges one command, and would otherwise build
//! the index for it alone.

use super::{Row, TABLES};

/// The size of the index: at least twice the number of names, so that collisions are rare.
const PLACES: usize = 1 << 13;

/// The index. A name is at its place, or after it if the place is taken (linear probing).
static INDEX: [Option<(&str, &Row)>; PLACES] = index();

/// Returns the row that lists exactly this name.
pub(super) fn get(name: &str) -> Option<&'static Row> {
    let from = place(name.as_bytes());
    let (before, after) = INDEX.split_at_checked(from)?;
    let names = after.iter().chain(before).map_while(Option::as_ref);
    names.into_iter().find(|(known, _)| *known == name).map(|(_, row)| *row)
}

/// Returns the place of a name: an FNV-1a hash, reduced to the size of the index.
const fn place(name: &[u8]) -> usize {
    let (mut rest, mut hash) = (name, 0x811c_9dc5_u32);
    while let [byte, after @ ..] = rest {
        hash = (hash ^ *byte as u32).wrapping_mul(0x0100_0193);
        rest = after;
    }
    (hash ^ (hash >> 16)) as usize % PLACES
}

#[allow(clippy::indexing_slicing, reason = "evaluated when the program is compiled: it would not compile")]
const fn index() -> [Option<(&'static str, &'static Row)>; PLACES] {
    let mut index = [None; PLACES];
    let (mut tables, mut count) = (TABLES, 0);
    while let [rows, more @ ..] = tables {
        let mut rows = *rows;
        while let [row, others @ ..] = rows {
            let mut names = row.names;
            while !names.is_empty() {
                let (name, after) = first(names);
                let mut at = place(name.as_bytes());
                while index[at].is_some() {
                    at = (at + 1) % PLACES;
                }
                index[at] = Some((name, row));
                names = after;
                count += 1;
            }
            rows = others;
        }
        tables = more;
    }
    assert!(2 * count <= PLACES, "the index is too small for the names of the table");
    index
}

/// Splits the names of a row into the first one and the others.
const fn first(names: &str) -> (&str, &str) {
    let bytes = names.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if let (name, [b'|', ..]) = bytes.split_at(at) {
            return (names.split_at(name.len()).0, names.split_at(at + 1).1);
        }
        at += 1;
    }
    (names, "")
}
