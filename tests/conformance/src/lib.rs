//! One body of cases, run over every provider: the embedded component, in its sandbox, against a server on loopback that
//! answers as its platform does.
//!
//! A [`Platform`] says in its own terms what a case says in everybody's: what people see, how they answer, what goes
//! wrong. `tests/providers` holds the cases, by the part of the contract that each keeps to. A new provider needs one
//! implementation of [`Platform`] and one line in [`every_provider`].

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
mod telegram;

/// No case takes longer, whatever goes wrong.
pub const LIMIT: std::time::Duration = std::time::Duration::from_secs(60);

pub use asking::{Asking, Office};
pub use bench::{Bench, SOON, watch};
pub use cards::{CHOICES, blank, card, choice, file, question, text};
pub use discord::Discord;
pub use discord_gateway::DiscordGateway;
pub use people::{JIN, MINA, Person, ROBOT};
pub use platform::{Doing, Platform, Shown, Trouble};
pub use telegram::Telegram;

/// Makes a test of every case and every provider: `posting::telegram::a_card_shows_all_its_parts`. A case is an
/// `async fn<P: Platform>(it: &Bench<P>)`, or takes another place after `in`; one that is in no list is a warning of the
/// compiler.
#[macro_export]
macro_rules! every_provider {
    // Where people's words in the chat are not read and nothing can be pressed that is not there.
    (over the gateway: $($case:ident,)+) => {
        $crate::every_provider!(@of gateway DiscordGateway Office $($case)+);
    };
    ($($case:ident,)+) => {
        $crate::every_provider! { in Bench: $($case,)+ }
    };
    (in $place:ident: $($case:ident,)+) => {
        $crate::every_provider!(@of telegram Telegram $place $($case)+);
        $crate::every_provider!(@of discord Discord $place $($case)+);
    };
    (@of $name:ident $platform:ident $place:ident $($case:ident)+) => {
        mod $name {
            $(
                #[tokio::test]
                async fn $case() {
                    let place = $crate::$place::<$crate::$platform>::start().await;
                    tokio::time::timeout($crate::LIMIT, super::$case(&place)).await.expect("an end");
                    place.finish();
                }
            )+
        }
    };
}
