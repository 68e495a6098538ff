//! Tests of variations of a line that do the same as the line, so that they fit the same rules: a folder as an option, options
//! of wrappers, an input for an operand, variables that change nothing.

use super::{Allow, AskUser, Decision, RULES, all};

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
fn a_folder_behind_a_link_that_the_line_makes_is_elsewhere() {
    let rules = RULES.replace("'cd',", "'cd', 'ln', 'mv', 'cp', 'npm run lint',");
    all(
        &rules,
        AskUser,
        &[
            "ln -s /tmp/ev sub && make -C sub test",
            "ln -sfn /tmp/ev sub; make test -C sub",
            "ln -s ../ev sub && npm --prefix sub/web test",
            "ln -s /tmp/ev sub && cd sub && npm test",
            "ln -s /tmp/ev a/sub && cd a && make -C sub test",
            "ln -s /tmp/ev a/sub && make -C a -C sub test",
            "ln -s /tmp/ev a && cd a/sub && npm test",
            "ln -s /tmp/ev . && cd ev && npm test",
            "ln -s /tmp/ev && make -C ev test",
            "ln -s -t a /tmp/ev && make -C a/ev test",
            "ln -sT /tmp/ev sub && pytest sub",
            "ln -s /tmp/ev sub && pytest sub/test_a.py::test_b",
            "make -C sub test; ln -s /tmp/ev sub",
            "ln -s ~/ev sub && make -C sub test",
            "ln -s \"$HOME/ev\" sub && make -C sub test",
            "cd a && ln -s ../../ev sub && make -C sub test",
            "ln -sr ../ev a/sub && make -C a/sub test",
        ],
    );
    all(
        &rules,
        Allow,
        &[
            "ln -s src sub && make -C sub test",
            "ln -s ../src a/sub && cd a/sub && npm test",
            "ln -s ../other/node_modules node_modules && npm test",
            "ln -s /tmp/ev sub && make -C other test",
            "ln -s /tmp/ev sub && sort sub/x",
            "cp -r src sub && make -C sub test",
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
            "TZ=Europe/Berlin LANG=en_US.UTF-8 NODE_ENV=test npm test",
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
            "NODE_ENV=../../tmp/evil npm test",
            "NODE_ENV=/tmp/evil npm test",
            "NODE_ENV=~/evil npm test",
            "NODE_ENV=$(cat x) npm test",
            "x=/tmp/evil; NODE_ENV=$x npm test",
            "env NODE_ENV=/tmp/evil npm test",
            "export NODE_ENV=/tmp/evil; npm test",
            "NODE_ENV=/tmp/evil; npm test",
            "NODE_ENV=/tmp/evil sh -c 'npm test'",
            "for NODE_ENV in /tmp/evil; do npm test; done",
            "make test NODE_ENV=../../tmp/evil",
            "TZ=:/tmp/evil git log",
            "CI='$(shell id)' make test",
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
