//! The whole way: the desk and its files over a real component and a platform.

mod answers;
mod forms;
mod grants;
mod late;
mod trouble;
