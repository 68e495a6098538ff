//! The fake Telegram, seen over HTTP.

mod chat;
mod params;
mod updates;
