//! Compares what the bundled components send for the cards of the documentation with `docs/cards/payloads`, from which
//! `cargo xtask pictures` draws. With `DMPLZ_RECORD` set, the payloads are written instead.
//!
//! Only what differs from run to run is replaced: the id of a chat is left out, and the id of a message becomes its
//! place in the chat, from 1.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test, with helpers"
)]

mod record;
mod scenes;
mod tidy;

use std::path::{Path, PathBuf};

use dmplz_conformance::discord::{Discord, DiscordGateway};
use dmplz_conformance::telegram::Telegram;
use dmplz_core::text::Lang;
use serde_json::{Value, json};

use crate::record::record;
use crate::scenes::{SCENES, Scene, Surface};

#[tokio::test]
async fn the_pictures_show_what_is_sent_now() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/cards/payloads");
    let records = std::env::var_os("DMPLZ_RECORD").is_some();
    if records {
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
    }
    let mut wanted = Vec::new();
    for scene in SCENES {
        for (name, lang) in [("ko", Lang::Ko), ("en", Lang::En)] {
            let file = folder.join(format!("{}.{name}.json", scene.name));
            let sent = format!("{:#}\n", sent(scene, lang).await);
            if records {
                std::fs::write(&file, &sent).unwrap();
            }
            let kept = std::fs::read_to_string(&file).unwrap_or_default();
            assert!(kept == sent, "{} is not what is sent now; run `cargo xtask pictures`:\n{sent}", file.display());
            wanted.push(file);
        }
    }
    let kept = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    let odd: Vec<PathBuf> = kept.filter(|file| !wanted.iter().any(|it| it.file_name() == file.file_name())).collect();
    assert!(odd.is_empty(), "no scene is called so: {odd:?}");
}

async fn sent(scene: &Scene, lang: Lang) -> Value {
    let mut panels = Vec::new();
    for surface in scene.on {
        let sent = match surface {
            Surface::Telegram => record::<Telegram>(scene, lang).await,
            Surface::Discord => record::<DiscordGateway>(scene, lang).await,
            Surface::Reactions => record::<Discord>(scene, lang).await,
        };
        panels.push(json!({ "on": surface.name(), "sent": sent }));
    }
    let [ko, en] = scene.title;
    json!({ "title": scenes::say(lang, ko, en), "lang": scenes::say(lang, "ko", "en"), "panels": panels })
}
