//! Rows of databases' shells.

use super::super::escape::code;
use super::super::power::Power::RunsCode;
use super::super::row::Starts::By;
use super::super::row::{Row, program};
use super::super::starts::inputs;

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    program("redis-cli|mongosh", "").starts(By(inputs::commands)),
    program("sqlite|sqlite3", "- -cmd:& -init:* -separator: -nullvalue: -mode: -newline: -readonly -safe -bail -batch -echo -header -noheader -column -csv -json -line -list -html -tabs -table -box -markdown -quote -ascii -stats -version. -help.").starts(By(inputs::statements)).more(code::sqlite).power(RunsCode),
    program("psql", "01aAbeEHlnqsStwWxXzV.c:d:#F:f:*h:#L:>o:>P:p:#R:T:U:#v: command: dbname:# file:* host: output:> log-file:> set: variable: username:# host:# port:# single-transaction echo-all echo-errors echo-queries echo-hidden no-align no-psqlrc no-readline quiet tuples-only expanded csv html list no-password password pset: record-separator: field-separator: table-attr: record-separator-zero field-separator-zero version. help?").starts(By(inputs::statements)).more(code::psql).power(RunsCode),
    program("mysql|mariadb", "AbBCEGHnNqrstTvV.wWe:D:#h:#P:#p?#u:#S:# execute: pager?! tee:> init-command: host:# user:# port:# socket:# database:# password?# protocol:# login-path:# defaults-file:* defaults-extra-file:* plugin-dir:!").starts(By(inputs::statements)).more(code::psql).power(RunsCode),
];
