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
//! | exists | those whose digest it lists, or that a listed signer signed, and only while all their granted origins are listed there |
//! | cannot be read or parsed, or another user than root could have written it | none |
//!
//! A `[[signer]]` has a `key` of minisign in place of `sha256`. Its signature is checked each time a component starts: the state
//! directory, which says what was checked before, belongs to the user.
//!
//! The list does not apply to bundled messengers. The server in a setting of the operator's is granted by that setting,
//! so it must be listed as well. Its `https` origin includes its WebSocket.

use std::borrow::Cow;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use dmplz_bundled::{Messenger, Takes};
use dmplz_core::text::{Lang, fill};
use dmplz_plugin::{Digest, is_within, origin_of};
use serde::Deserialize;

use super::signature::{self, Signer};
use crate::guard::{self, Guard};
use crate::settings::Table;
use crate::told::{Phrase, Tell, Told};

/// The list. No setting leads elsewhere.
const FILE: &str = "/etc/dmplz/providers.toml";

/// The list of the machine's administrator.
#[derive(Debug)]
pub(crate) enum Administrator {
    /// There is no list.
    Silent,
    /// Only these providers, and those of these signers, are allowed.
    Lists { file: PathBuf, providers: Vec<Listed>, signers: Vec<ListedSigner> },
    /// The list cannot be used.
    Unknown { file: PathBuf, why: Phrase },
}

/// One provider that may run.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Listed {
    sha256: String,
    #[serde(default)]
    origins: Vec<String>,
}

/// Somebody whose components may run.
#[derive(Debug)]
pub(crate) struct ListedSigner {
    signer: Signer,
    origins: Vec<String>,
}

/// A component that is to run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate<'a> {
    /// Its name or path, for errors.
    pub(crate) provider: &'a str,
    pub(crate) sha256: &'a str,
    pub(crate) held: Held<'a>,
    /// The whole text of a signature; `None` if none is known.
    pub(crate) signature: Option<&'a str>,
}

/// Where a component's bytes are.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Held<'a> {
    /// In a file, which is read only if a signature has to be checked. One beside it counts, if no other is known.
    File(&'a Path),
    Memory(&'a [u8]),
}

/// What the administrator lets a component reach.
#[derive(Debug, Clone)]
pub(crate) enum Admission {
    /// All that it is granted.
    All,
    /// Only what the list has for it.
    Listed { file: PathBuf, origins: Vec<String> },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    provider: Vec<Listed>,
    #[serde(default)]
    signer: Vec<SignerEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SignerEntry {
    key: String,
    #[serde(default)]
    origins: Vec<String>,
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
            Err(error) => {
                return unknown(Phrase::fill("읽을 수 없습니다: {}", "it cannot be read: {}", &[&error.to_string()]));
            }
        };
        let why = match std::fs::metadata(file) {
            Ok(metadata) => {
                let suspicion = guard.suspects_file(file, &metadata).or_else(|| guard.suspects_path(file.parent()?));
                suspicion.as_ref().map(guard::told)
            }
            Err(error) => {
                Some(Phrase::fill("살펴볼 수 없습니다: {}", "it cannot be looked at: {}", &[&error.to_string()]))
            }
        };
        if let Some(why) = why {
            return unknown(why);
        }
        match toml::from_str::<File>(&text).map_err(|error| error.message().to_owned()).and_then(File::checked) {
            Ok((providers, signers)) => Self::Lists { file: file.to_owned(), providers, signers },
            Err(why) => unknown(Phrase::same(&why)),
        }
    }

    /// Returns what a component may reach, or why it may not run at all.
    pub(crate) fn admits(&self, candidate: Candidate<'_>) -> anyhow::Result<Admission> {
        let Candidate { provider, sha256, .. } = candidate;
        let (file, providers, signers) = match self {
            Self::Silent => return Ok(Admission::All),
            Self::Unknown { file, why } => {
                let file = file.display().to_string();
                let both = [
                    fill(
                        "실행할 수 없는 프로바이더입니다: {}. 관리자의 목록을 쓸 수 없어 아무것도 허용하지 않습니다: {}: {}",
                        &[provider, &file, why.of(Lang::Ko)],
                    ),
                    fill(
                        "the provider {} does not run: the administrator's list {} cannot be used, so it allows none: {}",
                        &[provider, &file, why.of(Lang::En)],
                    ),
                ];
                return Err(Told::from(Phrase::from(both)).into());
            }
            Self::Lists { file, providers, signers } => (file, providers, signers),
        };
        let admission = |origins: &[String]| Ok(Admission::Listed { file: file.clone(), origins: origins.to_vec() });
        let digest = Digest::parse(sha256);
        let is_it = |listed: &&Listed| digest.is_some() && Digest::parse(&listed.sha256) == digest;
        if let Some(listed) = providers.iter().find(is_it) {
            return admission(&listed.origins);
        }
        let shown = file.display().to_string();
        let values: [&str; 3] = [provider, &shown, sha256];
        if signers.is_empty() {
            return Told::err(
                "실행할 수 없는 프로바이더입니다: {}. 관리자의 목록에 이 SHA-256이 없습니다: {}: {}",
                "the provider {} does not run: the administrator's list {} does not name its SHA-256, {}",
                &values,
            );
        }
        match candidate.signed_by(signers) {
            Ok(listed) => admission(&listed.origins),
            Err(why) => Err(why).told(
                "실행할 수 없는 프로바이더입니다: {}. 관리자의 목록에 이 SHA-256이 없고, 목록에 있는 사람이 서명하지도 않았습니다: {}: \
                 {}",
                "the provider {} does not run: the administrator's list {} does not name its SHA-256, {}, and it is of no \
                 signer that the list names",
                &values,
            ),
        }
    }

    /// Returns the signers that the list names.
    pub(crate) fn signers(&self) -> Vec<Signer> {
        match self {
            Self::Lists { signers, .. } => signers.iter().map(|listed| listed.signer.clone()).collect(),
            Self::Silent | Self::Unknown { .. } => Vec::new(),
        }
    }
}

impl File {
    fn checked(self) -> Result<(Vec<Listed>, Vec<ListedSigner>), String> {
        if let Some(listed) = self.provider.iter().find(|listed| Digest::parse(&listed.sha256).is_none()) {
            return Err(format!("{:?} is no SHA-256", listed.sha256));
        }
        let signer = |SignerEntry { key, origins }| match Signer::parse(&key) {
            Some(signer) => Ok(ListedSigner { signer, origins }),
            None => Err(format!("{key:?} is no key of minisign")),
        };
        let signers = self.signer.into_iter().map(signer).collect::<Result<_, _>>()?;
        Ok((self.provider, signers))
    }
}

impl Candidate<'_> {
    /// Returns who of the listed signed it.
    fn signed_by<'l>(&self, listed: &'l [ListedSigner]) -> anyhow::Result<&'l ListedSigner> {
        let (wasm, beside) = match self.held {
            Held::File(file) => (
                Cow::Owned(dmplz_plugin::read(file)?),
                if self.signature.is_none() { signature::beside(file)? } else { None },
            ),
            Held::Memory(wasm) => (Cow::Borrowed(wasm), None),
        };
        // What runs is what has this digest, so this must be what is signed.
        if Digest::parse(self.sha256) != Some(Digest::of(&wasm)) {
            let ko = "파일의 SHA-256이 그사이 바뀌었습니다";
            return Told::err(ko, "its file has another SHA-256 now", &[]);
        }
        let signers: Vec<Signer> = listed.iter().map(|listed| listed.signer.clone()).collect();
        let signed = signature::checked(&wasm, self.signature.or(beside.as_deref()), &signers)?;
        let by_them = |listed: &&ListedSigner| listed.signer.to_string() == signed.signer;
        listed.iter().find(by_them).told("다른 키로 서명되어 있습니다", "it is signed with another key", &[])
    }
}

impl Admission {
    /// Returns whether a component may reach what it was granted. `granted` are the origins besides the servers in its
    /// settings.
    pub(crate) fn lets_reach(&self, messenger: &Messenger, granted: &[String], table: &Table) -> anyhow::Result<()> {
        let Self::Listed { file, origins } = self else { return Ok(()) };
        let urls = messenger.settings.iter().filter(|setting| matches!(setting.takes, Takes::Url | Takes::SocketUrl));
        let mut servers = Vec::new();
        for setting in urls.filter(|setting| table.is_set(setting.variable)) {
            servers.extend(table.get(setting.variable)?.map(|url| origin_of(&url).unwrap_or(url)));
        }
        match granted.iter().chain(&servers).find(|origin| !is_within(origin, origins)) {
            None => Ok(()),
            Some(origin) => Told::err(
                "실행할 수 없는 프로바이더입니다: {}. 관리자의 목록에 없는 곳에 접근하려고 합니다: {}: {}",
                "the provider {} does not run: the administrator's list {} does not let it reach {}",
                &[messenger.name, &file.display().to_string(), origin],
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::super::signature::tests::{COMPONENT, KEY, OF_ANOTHER_FILE, OF_ANOTHER_KEY, SIGNATURE};
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

    /// Returns a component that is not signed.
    fn candidate(sha256: &str) -> Candidate<'_> {
        Candidate { provider: "acme", sha256, held: Held::File(Path::new("/nowhere/acme.wasm")), signature: None }
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
        assert!(silent.admits(candidate(DIGEST)).is_ok());
        symlink("/nowhere", &file).unwrap();
        let dangling = Administrator::read(&file, &Guard::below(folder.path()));
        assert!(dangling.admits(candidate(DIGEST)).is_err(), "a link to nothing is there");
    }

    #[test]
    fn with_a_list_only_what_it_names_runs() {
        let (_folder, listed) = list(&format!("[[provider]]\nsha256 = \"{}\"\n", DIGEST.to_uppercase()));
        assert!(listed.admits(candidate(DIGEST)).is_ok());
        let why = listed.admits(candidate(&"0".repeat(64))).unwrap_err().to_string();
        assert!(why.contains("does not name its SHA-256, 0000"), "{why}");
        assert!(list("").1.admits(candidate(DIGEST)).is_err(), "an empty list names nothing");
    }

    #[test]
    fn what_is_granted_must_be_listed_for_that_provider() {
        let origins = "origins = [\"https://chat.acme.example\", \"wss://*.acme.example\", \"http://127.0.0.1:8080\"]";
        let other = format!("[[provider]]\nsha256 = \"{}\"\norigins = [\"https://other.example\"]\n", "0".repeat(64));
        let (_folder, listed) = list(&format!("{other}[[provider]]\nsha256 = \"{DIGEST}\"\n{origins}\n"));
        let permits = |granted: &[&str], set: &[(&str, &str)]| {
            let granted: Vec<String> = granted.iter().map(|origin| (*origin).to_owned()).collect();
            let admission = listed.admits(candidate(DIGEST)).unwrap();
            admission.lets_reach(messenger(), &granted, &table(set)).map_err(|error| error.to_string())
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
    fn a_listed_signer_lets_a_component_run_that_has_the_digest_and_reach_what_is_listed() {
        let (folder, listed) =
            list(&format!("[[signer]]\nkey = \"{KEY}\"\norigins = [\"https://chat.acme.example\"]\n"));
        let file = folder.path().join("acme.wasm");
        fs::write(&file, COMPONENT).unwrap();
        let sha256 = Digest::of(COMPONENT).to_string();
        let asks = |signature| Candidate { provider: "acme", sha256: &sha256, held: Held::File(&file), signature };
        let why = |candidate| format!("{:#}", listed.admits(candidate).unwrap_err());
        assert!(why(asks(None)).ends_with("and it is of no signer that the list names: it is not signed"));
        assert!(why(asks(Some(OF_ANOTHER_FILE))).ends_with("it was changed after it was signed"));
        assert!(why(asks(Some(OF_ANOTHER_KEY))).ends_with("it is signed with another key"));

        let admission = listed.admits(asks(Some(SIGNATURE))).unwrap();
        let reaches = |origin: &str| admission.lets_reach(messenger(), &[origin.to_owned()], &table(&[]));
        assert!(reaches("https://chat.acme.example").is_ok() && reaches("https://other.example").is_err());
        fs::write(folder.path().join("acme.wasm.minisig"), SIGNATURE).unwrap();
        assert!(listed.admits(asks(None)).is_ok(), "a signature beside the file counts");

        let other_digest = Candidate { sha256: DIGEST, ..asks(Some(SIGNATURE)) };
        assert!(why(other_digest).ends_with("its file has another SHA-256 now"), "what runs must be what is signed");
    }

    #[test]
    fn a_list_that_cannot_be_believed_allows_nothing() {
        let good = format!("[[provider]]\nsha256 = \"{DIGEST}\"\n");
        for spoilt in [
            "[[signer]]\nkey = \"RW\"\n",
            "[[signer]]\n",
            "[[provider",
            "[[provider]]\nsha256 = \"abc\"\n",
            "[[provider]]\norigins = []\n",
            "provider = 1\n",
        ] {
            assert!(list(spoilt).1.admits(candidate(DIGEST)).is_err(), "{spoilt}");
        }
        for unknown in [format!("{good}digest = \"x\"\n"), format!("allow = true\n{good}")] {
            assert!(list(&unknown).1.admits(candidate(DIGEST)).is_err(), "{unknown}");
        }
        let (folder, _) = list(&good);
        let file = folder.path().join("providers.toml");
        fs::set_permissions(&file, Permissions::from_mode(0o666)).unwrap();
        let why =
            Administrator::read(&file, &Guard::below(folder.path())).admits(candidate(DIGEST)).unwrap_err().to_string();
        assert!(why.contains("so it allows none: others may write to it"), "{why}");
        fs::set_permissions(&file, Permissions::from_mode(0o644)).unwrap();
        fs::set_permissions(folder.path(), Permissions::from_mode(0o777)).unwrap();
        assert!(Administrator::read(&file, &Guard::below(folder.path())).admits(candidate(DIGEST)).is_err());
    }
}
