//! One row for each wrapper.
//!
//! The names of a row are `|` between those that mean the same; a name of several words is a subcommand, found through the
//! row of its first ([`Rest::Sub`]). The options are a line of [`super::super::options`], with the marks of [`mark`].

use std::collections::HashMap;
use std::sync::LazyLock;

use super::super::name;
use super::super::options::Grammar;
use super::read::Read;
use super::{Unwrapped, find, inputs, shells, users, xargs};

/// A wrapper.
pub(super) struct Row {
    names: &'static str,
    /// Whether it does nothing of its own.
    pub(super) aside: bool,
    /// Its options. Where there are none at all, everything after its name is the rest.
    pub(super) options: Grammar,
    /// How many operands it takes before the command.
    pub(super) skip: usize,
    /// Whether `NAME=value` may come before the command.
    pub(super) assigns: bool,
    /// Whether its options may stand between and after its operands.
    pub(super) permutes: bool,
    /// What comes after that.
    pub(super) rest: Rest,
}

/// What comes after the options.
#[derive(Clone, Copy)]
pub(super) enum Rest {
    /// A command.
    Words,
    /// A command, after `--` where there is one.
    Dashes,
    /// A command; or nothing, or options, for the user's shell.
    Shell,
    /// The words of a script.
    Joined,
    /// A script, and more.
    First,
    /// A subcommand, with a row of its own.
    Sub,
    /// Nothing that is started: only the options matter, wherever they stand, and those that are not listed do not.
    Nothing,
    /// Something of another shape.
    By(fn(&Read<'_>) -> Option<Unwrapped>),
}

/// What the marks of the options mean.
pub(super) mod mark {
    /// `!` With it nothing is started.
    pub(in super::super) const IDLE: char = '!';
    /// `$` Its value is a script.
    pub(in super::super) const SCRIPT: char = '$';
    /// `%` Its value is split into words as a shell would, and the rest follows.
    pub(in super::super) const SPLIT: char = '%';
    /// `&` The first operand is a script; of `runuser -u`, a command.
    pub(in super::super) const FIRST: char = '&';
    /// `<` The script comes from the standard input.
    pub(in super::super) const INPUT: char = '<';
    /// `@` What is started runs in another folder.
    pub(in super::super) const MOVES: char = '@';
    /// `>` It writes a file: the wrapper does not stand aside.
    pub(in super::super) const ACTS: char = '>';
    /// `*` It reads more commands from elsewhere.
    pub(in super::super) const UNCLEAR: char = '*';
    /// `+` Its value is the command, and the rest are its arguments.
    pub(in super::super) const ENTRY: char = '+';
    // `=` only keeps an option that a function looks at.
    /// `{` Its value stands for something in the words of the command.
    pub(in super::super) const PLACEHOLDER: char = '{';
}

/// The row of a name. `python3.12` is `python`, and `docker exec` is a name.
pub(super) fn find(name: &str) -> Option<&'static Row> {
    static BY_NAME: LazyLock<HashMap<&str, &Row>> =
        LazyLock::new(|| ROWS.iter().flat_map(|row| row.names.split('|').map(move |name| (name, row))).collect());
    BY_NAME.get(name).or_else(|| BY_NAME.get(name::unversioned(name))).copied()
}

impl Row {
    /// The first of its names.
    pub(super) fn name(&self) -> &'static str {
        self.names.split('|').next().unwrap_or_default()
    }

    const fn skip(mut self, words: usize) -> Self {
        self.skip = words;
        self
    }

    const fn permutes(mut self) -> Self {
        self.permutes = true;
        self
    }

    const fn assigns(mut self) -> Self {
        self.assigns = true;
        self
    }
}

/// A wrapper that does nothing of its own.
const fn aside(names: &'static str, options: &'static str, rest: Rest) -> Row {
    Row { names, aside: true, options: Grammar(options), skip: 0, assigns: false, permutes: false, rest }
}

/// A wrapper that a rule must allow itself.
const fn guarded(names: &'static str, options: &'static str, rest: Rest) -> Row {
    Row { names, aside: false, options: Grammar(options), skip: 0, assigns: false, permutes: false, rest }
}

use Rest::{By, Dashes, First, Joined, Nothing, Shell, Sub, Words};

#[rustfmt::skip]
const ROWS: &[Row] = &[
    // Transparent.
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

    // Guarded: another user, another place, other words.
    guarded("sudo", "Aa:BbC:c:D:@Ee!g:Hh:i<Kkl!nNPp:R:r:Ss<T:t:U:u:v!V! askpass auth-type: background bell close-from: login-class: chdir:@ preserve-env? edit! group: set-home help! host: login< remove-timestamp! reset-timestamp list! non-interactive no-update preserve-groups prompt: chroot: role: stdin shell< type: command-timeout: other-user: user: validate! version!", Words).assigns(),
    guarded("doas", "a:C:!Lns<u:", Words),
    guarded("xargs|gxargs", "0a:d:E:e?I:{i?{J:{L:l?n:oP:pR:rS:s:tx null arg-file: delimiter: eof? replace?{ max-lines? max-args: open-tty max-procs: interactive no-run-if-empty max-chars: show-limits exit verbose process-slot-var: help! version!", By(xargs::xargs)),
    guarded("find|gfind", "", By(find::find)),
    guarded("fd|fdfind", "", By(find::fd)),
    guarded("su|runuser", "c:$fg:G:lmps:PTu:&w:h!V! command:$ session-command:$ fast login group: supp-group: preserve-environment pty no-pty shell: whitelist-environment: user:& help! version!", By(users::su)).permutes(),
    guarded("pkexec", "- user: keep-cwd disable-internal-agent help! version!", Words),
    guarded("watch|gwatch", "bcCd?efgn:pq:rs:twxh!v! beep color no-color differences? errexit follow chgexit equexit: interval: precise no-rerun shotsdir: no-title no-wrap exec help! version!", Joined),
    guarded("ssh|autossh", "46AaB:b:CcD:E:e:F:fGgI:i:J:KkL:l:M:m:NnO:o:=P:p:Q!qR:S:sTtV!vW:w:XxYy", By(users::ssh)).skip(1),
    guarded("docker|podman|nerdctl", "c:DH:l:v! config: context: debug host: log-level: tls tlscacert: tlscert: tlskey: tlsverify? namespace: address: help! version!", Sub),
    guarded("docker container", "", Sub),
    guarded("docker exec|docker container exec", "de:itu:w:@ detach detach-keys: env: env-file: interactive privileged tty user: workdir:@ help!", Words).skip(1),
    guarded("docker compose|docker-compose|podman-compose", "f:p:v! all-resources ansi: compatibility dry-run env-file: file: parallel: profile: progress: project-directory: project-name: help! version!", Sub),
    guarded("docker compose exec|docker-compose exec", "de:iTtu:w:@ detach env: index: interactive? no-tty no-TTY privileged tty user: workdir:@ dry-run help!", Words).skip(1),
    guarded("chroot|gchroot", "- groups: userspec: skip-chdir help! version!", Shell).skip(1),
    guarded("kubectl|oc", "n:s:v: as: as-group: cache-dir: certificate-authority: client-certificate: client-key: cluster: context: kubeconfig: namespace: request-timeout: server: token: user: insecure-skip-tls-verify help!", Sub),
    guarded("kubectl exec|oc exec", "c:f:in:qt container: filename: namespace: pod-running-timeout: quiet stdin tty context: cluster: kubeconfig: help!", Dashes).skip(1),
    guarded("trap", "lp!P!", First),
    guarded("python|pypy", "bBdEhiIOPqRsSuvx?c:!m:!V!W:X: check-hash-based-pycs: help! help-all! help-env! help-xoptions! version!", By(inputs::code)),
    guarded("git", "c:C:pPh!v! git-dir: work-tree: namespace: exec-path? super-prefix: config-env: attr-source: list-cmds: paginate no-pager bare html-path! man-path! info-path! no-replace-objects no-lazy-fetch no-optional-locks no-advice literal-pathspecs glob-pathspecs noglob-pathspecs icase-pathspecs help! version!", Sub),
    guarded("git rebase", "x:$ exec:$", Nothing),
    guarded("git bisect", "", Sub),
    guarded("git bisect run", "", Words),
];
