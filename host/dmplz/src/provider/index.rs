//! The index: one signed file, kept in a git repository for example, that says which component a name stands for. It makes a name a place;
//! what is there is then looked at, and asked about, like any other component.
//!
//! | in the index | against whoever serves the file or the components |
//! |---|---|
//! | its signature, by the key that the operator wrote | they cannot change it |
//! | `serial`, which grows with every change | they cannot bring back an older one, with a version that has a hole |
//! | `expires`, if it is there | they cannot keep it from being replaced for ever |
//! | the SHA-256 of each component | they cannot exchange a component |

use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::bail;
use dmplz_plugin::{Digest, Endpoint, Secret};
use dmplz_state::{SignedBy, StateDir, found};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

use super::Place;
use super::registry::Reference;
use crate::account;
use crate::component::signature::{self, Fetched, Signer};
use crate::settings::Settings;
use crate::temporary::replace;
use crate::time;
use crate::told::{Tell, Told};

/// Where the index is, and whose signature it must have.
const PLACE: &str = "DMPLZ_PROVIDER_INDEX";
const KEY: &str = "DMPLZ_PROVIDER_INDEX_KEY";
/// The largest index, in bytes.
const MAX_BYTES: usize = 1 << 20;
/// The time for the file, and for its signature.
const WITHIN: Duration = Duration::from_secs(20);
/// The file of the state directory that holds the newest serial of each key.
const SERIALS: &str = "provider-index.json";

/// The index of the operator, as it is now.
pub(super) struct Index {
    entries: Vec<Entry>,
}

/// A component, as the index names it. What else an entry has is of a later version, and ignored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Entry {
    /// The name in its manifest.
    pub(super) name: String,
    pub(super) version: String,
    /// What it is, in a few words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) about: String,
    /// Its place in a registry: `oci://ghcr.io/ann/acme:1.0.0`.
    pub(super) component: String,
    /// The SHA-256 of the component, 64 hexadecimal digits.
    sha256: String,
    /// The key of minisign that it and its updates must be signed with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    signer: Option<String>,
}

#[derive(Deserialize)]
struct File {
    serial: u64,
    /// The day from which it does not count any more.
    expires: Option<String>,
    #[serde(default, rename = "provider")]
    providers: Vec<Entry>,
}

impl Index {
    /// Fetches and checks the index of the operator; `None` if there is none.
    pub(super) fn fetch(place: &Place) -> anyhow::Result<Option<Self>> {
        let Some(named) = place.table.get(PLACE)?.filter(|named| !named.is_empty()) else { return Ok(None) };
        let (ko, en) = (
            "프로바이더 색인을 쓸 수 없습니다: {} (DMPLZ_PROVIDER_INDEX)",
            "the index of providers {} (DMPLZ_PROVIDER_INDEX) cannot be used",
        );
        let key = place.table.get(KEY)?.unwrap_or_default();
        let key = Signer::parse(&key)
            .told(
                "DMPLZ_PROVIDER_INDEX_KEY에 minisign 키가 없습니다",
                "DMPLZ_PROVIDER_INDEX_KEY is not set to a key of minisign",
                &[],
            )
            .told(ko, en, &[&named])?;
        let (text, signature) = read(&named, place).told(ko, en, &[&named])?;
        let signed = signature::checked(&text, Some(&signature), std::slice::from_ref(&key)).told(ko, en, &[&named])?;
        Self::of(&text, &signed, place).told(ko, en, &[&named]).map(Some)
    }

    fn of(text: &[u8], signed: &SignedBy, place: &Place) -> anyhow::Result<Self> {
        let text = str::from_utf8(text).told("텍스트가 아닙니다", "it is no text", &[])?;
        let File { serial, expires, providers } = toml::from_str(text)
            .map_err(|error| Told::new("읽을 수 없습니다: {}", "it cannot be read: {}", &[error.message()]))?;
        if let Some(day) = expires {
            let end: Date = day.parse().ok().told(
                "만료일이 날짜가 아닙니다: {}. 예: 2027-06-30",
                "its day {} is none, such as 2027-06-30",
                &[&format!("{day:?}")],
            )?;
            let today = time::timestamp().to_zoned(TimeZone::UTC).date();
            if today >= end {
                bail!(Told::new(
                    "{}에 만료되었습니다. 만든 사람이 다시 서명해야 합니다",
                    "it has expired on {}: its author has to sign it anew",
                    &[&end.to_string()],
                ));
            }
        }
        remember(serial, &signed.signer, &place.state)?;
        Ok(Self { entries: providers })
    }

    /// Returns what a name stands for.
    pub(super) fn find(&self, name: &str) -> Option<Entry> {
        self.entries.iter().find(|entry| entry.name == name).cloned()
    }

    /// Returns the entries that hold all of these words, in capitals or not.
    pub(super) fn search(&self, words: &[String]) -> Vec<Entry> {
        let holds = |entry: &&Entry| {
            let text = format!("{} {}", entry.name, entry.about).to_lowercase();
            words.iter().all(|word| text.contains(&word.to_lowercase()))
        };
        self.entries.iter().filter(holds).cloned().collect()
    }
}

impl Entry {
    /// Fetches the component, which must be the one that the index means.
    pub(super) fn pull(&self, place: &Place) -> anyhow::Result<Fetched> {
        let fetched = self.reference()?.pull(place)?;
        let sha256 = Digest::of(&fetched.wasm).to_string();
        if sha256 != self.sha256.to_lowercase() {
            return Told::err(
                "색인이 가리키는 컴포넌트가 아닙니다. 받은 것의 SHA-256: {}",
                "it is another component than the index means: its SHA-256 is {}",
                &[&sha256],
            );
        }
        Ok(fetched)
    }

    fn reference(&self) -> anyhow::Result<Reference> {
        if !self.component.starts_with(Reference::SCHEME) {
            return Told::err(
                "색인에 레지스트리의 위치가 없습니다: {}",
                "the index names no place in a registry for it: {}",
                &[&self.component],
            );
        }
        Ok(self.component.parse()?)
    }

    /// Returns who must have signed it, if the index says so.
    pub(super) fn signer(&self) -> anyhow::Result<Option<Signer>> {
        let parse = |key: &String| {
            Signer::parse(key).told(
                "색인에 적힌 것이 minisign 키가 아닙니다: {}",
                "the index has no key of minisign for it: {}",
                &[key],
            )
        };
        self.signer.as_ref().map(parse).transpose()
    }

    /// Returns whether something that was installed from a reference comes from the same repository.
    pub(super) fn is_of(&self, reference: &str) -> bool {
        repository(&self.component) == repository(reference)
    }
}

impl Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.component)
    }
}

/// Returns a reference without its tag and digest.
fn repository(reference: &str) -> &str {
    let reference = reference.split('@').next().unwrap_or_default();
    match reference.rsplit_once(':') {
        Some((repository, tag)) if !tag.contains('/') => repository,
        _ => reference,
    }
}

/// Reads the index and its signature, which lies beside it with `.minisig` behind its name.
fn read(named: &str, place: &Place) -> anyhow::Result<(Vec<u8>, String)> {
    if let Some(path) = named.strip_prefix('/').map(|_| Path::new(named)) {
        let text = fs::read(path).told("파일을 읽을 수 없습니다", "its file cannot be read", &[])?;
        if text.len() > MAX_BYTES {
            return Err(too_large().into());
        }
        return Ok((text, signature::beside(path)?.told("서명이 없습니다", "it is not signed", &[])?));
    }
    if named.contains(['?', '#']) {
        return Told::err("URL에는 경로까지만 적을 수 있습니다", "its URL has more than a path", &[]);
    }
    let network = Arc::new(account::network(&Settings::of(&place.table)?)?);
    let runtime = crate::runtime::runtime()?;
    let get = |url: String| -> anyhow::Result<Vec<u8>> {
        let endpoint = Endpoint::new(Arc::clone(&network), Secret::new(&url)).map_err(|_| {
            Told::new(
                "파일의 전체 경로도 http나 https URL도 아닙니다",
                "it is neither the whole path of a file nor an http or https URL",
                &[],
            )
        })?;
        let reply = runtime.block_on(endpoint.get(WITHIN))?;
        if reply.status != 200 {
            let status = reply.status.to_string();
            bail!(Told::new("{}: 응답 상태 {}", "{} answered with the status {}", &[&url, &status]));
        }
        if reply.body.len() > MAX_BYTES {
            return Err(too_large().into());
        }
        Ok(reply.body.to_vec())
    };
    let (text, signature) = (get(named.to_owned())?, get(format!("{named}.minisig"))?);
    Ok((text, String::from_utf8(signature).ok().told("서명이 텍스트가 아닙니다", "its signature is no text", &[])?))
}

fn too_large() -> Told {
    Told::new("{}바이트가 넘습니다", "it has more than {} bytes", &[&MAX_BYTES.to_string()])
}

/// Keeps the serial of an index, and refuses one that is older than what was seen before.
fn remember(serial: u64, key: &str, state: &Path) -> anyhow::Result<()> {
    let state = StateDir::open(state)?;
    let path = state.path().join(SERIALS);
    let kept = found(fs::read(&path)).not_read(&path)?;
    let serials = kept.map(|kept| serde_json::from_slice::<BTreeMap<String, u64>>(&kept)).transpose();
    let mut serials = serials
        .told(
            "읽을 수 없습니다: {}. 지금의 색인을 믿으면 지워 주세요",
            "{} cannot be read; remove it if you trust the index as it is now",
            &[&path.display().to_string()],
        )?
        .unwrap_or_default();
    let newest = serials.entry(key.to_owned()).or_default();
    if serial < *newest {
        bail!(Told::new(
            "전보다 오래된 것입니다(serial {}, 전에는 {})",
            "it is older (serial {}) than what was here before ({})",
            &[&serial.to_string(), &newest.to_string()],
        ));
    }
    if serial == *newest {
        return Ok(());
    }
    *newest = serial;
    let text = serde_json::to_string(&serials)?;
    replace(&path, &text).not_written(&path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repository_is_a_reference_without_tag_and_digest() {
        for (reference, expected) in [
            ("oci://ghcr.io/ann/acme:1.0.0", "oci://ghcr.io/ann/acme"),
            ("oci://localhost:5000/acme", "oci://localhost:5000/acme"),
            ("oci://localhost:5000/acme:1", "oci://localhost:5000/acme"),
            ("oci://ghcr.io/ann/acme:1@sha256:00", "oci://ghcr.io/ann/acme"),
            ("oci://ghcr.io/ann/acme@sha256:00", "oci://ghcr.io/ann/acme"),
        ] {
            assert_eq!(repository(reference), expected);
        }
    }
}
