//! The real binary, driven as Claude Code drives it, over every messenger. Each file is about one promise.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests: what is not as it should be fails loudly"
)]

use std::collections::HashSet;
use std::process::ExitCode;

use dmplz_e2e::{Chat, Home, PLACES, Place};
use libtest_mimic::{Arguments, Trial};

/// The tests of one file.
struct Cases {
    /// The names of its cases, whether or not a chat runs them.
    names: &'static [&'static str],
    /// A test per case and chat that the case runs in.
    tests: Vec<Trial>,
}

/// Defines `cases()`, which returns the [`Cases`] of a file. The word before a list of cases names the function below that
/// chooses the chats in which they run.
macro_rules! tests {
    ($($how:ident: $($test:ident),+;)+) => {
        pub(crate) fn cases() -> crate::Cases {
            let mut tests = Vec::new();
            $($(tests.extend(crate::$how(module_path!(), stringify!($test), $test));)+)+
            crate::Cases { names: &[$($(stringify!($test)),+),+], tests }
        }
    };
}

mod answers;
mod bad_days;
mod elsewhere;
mod gateway;
mod grants;
mod hostile;
mod killed;
mod logging;
mod offers;
mod people;
mod providers;
mod requests;
mod rules;
mod settings;
mod together;
mod words;

/// The number of tests that run at a time unless the command line names another. It exceeds the number of processors
/// because the tests mostly wait.
const AT_A_TIME: usize = 12;

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    arguments.test_threads.get_or_insert(AT_A_TIME);
    let files = [
        answers::cases(),
        bad_days::cases(),
        elsewhere::cases(),
        gateway::cases(),
        gateway::broken::cases(),
        gateway::files::cases(),
        gateway::gone::cases(),
        gateway::grants::cases(),
        gateway::lead::cases(),
        gateway::messengers::cases(),
        gateway::sessions::cases(),
        gateway::supervised::cases(),
        gateway::topics::cases(),
        gateway::unasked::cases(),
        grants::cases(),
        hostile::cases(),
        killed::cases(),
        logging::cases(),
        offers::cases(),
        people::cases(),
        providers::cases(),
        requests::cases(),
        rules::cases(),
        settings::cases(),
        together::cases(),
        words::cases(),
    ];
    let mut tests = lacks(&files);
    tests.extend(files.into_iter().flat_map(|cases| cases.tests));
    libtest_mimic::run(&arguments, tests).exit_code()
}

/// Returns a test per kind of chat that fails where its `lacks` names no case: a misspelt name would exclude nothing, and
/// nobody would notice.
fn lacks(files: &[Cases]) -> Vec<Trial> {
    let known: HashSet<&str> = files.iter().flat_map(|cases| cases.names).copied().collect();
    let check = |place: &Place| {
        let unknown: Vec<&str> =
            place.lacks.iter().map(|(case, _)| *case).filter(|case| !known.contains(case)).collect();
        Trial::test(format!("lacks::{}::every_name_is_a_case", place.name), move || match unknown.as_slice() {
            [] => Ok(()),
            unknown => Err(format!("no case has this name: {}", unknown.join(", ")).into()),
        })
    };
    PLACES.iter().copied().flatten().map(check).collect()
}

/// Returns a home whose requests go to this chat.
fn home(chat: &Chat) -> Home {
    Home::new(env!("CARGO_BIN_EXE_dmplz"), chat)
}

/// Returns a home without a messenger.
fn bare_home() -> Home {
    Home::bare(env!("CARGO_BIN_EXE_dmplz"))
}

fn on_each(module: &str, name: &str, test: fn(Chat)) -> Vec<Trial> {
    in_places(module, name, test, |place| place.is_private && place.is_for_hooks)
}

fn in_each_group(module: &str, name: &str, test: fn(Chat)) -> Vec<Trial> {
    in_places(module, name, test, |place| !place.is_private && place.is_for_hooks)
}

fn with_buttons(module: &str, name: &str, test: fn(Chat)) -> Vec<Trial> {
    in_places(module, name, test, |place| place.is_private && place.has_buttons)
}

fn by_buttons_alone(module: &str, name: &str, test: fn(Chat)) -> Vec<Trial> {
    in_places(module, name, test, |place| place.is_private && place.has_buttons && place.is_for_hooks)
}

fn in_groups_with_buttons(module: &str, name: &str, test: fn(Chat)) -> Vec<Trial> {
    in_places(module, name, test, |place| !place.is_private && place.has_buttons)
}

fn in_places(module: &str, name: &str, test: fn(Chat), fits: fn(&Place) -> bool) -> Vec<Trial> {
    let has = |place: &&Place| !place.lacks.iter().any(|(case, _)| *case == name);
    let places = PLACES.iter().copied().flatten().filter(|place| fits(place)).filter(has);
    places.map(|place| trial(module, place.name, name, place.open, test)).collect()
}

fn on_telegram(module: &str, name: &str, test: fn(Chat)) -> Vec<Trial> {
    vec![trial(module, "telegram", name, Chat::telegram, test)]
}

fn on_discord(module: &str, name: &str, test: fn(Chat)) -> Vec<Trial> {
    vec![trial(module, "discord", name, Chat::discord, test)]
}

fn on_discord_by_buttons(module: &str, name: &str, test: fn(Chat)) -> Vec<Trial> {
    vec![trial(module, "discord_buttons", name, Chat::discord_with_buttons, test)]
}

fn in_discord_channel(module: &str, name: &str, test: fn(Chat)) -> Vec<Trial> {
    vec![trial(module, "discord_channel", name, Chat::discord_group, test)]
}

fn in_discord_channel_with_buttons(module: &str, name: &str, test: fn(Chat)) -> Vec<Trial> {
    vec![trial(module, "discord_channel_buttons", name, Chat::discord_group_with_buttons, test)]
}

fn in_private_telegram_group(module: &str, name: &str, test: fn(Chat)) -> Vec<Trial> {
    vec![trial(module, "telegram_group", name, Chat::telegram_group_with_privacy, test)]
}

fn in_telegram_topics(module: &str, name: &str, test: fn(Chat)) -> Vec<Trial> {
    let private = trial(module, "telegram_topics", name, Chat::telegram_topics, test);
    vec![private, trial(module, "telegram_forum", name, Chat::telegram_forum, test)]
}

fn once(module: &str, name: &str, test: fn()) -> Vec<Trial> {
    vec![trial(module, "alone", name, || (), move |()| test())]
}

fn trial<P>(module: &str, place: &str, name: &str, open: fn() -> P, test: impl FnOnce(P) + Send + 'static) -> Trial
where
    P: 'static,
{
    let module = module.rsplit("::").next().unwrap_or(module);
    Trial::test(format!("{module}::{place}::{name}"), move || {
        test(open());
        Ok(())
    })
}
