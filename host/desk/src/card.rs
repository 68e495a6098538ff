//! The messages of one request: its card posted, drawn again and closed, and what people do to it while it is open. Late input
//! is answered here too.

pub(crate) mod close;
pub(crate) mod drawing;
mod late;
pub(crate) mod open;
mod post;
mod show;
