//! Programs of which only their power is listed, and whether they do what the files of their folder say.

use super::super::power::Power::{Destroys, Fetches, RunsCode};
use super::super::row::{Row, program};

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    program("ipython|tsx|ts-node|kotlin|runghc|escript|bb", "").open().power(RunsCode),
    program("aria2c|fetch|lynx|w3m|links|tftp|rclone|dig|nslookup|host|ping", "").open().power(Fetches),
    program("rm|rmdir|unlink|shred|truncate|mkfs|fdisk|parted|mv|cp|install|ln|tee|chmod|chown|chgrp|chattr|setfacl|kill|killall|pkill|shutdown|reboot|halt|poweroff|systemctl|service|mount|umount|iptables|nft|useradd|userdel|usermod|passwd|visudo|del|erase|rd|format", "").open().power(Destroys),
];
