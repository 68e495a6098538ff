//! The real binary, driven as Claude Code drives it, over every messenger. Each file is about one promise.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests: what is not as it should be fails loudly"
)]

use std::process::ExitCode;

use dmplz_e2e::{Chat, Home, PLACES, Place};
use libtest_mimic::{Arguments, Trial};

/// Makes `tests()`, the list of a file's tests. The word before them names the function below that says where they run.
macro_rules! tests {
    ($($how:ident: $($test:ident),+;)+) => {
        pub(crate) fn tests() -> Vec<libtest_mimic::Trial> {
            let mut trials = Vec::new();
            $($(trials.extend(crate::$how(module_path!(), stringify!($test), $test));)+)+
            trials
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

/// So many run at a time unless the command line says otherwise: they hardly compute, they wait.
const AT_A_TIME: usize = 12;

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    arguments.test_threads.get_or_insert(AT_A_TIME);
    let tests = [
        answers::tests(),
        bad_days::tests(),
        elsewhere::tests(),
        gateway::tests(),
        gateway::broken::tests(),
        gateway::gone::tests(),
        gateway::grants::tests(),
        gateway::messengers::tests(),
        gateway::sessions::tests(),
        gateway::supervised::tests(),
        grants::tests(),
        hostile::tests(),
        killed::tests(),
        logging::tests(),
        offers::tests(),
        people::tests(),
        providers::tests(),
        requests::tests(),
        rules::tests(),
        settings::tests(),
        together::tests(),
        words::tests(),
    ];
    libtest_mimic::run(&arguments, tests.into_iter().flatten().collect()).exit_code()
}

/// A home whose requests go to this chat.
fn home(chat: &Chat) -> Home {
    Home::new(env!("CARGO_BIN_EXE_dmplz"), chat)
}

/// A home without a messenger.
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

fn in_discord_channel(module: &str, name: &str, test: fn(Chat)) -> Vec<Trial> {
    vec![trial(module, "discord_channel", name, Chat::discord_group, test)]
}

fn in_private_telegram_group(module: &str, name: &str, test: fn(Chat)) -> Vec<Trial> {
    vec![trial(module, "telegram_group", name, Chat::telegram_group_with_privacy, test)]
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
