//! The words of errors for people: in English their `Display`, in Korean a sentence that is chosen by their type. This is the
//! one place where errors of other crates get their Korean sentences. A command of this program words an error itself, in both
//! languages: a [`Told`](crate::told::Told).
//!
//! | a cause | in Korean |
//! |---|---|
//! | an error of a type that is listed in [`SENTENCES`] | its sentence |
//! | an error of the system, of SQLite, of a parser or of a server | quoted as it is |
//! | any other | none, and the whole error is told in English: half a sentence in another language helps nobody |
//!
//! A Korean particle depends on the sound before it, so none stands behind a value.

mod gateway;
mod own;
mod plugin;
mod state;

use std::error::Error;
use std::io;

use dmplz_core::text::Lang;
use dmplz_gateway::DiskError;
use dmplz_state::store::{RestoreError, StoreError};

use crate::told::Phrase;
use crate::trouble::chain;

/// Returns an error with its causes for a person: in Korean where every part of it has Korean words, otherwise in English. Also
/// the language, for what is said beside it.
pub(crate) fn words(error: &anyhow::Error, lang: Lang) -> (String, Lang) {
    let korean = match lang {
        Lang::Ko => in_korean(error),
        Lang::En => None,
    };
    korean.map_or_else(|| (chain(error), Lang::En), |korean| (korean, Lang::Ko))
}

/// Returns one error, without its causes, in both languages; in English for both if it has no Korean words.
pub(crate) fn phrase(error: &(dyn Error + 'static)) -> Phrase {
    let english = error.to_string();
    [sentence(error).map_or_else(|| english.clone(), |korean| korean.words), english].into()
}

/// Returns an error with its causes in both languages; in English for both if a part of it has no Korean words.
pub(crate) fn whole(error: &anyhow::Error) -> Phrase {
    let english = chain(error);
    [in_korean(error).unwrap_or_else(|| english.clone()), english].into()
}

/// Returns an error with its causes in Korean; `None` if one of them has no Korean words.
fn in_korean(error: &anyhow::Error) -> Option<String> {
    let mut words = Vec::new();
    let mut quotes = false;
    for cause in error.chain() {
        if quotes {
            words.push(cause.to_string());
            continue;
        }
        let sentence = sentence(cause)?;
        quotes = sentence.quotes;
        words.push(sentence.words);
    }
    Some(words.join(": "))
}

/// What one error says, without its causes.
struct Sentence {
    words: String,
    /// Whether the causes below it are not this program's: they are quoted.
    quotes: bool,
}

/// Returns the sentence of an error of one type; `None` if it is of another, or has no Korean words.
type Row = fn(Cause<'_>) -> Option<Sentence>;

/// The sentences, in a row for each type of error.
const SENTENCES: &[Row] = &[
    |error| error.told(own::told),
    |error| error.told(gateway::gateway),
    |error| error.told(gateway::refused),
    |error| error.told(gateway::known),
    |error| error.told(gateway::not_taken),
    |error| error.told(own::id),
    |error| error.told(own::session_refused),
    |error| error.told(own::settings),
    |error| error.told(own::not_chosen),
    |error| error.told(own::nobody_may_answer),
    |error| error.told(own::hook_input),
    |error| error.told(own::event),
    |error| error.told(own::unreadable),
    |error| error.told(own::settings_file),
    |error| error.told(state::dir),
    |error| error.told(state::file),
    |error| error.told(state::instance),
    |error| error.told(state::providers),
    |error| error.told(state::grants),
    |error| error.told(state::trust),
    |error| error.told(state::queue),
    |error| error.told(state::journal),
    |error| {
        error.quoting::<StoreError>(|error| Some(state::store(error)), |error| !matches!(error, StoreError::Head(_)))
    },
    |error| error.told(state::head),
    |error| error.quoting::<RestoreError>(|error| Some(state::restore(error)), |_| true),
    |error| error.quoting::<DiskError>(gateway::disk, |_| true),
    |error| error.told(plugin::outline),
    |error| error.told(plugin::import),
    |error| error.tried(plugin::load),
    |error| error.told(plugin::endpoint),
    |error| error.told(plugin::proxy),
    |error| error.told(plugin::messenger),
    |error| error.tried(plugin::start),
    |error| error.tried(of_the_system),
    |error| error.told(serde_json::Error::to_string),
];

/// Returns the sentence of one error without its causes.
fn sentence(error: &(dyn Error + 'static)) -> Option<Sentence> {
    SENTENCES.iter().find_map(|row| row(Cause(error)))
}

/// Quotes an error of the system. One that this program gave to the standard library is not the system's.
fn of_the_system(error: &io::Error) -> Option<String> {
    let ours = matches!(error.kind(), io::ErrorKind::Other | io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput);
    match error.get_ref() {
        Some(inner) => sentence(inner).map(|inner| inner.words).or_else(|| (!ours).then(|| error.to_string())),
        None => Some(error.to_string()),
    }
}

/// An error whose type is looked for.
#[derive(Clone, Copy)]
struct Cause<'a>(&'a (dyn Error + 'static));

impl Cause<'_> {
    /// Returns the sentence of an error of this type.
    fn told<E: Error + 'static>(self, words: fn(&E) -> String) -> Option<Sentence> {
        self.0.downcast_ref::<E>().map(|error| Sentence { words: words(error), quotes: false })
    }

    /// Returns the sentence of an error of this type, if it has any.
    fn tried<E: Error + 'static>(self, words: fn(&E) -> Option<String>) -> Option<Sentence> {
        self.quoting(words, |_| false)
    }

    /// Returns the sentence of an error of this type, if it has any, and whether its causes are quoted.
    fn quoting<E: Error + 'static>(self, words: fn(&E) -> Option<String>, quotes: fn(&E) -> bool) -> Option<Sentence> {
        let error = self.0.downcast_ref::<E>()?;
        Some(Sentence { words: words(error)?, quotes: quotes(error) })
    }
}

#[cfg(test)]
mod tests;
