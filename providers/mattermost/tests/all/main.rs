//! The Mattermost provider against a scripted host: the requests and frames it sends, and what it makes of the replies.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "test support: a broken fixture should fail loudly"
)]

use dmplz_mattermost::Mattermost;
use dmplz_provider_sdk::serde_json::{Value, from_slice, json};
use dmplz_provider_sdk::testing::{self, FakeHost};
use dmplz_provider_sdk::{Block, Card, Chat, Choice, Error, MessageRef, OpenChat, Provider, Setting, Watch};

mod posting;
mod receiving;

const CHANNEL: &str = "channel0000000000000000001";
const CARD: &str = "post0000000000000000000001";
const BOT: &str = "bot00000000000000000000001";
const JIN: &str = "jin00000000000000000000001";
/// When the card was posted.
const AT: u64 = 1_800_000_000_000;

fn connected(server: &str) -> Result<Mattermost, Error> {
    Mattermost::connect(&[Setting { name: "server".into(), value: server.into() }], "websocket")
}

fn mattermost() -> Mattermost {
    connected("https://chat.example/").unwrap()
}

fn channel() -> OpenChat {
    OpenChat { id: CHANNEL.into(), owner: None }
}

fn message() -> MessageRef {
    MessageRef { chat: CHANNEL.into(), id: CARD.into(), sequence: AT }
}

fn choices() -> Vec<Choice> {
    vec![testing::choice("approve", "✅ Approve", "✅"), testing::choice("deny", "❌ Deny", "❌")]
}

fn watching() -> [Watch; 1] {
    [Watch { message: message(), choices: choices(), text: true }]
}

fn card(title: &str, body: Vec<Block>) -> Card {
    Card { choices: choices(), ..testing::card(title, body) }
}

fn me(host: FakeHost) -> FakeHost {
    host.reply(200, json!({ "id": BOT, "username": "dmplz" }))
}

fn posted() -> Value {
    let menu = json!({ "white_check_mark": "approve", "x": "deny" });
    let props = json!({ "dmplz": { "tag": "tag1", "menu": menu, "past": {} } });
    json!({ "id": CARD, "user_id": BOT, "channel_id": CHANNEL, "create_at": AT, "delete_at": 0, "message": "?", "props": props })
}

/// Returns the paths of all requests, after what all of them begin with.
fn paths(host: &FakeHost) -> Vec<String> {
    host.requests().iter().map(|request| request.url.replacen("https://chat.example/api/v4/", "", 1)).collect()
}

#[test]
fn a_server_that_is_no_url_is_told_before_anything_is_asked() {
    for server in ["", "chat.example", "ftp://chat.example", "https://", "https://chat.example/?a", "https://{x}"] {
        let Err(Error::BadSetting((setting, _))) = connected(server) else { panic!("{server} is taken") };
        assert_eq!(setting, "server");
    }
}
