//! Rows of shells and their builtins.

use super::super::escape::code;
use super::super::operands::Operands::{Names, Nothing, Text};
use super::super::power::Power::RunsCode;
use super::super::row::Starts::{By, Joined, Words};
use super::super::row::{Row, program};
use super::super::starts::{after, inputs, shells};

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    program("command", "pv.V.").transparent().starts(Words),
    program("builtin|noglob|nocorrect|-", "-").transparent().starts(Words),
    program("exec", "a:;cl;").transparent().starts(Words),
    program("sh|bash|zsh|dash|ksh|ash|rbash|mksh|yash|pdksh", shells::OPTIONS).transparent().starts(By(shells::shell)).power(RunsCode).interprets(),
    program("eval", "-").transparent().starts(Joined).power(RunsCode),
    program("fish|nu|xonsh|elvish", "+abc^defghiklmnpqrs|tuvwxyzABC:&DEFGHIJKLMNO:o:PQRSTUVWXYZ rcfile:; init-file:; norc noprofile posix login verbose restricted debugger debug dump-strings dump-po-strings emulate: noediting protected wordexp help. version. init-command:& commands:& execute:&").starts(By(shells::shell)).power(RunsCode),
    program("csh|tcsh|osh|ysh", shells::OPTIONS).starts(By(shells::shell)).power(RunsCode),
    program("trap", "lp.P.").starts(By(inputs::trap)).power(RunsCode),
    program("alias", "-").starts(By(inputs::alias)).power(RunsCode),
    program("source|.", "p:").starts(By(inputs::source)).power(RunsCode),
    program("mapfile|readarray", "c:C:$d:n:O:s:t:u:a:eEi:N:p:r").more(code::variables),
    program("complete|compgen", "abcdefgjkprsuvDEIA:C:$F:G:o:P:S:W:$X:"),
    program("jobs", "").operands(Text).starts(By(after::jobs)),
    program("printf|gprintf", "v:& help version").stops(1).operands(Text).more(code::printf),
    program("echo|gecho|true|gtrue|false|gfalse|:", "").operands(Text),
    program("test|[|gtest", "").operands(Text).more(code::subscript),
    program("unset|declare|typeset|local|export|readonly|wait|integer|float", "").more(code::subscript),
    program("print", "aAbcC:Df:&ilmnNoOp!P&rRsS>u:v:&x:X:z&").operands(Text),
    program("cd|chdir|pushd|popd", "0123456789ePLnqs").operands(Names),
    program("pwd|gpwd", "LPr logical physical help version").operands(Nothing),
    program("dirs", "+0123456789clpv").operands(Text),
    program("type|whence|where", "acfmpPstSvwx:").operands(Text),
    program("times|bg|fg|disown|suspend|logout", "afhr").operands(Text),
    program("ulimit|limit|umask", "aSHbcdefiklmnpqrstuvxPRTwN").operands(Text),
    program("caller|help|rehash", "dms").operands(Text),
    program("read|getopts", "a:c:C:&d:eEi:n:N:O:p:rst:u:").more(code::variables),
    program("let|zmodload|autoload|sched|zle|zcompile|emulate", "").more(code::any),
    program("set", "Cek&Eo:uvx").more(code::keywords),
    program("history", "a>c~d:n>p:r*s:&w>"),
    program("fc", "e:!ls&n").stops(1),
    program("enable", "ad:f:!nps"),
    program("hash", "p:!d:lrt:").more(code::any),
    program("bind", "f:*m:q:r:u:x:!"),
];
