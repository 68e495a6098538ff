//! Interpreters and editors: their arguments may be a program.

use super::super::escape::{code, operands};
use super::super::power::Power::RunsCode;
use super::super::row::Starts::{By, Words};
use super::super::row::{Row, program};
use super::super::starts::{after, inputs};

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    program("wsl", "d:u:e cd:@ distribution: user: system exec shell-type: help. version. list.").starts(Words).more(code::any),
    program("cmd", "").starts(By(after::windows)).more(code::any).power(RunsCode),
    program("powershell|pwsh", "").starts(By(after::windows)).more(code::powershell).power(RunsCode),
    program("python|pypy", "bBdEhiIOPqRsSuvx?c:&m:&V.W:X: check-hash-based-pycs: help. help-all. help-env. help-xoptions. version.").starts(By(inputs::code)).stops(1).power(RunsCode).interprets(),
    program("node|nodejs", "C:ce:&hi&p:&r:!v. eval:& print:& require:! import:! loader:! experimental-loader:! check run:& test. conditions: input-type: env-file:* title: help. version. interactive& env-file-if-exists:* experimental-config-file:* snapshot-blob:* build-snapshot> cpu-prof> heap-prof> test-reporter:*").starts(By(inputs::code)).stops(1).power(RunsCode).interprets(),
    program("ruby|jruby|truffleruby", "acC:de:&E:F:hI:*K:lnpr:!sSvwW?xX:0?i?>TUV require:! encoding: copyright. help. version. external-encoding: disable: enable: jit?").starts(By(inputs::code)).stops(1).power(RunsCode).interprets(),
    program("perl", "0?acC?d?&D?e:&E:&F?fhI:*i?>l?m:!M:!npsStTuUvV.wWx?X help.").starts(By(inputs::code)).stops(1).interprets().power(RunsCode),
    program("php", "ac:*d:*ef:&hH.i.lm.nqr:&B:&R:&F:&S:.t:v.s.w.z:*E run:& file:. server:. help. version. process-begin:& process-code:& process-end:& define:* php-ini:* zend-extension:*").starts(By(inputs::code)).stops(1).interprets().power(RunsCode),
    program("lua|luajit", "b:e:&f:&l:!v.Eij:O:W eval:. file:. help. version.").starts(By(inputs::code)).stops(1).power(RunsCode).interprets(),
    program("tclsh|groovy|scala|guile|racket|sbcl|ocaml|jshell|clojure|clj", "b:e:&f:&l:*v.c:&i:*m:!r:* eval:& file:. help. version. load:* require:! commands:& init-command:& execute:&").starts(By(inputs::code)).stops(1).power(RunsCode),
    program("wish|ghci|irb|pry|octave|gnuplot|maxima", "b:e:.f:&l:v. eval:. file:. help. version.").starts(By(inputs::code)).power(RunsCode),
    program("r", "b:e:&f:&l:v.d:!g: eval:. file:& help. version. debugger:! encoding: gui: args").starts(By(inputs::code)).power(RunsCode),
    program("rscript", "b:e:&f:&l:v. eval:. file:. help. version.").starts(By(inputs::code)).stops(1).power(RunsCode),
    program("osascript", "b:e:&f:&l:v.is: eval:. file:. help. version.").starts(By(inputs::code)).stops(1).power(RunsCode),
    program("iex", "b:e:&f:&l:v.r:*S:!pa: eval:& file:. help. version. rpc-eval:& dot-iex:* erl:&").starts(By(inputs::code)).stops(1).power(RunsCode),
    program("julia", "C:e:&E:&hH:iJ:*L:*p:qt:v.m:! eval:& print:& project: help. version. load:* sysimage:* home:").starts(By(inputs::code)).stops(1).power(RunsCode),
    program("ed|ex|vi|red|vim|nvim", "l:*c:&S:*s:*u:*U:*i:*t:T:W:>w:> cmd:& startuptime:> headless").starts(By(inputs::commands)).more(operands::plus).power(RunsCode).obeys(),
    program("expect", "c:&e:&f:*i:*l:*m:!r:* eval:& load:* require:! commands:& init-command:& execute:&").starts(By(inputs::commands)).stops(1).power(RunsCode),
    program("texlua", "b:e:&Eij:l:!O:vW").stops(1),
    program("littler", "d:!e:&f:*g: file:* debugger:! encoding: gui: args"),
    program("elixir", "e:&r:*S:!pa: eval:& rpc-eval:& dot-iex:* erl:&").stops(1).power(RunsCode),
    program("erl", "- -eval:& -s:& -run:& -config:*").power(RunsCode),
    program("ghc|raku|csi|gosh", "c:&e:&f:*i:*l:*m:!r:* eval:& load:* require:! commands:& init-command:& execute:&").stops(1).power(RunsCode).obeys(),
    program("view|gvim|vimdiff", "l:*c:&S:*s:*u:*U:*i:*t:T:W:>w:> cmd:& startuptime:> headless").more(operands::plus).power(RunsCode),
    program("emacs|emacsclient", "e:&f:&l:*a:! -eval:& -execute:& -funcall:& -load:* -script:* -batch eval:& execute:& funcall:& load:* script:* alternate-editor:!").more(operands::plus).power(RunsCode),
];
