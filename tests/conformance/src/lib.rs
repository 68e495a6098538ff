//! Runs the same cases over every provider: the embedded component, in its sandbox, against a server on loopback that
//! imitates the platform.
//!
//! A [`Platform`] translates the general terms of a case to those of one messenger: what people see, how they answer,
//! and what fails. `tests/providers` contains the cases, by the part of the contract that they test. A new provider, or
//! a new transport of one, needs an implementation of [`Platform`] in its messenger's folder:
//! `providers/<messenger>/driver/platform.rs` is a module of this crate, whose `platforms` passes each of them to a
//! [`Visitor`].
//!
//! | platform | people answer by | texts arrive as | a poll is |
//! |---|---|---|---|
//! | [`telegram::Telegram`] | buttons | messages | a request that waits |
//! | [`discord::Discord`] | reactions | messages | a request for each card |
//! | [`discord::DiscordGateway`] | buttons | forms | the events of a persistent connection |
//! | [`slack::Slack`] | buttons | forms | the events of a persistent connection |
//! | [`matrix::Matrix`] | reactions, or typed codes | messages | a request that waits |
//! | [`mattermost::Mattermost`] | reactions | messages | the events of a persistent connection, and requests for what came before |
//! | [`ntfy::Ntfy`] | three buttons at a time, unidentified | messages | requests that the provider spaces itself |
//!
//! Every case runs on all platforms. If a platform lacks a feature, that is one of its constants (`REFUSES_COPIES`,
//! `READS_CHAT`, `PERSISTENT`, ...), and the case checks what is right there instead, for example that texts in a chat
//! that is not read do not arrive. A case that is only about a missing feature does not run on that platform, and
//! `LACKS` gives the reason. A fault that a platform cannot have is skipped ([`Platform::fail`], [`Platform::strike`]):
//! no other program can take Discord's events, and only a persistent connection can be closed.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "test support: a broken fixture should fail loudly"
)]

use std::collections::HashSet;
use std::pin::Pin;

mod asking;
mod bench;
mod cards;
mod people;
mod platform;
mod serving;
mod typed;

/// No case takes longer, whatever goes wrong.
pub const LIMIT: std::time::Duration = std::time::Duration::from_secs(60);

use libtest_mimic::Failed;

pub use libtest_mimic::{Arguments, Trial, run};

pub use asking::{Asking, Office};
pub use bench::{Bench, SOON, watch};
pub use cards::{CHOICES, WRITE, blank, card, choice, code, file, prompt, question, text};
pub use people::{JIN, MINA, Person, ROBOT};
pub use platform::{Doing, Platform, Shown, Trouble};
pub use serving::Keeper;
pub use typed::codes;

include!(concat!(env!("OUT_DIR"), "/platforms.rs"));

/// Is shown every platform, by [`each_platform`].
pub trait Visitor {
    /// Visits one platform. `name` is that of its tests.
    fn visit<P: Platform + 'static>(&mut self, name: &'static str);
}

/// The cases of one file, and a test of each on every platform that has what the case is about.
#[derive(Debug)]
pub struct Cases {
    /// The path of the file's module, from the crate's root.
    pub module: &'static str,
    /// The names of all its cases, whether or not a platform runs them.
    pub names: &'static [&'static str],
    /// The tests of the cases, one per platform.
    pub tests: Vec<Trial>,
}

/// Defines `cases()`, which returns the file's [`Cases`]. A test is named for its file, platform and case:
/// `posting::telegram::a_card_shows_all_its_parts`. A case is an `async fn<P: Platform>(it: &Bench<P>)`, or takes the type
/// after `in` in place of [`Bench`]. The compiler warns of a case that is in no list.
#[macro_export]
macro_rules! every_provider {
    ($($case:ident,)+) => {
        $crate::every_provider! { in Bench: $($case,)+ }
    };
    (in $place:ident: $($case:ident,)+) => {
        pub(crate) fn cases() -> $crate::Cases {
            struct Tests(Vec<$crate::Trial>);

            impl $crate::Visitor for Tests {
                fn visit<P: $crate::Platform + 'static>(&mut self, name: &'static str) {
                    $(if $crate::has::<P>(module_path!(), stringify!($case)) { self.0.push($crate::trial(module_path!(), name, stringify!($case), async || {
                        let place = $crate::$place::<P>::start().await;
                        $case(&place).await;
                        place.finish();
                    })); })+
                }
            }

            let mut tests = Tests(Vec::new());
            $crate::each_platform(&mut tests);
            $crate::Cases { module: module_path!(), names: &[$(stringify!($case)),+], tests: tests.0 }
        }
    };
}

/// Returns the tests of all files, and one per platform that fails where `LACKS` names neither a case nor a file.
pub fn tests(files: Vec<Cases>) -> Vec<Trial> {
    let mut lacks = Lacks { known: HashSet::new(), tests: Vec::new() };
    for Cases { module, names, .. } in &files {
        lacks.known.insert(file_of(module));
        lacks.known.extend(names.iter().copied());
    }
    each_platform(&mut lacks);
    files.into_iter().flat_map(|cases| cases.tests).chain(lacks.tests).collect()
}

/// Checks the names in every platform's `LACKS`: a misspelt one would exclude nothing, and nobody would notice.
struct Lacks {
    known: HashSet<&'static str>,
    tests: Vec<Trial>,
}

impl Visitor for Lacks {
    fn visit<P: Platform + 'static>(&mut self, name: &'static str) {
        let unknown: Vec<&str> =
            P::LACKS.iter().map(|(what, _)| *what).filter(|what| !self.known.contains(what)).collect();
        self.tests.push(Trial::test(format!("lacks::{name}::every_name_is_a_case_or_a_file"), move || {
            match unknown.as_slice() {
                [] => Ok(()),
                unknown => Err(format!("no case and no file has this name: {}", unknown.join(", ")).into()),
            }
        }));
    }
}

/// Returns whether the platform has what the case is about.
pub fn has<P: Platform>(module: &str, case: &str) -> bool {
    let file = file_of(module);
    !P::LACKS.iter().any(|(what, _)| *what == case || *what == file)
}

/// Returns the path of a case's file below the root of the test: `desk::late`.
fn file_of(module: &str) -> &str {
    module.split_once("::").map_or(module, |(_, file)| file)
}

/// Returns the test of a case on a platform, which runs in an asynchronous runtime of its own.
pub fn trial(module: &str, platform: &str, case: &str, run: impl AsyncFnOnce() + Send + 'static) -> Trial {
    Trial::test(format!("{}::{platform}::{case}", file_of(module)), || carry_out(Box::pin(run())))
}

/// Runs a case. Its future is boxed, so that the runtime is compiled once and not for each case of each platform.
fn carry_out(case: Pin<Box<dyn Future<Output = ()> + '_>>) -> Result<(), Failed> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async { tokio::time::timeout(LIMIT, case).await })?;
    Ok(())
}
