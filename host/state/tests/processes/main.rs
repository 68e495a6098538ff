//! Tests with several real processes. This program starts itself again as each of them.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "test support: a broken fixture should fail loudly"
)]

mod cards;
mod children;
mod journal;
mod queue;
mod store;

/// Runs a process that the tests start. Does nothing in a normal run of the tests.
#[test]
fn child() {
    if let Some(role) = children::Role::of_this_process() {
        match role.name.as_str() {
            "queue-once" => queue::once(&role),
            "queue-often" => queue::often(&role),
            "card" => cards::own(&role),
            "journal" => journal::rejections(&role),
            "journal-full" => journal::full_disk(&role),
            "store" => store::decide(&role),
            "store-cut" => store::cut(&role),
            "store-full" => store::full_disk(&role),
            other => panic!("no such role: {other}"),
        }
    }
}
