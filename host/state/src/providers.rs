//! The installed providers of third parties: `providers.lock`, and their components in `providers/`.
//!
//! The list records what was inspected at the installation: the digest of the component, its manifest, and the granted
//! origins. The name of a component's file contains the beginning of its digest, so an update writes a new file beside
//! the old one and then changes the list. A process that is killed in between leaves an unused file, never a list that
//! does not match.
//!
//! The list does not protect against its own user, or against a program that runs as this user, because both could
//! write it. The state directory is theirs (mode 0700), and no rule allows an agent to write there. The list ensures
//! that the code that runs does not change without a decision: a file that was rebuilt, synchronised, truncated or
//! replaced has another digest, and does not run.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use dmplz_core::messenger::Manifest;
use serde::{Deserialize, Serialize};

use crate::dir::{self, found};
use crate::lock::{FileError, Lock};
use crate::plain::{open_private, read_private};
use crate::replace::replace;
use crate::{DirError, StateDir};

const FILE: &str = "providers.lock";
const COMPONENTS: &str = "providers";
const LOCK_WAIT: Duration = Duration::from_secs(5);
/// The format of the list.
const VERSION: u32 = 1;
/// The largest list that is read, in bytes.
const MAX_BYTES: u64 = 4 << 20;

/// The installed providers of a state directory. Touches nothing until it is asked.
#[derive(Debug, Clone)]
pub struct Providers {
    dir: PathBuf,
}

/// An installed provider, as it was inspected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InstalledProvider {
    /// Its manifest, whose name is the one that it is installed under.
    pub manifest: Manifest,
    /// The SHA-256 of its component, 64 hexadecimal digits.
    pub sha256: String,
    /// The size of its component, in bytes.
    pub size: u64,
    /// The version of the contract that it was built for.
    pub contract: String,
    /// The interfaces that it imports.
    pub imports: Vec<String>,
    /// The origins that a person granted, among those that it wants.
    pub granted: Vec<String>,
    /// Who signed it, if that was checked when it was installed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signed: Option<SignedBy>,
    /// The reference in a registry that it was installed from, if it was not a file: `oci://ghcr.io/ann/acme:1.0.0`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
}

/// The signature of a component. Whoever relies on it checks it again: the list is no proof of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignedBy {
    /// The signer's public key of minisign, in Base64.
    pub signer: String,
    /// The whole signature file.
    pub signature: String,
}

/// Why the installed providers cannot be used. Then none of them runs.
#[derive(Debug, thiserror::Error)]
pub enum ProvidersError {
    /// The file was not written by this program.
    #[error("{0} cannot be read: it is no list of providers as this version writes it; remove it, and add them again")]
    Corrupt(PathBuf),
    /// Another user may have written to the state directory.
    #[error(transparent)]
    Dir(#[from] DirError),
    /// Another user may have written it.
    #[error("{0} is not trusted: it belongs to another user, or is not ours alone (mode 600)")]
    Foreign(PathBuf),
    /// A file cannot be used.
    #[error(transparent)]
    File(#[from] FileError),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    version: u32,
    providers: Vec<InstalledProvider>,
}

impl Providers {
    /// Returns the providers of the state directory at a path.
    pub fn of(dir: &Path) -> Self {
        Self { dir: dir.to_owned() }
    }

    /// Returns all installed providers, by name. If there are none, this costs one failed `open`.
    pub fn list(&self) -> Result<Vec<InstalledProvider>, ProvidersError> {
        let path = self.dir.join(FILE);
        let io = |source| FileError::Io { path: path.clone(), source };
        let Some(file) = found(open_private(&path)).map_err(io)? else { return Ok(Vec::new()) };
        StateDir::find(&self.dir)?;
        let Some(content) = read_private(file, MAX_BYTES).map_err(io)? else {
            return Err(ProvidersError::Foreign(path));
        };
        let list = serde_json::from_slice::<List>(&content).ok().filter(List::is_sound);
        list.map(|list| list.providers).ok_or(ProvidersError::Corrupt(path))
    }

    /// Returns the provider of this name.
    pub fn find(&self, name: &str) -> Result<Option<InstalledProvider>, ProvidersError> {
        Ok(self.list()?.into_iter().find(|provider| provider.manifest.name == name))
    }

    /// Returns the path of a provider's component.
    pub fn component(&self, provider: &InstalledProvider) -> PathBuf {
        let digest: String = provider.sha256.chars().take(16).collect();
        self.dir.join(COMPONENTS).join(format!("{}-{digest}.wasm", provider.manifest.name))
    }

    /// Keeps a component, and the provider in place of one of the same name, whose component is removed.
    pub fn put(&self, provider: InstalledProvider, wasm: &[u8]) -> Result<(), ProvidersError> {
        StateDir::open(&self.dir)?;
        let _lock = self.lock()?;
        let mut list = self.list()?;
        let component = self.component(&provider);
        self.keep(&component, wasm).map_err(|source| FileError::Io { path: component.clone(), source })?;
        let name = &provider.manifest.name;
        let replaced: Vec<_> = list.extract_if(.., |known| known.manifest.name == *name).collect();
        list.push(provider);
        list.sort_by(|one, other| one.manifest.name.cmp(&other.manifest.name));
        self.replace(list)?;
        let old = replaced.iter().map(|provider| self.component(provider));
        old.filter(|path| *path != component).for_each(|path| drop(fs::remove_file(path)));
        Ok(())
    }

    /// Removes a provider with its component. Returns `None` if there was none of this name.
    pub fn remove(&self, name: &str) -> Result<Option<InstalledProvider>, ProvidersError> {
        if self.find(name)?.is_none() {
            return Ok(None);
        }
        let _lock = self.lock()?;
        let mut list = self.list()?;
        let removed = list.extract_if(.., |known| known.manifest.name == name).next();
        if let Some(removed) = &removed {
            self.replace(list)?;
            let _ = fs::remove_file(self.component(removed));
        }
        Ok(removed)
    }

    fn keep(&self, component: &Path, wasm: &[u8]) -> io::Result<()> {
        dir::make(&self.dir.join(COMPONENTS))?;
        replace(component, wasm)
    }

    /// Replaces the list atomically: a killed process or a power cut leaves the old list or the new one.
    fn replace(&self, providers: Vec<InstalledProvider>) -> Result<(), FileError> {
        let path = self.dir.join(FILE);
        let list = serde_json::to_vec_pretty(&List { version: VERSION, providers }).map_err(io::Error::other);
        list.and_then(|list| replace(&path, &list)).map_err(|source| FileError::Io { path, source })
    }

    fn lock(&self) -> Result<Lock, FileError> {
        Lock::beside(&self.dir.join(FILE), LOCK_WAIT)
    }
}

impl List {
    /// Returns whether names and digests are safe to be parts of file names.
    fn is_sound(&self) -> bool {
        let is_name = |name: &str| {
            let known = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
            (1..=32).contains(&name.len()) && name.bytes().all(known)
        };
        let is_digest = |text: &str| text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let sound = |provider: &InstalledProvider| is_name(&provider.manifest.name) && is_digest(&provider.sha256);
        self.version == VERSION && self.providers.iter().all(sound)
    }
}

#[cfg(test)]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;

    use dmplz_core::messenger::Users;

    use super::*;

    fn provider(name: &str, digit: &str) -> InstalledProvider {
        let manifest = Manifest {
            name: name.to_owned(),
            version: "1.0.0".to_owned(),
            settings: Vec::new(),
            secrets: Vec::new(),
            chats: Vec::new(),
            users: Users::Identified,
            origins: Vec::new(),
            transports: Vec::new(),
        };
        InstalledProvider {
            manifest,
            sha256: digit.repeat(64),
            size: 1,
            contract: "0.5.0".to_owned(),
            imports: Vec::new(),
            granted: vec!["https://acme.example".to_owned()],
            signed: None,
            reference: None,
        }
    }

    fn names(providers: &Providers) -> Vec<String> {
        providers.list().unwrap().into_iter().map(|provider| provider.manifest.name).collect()
    }

    #[test]
    fn what_is_installed_is_ours_alone_and_an_update_leaves_one_component() {
        let temp = tempfile::tempdir().unwrap();
        let providers = Providers::of(&temp.path().join("state"));
        assert!(providers.list().unwrap().is_empty() && !providers.dir.exists());
        let (old, new, other) = (provider("acme", "a"), provider("acme", "b"), provider("aaa", "c"));
        providers.put(old.clone(), b"old").unwrap();
        providers.put(other, b"other").unwrap();
        providers.put(new.clone(), b"new").unwrap();
        assert_eq!(names(&providers), ["aaa", "acme"]);
        assert_eq!(providers.find("acme").unwrap(), Some(new.clone()));
        assert_eq!(fs::read(providers.component(&new)).unwrap(), b"new");
        assert!(!providers.component(&old).exists());
        for path in [providers.dir.join(FILE), providers.component(&new)] {
            assert_eq!(fs::metadata(path).unwrap().permissions().mode() & 0o777, 0o600);
        }
        assert_eq!(providers.remove("acme").unwrap(), Some(new.clone()));
        assert!(!providers.component(&new).exists() && providers.remove("acme").unwrap().is_none());
        assert_eq!(names(&providers), ["aaa"]);
    }

    #[test]
    fn a_list_that_cannot_be_believed_installs_nothing_and_is_not_overwritten() {
        let temp = tempfile::tempdir().unwrap();
        let providers = Providers::of(&temp.path().join("state"));
        providers.put(provider("acme", "a"), b"x").unwrap();
        let file = providers.dir.join(FILE);
        let good = fs::read_to_string(&file).unwrap();
        let climbing = good.replace("\"acme\"", "\"../acme\"");
        let short = good.replace(&"a".repeat(64), "aa");
        let later = good.replace("\"version\": 1,", "\"version\": 2,");
        for bad in ["", "{}", "[]", "\0", &climbing, &short, &later] {
            fs::write(&file, bad).unwrap();
            assert!(matches!(providers.list(), Err(ProvidersError::Corrupt(_))), "{bad}");
            assert!(providers.put(provider("other", "b"), b"y").is_err() && providers.remove("acme").is_err());
            assert_eq!(fs::read_to_string(&file).unwrap(), bad);
        }
        fs::write(&file, &good).unwrap();
        assert_eq!(names(&providers), ["acme"]);
        fs::set_permissions(&file, Permissions::from_mode(0o640)).unwrap();
        assert!(matches!(providers.list(), Err(ProvidersError::Foreign(_))));
    }
}
