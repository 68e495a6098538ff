//! Programs that read code from their standard input.

use super::super::Unclear;
use super::Unwrapped;
use super::read::Read;
use super::shells::is_input;

/// An interpreter without a file, or with `-` for one. With code in its options it is [`super::super::escape`]'s.
pub(super) fn code(read: &Read<'_>) -> Option<Unwrapped> {
    let file = read.after(read.rest).first();
    let reads = file.is_none_or(|file| is_input(&file.known));
    reads.then(|| read.starts_unclear(Vec::new(), Some(Unclear::Code)))
}
