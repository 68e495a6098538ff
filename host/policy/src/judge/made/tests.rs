//! Tests of repositories that a line makes before git looks for one.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use serde_json::json;

use crate::places::Places;
use crate::programs::repository::Repository;
use crate::tests::{Allow, AskUser, decide, each_is, roots, sound};
use crate::{Call, Decision, Policy};

static PLACES: LazyLock<Places> = LazyLock::new(|| Places::of(roots()));

static POLICY: LazyLock<Policy> = LazyLock::new(|| {
    sound(
        r#"
        [[rule]]
        toolName = "Bash"
        commandPrefix = ["git status", "git log", "git diff", "git add", "git commit", "git init", "git clone", "git checkout", "git pull",
            "git stash", "git config", "mkdir", "cp", "mv", "ln", "rm", "rm -rf", "tar", "unzip", "echo", "printf", "touch", "tee", "install", "rsync", "cat", "cd",
            "chmod", "mytool", "ls"]
        allowRedirection = true
        decision = "allow"
        priority = 1
    "#,
    )
});

#[track_caller]
fn all(expected: Decision, lines: &[&str]) {
    each_is(expected, lines, |line| {
        decide(&POLICY, "Bash", json!({ "command": line }), |call| Call {
            places: &PLACES,
            repository: &|path| match path.strip_prefix("/work") {
                Ok(below) if below == Path::new("bare") => Repository::Starts("/work/bare".to_owned()),
                Ok(below) if below.starts_with("hooked") => {
                    Repository::Hooks(vec![PathBuf::from("/work/hooked/tools/hooks")])
                }
                _ => Repository::Plain,
            },
            ..call
        })
    });
}

#[test]
fn a_repository_that_the_line_makes_is_not_known() {
    all(
        AskUser,
        &[
            "mkdir -p ev/objects ev/refs && echo 'ref: refs/heads/x' > ev/HEAD && echo x > ev/config && git -C ev status",
            "mkdir -p ev/{objects,refs}; cd ev; git status",
            "mkdir -p ev/objects && cd ev/deep && git status",
            "cd ev && mkdir objects refs && git status",
            "echo 'ref: refs/heads/x' > ev/HEAD && git -C ev log",
            "touch ev/head && git -C ev log",
            "printf x | tee ev/commondir && git -C ev log",
            "git -C ev status; mkdir ev/objects",
            "while true; do git -C ev status; mkdir ev/objects; done",
            "cp evil/HEAD ev && git -C ev status",
            "cp evil/HEAD ev/ && git -C ev status",
            "cp evil/* ev/ && git -C ev status",
            "cp -r evil ev && git -C ev status",
            "cp -r evil/. ev && cd ev && git status",
            "cp -r a/ev . && cd ev && git status",
            "mv evil ev && git -C ev status",
            "cp -rT evil ev && git -C ev status",
            "mv -T evil ev && cd ev && git status",
            "ln -s --no-target-directory ../evil ev && git -C ev status",
            "mv evil/HEAD evil/objects evil/refs ev/ && git -C ev status",
            "ln -s ../evil ev && git -C ev status",
            "rsync -a evil/ ev/ && git -C ev status",
            "install -d ev/objects && git -C ev status",
            "tar xf a.tar -C ev && git -C ev status",
            "unzip a.zip -d ev && cd ev/b && git log",
            "git init ev && git -C ev status",
            "git init && git status",
            "git -C ev init -q && git -C ev status",
            "git clone https://example.com/r && cd r && git log",
            "git clone https://example.com/r ev && git -C ev log",
            "rm -rf sub/.git && git -C sub status",
            "mytool ev/objects && git -C ev status",
            "echo x > .githooks/post-index-change && chmod +x .githooks/post-index-change && git status",
            "cp evil/post-index-change .githooks/ && git status",
            "mv evil/post-* .githooks/ && git status",
            "echo x > bare/config && git status",
            "git checkout evil && git -C ev status",
            "git pull && cd ev && git log",
            "git stash pop && git -C ev status",
            "(cd ev && mkdir objects) && timeout 5 git -C ev status",
        ],
    );
}

#[test]
fn a_folder_that_becomes_that_of_the_hooks_may_hold_one() {
    let there = |lines: &[&str]| lines.iter().map(|line| format!("cd hooked && {line}")).collect::<Vec<_>>();
    for (expected, lines) in [
        (
            AskUser,
            there(&[
                "mv evil tools/hooks && git status",
                "mv evil tools && git status",
                "git status; cp -r evil/. tools/hooks",
                "cp -rT evil tools/hooks && cd sub && git log",
                "ln -sfn evil tools/hooks && git status",
                "mv evil/hooks tools && git status",
                "tar xf a.tar -C tools && git status",
                "git clone https://example.com/r tools/hooks && git status",
                "cd sub && mv x ../tools/hooks && git status",
                "mv evil $x && git status",
            ]),
        ),
        (
            Allow,
            there(&[
                "git status",
                "mv evil tools/other && git status",
                "mkdir -p tools/hooks && git status",
                "mv a.rs tools/ && git status",
                "cp a b tools/hooks/ && git status",
                "git pull && git status",
            ]),
        ),
    ] {
        all(expected, &lines.iter().map(String::as_str).collect::<Vec<_>>());
    }
    all(AskUser, &["mv evil hooked/tools/hooks && git -C hooked status"]);
    all(Allow, &["mv evil tools/hooks && git status"]);
}

#[test]
fn what_is_below_the_folder_of_git_makes_no_repository_of_it() {
    all(
        Allow,
        &[
            "git status",
            "git add -A && git commit -m x && git log",
            "mkdir -p sub/dir && git status",
            "mkdir -p sub && cd sub && git status",
            "echo x > config && git add config",
            "echo x > sub/config && git -C sub status",
            "cp a b && git add b",
            "cp -r tests more && git add -A",
            "mv a.rs b.rs && git status",
            "mv a b c sub/ && cd sub && git status",
            "mv a.rs sub/ && git -C sub status",
            "rm -rf build && git status",
            "rm build/*.o && git status",
            "cp a/*.rs b/ && git add b",
            "git checkout main && git status",
            "git pull && git log",
            "git config --get user.name && git commit -m x",
            "git clone https://example.com/r && git status",
            "git init ev && git status",
            "tar xf a.tar -C v && git status",
            "echo x > ev/HEAD && git status",
            "mkdir -p ev/objects && ls ev",
            "mytool objects && git status",
        ],
    );
}
