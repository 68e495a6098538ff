//! Rows of programs whose words are another command, besides those of the system: loaders, tracers, sandboxes,
//! containers, clusters and sessions.

use super::super::operands::Operands;
use super::super::power::Power::{RunsCode, StartsOthers};
use super::super::row::Starts::{By, Dashes, Joined, Shell, Sub, Words};
use super::super::row::{Row, program};
use super::super::starts::{Read, Unwrapped, after, chains, inputs};

/// Creates a row of a program whose started command a function finds. The program's options end where the command
/// begins.
const fn by(names: &'static str, options: &'static str, starts: fn(&Read<'_>) -> Option<Unwrapped>) -> Row {
    program(names, options).starts(By(starts)).stops(1).power(StartsOthers)
}

/// Creates a row of a program that starts the words after its options.
const fn words(names: &'static str, options: &'static str) -> Row {
    program(names, options).starts(Words)
}

/// Creates a row of a program that only has subcommands.
const fn parent(names: &'static str, options: &'static str) -> Row {
    program(names, options).starts(Sub).operands(Operands::Sub)
}

const RECORD: &str = "abBc:C:dD:e:F:gG:I?ij:k:m:Nno:>Pp:qRr:S?st:Tu:vWz?h. all-cpus branch-any no-buildid count: cpu: data delay: event: freq: cgroup: intr-regs? no-inherit branch-filter: clockid: mmap-pages: no-buildid-cache no-samples output:> period pid: quiet raw-samples realtime: snapshot? stat tid: timestamp uid: verbose weight compression-level? affinity: aio? all-cgroups all-kernel all-user aux-sample? buildid-all buildid-mmap call-graph: clang-opt:! clang-path:! code-page-size control:> data-page-size debuginfod?# dry-run exclude-perf filter: group kcore kernel-callchains max-size: mmap-flush: namespaces no-bpf-event no-buffering num-thread-synthesize: off-cpu overwrite per-thread phys-data proc-map-timeout: running-time sample-cpu sample-identifier strict-freq switch-events switch-max-files: switch-output? switch-output-event: synth: tail-synthesize threads? timestamp-boundary timestamp-filename transaction user-callchains user-regs? vmlinux:<";

const SETARCH: &str = "3BFILRSTXZvhV. 32bit addr-compat-layout addr-no-randomize whole-seconds sticky-timeouts read-implies-exec mmap-page-zero 3gb 4gb show? verbose list. help. version.";

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    // Loaders, emulators, programs of many names.
    words("ld.so|linker|linker64|linker_asan", "b:;df:;opu list. verify. inhibit-cache library-path:! glibc-hwcaps-prepend:! glibc-hwcaps-mask: inhibit-rpath: audit:! preload:! argv0:; list-tunables. list-diagnostics. help. version."),
    by("coreutils|sbase-box|ubase-box", "- coreutils-prog:+ coreutils-prog-shebang:+ list. help. version.", chains::coreutils),
    by("setarch", SETARCH, chains::setarch).skip(1).again().stops(2),
    program("linux32|linux64|uname26|i386|i486|i586|i686|athlon|x86_64|ia64|ppc|ppc32|ppc64|ppcle|ppc32le|ppc64le|s390|s390x|sparc|sparc32|sparc64|sparc32bash|parisc|parisc32|parisc64|hppa|hppa64|mips|mips32|mips64|alpha|arm|armh|armhf|arm64|armv4l|armv5l|armv6l|armv7l|armv8l|aarch64|riscv|riscv32|riscv64|loongarch|loongarch32|loongarch64|e2k|sh4", SETARCH).starts(Shell),
    words("qemu-i386|qemu-x86_64|qemu-arm|qemu-armeb|qemu-aarch64|qemu-riscv32|qemu-riscv64|qemu-ppc|qemu-ppc64|qemu-ppc64le|qemu-mips|qemu-mipsel|qemu-mips64|qemu-s390x|qemu-sparc|qemu-sparc64|qemu-alpha|qemu-hppa|qemu-m68k|qemu-loongarch64|qemu-x86_64-static|qemu-aarch64-static|qemu-arm-static|qemu-riscv64-static", "0:;hg:#L:!s:cpu:R:B:d:D:>E:=U:p: -cpu: -one-insn-per-tb -singlestep -strace -seed: -d: -D:> -g:# -L:! -s: -E:= -U: -R: -B: -p: -plugin:! -version. -h. help. version."),
    words("wine64|wine-stable|box64|box86|fexinterpreter|fex|fexbash|rosetta|muvm|hangover", "-"),

    // Profilers, tracers and debuggers.
    program("strace", "a:Ab:cCdDe:E:=fFhiI:knNo:>O:p:P:qrs:S:tTu:#U:vV.wxX:yYzZ argv0:; follow-forks output-append-mode> output-separately output:> attach: user:# env:= detach-on: daemonize? interruptible: trace: signal: status: trace-path: trace-fds: successful-only failed-only columns: abbrev: verbose: raw: read: write: quiet? kvm: decode-fds? decode-pids: instruction-pointer stack-traces? stack-trace? stack-trace-frame-limit: syscall-number arg-names relative-timestamps? string-limit: absolute-timestamps? syscall-times? no-abbrev strings-in-hex? const-print-style: summary-only summary-syscall-overhead: summary-sort-by: summary-columns: summary-wall-clock summary syscall-limit: inject:# fault:# debug seccomp-bpf tips? kill-on-exit help. version.").starts(Words),
    program("ltrace", "a:A:bcCD:e:fF:*hil:Ln:o:>p:rs:STtu:#V.w:x: align: config:* debug: demangle indent: library: no-signals output:> where: help. version.").starts(Words),
    program("script", "aB:c:$E:efhI:m:o:O:qt?T:V. append command:$ echo: return flush force quiet timing? log-in: log-out: log-io: log-timing: logging-format: output-limit: help. version.").starts(Words).skip(1).again(),
    program("gdb|cgdb", "b:c:d:l:p:s:x:* -ex:& -iex:& -eval-command:& -init-eval-command:& -command:* -init-command:* -ix:* -x:* eval-command:& init-eval-command:& command:* init-command:*").starts(By(after::debugger)).power(RunsCode),
    program("lldb", "f:k:&n:o:&O:&p:s:*S:*K:* one-line:& source:* one-line-before-file:& source-before-file:* one-line-on-crash:& source-on-crash:*").starts(By(after::debugger)).power(RunsCode),
    program("gdbserver", "- attach. multi. once no-startup-with-shell disable-randomization no-disable-randomization startup-with-shell debug debug-format? selftest? disable-packet? remote-debug event-loop-debug wrapper; help. version.").starts(Words).skip(1),
    program("lldb-server|debugserver", "").starts(By(chains::guess)).power(StartsOthers),
    parent("perf", "vh. no-pager paginate! buildid-dir: debugfs-dir: tracefs-dir: debug: exec-path?! html-path. list-cmds. list-opts. help. version.").obeys(),
    by("perf stat", "aABC:D:de:G:gI:ijM:no:>p:r:St:Tvx:h. all-cpus no-aggr big-num cpu: delay: detailed event: cgroup: group interval-print: no-inherit json-output metrics: null output:> pid: repeat: sync tid: transaction verbose field-separator: all-kernel all-user append control:> cputype: filter: for-each-cgroup: hybrid-merge interval-clear interval-count: iostat? log-fd: metric-no-group metric-no-merge metric-only no-csv-summary no-merge per-core per-die per-node per-socket per-thread percore-show-thread post:$ pre:$ quiet scale smi-cost summary table td-level: timeout: topdown", chains::perf),
    words("perf record", RECORD),
    by("perf mem|perf c2c|perf lock|perf sched|perf kmem|perf kwork|perf timechart|perf kvm|perf ftrace|perf iostat|perf script|perf inject|perf daemon", "", chains::guess),
    by("perf trace", "aC:D:e:fF:G:i:<m:o:>p:sSt:Tu:vh. all-cpus cpu: delay: event: force pf: cgroup: input:< mmap-pages: output:> pid: summary with-summary tid: time uid: verbose call-graph: comm duration: errno-summary expr: failure filter: filter-pids: kernel-syscall-graph libtraceevent_print map-dump: max-events: max-stack: min-stack: no-inherit print-sample proc-map-timeout: sched show-on-off-events sort-events switch-off: switch-on: syscalls tool_stats", chains::perf),
    program("perf report|perf annotate|perf evlist|perf diff|perf buildid-list", "a:c:C:d:DfFg?Ghi:<k:<lm:nNo:p:PqRs:S:T:t:U:vw:x: input:< sort: fields: children call-graph? percent-limit: comms: dsos: symbols: stdio stdio2 tui gtk header header-only max-stack: objdump:! addr2line:! symfs:< vmlinux:< kallsyms:< force show-nr-samples show-total-period hierarchy demangle demangle-kernel verbose quiet group").operands(Operands::Nothing),
    program("perf list|perf version", "dvj desc details json long-desc verbose raw-dump unit: help.").operands(Operands::Text),
    words("valgrind", "qvdh. help. help-debug. help-dyn-options. version. tool? quiet verbose trace-children? trace-children-skip? trace-children-skip-by-arg? child-silent-after-fork? vgdb? vgdb-error? vgdb-stop-at? vgdb-prefix?> vgdb-poll? vgdb-shadow-registers? track-fds? time-stamp? log-fd? log-file?> log-socket?# xml? xml-fd? xml-file?> xml-socket?# xml-user-comment? demangle? num-callers? error-limit? exit-on-first-error? error-exitcode? error-markers? show-error-list? keep-debuginfo? show-below-main? default-suppressions? suppressions?< gen-suppressions? input-fd? max-stackframe? main-stacksize? alignment? redzone-size? xtree-memory? xtree-memory-file?> fullpath-after? extra-debuginfo-path?! debuginfo-server?# allow-mismatched-debuginfo? smc-check? read-inline-info? read-var-info? run-libc-freeres? run-cxx-freeres? sim-hints? fair-sched? show-emwarns? leak-check? leak-resolution? show-leak-kinds? errors-for-leak-kinds? leak-check-heuristics? show-reachable? show-possibly-lost? xtree-leak? xtree-leak-file?> undef-value-errors? track-origins? partial-loads-ok? expensive-definedness-checks? freelist-vol? freelist-big-blocks? ignore-ranges? ignore-range-below-sp? malloc-fill? free-fill? keep-stacktraces? show-mismatched-frees? stats? callgrind-out-file?> dump-line? dump-instr? compress-strings? compress-pos? combine-dumps? dump-every-bb? dump-before? zero-before? dump-after? instr-atstart? collect-atstart? toggle-collect? collect-jumps? collect-bus? collect-systime? separate-threads? cache-sim? branch-sim? cachegrind-out-file?> heap? heap-admin? stacks? pages-as-heap? depth? alloc-fn? ignore-fn? threshold? peak-inaccuracy? time-unit? detailed-freq? max-snapshots? massif-out-file?> dhat-out-file?> mode? history-level? free-is-write? track-lockorders? conflict-cache-size? check-stack-refs? ignore-thread-creation? check-stack-var? first-race-only? show-confl-seg? trace-alloc? I1? D1? LL?").obeys(),
    parent("rr", "").starts(By(chains::sub_or_words)).power(StartsOthers),
    words("rr record", "c:hno:>s:S:t:u:v:=wx:F:M chaos num-cores: ignore-signal: num-cpu-ticks: output-trace-dir:> print-trace-dir: syscall-buffer-size: always-switch continue-through-signal: no-syscall-buffer no-file-cloning wait asan tsan help."),
    by("uftrace|trace-cmd|operf|ocount|latrace|drrun|drmemory|drltrace|pin|vtune|nsys|ncu|nvprof|rocprof|gprofng|samply|flamegraph|memray|py-spy|austin|scalene|tracexec|apitrace|ftrace", "", chains::guess),
    words("heaptrack", "adhi:!o:>p:r analyze:. asan debug interpret interpreter:! output:> pid: raw record-only use-inject version. help."),
    words("truss", "acdeDfHsSmo:>p:s:"),
    words("ktrace", "aCcdif:>g:p:t:"),
    words("dtruss", "abcdefholLs"),
    words("multitime", "f:!I:n:i:!o:!qr:!s:vh."),
    program("stap", "kuvwtb?c:$d:D:e:&E:&FGgI:*h.il.L.m:o:>p:PqQ:r:#R:*s:S:tTVwx:X:*y help. version.").starts(By(chains::scripts)).permutes(),
    program("bpftrace", "B:c:$de:&f:hI:*ko:>p:qvVl. unsafe! include:* info. no-warnings no-feature: usdt-file-activation help. version.").starts(By(chains::scripts)).permutes(),
    program("dtrace", "a#AbB:c:$C:D:eEf:&F:Gh>H:i:&I:*lL:*m:&n:&o:>p:P:&qs:*SU:vVwx:X:Z").starts(By(chains::scripts)).permutes(),
    words("sandbox-exec", "D:f:<n:p:"),

    // Sandboxes and other roots.
    by("bwrap|bubblewrap", "- args:; argv0:; unsetenv: lock-file:> remount-ro: exec-label: file-label: proc: dev: tmpfs: mqueue: dir:> seccomp: add-seccomp-fd: block-fd: userns-block-fd: info-fd: json-status-fd: sync-fd: cap-add:# cap-drop: uid:# gid:# hostname: chdir:@ userns: userns2: pidns: perms: size: unshare-all unshare-user unshare-user-try unshare-ipc unshare-pid unshare-net unshare-uts unshare-cgroup unshare-cgroup-try share-net disable-userns assert-userns-disabled clearenv new-session die-with-parent as-pid-1 level-prefix help. version.", chains::bwrap),
    words("firejail", "c:h?. help. version. quiet debug list. tree. top. noprofile profile?* name? hostname? private? private-bin? private-dev private-etc? private-tmp private-cache private-cwd?@ net? netfilter? dns? ip? mac? caps? seccomp? caps.drop? nonewprivs noroot nogroups nosound no3d nodvd notv novideo nou2f noinput novideo noautopulse memory-deny-write-execute read-only? read-write?# blacklist? noblacklist? whitelist? nowhitelist? tmpfs? overlay overlay-named? overlay-tmpfs env?= rmenv? output?> output-stderr?> shell? join?# join-or-start?# apparmor? appimage x11? xephyr-screen? rlimit-as? rlimit-cpu? rlimit-fsize? rlimit-nofile? rlimit-nproc? timeout? nice? cpu? cgroup? ipc-namespace keep-fd? machine-id disable-mnt deterministic-exit-code trace?> tracelog bind?# chroot?# shutdown?~ bandwidth?#"),
    by("nsjail|minijail0|minijail|isolate|landrun|landlock-restrict|runsc|runc|crun|youki|ctr|crictl|enroot|ch-run|udocker|x11docker|systemd-nspawn|fakeroot-sysv|fakeroot-tcp|pseudo|jexec|jail|zlogin|iocage|bastille|appjail|arch-chroot|artix-chroot|xchroot|debspawn|pbuilder|cowbuilder|mock|waydroid|dchroot", "", chains::guess),
    program("proot|proot-distro", "0i:k:lLnb:m:p:q:!r:R:S:v:w:@h.V. bind: mount: rootfs: qemu:! pwd:@ cwd:@ verbose: kernel-release: root-id change-id: kill-on-exit link2symlink netcoop help. version. about.").starts(Shell),
    program("schroot", "abc:d:@efhiln:o:pqru:vs:V. all all-chroots all-sessions all-source-chroots chroot: directory:@ user: preserve-environment shell: session-name: option: quiet verbose force begin-session# recover-session# run-session end-session# list. info. location. config. help. version.").starts(Shell),
    words("fakechroot", "c:d:e:sb:hv. environment: config-dir:* elfloader:! bindir:! lib:! use-system-libs help. version."),
    by("runcon", "ct:#u:#r:#l:# compute# type:# user:# role:# range:# help. version.", chains::context),
    by("capsh", "", chains::capsh),
    program("newgrp", "c:$l command:$").starts(By(chains::scripts_or_shell)).stops(1).power(StartsOthers),
    words("aa-exec", "p:n:idvh. profile: namespace: immediate debug verbose help."),
    words("newrole|seunshare|sandbox", "-"),
    words("sudo-rs|dzdo|pfexec|please|calife|sux|essu|ksu", "u:g:nE user: group:"),
    by("kdesu|kdesudo|gksu|gksudo|beesu|lxsudo|lxsu|gsudo", "c:$u:n", chains::login),
    program("run0", "D:@g:iu:h. unit: property:= description: slice: slice-inherit user: group: nice: chdir:@ setenv:= background: pty pipe shell-prompt-prefix: machine:# no-ask-password via-shell help. version.").starts(Shell),
    words("systemd-inhibit", "h. what: who: why: mode: no-pager no-legend no-ask-password list. help. version."),
    words("systemd-cat", "h.t:p: identifier: priority: stderr-priority: level-prefix: namespace: help. version."),
    words("systemd-socket-activate", "adE:=hl:# accept datagram seqpacket inetd listen:# setenv:= fdname: now help. version."),

    // Containers and virtual machines.
    parent("lxc|incus", "qvh. debug verbose quiet force-local project: sub-commands help. version.").power(StartsOthers),
    program("lxc exec", "h.nqtTv cwd:@ disable-stdin env: force-interactive force-noninteractive group: mode: user: debug verbose quiet force-local project: help.").starts(Dashes).skip(1).again(),
    program("lxc list|lxc ls|lxc info|lxc version|lxc warning list|lxc operation list", "c:f:h. all-projects columns: format: fast resources show-log target: debug verbose quiet force-local project: help.").operands(Operands::Text),
    program("lxc-attach|lxc-execute|lxc-unshare|lxc-start", "n:p:f:*ea:s:Rv:=u:g:c:o:>l:P:qL:>m: name: elevated-privileges? arch: namespaces: remount-sys-proc clear-env keep-env set-var:= keep-var: pty-log:> rcfile:* uid: gid: context: logfile:> logpriority: lxcpath:* quiet define:= help. version.").starts(Shell),
    parent("distrobox", "hvV. help. version."),
    by("distrobox enter|distrobox-enter|distrobox ephemeral|distrobox-ephemeral", "", chains::distrobox),
    words("distrobox-host-exec|host-spawn|flatpak-spawn", "vy verbose host# latest-version no-network sandbox watch-bus clear-env env?= unset-env? directory?@ forward-fd? sandbox-expose? help. version."),
    parent("toolbox", "vhy assumeyes log-level: log-podman verbose help. version."),
    program("toolbox run|toolbox enter", "c:d:r: container: distro: release: preserve-fds: help.").starts(Shell),
    parent("flatpak", "vh. ostree-verbose verbose help. version. default-arch. supported-arches. gl-drivers. installations. print-updated-env."),
    by("flatpak run", "dp user system installation: arch: branch: commit: runtime: runtime-version: command:+ cwd:@ devel bus session-bus system-bus log-session-bus log-system-bus die-with-parent parent-pid: parent-expose-pids parent-share-pids instance-id-fd: file-forwarding verbose help.", chains::entry).skip(1).stops(2),
    program("flatpak enter|flatpak build", "-").starts(Words).skip(1),
    program("flatpak list|flatpak info|flatpak search|flatpak remotes|flatpak ps|flatpak history", "adhiruv all app arch: columns: runtime show-details system user verbose help.").operands(Operands::Text),
    parent("snap", "h. help. version."),
    by("snap run", "r: shell^ command: hook: gdb! gdbserver?! strace?! trace-exec", chains::snap).skip(1).stops(2),
    program("snap list|snap info|snap find|snap version|snap changes|snap services|snap connections|snap interfaces|snap known", "h all color: unicode: verbose private narrow section: abs-time help.").operands(Operands::Text),
    parent("machinectl", "H:#M:#qal: host:# machine:# quiet all full no-pager no-legend no-ask-password lines: max-addresses: output: help. version."),
    program("machinectl shell", "qE:= uid: setenv:= quiet").starts(Shell).skip(1),
    program("machinectl list|machinectl ls|machinectl status|machinectl show|machinectl list-images|machinectl show-image|machinectl image-status", "p:aln:o: property: all value full lines: output: no-pager no-legend").operands(Operands::Text),
    parent("buildah", "hv log-level: root: runroot: storage-driver: storage-opt: registries-conf:* help. version."),
    program("buildah run", "tv: add-history cap-add: cap-drop: cgroupns: contextdir: device: env: group-add: hostname: ipc: isolation: mount: network: no-hostname no-hosts no-pivot pid: runtime:! runtime-flag: security-opt: terminal tty user: userns: uts: volume: workingdir:@").starts(Dashes).skip(1).again(),
    words("buildah unshare|docker unshare", "m: mount: rootless-netns help."),
    by("docker machine ssh|colima ssh|minikube ssh|multipass shell|orb|orbctl", "", chains::guess),
    parent("docker machine|docker-machine", "hs:i: help. version."),
    parent("colima", "p:h profile: verbose very-verbose help. version."),
    parent("minikube", "p:hv: profile: help."),
    parent("minikube profile", "p:hv: profile: help."),
    parent("multipass", "hv help."),
    parent("limactl", "hv. debug log-level: tty help. version."),
    program("multipass exec", "d:@nhv working-directory:@ no-map-working-directory help.").starts(Dashes).skip(1).again(),
    program("limactl shell", "h shell:! workdir:@ debug preserve-env start yes help.").starts(Shell).skip(1),
    program("lima", "-").starts(Shell),
    program("multipass list|multipass info|multipass find|multipass version|multipass ls", "- all format: snapshots show-unsupported force-update only-cached help.").operands(Operands::Text),
    program("limactl list|limactl ls|limactl info", "fqh format: json quiet all-fields help.").operands(Operands::Text),
    program("minikube status|minikube ip|minikube profile list|minikube version", "p:lno: profile: format: layout: node: output: short help.").operands(Operands::Text),
    parent("vagrant box", "h help."),
    parent("vagrant plugin", "h help."),
    parent("vagrant", "hv. color no-color machine-readable debug timestamp debug-timestamp no-tty help. version.").power(StartsOthers).obeys(),
    program("vagrant ssh", "c:$pth. command:$ plain tty no-tty color help.").starts(By(chains::scripts_or_dashes)).permutes().power(StartsOthers),
    program("vagrant winrm|vagrant powershell", "c:$es: command:$ elevated shell:").starts(By(chains::login)).stops(1).power(StartsOthers),
    program("vagrant status|vagrant global-status|vagrant validate|vagrant version|vagrant ssh-config|vagrant port|vagrant box list|vagrant plugin list", "h host: guest: machine-readable prune~ box-info ignore-provider help.").operands(Operands::Text),
    by("apptainer|singularity", "", chains::guess),
    parent("adb", "adeH:L:P:s:t:").power(StartsOthers),
    program("adb shell|adb exec-out|adb exec-in", "e:nTtx").starts(Joined),
    program("adb devices|adb version|adb get-state|adb get-serialno|adb features|adb help", "l").operands(Operands::Text),

    // Remote shells.
    by("mosh", "46ap:n client:! server:! ssh:$ ssh-pty no-ssh-pty predict: predict-overwrite family: port: bind-server: init no-init local experimental-remote-ip: help. version.", chains::both).skip(1).again().stops(2),
    program("et|dbclient|rsh|rexec|remsh|rlogin|slogin|tsh|assh|sshrc|xxh", "46AaNTxXkvqyfgl:p:P:c:$i:u:m:* command:$ port: user:").starts(By(chains::login)).skip(1).again().stops(2).power(StartsOthers),
    program("plink|klink", "46aACNtTvxXD:#i:L:#m:*l:P:R:#V. -pw: -pwfile:< -batch -ssh -telnet -rlogin -raw -serial -load:* -nc:# -agent -noagent -share -noshare -hostkey: -proxycmd:! -sshlog:> -sshrawlog:> -no-antispoof").starts(By(chains::login)).skip(1).again().stops(2).power(StartsOthers),
    program("pssh|parallel-ssh|mussh", "Ah:<H:l:p:o:>e:>t:O:!x:!X:!vg:iIP hosts:< host: user: par: outdir:> errdir:> timeout: options:! verbose askpass extra-args:! extra-arg:! inline inline-stdout print send-input host-glob: version. help.").starts(Joined),
    program("pdsh|clush", "aAbBdg:X:w:x:l:t:u:f:o:!R:!M:!NSLhV.kqv nostdin groupsource: all diff gather group: worker:! nodes: exclude: quiet fanout: command_timeout: connect_timeout: user: options:! remote:!").starts(Joined),
    program("dsh|dancer-dsh|cssh|csshx|cexec", "aciMqvwf:<F:g:m:o:!r:!n: all concurrent-shell duplicate-input file:< forklimit: group: help. machine: num-topology: quiet remoteshell:! remoteshellopt:! show-machine-names verbose version. wait-shell hidemachine").starts(Joined),
    by("ansible", "a:$be:&Ci:*M:*m:u:l:f:kKDot:>B:P:vh. args:$ become become-method: become-user: check diff connection: forks: inventory:* limit: list-hosts. module-name: module-path:* one-line playbook-dir:* private-key: key-file: poll: background: extra-vars:& ssh-common-args:! ssh-extra-args:! scp-extra-args:! sftp-extra-args:! syntax-check task-timeout: timeout: tree:> user: vault-id:! vault-password-file:! vault-pass-file:! ask-vault-pass ask-pass ask-become-pass verbose version. help.", chains::scripts).stops(0).permutes().obeys(),

    // Sessions and terminals.
    program("dtach", "aAcnNpe:Er:z").starts(Words).skip(1).again(),
    program("abduco", "aAce:flnpqrv.").starts(Words).skip(1).again(),
    parent("zellij", "ds:c:*l:* data-dir: debug session: config:* config-dir:* layout:* layout-dir:* max-panes: new-session-with-layout:* help. version."),
    program("zellij run|zellij r", "cd:fin:sx:y:h. block-until-exit close-on-exit cwd:@ direction: floating height: in-place name: pinned: start-suspended stacked width: x: y: help.").starts(Dashes),
    by("zellij action|zellij ac|zellij pipe|zellij edit|zellij e|zellij plugin", "", chains::guess),
    program("zellij list-sessions|zellij ls|zellij list-aliases", "nsr no-formatting short reverse help.").operands(Operands::Nothing),
    by("byobu|tmate|smug|tmuxp|tmuxinator|teamocil|dvtm|mtm|tilix|guake|yakuake|tilda|wezterm|wezterm-gui|ghostty|rio|contour|kitten|cool-retro-term|lxterminal|terminology|ptyxis|blackbox|gnome-console|kgx|qterminal|deepin-terminal|sakura|hyper|iterm|x-terminal-emulator|xdg-terminal-exec|exo-open|mintty|aterm|eterm|wterm|wt|conhost", "", chains::guess),
    by("xinit|startx|xephyr|xvfb|xwayland-run|wlheadless-run|xwfb-run|cage|weston|sway|labwc|kwin_wayland|gamescope|openbox-session|ck-launch-session|startplasma|gnome-session|xsession", "", chains::guess),
    by("i3-msg|swaymsg|hyprctl|bspc|herbstclient|awesome-client|niri|riverctl|xdotool|ydotool|dotool|wtype|kioclient|kioclient5|kstart|kstart5|gtk-launch|dex|dmenu_run|rofi|wofi|fuzzel|bemenu-run", "", chains::guess),
    words("ledit|rlfe|socklog|fep", "ah:>l:tuxv."),
    words("rlwrap", "a?A?b:cC:D:e:f:<F:g:h.iIl:>m?M:nNoO:p?P:q:rRs:S:t:TUv.w:W?Xz:! always-readline? ansi-colour-aware? break-chars: complete-filenames command-name: history-no-dupes: extra-char-after-completion: file:< history-format: forget-matching: help. case-insensitive pass-sigint-as-sigterm logfile:> multi-line? multi-line-ext: no-warnings no-children only-cook: one-shot prompt-colour? pre-given: quote-characters: remember renice histsize: substitute-prompt: set-term-name: test-terminal mirror-arguments version. wait-before-prompt: polling? skip-setctty filter:!"),
    program("autoexpect", "cCf:>pPqQ").starts(Words),

    // Limits, priorities, locks, queues, repetitions.
    words("numactl", "aC:dDf:#HhI:#i:lL:M:m:N:o:P:p:S:#sT#tuVw:b: all balanced interleave: weighted-interleave: preferred: preferred-many: cpunodebind: physcpubind: cpubind: membind: localalloc show. hardware. huge offset: length: shm:# shmid:# shmmode: file:# strict dump. dump-nodes. touch# verify"),
    by("cset|schedtool|rtla", "", chains::guess),
    words("trickle", "d:hl:L:n:st:u:vVw: "),
    words("softlimit|s6-softlimit", "a:c:d:f:hHl:m:o:p:r:s:t:"),
    program("setlock|s6-setlock", "nNxXrwt:d:").starts(Words).skip(1),
    program("lckdo|withlock|solo|lockf|lockrun", "aAeEkKnqswt:W:Qx").starts(Words).skip(1),
    words("pgrphack|s6-setsid|setpgrp|detach|daemonize|daemon|daemonise", "bdfgqvi:c:@e:>o:>E:=p:>l:>u:a"),
    by("chpst", "u:U:b:;e:;n:l:L:m:d:o:p:f:c:r:t:vP012", chains::both),
    by("envdir|s6-envdir|envfile|dotenv|dotenv-cli|env-cmd|with-contenv|s6-envuidgid|envuidgid|applyuidgid|s6-applyuidgid|s6-sudo|s6-sudoc|emptyenv|envconsul|consul-template|summon|envchain|teller|berglas", "", chains::anywhere),
    by("argv0", "-", chains::renamed),
    by("foreground|background|pipeline|piperw|backtick|forx|forstdin|forbacktickx|loopwhilex|ifelse|ifte|ifthenelse|tryexec|runblock|withstdinas|multidefine|multisubstitute|homeof|importas|redirfd|fdmove|fdclose|fdblock|fdreserve|fdswap|elgetopt|elgetpositionals|elglob|dollarat|getpid|posix-cd|posix-umask|s6-ioconnect|s6-fghack|s6-background|s6-notifyoncheck|s6-cleanfifodir|s6-tcpserver|s6-tcpclient|s6-ipcserver|s6-ipcclient|s6-fdholder-retrieve|tcpserver|tcpclient|ucspi-tls|sslserver|recordio|fghack|readproctitle|supervise|s6-supervise|multilog|svlogd", "", chains::anywhere),
    by("execlineb", "c:$ehps:PwWS:", chains::foreign_scripts),
    words("nq", "acqtwd:m:w:D:W:H:M:S:T:t:R:s:n"),
    words("tsp|ts", "KClVhBEnfgmdc:t:o:p:s:r:w:k:u:U:i:a:D:L:N:S:M:"),
    words("ifne|zrun|run-one|run-this-one|run-one-constantly|run-one-until-success|run-one-until-failure|keep-one-running|gamemoderun|mangohud|prime-run|primusrun|optirun|vglrun|steam-run|nixgl|strangle|padsp|aoss|apulse|pw-jack|artsdsp|esddsp|retry|timelimit|wait-for-it|wait-for-it.sh|dockerize|catatonit|docker-init|with-editor|when-changed|usewithtor|socksify|cproxy|authbind|privbind|jemalloc.sh|memusage|sotruss|zzuf|userv", "n"),
    words("torsocks", "a:dhiP:p:qu: address: debug isolate pass: port: quiet user: shell on off help. version."),
    words("torify", "hv. verbose help. version."),
    words("proxychains|proxychains-ng", "f:*qh. help."),
    words("graftcp", "a:b:*c:*f:hn:p:uV.w:* blackip-file:* whiteip-file:* conf-file:* pipepath: not-ignore-local help. version."),
    program("datefudge", "sv. static version. help.").starts(Words).skip(1),
    program("logsave", "asv").starts(Words).skip(1),
    program("pee|mispipe", "- ignore-sigpipe ignore-write-errors no-ignore-sigpipe no-ignore-write-errors").starts(By(inputs::each)).permutes().power(StartsOthers),
    by("scan-build|scan-build-py|intercept-build|compiledb|kcov|pump", "", chains::guess),
    words("bear", "v output:> append force-preload force-wrapper config:* verbose help. version."),
    words("ccache|buildcache|colorgcc|icecc", "cC~d:*F:#hk:.M:#o:#pszVvx:X:# cleanup~ clear~ config-path:* dir:* evict-older-than:~ get-config:. max-files:# max-size:# set-config:# print-stats. recompress:# show-compression. show-config. show-log-stats. show-stats. zero-stats# help. version."),
    words("distcc|sccache", "szh start-server stop-server# show-stats. show-adv-stats. zero-stats# dist-auth dist-status. package-toolchain:> stats-format: scan-includes show-hosts. show-principal. help. version."),
    words("cross-env", "-").assigns(),
    by("cross-env-shell", "", chains::guess),
    program("watchman-make", "p:t:r:$ pattern: target: run:$ make:$ settle: root:@ connect-timeout: help.").starts(By(chains::scripts)).power(StartsOthers),
    by("watchman", "", chains::last_dashes),
    by("reflex", "r:R:g:G:sc:;d:e:v regex: inverse-regex: glob: inverse-glob: config:; decoration: substitute:; start-service only-files only-dirs all sequential verbose shutdown-timeout:", chains::both),
    by("onchange|chokidar|chokidar-cli|inotify-hookable|watchmedo|viddy|hwatch", "", chains::anywhere),
    by("run-parts", "a:u:v arg: exit-on-error list. lsbsysinit new-session regex: report reverse stdin test. umask: verbose help. version.", chains::unread),

    // Clusters.
    by("srun|salloc|sbatch|mpirun|mpiexec|orterun|prterun|prun|mpiexec.hydra|hydra|horovodrun|jsrun|qsub|qrsh|bsub|condor_run|torchrun|deepspeed|accelerate|charmrun|oarsub|aprun|lsrun|qlogin", "", chains::guess),

    // macOS.
    parent("launchctl", "").power(StartsOthers),
    program("launchctl asuser|launchctl bsexec|launchctl chroot|launchctl bstree", "-").starts(Words).skip(1),
    by("launchctl submit", "l:p:+e:>o:>", chains::guess),
    program("launchctl list|launchctl print|launchctl blame|launchctl hostinfo|launchctl version|launchctl print-disabled|launchctl procinfo", "").operands(Operands::Text),
];
