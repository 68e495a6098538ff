use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};

use super::*;

const DENY: &str = "[[rule]]\ntoolName = \"Bash\"\ndecision = \"deny\"\npriority = 1\n";

/// A machine without any policy.
struct Machine {
    _temp: tempfile::TempDir,
    root: PathBuf,
}

impl Machine {
    fn new() -> Self {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path().canonicalize().unwrap();
        let machine = Self { _temp: temp, root };
        for folder in ["etc/policy.d", "home/state/policy.d", "home/project/below"] {
            fs::create_dir_all(machine.path(folder)).unwrap();
        }
        fs::set_permissions(machine.path("home/state"), Permissions::from_mode(0o700)).unwrap();
        machine
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o644)).unwrap();
        path
    }

    fn chmod(&self, name: &str, mode: u32) {
        fs::set_permissions(self.path(name), Permissions::from_mode(mode)).unwrap();
    }

    fn tiers(&self) -> Tiers {
        Tiers {
            admin: self.path("etc/policy.d"),
            guard: Guard::below(&self.path("etc")),
            state: Some(self.path("home/state")),
            home: Some(self.path("home")),
            folders: vec![self.path("home/project/below")],
        }
    }

    /// Formats every file that was found: its tier, its name, whether it is trusted, the number of rules, and its
    /// problems.
    fn found(&self) -> Vec<String> {
        let shown = |file: &File| {
            let origin = &file.origin;
            let problems: Vec<_> = file.problems.iter().map(ToString::to_string).collect();
            let line = format!(
                "{:?} {} {} {} {}",
                origin.tier,
                origin.path.display(),
                if origin.trusted { "trusted" } else { "-" },
                file.rules.len(),
                problems.join("; "),
            );
            line.replace(&format!("{}/", self.root.display()), "").trim_end().to_owned()
        };
        self.tiers().load().files.iter().map(shown).collect()
    }
}

#[test]
fn without_files_there_is_nothing() {
    let machine = Machine::new();
    assert_eq!(machine.found(), Vec::<String>::new());
    let nowhere =
        Tiers { admin: "/nowhere/at/all".into(), state: None, home: None, folders: vec![], ..machine.tiers() };
    assert!(nowhere.load().files.is_empty());
}

#[test]
fn files_of_every_tier_are_read_in_the_order_of_their_names() {
    let machine = Machine::new();
    for name in [
        "etc/policy.d/20.toml",
        "etc/policy.d/10.toml",
        "etc/policy.d/.10.toml",
        "etc/policy.d/10.toml~",
        "home/state/policy.toml",
        "home/state/policy.d/b.toml",
        "home/state/policy.d/a.toml",
        "home/project/below/.dmplz/policy.toml",
        "home/project/.dmplz/policy.toml",
        "home/.dmplz/policy.toml",
        ".dmplz/policy.toml",
    ] {
        machine.write(name, DENY);
    }
    assert_eq!(
        machine.found(),
        [
            "Admin etc/policy.d/10.toml trusted 1",
            "Admin etc/policy.d/20.toml trusted 1",
            "User home/state/policy.toml trusted 1",
            "User home/state/policy.d/a.toml trusted 1",
            "User home/state/policy.d/b.toml trusted 1",
            "Workspace home/project/below/.dmplz/policy.toml - 1",
            "Workspace home/project/.dmplz/policy.toml - 1",
            // No folder above the home directory is a workspace of the user.
            "Workspace home/.dmplz/policy.toml - 1",
        ]
    );
}

#[test]
fn what_others_may_write_keeps_its_rules_and_loses_its_trust() {
    let machine = Machine::new();
    machine.write("etc/policy.d/10.toml", DENY);
    machine.write("home/state/policy.toml", DENY);
    let suspects = |what: &str, mode: u32| {
        let usual = fs::metadata(machine.path(what)).unwrap().permissions();
        machine.chmod(what, mode);
        let found = machine.found();
        fs::set_permissions(machine.path(what), usual).unwrap();
        found.into_iter().filter(|line| !line.contains(" trusted ")).collect::<Vec<_>>().join("\n")
    };
    insta::assert_snapshot!(suspects("etc/policy.d/10.toml", 0o664), @"Admin etc/policy.d/10.toml - 1 etc/policy.d/10.toml: others may write to it (mode 664; `chmod go-w etc/policy.d/10.toml`), so what it allows does not count");
    insta::assert_snapshot!(suspects("etc/policy.d", 0o777), @"Admin etc/policy.d/10.toml - 1 etc/policy.d/10.toml: others may write to etc/policy.d (mode 777; `chmod go-w etc/policy.d`), so what it allows does not count");
    insta::assert_snapshot!(suspects("etc", 0o757), @"Admin etc/policy.d/10.toml - 1 etc/policy.d/10.toml: others may write to etc (mode 757; `chmod go-w etc`), so what it allows does not count");
    insta::assert_snapshot!(suspects("home/state/policy.toml", 0o666), @"User home/state/policy.toml - 1 home/state/policy.toml: others may write to it (mode 666; `chmod go-w home/state/policy.toml`), so what it allows does not count");
    insta::assert_snapshot!(suspects("home/state", 0o770), @"User home/state/policy.toml - 1 home/state/policy.toml: others may write to home/state (mode 770; `chmod go-w home/state`), so what it allows does not count");
    assert_eq!(suspects("etc/policy.d/10.toml", 0o644), "");
}

#[test]
fn the_real_guard_asks_for_root_on_the_whole_path() {
    let machine = Machine::new();
    // Temporary folders are in a folder that every user may write to.
    assert!(Guard::root().suspects_path(&machine.root).is_some());
    assert_eq!(Guard::root().suspects_path(Path::new("/")), None);
}

#[test]
fn what_cannot_be_read_is_a_problem_of_its_tier() {
    let machine = Machine::new();
    machine.write("home/elsewhere.toml", DENY);
    machine.write("home/state/policy.d/1-large.toml", vec![b'#'; (1 << 20) + 1]);
    machine.write("home/state/policy.d/2-latin.toml", b"# caf\xe9\n");
    symlink("../../elsewhere.toml", machine.path("home/state/policy.d/3-out.toml")).unwrap();
    symlink("nowhere", machine.path("home/state/policy.d/4-dangling.toml")).unwrap();
    fs::create_dir(machine.path("home/state/policy.d/5-folder.toml")).unwrap();
    symlink("1-large.toml", machine.path("home/state/policy.d/6-link.toml")).unwrap();
    machine.write("home/state/policy.d/7-good.toml", DENY);
    symlink("7-good.toml", machine.path("home/state/policy.d/8-inside.toml")).unwrap();
    machine.write("home/outside/policy.toml", DENY);
    symlink("../outside", machine.path("home/project/.dmplz")).unwrap();
    insta::assert_snapshot!(machine.found().join("\n"), @"
    User home/state/policy.d/1-large.toml - 0 home/state/policy.d/1-large.toml: it is larger than 1 MiB
    User home/state/policy.d/2-latin.toml trusted 0 home/state/policy.d/2-latin.toml: it is not UTF-8
    User home/state/policy.d/3-out.toml - 0 home/state/policy.d/3-out.toml: it is a symbolic link to another place (home/elsewhere.toml)
    User home/state/policy.d/4-dangling.toml - 0 home/state/policy.d/4-dangling.toml: it cannot be read: No such file or directory (os error 2)
    User home/state/policy.d/5-folder.toml - 0 home/state/policy.d/5-folder.toml: it is not a plain file
    User home/state/policy.d/6-link.toml - 0 home/state/policy.d/6-link.toml: it is larger than 1 MiB
    User home/state/policy.d/7-good.toml trusted 1
    User home/state/policy.d/8-inside.toml trusted 1
    Workspace home/project/.dmplz/policy.toml - 0 home/project/.dmplz/policy.toml: it is a symbolic link to another place (home/outside/policy.toml)
    ");
}

#[test]
fn a_deny_may_be_missing_from_a_file_that_is_not_utf_8() {
    let machine = Machine::new();
    let latin = DENY.replacen("decision", "commandPrefix = \"d_ploy\"\ndecision", 1).into_bytes();
    let latin: Vec<u8> = latin.into_iter().map(|byte| if byte == b'_' { 0xe9 } else { byte }).collect();
    machine.write("home/state/policy.d/1-latin.toml", latin);
    machine.write("home/state/policy.d/2-good.toml", DENY);
    let lost: Vec<_> = machine.tiers().load().files.iter().map(|file| file.lost().is_some()).collect();
    assert_eq!(lost, [true, false]);
}

#[test]
fn no_deny_is_missing_where_only_a_comment_is_not_utf_8() {
    let machine = Machine::new();
    machine.write("home/state/policy.d/1-latin.toml", [b"# caf\xe9\n".as_slice(), DENY.as_bytes()].concat());
    machine.write("home/state/policy.d/2-latin.toml", [DENY.as_bytes(), b"name = 'caf\xe9'\n".as_slice()].concat());
    let files = machine.tiers().load().files;
    let shown: Vec<_> =
        files.iter().map(|file| (file.problems.len(), file.lost().is_some(), file.rules.len())).collect();
    assert_eq!(shown, [(1, false, 1), (1, true, 1)]);
}

#[test]
fn a_workspace_is_trusted_as_long_as_nobody_changes_it() {
    let machine = Machine::new();
    let path = machine.write("home/project/.dmplz/policy.toml", DENY);
    let trust = Trust::of(&StateDir::open(machine.path("home/state")).unwrap());
    assert_eq!(machine.found(), ["Workspace home/project/.dmplz/policy.toml - 1"]);
    trust.add(&path, DENY.as_bytes()).unwrap();
    assert_eq!(machine.found(), ["Workspace home/project/.dmplz/policy.toml trusted 1"]);
    machine.write("home/project/.dmplz/policy.toml", "");
    insta::assert_snapshot!(machine.found().join("\n"), @"Workspace home/project/.dmplz/policy.toml - 0 home/project/.dmplz/policy.toml: it has changed since it was trusted; look at it, and run `dmplz policy trust` if it is as you want it");
    machine.write("home/project/.dmplz/policy.toml", DENY);
    machine.write("home/state/trusted.json", "{");
    insta::assert_snapshot!(machine.found().join("\n"), @"Workspace home/project/.dmplz/policy.toml - 1 home/project/.dmplz/policy.toml: whether it is trusted is not known: home/state/trusted.json cannot be read: it is no list of trusted files; remove it, and trust them again");
    let workspaces = machine.tiers().load().workspaces;
    assert_eq!(workspaces, [(path, Standing::Unknown)]);
}
