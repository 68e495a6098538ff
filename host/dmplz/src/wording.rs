//! The words of errors for people: in English their `Display`, in Korean a sentence that is chosen by their type. This is the
//! one place where errors of all crates get their Korean sentences.
//!
//! | a cause | in Korean |
//! |---|---|
//! | an error of a type that is listed in [`sentence`] | its sentence |
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
    [sentence(error).unwrap_or_else(|| english.clone()), english].into()
}

/// Returns an error with its causes in both languages; in English for both if a part of it has no Korean words.
pub(crate) fn whole(error: &anyhow::Error) -> Phrase {
    let english = chain(error);
    [in_korean(error).unwrap_or_else(|| english.clone()), english].into()
}

/// Returns an error with its causes in Korean; `None` if one of them has no Korean words.
fn in_korean(error: &anyhow::Error) -> Option<String> {
    let mut sentences = Vec::new();
    let mut quotes = false;
    for cause in error.chain() {
        sentences.push(if quotes { cause.to_string() } else { sentence(cause)? });
        quotes |= is_of_others_below(cause);
    }
    Some(sentences.join(": "))
}

/// Returns the sentence of one error without its causes.
fn sentence(error: &(dyn Error + 'static)) -> Option<String> {
    let error = Cause(error);
    error
        .told(own::told)
        .or_else(|| error.told(gateway::gateway))
        .or_else(|| error.told(gateway::refused))
        .or_else(|| error.told(own::id))
        .or_else(|| error.told(own::refusal))
        .or_else(|| error.told(own::settings))
        .or_else(|| error.told(own::not_chosen))
        .or_else(|| error.told(own::nobody_may_answer))
        .or_else(|| error.told(own::unfit))
        .or_else(|| error.told(own::event))
        .or_else(|| error.told(own::unreadable))
        .or_else(|| error.told(own::settings_file))
        .or_else(|| error.told(own::setup))
        .or_else(|| error.told(state::dir))
        .or_else(|| error.told(state::file))
        .or_else(|| error.told(state::instance))
        .or_else(|| error.told(state::providers))
        .or_else(|| error.told(state::grants))
        .or_else(|| error.told(state::trust))
        .or_else(|| error.told(state::queue))
        .or_else(|| error.told(state::journal))
        .or_else(|| error.told(state::store))
        .or_else(|| error.told(state::head))
        .or_else(|| error.told(state::restore))
        .or_else(|| error.tried(gateway::disk))
        .or_else(|| error.told(plugin::outline))
        .or_else(|| error.told(plugin::import))
        .or_else(|| error.tried(plugin::load))
        .or_else(|| error.told(plugin::endpoint))
        .or_else(|| error.told(plugin::proxy))
        .or_else(|| error.told(plugin::messenger))
        .or_else(|| error.tried(plugin::start))
        .or_else(|| error.tried(of_the_system))
        .or_else(|| error.told(serde_json::Error::to_string))
}

/// Returns whether the causes below an error are not this program's: they are quoted.
fn is_of_others_below(error: &(dyn Error + 'static)) -> bool {
    let of_sqlite = error.downcast_ref::<StoreError>().is_some_and(|error| !matches!(error, StoreError::Head(_)));
    of_sqlite || error.is::<DiskError>() || error.is::<RestoreError>()
}

/// Quotes an error of the system. One that this program gave to the standard library is not the system's.
fn of_the_system(error: &io::Error) -> Option<String> {
    let ours = matches!(error.kind(), io::ErrorKind::Other | io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput);
    match error.get_ref() {
        Some(inner) => sentence(inner).or_else(|| (!ours).then(|| error.to_string())),
        None => Some(error.to_string()),
    }
}

/// An error whose type is looked for.
#[derive(Clone, Copy)]
struct Cause<'a>(&'a (dyn Error + 'static));

impl Cause<'_> {
    /// Returns the words for an error of this type.
    fn told<E: Error + 'static>(self, words: fn(&E) -> String) -> Option<String> {
        self.0.downcast_ref::<E>().map(words)
    }

    /// Returns the words for an error of this type, if it has any.
    fn tried<E: Error + 'static>(self, words: fn(&E) -> Option<String>) -> Option<String> {
        self.0.downcast_ref::<E>().and_then(words)
    }
}

#[cfg(test)]
mod tests;
