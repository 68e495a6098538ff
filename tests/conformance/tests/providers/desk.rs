//! The whole way: the desk and its files over a real component and a platform.

pub(crate) mod answers;
pub(crate) mod forms;
pub(crate) mod grants;
pub(crate) mod late;
pub(crate) mod trouble;
