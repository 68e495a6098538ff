//! Rows of programs that show information about the computer, its users, processes and devices, and of those that stop
//! or change them.

use super::super::escape::{Effect, operands};
use super::super::operands::Operands::{Names, Nothing, Sub, Text, Writes};
use super::super::power::Power::Destroys;
use super::super::row::{Row, program};

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    // Time, and the computer.
    program("date|gdate", "d:f:<I?jnr:Rs:#uv:z: set:# date: debug file:< iso-8601? reference: resolution rfc-2822 rfc-3339: rfc-email rfc-822 universal utc help version").operands(Text).more(operands::date),
    program("cal|ncal", "0123456789A:B:bCd:ehH:jJm:MNn:op:sStvVwWy color? columns: iso julian monday months: one reform: span sunday three twelve vertical week? year help version").operands(Text),
    program("uptime|guptime", "psVh pretty raw since container libxo? help version").operands(Text),
    program("uname|guname", "aiKmnoprsUv all kernel-name kernel-release kernel-version nodename machine processor hardware-platform operating-system help version").operands(Nothing),
    program("nproc|gnproc", "- all ignore: help version").operands(Nothing),
    program("getconf", "av:").operands(Text),
    program("locale", "ackmvV all-locales category-name charmaps keyword-name verbose help usage version").operands(Text),
    program("localectl|timedatectl|hostnamectl|loginctl|networkctl|resolvectl|bootctl|coredumpctl", "ahlM:#H:#n:o:p:P:qrs all full lines: output: property: value quiet no-pager no-legend no-ask-password host:# machine:# json: static pretty transient help version").operands(Sub),
    // The subcommands of these programs, under the first name.
    program("localectl *", "").itself(Effect::Changes),
    program("localectl status|localectl show|localectl list|localectl info|localectl statistics|localectl list-locales|localectl list-keymaps|localectl list-timezones|localectl timesync-status|localectl list-sessions|localectl list-users|localectl list-seats|localectl session-status|localectl user-status|localectl show-session|localectl show-user", "ahlH:#M:#n:o:p:qrs all full lines: output: property: value quiet no-pager no-legend host:# machine:# json: static pretty transient monitor").operands(Text),
    program("hostname", "aAb#dfF:#iIsvVy file:# boot# alias all-fqdns all-ip-addresses domain fqdn ip-address long nis short yp help version").operands(Text).more(operands::any_changes),
    program("hostid|logname|tty|gtty|dnsdomainname|domainname|sw_vers|vm_stat", "s silent quiet -productName -productVersion -buildVersion help version").operands(Nothing),
    program("lsb_release", "acdhirsv all codename description help id release short version").operands(Nothing),
    program("neofetch|fastfetch|screenfetch", "- help version").operands(Nothing),

    // Users.
    program("id|gid", "aAcFGgMnpPruzZ context group groups name real user zero help version").operands(Text),
    program("whoami|gwhoami|users|gusers|groups|ggroups", "- help version").operands(Names),
    program("who|gwho", "abdHlmpqrsTtuw all boot count dead heading ips login lookup mesg message process runlevel short time users writable help version").operands(Names),
    program("w", "dfhiosuV from help ip-addr no-current no-header old-style pids short terminal version").operands(Text),
    program("last|lastb|lastlog", "0123456789adf:<Fin:pRs:t:u:wxb:hV dns file:< fulltimes fullnames hostlast ip limit: nohostname present: since: system time-format: until: user: before: time: help version").operands(Text),
    program("finger|pinky", "bfhilmpqswgk lookup help version").operands(Text),
    program("getent", "is:A no-idn service: no-addrconfig help usage version").operands(Text),
    program("printenv|gprintenv", "0 null help version").operands(Text),

    // Processes.
    program("ps", "123456789aAcC:defFg:G:hHjlLmMnNo:O:p:Pq:rs:St:TU:u:vVwWxXyZ cols: columns: context cumulative deselect forest format: group: Group: headers info lines: no-headers no-heading noheaders noheadings pid: ppid: quick-pid: rows: sid: signames sort: tty: user: User: width: help? version").operands(Text).more(operands::ps),
    program("pgrep", "acd:eF:<fg:G:hiIjlLM:nNO:oP:qr:s:St:u:U:vVwxz:A ancestors cgroup: count delimiter: env: euid: exact full group: ignore-ancestors ignore-case inverse lightweight list-full list-name logpidfile mrelease newest ns: nslist: older: oldest parent: pgroup: pidfile:< quiet quick runstates: session: terminal: uid: help version").operands(Text),
    program("pidof", "cd:no:qsStwxz check-root single-shot omit-pid: separator: with-workers quiet lightweight help version").operands(Text),
    program("pstree", "aAcC:gGhH:lnN:psStTuUVZ arguments ascii color: compact-not hide-threads highlight-all highlight-pid: long ns-changes ns-sort: numeric-sort security-context show-parents show-pgids show-pids thread-names uid-changes unicode vt100 version").operands(Text),
    program("pmap|pwdx", "acdkqpxXVh device extended quiet show-path range: read-rc help version").operands(Text),
    program("top|htop|btop|atop|glances", "0123456789abcCd:eE:FfhHil:MmnN:o:O:p:P:RrsStu:U:vVwxX1 accum-time-toggle batch-mode batch cmdline-toggle delay: filter-any-user: filter-only-euser: filter: highlight-changes? idle-toggle iterations: list-fields max-iterations: no-color no-mouse no-unicode pid: readonly scale-summary-mem: scale-task-mem: secure-mode single-cpu-toggle sort-key: sort-override: threads-show tree user: width? -stats: -pid: -ncols: -s: -n: -user: help version").operands(Text),
    program("lsof", "+abc:C:D?>d:Ef?F?g?hi?Kk:<lL?Mm:<nNoO?p:PQqRr?S?s?T?tu:UVvwX?x?Z?").operands(Names),
    program("fuser", "aiIk~l46mMn:suvVw kill~ all inode ismountpoint list-signals mount namespace: silent user verbose writeonly interactive ipv4 ipv6 version").operands(Names),
    program("jps|jstat", "lmqvVJ:").operands(Text),

    // Memory, devices, the kernel.
    program("free", "bc:ghklLms:tvVw bytes committed count: exbi gibi giga help human kibi kilo line lohi mebi mega pebi peta seconds: si tebi tera total wide version").operands(Nothing),
    program("vmstat|iostat|mpstat|sar|pidstat", "aAbBcdDfghHiIjkmnNo:>Op:P:qrRsS:tT:uU:vVwxXyz active disk disk-sum forks no-first one-header partition: slabs stats timestamp unit: wide human dec? pretty help version").operands(Text),
    program("lscpu", "aBbC?ce?Jp?s:xyhV all bytes caches? extended? hex json offline online output-all parse? physical sysroot: help version").operands(Nothing),
    program("lsblk", "AabDdE:e:fI:iJlMmNnO:o:PpQ:rST?tVvw:x:yzhsH all ascii bytes dedup: discard exclude: fs hyperlink? include: inverse json list merge noempty nodeps noheadings nvme output-all output: pairs paths perms raw scsi shell sort: sysroot: topology tree? virtio width: zoned help version").operands(Names),
    program("findmnt", "AabCcDd:eF:<fhIiJklM:mN:nO:o:Pp?QRrS:sT:t:Uuvw:xyHV all ascii bytes canonicalize df direction: evaluate first-only fstab help invert json kernel? list mountpoint: mtab nocanonicalize nofsroot noheadings notruncate options: output-all output: pairs poll? pseudo raw real shadowed shell source: submounts tab-file:< target: task: timeout: tree types: uniq verbose verify vfs-all version").operands(Names),
    program("blkid", "c:>dDghH:iklL:n:o:O:ps:S:t:u:U:V cache-file:> garbage-collect list-filesystems label: uuid: list-one match-tag: match-token: match-types: no-encoding no-part-details offset: output: probe size: usages: info hint: help version").operands(Names),
    program("lspci|lsusb|lsmod|lsscsi|lshw|lsipc|lsns|lslogins|lslocks|lsirq|lsmem|inxi", "aAbBcCdD:F:<GhHi:<JkKlmnMo:pPrsStuvVxXzZ all bytes help json list noheadings notruncate output-all output: quiet raw shell short sanitize summary? task: tree? verbose version -short -class: -json -html -businfo -sanitize -numeric").operands(Text),
    program("modinfo", "0aAdF:k:lnpVb: author: basedir: description field: filename license null parameters set-version: help version").operands(Names),
    program("dmidecode", "d:<hH:qs:t:uV dev-mem:< dump dump-bin:> from-dump:< handle: no-quirks no-sysfs oem-string: quiet string: type: help version").operands(Nothing),
    program("dmesg", "aC~c~D#E#F:<f:HJkK:L?l:mn:#N:PprSs:TtuWwxdehV clear~ read-clear~ console-off# console-on# console-level:# color? ctime decode ext facility: file:< follow follow-new force-prefix human json kernel level: noescape nopager notime raw reltime show-delta since: syslog time-format: until: buffer-size: userspace help version").operands(Nothing),
    program("sysctl", "aAbBdDeFf*inNoqr:tTw#WXxp?*hV load?* system* write# all binary deprecated dry-run ignore names pattern: quiet values help version").operands(Text).more(operands::sets),
    program("ifconfig", "aLlmrsuv").operands(Text).more(operands::second_changes),
    program("netstat", "0123456789aA:bBcCdD:>eEf:F:<gGhHiI:jK~LlmMnN:oOp:qQrRsSTtuUvVwWxXyzZ all bpf cgroup context contexts diag:> dccp events extended family: filter:< groups help info interfaces? ipv4 ipv6 kill~ listening memory mptcp net: no-header no-queues numeric numeric-hosts numeric-ports numeric-users oneline options packet processes program programs query: raw resolve route sctp socket: statistics summary symbolic continuous extend cache fib masquerade protocol: tcp threads timers tipc tipcinfo tos udp unix verbose vsock wide xdp version").operands(Text),
    program("arp", "0aDeHi:lnNv all numeric verbose device: symbolic help version").operands(Text),

    // Services and logs.
    program("systemctl", "aH:#hM:#filn:o:p:P:qrs:t:T all boot-loader-entry:# boot-loader-menu:# check-inhibitors: dry-run failed force firmware-setup# full global host:# image:# job-mode: kill-value: kill-who: kill-whom: legend: lines: machine:# marked mkdir no-ask-password no-block no-legend no-pager no-reload no-wall now output: plain preset-mode: property: quiet read-only recursive reverse root:# runtime show-transaction show-types signal: state: system timestamp: type: user value wait what: with-dependencies help version").operands(Sub).power(Destroys),
    program("systemctl *", "").itself(Effect::Changes),
    program("systemctl status|systemctl show|systemctl cat|systemctl list-units|systemctl list-unit-files|systemctl list-timers|systemctl list-sockets|systemctl list-paths|systemctl list-jobs|systemctl list-dependencies|systemctl list-machines|systemctl list-automounts|systemctl is-active|systemctl is-enabled|systemctl is-failed|systemctl is-system-running|systemctl get-default", "aH:#hM:#iln:o:p:P:qrt:T all after before failed full global host:# image:# legend: lines: machine:# no-ask-password no-legend no-pager output: plain property: quiet recursive reverse root:# show-types state: system timestamp: type: user value wait with-dependencies help version").operands(Text),
    program("journalctl", "0123456789aA:b?c:D:<efF:g:hi:<klM:#mn?No:p:qrS:t:T:u:U:x vacuum-size:~ vacuum-time:~ vacuum-files:~ rotate# sync# flush# setup-keys# update-catalog# relinquish-var# smart-relinquish-var# cursor-file:> machine:# root:< image:< namespace: after-cursor: all boot? case-sensitive? catalog cursor: directory:< disk-usage dmesg dump-catalog exclude-identifier: facility: field: fields file:< follow force full grep: header identifier: interval: invocation? lines? list-boots list-catalog list-invocations list-namespaces merge no-full no-hostname no-pager no-tail output-fields: output: pager-end priority: quiet reverse show-cursor since: system truncate-newline unit: until: user user-unit: utc verify verify-key: help version").operands(Text),
    program("service", "- status-all full-restart# help version").operands(Text).more(operands::service).power(Destroys),

    // Waiting, and ending processes.
    program("sleep|gsleep", "- help version").operands(Text),
    program("kill|gkill", "0123456789aLlnpq:rs: -HUP -INT -QUIT -KILL -TERM -STOP -CONT -USR1 -USR2 -ABRT -ALRM -CHLD -PIPE -SIGHUP -SIGINT -SIGQUIT -SIGKILL -SIGTERM -SIGSTOP -SIGCONT -SIGUSR1 -SIGUSR2 -SIGABRT -SIGALRM -SIGCHLD -SIGPIPE -WINCH -SIGWINCH all list? pid queue: signal: table timeout: verbose help version").operands(Text).power(Destroys),
    program("killall|pkill", "0123456789acd:eF:<fg:G:iIlLm:nN:oO:P:qr:s:t:u:U:vVwxy:zZ: -HUP -INT -QUIT -KILL -TERM -STOP -CONT -USR1 -USR2 -SIGHUP -SIGINT -SIGQUIT -SIGKILL -SIGTERM -SIGSTOP -SIGCONT -SIGUSR1 -SIGUSR2 cgroup: context: count echo euid: exact full group: ignore-case interactive inverse list newest ns: nslist: older-than: older: oldest parent: pgroup: pidfile:< process-group queue: quiet regexp runstates: session: signal: terminal: uid: user: verbose wait younger-than: help version").operands(Text).power(Destroys),
    program("shutdown|reboot|halt|poweroff", "cdfhHkKnpPqrw force halt no-sync no-wall no-wtmp poweroff reboot show wtmp-only help").operands(Text).power(Destroys),

    // Disks.
    program("mount", "flt:vVhN: show-labels types: verbose all# help version").operands(Text).more(operands::any_changes).power(Destroys),
    program("umount", "adfilnO:qrRt:vVhN: all detach-loop fake force internal-only lazy namespace: no-canonicalize no-mtab quiet read-only recursive test-opts: types: verbose help version").operands(Writes).power(Destroys),
    program("mkfs", "t:vVh type: verbose help version").operands(Writes).power(Destroys),
    program("fdisk|gdisk|sgdisk|sfdisk|cfdisk", "lLxhvV list list-types list-free help version").operands(Writes).power(Destroys),
    program("parted", "lhmv list machine help version").operands(Writes).power(Destroys),
    program("mountpoint", "dnqxhV fs-devno nofollow devno quiet show help version").operands(Names),
    // Programs of which only the power is listed.
    program("iptables|nft|useradd|userdel|usermod|passwd|visudo|del|erase|rd|format", "").open().power(Destroys),
];
