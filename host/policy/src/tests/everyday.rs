//! Tests of everyday lines that a person who wrote a rule would want it to allow, each with its nearest neighbours that
//! the rule does not mean. The agent works in `/work`, where `link` leads elsewhere.

mod variations;

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
            "pytest link",
            "pytest ./link/tests/test_a.py::test_b",
            "cd sub && pytest ../link/tests",
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
