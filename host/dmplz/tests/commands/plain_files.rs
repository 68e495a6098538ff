//! Files that never end, that wait, or that are larger than anything a person writes: each is refused in words.

use crate::command::Home;

/// A text that is larger than any file that a person writes.
fn large() -> String {
    " ".repeat((1 << 20) + 1)
}

#[test]
fn a_settings_file_of_a_repository_that_is_no_plain_file_or_too_large_is_not_read() {
    let home = Home::new();
    let settings = home.put(".claude/settings.json", &large());
    let told = |why: &str| {
        let doctor = home.run(&["doctor"]);
        assert!(doctor.stdout.contains(why), "{doctor:?}");
        for command in ["install", "uninstall"] {
            let left = home.run(&[command, "--project"]);
            assert!(left.code == Some(1) && left.stderr.contains(why), "{left:?}");
        }
    };
    told("it is larger than 1 MiB");
    std::fs::remove_file(&settings).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&settings).status().unwrap().success());
    told("it is not a plain file");
    std::fs::remove_file(&settings).unwrap();
    std::os::unix::fs::symlink("/dev/zero", &settings).unwrap();
    told("it is not a plain file");
}

#[test]
fn a_file_on_the_command_line_that_is_no_plain_file_or_too_large_is_not_read() {
    let home = Home::new();
    home.put("large", &large());
    for (file, why) in [("large", "it is larger than 1 MiB"), ("/dev/full", "it is not a plain file")] {
        for (arguments, code) in [
            (["policy", "check", "ls", "--policy"], 3),
            (["policy", "lint", "--json", "--policy"], 1),
            (["policy", "import", "--write", "--claude"], 1),
            (["setup", "--messenger", "page", "--from-file"], 2),
        ] {
            let left = home.run(&[&arguments[..], &[file]].concat());
            assert!(left.code == Some(code) && left.stderr.contains(why), "{arguments:?} {left:?}");
        }
    }
    let left = home.run(&["provider", "test", "telegram", "--wire", "/dev/full"]);
    assert!(left.code == Some(1) && left.stderr.contains("it is not a plain file"), "{left:?}");
}

#[test]
fn settings_that_are_no_plain_file_or_too_large_are_not_read() {
    let home = Home::new();
    let refused = |why: &str| {
        for arguments in [&["config"][..], &["status", "--line"]] {
            let left = home.run(arguments);
            assert!(format!("{}{}", left.stdout, left.stderr).contains(why), "{left:?}");
        }
    };
    let file = home.keep("config.toml", &large());
    refused("it is larger than 1 MiB");
    std::fs::remove_file(&file).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&file).status().unwrap().success());
    refused("it is not a plain file");
}
