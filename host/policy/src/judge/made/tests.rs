//! Tests of repositories that a line makes before git looks for one.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use serde_json::json;

use crate::places::Places;
use crate::programs::repository::Repository;
use crate::tests::{Allow, AskUser, decide, each_is, roots, sound};
use crate::{Call, Decision, Entries, Policy};

static PLACES: LazyLock<Places> = LazyLock::new(|| Places::of(roots()));

static POLICY: LazyLock<Policy> = LazyLock::new(|| {
    sound(
        r#"
        [[rule]]
        toolName = "Bash"
        commandPrefix = ["git status", "git log", "git diff", "git add", "git commit", "git init", "git clone", "git checkout", "git pull",
            "git stash", "git config", "git rev-parse", "export", "head", "find v -name", "xargs rm", "mkdir", "cp", "mv", "ln", "rm", "rm -rf", "tar", "unzip", "echo", "printf", "touch", "tee", "install", "rsync", "cat", "cd",
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
            entries_in: &|path| match path.file_name().and_then(|name| name.to_str()) {
                Some("half") => Some(Entries { folders: vec![".Git".into()], links: Vec::new() }),
                Some("linked") => Some(Entries { folders: Vec::new(), links: vec![".git".into()] }),
                Some("unseen") => Some(Entries { folders: vec![".g\u{200c}it".into()], links: Vec::new() }),
                Some("large") => None,
                _ => Some(Entries { folders: vec![".github".into(), "src".into()], links: Vec::new() }),
            },
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
    all(
        AskUser,
        &[
            "mv evil hooked/tools/hooks && git -C hooked status",
            "git clone URL hooked/tools/hooks && git -C hooked status",
        ],
    );
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

#[test]
fn git_itself_makes_a_repository_that_starts_nothing() {
    all(
        Allow,
        &[
            "git init && git status",
            "git init -q -b main && git add -A && git commit -m x && git log",
            "git init ev && git -C ev status",
            "git -C ev init -q && git -C ev status",
            "git init --initial-branch=main ev && cd ev/src && git status",
            "mkdir -p ev && cd ev && git init && echo x > README.md && git add README.md && git commit -m x",
            "git clone https://example.com/r && cd r && git log",
            "git clone https://example.com/r.git && git -C r log | head -5",
            "git clone --depth 1 -b main https://example.com/r ev && git -C ev log --oneline",
            "git clone -q --depth=1 git@example.com:a/r ev && cd ev && git status && git diff",
        ],
    );
}

#[test]
fn a_repository_that_git_completes_is_not_known() {
    all(
        AskUser,
        &[
            "git init half && git -C half status",
            "git init linked && git -C linked status",
            "git init unseen && git -C unseen status",
            "git init large && git -C large status",
            "git -C half init && git -C half status",
            "git init bare && git -C bare status",
            "git clone https://example.com/r half && git -C half log",
            "git clone https://example.com/r large && git -C large log",
        ],
    );
}

#[test]
fn a_repository_of_another_form_is_not_known() {
    all(
        AskUser,
        &[
            "git init --bare ev && git -C ev status",
            "git init --template=evil && git status",
            "git init --template evil && git status",
            "git init --templ=evil && git status",
            "git init --separate-git-dir=evil ev && git -C ev status",
            "git init --shared && git status",
            "git init -- ev && git -C ev status",
            "git init $x && git status",
            "git init a ev && git -C ev status",
            "git -c init.templateDir=evil init && git status",
            "GIT_TEMPLATE_DIR=evil git init && git status",
            "export GIT_TEMPLATE_DIR=evil && git init && git status",
            "export GIT_TEMPLATE_DIR=evil; git clone https://example.com/r v && git -C v log",
            "git clone --bare https://example.com/r v && git -C v log",
            "git clone --mirror https://example.com/r v && git -C v log",
            "git clone --recurse-submodules https://example.com/r v && git -C v log",
            "git clone --recursive https://example.com/r v && git -C v log",
            "git clone --rec https://example.com/r v && git -C v log",
            "git clone --template=evil https://example.com/r v && git -C v log",
            "git clone -c core.fsmonitor=./x https://example.com/r v && git -C v status",
            "git clone --config=core.fsmonitor=./x https://example.com/r v && git -C v status",
            "git clone --separate-git-dir=g https://example.com/r v && git -C v status",
            "git clone --reference=evil https://example.com/r v && git -C v log",
            "git clone -u ./x https://example.com/r v && git -C v log",
            "git clone 'ext::sh x' v && git -C v log",
            "git clone https://example.com/r $x && git log",
            "git clone $x && git log",
        ],
    );
}

#[test]
fn the_files_of_a_clone_may_be_a_repository() {
    all(
        AskUser,
        &[
            "git clone https://example.com/r v && git -C v/sub log",
            "git clone https://example.com/r v && cd v/sub && git log",
            "git clone https://example.com/r v && git -C v -C sub log",
            "git clone https://example.com/r v && git -C v log && git -C v/sub log",
            "git clone https://example.com/r && git -C r/sub log",
            "git clone https://example.com/r v && git -C v/sub/.. log",
            "git clone https://example.com/r v && git -C v -C sub/.. log",
            "git clone https://example.com/r v && git -C v/sub -C .. log",
            "git clone https://example.com/r v && cd -P v/sub/.. && git log",
            "git clone https://example.com/r v && cd v/sub/.. && git log",
            "git clone https://example.com/r v && cd v/sub && cd .. && git log",
            "git clone https://example.com/r v && cd v && git -C sub/.. log",
            "git clone https://example.com/r v && cd v/sub; git -C .. log",
            "git clone https://example.com/r v && cd v && git -C ../v log",
            "git clone https://example.com/r v && git -C V/sub log",
            "git clone https://example.com/r v && rm -rf v/.git && git -C v log",
            "git clone https://example.com/r v && rm v/.git/HEAD && git -C v log",
            "git clone https://example.com/r v && find v -name .git | xargs rm -rf && git -C v log",
            "git clone https://example.com/r v && cp x v/link/config && git -C v status",
            "git clone https://example.com/r v && echo x > v/link/config; git -C v status",
            "git clone https://example.com/r v && git -C v checkout x && git -C v log",
            "git clone https://example.com/a v && git clone https://example.com/b v/.git; git -C v log",
            "git clone https://example.com/a v && git clone https://example.com/b w; git -C v log",
            "git clone https://example.com/r v && git init v/sub && git -C v/sub log",
        ],
    );
}

#[test]
fn a_repository_that_git_makes_is_as_one_that_was_there() {
    all(
        AskUser,
        &[
            "git init && cp evil/config .git/ && git status",
            "git init ev && tar xf a.tar -C ev && git -C ev status",
            "git init ev && mv evil ev && git -C ev status",
            "git init ev && rm ev/.git/HEAD && git -C ev status",
            "git init && git config core.fsmonitor ./x && git status",
            "git init && mkdir -p sub/objects && git -C sub status",
            "mkdir -p ev/.git && git init ev && git -C ev status",
            "echo x > ev/.git/config; git init ev; git -C ev status",
            "ln -s half/.. sub; git init sub/half; git -C half status",
            "ln -s /work/a sub && git init sub/ev && git -C a/ev status",
            "ln -s /work/a sub && cd sub && git init ev && git -C /work/a/ev status",
            "mv a/link sub; git -C sub init; git -C half status",
            "cp -r a sub && git init sub/ev && git -C half status",
            "git init && echo x > .githooks/post-index-change && git status",
        ],
    );
}
