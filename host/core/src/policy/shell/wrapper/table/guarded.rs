//! Wrappers of the system: another user, another place, other words, another time.

use super::super::{after, find, inputs, parallel, shells, users, xargs};
use super::Rest::{By, Either, First, Joined, Nothing, Shell, Sub, Words};
use super::{Row, guarded};

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    // Another user.
    guarded("sudo", "Aa:BbC:c:D:@Ee!g:Hh:i<Kkl!nNPp:R:r:Ss<T:t:U:u:v!V! askpass auth-type: background bell close-from: login-class: chdir:@ preserve-env? edit! group: set-home help! host: login< remove-timestamp! reset-timestamp list! non-interactive no-update preserve-groups prompt: chroot: role: stdin shell< type: command-timeout: other-user: user: validate! version!", Words).assigns(),
    guarded("doas", "a:C:!Lns<u:", Words),
    guarded("xargs|gxargs", "0a:d:E:e?I:{i?{J:{L:l?n:oP:pR:rS:s:tx null arg-file: delimiter: eof? replace?{ max-lines? max-args: open-tty max-procs: interactive no-run-if-empty max-chars: show-limits exit verbose process-slot-var: help! version!", By(xargs::xargs)),
    guarded("find|gfind", "", By(find::find)),
    guarded("fd|fdfind", "", By(find::fd)),
    guarded("su|runuser", "c:$fg:G:lmps:PTu:&w:h!V! command:$ session-command:$ fast login group: supp-group: preserve-environment pty no-pty shell: whitelist-environment: user:& help! version!", By(users::su)).permutes(),
    guarded("pkexec", "- user: keep-cwd disable-internal-agent help! version!", Words),
    guarded("watch|gwatch", "bcCd?efgn:pq:rs:twxh!v! beep color no-color differences? errexit follow chgexit equexit: interval: precise no-rerun shotsdir: no-title no-wrap exec help! version!", Joined),
    guarded("ssh|autossh", "46AaB:b:CcD:E:e:F:fGgI:i:J:KkL:l:M:m:NnO:o:=P:p:Q!qR:S:sTtV!vW:w:XxYy", By(users::ssh)).skip(1).again(),
    guarded("chroot|gchroot", "- groups: userspec: skip-chdir help! version!", Shell).skip(1),
    guarded("sg", "c:$ command:$", First).skip(1).again(),
    guarded("gosu|su-exec|setuidgid|s6-setuidgid", "-", Words).skip(1),
    guarded("setpriv", "hV!d dump nnp no-new-privs ambient-caps: inh-caps: bounding-set: ruid: euid: rgid: egid: reuid: regid: clear-groups keep-groups init-groups groups: securebits: pdeathsig: selinux-label: apparmor-profile: reset-env help! version!", Words),
    guarded("ssh-agent", "a:cDdE:kO:P:st:", Words),
    guarded("sshpass", "d:ef?hp:P:vV!", Words),

    // Another place.
    guarded("nsenter", "aeFhZt:m?u?i?n?p?C?U?T?G:S:r?w?@W:@V! all target: mount? uts? ipc? net? pid? cgroup? user? time? setuid: setgid: preserve-credentials root? wd?@ wdns:@ no-fork follow-context env join-cgroup help! version!", Shell),
    guarded("unshare", "cCfhimnpruTUG:l:R:S:w:@V! mount? uts? ipc? net? pid? cgroup? user? time? fork map-user: map-group: map-users: map-groups: map-auto map-root-user map-current-user keep-caps kill-child? mount-proc? mount-binfmt? propagation: setgroups: root: wd:@ setuid: setgid: monotonic: boottime: load-interp: help! version!", Shell),
    guarded("setarch", "3BFILRSTXZv 32bit addr-compat-layout addr-no-randomize whole-seconds sticky-timeouts read-implies-exec mmap-page-zero 3gb 4gb verbose list! help! version!", Words).skip(1).again(),
    guarded("linux32|linux64|i386|x86_64", "3BFILRSTXZv addr-no-randomize verbose help! version!", Words),
    guarded("arch", "e:d:ch -x86_64 -arm64 -arm64e -i386", Words),
    guarded("ip", "046b:Bc?Df:hjl:n:NoprstV!", Sub),
    guarded("ip netns|ip vrf", "", Sub),
    guarded("ip netns exec|ip vrf exec", "-", Words).skip(1),
    guarded("tmux", "2CDlNuvc:$f:*L:S:T:V!", Sub),
    guarded("tmux new-session|tmux new", "AdDEPXc:@e:f:F:n:s:t:x:y:", Either),
    guarded("tmux new-window|tmux neww|tmux split-window|tmux splitw|tmux respawn-pane|tmux respawnp|tmux respawn-window|tmux respawnw|tmux display-popup|tmux popup", "abBCdEfhIkKNPvZc:@e:F:l:n:p:s:S:t:T:w:x:y:", Either),
    guarded("tmux run-shell|tmux run|tmux if-shell|tmux if|tmux pipe-pane|tmux pipep|tmux send-keys|tmux send", "bCFHIKlMoORXc:d:N:t:", Joined),
    guarded("screen", "aAdDiIlLmOqQrRUvwxXc:*e:h:p:s:S:t:T:", Either),
    guarded("xterm|uxterm|rxvt|urxvt|gnome-terminal|konsole|alacritty|kitty|foot|terminator|xfce4-terminal|mate-terminal|st", "", By(after::terminal)),
    guarded("wsl", "d:u:e cd:@ distribution: user: system exec shell-type: help! version! list!", Words),
    guarded("cmd|powershell|pwsh", "", By(after::windows)),

    // Other words, or several times.
    guarded("parallel|sem", "0123456789kmqtuvXa:C:d:E:I:*i?*j:l?L:n:N:P:rS:s:TU:* arg-file: arg-sep: arg-file-sep: bar basefile: bg block: colsep: ctrlc delay: delimiter: dry-run env: eof? eta fg fifo gnu halt: header: hostgroups id: jobs: joblog: keep-order limit:$ line-buffer link linebuffer load: max-args: max-chars: max-procs: max-replace-args: memfree: nice: no-notice no-run-if-empty null onall nonall number-of-cores! open-tty pipe pipepart plus progress pty quote recend: recstart: replace?* results: resume resume-failed retries: rpl:* semaphore seqreplace:* shebang* shellquote shuf sshlogin: sshloginfile: tag tagstring: tempdir: timeout: tmpdir: tmux transfer trim: ungroup use-cpus-instead-of-cores verbose wait will-cite workdir:@ xapply help! version! citation!", By(parallel::parallel)),
    guarded("entr", "acdnprs&xz", Words),
    guarded("flock", "eFnosuxc:$E:hV!w: shared exclusive unlock nonblock nb close no-fork wait: timeout: conflict-exit-code: command:$ fcntl verbose help! version!", Words).skip(1).again(),
    guarded("hyperfine", "Nim:M:r:w:p:$s:$c:$C:$S:L:P:D:u:n: warmup: min-runs: max-runs: runs: setup:$ prepare:$ conclude:$ cleanup:$ shell: parameter-scan: parameter-list: parameter-step-size: style: sort: time-unit: export-json: export-csv: export-markdown: output: input: command-name: reference:$ ignore-failure? show-output help! version!", By(inputs::each)).permutes(),
    guarded("concurrently", "gin:k:l:m:p:rst: names: prefix: kill-others success: raw restart-tries: max-processes: prefix-colors: help! version!", By(inputs::each)).permutes(),
    guarded("nodemon", "c:d:e:i:w:x:$ config: delay: ext: ignore: watch: exec:$", Nothing),
    guarded("watchexec|reflex", "cd:e:f:F:i:n?o:prs:w:W: exts: filter: ignore: watch: debounce: signal: shell: on-busy-update: project-origin: workdir:@ restart postpone clear? poll? delay-run: help! version!", Joined),

    // Looking on, holding.
    guarded("strace", "a:b:cCdDe:E:fFhiI:knNo:>O:p:P:qrs:S:tTu:U:vV!wxX:yYzZ follow-forks output: trace: attach: user: env: string-limit: summary summary-only seccomp-bpf quiet? decode-fds? help! version!", Words),
    guarded("ltrace", "a:A:bcCD:e:F:fhil:Ln:o:>p:rs:StTu:V!w:x:X: output: help! version!", Words),
    guarded("script", "aB:c:$E:efhI:m:o:O:qt?T:V! append command:$ echo: return flush force quiet timing? log-in: log-out: log-io: log-timing: logging-format: output-limit: help! version!", Words).skip(1).again(),
    guarded("gdb|cgdb|lldb", "", By(after::debugger)),
    guarded("systemd-run", "dE:GhH:M:p:Pqrs<Su:t collect description: expand-environment: gid: host: machine: nice: no-ask-password no-block on-active: on-boot: on-calendar: on-clock-change on-startup: on-timezone-change on-unit-active: on-unit-inactive: path-property: pipe property: pty quiet remain-after-exit same-dir scope send-sighup service-type: setenv: shell< slice: slice-inherit socket-property: system timer-property: uid: unit: user wait working-directory:@ background: help! version!", Words),
    guarded("prlimit", "c?d?e?f?i?l?m?n?o:p:!q?r?s?t?u?v?x?y?V! core? data? nice? fsize? sigpending? memlock? rss? nofile? pid:! msgqueue? rtprio? stack? cpu? nproc? as? locks? rttime? help! version!", Words),
    guarded("cpulimit", "bfikl:mp:!P:!e:!qz limit: pid:! path:! exe:!", Words),
    guarded("cgexec", "g:b sticky", Words),
    guarded("torsocks|torify|tsocks|proxychains|rlwrap", "f:ipq", Words),
    guarded("faketime", "fm", Words).skip(1),
    guarded("tini|dumb-init|catchsegv|nocache|wine|mono", "cgp:svw", Words),
    guarded("xvfb-run", "ae:f:hln:p:s:w: auto-servernum auth-file: server-num: server-args: error-file: xauth-protocol: listen-tcp wait: help!", Words),
    guarded("dbus-run-session|dbus-launch", "- config-file: dbus-daemon: exit-with-session help! version!", Words),
    guarded("fakeroot|fakechroot", "b:f:hi:l:s:uv! lib: faked: unknown-is-real help! version!", Words),
    guarded("start-stop-daemon", "SKbmoqtvCTHc:g:u:n:p:a:+x:+d:@r:N:P:I:k:s:O: start stop! status! exec:+ startas:+ chuid: group: user: name: pidfile: chdir:@ chroot: nicelevel: procsched: iosched: umask: signal: retry: output: background make-pidfile oknodo quiet test verbose no-close remove-pidfile help! version!", Words),
    guarded("busybox|toybox", "- list! list-full! install! help!", Words),

    // Shells of another language, read as if it were the same.
    guarded("fish|csh|tcsh|nu|xonsh|elvish|osh|ysh", shells::OPTIONS, By(shells::shell)),

    // What the shell does later.
    guarded("trap", "lp!P!", By(inputs::trap)),
    guarded("alias", "-", By(inputs::alias)),
    guarded("source|.", "-p:", By(inputs::source)),
    guarded("mapfile|readarray", "c:C:$d:n:O:s:tu:", Nothing),
    guarded("complete|compgen", "abcdefgjkprsuvDEIA:C:$F:G:o:P:S:W:$X:", Nothing),
    guarded("jobs", "", By(after::jobs)),
    guarded("at|batch", "bc!d!f:*hl!mMq:r!t:u:vV!", By(inputs::queued)),
    guarded("crontab", "e!l!r!iu:s", By(inputs::crontab)),

    // Code on the standard input.
    guarded("python|pypy", "bBdEhiIOPqRsSuvx?c:!m:!V!W:X: check-hash-based-pycs: help! help-all! help-env! help-xoptions! version!", By(inputs::code)),
    guarded("node|nodejs", "C:ce:!hip:!r:v! eval:! print:! require: import: loader: experimental-loader: check run:! test! conditions: input-type: env-file: title: help! version!", By(inputs::code)),
    guarded("ruby|jruby|truffleruby", "acC:de:!E:F:hI:K:lnpr:sSvwW?xX: require: encoding: copyright! help! version!", By(inputs::code)),
    guarded("perl", "0?acC?d?D?e:!E:!F?fhI:i?l?m:M:npsStTuUvV!wWx? help!", By(inputs::code)),
    guarded("php", "ac:d:ef:!hH!i!lm!nqr:!B:!R:!F:!S:!t:v!s!w!z: run:! file:! server:! help! version!", By(inputs::code)),
    guarded("lua|luajit|tclsh|wish|r|rscript|osascript|groovy|scala|ghci|irb|pry|guile|racket|sbcl|ocaml|octave|gnuplot|maxima|jshell|iex|clojure|clj", "b:e:!f:!l:v! eval:! file:! help! version!", By(inputs::code)),
    guarded("julia", "C:e:!E:!hH:iJ:L:p:qt:v! eval:! print:! project? help! version!", By(inputs::code)),
    guarded("ed|red|ex|vi|vim|nvim|dc|m4|ftp|sftp|telnet|redis-cli|mongosh|expect", "", By(inputs::commands)),
    guarded("sqlite|psql|mysql|mariadb", "", By(inputs::statements)),
];
