//! Every text that people read in a messenger, in Korean and in English.

/// Declares a record with a field for each text, and as `KO` and `EN` the record of each language, so that a language that
/// lacks a text does not compile. A text is written in Korean, then in English. Fields of another type follow as `others`.
macro_rules! texts {
    (
        $(#[$about:meta])*
        $name:ident {
            $($(#[$doc:meta])* $text:ident: $ko:expr, $en:expr;)*
        }
        $(others {
            $($(#[$other_doc:meta])* $other:ident: $type:ty = $other_ko:expr, $other_en:expr;)*
        })?
    ) => {
        $(#[$about])*
        #[derive(Debug)]
        pub struct $name {
            $($(#[$doc])* pub $text: &'static str,)*
            $($($(#[$other_doc])* pub $other: $type,)*)?
        }

        pub(super) const KO: $name = $name { $($text: $ko,)* $($($other: $other_ko,)*)? };
        pub(super) const EN: $name = $name { $($text: $en,)* $($($other: $other_en,)*)? };
    };
}

mod lead;
mod notices;
mod tools;
mod words;

use std::borrow::Cow;

pub use lead::LeadWords;
pub use notices::NoticeWords;
pub use tools::ToolWords;
pub use words::Words;

/// The language of the texts for people: `DMPLZ_LANG`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Lang {
    /// Korean, the default.
    #[default]
    Ko,
    /// English.
    En,
}

crate::named!(Lang { Ko = "ko", En = "en" });

impl Lang {
    /// Returns the texts of the language.
    pub fn words(self) -> &'static Words {
        match self {
            Self::Ko => &words::KO,
            Self::En => &words::EN,
        }
    }

    /// Returns the language of a POSIX locale such as `en_US.UTF-8`; `None` for one that names no language (empty,
    /// `C`, `POSIX`). Any other language is mapped to English.
    pub fn of_locale(locale: &str) -> Option<Self> {
        let language = locale.split(['.', '_', '@', '-']).next().unwrap_or_default();
        match language {
            "" | "C" | "POSIX" => None,
            "ko" => Some(Self::Ko),
            _ => Some(Self::En),
        }
    }

    /// Formats a time limit for people, rounded to a second. Korean shows it in milliseconds.
    pub fn time_limit(self, ms: u64) -> String {
        if self == Self::Ko {
            return format!("{ms}ms");
        }
        let seconds = ms.saturating_add(500) / 1_000;
        let count = |n: u64, unit: &str| format!("{n} {unit}{}", if n == 1 { "" } else { "s" });
        match (seconds / 60, seconds % 60) {
            (0, seconds) => count(seconds, "second"),
            (minutes, 0) => count(minutes, "minute"),
            (minutes, seconds) => format!("{} {}", count(minutes, "minute"), count(seconds, "second")),
        }
    }

    /// Returns the name of a surface for people. A messenger has its [`title`].
    pub fn surface(self, name: &str) -> Cow<'static, str> {
        let words = self.words();
        match name {
            "web" => words.on_web.into(),
            "cli" => words.on_cli.into(),
            "websocket" => "WebSocket".into(),
            "rest" => "REST API".into(),
            messenger => title(messenger).into(),
        }
    }
}

/// Returns a messenger's name for people: its provider's name with a capital first letter.
pub fn title(messenger: &str) -> String {
    let mut letters = messenger.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// Fills the `{}` of a text, in order.
pub fn fill(template: &str, values: &[&str]) -> String {
    let mut values = values.iter();
    let mut pieces = template.split("{}");
    let mut filled = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        filled.push_str(values.next().copied().unwrap_or_default());
        filled.push_str(piece);
    }
    filled
}

/// Returns the length of a text in units: UTF-16 code units, the strictest count among messengers.
pub fn units(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

/// Splits after at most `count` units, between characters.
pub fn split_units(text: &str, count: usize) -> (&str, &str) {
    split_cost(text, count, char::len_utf16)
}

/// Splits after the characters that cost at most `room` together.
pub(crate) fn split_cost(text: &str, room: usize, cost: impl Fn(char) -> usize) -> (&str, &str) {
    let mut spent = 0;
    let at = text.char_indices().find(|(_, c)| {
        spent += cost(*c);
        spent > room
    });
    text.split_at(at.map_or(text.len(), |(at, _)| at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_locale_chooses_the_language_where_it_names_one() {
        for (locale, lang) in [
            ("ko_KR.UTF-8", Some(Lang::Ko)),
            ("ko", Some(Lang::Ko)),
            ("en_US.UTF-8", Some(Lang::En)),
            ("en-GB", Some(Lang::En)),
            ("de_DE@euro", Some(Lang::En)),
            ("kok_IN", Some(Lang::En)),
            ("C.UTF-8", None),
            ("POSIX", None),
            ("", None),
        ] {
            assert_eq!(Lang::of_locale(locale), lang, "{locale}");
        }
    }

    #[test]
    fn a_time_limit_is_words_in_english_and_milliseconds_in_korean() {
        let limits = [400, 1_000, 59_500, 60_000, 61_200, 150_000].map(|ms| Lang::En.time_limit(ms));
        insta::assert_snapshot!(limits.join(", "), @"0 seconds, 1 second, 1 minute, 1 minute, 1 minute 1 second, 2 minutes 30 seconds");
        assert_eq!(Lang::Ko.time_limit(60_000), "60000ms");
    }
}
