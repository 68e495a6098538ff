//! What a setting is.

use std::borrow::Cow;

use dmplz_bundled::Messenger;
use dmplz_core::text::Lang;

/// One setting.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spec {
    /// The environment variable; in `config.toml` the same in lower case without `DMPLZ_`.
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    /// Used when nothing is set.
    pub(crate) default: Option<&'static str>,
    help: Help,
}

/// What a setting is, in one line.
#[derive(Debug, Clone, Copy)]
pub(super) enum Help {
    /// Korean and English.
    Words([&'static str; 2]),
    /// Made of what is bundled.
    Made(fn(Lang) -> String),
    /// Made of what a messenger says of itself.
    OfMessenger(&'static Messenger, fn(&Messenger, Lang) -> String),
}

/// What a setting takes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    /// Never shown.
    Secret,
    Text,
    /// An absolute path or one that begins with `~/`.
    Path,
    /// A whole number in this range.
    Number(u64, u64),
    /// Values between commas.
    List,
    /// One of these words.
    Word(&'static [&'static str]),
    /// `auto`, or a transport of this messenger.
    Transport(&'static Messenger),
    /// `http` or `https`.
    Url,
    /// `ws` or `wss`.
    SocketUrl,
}

impl Spec {
    /// Whether its value may never be seen.
    pub(crate) fn is_secret(&self) -> bool {
        matches!(self.kind, Kind::Secret)
    }

    /// One line that says what it is.
    pub(crate) fn help(&self, lang: Lang) -> Cow<'static, str> {
        match (self.help, lang) {
            (Help::Words([ko, _]), Lang::Ko) => ko.into(),
            (Help::Words([_, en]), Lang::En) => en.into(),
            (Help::Made(help), lang) => help(lang).into(),
            (Help::OfMessenger(messenger, help), lang) => help(messenger, lang).into(),
        }
    }
}

impl Spec {
    pub(super) const fn new(name: &'static str, kind: Kind, default: Option<&'static str>, help: Help) -> Self {
        Self { name, kind, default, help }
    }
}
