//! Checks whether another user could have written a file that decides, or through which decisions are sent.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use dmplz_policy::file::Suspicion;
use rustix::process::geteuid;

use crate::told::Phrase;

/// Returns in both languages why a file or folder is not trusted.
pub(crate) fn told(suspicion: &Suspicion) -> Phrase {
    let korean = match suspicion {
        Suspicion::Owner { is_folder: false, owner, .. } => format!("다른 사용자의 것입니다(사용자 {owner})"),
        Suspicion::Owner { path, owner, .. } => {
            format!("다른 사용자의 것입니다: {} (사용자 {owner})", path.display())
        }
        Suspicion::Writable { path, is_folder, mode } => {
            let path = path.display();
            let how = format!("권한 {mode:03o}. `chmod go-w {path}`");
            match is_folder {
                true => format!("다른 사용자도 쓸 수 있습니다: {path} ({how})"),
                false => format!("다른 사용자도 쓸 수 있습니다({how})"),
            }
        }
        Suspicion::Unseen { folder, error } => format!("살펴볼 수 없습니다: {}: {error}", folder.display()),
    };
    [korean, suspicion.to_string()].into()
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
    pub(crate) fn suspects_file(&self, path: &Path, metadata: &Metadata) -> Option<Suspicion> {
        self.suspects_as(false, path, metadata)
    }

    /// Returns the reason why a folder is not trusted.
    pub(crate) fn suspects(&self, folder: &Path) -> Option<Suspicion> {
        match std::fs::metadata(folder) {
            Ok(metadata) => self.suspects_as(true, folder, &metadata),
            Err(error) => Some(Suspicion::Unseen { folder: folder.to_owned(), error: error.to_string() }),
        }
    }

    fn suspects_as(&self, is_folder: bool, path: &Path, metadata: &Metadata) -> Option<Suspicion> {
        let (owner, mode) = (metadata.uid(), metadata.mode() & 0o7777);
        if owner != self.owner && owner != 0 {
            Some(Suspicion::Owner { path: path.to_owned(), is_folder, owner })
        } else if mode & 0o022 != 0 {
            Some(Suspicion::Writable { path: path.to_owned(), is_folder, mode })
        } else {
            None
        }
    }

    /// Returns the reason why a folder, or one above it, is not trusted.
    pub(crate) fn suspects_path(&self, folder: &Path) -> Option<Suspicion> {
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
    }
}
