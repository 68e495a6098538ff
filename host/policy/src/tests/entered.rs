//! Tests of rules about files in the folders that a line enters.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::{Allow, AskUser, Decision, Deny, bash, decide, each_is, object, sound};
use crate::{Call, Entries, Policy};

/// A policy that allows some programs and denies, or asks about, some files.
fn guarded() -> Policy {
    sound(
        r#"
        [[rule]]
        toolName = "Bash"
        commandPrefix = ["cat", "cd", "echo", "rg", "ls", "cp", "find", "mv", "ln", "git grep"]
        allowRedirection = true
        decision = "allow"
        priority = 1
        [[rule]]
        toolName = ["Read", "Write"]
        paths = ["secrets/**", "config/prod.json", "**/.env", "~/keys/**"]
        decision = "deny"
        priority = 1
    "#,
    )
}

#[track_caller]
fn all(expected: Decision, lines: &[&str]) {
    let policy = guarded();
    each_is(expected, lines, |line| bash(&policy, line));
}

#[test]
fn a_file_is_denied_in_the_folder_that_the_line_enters() {
    all(
        AskUser,
        &[
            "cat secrets/x",
            "cd secrets && cat x",
            "cd secrets; cat x",
            "cd ./secrets/ && cat x",
            "cd src && cd ../secrets && cat x",
            "cd /work/secrets && cat x",
            "cd secrets/deep && cat x",
            "cd src && cat ../secrets/x",
            "cd config && cat prod.json",
            "cd config && cat p*.json prod.jso?",
            "cd config && cat --from=prod.json",
            "(cd config && cat prod.json)",
            "cd config && timeout 5 cat prod.json",
            "cd ~/keys && cat x",
            "cd keys; cd ~ && cat keys/x",
            "cd secrets && cat ./*",
            "cd secrets && cat $PWD/x",
            "cd secrets && rg x",
            "cd src && rg x ../secrets",
            "cd config; echo x > prod.json",
            "cp -r secrets y",
            "rg x secrets",
        ],
    );
    all(Deny, &["cd config && echo x > prod.json", "cd secrets && cat < x", "echo x > secrets/y"]);
    all(
        Allow,
        &[
            "cd src && cat x", "cd src && cat prod.json", "cd src && echo x > y", "cd src && cat ../README.md",
            "cd src; cat main.rs", "cd /tmp && cat x", "cat prod.json", "ls src && rg x src", "cat ~/notes",
        ],
    );
}

#[test]
fn a_file_gets_no_other_name_with_its_folder() {
    all(
        AskUser,
        &[
            "mv config c && cat c/prod.json",
            "cp -r config c && cat c/prod.json",
            "cp -r . /tmp/c && cat /tmp/c/config/prod.json",
            "ln -s config c && cat c/prod.json",
            "ln -s . c && cat c/config/prod.json",
            "cd src && mv ../config c",
            "cp -r -t c config",
            "ln -s ~ c && cat c/keys/x",
            "mv conf* c",
            "cp -r c*g c && cat c/prod.json",
            "rg x config",
            "git grep x config",
            "git grep -n x HEAD -- ./config",
            "git grep -e x secrets",
            "rg x ./config/",
            "cat conf*/prod.json",
            "cat config/*",
            "cd config && cat *",
            "cat */*",
            "cat sec*/x",
            "find config -exec cat {} +",
        ],
    );
    all(
        Allow,
        &[
            "mv src c && cat c/x", "cp -r src/. c", "ln -s src c && cat c/x", "mv a.rs b.rs", "cp config/dev.json c",
            "cp -r config/dev c", "git grep secrets", "git grep config src",
        ],
    );
}

#[test]
fn a_file_in_a_folder_that_the_shell_remembers_may_be_denied() {
    all(
        AskUser,
        &[
            "cat ~+/.env",
            "cat ~-/sub/.env",
            "cat ~you/.env",
            "cat ~+/.en*",
            "x=~+/.env; cat $x",
            "cat ~+/secrets/x",
            "cat ~+/secrets",
            "cat ~+/config/prod.json",
            "cd config && cat ~+/prod.json",
            "cd config; cd ..; cat ~-/prod.json",
            "x=$PWD/config; cat ~x/prod.json",
            "x=~+/config/prod.json; cat \"$x\"",
            "x=~-/prod.json; cat $x",
            "cat < ~-/prod.json",
            "echo x > ~1/prod.json",
        ],
    );
    all(Allow, &["cat ~/notes", "cat a~b", "cat 'a~+'", "echo x > a~"]);
}

#[test]
fn a_copy_has_the_name_of_its_original() {
    all(
        AskUser,
        &[
            "cp prod.json config",
            "cp a/prod.json config/",
            "cp -t config a prod.json",
            "cp *.json config",
            "cp \"$x\" config",
            "cd src && cp prod.json ../config",
            "mv prod.json config",
            "ln -s ../x/prod.json config",
            "cp x secrets",
            "cp -r a/secrets .",
            "cp -r a/config .",
        ],
    );
    all(Allow, &["cp dev.json config", "cp -t config a b", "cp prod.json src", "cp x src", "cp -r a/config2 ."]);
}

#[test]
fn a_file_of_a_folder_that_is_not_known_may_be_denied() {
    all(
        AskUser,
        &[
            "cd $x && cat y",
            "cd \"$(x)\" && cat y",
            "cd - && cat y",
            "cd src/$x && cat y",
            "cd $x && cat *.md",
            "cd $x && cat < y",
            "cd $x && echo y > z",
            "cd $x && rg y",
            "cd $x; cat y",
            "find . -execdir cat {} \\;",
            "for d in a b; do cd $d; cat x; done",
        ],
    );
    all(Allow, &["cd $x && echo done", "cd $x && cat /work/y", "cd $x && cat ~/y", "cat \"$x/y\""]);
    let by_name = sound(
        r#"
        [[rule]]
        toolName = "Bash"
        commandPrefix = ["cat", "cd"]
        decision = "allow"
        priority = 1
        [[rule]]
        toolName = "Read"
        paths = ["**/.env", "*.pem"]
        decision = "deny"
        priority = 1
    "#,
    );
    each_is(AskUser, &["cd $x && cat .env", "cd $x && cat a.pem"], |line| bash(&by_name, line));
    each_is(Allow, &["cd $x && cat y"], |line| bash(&by_name, line));
}

#[test]
fn a_name_that_begins_with_a_variable_is_no_file_below_it() {
    let policy = sound(
        r#"
        [[rule]]
        toolName = "Bash"
        commandPrefix = ["cat", "cd"]
        decision = "allow"
        priority = 1
        [[rule]]
        toolName = "Read"
        paths = ["//workshop/**", "//home/meals/**", "//home/me/als/y"]
        decision = "deny"
        priority = 1
    "#,
    );
    let asked = [
        "cat \"${PWD}shop/x\"", "cat \"$PWD\"shop/x", "cat \"${PWD}\"sho*/x", "cat ${HOME}als/x", "cat $HOME/als/y",
        "cd \"${PWD}shop\" && cat x", "cd ${HOME}als; cat x", "cat ${HOME}*/x",
    ];
    each_is(AskUser, &asked, |line| bash(&policy, line));
    let allowed = ["cat \"$PWD/shop/x\"", "cat \"${PWD}shed/x\"", "cat ${HOME}als", "cat ${HOME}/meals/x"];
    each_is(Allow, &allowed, |line| bash(&policy, line));
}

fn real_path(path: &Path) -> Option<PathBuf> {
    path.strip_prefix("/work/link").ok().map(|rest| Path::new("/work/secrets").join(rest))
}

fn entries_in(path: &Path) -> Option<Entries> {
    let folders = if path == Path::new("/work") { vec!["secrets".into(), "src".into()] } else { Vec::new() };
    Some(Entries { links: Vec::new(), folders })
}

#[test]
fn a_folder_is_entered_through_links_and_globs_and_by_the_shell_s_own_folder() {
    let policy = guarded();
    let judged = |line: &str, folder: Option<&str>| {
        let mut input = json!({ "command": line });
        if let Some(folder) = folder {
            input["dir_path"] = json!(folder);
        }
        let tool = if folder.is_some() { "run_shell_command" } else { "Bash" };
        decide(&policy, tool, input, |call| Call { real_path: &real_path, entries_in: &entries_in, ..call })
    };
    each_is(AskUser, &["cd link && cat x", "cd se* && cat x", "cd */ && cat x"], |line| judged(line, None));
    each_is(AskUser, &["cat x", "cd ../config && cat prod.json"], |line| judged(line, Some("secrets")));
    each_is(Allow, &["cat x"], |line| judged(line, Some("src")));
}

#[test]
fn a_folder_is_looked_for_in_the_folders_of_cdpath_as_the_shell_does() {
    let policy = guarded();
    let listed = |path: &Path| {
        let all = [("/work", "src"), ("/home/me", "keys")];
        let inside = all.iter().filter(|(folder, _)| Path::new(folder) == path).map(|(_, name)| name.into());
        (path != Path::new("/unread")).then(|| Entries { links: Vec::new(), folders: inside.collect() })
    };
    let judged = |line: &str, cd_path: &str| {
        let input = object(json!({ "command": line }));
        let call = Call {
            cwd: Some(Path::new("/work")),
            home: Some(Path::new("/home/me")),
            entries_in: &listed,
            cd_path: Some(cd_path),
            ..Call::new("Bash", &input, jiff::Timestamp::UNIX_EPOCH)
        };
        policy.check(&call).decision
    };
    for cd_path in ["~", ".:/home/me", "/srv:/home/me/", "/unread:~other"] {
        let asked = ["cd keys && cat x", "cd keys/deep && cat x", "cd k* && cat x", "cd src && cd KEYS && cat x"];
        each_is(AskUser, &asked, |line| judged(line, cd_path));
    }
    for cd_path in ["", ".", "/srv", ":/srv:"] {
        each_is(Allow, &["cd keys && cat x", "cd src && cat x"], |line| judged(line, cd_path));
    }
    let allowed = ["cd ./keys && cat x", "cd src && cat x", "cd /work/keys && cat x", "cd src && cd ../keys && cat x"];
    each_is(Allow, &allowed, |line| judged(line, "~"));
}

#[test]
fn a_file_is_not_reached_by_a_program_that_follows_the_links_in_a_folder() {
    let policy = sound(
        r#"
        [[rule]]
        toolName = "Bash"
        commandPrefix = ["cp", "diff", "mv", "tar", "unzip", "zcat", "zip"]
        decision = "allow"
        priority = 1
        [[rule]]
        toolName = ["Read", "Write"]
        paths = ["secrets/**", "**/.env"]
        decision = "deny"
        priority = 1
    "#,
    );
    let links_below = |path: &Path| {
        let link = |path: &str, leads: &str| Some(vec![(PathBuf::from(path), PathBuf::from(leads))]);
        match path.to_str()? {
            "/work/a" => link("d", "../secrets"),
            "/work/b" => link("x", "../conf/.env"),
            "/work/b/x" => link("", "../conf/.env"),
            "/work/c" => link("y", "../src"),
            "/work/many" => None,
            _ => Some(Vec::new()),
        }
    };
    let decided = |line: &str| {
        let input = object(json!({ "command": line }));
        let call = Call {
            cwd: Some(Path::new("/work")),
            home: Some(Path::new("/home/me")),
            links_below: &links_below,
            ..Call::new("Bash", &input, jiff::Timestamp::UNIX_EPOCH)
        };
        policy.check(&call).decision
    };
    let asked = [
        "diff -r a c", "zcat -r a", "zcat -r b", "zip -r x.zip a", "cp src/x b", "cp -r src/. a", "tar -xf x.tar -C a",
        "unzip x.zip -d b", "unzip x.zip -d many", "cd src && zcat -r ../a",
    ];
    each_is(AskUser, &asked, decided);
    let allowed = [
        "diff -r c d", "zcat -r c", "zip -r x.zip c", "cp src/y b", "cp -r src/. c", "mv src/x b", "tar -xf x.tar -C c",
    ];
    each_is(Allow, &allowed, decided);
}
