//! Archives and disk images.

use super::super::escape::operands;
use super::super::power::Power::Destroys;
use super::super::row::{Row, program};

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    program("tar|gtar|bsdtar", "C:b:f:F:!g:I:!K:L:N:T:V:X: use-compress-program:! to-command:! checkpoint-action:! rsh-command:! rmt-command:! info-script:! new-volume-script:! index-file:> remove-files~ delete~ directory: file: exclude: exclude-from: files-from: transform: strip-components: checkpoint? after-date: newer: one-top-level? owner: group: mode:").more(operands::old_tar),
    program("cpio", "C:D:E:F:H:I:M:O:>R: rsh-command:! file:"),
    program("zip", "b:n:t:x:i:O:>m~ -TT:! -tt: unzip-command:! out:> output-file:> move~ temp-path: log-info lf:> logfile-path:>"),
    program("dd|gdd", "-").more(operands::of).power(Destroys),
];
