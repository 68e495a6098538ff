//! Checks whether another user could have written a file that decides, or through which decisions are sent.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::process::geteuid;

use crate::told::{Phrase, translated};

/// The reasons in English and in Korean.
const REASONS: &[[&str; 2]] = &[
    ["others may write to it (mode {}; {})", "다른 사용자도 쓸 수 있습니다(권한 {}. {})"],
    ["others may write to {} (mode {}; {})", "다른 사용자도 쓸 수 있습니다: {} (권한 {}. {})"],
    ["it belongs to user {}", "다른 사용자의 것입니다(사용자 {})"],
    ["{} belongs to user {}", "다른 사용자의 것입니다: {} (사용자 {})"],
    ["{} cannot be looked at: {}", "살펴볼 수 없습니다: {}: {}"],
    ["it cannot be read: {}", "읽을 수 없습니다: {}"],
];

/// Returns in both languages why a file or folder is not trusted or not read; in English for both if it is another reason.
pub(crate) fn told(reason: &str) -> Phrase {
    let korean = translated(REASONS, reason, str::to_owned);
    [korean.unwrap_or_else(|| reason.to_owned()), reason.to_owned()].into()
}

/// The users who may write such files.
#[derive(Debug)]
pub(crate) struct Guard {
    /// The id of the owner who is accepted besides root.
    owner: u32,
    /// The topmost folder that is checked on a path.
    top: PathBuf,
}

impl Guard {
    /// Returns a guard that accepts only root, on the whole path.
    pub(crate) fn root() -> Self {
        Self { owner: 0, top: PathBuf::from("/") }
    }

    /// Returns a guard that accepts the user who runs this process.
    pub(crate) fn of_this_user() -> Self {
        Self { owner: geteuid().as_raw(), top: PathBuf::from("/") }
    }

    /// Returns the reason why a file is not trusted.
    pub(crate) fn suspects_file(&self, path: &Path, metadata: &Metadata) -> Option<String> {
        self.suspects_as("it", path, metadata)
    }

    /// Returns the reason why a folder is not trusted.
    pub(crate) fn suspects(&self, folder: &Path) -> Option<String> {
        match std::fs::metadata(folder) {
            Ok(metadata) => self.suspects_as(&folder.display().to_string(), folder, &metadata),
            Err(error) => Some(format!("{} cannot be looked at: {error}", folder.display())),
        }
    }

    fn suspects_as(&self, name: &str, path: &Path, metadata: &Metadata) -> Option<String> {
        let (owner, mode) = (metadata.uid(), metadata.mode() & 0o7777);
        if owner != self.owner && owner != 0 {
            Some(format!("{name} belongs to user {owner}"))
        } else if mode & 0o022 != 0 {
            Some(format!("others may write to {name} (mode {mode:03o}; `chmod go-w {}`)", path.display()))
        } else {
            None
        }
    }

    /// Returns the reason why a folder, or one above it, is not trusted.
    pub(crate) fn suspects_path(&self, folder: &Path) -> Option<String> {
        let real = folder.canonicalize();
        let real = real.as_deref().unwrap_or(folder);
        real.ancestors().take_while(|above| above.starts_with(&self.top)).find_map(|above| self.suspects(above))
    }
}

#[cfg(test)]
impl Guard {
    /// Returns a guard for tests: the owner is this user, and no folder above `top` is checked.
    pub(crate) fn below(top: &Path) -> Self {
        Self { top: top.to_owned(), ..Self::of_this_user() }
    }
}

#[cfg(test)]
mod tests {
    use dmplz_core::text::Lang;

    use super::*;

    #[test]
    fn a_reason_is_told_in_korean_too() {
        let folder = tempfile::tempdir().unwrap();
        let open = std::os::unix::fs::PermissionsExt::from_mode(0o777);
        std::fs::set_permissions(folder.path(), open).unwrap();
        let guard = Guard::of_this_user();
        let shown = folder.path().display().to_string();
        let of_folder = told(&guard.suspects(folder.path()).unwrap());
        assert_eq!(
            of_folder.of(Lang::Ko),
            format!("다른 사용자도 쓸 수 있습니다: {shown} (권한 777. `chmod go-w {shown}`)")
        );
        let gone = told(&guard.suspects(&folder.path().join("gone")).unwrap());
        assert!(gone.of(Lang::Ko).starts_with(&format!("살펴볼 수 없습니다: {shown}/gone: ")), "{gone}");
        assert_eq!(told("something else").of(Lang::Ko), "something else");
    }
}
