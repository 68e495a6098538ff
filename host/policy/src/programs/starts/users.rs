//! Parses `su` and `ssh`: a shell of another user, or on another machine.

use super::super::mark;
use super::read::{Read, join};
use super::{Inner, Unwrapped};
use crate::shell::Word;

/// The settings of `ssh -o` that are commands.
const COMMANDS: [&str; 4] = ["proxycommand", "localcommand", "remotecommand", "knownhostscommand"];

/// Parses `su [-] USER -c SCRIPT`, `su USER -- ARGUMENTS OF A SHELL` and `runuser -u USER COMMAND`.
pub(in super::super) fn su(read: &Read<'_>) -> Option<Unwrapped> {
    if read.has_script() {
        return Some(read.starts(read.scripts()));
    }
    let is_dash = |at: &&usize| read.after(**at).first().is_some_and(|word| word.text() == Some("-"));
    let mut operands = read.operands.iter().skip_while(is_dash);
    if read.has(mark::FIRST) {
        return read.words(*operands.next()?);
    }
    let arguments = operands.nth(1).map_or(&[][..], |at| read.after(*at));
    Some(read.shell(arguments))
}

/// Parses `ssh HOST SCRIPT`, and the commands of its options, which run locally.
pub(in super::super) fn ssh(read: &Read<'_>) -> Option<Unwrapped> {
    let mut inner: Vec<Inner> = read.marked.iter().filter_map(|known| command_of(known.value.as_ref()?)).collect();
    let rest = read.after(read.rest);
    if rest.is_empty() {
        inner.extend(read.shell(&[]).inner);
    } else {
        inner.push(Inner::Script(join(rest.iter().cloned())));
    }
    Some(read.starts(inner))
}

fn command_of(setting: &Word) -> Option<Inner> {
    let (name, value) = setting.known.split_once(['=', ' '])?;
    let name = name.trim().to_ascii_lowercase();
    let value = setting.with(value.trim_start_matches([' ', '=']));
    COMMANDS.contains(&name.as_str()).then_some(Inner::Script(value))
}
