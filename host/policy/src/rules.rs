//! The content of a policy file. Parsing a file judges nothing: [`authoring::examples`](crate::authoring::examples)
//! checks whether its rules mean what their examples say.

pub mod decision;
pub mod file;
pub mod gemini;
pub(crate) mod nearest;
pub mod pattern;
pub mod rule;
