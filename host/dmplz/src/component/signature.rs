//! Signatures of components, as [minisign](https://jedisct1.github.io/minisign/) makes them: `acme.wasm.minisig` beside `acme.wasm`.
//!
//! Minisign, because one short key, which people can read to each other, checks a signature without a network. Sigstore needs a network,
//! or a root of trust that has to be kept up to date.

use std::fmt::{self, Display};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use dmplz_state::{InstalledProvider, SignedBy, found};
use minisign_verify::{Error, PublicKey, Signature};
use serde::Serialize;

use crate::told::{Phrase, Tell, Told};

/// The largest signature or key file that is read, in bytes. Minisign's comments have at most 8 KiB.
const MAX_BYTES: u64 = 16 << 10;

/// Somebody who signs components: a public key of minisign.
#[derive(Debug, Clone)]
pub(crate) struct Signer {
    /// The key's line in its `.pub` file.
    text: String,
    key: PublicKey,
}

/// A component that was read from where it is, and the text of its signature.
pub(crate) struct Fetched {
    pub(crate) wasm: Vec<u8>,
    pub(crate) signature: Option<String>,
}

impl Signer {
    /// Parses a key's line.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        PublicKey::from_base64(text).ok().map(|key| Self { text: text.to_owned(), key })
    }

    /// Returns the signer that an argument names: a key's line, or the `.pub` file that holds it.
    pub(crate) fn named(argument: &str) -> anyhow::Result<Self> {
        let line = if argument.ends_with(".pub") {
            let text = read(Path::new(argument)).told(
                "키를 읽을 수 없습니다: {}",
                "the key {} cannot be read",
                &[argument],
            )?;
            text.lines().nth(1).unwrap_or_default().to_owned()
        } else {
            argument.to_owned()
        };
        Self::parse(&line).told(
            "minisign 키가 아닙니다: {}. RW로 시작하는 줄이나 그 줄이 든 .pub 파일을 적어 주세요",
            "{} is no key of minisign: give the line that begins with RW, or the .pub file that holds it",
            &[argument],
        )
    }
}

impl Display for Signer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Reads the signature beside a component; `None` if there is none.
pub(crate) fn beside(component: &Path) -> anyhow::Result<Option<String>> {
    let mut path = component.as_os_str().to_owned();
    path.push(".minisig");
    let path = PathBuf::from(path);
    found(read(&path)).not_read(&path)
}

fn read(path: &Path) -> std::io::Result<String> {
    let mut text = String::new();
    File::open(path)?.take(MAX_BYTES).read_to_string(&mut text)?;
    Ok(text)
}

/// Returns who of these signed a component. An error says why none of them did.
pub(crate) fn checked(wasm: &[u8], signature: Option<&str>, signers: &[Signer]) -> anyhow::Result<SignedBy> {
    let text = signature.told("서명이 없습니다", "it is not signed", &[])?;
    let signature = Signature::decode(text).ok().told(
        "서명이 minisign 서명이 아닙니다",
        "its signature is no signature of minisign",
        &[],
    )?;
    let mut why = ["다른 키로 서명했습니다", "it is signed with another key"];
    for signer in signers {
        match signer.key.verify(wasm, &signature, false) {
            Ok(()) => return Ok(SignedBy { signer: signer.text.clone(), signature: text.to_owned() }),
            Err(Error::UnexpectedKeyId) => {}
            Err(Error::UnexpectedAlgorithm) => {
                why = [
                    "서명이 옛 형식입니다. minisign 0.10 이상으로 서명해 주세요",
                    "its signature has the old format: sign it with minisign 0.10 or later",
                ];
            }
            Err(_) => {
                why = [
                    "서명이 맞지 않습니다. 서명한 뒤에 바뀌었습니다",
                    "its signature does not match: it was changed after it was signed",
                ];
            }
        }
    }
    Err(Told::from(Phrase::from(why)).into())
}

/// What is known of a component's signature.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub(crate) enum Signed {
    /// There is none.
    No,
    /// There is one, and no key to check it with.
    Unchecked,
    /// It is valid.
    Yes {
        /// The signer's key.
        signer: String,
        /// What the signer wrote into it: often a time and the file's name.
        comment: String,
    },
    /// There is one, and it is not valid, or is of somebody else.
    Wrong {
        /// The reason, as a clause.
        why: String,
    },
}

impl Signed {
    /// Checks the signature of a component against those whose signature counts.
    pub(crate) fn of(wasm: &[u8], signature: Option<&str>, signers: &[Signer]) -> Self {
        match (signature, signers) {
            (None, _) => Self::No,
            (Some(_), []) => Self::Unchecked,
            (Some(_), _) => match checked(wasm, signature, signers) {
                Ok(SignedBy { signer, signature }) => {
                    let comment = Signature::decode(&signature).map(|it| it.trusted_comment().to_owned());
                    Self::Yes { signer, comment: comment.unwrap_or_default() }
                }
                Err(error) => Self::Wrong { why: error.to_string() },
            },
        }
    }
}

/// Checks the signature of an installed component again.
pub(crate) fn of_installed(provider: &InstalledProvider, wasm: &[u8]) -> Signed {
    let Some(SignedBy { signer, signature }) = &provider.signed else { return Signed::No };
    Signed::of(wasm, Some(signature), &Signer::parse(signer).into_iter().collect::<Vec<_>>())
}

#[cfg(test)]
pub(super) mod tests;
