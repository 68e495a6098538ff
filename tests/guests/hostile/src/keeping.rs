//! The component's use of its store.

use crate::bindings::dmplz::messenger::store::{self, Error};

/// Performs a script of `get KEY`, `set KEY VALUE` and `remove KEY`, separated by `;`. Returns what came of each.
pub(crate) fn follow(script: &str) -> String {
    script.split(';').map(|step| result(step.trim())).collect::<Vec<_>>().join("; ")
}

/// Stores until it is refused: 1 GB in values of 1 MiB, then of 1 KiB. Returns the bytes that were taken.
pub(crate) fn hoard() -> String {
    let mut taken = 0;
    for size in [1 << 20, 1 << 10] {
        let value = vec![7; size];
        for number in 0..1_000 {
            match store::set(&format!("key-{size}-{number}"), Some(&value)) {
                Ok(()) => taken += size,
                Err(_) if size > 1 << 10 => break,
                Err(error) => return format!("{taken} bytes, then {}", words(error)),
            }
        }
    }
    format!("{taken} bytes")
}

fn result(step: &str) -> String {
    let mut words_of = step.splitn(3, ' ');
    let (verb, key) = (words_of.next().unwrap_or_default(), words_of.next().unwrap_or_default());
    let done = match verb {
        "get" => match store::get(key) {
            Ok(Some(value)) => return String::from_utf8_lossy(&value).into_owned(),
            Ok(None) => return "none".to_owned(),
            Err(error) => Err(error),
        },
        "remove" => store::set(key, None),
        _ => store::set(key, Some(words_of.next().unwrap_or_default().as_bytes())),
    };
    done.map_or_else(words, |()| "done".to_owned())
}

fn words(error: Error) -> String {
    match error {
        Error::BadKey => "bad key".to_owned(),
        Error::Full => "full".to_owned(),
        Error::Unavailable(why) => format!("unavailable: {}", why.unwrap_or_default()),
        Error::Other(why) => why.unwrap_or_default(),
    }
}
