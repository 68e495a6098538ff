//! What a provider stores for one account (`wit/store.wit`): one file for each provider and account, so that no provider reads
//! what another one stored.

use std::fs::{self, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::AccountKey;
use crate::dir::{self, found};
use crate::lock::{Lock, beside, open_ours};
use crate::replace::replace;

/// The folder of the state directory that holds them.
const FOLDER: &str = "stored";
/// How long another process may change it.
const LOCK_WAIT: Duration = Duration::from_secs(2);
/// A longer file was not written by this program.
const MAX_BYTES: u64 = 1 << 20;

/// Whose store it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoredFor {
    /// A provider that is bundled with the program, by its name.
    Bundled(String),
    /// A provider that was installed, by the name under which it was.
    Installed(String),
    /// A provider in a file, by the digest of the file: another version is another provider.
    File(String),
}

impl StoredFor {
    fn folder(&self) -> String {
        match self {
            Self::Bundled(name) => format!("bundled-{name}"),
            Self::Installed(name) => format!("installed-{name}"),
            Self::File(digest) => format!("file-{digest}"),
        }
    }
}

/// The store of one provider for one account.
#[derive(Debug, Clone)]
pub struct Stored {
    path: PathBuf,
}

impl Stored {
    /// Names the store in a state directory. No file is touched yet.
    pub fn new(state: &Path, provider: &StoredFor, account: &AccountKey) -> Self {
        Self { path: state.join(FOLDER).join(provider.folder()).join(account.as_str()) }
    }

    /// Names the file beside it in which the host keeps the tokens that the account's secrets were exchanged for. No provider reads it.
    #[must_use]
    pub fn tokens(&self) -> Self {
        Self { path: beside(&self.path, "tokens") }
    }

    /// Returns what was stored last; empty if nothing was.
    ///
    /// # Errors
    /// Fails if the file cannot be read, or is not one that this program wrote.
    pub fn read(&self) -> io::Result<String> {
        let file = found(open_ours(OpenOptions::new().read(true), &self.path))?;
        let Some(file) = file else { return Ok(String::new()) };
        let mut text = String::new();
        file.take(MAX_BYTES).read_to_string(&mut text)?;
        Ok(text)
    }

    /// Replaces what is stored by what `change` makes of it, while no other process does; `None` leaves it as it is.
    ///
    /// # Errors
    /// Fails if the file cannot be read or written; it is then as before.
    pub fn update(&self, change: &mut dyn FnMut(&str) -> Option<String>) -> io::Result<()> {
        self.path.parent().map_or(Ok(()), dir::make)?;
        let taken = Lock::take(&beside(&self.path, "lock"), LOCK_WAIT)?;
        let _lock = taken.ok_or_else(|| io::Error::new(io::ErrorKind::WouldBlock, "another process holds it"))?;
        change(&self.read()?).map_or(Ok(()), |text| replace(&self.path, text.as_bytes()))
    }

    /// Removes what a provider has stored for all of its accounts.
    ///
    /// # Errors
    /// Fails if it cannot be removed. It is no error if there is none.
    pub fn forget(state: &Path, provider: &StoredFor) -> io::Result<()> {
        found(fs::remove_dir_all(state.join(FOLDER).join(provider.folder()))).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(stored: &Stored, text: &str) {
        stored.update(&mut |_| Some(text.to_owned())).unwrap();
    }

    #[test]
    fn each_provider_and_each_account_has_a_store_of_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let state = folder.path().join("state");
        let key = |secret: &str| AccountKey::new("acme", "", secret).unwrap();
        let of = |provider: StoredFor, secret: &str| Stored::new(&state, &provider, &key(secret));
        let installed = || StoredFor::Installed("acme".into());
        set(&of(installed(), "one"), "1");
        set(&of(installed(), "two"), "2");
        set(&of(StoredFor::File("00".into()), "one"), "3");
        set(&of(StoredFor::Bundled("acme".into()), "one"), "4");
        let read = |provider: StoredFor, secret: &str| of(provider, secret).read().unwrap();
        assert_eq!([read(installed(), "one"), read(installed(), "two")], ["1", "2"]);
        assert_eq!(read(StoredFor::File("01".into()), "one"), "", "another file of the same name and account");
        Stored::forget(&state, &installed()).unwrap();
        Stored::forget(&state, &installed()).unwrap();
        assert_eq!([read(installed(), "one"), read(installed(), "two")], ["", ""]);
        assert_eq!(
            [read(StoredFor::File("00".into()), "one"), read(StoredFor::Bundled("acme".into()), "one")],
            ["3", "4"]
        );
    }

    #[test]
    fn tokens_are_beside_the_store_and_go_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let (state, provider) = (folder.path().join("state"), StoredFor::Installed("acme".into()));
        let stored = Stored::new(&state, &provider, &AccountKey::new("acme", "", "one").unwrap());
        set(&stored, "of the provider");
        set(&stored.tokens(), "of the host");
        assert_eq!([stored.read().unwrap(), stored.tokens().read().unwrap()], ["of the provider", "of the host"]);
        Stored::forget(&state, &provider).unwrap();
        assert_eq!(stored.tokens().read().unwrap(), "");
    }

    #[test]
    fn what_is_not_changed_stays_and_changes_of_several_threads_are_all_there() {
        let folder = tempfile::tempdir().unwrap();
        let state = folder.path().join("state");
        let key = AccountKey::new("acme", "", "one").unwrap();
        let stored = Stored::new(&state, &StoredFor::Installed("acme".into()), &key);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| stored.update(&mut |text| Some(format!("{text}x"))).unwrap());
            }
        });
        stored.update(&mut |_| None).unwrap();
        assert_eq!(stored.read().unwrap(), "xxxxxxxx");
    }
}
