//! The administrator's list of providers, `/etc/dmplz/providers.toml`:
//!
//! ```toml
//! [[provider]]
//! sha256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
//! origins = ["https://chat.acme.example", "wss://*.acme.example"]
//! ```
//!
//! | the file | providers of third parties |
//! |---|---|
//! | does not exist | all that the user names or installs |
//! | exists | those whose digest it lists, and only while all their granted origins are listed there |
//! | cannot be read or parsed, or another user than root could have written it | none |
//!
//! The list does not apply to bundled messengers. The server in a setting of the operator's is granted by that setting,
//! so it must be listed as well. Its `https` origin includes its WebSocket.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::bail;
use dmplz_bundled::{Messenger, Takes};
use dmplz_plugin::{Digest, is_within, origin_of};
use serde::Deserialize;

use crate::guard::Guard;
use crate::settings::Table;

/// The list. No setting leads elsewhere.
const FILE: &str = "/etc/dmplz/providers.toml";

/// The list of the machine's administrator.
#[derive(Debug)]
pub(crate) enum Administrator {
    /// There is no list.
    Silent,
    /// Only these providers are allowed.
    Lists { file: PathBuf, listed: Vec<Listed> },
    /// The list cannot be used.
    Unknown { file: PathBuf, why: String },
}

/// One provider that may run.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Listed {
    sha256: String,
    #[serde(default)]
    origins: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    provider: Vec<Listed>,
}

/// Reads the list of this machine. Without a list this costs one failed `open`.
pub(crate) fn of_this_machine() -> Administrator {
    Administrator::read(Path::new(FILE), &Guard::root())
}

impl Administrator {
    fn read(file: &Path, guard: &Guard) -> Self {
        let unknown = |why| Self::Unknown { file: file.to_owned(), why };
        let text = match std::fs::read_to_string(file) {
            Ok(text) => text,
            // Also a link to nothing is there.
            Err(error) if error.kind() == ErrorKind::NotFound && !file.is_symlink() => return Self::Silent,
            Err(error) => return unknown(format!("it cannot be read: {error}")),
        };
        let suspicion = match std::fs::metadata(file) {
            Ok(metadata) => guard.suspects_file(file, &metadata),
            Err(error) => Some(format!("it cannot be looked at: {error}")),
        };
        if let Some(why) = suspicion.or_else(|| guard.suspects_path(file.parent()?)) {
            return unknown(why);
        }
        match toml::from_str::<File>(&text) {
            Ok(File { provider }) => match provider.iter().find(|listed| Digest::parse(&listed.sha256).is_none()) {
                Some(listed) => unknown(format!("{:?} is no SHA-256", listed.sha256)),
                None => Self::Lists { file: file.to_owned(), listed: provider },
            },
            Err(error) => unknown(error.message().to_owned()),
        }
    }

    /// Returns whether a component may run at all. `provider` is its name or path.
    pub(crate) fn permits(&self, sha256: &str, provider: &str) -> anyhow::Result<()> {
        match self {
            Self::Silent => Ok(()),
            Self::Unknown { file, why } => bail!(
                "the provider {provider} does not run: the administrator's list {} cannot be used, so it allows none: {why}",
                file.display()
            ),
            Self::Lists { .. } if self.listed(sha256).is_some() => Ok(()),
            Self::Lists { file, .. } => bail!(
                "the provider {provider} does not run: the administrator's list {} does not name its SHA-256, {sha256}",
                file.display()
            ),
        }
    }

    /// Returns whether a component may reach what it was granted. `origins` are those besides the servers in its
    /// settings.
    pub(crate) fn permits_reach(
        &self,
        sha256: &str,
        messenger: &Messenger,
        origins: &[String],
        table: &Table,
    ) -> anyhow::Result<()> {
        self.permits(sha256, messenger.name)?;
        let Self::Lists { file, .. } = self else { return Ok(()) };
        let urls = messenger.settings.iter().filter(|setting| matches!(setting.takes, Takes::Url | Takes::SocketUrl));
        let mut servers = Vec::new();
        for setting in urls.filter(|setting| table.is_set(setting.variable)) {
            servers.extend(table.get(setting.variable)?.map(|url| origin_of(&url).unwrap_or(url)));
        }
        let allowed = self.listed(sha256).map(|listed| listed.origins.as_slice()).unwrap_or_default();
        match origins.iter().chain(&servers).find(|origin| !is_within(origin, allowed)) {
            None => Ok(()),
            Some(origin) => bail!(
                "the provider {} does not run: the administrator's list {} does not let it reach {origin}",
                messenger.name,
                file.display()
            ),
        }
    }

    fn listed(&self, sha256: &str) -> Option<&Listed> {
        let Self::Lists { listed, .. } = self else { return None };
        let digest = Digest::parse(sha256)?;
        listed.iter().find(|listed| Digest::parse(&listed.sha256).as_ref() == Some(&digest))
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    const DIGEST: &str = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

    fn list(text: &str) -> (tempfile::TempDir, Administrator) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("providers.toml");
        fs::write(&file, text).unwrap();
        fs::set_permissions(&file, Permissions::from_mode(0o644)).unwrap();
        let administrator = Administrator::read(&file, &Guard::below(folder.path()));
        (folder, administrator)
    }

    fn table(variables: &[(&str, &str)]) -> Table {
        let value = |name: &str| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
        Table::without_file(&value)
    }

    /// Returns a messenger whose settings every table knows.
    fn messenger() -> &'static Messenger {
        dmplz_bundled::messenger("telegram").unwrap()
    }

    #[test]
    fn without_a_list_everything_runs() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("providers.toml");
        let silent = Administrator::read(&file, &Guard::below(folder.path()));
        assert!(silent.permits(DIGEST, "acme").is_ok());
        symlink("/nowhere", &file).unwrap();
        let dangling = Administrator::read(&file, &Guard::below(folder.path()));
        assert!(dangling.permits(DIGEST, "acme").is_err(), "a link to nothing is there");
    }

    #[test]
    fn with_a_list_only_what_it_names_runs() {
        let (_folder, listed) = list(&format!("[[provider]]\nsha256 = \"{}\"\n", DIGEST.to_uppercase()));
        assert!(listed.permits(DIGEST, "acme").is_ok());
        let why = listed.permits(&"0".repeat(64), "acme").unwrap_err().to_string();
        assert!(why.contains("does not name its SHA-256, 0000"), "{why}");
        assert!(list("").1.permits(DIGEST, "acme").is_err(), "an empty list names nothing");
    }

    #[test]
    fn what_is_granted_must_be_listed_for_that_provider() {
        let origins = "origins = [\"https://chat.acme.example\", \"wss://*.acme.example\", \"http://127.0.0.1:8080\"]";
        let other = format!("[[provider]]\nsha256 = \"{}\"\norigins = [\"https://other.example\"]\n", "0".repeat(64));
        let (_folder, listed) = list(&format!("{other}[[provider]]\nsha256 = \"{DIGEST}\"\n{origins}\n"));
        let permits = |granted: &[&str], set: &[(&str, &str)]| {
            let granted: Vec<String> = granted.iter().map(|origin| (*origin).to_owned()).collect();
            listed.permits_reach(DIGEST, messenger(), &granted, &table(set)).map_err(|error| error.to_string())
        };
        assert_eq!(
            permits(&["https://chat.acme.example", "wss://a.acme.example", "wss://*.acme.example"], &[]),
            Ok(())
        );
        for outside in ["https://other.example", "wss://chat.example", "https://chat.acme.example:8443", "nonsense"] {
            let why = permits(&[outside], &[]).unwrap_err();
            assert!(why.ends_with(&format!("does not let it reach {outside}")), "{why}");
        }
        assert_eq!(permits(&[], &[("DMPLZ_TELEGRAM_API_BASE", "http://127.0.0.1:8080/bot")]), Ok(()));
        let why = permits(&[], &[("DMPLZ_TELEGRAM_API_BASE", "http://127.0.0.1:9090/bot")]).unwrap_err();
        assert!(why.ends_with("does not let it reach http://127.0.0.1:9090"), "{why}");
    }

    #[test]
    fn a_list_that_cannot_be_believed_allows_nothing() {
        let good = format!("[[provider]]\nsha256 = \"{DIGEST}\"\n");
        for spoilt in
            ["[[provider", "[[provider]]\nsha256 = \"abc\"\n", "[[provider]]\norigins = []\n", "provider = 1\n"]
        {
            assert!(list(spoilt).1.permits(DIGEST, "acme").is_err(), "{spoilt}");
        }
        for unknown in [format!("{good}digest = \"x\"\n"), format!("allow = true\n{good}")] {
            assert!(list(&unknown).1.permits(DIGEST, "acme").is_err(), "{unknown}");
        }
        let (folder, _) = list(&good);
        let file = folder.path().join("providers.toml");
        fs::set_permissions(&file, Permissions::from_mode(0o666)).unwrap();
        let why =
            Administrator::read(&file, &Guard::below(folder.path())).permits(DIGEST, "acme").unwrap_err().to_string();
        assert!(why.contains("so it allows none: others may write to it"), "{why}");
        fs::set_permissions(&file, Permissions::from_mode(0o644)).unwrap();
        fs::set_permissions(folder.path(), Permissions::from_mode(0o777)).unwrap();
        assert!(Administrator::read(&file, &Guard::below(folder.path())).permits(DIGEST, "acme").is_err());
    }
}
