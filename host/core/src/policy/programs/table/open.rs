//! Programs of which only their power is listed, and whether they do what the files of their folder say.

use super::super::power::Power::Destroys;
use super::super::row::{Row, program};

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    program("rm|rmdir|unlink|shred|truncate|mkfs|fdisk|parted|mv|cp|install|ln|tee|chmod|chown|chgrp|chattr|setfacl|kill|killall|pkill|shutdown|reboot|halt|poweroff|systemctl|service|mount|umount|iptables|nft|useradd|userdel|usermod|passwd|visudo|del|erase|rd|format", "").open().power(Destroys),
];
