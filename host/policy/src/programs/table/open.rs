//! Programs of which only their power is listed, and whether they do what the files of their folder say.

use super::super::power::Power::Destroys;
use super::super::row::{Row, program};

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    program("iptables|nft|useradd|userdel|usermod|passwd|visudo|del|erase|rd|format", "").open().power(Destroys),
];
