//! Programs that look on while another one runs.

use super::super::power::Power::RunsCode;
use super::super::row::Starts::{By, Words};
use super::super::row::{Row, program};
use super::super::starts::after;

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    program("strace", "a:b:cCdDe:E:fFhiI:knNo:>O:p:P:qrs:S:tTu:U:vV.wxX:yYzZ follow-forks output:> trace: attach: user: env: string-limit: summary summary-only seccomp-bpf quiet? decode-fds? help. version.").starts(Words).stops(1),
    program("ltrace", "a:A:b:cCD:e:F:fhil:Ln:o:>p:rs:S:tTu:V.w:x:X:E:I:O:P:U: output:> help. version.").starts(Words).stops(1),
    program("script", "aB:c:$E:efhI:m:o:O:qt?T:V. append command:$ echo: return flush force quiet timing? log-in: log-out: log-io: log-timing: logging-format: output-limit: help. version.").starts(Words).skip(1).again(),
    program("gdb|cgdb", "b:c:d:l:p:s:x:* -ex:& -iex:& -eval-command:& -init-eval-command:& -command:* -init-command:* -ix:* -x:* eval-command:& init-eval-command:& command:* init-command:*").starts(By(after::debugger)).power(RunsCode),
    program("lldb", "f:k:&n:o:&O:&p:s:*S:*K:* one-line:& source:* one-line-before-file:& source-before-file:* one-line-on-crash:& source-on-crash:*").starts(By(after::debugger)).power(RunsCode),
];
