//! The description of a setting.

use std::borrow::Cow;

use dmplz_bundled::Messenger;
use dmplz_core::text::Lang;

use crate::duration::Unit;

/// One setting.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spec {
    /// The environment variable. In `config.toml` the key is the same in lower case, without `DMPLZ_`.
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    /// The value that is used if nothing is set.
    pub(crate) default: Option<&'static str>,
    help: Help,
}

/// The one-line help of a setting.
#[derive(Debug, Clone, Copy)]
pub(super) enum Help {
    /// Korean and English texts.
    Words([&'static str; 2]),
    /// A text computed from the list of bundled messengers.
    Made(fn(Lang) -> String),
    /// A text taken from a messenger's manifest.
    OfMessenger(&'static Messenger, fn(&Messenger, Lang) -> String),
}

/// The type of a setting.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    /// A text that is never shown.
    Secret,
    Text,
    /// An absolute path or one that begins with `~/`.
    Path,
    /// A whole number in this range.
    Number(u64, u64),
    /// A duration in this range; a number alone, and the bounds, count this unit.
    Duration(u64, u64, Unit),
    /// Values separated by commas.
    List,
    /// One of these words.
    Word(&'static [&'static str]),
    /// `auto`, or a transport of this messenger.
    Transport(&'static Messenger),
    /// An `http` or `https` URL.
    Url,
    /// A `ws` or `wss` URL.
    SocketUrl,
}

impl Spec {
    pub(super) const fn new(name: &'static str, kind: Kind, default: Option<&'static str>, help: Help) -> Self {
        Self { name, kind, default, help }
    }

    /// Returns whether its value must never be shown.
    pub(crate) fn is_secret(&self) -> bool {
        matches!(self.kind, Kind::Secret)
    }

    /// Returns the one-line help.
    pub(crate) fn help(&self, lang: Lang) -> Cow<'static, str> {
        match (self.help, lang) {
            (Help::Words([ko, _]), Lang::Ko) => ko.into(),
            (Help::Words([_, en]), Lang::En) => en.into(),
            (Help::Made(help), lang) => help(lang).into(),
            (Help::OfMessenger(messenger, help), lang) => help(messenger, lang).into(),
        }
    }
}
