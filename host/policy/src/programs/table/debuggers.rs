//! Rows of programs that observe a running program.

use super::super::power::Power::{RunsCode, StartsOthers};
use super::super::row::Starts::{By, Words};
use super::super::row::{Row, program};
use super::super::starts::{after, chains};

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    program("strace", "a:Ab:cCdDe:E:=fFhiI:knNo:>O:p:P:qrs:S:tTu:#U:vV.wxX:yYzZ argv0:; follow-forks output-append-mode> output-separately output:> attach: user:# env:= detach-on: daemonize? interruptible: trace: signal: status: trace-path: trace-fds: successful-only failed-only columns: abbrev: verbose: raw: read: write: quiet? kvm: decode-fds? decode-pids: instruction-pointer stack-traces? stack-trace? stack-trace-frame-limit: syscall-number arg-names relative-timestamps? string-limit: absolute-timestamps? syscall-times? no-abbrev strings-in-hex? const-print-style: summary-only summary-syscall-overhead: summary-sort-by: summary-columns: summary-wall-clock summary syscall-limit: inject:# fault:# debug seccomp-bpf tips? kill-on-exit help. version.").starts(Words),
    program("ltrace", "a:A:bcCD:e:fF:*hil:Ln:o:>p:rs:STtu:#V.w:x: align: config:* debug: demangle indent: library: no-signals output:> where: help. version.").starts(Words),
    program("script", "aB:c:$E:efhI:m:o:O:qt?T:V. append command:$ echo: return flush force quiet timing? log-in: log-out: log-io: log-timing: logging-format: output-limit: help. version.").starts(Words).skip(1).again(),
    program("gdb|cgdb", "b:c:d:l:p:s:x:* -ex:& -iex:& -eval-command:& -init-eval-command:& -command:* -init-command:* -ix:* -x:* eval-command:& init-eval-command:& command:* init-command:*").starts(By(after::debugger)).power(RunsCode),
    program("lldb", "f:k:&n:o:&O:&p:s:*S:*K:* one-line:& source:* one-line-before-file:& source-before-file:* one-line-on-crash:& source-on-crash:*").starts(By(after::debugger)).power(RunsCode),
    program("gdbserver", "- attach. multi. once no-startup-with-shell disable-randomization no-disable-randomization startup-with-shell debug debug-format? selftest? disable-packet? remote-debug event-loop-debug wrapper; help. version.").starts(Words).skip(1),
    program("lldb-server|debugserver", "").starts(By(chains::guess)).power(StartsOthers),
];
