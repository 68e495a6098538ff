//! `dmplz policy`: the rules that people wrote, and what becomes of a call by them.

pub(crate) mod real_path;
