//! Every file of `host/gateway/page/`. A test compares this list with the folder.

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_bytes!(concat!("../../../page/", $name)))),*]
    };
}

/// The file at `/`.
pub(super) const INDEX: &[u8] = include_bytes!("../../../page/index.html");

/// The files below `/assets/`, each with its path there.
pub(super) const FILES: &[(&str, &[u8])] = files![
    "always.js",
    "announce.js",
    "answer.js",
    "app.js",
    "card.js",
    "chart.js",
    "clock.js",
    "colours.css",
    "dom.js",
    "draft.js",
    "ending.js",
    "figures.js",
    "granted.css",
    "granted.js",
    "handshake.js",
    "happenings.js",
    "highlight.js",
    "history.js",
    "icon.svg",
    "icons.js",
    "identity.js",
    "inbox.css",
    "inbox.js",
    "keys.js",
    "list.js",
    "offers.css",
    "outages.js",
    "pairing.js",
    "parts.js",
    "plan.js",
    "questions.js",
    "reach.js",
    "reason.js",
    "respond.js",
    "runs.js",
    "session.js",
    "sessionlog.js",
    "sessions.css",
    "sessions.js",
    "shell.js",
    "socket.js",
    "soon.js",
    "starting.js",
    "store.js",
    "style.css",
    "views.css",
    "visible.js",
    "words.js",
    "words/en.js",
    "words/ko.js",
];
