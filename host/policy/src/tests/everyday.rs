//! Tests of everyday lines that a person who wrote a rule would want it to allow, each with its nearest neighbours that
//! the rule does not mean. The agent works in `/work`, where `link` leads elsewhere.

use std::sync::LazyLock;

use serde_json::json;

use super::{Allow, AskUser, Decision, decide, each_is, roots, sound};
use crate::Call;
use crate::places::Places;

const RULES: &str = "
    [[rule]]
    toolName = 'Bash'
    commandPrefix = [
        'git status', 'git log', 'git branch', 'npm test', 'pytest', 'kubectl get', 'kubectl delete', 'make test', 'diff',
        'sort', 'echo', 'cd',
    ]
    decision = 'allow'
    priority = 100
";

static PLACES: LazyLock<Places> = LazyLock::new(|| Places::of(roots()));

#[track_caller]
fn all(rules: &str, expected: Decision, lines: &[&str]) {
    let policy = sound(rules);
    each_is(expected, lines, |line| {
        decide(&policy, "Bash", json!({ "command": line }), |call| Call {
            places: &PLACES,
            real_path: &|path| path.starts_with("/work/link").then(|| "/elsewhere".into()),
            ..call
        })
    });
}

#[test]
fn tests_of_another_folder_are_asked_however_it_is_written() {
    all(RULES, Allow, &["pytest", "pytest tests", "pytest tests/*.py", "pytest tests/test_{a,b}.py"]);
    all(
        RULES,
        AskUser,
        &[
            "pytest /tmp/ev",
            "pytest ../ev",
            "pytest tests/../../ev",
            "pytest \"tests/$x\"",
            "pytest tests/$x",
            "x=../../tmp/ev; pytest \"tests/$x\"",
            "pytest */../../ev",
            "pytest tests/{a,../../ev}",
            "pytest tests/.*",
            "pytest ~/ev",
            "pytest \"$HOME/ev\"",
        ],
    );
}

#[test]
fn an_absolute_path_in_the_workspace_is_as_the_relative_one() {
    all(
        RULES,
        Allow,
        &[
            "pytest /work/tests",
            "pytest /work/tests/test_a.py::test_b -q",
            "pytest /work",
            "timeout 60 pytest /work/tests",
        ],
    );
    all(
        RULES,
        AskUser,
        &[
            "pytest /work2/tests",
            "pytest /work/../ev",
            "pytest /work/tests/../../ev",
            "pytest /work/link/tests",
            "pytest /work/link/tests/test_a.py::test_b",
            "pytest /WORK/tests",
            "pytest \"/work/$x\"",
            "pytest --rootdir=/work/tests",
            "pytest -c /work/x.ini",
            "cd /work/sub && pytest /work/tests",
            "cd /tmp && pytest /work/tests",
        ],
    );
}

#[test]
fn the_port_of_a_server_may_be_set_to_a_number() {
    all(
        RULES,
        Allow,
        &["PORT=3000 npm test", "PORT='3000' CI=1 npm test", "env PORT=3000 npm test", "PORT=1 make test"],
    );
    all(
        RULES,
        AskUser,
        &[
            "PORT='3000 --x' npm test", "PORT=$(id) npm test", "PORT=\"$x\" npm test", "PORT='$(shell id)' make test",
            "PORT= npm test", "PORT=-1 npm test", "PORT=3000; npm test", "export PORT=3000; npm test",
            "HOST=0.0.0.0 npm test", "NODE_OPTIONS=1 npm test",
        ],
    );
}

#[test]
fn options_in_front_that_change_nothing_do_not_have_to_be_named() {
    all(
        RULES,
        Allow,
        &[
            "git --no-pager log",
            "git --no-pager log --oneline -5 --no-color",
            "git -P log -- src",
            "git -C /work status",
            "git -C /work/ status -s",
            "git -C . status",
            "timeout 5 git --no-pager log | sort",
            "kubectl -n x get pods",
            "kubectl --namespace=x get pods -o wide",
            "make -j4 test",
            "make -k -j test -s",
            "npm --silent test",
        ],
    );
    all(
        RULES,
        AskUser,
        &[
            "git --no-pager -c core.pager=x log",
            "git -c core.fsmonitor=x -C /work status",
            "git --no-pager push",
            "git --no-pager log --output=x",
            "git --no-pager log > x",
            "git --no-pager log $x",
            "GIT_PAGER=x git --no-pager log",
            "git -C /work branch new",
            "git --no-pager branch new",
            "git -C /elsewhere status",
            "git -C /work/.. status",
            "git -C /work/link status",
            "git -C \"$x\" status",
            "git -C ~ status",
            "git --git-dir=/work status",
            "git --work-tree=/work status",
            "git --exec-path=/work status",
            "git -p log",
            "cd /tmp && git -C /work status",
            "find . -execdir git -C . status \\;",
            "./git --no-pager log",
            "kubectl --kubeconfig=x get pods",
            "kubectl --context=x get pods",
            "kubectl -n x --kubeconfig=x get pods",
            "kubectl -n x get pods --kubeconfig=x",
            "kubectl -n x get --raw /x",
            "kubectl -n x delete pod y",
            "kubectl -n x exec pod -- pytest",
            "kubectl -n \"$x\" get pods",
            "kubectl -n -x get pods",
            "kubectl -n $(id) get pods",
            "make -j$(nproc) test",
            "make -j4 test deploy",
            "make -j4 deploy",
            "make -f x test",
            "make --eval=x test",
            "npm --silent publish",
            "npm --silent --script-shell=x test",
        ],
    );
}

/// The words of a program, and another form of `cd sub` for it.
const IN_FOLDER: [(&str, &str); 8] = [
    ("make test", "make -C {} test"),
    ("make test -k V=1", "make -k --directory={} test V=1"),
    ("make test", "make test -C {}"),
    ("npm test", "npm --prefix {} test"),
    ("npm test -- --watch", "npm -C {} test -- --watch"),
    ("npm test", "npm test --prefix {}"),
    ("go test ./...", "go -C {} test ./..."),
    ("cargo test", "cargo -C {} test"),
];

#[test]
fn the_folder_of_a_builder_is_as_a_cd_before_it() {
    let rules = RULES.replace("'cd',", "'cd', 'go test', 'cargo test',");
    let behind_cd = |folder: &str| IN_FOLDER.map(|(plain, _)| format!("cd {folder} && {plain}"));
    let named = |folder: &str| IN_FOLDER.map(|(_, form)| form.replace("{}", folder));
    for (folder, expected) in [
        ("sub", Allow),
        ("./sub/deeper", Allow),
        ("/work/sub", Allow),
        ("/work", Allow),
        ("link", AskUser),
        ("/elsewhere", AskUser),
        ("..", AskUser),
        ("sub/../../x", AskUser),
        ("/work2", AskUser),
        ("\"$x\"", AskUser),
        ("$x", AskUser),
        ("~", AskUser),
        ("~/x", AskUser),
        ("$HOME", AskUser),
        ("-", AskUser),
    ] {
        for lines in [behind_cd(folder), named(folder)] {
            all(&rules, expected, &lines.each_ref().map(String::as_str));
        }
    }
    all(&rules, Allow, &["make -C sub -C deeper test", "cd sub && make -C deeper test", "go test -C sub -race ./..."]);
    all(
        &rules,
        AskUser,
        &[
            "make -C sub -C /elsewhere test",
            "make -C /elsewhere -C /work test",
            "cd /elsewhere && make -C sub test",
            "cd $x && npm --prefix web test",
            "make -C sub deploy",
            "make -C sub test deploy",
            "make -C sub -f x test",
            "make test -C sub -C ../..",
            "make test -f x -C sub",
            "make test -C '' ",
            "make -C sub test > x",
            "PATH=. make -C sub test",
            "npm --prefix web publish",
            "npm --prefix web exec id",
            "npm test --prefix ../web",
            "npm --prefix web --prefix ../x test",
            "npm --prefix ../x test --prefix web",
            "npm --prefix web -g test",
            "npm --prefix web --script-shell=x test",
            "go -C sub test ../x",
            "go -C sub test -exec x",
            "go -C sub generate",
            "go -C sub -C .. test ./...",
            "cargo -C sub publish",
            "./make -C sub test",
            "npm install --prefix web",
        ],
    );
}

#[test]
fn a_rule_that_stops_the_folder_of_a_builder_stops_it_still() {
    let stops = |rest: &str, priority: u16| {
        format!("{RULES}[[rule]]\ntoolName = 'Bash'\ndecision = 'deny'\npriority = {priority}\n{rest}\n")
    };
    let lines = ["make -C sub test", "make test -C sub"];
    all(&stops("commandPrefix = 'make test'", 200), Decision::Deny, &lines);
    all(&stops("commandRegex = 'make .*-C'", 200), Decision::Deny, &lines);
    all(&stops("commandRegex = 'make .*-C'", 50), Decision::Deny, &lines[..1]);
    all(&stops("commandRegex = 'make .*-C'", 50), AskUser, &lines[1..]);
    all(&stops("argsPattern = 'sub'", 50), AskUser, &lines[1..]);
    all(&stops("commandPrefix = 'make deploy'", 200), Allow, &lines);
    let bare = RULES.replace("'make test'", "'make'").replace("'npm test'", "'npm'");
    all(&bare, AskUser, &["make -C sub test", "make test -C sub", "npm --prefix sub test", "git -C sub push"]);
    let here = RULES.replace("decision = 'allow'", "decision = 'allow'\n    cwd = '//work'");
    all(&here, Allow, &["make test", "npm test"]);
    all(&here, AskUser, &["make -C sub test", "make test -C sub", "npm --prefix sub test", "cd sub && make test"]);
}

#[test]
fn a_rule_that_stops_an_option_in_front_stops_it_still() {
    let rule = |decision: &str, rest: &str, priority: u16| {
        format!("[[rule]]\ntoolName = 'Bash'\ndecision = '{decision}'\npriority = {priority}\n{rest}\n")
    };
    let stops = |rest: &str| format!("{RULES}{}", rule("ask_user", rest, 50));
    all(&stops("commandPrefix = 'kubectl -n prod'"), AskUser, &["kubectl -n prod get pods"]);
    all(&stops("commandPrefix = 'kubectl -n prod'"), Allow, &["kubectl -n x get pods", "kubectl get pods"]);
    all(&stops("commandRegex = 'git -C'"), AskUser, &["git -C /work status"]);
    all(&stops("argsPattern = 'prod'"), AskUser, &["kubectl -n prod get pods"]);
    all(&stops("argsPattern = 'prod'"), AskUser, &["kubectl -n prod get \"$x\""]);
    let denies = format!("{RULES}{}", rule("deny", "commandPrefix = 'kubectl get secrets'", 50));
    all(&denies, Allow, &["kubectl -n x get pods"]);
    let before = format!("{RULES}{}", rule("deny", "commandPrefix = 'kubectl get secrets'", 200));
    all(&before, Decision::Deny, &["kubectl -n x get secrets", "kubectl get -n x secrets"]);
    all(&before, AskUser, &["kubectl -n x get $x"]);
    let pattern = format!("{RULES}{}", rule("deny", "commandRegex = 'git log'", 200));
    all(&pattern, Decision::Deny, &["git log", "git --no-pager log"]);
}

#[test]
fn a_pattern_of_a_rule_means_the_line_as_it_is_written() {
    let rule = "[[rule]]\ntoolName = 'Bash'\ncommandRegex = 'git log'\ndecision = 'allow'\npriority = 100\n";
    all(rule, Allow, &["git log"]);
    all(rule, AskUser, &["git --no-pager log"]);
}

#[test]
fn leaving_the_line_needs_no_rule() {
    all(
        RULES,
        Allow,
        &[
            "npm test || exit 1",
            "npm test; exit",
            "git status && { npm test || exit 0; }",
            "for i in 1 2 3; do npm test && break; done",
            "while npm test; do continue 1; done",
            "if npm test; then exit 0; fi",
        ],
    );
    all(
        RULES,
        AskUser,
        &[
            "exit",
            "exit 1",
            "x=1; exit 1",
            "id || exit 1",
            "npm test || exit $x",
            "npm test || exit 'a[$(id)]'",
            "npm test || exit 1 > x",
            "npm test || exit 1 2",
            "PATH=x exit; npm test",
            "npm test || ./exit 1",
            "exit() { id; }; npm test || exit",
        ],
    );
    let denies = "[[rule]]\ntoolName = 'Bash'\ncommandPrefix = 'exit'\ndecision = 'deny'\npriority = 1\n";
    all(&format!("{RULES}{denies}"), Decision::Deny, &["npm test || exit 1"]);
}

#[test]
fn what_changes_nothing_needs_no_rule_beside_other_commands() {
    all(
        RULES,
        Allow,
        &[
            "npm test || true",
            "npm test && true; false || git status",
            ": && npm test",
            "npm test & wait",
            "npm test & make test & wait -n; wait",
            "while true; do npm test; done",
            "export CI=1 && npm test",
            "export CI=1 NO_COLOR=1 TZ=UTC LC_ALL=C; make test",
            "cd sub && export FORCE_COLOR=0 && npm test",
            "timeout 5 true; npm test",
        ],
    );
    all(
        RULES,
        AskUser,
        &[
            "true",
            "true; false",
            "export CI=1",
            "npm test || true > x",
            "npm test || true $(id)",
            "npm test || ./true",
            "true() { id; }; npm test || true",
            "alias true=id; npm test || true",
            "PATH=. true; npm test",
            "enable -n true; npm test || true",
            "npm test & wait $x",
            "npm test & wait -p x",
            "export PATH=.; npm test",
            "export CI=1 PATH=.; npm test",
            "export CI=$(id); npm test",
            "export NODE_OPTIONS=x; npm test",
            "export CI='$(shell id)'; make test",
            "export -n CI; npm test",
            "export COLUMNS=x; npm test",
            "export; npm test",
            "export HOST=0.0.0.0; npm test",
            "export -f CI; npm test",
            "sudo true; npm test",
        ],
    );
    let rule = |decision: &str, prefix: &str| {
        format!("{RULES}[[rule]]\ntoolName = 'Bash'\n{prefix}\ndecision = '{decision}'\npriority = 1\n")
    };
    let lines = ["npm test || true", "export CI=1; npm test"];
    all(&rule("deny", "commandPrefix = ['true', 'export']"), Decision::Deny, &lines);
    all(&rule("ask_user", "commandPrefix = ['true', 'export']"), AskUser, &lines);
    all(&rule("deny", ""), Decision::Deny, &lines);
}

#[test]
fn a_variable_that_cannot_change_what_runs_stands_before_an_allowed_command() {
    all(
        RULES,
        Allow,
        &[
            "CI=1 npm test",
            "CI=true npm test",
            "NO_COLOR=1 git status",
            "FORCE_COLOR=0 npm test",
            "TZ=UTC npm test",
            "RUST_BACKTRACE=1 make test",
            "LC_ALL=C sort x",
            "RUST_LIB_BACKTRACE=1 CARGO_INCREMENTAL=0 make test",
            "PYTHONHASHSEED=0 pytest",
            "SOURCE_DATE_EPOCH=0 make test",
            "NODE_NO_WARNINGS=1 npm test",
            "env GOMAXPROCS=2 make test",
        ],
    );
    all(
        RULES,
        AskUser,
        &[
            "RUST_LIB_BACKTRACE=x npm test",
            "PYTHONHASHSEED=$x pytest",
            "SOURCE_DATE_EPOCH='0 --x' make test",
            "NODE_NO_WARNINGS= npm test",
            "NODE_PATH=1 npm test",
            "CARGO_HOME=1 make test",
            "CARGO_BUILD_RUSTC=1 make test",
            "PYTHONSTARTUP=1 pytest",
            "GOFLAGS=1 make test",
            "DEBUG=1 npm test",
            "VERBOSE=1 make test",
            "TZDIR=x npm test",
            "CI='$(shell id)' make test",
        ],
    );
}

#[test]
fn tests_may_find_the_code_of_the_workspace() {
    let rules = RULES.replace("'pytest',", "'pytest', 'python3 -m pytest', 'python3 x.py',");
    all(
        &rules,
        Allow,
        &[
            "PYTHONPATH=. pytest",
            "PYTHONPATH=src:lib/a pytest -q tests",
            "CI=1 PYTHONPATH=./src python3 -m pytest",
            "env PYTHONPATH=. pytest",
            "cd sub && PYTHONPATH=. pytest",
        ],
    );
    all(
        &rules,
        AskUser,
        &[
            "PYTHONPATH=/tmp pytest", "PYTHONPATH=.. pytest", "PYTHONPATH=src/../../ev pytest",
            "PYTHONPATH=src:~/ev pytest", "PYTHONPATH=src: pytest", "PYTHONPATH= pytest", "PYTHONPATH=\"$x\" pytest",
            "PYTHONPATH=src:$x pytest", "PYTHONPATH=. git status", "PYTHONPATH=. python3 x.py", "PYTHONHOME=. pytest",
            "PATH=. pytest", "export PYTHONPATH=.; pytest", "PYTHONPATH=.; pytest", "cd /tmp && PYTHONPATH=. pytest",
        ],
    );
}

#[test]
fn an_environment_of_python_does_not_leave_the_folder() {
    let rules = format!("{RULES}{}", RULES.replace("'git status',", "'source', '.', 'git status',"));
    all(
        &rules,
        Allow,
        &[
            "source .venv/bin/activate && pytest -q",
            ". venv/bin/activate; git status",
            "cd sub && source .venv/bin/activate && pytest 2>&1 | sort",
        ],
    );
    all(RULES, AskUser, &["source .venv/bin/activate && pytest", ". .venv/bin/activate"]);
    all(
        &rules,
        AskUser,
        &[
            "source x && pytest",
            "source /tmp/bin/activate && git status",
            "source ../x/bin/activate && git status",
            "source ~/x/bin/activate && git status",
            "source \"$x/bin/activate\" && git status",
            "source .venv/bin/activate x && git status",
            "source .venv/bin/activate && cd .. && git status",
            "cd .. && source .venv/bin/activate && git status",
        ],
    );
}

#[test]
fn what_a_program_reads_from_a_pipe_is_no_file() {
    all(
        RULES,
        Allow,
        &[
            "diff <(sort a) <(sort b)",
            "diff -u <(git log) <(git log -3) | sort",
            "sort <(sort a) b",
            "sort -- <(sort a)",
        ],
    );
    all(
        RULES,
        AskUser,
        &[
            "diff <(id) <(sort b)",
            "diff <(sort -o x a) b",
            "diff <(sort a)/../x b",
            "diff <(sort a) $x",
            "diff <(sort ~/.claude/dm-plz/gateway.token) b",
            "diff <(sort a) ~/.claude/dm-plz/gateway.token",
            "sort -o <(sort a) b",
            "pytest <(echo x)",
            "pytest -- <(echo x)",
            "make -f <(echo x) test",
            "make <(echo x)",
            "git log <(echo x)",
            "npm test <(echo x)",
            "cd <(echo x); sort gateway.token",
            "x=<(echo a); sort \"$x/../gateway.token\"",
            "for x in <(echo a); do sort \"$x/gateway.token\"; done",
            "echo x > >(id)",
        ],
    );
}

#[test]
fn options_of_a_wrapper_that_change_nothing_do_not_have_to_be_named() {
    let rules = RULES.replace(
        "'cd',",
        "'cd', 'npx eslint', 'npm exec eslint', 'pnpm exec eslint', 'uv run pytest', 'poetry run pytest', 'eslint',",
    );
    all(
        &rules,
        Allow,
        &[
            "npx eslint src",
            "npx --no-install eslint src",
            "npx -- eslint src",
            "npx -y -- eslint src",
            "cd sub && npx --no-install eslint src",
            "npm exec -y -- eslint src",
            "npm --silent exec --yes eslint src",
            "pnpm exec -- eslint src",
            "pnpm -s exec eslint src",
            "uv run -q pytest tests",
            "uv --quiet run --frozen -- pytest",
            "CI=1 timeout 60 uv run --no-sync pytest -q 2>&1 | sort",
            "poetry --no-interaction run pytest",
        ],
    );
    all(
        &rules,
        AskUser,
        &[
            "npx --no-install eslint --fix src",
            "npx --no-install prettier src",
            "npx -y eslint src",
            "npx -p evil eslint src",
            "npx -p evil -- eslint src",
            "npx -c 'eslint src'",
            "npx --no-install -- -c eslint",
            "npx --no-install $x",
            "npx --no-install eslint $x",
            "npx --no-install eslint > x",
            "cd /tmp && npx --no-install eslint src",
            "npm exec -y -p evil -- eslint src",
            "npm exec -c eslint",
            "npm exec -w x -- eslint",
            "pnpm -r exec eslint",
            "pnpm exec -- rm x",
            "uv run -q ruff",
            "uv run --with evil pytest",
            "uv run --python /tmp/x pytest",
            "uv run --directory /tmp pytest",
            "uv run -q pytest /tmp/ev",
            "uv run -m pytest",
            "uv run -q python x.py",
            "uv --directory x run pytest",
            "uv -q publish",
            "PATH=. uv run -q pytest",
            "poetry -C x run pytest",
            "poetry -q publish",
            "./npx --no-install eslint",
            "sudo npx --no-install eslint src",
        ],
    );
    // What is started needs a rule as ever.
    all(&rules.replace("'eslint',", ""), AskUser, &["npx eslint src", "npx --no-install eslint src"]);
    let denies = format!(
        "{rules}[[rule]]\ntoolName = 'Bash'\ncommandPrefix = ['eslint', 'uv run -q']\ndecision = 'deny'\npriority = 200\n"
    );
    all(&denies, Decision::Deny, &["npx --no-install eslint src", "npx -y -- eslint", "uv run -q pytest"]);
    let named = RULES.replace("'cd',", "'cd', 'npm exec -- eslint', 'eslint',");
    all(&named, Allow, &["npm exec -- eslint src", "npm exec -y -- eslint src"]);
    all(&named, AskUser, &["npm exec eslint src", "npm exec -y eslint src"]);
}

#[test]
fn a_file_that_is_redirected_to_a_reader_is_as_its_operand() {
    let rules =
        RULES.replace("'cd',", "'cd', 'wc', 'grep', 'jq', 'head', 'cat', 'xargs', 'tee', 'sh', 'uniq', 'tar xf',");
    all(
        &rules,
        Allow,
        &[
            "wc -l < x", "wc -l <x 2>&1 | sort", "sort -u < /work/x", "cd sub && grep -c a < ../x",
            "timeout 5 head -3 < 'a b'", "jq .a < x.json > /dev/null", "n=$(wc -l < x); npm test", "LC_ALL=C sort < x",
        ],
    );
    // Each is asked as with the file as an operand, or as without one.
    all(
        &rules,
        AskUser,
        &[
            "cat < ~/.claude/dm-plz/gateway.token",
            "sort < \"$HOME/.claude/dm-plz/gateway.token\"",
            "jq < ~/.claude/dm-plz/config.toml",
            "cd ~/.claude/dm-plz && grep a < gateway.token",
            "cat < /proc/self/environ",
            "sort < $x",
            "sort < *",
            "sort < x > y",
            "sort -o y < x",
            "sort --compress-program=x < y",
            "uniq a < x",
            "sort --files0-from=- < x",
            "wc --files0-from=- < x",
            "jq -f - < x",
            "cat < /dev/tcp/evil.example/80",
            "npm test < x",
            "make test < x",
            "sh < x",
            "xargs < x",
            "tee y < x",
            "diff x < y",
            "PATH=. sort < x",
            "./sort < x",
            "wc -l <> x",
            "tar xf a.tar -C v && sort < v/x",
        ],
    );
    let guards = |decision: &str| {
        format!("{rules}[[rule]]\ntoolName = '*'\npaths = '.env'\ndecision = '{decision}'\npriority = 900\n")
    };
    all(&guards("deny"), Decision::Deny, &["sort < .env", "cat <sub/.env"]);
    all(&guards("ask_user"), AskUser, &["sort < .env", "cat <sub/.env"]);
    all(&guards("deny"), Allow, &["sort < x"]);
    let whole = "[[rule]]\ntoolName = 'Bash'\ncommandRegex = 'wc -l$'\ndecision = 'allow'\npriority = 100\n";
    all(whole, Allow, &["wc -l"]);
    all(whole, AskUser, &["wc -l < x", "wc -l x"]);
}

#[test]
fn a_module_of_python_is_stopped_by_its_name_and_allowed_by_that_of_python() {
    let rule = |decision: &str, prefix: &str| {
        format!("[[rule]]\ntoolName = 'Bash'\ndecision = '{decision}'\npriority = 100\ncommandPrefix = '{prefix}'\n")
    };
    let allows = rule("allow", "python3 -m pytest");
    all(&allows, Allow, &["python3 -m pytest", "python3 -m pytest -q -k name tests", "python3 -m pytest /work/tests"]);
    all(&allows, AskUser, &["python3 -m pytest /tmp/ev", "python3 -m pip install x", "python3 -m $x", "pytest"]);
    let denies = format!("{allows}{}{}", rule("allow", "python3 -m pip"), rule("deny", "pip install"));
    all(&denies, Decision::Deny, &["python3 -m pip install x", "python3 -m pip --no-input install x"]);
    all(&denies, Allow, &["python3 -m pip list", "python3 -m pytest"]);
}
