//! The table of programs, with one row for each program.
//!
//! The options of a row are a line of [`super::options`]: every option that the program has, which of them take a
//! value, and a mark for the effect of an option.
//!
//! | mark | the option | an allow that does not name it |
//! |---|---|---|
//! | none | only changes the amount or form of the output | covers it |
//! | `<` | reads the file that its value names | covers it; the file is checked |
//! | `,` | follows links, wherever they lead | covers it, if no secret may be behind a link |
//! | `>` | writes the file that its value names | does not |
//! | `~` | deletes | does not |
//! | `#` | changes the system, or the meaning of the call | does not |
//! | `*` | reads settings or commands from elsewhere | does not |
//! | `@` | works in another folder | does not |
//! | `!` | runs another program | does not |
//! | `&` | runs code that is not parsed | does not |
//! | `$` | has a script as its value, which is parsed | does not |
//! | `=` | has `name=value` as its value, and some names are commands | does not |
//! | `/` | has `name=value` as its value, which the row's function checks | |
//! | `+` | has the command as its value; the remaining words are its arguments | does not |
//! | `%` | has words as its value, which are split as by a shell | of a program that starts others: |
//! | `^` | makes the first operand a script; of `runuser -u`, a command | |
//! | `\|` | makes the program read the script from its standard input | |
//! | `{` | has a placeholder in the words of the command as its value | |
//! | `.` | makes the program start nothing | |
//! | `;` | makes the program read more commands from elsewhere: no allow covers the call | |

mod archives;
mod build;
mod containers;
mod files;
mod gh;
mod git;
mod git_reads;
mod index;
mod information;
mod kubernetes;
mod languages;
mod network;
mod packages;
mod search;
mod shells;
mod starters;
mod system;
mod text;

use super::row::Row;
use crate::shell::{Word, name};

const TABLES: &[&[Row]] = &[
    archives::ROWS,
    build::ROWS,
    containers::ROWS,
    files::ROWS,
    gh::ROWS,
    git::ROWS,
    git_reads::ROWS,
    information::ROWS,
    kubernetes::ROWS,
    languages::ROWS,
    network::ROWS,
    packages::ROWS,
    search::ROWS,
    shells::ROWS,
    starters::ROWS,
    system::ROWS,
    text::ROWS,
];

/// Returns the row that lists exactly this name: `git *` stands for the subcommands that have none.
pub(crate) fn listed(name: &str) -> Option<&'static Row> {
    index::get(name)
}

/// Returns the row of a name. `python3.12` has the row of `python`, and `docker exec` is a name.
pub(crate) fn find(name: &str) -> Option<&'static Row> {
    let row = index::get(name).or_else(|| index::get(name::unversioned(name)));
    row.or_else(|| index::get("ld.so").filter(|_| is_loader(name)))
}

/// Returns whether a name is that of the dynamic loader: `ld-linux-x86-64.so.2`, `ld64.so.1`, `ld-musl-aarch64.so.1`,
/// `ld-2.31.so`, `ld-elf32.so.1`, `ld.elf_so`. The library of musl is a loader as well: `libc.musl-x86_64.so.1`.
fn is_loader(name: &str) -> bool {
    name.ends_with(".elf_so") || name.contains(".so") && (name.starts_with("ld") || name.starts_with("libc."))
}

/// Returns the row of a subcommand, by the name of the program in the words before it.
pub(super) fn find_sub(row: &Row, words: &[Word], from: usize, sub: &str) -> Option<&'static Row> {
    let before = words.get(from.wrapping_sub(1)).map(|word| name::bare(&word.known)).unwrap_or_default();
    let spelled = row.names.split('|').find(|name| name.rsplit(' ').next() == Some(&*before)).unwrap_or(row.name());
    [spelled, row.name()].iter().find_map(|name| find(&format!("{name} {sub}")))
}

/// Returns all rows of the table.
pub(crate) fn rows() -> impl Iterator<Item = &'static Row> {
    TABLES.iter().flat_map(|rows| rows.iter())
}

#[cfg(test)]
mod tests;
