//! Programs that look for files and for text in them.

use super::super::escape::operands;
use super::super::row::Starts::By;
use super::super::row::{Row, program};
use super::super::starts::find;

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    program("find|gfind", "").starts(By(find::find)).more(operands::find),
    program("fd|fdfind", "").starts(By(find::fd)),
    program("rg", "A:B:C:d:E:e:f:g:j:M:m:r:t:T:z! pre:! pre-glob: pretty hostname-bin:! search-zip!"),
    program("ag|ack|ugrep|ug", "A:B:C:e:f:g:m:z! pager:! filter:! view?! ackrc:* config?* save-config?>"),
];
