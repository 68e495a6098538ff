//! The capability `store`: a few keys and values of one account, kept by the host between processes.

use std::collections::BTreeMap;
use std::io;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::Storage;
use crate::bindings::store::{Error, Host};
use crate::state::State;

/// The most bytes of all keys and values of an account together.
const ROOM: usize = 64 << 10;
/// The longest key, in bytes.
const KEY: usize = 64;
/// How often one export may set a value: each of them writes a file.
const SETS: usize = 64;

/// The values of an account, by their keys.
type Values = BTreeMap<String, Vec<u8>>;

impl Host for State {
    async fn get(&mut self, key: String) -> wasmtime::Result<Result<Option<Vec<u8>>, Error>> {
        self.turn(key.len()).await?;
        let found = self.storage(&key).and_then(|storage| storage.read().map_err(unavailable));
        let found = found.map(|text| parse(&text).remove(&key));
        self.turn(found.as_ref().ok().and_then(Option::as_ref).map_or(0, Vec::len)).await?;
        Ok(found)
    }

    async fn set(&mut self, key: String, value: Option<Vec<u8>>) -> wasmtime::Result<Result<(), Error>> {
        self.turn(key.len() + value.as_ref().map_or(0, Vec::len)).await?;
        self.call.sets += 1;
        Ok(if self.call.sets > SETS { Err(Error::Full) } else { self.change(&key, value) })
    }
}

impl State {
    fn change(&self, key: &str, mut value: Option<Vec<u8>>) -> Result<(), Error> {
        let mut is_full = false;
        let changed = self.storage(key)?.update(&mut |text| {
            let mut values = parse(text);
            match value.take() {
                Some(value) => drop(values.insert(key.to_owned(), value)),
                None => drop(values.remove(key)),
            }
            is_full = values.iter().map(|(key, value)| key.len() + value.len()).sum::<usize>() > ROOM;
            (!is_full).then(|| written(&values))
        });
        changed.map_err(unavailable)?;
        if is_full { Err(Error::Full) } else { Ok(()) }
    }

    /// The store of the account, if the key is one.
    fn storage(&self, key: &str) -> Result<&dyn Storage, Error> {
        let is_key = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
        if key.is_empty() || key.len() > KEY || !key.bytes().all(is_key) {
            return Err(Error::BadKey);
        }
        let access =
            self.access.as_ref().ok_or_else(|| Error::Unavailable(Some("there is no account yet".to_owned())))?;
        access.storage.as_deref().ok_or_else(|| Error::Unavailable(Some("this host keeps nothing".to_owned())))
    }
}

/// A text that this did not write holds nothing.
fn parse(text: &str) -> Values {
    let kept: BTreeMap<String, String> = serde_json::from_str(text).unwrap_or_default();
    kept.into_iter().filter_map(|(key, value)| Some((key, STANDARD.decode(value).ok()?))).collect()
}

fn written(values: &Values) -> String {
    let kept: BTreeMap<&String, String> = values.iter().map(|(key, value)| (key, STANDARD.encode(value))).collect();
    serde_json::to_string(&kept).unwrap_or_default()
}

fn unavailable(error: io::Error) -> Error {
    Error::Unavailable(Some(error.to_string()))
}
