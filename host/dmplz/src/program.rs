//! Finds the path of this program, as the client and the service manager start it.

use std::path::{Path, PathBuf};

use crate::environment::environment;
use crate::told::{Tell, Told};

/// Returns the absolute path that the client has to start: the one on `PATH` if that is this program, because a package
/// manager keeps that path when it replaces the program.
pub(crate) fn path() -> anyhow::Result<String> {
    registrable(&found()?).map(str::to_owned)
}

/// Returns the same path for words and comparisons, also if it cannot be registered.
pub(crate) fn shown() -> anyhow::Result<String> {
    Ok(found()?.display().to_string())
}

fn found() -> anyhow::Result<PathBuf> {
    let this = std::env::current_exe().told(
        "이 프로그램의 경로를 찾을 수 없습니다",
        "this program's own path cannot be found",
        &[],
    )?;
    Ok(on_path(&this, &environment("PATH").unwrap_or_default()).unwrap_or(this))
}

/// Checks that the client runs a path as it is, and that an uninstall finds it again.
fn registrable(path: &Path) -> anyhow::Result<&str> {
    let text = path.to_str().told(
        "등록할 수 없습니다: {} (경로가 UTF-8이 아닙니다)",
        "{} cannot be registered: its path is not UTF-8",
        &[&path.display().to_string()],
    )?;
    // The client expands `${...}`, and an uninstall looks for the name.
    if text.contains("${") {
        return Told::err(
            "등록할 수 없습니다: {} (Claude Code가 경로의 ${...}를 변수로 읽습니다)",
            "{} cannot be registered: Claude Code would read its ${...} as a variable",
            &[text],
        );
    }
    if path.file_stem().is_none_or(|name| name != "dmplz") {
        return Told::err(
            "등록할 수 없습니다: {} (이름이 dmplz가 아닙니다). 파일의 이름을 dmplz로 바꿔 주세요",
            "{} cannot be registered: it is not named dmplz; rename that file to dmplz",
            &[text],
        );
    }
    Ok(text)
}

fn on_path(this: &Path, path: &str) -> Option<PathBuf> {
    let same = |candidate: &PathBuf| candidate.is_absolute() && candidate.canonicalize().is_ok_and(|real| real == this);
    std::env::split_paths(path).map(|folder| folder.join("dmplz")).find(same)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_program_that_cannot_be_registered_is_told_why_and_what_to_do() {
        assert_eq!(registrable(Path::new("/usr/bin/dmplz")).unwrap(), "/usr/bin/dmplz");
        let why = |path: &str| registrable(Path::new(path)).unwrap_err().to_string();
        assert_eq!(why("/bin/dm"), "/bin/dm cannot be registered: it is not named dmplz; rename that file to dmplz");
        assert!(why("/${x}/dmplz").contains("Claude Code would read its ${...} as a variable"));
    }

    #[test]
    fn the_path_that_survives_an_upgrade_is_registered() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let (cellar, bin, other) = (root.join("cellar-0.1"), root.join("bin"), root.join("other"));
        for folder in [&cellar, &bin, &other] {
            fs::create_dir(folder).unwrap();
        }
        let this = cellar.join("dmplz");
        fs::write(&this, "").unwrap();
        fs::write(other.join("dmplz"), "").unwrap();
        symlink(&this, bin.join("dmplz")).unwrap();
        let path = format!("relative:{}:{}", other.display(), bin.display());
        assert_eq!(on_path(&this, &path), Some(bin.join("dmplz")));
        assert_eq!(on_path(&this, &other.display().to_string()), None, "another program of that name is not ours");
    }
}
