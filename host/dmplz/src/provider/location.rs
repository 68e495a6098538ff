//! Where a component is that is looked at before it is installed: in a file, in a registry, or where the index says that its name is.

use std::fmt::{self, Display};
use std::path::PathBuf;
use std::str::FromStr;

use super::Place;
use super::index::{Entry, Index};
use super::registry::Reference;
use crate::component::signature::{self, Fetched, Signer};
use crate::told::{Tell, Told};

/// Where a component is.
#[derive(Debug, Clone)]
pub(super) enum Location {
    File(PathBuf),
    Registry(Reference),
    Index(Entry),
}

/// Returns whether an argument says where a component is. Otherwise it is the name of a provider.
pub(super) fn is_location(argument: &str) -> bool {
    argument.contains('/') || argument.ends_with(".wasm")
}

impl Location {
    /// Returns where an argument says that a component is: a file or a place in a registry, or a name that the index has; `None` for a name
    /// that it does not have.
    pub(super) fn named(argument: &str, place: &Place) -> anyhow::Result<Option<Self>> {
        if is_location(argument) {
            return argument.parse().map(Some);
        }
        let entry = Index::fetch(place)?.and_then(|index| index.find(argument));
        Ok(entry.map(Self::Index))
    }

    /// Returns who must have signed it, if the index says so.
    pub(super) fn signer(&self) -> anyhow::Result<Option<Signer>> {
        let Self::Index(entry) = self else { return Ok(None) };
        entry.signer()
    }

    /// Checks that what is there calls itself as the index does.
    pub(super) fn means(&self, name: &str) -> anyhow::Result<()> {
        match self {
            Self::Index(entry) if entry.name != name => Told::err(
                "색인이 가리키는 프로바이더가 아닙니다: {}",
                "it is another provider than the index means: it is {}",
                &[name],
            ),
            _ => Ok(()),
        }
    }

    /// Reads the component. One of a registry takes as long as the network does, and says on a terminal that it is fetched.
    pub(super) fn fetch(&self, place: &Place) -> anyhow::Result<Fetched> {
        match self {
            Self::File(file) => Ok(Fetched { wasm: dmplz_plugin::read(file)?, signature: signature::beside(file)? }),
            Self::Registry(reference) => reference.pull(place),
            Self::Index(entry) => entry.pull(place),
        }
    }

    /// Returns what an installed provider keeps of it, by which an update finds it again.
    pub(super) fn kept(&self) -> Option<String> {
        (!matches!(self, Self::File(_))).then(|| self.to_string())
    }
}

impl FromStr for Location {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        if text.starts_with(Reference::SCHEME) {
            return text.parse::<Reference>().map(Self::Registry).told(
                "레지스트리의 컴포넌트를 가리키지 않습니다: {}",
                "{} names no component in a registry",
                &[text],
            );
        }
        Ok(Self::File(PathBuf::from(text)))
    }
}

impl Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(file) => file.display().fmt(f),
            Self::Registry(reference) => reference.fmt(f),
            Self::Index(entry) => entry.fmt(f),
        }
    }
}
