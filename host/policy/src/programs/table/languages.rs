//! Rows of interpreters, editors and databases' shells, whose arguments may be a program.

use super::super::escape::{code, operands};
use super::super::operands::Operands;
use super::super::power::Power::RunsCode;
use super::super::row::Starts::{By, Words};
use super::super::row::{Row, program};
use super::super::starts::{after, inputs};

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    program("wsl", "d:u:e cd:@ distribution: user: system exec shell-type: help. version. list.").starts(Words).more(code::any),
    program("cmd", "").starts(By(after::windows)).more(code::any).power(RunsCode),
    program("powershell|pwsh", "").starts(By(after::windows)).more(code::powershell).power(RunsCode),
    program("python|pypy", "bBdEh.iIOPqRsSuvx?c:&m:&V.W:X: check-hash-based-pycs: help. help-all. help-env. help-xoptions. version.").starts(By(inputs::python)).stops(1).power(RunsCode).interprets().operands(Operands::Script).more(code::module),
    program("node|nodejs", "C:ce:&h.i&p:&r:!v. eval:& print:& require:! import:! loader:! experimental-loader:! check test. conditions: input-type: env-file:* title: help. version. interactive& env-file-if-exists:* experimental-config-file:* snapshot-blob:* build-snapshot> cpu-prof> heap-prof> test-reporter:* run:& inspect?# inspect-brk?# inspect-wait?# openssl-config:* diagnostic-dir:> report-directory:> redirect-warnings:> trace-event-file-pattern:> test-reporter-destination:> no-warnings no-deprecation trace-warnings trace-deprecation trace-uncaught enable-source-maps max-old-space-size: stack-size: expose-gc test-name-pattern: test-only test-timeout: test-concurrency: watch watch-path: watch-preserve-output unhandled-rejections: preserve-symlinks throw-deprecation pending-deprecation use-system-ca dns-result-order:").starts(By(inputs::code)).stops(1).power(RunsCode).interprets().operands(Operands::Script),
    program("ruby|jruby|truffleruby", "acC:de:&E:F:hI:*K:lnpr:!sSvwW?xX:0?i?>TUV require:! encoding: copyright. help. version. external-encoding: disable: enable: jit?").starts(By(inputs::code)).stops(1).power(RunsCode).interprets().operands(Operands::Script),
    program("perl", "0?acC?d?&D?e:&E:&F?fh.I:*i?>l?m:!M:!npsStTuUv.V.wWx?X help.").starts(By(inputs::code)).stops(1).interprets().power(RunsCode).operands(Operands::Script),
    program("php", "ac:*d:*ef:&h.Hi.lm.nqr:&B:&R:&F:&S:.t:v.s.w.z:*E run:& file:. server:. help. version. process-begin:& process-code:& process-end:& define:* php-ini:* zend-extension:*").starts(By(inputs::code)).stops(1).interprets().power(RunsCode).operands(Operands::Script),
    program("lua|luajit", "b:e:&f:&l:!v.Eij:O:W eval:. file:. help. version.").starts(By(inputs::code)).stops(1).power(RunsCode).interprets().operands(Operands::Script),
    program("tclsh|groovy|scala|guile|racket|sbcl|ocaml|jshell|clojure|clj", "b:e:&f:&l:*v.c:&i:*m:!r:* eval:& file:. help. version. load:* require:! commands:& init-command:& execute:&").starts(By(inputs::code)).stops(1).power(RunsCode).operands(Operands::Script),
    program("wish|ghci|irb|pry|octave|gnuplot|maxima", "b:e:.f:&l:v. eval:. file:. help. version.").starts(By(inputs::code)).power(RunsCode),
    program("r", "b:e:&f:&l:v.d:!g: eval:. file:& help. version. debugger:! encoding: gui: args").starts(By(inputs::code)).power(RunsCode),
    program("rscript", "b:e:&f:&l:v. eval:. file:. help. version.").starts(By(inputs::code)).stops(1).power(RunsCode).operands(Operands::Script),
    program("osascript", "b:e:&f:&l:v.is: eval:. file:. help. version.").starts(By(inputs::code)).stops(1).power(RunsCode).operands(Operands::Script),
    program("iex", "b:e:&f:&l:v.r:*S:!pa: eval:& file:. help. version. rpc-eval:& dot-iex:* erl:&").starts(By(inputs::code)).stops(1).power(RunsCode).operands(Operands::Script),
    program("julia", "C:e:&E:&hH:iJ:*L:*p:qt:v.m:! eval:& print:& project: help. version. load:* sysimage:* home:").starts(By(inputs::code)).stops(1).power(RunsCode).operands(Operands::Script),
    program("ed|ex|vi|red|vim|nvim", "l:*c:&S:*s:*u:*U:*i:*t:T:W:>w:> cmd:& startuptime:> headless").starts(By(inputs::commands)).more(operands::plus).power(RunsCode).obeys(),
    program("expect", "c:&e:&f:*i:*l:*m:!r:* eval:& load:* require:! commands:& init-command:& execute:&").starts(By(inputs::commands)).stops(1).power(RunsCode).operands(Operands::Script),
    program("texlua", "b:e:&Eij:l:!O:vW").starts(By(inputs::commands)).stops(1).operands(Operands::Script),
    program("littler", "d:!e:&f:*g: file:* debugger:! encoding: gui: args").starts(By(inputs::commands)),
    program("elixir", "e:&r:*S:!pa: eval:& rpc-eval:& dot-iex:* erl:&").starts(By(inputs::commands)).stops(1).power(RunsCode).operands(Operands::Script),
    program("erl", "- -eval:& -s:& -run:& -config:*").starts(By(inputs::commands)).power(RunsCode),
    program("ghc|raku|csi|gosh", "c:&e:&f:*i:*l:*m:!r:* eval:& load:* require:! commands:& init-command:& execute:&").starts(By(inputs::commands)).stops(1).power(RunsCode).obeys().operands(Operands::Script),
    program("view|gvim|vimdiff", "l:*c:&S:*s:*u:*U:*i:*t:T:W:>w:> cmd:& startuptime:> headless").starts(By(inputs::commands)).more(operands::plus).power(RunsCode),
    program("emacs|emacsclient", "e:&f:&l:*a:! -eval:& -execute:& -funcall:& -load:* -script:* -batch eval:& execute:& funcall:& load:* script:* alternate-editor:!").more(operands::plus).power(RunsCode),
    program("tsx|ts-node|ts-node-esm|ts-node-script|esno|kotlin|runghc|runhaskell|escript|bb|nbb|amm|jbang", "b:c:&e:&Ehi&m:&p:&P:*r:!v.V. eval:& print:& require:! import:! loader:! compiler:! project:* tsconfig:* init:* classpath:! transpile-only type-check log-error files swc esm pretty no-cache help. version.").starts(By(inputs::code)).stops(1).power(RunsCode).interprets().operands(Operands::Script),
    program("ipython|jupyter|bpython|ptpython|marimo", "c:&hi&m:&V. command:& config:* profile:* ext:! help. version.").starts(By(inputs::code)).stops(1).power(RunsCode).interprets().operands(Operands::Script),

    // Databases.
    program("redis-cli|mongosh", "").starts(By(inputs::commands)),
    program("sqlite|sqlite3", "- -cmd:& -init:* -separator: -nullvalue: -mode: -newline: -readonly -safe -bail -batch -echo -header -noheader -column -csv -json -line -list -html -tabs -table -box -markdown -quote -ascii -stats -version. -help.").starts(By(inputs::statements)).more(code::sqlite).power(RunsCode),
    program("psql", "01aAbeEHlnqsStwWxXzV.c:d:#F:f:*h:#L:>o:>P:p:#R:T:U:#v: command: dbname:# file:* host: output:> log-file:> set: variable: username:# host:# port:# single-transaction echo-all echo-errors echo-queries echo-hidden no-align no-psqlrc no-readline quiet tuples-only expanded csv html list no-password password pset: record-separator: field-separator: table-attr: record-separator-zero field-separator-zero version. help?").starts(By(inputs::statements)).more(code::psql).power(RunsCode),
    program("mysql|mariadb", "AbBCEGHnNqrstTvV.wWe:D:#h:#P:#p?#u:#S:# execute: pager?! tee:> init-command: host:# user:# port:# socket:# database:# password?# protocol:# login-path:# defaults-file:* defaults-extra-file:* plugin-dir:!").starts(By(inputs::statements)).more(code::psql).power(RunsCode),
];
