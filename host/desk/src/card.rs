//! The messages of one request: posting, revising and closing its card, and handling input while it is open. It also
//! answers late input.

pub(crate) mod close;
pub(crate) mod drawing;
mod late;
pub(crate) mod open;
mod post;
mod show;
