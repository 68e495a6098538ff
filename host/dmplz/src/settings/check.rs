//! Checks a value against the type of its setting.

use dmplz_core::text::{Lang, fill};

use super::error::SettingsError;
use super::spec::{Kind, Spec};
use super::{as_shown, messengers};
use crate::duration;
use crate::told::Phrase;

/// Rejects a value that the setting does not take.
pub(super) fn check(spec: &Spec, value: &str) -> Result<(), SettingsError> {
    let bad = |takes: Phrase| Err(SettingsError::bad(spec.name, &as_shown(spec.kind, value), takes));
    match spec.kind {
        Kind::Secret if value.is_empty() || !value.bytes().all(|byte| byte.is_ascii_graphic()) => {
            Err(SettingsError::BadSecret { name: spec.name.to_owned() })
        }
        Kind::Number(least, most) if !value.parse().is_ok_and(|number: u64| (least..=most).contains(&number)) => {
            let bounds = [least.to_string(), most.to_string()];
            let takes = ["{}부터 {}까지의 정수", "a whole number from {} to {}"];
            bad(takes.map(|takes| fill(takes, &bounds.each_ref().map(String::as_str))).into())
        }
        Kind::Duration(least, most, unit) => {
            let (least, most) = (unit.times(least), unit.times(most));
            match duration::read_between(value, least, most, unit) {
                Ok(_) => Ok(()),
                Err(_) => bad([Lang::Ko, Lang::En].map(|lang| duration::takes(least, most, unit, lang)).into()),
            }
        }
        Kind::Word(words) if !words.contains(&value) => bad([" 또는 ", " or "].map(|or| words.join(or)).into()),
        Kind::Transport(messenger)
            if value != "auto" && !messenger.transports.iter().any(|transport| transport.name == value) =>
        {
            let transports: Vec<_> =
                ["auto"].into_iter().chain(messenger.transports.iter().map(|transport| transport.name)).collect();
            bad([" 또는 ", " or "].map(|or| messengers::listed(&transports, or)).into())
        }
        Kind::Path if !value.starts_with('/') && !value.starts_with("~/") => {
            bad(["절대 경로 또는 ~/로 시작하는 경로", "an absolute path, or one from ~/"].into())
        }
        Kind::Url if !value.starts_with("https://") && !value.starts_with("http://") => {
            bad(["http 또는 https URL", "an http or https URL"].into())
        }
        Kind::SocketUrl if !value.starts_with("wss://") && !value.starts_with("ws://") => {
            bad(["wss 또는 ws URL", "a wss or ws URL"].into())
        }
        _ => Ok(()),
    }
}
