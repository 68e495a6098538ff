//! One body of cases, run over every provider: the embedded component, in its sandbox, against a server on loopback that
//! answers as its platform does.
//!
//! A [`Platform`] says in its own terms what a case says in everybody's: what people see, how they answer, what goes
//! wrong. `tests/providers` holds the cases, by the part of the contract that each keeps to. A new provider, or a new transport
//! of one, needs one implementation of [`Platform`], in its messenger's folder: `providers/<messenger>/driver/platform.rs` is a
//! module of this crate, whose `platforms` shows each of them to a [`Visitor`].
//!
//! | platform | people answer by | words come as | a look is |
//! |---|---|---|---|
//! | [`telegram::Telegram`] | buttons | messages | a request that waits |
//! | [`discord::Discord`] | reactions | messages | a request for each card |
//! | [`discord::DiscordGateway`] | buttons | forms | what comes over a connection that is kept |
//! | [`ntfy::Ntfy`] | three buttons at a time, unidentified | messages | requests that it spaces itself |
//!
//! Every case runs on all of them. Where one has no such thing, that is a fact of its platform (`REFUSES_COPIES`,
//! `READS_CHAT`, `PERSISTENT`, ...), and the case shows what is right there instead: that words in a chat which is not read
//! do not come, for one. A case that is about nothing but what a platform lacks does not run on it, and `LACKS` says why. A
//! trouble that a platform does not have is passed over ([`Platform::fail`], [`Platform::strike`]): nobody else can take
//! Discord's events, and only a connection that is kept can be closed.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "test support: a broken fixture should fail loudly"
)]

mod asking;
mod bench;
mod cards;
mod people;
mod platform;
mod serving;

/// No case takes longer, whatever goes wrong.
pub const LIMIT: std::time::Duration = std::time::Duration::from_secs(60);

pub use libtest_mimic::{Arguments, Trial, run};

pub use asking::{Asking, Office};
pub use bench::{Bench, SOON, watch};
pub use cards::{CHOICES, WRITE, blank, card, choice, code, file, prompt, question, text};
pub use people::{JIN, MINA, Person, ROBOT};
pub use platform::{Doing, Platform, Shown, Trouble};
pub use serving::Keeper;

include!(concat!(env!("OUT_DIR"), "/platforms.rs"));

/// Is shown every platform, by [`each_platform`].
pub trait Visitor {
    /// One platform, by the name that its tests carry.
    fn visit<P: Platform + 'static>(&mut self, name: &'static str);
}

/// Makes `tests()`, a test of every case and every platform: `posting::telegram::a_card_shows_all_its_parts`. A case is an
/// `async fn<P: Platform>(it: &Bench<P>)`, or takes another place after `in`; one that is in no list is a warning of the
/// compiler.
#[macro_export]
macro_rules! every_provider {
    ($($case:ident,)+) => {
        $crate::every_provider! { in Bench: $($case,)+ }
    };
    (in $place:ident: $($case:ident,)+) => {
        pub(crate) fn tests() -> Vec<$crate::Trial> {
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
            tests.0
        }
    };
}

/// Whether a case is about nothing that the platform lacks.
pub fn has<P: Platform>(module: &str, case: &str) -> bool {
    let file = module.split_once("::").map_or(module, |(_, file)| file);
    !P::LACKS.iter().any(|(what, _)| *what == case || *what == file)
}

/// A case on a platform, with a runtime of its own.
pub fn trial(module: &str, platform: &str, case: &str, run: impl AsyncFnOnce() + Send + 'static) -> Trial {
    let file = module.split_once("::").map_or(module, |(_, file)| file);
    Trial::test(format!("{file}::{platform}::{case}"), || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async { tokio::time::timeout(LIMIT, run()).await })?;
        Ok(())
    })
}
