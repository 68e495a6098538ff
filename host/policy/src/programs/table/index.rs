//! Where the row of each name is. The compiler works it out: a hook judges one command, and would make the index for that
//! alone.

use super::{Row, TABLES};

/// Twice as many places as there are names, so that few names look for the same one.
const PLACES: usize = (2 * names()).next_power_of_two();

/// A name stands at its place, or behind it where others stand there.
static INDEX: [Option<(&str, &Row)>; PLACES] = index();

/// The row that lists this very name.
pub(super) fn get(name: &str) -> Option<&'static Row> {
    let from = place(name.as_bytes());
    let (before, after) = INDEX.split_at_checked(from)?;
    let names = after.iter().chain(before).map_while(Option::as_ref);
    names.into_iter().find(|(known, _)| *known == name).map(|(_, row)| *row)
}

/// FNV-1a, as far as it takes to choose a place.
const fn place(name: &[u8]) -> usize {
    let (mut rest, mut hash) = (name, 0x811c_9dc5_u32);
    while let [byte, after @ ..] = rest {
        hash = (hash ^ *byte as u32).wrapping_mul(0x0100_0193);
        rest = after;
    }
    (hash ^ (hash >> 16)) as usize % PLACES
}

const fn names() -> usize {
    let (mut tables, mut count) = (TABLES, 0);
    while let [rows, more @ ..] = tables {
        let mut rows = *rows;
        while let [row, others @ ..] = rows {
            let mut names = row.names;
            while !names.is_empty() {
                names = first(names).1;
                count += 1;
            }
            rows = others;
        }
        tables = more;
    }
    count
}

#[allow(clippy::indexing_slicing, reason = "evaluated when the program is compiled: it would not compile")]
const fn index() -> [Option<(&'static str, &'static Row)>; PLACES] {
    let mut index = [None; PLACES];
    let mut tables = TABLES;
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
            }
            rows = others;
        }
        tables = more;
    }
    index
}

/// The first of the names of a row, and the others.
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
