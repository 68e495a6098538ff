//! What every fake consists of: a server whose requests change its world, and a handle to both.

use crate::server::Server;
use crate::violation::Violation;
use crate::watched::Watched;
use crate::wire::Wire;
use std::io;
use std::sync::Arc;

/// What a client and a test need of any fake.
pub trait Fake {
    /// Returns the URL of the API.
    fn base_url(&self) -> String;
    /// Returns the token of the bot.
    fn token(&self) -> &str;
    /// Returns the record of the bot's requests, of faults, and of violations.
    fn wire(&self) -> &Wire;
}

/// The HTTP side of a fake. Each messenger implements [`Platform`](crate::server::Platform) for that of its world.
pub(crate) struct Endpoint<W> {
    pub(crate) world: Arc<Watched<W>>,
    pub(crate) wire: Wire,
}

impl<W> Endpoint<W> {
    /// Reports what is wrong with a request.
    pub(crate) fn complain(&self, call: &str, what: &str) {
        self.wire.report(vec![Violation::request(call, what)]);
    }
}

/// Starts a server on a port: [`Server::on_runtime`] or [`Server::on_thread`].
pub(crate) type Start<W> = fn(u16, Arc<Endpoint<W>>) -> io::Result<Server>;

/// Defines the handle to a fake whose state is the `World` of its module, which has these further fields, whose chats are
/// named by a value of this type, and whose API is at this path. The module adds `usual`, which starts a fake with the usual
/// options on a free port, and `token`; the world `on_screen`, which hands the messages of a chat over.
macro_rules! fake {
    ($(#[$docs:meta])* $name:ident $({ $($field:ident: $type:ty),+ })?, chat: $chat:ty, base: $base:expr) => {
        $(#[$docs])*
        #[derive(Clone)]
        pub struct $name {
            world: ::std::sync::Arc<$crate::watched::Watched<World>>,
            wire: $crate::wire::Wire,
            server: ::std::sync::Arc<$crate::server::Server>,
            $($($field: $type,)+)?
        }

        impl $name {
            /// Starts a fake on a free port, on the caller's runtime.
            ///
            /// # Panics
            /// If loopback has no free port.
            #[allow(clippy::expect_used, reason = "tests want a fake, not a result")]
            pub async fn start() -> Self {
                Self::usual($crate::server::Server::on_runtime).expect("a free port on loopback")
            }

            /// Starts a fake on a free port, on a thread of its own.
            ///
            /// # Panics
            /// If loopback has no free port, or no thread can be started.
            #[allow(clippy::expect_used, reason = "tests want a fake, not a result")]
            pub fn spawn_thread() -> Self {
                Self::usual($crate::server::Server::on_thread).expect("a free port on loopback")
            }

            fn serve(
                world: World,
                port: u16,
                start: $crate::fake::Start<World>,
                $($($field: $type,)+)?
            ) -> ::std::io::Result<Self> {
                let world = ::std::sync::Arc::new($crate::watched::Watched::new(world));
                let wire = $crate::wire::Wire::new();
                let endpoint = $crate::fake::Endpoint { world: ::std::sync::Arc::clone(&world), wire: wire.clone() };
                let server = ::std::sync::Arc::new(start(port, ::std::sync::Arc::new(endpoint))?);
                Ok(Self { world, wire, server, $($($field,)+)? })
            }

            /// Returns the URL of the API: that of the server, `http://127.0.0.1:PORT`, and its path there.
            pub fn base_url(&self) -> String {
                format!("http://{}{}", self.server.address(), $base)
            }

            /// Returns the record of the bot's requests, of faults, and of violations.
            pub fn wire(&self) -> &$crate::Wire {
                &self.wire
            }

            /// Returns the messages of a chat as people see them, in their order, deleted ones too.
            pub fn messages(&self, chat: $chat) -> Vec<Message> {
                self.world.read(|world| world.on_screen(chat, |messages| Some(messages.to_vec()))).unwrap_or_default()
            }

            /// Waits until `find` returns a result, for at most `wait`. It is called with all messages of the chat, and again
            /// after every change.
            pub async fn watch<R>(
                &self,
                chat: $chat,
                wait: ::std::time::Duration,
                mut find: impl FnMut(&[Message]) -> Option<R>,
            ) -> Option<R> {
                self.world.within(wait, |world| world.on_screen(chat, &mut find)).await
            }

            /// As [`watch`](Self::watch), for a thread without a runtime.
            pub fn watch_blocking<R>(
                &self,
                chat: $chat,
                wait: ::std::time::Duration,
                mut find: impl FnMut(&[Message]) -> Option<R>,
            ) -> Option<R> {
                self.world.within_blocking(wait, |world| world.on_screen(chat, &mut find))
            }

            /// Returns the violations of the schema: [`Wire::violations`](crate::Wire::violations).
            pub fn violations(&self) -> Vec<$crate::Violation> {
                self.wire.violations()
            }

            /// As [`Wire::assert_clean`](crate::Wire::assert_clean).
            ///
            /// # Panics
            /// If there was a violation.
            #[track_caller]
            pub fn assert_clean(&self) {
                self.wire.assert_clean();
            }
        }

        impl $crate::Fake for $name {
            fn base_url(&self) -> String {
                self.base_url()
            }

            fn token(&self) -> &str {
                self.token()
            }

            fn wire(&self) -> &$crate::Wire {
                self.wire()
            }
        }

        impl ::std::fmt::Debug for $name {
            fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                write!(formatter, "{}({})", stringify!($name), self.server.address())
            }
        }
    };
}

pub(crate) use fake;
