//! Every file of `host/gateway/page/`; a test holds this list against the folder.

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_bytes!(concat!("../../../page/", $name)))),*]
    };
}

/// What `/` is.
pub(super) const INDEX: &[u8] = include_bytes!("../../../page/index.html");

/// What `/assets/` has, by its path there.
pub(super) const FILES: &[(&str, &[u8])] = files!["app.js"];
