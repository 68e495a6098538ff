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
    "always.js", "announce.js", "answer.js", "app.js", "app.webmanifest", "attached.js", "badge.png", "browsers.js",
    "card.js", "catchup.js", "channels.js", "chart.js", "clock.js", "colours.css", "dom.js", "draft.js", "ending.js",
    "export.js", "fields.js", "figures.js", "granted.css", "granted.js", "handshake.js", "happenings.js", "heading.js",
    "highlight.js", "history.js", "hooklist.js", "icon-180.png", "icon-192.png", "icon-512.png",
    "icon-maskable-512.png", "icon.svg", "icons.js", "identity.js", "inbox.css", "inbox.js", "kept.js", "keys.js",
    "list.js", "noticelog.js", "notify.js", "offers.css", "outages.js", "pairing.js", "parts.js", "plan.js",
    "preview.js", "push.js", "questions.js", "reach.js", "reason.js", "respond.js", "routes.js", "runs.js",
    "session.js", "sessionlog.js", "sessions.css", "sessions.js", "several.js", "settings.css", "settings.js",
    "shell.js", "socket.js", "soon.js", "sound.js", "starting.js", "store.js", "style.css", "templates.js", "theme.js",
    "trust.js", "twice.js", "undo.js", "view.js", "views.css", "visible.js", "words.js", "words/en.js", "words/ko.js",
];
