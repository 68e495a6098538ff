//! Wrappers that do nothing of their own.

use super::super::shells;
use super::Rest::{By, Joined, Words};
use super::{Row, aside};

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    aside("timeout|gtimeout", "fk:ps:v foreground kill-after: preserve-status signal: verbose help! version!", Words).skip(1),
    aside("time|gtime", "af:o:>pqv append format: output:> portability quiet verbose help! version!", Words),
    aside("nice|gnice", "0123456789n: adjustment: help! version!", Words),
    aside("nohup|gnohup", "- help! version!", Words),
    aside("stdbuf|gstdbuf", "e:i:o: error: input: output: help! version!", Words),
    aside("command", "pv!V!", Words),
    aside("builtin", "-", Words),
    aside("exec", "a:cl", Words),
    aside("noglob|nocorrect|-", "-", Words),
    aside("env|genv", "-i0u:C:@S:%va: ignore-environment null unset: chdir:@ split-string:% block-signal? default-signal? ignore-signal? list-signal-handling debug argv0: help! version!", Words).assigns(),
    aside("setsid", "cfwh!V! ctty fork wait help! version!", Words),
    aside("ionice", "c:n:tp:!P:!u:!h!V! class: classdata: ignore pid:! pgid:! uid:! help! version!", Words),
    aside("chrt", "abdD:efGimop!P:rRT:vh!V! all-tasks batch deadline fifo idle other pid! rr sched-runtime: sched-period: sched-deadline: reset-on-fork verbose max! help! version!", Words).skip(1),
    aside("taskset", "acph!V! all-tasks cpu-list pid! help! version!", Words).skip(1),
    aside("caffeinate", "dimsut:w:", Words),
    aside("chronic|unbuffer|eatmydata", "evp", Words),
    aside("sh|bash|zsh|dash|ksh|ash|rbash|mksh|yash|pdksh", shells::OPTIONS, By(shells::shell)),
    aside("eval", "-", Joined),
];
