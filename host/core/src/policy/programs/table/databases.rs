//! Databases' shells.

use super::super::escape::code;
use super::super::power::Power::RunsCode;
use super::super::row::Starts::By;
use super::super::row::{Row, program};
use super::super::starts::inputs;

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    program("redis-cli|mongosh", "").starts(By(inputs::commands)),
    program("sqlite", "- -cmd:& -init:* -separator: -nullvalue: -mode:").starts(By(inputs::statements)).more(code::sqlite).power(RunsCode),
    program("psql", "c:d:F:f:*h:L:>o:>P:p:R:T:U:v: command: dbname: file:* host: output:> log-file:> set: variable: username: port:").starts(By(inputs::statements)).more(code::psql).power(RunsCode),
    program("mysql|mariadb", "e:D:h:P:u:S: execute: pager?! tee:> init-command: defaults-file:* defaults-extra-file:* plugin-dir:!").starts(By(inputs::statements)).more(code::psql).power(RunsCode),
    program("sqlite3", "- -cmd:& -init:* -separator: -nullvalue: -mode:").more(code::sqlite).power(RunsCode),
];
