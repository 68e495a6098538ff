//! What a policy file says. Reading one runs nothing: whether its rules mean what their examples say is found by
//! [`authoring::examples`](crate::authoring::examples).

pub mod decision;
pub mod file;
pub mod gemini;
pub(crate) mod nearest;
pub mod pattern;
pub mod rule;
