//! Tests of the fake Telegram over HTTP.

mod chat;
mod params;
mod updates;
