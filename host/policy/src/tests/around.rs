//! Tests of ways around a rule, in one table per class. Each class has more cases than the one that was found first.

use std::path::Path;

use serde_json::json;

use super::{Allow, AskUser, Decision, Deny, Policy, decide, each_is, object, roots, sound};
use crate::places::Places;
use crate::programs::repository::Repository;
use crate::shell::Shell;
use crate::{Call, Permit};

pub(super) fn prefixes(decision: &str, prefixes: &[&str]) -> String {
    let prefixes = prefixes.iter().map(|prefix| format!("'{prefix}'")).collect::<Vec<_>>().join(", ");
    format!("[[rule]]\ntoolName = 'Bash'\ndecision = '{decision}'\npriority = 100\ncommandPrefix = [{prefixes}]\n")
}

pub(super) const EVERYTHING: &str = "[[rule]]\ntoolName = 'Bash'\ndecision = 'allow'\npriority = 10\n";

#[track_caller]
pub(super) fn all(policy: &Policy, shell: Shell, expected: Decision, lines: &[&str]) {
    let of = |line: &str| {
        decide(policy, "Bash", json!({ "command": line }), |call| Call {
            shell,
            repository: &|path| match path == Path::new("/work/hostile") {
                true => Repository::Starts("core.fsmonitor".to_owned()),
                false => Repository::Plain,
            },
            real_path: &|path| path.starts_with("/work/link").then(|| "/elsewhere".into()),
            ..call
        })
    };
    each_is(expected, lines, of);
}

#[test]
fn a_prefix_that_ends_in_an_option_is_neither_continued_nor_taken_back() {
    let policy = sound(&prefixes(
        "allow",
        &[
            "npm --version", "docker --version", "docker --context prod", "git branch --list", "git tag --list",
            "node --version", "python3 --version", "git --version", "cargo --version", "sed -n", "git stash list",
        ],
    ));
    all(
        &policy,
        Shell::Unknown,
        AskUser,
        &[
            "npm --version --no-version exec -c id",
            "npm --version=false run x",
            "npm --version --no-vers run x",
            "npm --version run x",
            "npm --version exec id",
            "npm --version -C ../evil test",
            "docker --version --host tcp://x ps",
            "docker --version run -v /:/h alpine",
            "docker --version -H tcp://x",
            "docker --context prod rm x",
            "git branch --list --no-list evil",
            "git branch --list --no-li evil",
            "git branch --list -C main x",
            "git branch --list -D main",
            "git branch --list --edit-description",
            "git branch --list -u origin/x",
            "git tag --list --no-list v1",
            "git tag --list -d v1",
            "git --version status",
            "git --version -c alias.x=!id x",
            "node --version x.js",
            "node --version -e x",
            "node --version --require ./x",
            "python3 --version x.py",
            "python3 --version -c x",
            "cargo --version run",
            "sed -n --in-place s/a/b/ x",
            "git stash list --output=x",
            "git stash list --ext-diff",
        ],
    );
    all(
        &policy,
        Shell::Unknown,
        Allow,
        &[
            "npm --version",
            "docker --version",
            "git --version",
            "node --version && python3 --version",
            "git branch --list 'fix/*' -vv --sort=-committerdate",
            "git tag --list 'v*' --sort=version:refname",
            "sed -n 1,5p README.md",
            "git stash list --oneline -3",
        ],
    );
}

#[test]
fn what_zsh_reads_otherwise_is_asked_unless_bash_runs_it() {
    let policy = sound(&prefixes("allow", &["ls", "echo", "cat", "printf", "cd", "git status"]));
    let lines = [
        "ls $~x", "ls $=x", "ls $^x", "echo $+x", "echo $x[1]", "echo $x['$(id)']", "ls ~[x]", "echo $#name",
        "echo $10", "echo x >! a", "ls ${x-*(e:id:)}",
    ];
    all(&policy, Shell::Zsh, AskUser, &lines);
    all(&policy, Shell::Unknown, AskUser, &lines);
    all(&policy, Shell::Bash, Allow, &["ls $=x", "ls $^x", "echo $+x", "echo $x[1]", "echo $#name", "echo $10"]);
    // These run something in zsh, and are never harmless in bash either.
    for shell in [Shell::Bash, Shell::Zsh, Shell::Unknown] {
        all(
            &policy,
            shell,
            AskUser,
            &[
                "ls *(e:id:)", "ls a*(+id)", "=ls", "echo ${(e)x}", "echo ${~x}", "echo ${=x}", "echo ${(%):-x}",
                "setopt globsubst; ls $x", "emulate zsh; ls", "repeat 2 ls", "noglob =id", "ls <(id)",
                "for f (a b) ls $f", "functions[ls]=id; ls", "aliases[ls]=id; ls", "path=(. $path); ls",
            ],
        );
    }
    all(&policy, Shell::Zsh, Allow, &["ls *.rs", "ls a/**/b", "echo \"$HOME\"", "cat a{b,c}", "echo ${x:-y}"]);
}

#[test]
fn the_descriptor_that_zsh_evaluates_is_a_number() {
    let policy = sound(&prefixes("allow", &["ls", "[", "test", "cat"]));
    for shell in [Shell::Zsh, Shell::Unknown] {
        all(
            &policy,
            shell,
            AskUser,
            &[
                "[[ -t 'path[$(touch x)1]' ]] || ls",
                "[[ ! -t 'path[$(touch x)1]' ]] && ls",
                "[[ -n a && ( -t 'path[`touch x`1]' ) ]] || ls",
                "x='path[$(touch x)1]'; [[ -t $x ]] && ls",
                "[[ -t x ]] && ls",
                "[[ -t \"$x\" ]] && ls",
                "[[ -t '' ]] && ls",
                "if [[ -t 1$x ]]; then ls; fi",
                "[ -t 'path[$(touch x)1]' ]",
                "test -t 'path[$(touch x)1]'",
                "test ! -t 'path[$(touch x)1]'",
                "[ -t \"$x\" ]",
                "[ -t x ]",
                "[ -n a -a -t 'path[$(touch x)1]' ]",
                "[ \"$x\" 'path[$(touch x)1]' ]",
                "x=-t; [ $x 'path[$(touch x)1]' ]",
                "[ \"-$x\" 'path[$(touch x)1]' ]",
                "command [ -t 'path[$(touch x)1]' ]",
            ],
        );
    }
    all(
        &policy,
        Shell::Zsh,
        Allow,
        &[
            "[[ -t 1 ]] && ls",
            "[[ -t 0 || ! -t 2 ]] && ls",
            "[[ -t 1 && -n \"$x\" ]] && ls",
            "if [[ -t 1 ]]; then ls; else cat x; fi",
            "[ -t 1 ] && ls",
            "test -t 0 || ls",
            "[ \"$x\" = y ] && ls",
            "test -n \"$x\"",
            "[ -f x ] && ls",
        ],
    );
}

#[test]
fn a_status_that_zsh_evaluates_is_a_number_and_a_name_has_no_index_that_runs_something() {
    let policy =
        sound(&prefixes("allow", &["ls", "exit", "return", "break", "continue", "shift", "logout", "bye", "vared"]));
    for shell in [Shell::Zsh, Shell::Unknown] {
        all(
            &policy,
            shell,
            AskUser,
            &[
                "ls; exit 'path[$(touch x)1]'",
                "x='path[$(touch x)1]'; exit \"$x\"",
                "return 'path[`touch x`1]'",
                "for i in a; do break 'path[$(touch x)1]'; done",
                "for i in a; do ls; continue 'path[$(touch x)1]'; done",
                "shift 'path[$(touch x)1]'",
                "logout 'path[$(touch x)1]'",
                "bye 'path[$(touch x)1]'",
                "vared 'path[$(touch x)1]'",
                "exit x",
            ],
        );
    }
    all(
        &policy,
        Shell::Zsh,
        Allow,
        &["ls || exit 1", "exit", "ls; return 0", "for i in a; do ls; break; done", "shift 2"],
    );
}

#[test]
fn a_variable_that_zsh_evaluates_gets_only_digits() {
    let policy = sound(&prefixes("allow", &["ls", "read", "printf", "export", "declare", "typeset", "echo"]));
    for shell in [Shell::Zsh, Shell::Unknown] {
        all(
            &policy,
            shell,
            AskUser,
            &[
                "COLUMNS='path[$(touch x)]' ls",
                "LINES='path[$(touch x)]' ls",
                "COLUMNS='path[$(touch x)]'; ls",
                "x='path[$(touch x)]'; COLUMNS=$x ls",
                "COLUMNS=x ls",
                "COLUMNS=\"$x\" ls",
                "COLUMNS=$(echo 80) ls",
                "COLUMNS+='path[$(touch x)]' ls",
                "env COLUMNS='path[$(touch x)]' ls",
                "export COLUMNS='path[$(touch x)]'",
                "declare LINES='path[$(touch x)]'",
                "typeset -F x='path[$(touch x)]'",
                "export -i CI; CI='path[$(touch x)]' ls",
                "export -xE CI; CI='path[$(touch x)]' ls",
                "export -F CI",
                "for COLUMNS in 'path[$(touch x)]'; do ls; done",
                "for COLUMNS in 80 'path[$(touch x)]'; do ls; done",
                "for COLUMNS in $x; do ls; done",
                "ls ${COLUMNS:='path[$(touch x)]'}",
                "ls ${COLUMNS='path[$(touch x)]'}",
                "[[ -n ${LINES:=x} ]] && ls",
                "read COLUMNS; ls",
                "read -r x LINES; ls",
                "read 'COLUMNS?how many'; ls",
                "printf -v COLUMNS %s x",
            ],
        );
    }
    let every = sound(&format!("{EVERYTHING}{}", prefixes("deny", &["rm"])));
    all(
        &every,
        Shell::Zsh,
        AskUser,
        &[
            "SHLVL='path[$(rm x)]' ls",
            "read COLUMNS <<< 'path[$(rm x)]'",
            "print -v LINES x",
            "integer x='path[$(rm x)]'",
            "integer CI; CI='path[$(rm x)]' ls",
            "private -i x='path[$(rm x)]'",
        ],
    );
    all(
        &policy,
        Shell::Zsh,
        Allow,
        &[
            "COLUMNS=80 ls", "COLUMNS=80 LINES=24 ls", "COLUMNS=80; ls", "env COLUMNS=80 ls", "export COLUMNS=80",
            "for COLUMNS in 80; do ls; done", "ls ${COLUMNS:-80}", "echo $COLUMNS", "read -r line; ls", "LANG=C ls",
            "export -n CI; ls",
        ],
    );
}

#[test]
fn a_program_under_another_name_is_not_allowed() {
    let policy = sound(&format!("{}{}", prefixes("allow", &["ls", "cat", "busybox ls"]), prefixes("deny", &["rm"])));
    all(
        &policy,
        Shell::Unknown,
        AskUser,
        &[
            "exec -a sh ls -c id", "exec -la sh ls", "env -a sh ls -c id", "env --argv0=sh ls",
            "env --argv0 rm ls -rf x", "exec -a rm ls -rf x", "./ls", "./env ls", "./sh -c ls", "sub/timeout 5 ls",
            "LS",
        ],
    );
    all(&policy, Shell::Unknown, Allow, &["exec ls", "env ls", "/bin/ls", "/usr/bin/env ls", "timeout 5 ls"]);
}

#[test]
fn a_variable_does_not_start_what_a_rule_denies() {
    let policy = sound(&format!("{EVERYTHING}{}", prefixes("deny", &["rm", "git push"])));
    all(
        &policy,
        Shell::Unknown,
        Deny,
        &[
            "GIT_EXTERNAL_DIFF='rm x' git diff",
            "GIT_SSH_COMMAND='rm x' git fetch",
            "GIT_PAGER='rm x' git log",
            "PAGER='rm x' man ls",
            "EDITOR='rm x' git commit",
            "VISUAL='sh -c \"rm x\"' crontab -e",
            "export GIT_EDITOR='rm x'; git commit",
            "GIT_PAGER='rm x'; export GIT_PAGER; git log",
            "RSYNC_RSH='rm x' rsync a b:c",
            "LESSOPEN='|rm %s' less x",
            "MY_EDITOR='git push' tool",
            "env GIT_PAGER='rm x' git log",
        ],
    );
    all(
        &policy,
        Shell::Unknown,
        AskUser,
        &[
            "BASH_ENV=x ls",
            "ENV=x sh -c ls",
            "LD_PRELOAD=./x.so ls",
            "DYLD_INSERT_LIBRARIES=x ls",
            "PATH=. ls",
            "PATH=$PWD:$PATH; ls",
            "NODE_OPTIONS='-r ./x' node a.js",
            "PYTHONPATH=. python a.py",
            "PERL5OPT=-Mx perl a.pl",
            "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.pager GIT_CONFIG_VALUE_0=x git log",
            "GIT_DIR=evil git status",
            "PS4='$(rm x)' bash -x a.sh",
            "SHELLOPTS=xtrace ls",
            "IFS=x ls",
            "MAKEFLAGS=--eval=x make",
            "CC=./x make",
            "TAR_OPTIONS=--to-command=x tar xf a",
            "npm_config_script_shell=./x npm test",
            "HOME=evil git log",
            "FOO_WRAPPER=x tool",
            "RANDOM='a[$(id)]'",
            "SECONDS=x; ls",
            "cd hostile; git log",
        ],
    );
    all(
        &policy,
        Shell::Unknown,
        Allow,
        &[
            "PORT=3000 npm start", "NODE_ENV=test npm test", "FOO=1 tool", "DEBUG=x npm test", "x=1; echo $x",
            "CI=1 make",
        ],
    );
}

#[test]
fn what_may_start_a_denied_command_is_not_allowed() {
    let policy = sound(&format!("{EVERYTHING}{}", prefixes("deny", &["rm", "git push"])));
    all(
        &policy,
        Shell::Unknown,
        Deny,
        &[
            "/lib64/ld-linux-x86-64.so.2 /bin/rm x",
            "/lib/ld-musl-x86_64.so.1 /bin/rm x",
            "setarch -R rm x",
            "linux64 rm x",
            "coreutils --coreutils-prog=rm x",
            "perf stat rm x",
            "valgrind rm x",
            "numactl -N 0 rm x",
            "bwrap --bind / / rm x",
            "firejail rm x",
            "busybox rm x",
            "toybox rm x",
            "faketime now rm x",
            "proxychains4 rm x",
            "gosu root rm x",
            "watchexec rm x",
            "hyperfine 'rm x'",
        ],
    );
    all(
        &policy,
        Shell::Unknown,
        AskUser,
        &[
            "mystarter rm x", "mystarter -- /bin/rm x", "mystarter --exec=rm x", "mystarter -c 'cd a; rm x'",
            "mystarter \"$x\" rm", "mystarter RM x", "cp /bin/rm x", "ln -s /bin/rm x", "install /usr/bin/rm x",
            "make -f - <<< 'x:; rm x'", "echo x | make -f- x", "make --file /dev/stdin < x", "make -f <(echo x)",
            "awk -f - y <<< x", "awk -f <(echo x) y", "sed -f - y <<< x", "python3 <(echo x)", "perl <(echo x) y",
            "node <(echo x)",
        ],
    );
    all(
        &policy,
        Shell::Unknown,
        Allow,
        &[
            "mytool a b", "echo rm x", "grep -rn 'rm -rf' .", "git log --grep rm", "cp rm.txt y", "cp src/a rm",
            "cp rm y", "rg -A $n x", "make -f x", "tar -T - -cf x.tar", "awk -f x y", "sed -f x y",
            "python3 x.py <(echo x)",
        ],
    );
}

#[test]
fn a_program_runs_in_every_folder_where_the_line_may_be() {
    let policy = sound(&prefixes("allow", &["cd", "ls", "git status", "npm test", "true", "false", "./run.sh"]));
    all(
        &policy,
        Shell::Unknown,
        AskUser,
        &[
            "cd link && git status",
            "cd nope; cd link && git status",
            "(cd sub); cd link && git status",
            "cd sub & cd link && git status",
            "cd sub || cd link; git status",
            "cd sub && cd ../link && git status",
            "cd sub; cd ..; cd link; npm test",
            "ls | cd link; git status",
            "if true; then cd link; fi; git status",
            "for d in sub link; do cd $d; done; git status",
            "f() { cd link; }; f; git status",
            "cd link && true & git status",
            "cd nope || cd link && cd & git status",
            "f() { cd sub; }; f; f; git status",
            "case x in x) cd link;; esac; git status",
            "! cd sub && cd link; git status",
            "cd $x && git status",
            "cd -; git status",
            "cd; git status",
            "cd ~ && npm test",
            "cd su* && git status",
            "cd hostile && git status",
            "cd sub && ./run.sh",
            "env -C link -S 'git status'",
            "cd sub; cd ../hostile 2>/dev/null; git status",
            "cd /tmp && git status",
        ],
    );
    all(
        &policy,
        Shell::Unknown,
        Allow,
        &[
            "cd sub && git status",
            "cd sub; git status",
            "(cd link && ls); git status",
            "cd sub && npm test; cd deeper && git status",
            "cd link & git status",
            "cd sub && true & git status",
            "cd /work/sub && git status",
            "cd sub && /bin/ls",
            "(cd sub && npm test)",
        ],
    );
}

#[test]
fn the_settings_of_a_repository_start_nothing() {
    let policy = sound(&prefixes("allow", &["git status", "git -C hostile status"]));
    let decide_in = |folder: &'static str| {
        decide(&policy, "Bash", json!({ "command": "git status" }), |call| Call {
            cwd: Some(Path::new(folder)),
            repository: &|path| match path.starts_with("/work/hostile") {
                true => Repository::Starts("core.fsmonitor".to_owned()),
                false => Repository::Plain,
            },
            ..call
        })
    };
    assert_eq!((decide_in("/work"), decide_in("/work/hostile")), (Allow, AskUser));
}

#[test]
fn a_deny_of_a_whole_tool_denies_what_cannot_be_read() {
    let policy = sound(
        "[[rule]]\ntoolName = 'Bash'\ndecision = 'deny'\npriority = 100\n\n\
         [[rule]]\ntoolName = 'Bash'\ncommandPrefix = 'git status'\ndecision = 'allow'\npriority = 200\n",
    );
    all(
        &policy,
        Shell::Unknown,
        Deny,
        &[
            "git status && (", "", " ", "# nothing", "echo 'open", "a\0b", "timeout 5 bash -c \"$x\"", "env $x",
            "eval \"$x\"", "$x", "<<<", ")", "x=1", "PATH=x", "for",
        ],
    );
    all(&policy, Shell::Unknown, Allow, &["git status"]);
    let long = "x".repeat(20_000);
    all(&policy, Shell::Unknown, Deny, &[&long]);
    for input in [json!({}), json!({ "command": null }), json!({ "command": ["rm"] }), json!({ "command": 1 })] {
        assert_eq!(decide(&policy, "Bash", input.clone(), |call| call), Deny, "{input}");
    }
    // With a condition on the command it is not known whether it is meant.
    let some = sound("[[rule]]\ntoolName = 'Bash'\ncommandPrefix = 'rm'\ndecision = 'deny'\npriority = 100\n");
    all(&some, Shell::Unknown, AskUser, &["git status && (", "", "echo 'open"]);
}

#[test]
fn in_modes_that_write_only_the_workspace_is_redirected_to() {
    let policy = sound(&prefixes("allow", &["echo", "cat", "cd"]));
    let places = Places::of(roots());
    let links = |path: &Path| path.starts_with("/work/link").then(|| "/elsewhere".into());
    for mode in ["acceptEdits", "autoEdit", "bypassPermissions"] {
        for (line, expected) in [
            ("echo x > out.txt", Allow),
            ("echo x >> sub/out.txt", Allow),
            ("cd sub && echo x > out.txt", Allow),
            ("cat < README.md > out", Allow),
            ("echo x > /work/a", Allow),
            ("cat a >> ~/.ssh/authorized_keys", AskUser),
            ("echo x > ../x", AskUser),
            ("echo x > /tmp/x", AskUser),
            ("echo x > .git/hooks/post-commit", AskUser),
            ("cd .claude && echo x > settings.json", AskUser),
            ("cd .. && echo x > out.txt", AskUser),
            ("cd sub; echo x > ../../out.txt", AskUser),
            ("echo x > link/a", AskUser),
            ("echo x > $x", AskUser),
            ("echo x > a$(id)", AskUser),
            ("echo x > ~/notes", AskUser),
            ("echo x > /dev/tty", AskUser),
            ("echo x > /dev/tcp/host/1", AskUser),
            ("echo x > .envrc", AskUser),
            ("cd nope; cd .husky; echo x > pre-commit", AskUser),
        ] {
            let input = object(json!({ "command": line }));
            let call = Call {
                mode: Some(mode),
                cwd: Some(Path::new("/work")),
                home: Some(Path::new("/home/me")),
                places: &places,
                real_path: &links,
                ..Call::new("Bash", &input, super::now())
            };
            let is = policy.check(&call).decision;
            assert_eq!(is, expected, "{mode} {line}");
        }
    }
    for line in ["echo x > out.txt", "echo x > /dev/tty"] {
        all(&policy, Shell::Unknown, AskUser, &[line]);
    }
    all(&policy, Shell::Unknown, Allow, &["echo x > /dev/null", "echo x 2>&1"]);
}

#[test]
fn only_an_allow_has_a_permit() {
    let policy = sound(&prefixes("allow", &["ls"]));
    for (line, permit) in [("ls", true), ("rm x", false), ("ls $~x", false)] {
        let input = object(json!({ "command": line }));
        let call = Call::new("Bash", &input, super::now());
        let mut judgement = policy.check(&call);
        assert_eq!(judgement.permit().as_ref().map(Permit::place).is_some(), permit, "{line}");
        (judgement.decision, judgement.rule) = (Allow, policy.rules().first());
        assert_eq!(judgement.permit().is_some(), permit, "whatever somebody makes of the judgement: {line}");
    }
}
