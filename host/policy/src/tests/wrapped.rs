//! Every wrapper of the table, around every kind of command: it never makes a decision more lenient, and a deny stays one.

use proptest::prelude::*;

use super::{Allow, AskUser, Decision, Deny, Policy, bash, sound};
use crate::programs::{Starts, rows};

/// A line for each row of the table. `{}` is the command, and `'{}'` the command as a script.
const WRAPPED: &[&str] = &[
    "timeout 5 {}",
    "timeout -k 1 --signal=KILL 5 {}",
    "time -p {}",
    "nice -n 5 {}",
    "nohup {}",
    "stdbuf -oL {}",
    "command {}",
    "command -p -- {}",
    "builtin {}",
    "exec -c {}",
    "noglob {}",
    "env {}",
    "env -i -u X -- A=1 {}",
    "env -S '{}'",
    "setsid -w {}",
    "ionice -c 3 {}",
    "chrt -r 5 {}",
    "taskset -c 0 {}",
    "caffeinate -i {}",
    "chronic {}",
    "sh -c '{}'",
    "sh -e -o posix +x -c '{}' name arg",
    "sh -ec '{}'",
    "sh <<< '{}'",
    "sh <<'EOF'\n{}\nEOF",
    "eval {}",
    "eval '{}'",
    "sudo {}",
    "sudo -u bob A=1 -n -- {}",
    "doas -u bob {}",
    "xargs {}",
    "xargs -0 -n 1 -I % {}",
    "find . -name x -exec {} \\;",
    "find . -execdir {} +",
    "fd x --exec {}",
    "fd -X {}",
    "su -c '{}'",
    "su - bob -c '{}'",
    "su <<< '{}'",
    "pkexec --user bob {}",
    "watch -n 1 {}",
    "watch '{}'",
    "ssh host {}",
    "ssh -p 22 -o BatchMode=yes bob@host '{}'",
    "ssh host <<< '{}'",
    "chroot /x {}",
    "sg group -c '{}'",
    "sg group '{}'",
    "gosu bob {}",
    "setpriv --reuid 5 {}",
    "ssh-agent {}",
    "sshpass -p x {}",
    "nsenter -t 1 -m {}",
    "unshare -r {}",
    "setarch x86_64 -R {}",
    "linux32 {}",
    "arch -x86_64 {}",
    "ip netns exec x {}",
    "tmux new-session -d -s x '{}'",
    "tmux new-window {}",
    "tmux run-shell '{}'",
    "screen -dmS x {}",
    "xterm -e {}",
    "wsl -d x {}",
    "cmd /c {}",
    "parallel {} ::: a b",
    "parallel -j 2 '{}' ::: a",
    "parallel ::: '{}'",
    "entr -r {}",
    "entr -s '{}'",
    "flock x {}",
    "flock -n x -c '{}'",
    "hyperfine -w 1 '{}' ls",
    "concurrently '{}' ls",
    "nodemon --exec '{}'",
    "watchexec -e rs {}",
    "strace -f -e x {}",
    "ltrace {}",
    "script -q -c '{}' x",
    "script -q x {}",
    "gdb -q --args {}",
    "systemd-run --user --scope {}",
    "prlimit --nofile=5 {}",
    "cpulimit -l 5 {}",
    "cgexec -g x {}",
    "torsocks {}",
    "faketime x {}",
    "tini -- {}",
    "xvfb-run -a {}",
    "dbus-run-session -- {}",
    "fakeroot {}",
    "start-stop-daemon -S -x sh -- -c '{}'",
    "busybox {}",
    "busybox sh -c '{}'",
    "exec -a x {}",
    "fish -c '{}'",
    "trap '{}' EXIT",
    "alias x='{}'",
    "source /dev/stdin <<< '{}'",
    "mapfile -C '{}' x",
    "complete -C '{}' x",
    "jobs -x {}",
    "at now <<< '{}'",
    "docker exec -it -u root box {}",
    "docker run --rm -v x:y image {}",
    "docker run --entrypoint sh image -c '{}'",
    "docker compose exec web {}",
    "docker compose run --rm web {}",
    "kubectl exec -it pod -c web -- {}",
    "kubectl run x --image=y -- {}",
    "git -c alias.x='!{}' x",
    "git -c core.pager='{}' log",
    "git -C /x bisect run {}",
    "git bisect run {}",
    "git submodule foreach --recursive '{}'",
    "git rebase -i --exec '{}' HEAD~2",
    "git difftool -x '{}'",
    "git clone -c core.sshCommand='{}' x",
    "git clone -u '{}' x",
    "git fetch --upload-pack='{}' x",
    "git push --receive-pack='{}' x",
    "git grep -O'{}' x",
    "git send-email --sendmail-cmd='{}' x",
    "git filter-branch --tree-filter '{}' HEAD",
    "git config alias.x '!{}'",
    "npx {}",
    "npx -c '{}'",
    "npm exec -- {}",
    "npm x {}",
    "npm x {} --",
    "pnpm exec {}",
    "pnpm -r exec -c '{}'",
    "pnpm dlx {}",
    "yarn exec {}",
    "yarn dlx {}",
    "yarn workspace x exec {}",
    "bun run {}",
    "deno task --eval '{}'",
    "uvx --from x {}",
    "composer exec -- {}",
    "npm explore x -- {}",
    "bun x {}",
    "bun exec '{}'",
    "uv run --with x {}",
    "uv tool run --from x {}",
    "poetry run {}",
    "poetry exec -- {}",
    "asdf exec {}",
    "mise x -- {}",
    "devbox run {}",
    "pipx run {}",
    "pipx run --spec x {}",
    "lerna exec {}",
    "lerna exec -- {}",
    "lerna exec -x a -- {}",
    "nx exec -p a -- {}",
    "direnv exec . {}",
    "direnv exec-env x '{}'",
    "cargo watch -s '{}'",
    "nix-shell -p x --run '{}'",
    "nix develop -c {}",
    "ld.so --preload x.so {}",
    "ld.so --argv0 ls {}",
    "ld.so {}",
    "coreutils {}",
    "coreutils --coreutils-prog=sh -c '{}'",
    "setarch -R {}",
    "setarch x86_64 -R {}",
    "i386 -R -- {}",
    "qemu-aarch64 -L /x {}",
    "box64 {}",
    "perf stat -e x -- {}",
    "perf stat -r 3 {}",
    "perf stat --pre '{}' ls",
    "perf stat record {}",
    "perf record -g -o x -- {}",
    "perf mem record {}",
    "perf trace -e open {}",
    "perf trace record {}",
    "valgrind --leak-check=full -q {}",
    "rr record -n {}",
    "rr {}",
    "uftrace record {}",
    "py-spy record -o x -- {}",
    "heaptrack -o x {}",
    "truss -f {}",
    "ktrace -i {}",
    "dtruss -f {}",
    "multitime -n 5 {}",
    "stap x.stp -c '{}'",
    "stap -c '{}' x.stp",
    "bpftrace -c '{}' x.bt",
    "dtrace -n x -c '{}'",
    "sandbox-exec -n x {}",
    "bwrap --ro-bind / / --setenv A b --unshare-net --dev /dev {}",
    "bwrap --bind / / -- {}",
    "bwrap --new-option x {}",
    "firejail --net=none --quiet {}",
    "nsjail -Mo --chroot / -- {}",
    "nsjail -q {}",
    "proot -r /x -b /y {}",
    "schroot -c x -u bob -- {}",
    "fakechroot -e x {}",
    "runcon -t x {}",
    "runcon a:b:c {}",
    "capsh --user=x -- -c '{}'",
    "newgrp -c '{}'",
    "aa-exec -p x -- {}",
    "newrole {}",
    "dzdo -u bob {}",
    "gksudo '{}'",
    "run0 -u bob -- {}",
    "systemd-inhibit --what=sleep {}",
    "systemd-cat -t x {}",
    "systemd-socket-activate -l 80 {}",
    "lxc exec box --user 5 -- {}",
    "lxc exec box {}",
    "lxc-attach -n x -- {}",
    "distrobox enter x -- {}",
    "distrobox enter x -e {}",
    "flatpak-spawn --host {}",
    "toolbox run -c x {}",
    "flatpak run --command=sh app -c '{}'",
    "flatpak enter x {}",
    "snap run --shell app -c '{}'",
    "machinectl shell bob@box {}",
    "buildah run x -- {}",
    "docker unshare {}",
    "docker machine ssh x {}",
    "colima ssh -- {}",
    "minikube ssh -- {}",
    "multipass exec x -- {}",
    "limactl shell x {}",
    "lima {}",
    "vagrant ssh x -c '{}'",
    "vagrant ssh -- {}",
    "vagrant winrm -c '{}'",
    "apptainer exec x {}",
    "adb shell {}",
    "mosh -p 5 host -- {}",
    "mosh --ssh='{}' host",
    "et -c '{}' host",
    "dbclient -p 22 host {}",
    "plink -batch host {}",
    "pssh -H x -i {}",
    "pdsh -w x {}",
    "dsh -m x -- {}",
    "ansible all -m shell -a '{}'",
    "dtach -c x -z {}",
    "abduco -n x {}",
    "zellij run -f -- {}",
    "zellij action new-pane -- {}",
    "wezterm start -- {}",
    "xinit {}",
    "i3-msg exec {}",
    "ledit {}",
    "rlwrap -a {}",
    "autoexpect -f x {}",
    "numactl -N 0 --membind 0 {}",
    "cset proc --exec x -- {}",
    "trickle -d 5 {}",
    "softlimit -m 5 {}",
    "setlock -n x {}",
    "lckdo x {}",
    "pgrphack {}",
    "chpst -u bob -b ls {}",
    "chpst -/ x {}",
    "envdir x {}",
    "argv0 ls {}",
    "foreground { {} } ls",
    "foreground { ls } {}",
    "execlineb -Pc '{}'",
    "nq -q {}",
    "tsp -n {}",
    "ifne {}",
    "torsocks -i {}",
    "torify {}",
    "proxychains -q {}",
    "graftcp -p 5 {}",
    "datefudge x {}",
    "logsave -a x {}",
    "pee '{}' ls",
    "scan-build {}",
    "bear --output x -- {}",
    "ccache {}",
    "sccache {}",
    "cross-env A=1 {}",
    "cross-env-shell {}",
    "watchman-make -p x --run '{}'",
    "watchman -- trigger x y -- {}",
    "reflex -r x -- {}",
    "onchange x -- {}",
    "run-parts {}",
    "srun -n 4 {}",
    "launchctl asuser 5 {}",
    "launchctl submit -l x -- {}",
    "gdbserver :5 {}",
    "lldb-server g :5 -- {}",
    "env -a x {}",
    "parallel -- ls '{}'",
];

/// Rows that only lead to others, and those of programs that read code: there is no command in their words.
const WITHOUT: &[&str] = &[
    "ip", "ip netns", "tmux", "docker", "docker container", "docker compose", "kubectl", "git submodule", "npm", "bun",
    "deno", "uv", "uv tool", "poetry", "direnv", "cargo", "crontab", "python", "node", "ruby", "perl", "php", "lua",
    "julia", "ed", "sqlite",
];

/// Those that join words to a script.
const UNQUOTING: &[&str] = &[
    "eval {}", "watch -n 1 {}", "ssh host {}", "dbclient -p 22 host {}", "plink -batch host {}", "pssh -H x -i {}",
    "pdsh -w x {}", "dsh -m x -- {}", "adb shell {}", "vagrant ssh -- {}", "parallel {} ::: a b", "watchexec -e rs {}",
    "cmd /c {}", "tmux run-shell {}", "lerna exec {}", "lerna exec -- {}", "lerna exec -x a -- {}",
    "nx exec -p a -- {}",
];

fn policy() -> Policy {
    let rules = "
        [[rule]]
        toolName = 'Bash'
        commandPrefix = ['rm', 'git push', 'npm publish']
        decision = 'deny'
        priority = 5

        [[rule]]
        toolName = 'Bash'
        commandPrefix = ['mv']
        decision = 'ask_user'
        priority = 5

        [[rule]]
        toolName = 'Bash'
        commandPrefix = ['ls', 'echo', 'cat', 'git status']
        decision = 'allow'
        priority = 5
    ";
    sound(rules)
}

fn wrap(template: &str, command: &str) -> String {
    template.replace("{}", command)
}

/// Returns the same wrapper under each of its names.
fn spelled(template: &str) -> Vec<String> {
    // The longest name is that of the subcommand.
    let name = names().flat_map(each).filter(|name| begins_with(template, name)).max_by_key(|name| name.len()).unwrap();
    let rest = template.strip_prefix(name).unwrap();
    let row = names().find(|names| each(names).any(|other| other == name)).unwrap();
    each(row).map(|name| format!("{name}{rest}")).collect()
}

fn begins_with(line: &str, name: &str) -> bool {
    line.strip_prefix(name).is_some_and(|rest| rest.starts_with([' ', '\n']))
}

fn each(names: &'static str) -> impl Iterator<Item = &'static str> {
    names.split('|')
}

#[test]
fn every_wrapper_of_the_table_is_in_the_list() {
    let listed = |name: &str| WITHOUT.contains(&name) || WRAPPED.iter().any(|line| begins_with(line, name));
    // Those whose words have a shape of their own have tests of their own.
    let plain = rows().filter(|row| !matches!(row.starts, Starts::Nothing | Starts::Sub | Starts::By(_)));
    let missing: Vec<&str> = plain.map(|row| row.names).filter(|names| !each(names).any(listed)).collect();
    assert_eq!(missing, Vec::<&str>::new());
}

#[test]
fn a_denied_command_is_denied_in_every_wrapper() {
    let policy = policy();
    let mut wrong = Vec::new();
    for template in WRAPPED {
        for spelling in spelled(template) {
            for command in ["rm", "rm -rf x", "git push origin", "git -C x push", "/bin/rm x", "npm publish"] {
                let line = wrap(&spelling, command);
                let decision = bash(&policy, &line);
                if decision != Deny {
                    wrong.push(format!("{decision:?} {line}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_number_of_wrappers_hides_a_denied_command() {
    let policy = policy();
    for wrapper in ["env", "nice", "timeout 5", "nohup", "command", "sudo", "xargs", "eval", "env A=1", "sudo -u bob"] {
        for count in [1, 7, 8, 9, 10, 12] {
            let line = format!("{}rm x", format!("{wrapper} ").repeat(count));
            assert_eq!(bash(&policy, &line), Deny, "{line}");
        }
    }
    for line in [
        "env env env env env env env env GIT_PAGER='rm x' git log",
        "env env env env env env env env env GIT_PAGER='rm x' git log",
        "env env env env env env env RANDOM=x env env rm x",
        "ls; env env env env env env env env env rm x; ls",
        "GIT_PAGER='env env env env env env env env env rm x' git log",
    ] {
        assert_eq!(bash(&policy, line), Deny, "{line}");
    }
    // Eight wrappers are read.
    assert_eq!(bash(&policy, &format!("{}ls x", "env ".repeat(8))), Allow);
}

#[test]
fn what_is_not_listed_may_be_what_a_rule_of_the_tool_denies() {
    let rule = |decision: &str, rest: &str, priority: u16| {
        format!("[[rule]]\ndecision = '{decision}'\npriority = {priority}\n{rest}\n")
    };
    let bash_rule = |decision: &str, priority: u16| rule(decision, "toolName = 'Bash'", priority);
    let allows = rule("allow", "toolName = 'Bash'\ncommandPrefix = 'ls'", 100);
    let denies = rule("deny", "toolName = 'Bash'\ncommandPrefix = 'git push'", 50);
    let line = format!("{}ls x", "env ".repeat(9));
    for (rules, expected) in [
        (allows.clone(), AskUser),
        (format!("{allows}{denies}"), Deny),
        (format!("{allows}{}", rule("deny", "toolName = 'Bash'\ncommandRegex = 'rm .*'", 50)), Deny),
        (format!("{allows}{}", bash_rule("deny", 10)), Deny),
        // Rules about other tools, or in other modes, are not about it.
        (format!("{allows}{}", rule("deny", "toolName = 'Write'", 900)), AskUser),
        (format!("{allows}{}", rule("deny", "toolName = '*'\npaths = '.env'", 900)), AskUser),
        (
            format!("{allows}{}", rule("deny", "toolName = 'Bash'\nmodes = ['plan']\ncommandPrefix = 'rm'", 900)),
            AskUser,
        ),
        (format!("{allows}{}", rule("ask_user", "toolName = 'Bash'\ncommandPrefix = 'rm'", 900)), AskUser),
        // A rule before it decides every command.
        (format!("{}{denies}", bash_rule("allow", 60)), AskUser),
        (format!("{}{denies}", bash_rule("allow", 40)), Deny),
    ] {
        assert_eq!(bash(&sound(&rules), &line), expected, "{rules}");
    }
}

#[test]
fn a_wrapper_that_stands_aside_leaves_an_allow_alone() {
    let policy = policy();
    let wrong: Vec<String> = WRAPPED
        .iter()
        .take_while(|line| !line.starts_with("sudo"))
        .map(|template| wrap(template, "git status -s"))
        .filter(|line| bash(&policy, line) != Allow && !line.contains("A=1"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_guarded_wrapper_needs_a_rule_of_its_own() {
    let policy = policy();
    let wrong: Vec<String> = WRAPPED
        .iter()
        .skip_while(|line| !line.starts_with("sudo"))
        .flat_map(|template| spelled(template))
        .map(|template| wrap(&template, "ls x"))
        .filter(|line| bash(&policy, line) == Allow)
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn command() -> impl Strategy<Value = String> {
    let simple = prop::sample::select(vec![
        "ls", "ls -la x", "echo a b", "git status", "rm x", "rm", "git push", "git -C x push --force", "mv a b",
        "unknown x", "$x", "cat < x", "echo x > y", "A=1 ls", "PATH=x ls", "python -c x", "/bin/rm x", "git log",
    ]);
    let joined = (simple.clone(), prop::sample::select(vec![" && ", "; ", " | ", " || ", "\n"]), simple.clone());
    prop_oneof![
        3 => simple.prop_map(str::to_owned),
        1 => joined.prop_map(|(one, sign, other)| format!("{one}{sign}{other}")),
    ]
}

fn decision_of(rules: &[(Decision, &str, u16)], line: &str) -> Decision {
    let rule = |(decision, prefix, priority): &(Decision, &str, u16)| {
        let decision = serde_json::to_string(decision).unwrap();
        format!(
            "[[rule]]\ntoolName = 'Bash'\ndecision = {decision}\ncommandPrefix = '{prefix}'\npriority = {priority}\n"
        )
    };
    bash(&sound(&rules.iter().map(rule).collect::<String>()), line)
}

fn rules() -> impl Strategy<Value = Vec<(Decision, &'static str, u16)>> {
    let decision = prop::sample::select(vec![Allow, AskUser, Deny]);
    let prefix = prop::sample::select(vec![
        "ls", "echo", "cat", "git", "git status", "git push", "rm", "mv", "sudo", "xargs", "timeout", "sh", "find",
        "env", "python -c",
    ]);
    prop::collection::vec((decision, prefix, 0..4u16), 0..8)
}

/// Returns whether a command in nested wrappers is still the same command. Quotes cannot be nested, and some wrappers
/// remove quotes or use the input.
fn fit(command: &str, line: &[&str]) -> bool {
    let is_quoting = |line: &&str| line.contains("{}'");
    let (inner, outer) = (line[0], &line[1..]);
    let nested =
        outer.iter().any(is_quoting) || (is_quoting(&inner) && outer.iter().any(|line| UNQUOTING.contains(line)));
    let fed = !outer.is_empty() && inner.contains("<<");
    let bare = !line.iter().all(is_quoting) && command.contains(['\n', '|', ';', '&', '<', '>', '=']);
    !(nested || fed || bare)
}

/// The property below found that a word that may be empty made a script look like the name of a program.
#[test]
fn a_script_is_one_also_beside_words_that_may_be_none() {
    for line in [
        "xargs tmux new-session -d -s x 'rm x'",
        "tmux new-window 'rm x' $MORE",
        "tmux new-window $MORE 'rm x' $MORE",
        "screen -dmS x 'rm x' $MORE",
        "xargs xterm -e 'rm x'",
    ] {
        assert_eq!(bash(&policy(), line), Deny, "{line}");
    }
}

proptest! {
    #[test]
    fn wrapping_never_makes_a_decision_more_lenient(command in command(), line in prop::collection::vec(prop::sample::select(WRAPPED), 1..3)) {
        let policy = policy();
        let bare = bash(&policy, &command);
        if !fit(&command, &line) {
            return Ok(());
        }
        let wrapped = line.iter().fold(command.clone(), |inner, line| wrap(line, &inner));
        let decision = bash(&policy, &wrapped);
        prop_assert!(decision != Allow || bare == Allow, "{bare:?} {command:?}, {decision:?} {wrapped:?}");
        prop_assert!(bare != Deny || decision == Deny, "{bare:?} {command:?}, {decision:?} {wrapped:?}");
    }

    #[test]
    fn adding_a_deny_or_an_ask_never_turns_anything_into_allow(
        rules in rules(),
        added in (prop::sample::select(vec![AskUser, Deny]), prop::sample::select(vec!["ls", "git", "git push", "rm", "sudo", "sh"]), 0..4u16),
        command in command(),
        line in prop::sample::select(WRAPPED),
        is_wrapped in any::<bool>(),
    ) {
        let line = if is_wrapped { wrap(line, &command) } else { command };
        let before = decision_of(&rules, &line);
        let mut more = rules.clone();
        more.push(added);
        let after = decision_of(&more, &line);
        prop_assert!(after != Allow || before == Allow, "{before:?} {after:?} {line:?} {rules:?} {added:?}");
        // At the highest priority it never loosens at all.
        more.last_mut().unwrap().2 = 999;
        let strictest = decision_of(&more, &line);
        prop_assert!(added.0 == AskUser || strictest >= before, "{before:?} {strictest:?} {line:?} {rules:?} {added:?}");
    }
}

/// Returns the names of each row.
fn names() -> impl Iterator<Item = &'static str> {
    rows().map(|row| row.names)
}
