//! Rows that list only the power of a program, and whether it does what the files of its folder say.

use super::super::power::Power::Destroys;
use super::super::row::{Row, program};

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    program("iptables|nft|useradd|userdel|usermod|passwd|visudo|del|erase|rd|format", "").open().power(Destroys),
];
