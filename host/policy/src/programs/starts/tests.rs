use super::*;
use crate::shell::Stdin;

/// Splits a line into words: `$x` is an unknown word, and of `a$x` the beginning is known.
fn words(line: &str) -> Vec<Word> {
    let word = |text: &str| match text.split_once('$') {
        Some((known, _)) => Word::beginning(known.replace('_', " ")),
        None => Word::exact(text.replace('_', " ")),
    };
    line.split(' ').map(word).collect()
}

/// Formats the started commands: `|` between several commands, `"..."` for a script, `!` for an unclear one, `@` for a
/// transparent wrapper.
fn shown(command: &Command) -> String {
    let Some(unwrapped) = unwrap(command) else { return "-".into() };
    let mut shown = Vec::new();
    if unwrapped.is_transparent {
        shown.push("@".into());
    }
    let text = |word: &Word| word.known.clone() + if word.exact { "" } else { "$" };
    for inner in &unwrapped.inner {
        shown.push(match inner {
            Inner::Script(script) => format!("{:?}", text(script)),
            Inner::Command(command) => {
                let assignments = command.assignments.iter().map(|it| format!("{}={}", it.name, text(&it.value)));
                let moved = command.moved.then(|| "(moved)".to_owned());
                assignments.chain(moved).chain(command.words.iter().map(text)).collect::<Vec<_>>().join(" ")
            }
        });
    }
    shown.extend(unwrapped.unclear.map(|unclear| format!("!{unclear:?}")));
    shown.join(" | ").replace("@ | ", "@ ")
}

fn check(lines: &[(&str, &str)]) {
    for (line, expected) in lines {
        assert_eq!(shown(&Command::of(words(line))), *expected, "{line}");
    }
}

#[test]
fn a_transparent_wrapper_leaves_the_decision_to_what_it_starts() {
    check(&[
        ("ls -la", "-"),
        ("timeout 5 rm x", "@ rm x"),
        ("timeout -k 1 -s KILL 5 rm x", "@ rm x"),
        ("timeout --signal=KILL --foreground 5 rm x", "@ rm x"),
        ("timeout --sig KILL -- 5 rm x", "@ rm x"),
        ("/usr/bin/timeout 5 rm x", "@ rm x"),
        ("TIMEOUT 5 rm x", "rm x"),
        ("timeout 5", "-"),
        ("time -p rm x", "@ rm x"),
        ("time -o out rm x", "rm x"),
        ("nice rm", "@ rm"),
        ("nice -n 5 rm", "@ rm"),
        ("nice -10 rm", "@ rm"),
        ("nice --adjustment=5 rm", "@ rm"),
        ("nohup rm", "@ rm"),
        ("stdbuf -oL -e0 rm", "@ rm"),
        ("command rm", "@ rm"),
        ("command -p rm", "@ rm"),
        ("command -v rm", "-"),
        ("command -pv rm", "-"),
        ("builtin echo", "@ echo"),
        ("exec -a name rm x", "rm x | !Options"),
        ("exec -c rm x", "@ rm x"),
        ("exec", "-"),
        ("noglob rm x", "@ rm x"),
        ("- rm x", "@ rm x"),
        ("setsid -f rm", "@ rm"),
        ("ionice -c2 -n 0 rm", "@ rm"),
        ("ionice -p 5", "-"),
        ("chrt -r 5 rm", "@ rm"),
        ("chrt -p 5 100", "-"),
        ("taskset -c 0,1 rm", "@ rm"),
        ("caffeinate -i rm", "@ rm"),
        ("env rm", "@ rm"),
        ("env A=1 B=$x rm x", "@ A=1 B=$ rm x"),
        ("env -i -u X PATH=/tmp rm", "@ PATH=/tmp rm"),
        ("env - rm", "@ rm"),
        ("env", "-"),
        ("env A=1", "-"),
        ("env -C /tmp rm", "@ (moved) rm"),
        ("env -S rm_-rf x", "@ \"rm -rf 'x'\""),
        ("env -vSrm", "@ \"rm\""),
        ("env --split-string=rm", "@ \"rm\""),
        ("env -Srm --version", "\"rm\" | !Options"),
    ]);
}

#[test]
fn the_likeliest_commands_are_listed_when_it_is_not_certain_which_it_is() {
    check(&[
        ("timeout --new 5 rm x", "rm x | x | !Options"),
        ("timeout $t rm x", "rm x | x | !Options"),
        ("timeout -k $t 5 rm", "rm | !Options"),
        ("timeout 5 $x rm", "$ rm | rm | !Options"),
        ("env $x rm y", "$ rm y | rm y | !Options"),
        ("sudo -$x rm y", "rm y | y | !Options"),
    ]);
}

#[test]
fn a_shell_starts_its_script() {
    check(&[
        ("sh -c rm_x", "@ \"rm x\""),
        ("bash -lc rm_x name arg", "@ \"rm x\""),
        ("/bin/bash -ec rm_x", "@ \"rm x\""),
        ("bash -c -e rm_x", "@ \"rm x\""),
        ("bash -c -- rm_x", "@ \"rm x\""),
        ("bash -o pipefail -c rm_x", "@ \"rm x\""),
        ("bash -O nullglob -c rm_x", "@ \"rm x\""),
        ("bash -O dotglob -c rm_x", "\"rm x\" | !Options"),
        ("bash -cO dotglob rm_x", "\"rm x\" | !Options"),
        ("bash -o $x -c rm_x", "\"rm x\" | !Options"),
        ("zsh -o globdots -c rm_x", "\"rm x\" | !Options"),
        ("zsh -T -c rm_x", "\"rm x\" | !Options"),
        ("bash -kc rm_x", "\"rm x\" | !Options"),
        ("zsh --emulate ksh -c rm_x", "\"rm x\" | !Options"),
        ("sh -k -c rm_x", "\"rm x\" | !Options"),
        ("bash -oc pipefail rm_x", "\"pipefail\" | \"rm x\" | !Options"),
        ("bash -eOc dotglob rm_x", "\"dotglob\" | \"rm x\" | !Options"),
        ("zsh -opipefail -c rm_x", "\"-c\" | \"rm x\" | !Options"),
        ("bash -O dotglob script.sh", "script.sh"),
        ("bash -eo pipefail -c rm_x", "@ \"rm x\""),
        ("bash +x -c rm_x", "@ \"rm x\""),
        ("bash --norc --noprofile -c rm_x", "@ \"rm x\""),
        ("bash --rcfile f -c rm_x", "\"rm x\" | !Options"),
        ("bash --new -c rm_x", "\"rm x\" | !Options"),
        ("bash -c $x", "@ \"$\""),
        ("bash -c rm_$x", "@ \"rm $\""),
        ("bash script.sh -c x", "script.sh -c x"),
        ("bash ./$x", "!Script"),
        ("bash /dev/fd/63", "!Script"),
        ("bash", "!Script"),
        ("bash -s arg", "!Script"),
        ("bash - script.sh", "script.sh"),
        ("bash --version", "-"),
        ("eval rm x", "@ \"rm x\""),
        ("eval -- rm x", "@ \"rm x\""),
        ("eval rm $x y", "@ \"rm $\""),
        ("eval $x", "@ \"$\""),
        ("eval", "-"),
    ]);
}

#[test]
fn a_shell_reads_the_text_it_is_given() {
    for (line, stdin, expected) in [
        ("sh", Stdin::Text(Word::exact("rm x")), "@ \"rm x\""),
        ("sh -s a", Stdin::Text(Word::exact("rm x")), "@ \"rm x\""),
        ("sh /dev/stdin", Stdin::Text(Word::exact("rm x")), "@ \"rm x\""),
        ("sh", Stdin::Text(Word::beginning("rm ")), "@ \"rm $\""),
        ("sh -c ls", Stdin::Text(Word::exact("rm x")), "@ \"ls\""),
        ("sh script.sh", Stdin::Text(Word::exact("rm x")), "script.sh"),
        ("sh", Stdin::Pipe, "!Script"),
        ("sh", Stdin::File, "!Script"),
        ("foreground", Stdin::Pipe, "!Options"),
        ("gdb x", Stdin::Pipe, "!Code"),
        ("docker", Stdin::Pipe, "!Code"),
        ("docker", Stdin::Inherited, "-"),
        ("redis-cli", Stdin::Pipe, "!Code"),
        ("redis-cli", Stdin::Inherited, "-"),
        ("raku", Stdin::Pipe, "!Code"),
        ("erl", Stdin::Text(Word::exact("os:cmd(\"rm x\").")), "!Code"),
        ("view -es", Stdin::File, "!Code"),
        ("psql", Stdin::Pipe, "!Code"),
        ("psql", Stdin::Inherited, "-"),
        ("psql", Stdin::Text(Word::exact("select 1;")), "-"),
        ("psql", Stdin::Text(Word::exact("\\! rm x")), "!Code"),
        ("psql", Stdin::Text(Word::beginning("select ")), "!Code"),
        ("sqlite3 x.db", Stdin::Text(Word::exact("select 1;\n .shell rm x")), "!Code"),
        ("sqlite3 x.db", Stdin::Text(Word::exact("select readfile('x')")), "!Code"),
        ("sqlite3 x.db", Stdin::Text(Word::exact("ATTACH 'x' AS y; create table y.a(b)")), "!Code"),
    ] {
        assert_eq!(shown(&Command { stdin, ..Command::of(words(line)) }), expected, "{line}");
    }
}

#[test]
fn a_guarded_wrapper_is_not_transparent() {
    check(&[
        ("sudo rm x", "rm x"),
        ("sudo -u root -E -- rm x", "rm x"),
        ("sudo -uroot A=1 rm x", "A=1 rm x"),
        ("sudo -D /tmp rm x", "(moved) rm x"),
        ("sudo -l", "-"),
        ("sudo -s", "sh"),
        ("sudo -i rm x", "rm x"),
        ("sudo", "-"),
        ("doas -u root rm x", "rm x"),
        ("su -c rm_x", "\"rm x\""),
        ("su - bob -c rm_x", "\"rm x\""),
        ("su bob -- -c rm_x", "sh -c rm x"),
        ("su --command=rm_x bob", "\"rm x\""),
        ("su - bob", "sh"),
        ("runuser -u bob -- rm x", "rm x"),
        ("runuser bob -c rm_x", "\"rm x\""),
        ("pkexec --user bob rm x", "rm x"),
        ("watch -n 1 rm x", "\"rm x\""),
        ("ssh host rm x", "\"rm x\""),
        ("ssh -p 22 host -t -- rm x", "\"rm x\""),
        ("ssh -o ProxyCommand=rm_x host", "\"rm x\" | sh"),
        ("ssh host", "sh"),
        ("ssh -V", "-"),
        ("docker exec -it -u root box rm x", "rm x"),
        ("docker --context x container exec box rm", "rm"),
        ("podman exec --new box rm x", "rm x | x | !Options"),
        ("docker compose -f x exec web rm x", "rm x"),
        ("docker-compose exec web rm x", "rm x | docker compose exec web rm x"),
        ("docker ps", "-"),
        ("chroot /mnt rm x", "rm x"),
        ("chroot /mnt", "sh"),
        ("kubectl exec -n x pod -c web -- rm x", "rm x"),
        ("kubectl -n x exec pod -- rm x", "rm x"),
        ("kubectl get pods", "-"),
        ("lerna exec -- rm x", "\"rm x\""),
        ("lerna exec --scope a -- rm x", "\"rm x\""),
        ("lerna exec --new a -- rm x", "\"rm x\" | !Options"),
        ("lerna --new a exec -- rm x", "\"rm x\" | !Options"),
        ("nx exec -- rm x ; ls", "\"rm x ; ls\""),
        ("nx test web", "-"),
        ("lerna run test", "-"),
        ("trap rm_x EXIT", "\"rm x\""),
        ("python", "!Code"),
        ("python3.12 -", "!Code"),
        ("python3 -u x.py", "x.py"),
        ("python3 -c x", "-"),
        ("python3 -m pip install x", "pip install x"),
        ("python3 -Im pip install x", "pip install x"),
        ("python3 -mpip install x", "pip install x"),
        ("python3 x.py -m pip", "x.py -m pip"),
        ("python3 -m $x", "-"),
        ("git status", "-"),
        ("git rebase -i HEAD~2 --exec rm_x", "\"rm x\""),
        ("git -C x bisect run rm x", "(moved) rm x"),
        ("xargs rm -f", "rm -f $"),
        ("xargs", "-"),
        ("xargs -0 -n 1 -P4 rm", "rm $"),
        ("xargs -I{} rm ./{} {}x", "rm ./$ $"),
        ("xargs -I % rm a%b y", "rm a$ y"),
        ("xargs -i rm {}", "rm $"),
        ("xargs --replace rm {}", "rm $"),
        ("xargs -I{} sh -c rm_{}", "sh -c rm $"),
        ("xargs sh -c rm_x", "sh -c rm x $"),
    ]);
}

#[test]
fn find_starts_a_command_for_each_file() {
    check(&[
        ("find . -name x", "-"),
        ("find . -exec rm {} ;", "rm .$"),
        ("find -exec rm {} +", "rm .$"),
        ("find src -type f -exec rm -f {} ; -print", "rm -f src$"),
        ("find $x -exec rm {} ;", "rm $"),
        ("find a b -exec rm {} ;", "rm $"),
        ("find a$x -exec rm {} ;", "rm $"),
        ("find . -execdir rm {} ;", "(moved) rm $"),
        ("find . -exec echo + {} + -okdir rm x ;", "echo + .$ | (moved) rm x"),
        ("find . -exec sh -c rm_{} ;", "sh -c rm .$"),
        ("find . -exec rm {}", "rm .$"),
        ("fd -e rs -x rm", "rm $"),
        ("fd -Hx rm -f {} ; --color never", "rm -f $"),
        ("fd pattern --exec-batch=rm ./{/}", "rm ./$"),
        ("fd pattern", "-"),
    ]);
}

#[test]
fn a_tool_starts_what_its_subcommand_says() {
    check(&[
        ("docker run --rm -v a:b image rm x", "rm x"),
        ("docker run image", "-"),
        ("docker run --entrypoint rm image x", "rm x"),
        ("docker run --new a image rm x", "image rm x | rm x | !Options"),
        ("docker $x rm y", "!Options"),
        ("docker -", "!Code"),
        ("kubectl exec $pod -- rm x", "rm x | x | !Options"),
        ("npm test", "-"),
        ("npm --silent exec -- rm x", "rm x"),
        ("npm --new a exec rm x", "rm x | !Options"),
        ("npx -p a rm x", "rm x"),
        ("poetry run rm x", "rm x"),
        ("direnv exec dir rm x", "rm x"),
        ("nix develop -c rm x", "rm x"),
        ("nix-shell -p a --run rm_x", "\"rm x\""),
        ("git -c alias.a=!rm_x a", "\"rm x\""),
        ("git -c alias.a=push a", "\"git push\""),
        ("git -c core.fsmonitor=true status", "-"),
        ("git -C dir bisect run rm", "(moved) rm"),
        ("git config core.pager rm", "\"rm\""),
        ("git config core.pager", "-"),
        ("git config --get core.pager", "-"),
        ("git fetch --upload-pack=rm_x", "\"rm x\""),
        ("git log -c", "-"),
        ("git clone url", "-"),
        ("git clone -c core.pager=rm url", "\"rm\""),
        ("cargo test -- -s x", "-"),
    ]);
}

#[test]
fn parallel_puts_its_arguments_into_a_template() {
    check(&[
        ("parallel rm ::: a b", "\"rm \\\"$@\\\"\""),
        ("parallel rm_{}_>_{.}.x ::: a", "\"rm \\\"$1\\\" > \\\"$1\\\".x\""),
        ("parallel echo_{a,b} ::: a", "\"echo {a,b} \\\"$@\\\"\""),
        ("parallel rm_{=x=} ::: a", "\"rm $\""),
        ("parallel ::: rm_a rm_b", "\"rm a\" | \"rm b\""),
        ("parallel", "!Script"),
        ("parallel :::: file", "\"file\" | !Script"),
        ("parallel --new rm ::: a", "\"rm \\\"$@\\\"\" | !Options"),
    ]);
}

#[test]
fn what_runs_later_is_started_too() {
    check(&[
        ("trap rm_x EXIT INT", "\"rm x\""),
        ("trap - EXIT", "-"),
        ("trap EXIT", "-"),
        ("trap $x EXIT", "\"$\""),
        ("alias a=rm_x", "\"rm x\" | !Script"),
        ("alias a", "-"),
        ("alias $x", "!Script"),
        ("source file", "file"),
        ("source /dev/stdin", "!Script"),
        (". $x", "!Script"),
        ("complete -C rm a", "\"rm\""),
        ("mapfile -t a", "-"),
        ("trap a$x EXIT", "\"a$\""),
        ("trap $x", "\"$\""),
        ("trap x", "-"),
        ("at now", "!Script"),
        ("at -f file now", "!Script"),
        ("at -l", "-"),
        ("crontab file", "!Script"),
        ("crontab -l", "-"),
        ("jobs -x rm x", "rm x"),
        ("jobs", "-"),
        ("tmux send-keys -t a rm_x Enter", "\"rm x Enter\""),
        ("tmux new -d rm x", "rm x"),
        ("tmux ls", "-"),
        ("tmux new rm_x a$y", "rm x a$"),
        ("tmux new rm_x $y", "rm x $ | \"rm x\""),
    ]);
}

#[test]
fn a_script_of_the_project_may_be_a_command() {
    check(&[
        ("pnpm git push", "git push"),
        ("pnpm rm x", "-"),
        ("pnpm -r test", "-"),
        ("pnpm build", "-"),
        ("pnpm run lint", "-"),
        ("bun run rm x", "rm x"),
        ("bun run test", "-"),
        ("bun run rm", "rm"),
        ("bun run test x", "test x"),
        ("pnpm exec -c rm_x", "\"rm x\""),
        ("pnpm exec rm x", "rm x"),
        ("deno task --eval rm_x", "\"rm x\""),
        ("deno task x", "-"),
        ("yarn workspace a test", "-"),
        ("yarn workspaces foreach -A exec rm_x", "\"rm x\""),
        ("npm test -- rm x", "-"),
    ]);
}

#[test]
fn a_starter_of_a_shape_of_its_own_starts_what_stands_behind_it() {
    check(&[
        ("/lib64/ld-linux-x86-64.so.2 /bin/rm x", "/bin/rm x"),
        ("ld.so --argv0 ls /bin/rm x", "/bin/rm x | !Options"),
        ("ld.so --list /bin/rm", "-"),
        ("coreutils --coreutils-prog=rm -rf x", "rm -rf x"),
        ("setarch -R rm x", "rm x"),
        ("setarch x86_64 -R rm x", "rm x"),
        ("setarch x86_64", "sh"),
        ("perf stat --pre rm_x ls", "ls | \"rm x\""),
        ("perf stat record rm x", "rm x | x | !Options"),
        ("mosh --ssh=rm_x host", "\"rm x\""),
        ("mosh host", "-"),
        ("execlineb -c rm_x", "\"rm x\" | !Code"),
        ("newgrp x", "sh"),
        ("newgrp -c rm_x", "\"rm x\""),
        ("envdir dir rm x", "dir rm x | rm x | x | !Options"),
        ("cmd /c rm x", "\"rm x\" | !Code"),
        ("pwsh -Command rm x", "\"rm x\" | !Code"),
        ("bwrap -- rm x", "rm x"),
        ("bwrap --help", "-"),
        ("bwrap --bind / / --help rm", "-"),
        ("kdesu -c rm_x", "\"rm x\""),
        ("dbclient host rm x", "\"rm x\""),
        ("dbclient host", "sh"),
        ("perf script x -- rm y", "rm y | x -- rm y | rm y | y | !Options"),
        ("run-parts rm x", "rm x | !Options"),
        ("bwrap --overlay a b c rm x", "rm x"),
        ("bwrap --unshare-net --new-session rm x", "rm x"),
        ("bwrap --bind / / -- rm x", "rm x"),
        ("bwrap --dir $x rm y", "rm y | !Options"),
        ("bwrap --dir x $y", "$ | !Options"),
        ("capsh --user=x -- -c rm_x", "sh -c rm x"),
        ("capsh --shell=/x -- -c rm_x", "sh -c rm x | !Options"),
        ("capsh --us$ -- -c rm_x", "sh -c rm x | !Options"),
        ("gdb --args rm x", "rm x | x | !Options"),
        ("gdb x", "-"),
        ("vagrant ssh -c rm_x", "\"rm x\""),
        ("vagrant ssh -- rm x", "\"rm x\""),
        ("vagrant ssh", "sh"),
        ("distrobox enter box -- rm x", "rm x"),
        ("distrobox enter box", "sh"),
        ("snap run --shell app -c rm_x", "sh -c rm x"),
        ("snap run app", "-"),
        ("watchman -- trigger a b -- rm x", "rm x"),
        ("rr record rm x", "rm x"),
        ("rr rm x", "rm x"),
        ("foreground { rm x } y", "rm x } y | x } y | y | !Options"),
        ("foreground", "-"),
        ("runcon a:b:c rm x", "rm x"),
        ("runcon -t x rm x", "rm x"),
        ("bwrap --bind / / --setenv A b rm x", "rm x"),
        ("bwrap --argv0 x rm y", "rm y | !Options"),
        ("bwrap --args 5 rm y", "rm y | !Options"),
        ("bwrap --new rm y", "rm y | y | !Options"),
        ("flatpak run --command=sh app -c rm_x", "sh -c rm x"),
        ("flatpak run app file", "-"),
        ("argv0 rm ls x", "rm x | ls x | !Options"),
        ("env --argv0=x rm y", "rm y | !Options"),
        ("parallel -- ls_x rm_x", "\"ls x\" | \"rm x\" | \"ls x rm x \\\"$@\\\"\""),
    ]);
}

#[test]
fn a_setting_of_a_repository_that_is_a_command_is_known() {
    for (name, value, runs) in [
        ("core.pager", "less", true),
        ("core.fsmonitor", "true", false),
        ("user.name", "x", false),
        ("alias.x", "log", false),
        ("alias.x", "!rm x", true),
        ("filter.lfs.clean", "git-lfs clean -- %f", false),
        ("filter.lfs.clean", "git-lfs clean; rm x", true),
        ("filter.lfs.clean", "git-lfs clean -- %f\nrm x", true),
        ("filter.lfs.clean", "git-lfs clean -- %f &", true),
        ("filter.lfs.clean", "git-lfs filter-process", true),
        ("filter.lfs.smudge", "git-lfs smudge --skip -- %f", false),
        ("filter.lfs.process", "git-lfs filter-process", false),
        ("filter.lfs.clean", "rm x", true),
        ("filter.other.clean", "git-lfs clean -- %f", true),
    ] {
        assert_eq!(git::names_program(name, value), runs, "{name} = {value}");
    }
}
