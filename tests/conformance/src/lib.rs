//! One body of cases, run over every provider: the embedded component, in its sandbox, against a server on loopback that
//! answers as its platform does.
//!
//! A [`Platform`] says in its own terms what a case says in everybody's: what people see, how they answer, what goes
//! wrong. `tests/providers` holds the cases, by the part of the contract that each keeps to. A new provider, or a new way
//! of one, needs one implementation of [`Platform`] and one line in [`every_provider`].
//!
//! | platform | people answer by | words come as | a look is |
//! |---|---|---|---|
//! | [`Telegram`] | buttons | messages | a request that waits |
//! | [`Discord`] | reactions | messages | a request for each card |
//! | [`DiscordGateway`] | buttons | forms | what comes over a connection that is kept |
//!
//! Every case runs on all of them. Where one has no such thing, that is a fact of its platform (`REFUSES_COPIES`,
//! `READS_CHAT`, `STANDING`, ...), and the case shows what is right there instead: that words in a chat which is not read
//! do not come, for one. A trouble that a platform does not have is passed over ([`Platform::fail`],
//! [`Platform::strike`]): nobody else can take Discord's events, and only a connection that is kept can be closed.

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
mod discord;
mod discord_gateway;
mod markdown;
mod people;
mod platform;
mod serving;
mod telegram;

/// No case takes longer, whatever goes wrong.
pub const LIMIT: std::time::Duration = std::time::Duration::from_secs(60);

pub use libtest_mimic::{Arguments, Trial, run};

pub use asking::{Asking, Office};
pub use bench::{Bench, SOON, watch};
pub use cards::{CHOICES, WRITE, blank, card, choice, file, prompt, question, text};
pub use discord::Discord;
pub use discord_gateway::DiscordGateway;
pub use people::{JIN, MINA, Person, ROBOT};
pub use platform::{Doing, Platform, Shown, Trouble};
pub use serving::Keeper;
pub use telegram::Telegram;

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
            let mut tests = Vec::new();
            $crate::every_provider!(@of tests telegram Telegram $place $($case)+);
            $crate::every_provider!(@of tests discord Discord $place $($case)+);
            $crate::every_provider!(@of tests gateway DiscordGateway $place $($case)+);
            tests
        }
    };
    (@of $tests:ident $name:ident $platform:ident $place:ident $($case:ident)+) => {
        $($tests.push($crate::trial(module_path!(), stringify!($name), stringify!($case), async || {
            let place = $crate::$place::<$crate::$platform>::start().await;
            $case(&place).await;
            place.finish();
        }));)+
    };
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
