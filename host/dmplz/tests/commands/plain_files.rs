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
