//! The same wizard on Matrix: a homeserver, an invitation to a direct chat that the bot accepts, and a test card with reactions.

use dmplz_fakes::matrix::{FakeMatrix, Message, User};

use super::{SOON, allow, report, starts};
use crate::command::Home;

#[test]
fn a_direct_chat_and_a_code_end_in_an_answered_test_card() {
    let fake = FakeMatrix::spawn_thread();
    let home = Home::new().with("DMPLZ_LANG", "en");
    let jin = User { id: "@jin:example.org".to_owned(), name: "Jin".to_owned() };
    let reacts = |room: &str, key: &str| {
        let offers = |message: &&Message| message.reactions_of(fake.bot()).iter().any(|it| it == key);
        let found = fake.watch_blocking(room, SOON, |messages| messages.iter().rfind(offers).cloned());
        let message = found.unwrap_or_else(|| panic!("no {key}: {:#?}", fake.messages(room)));
        fake.react((room, &message.id), &jin, key);
        message.id
    };
    let mut terminal = starts("matrix", fake.token(), &home, &["--json"]);
    terminal.shows("homeserver");
    terminal.types(&format!("{}\n", fake.base_url()));
    terminal.shows("dmplz (@dmplz:example.org)");
    terminal.shows("https://matrix.to/#/%40dmplz%3Aexample.org");
    terminal.shows(":\r\n  ");
    let code = terminal.shows("\n").trim().to_owned();
    assert_eq!(code.len(), 32, "{code:?}");
    let room = fake.invite(std::slice::from_ref(&jin), true);
    fake.say(&room, &jin, &code);
    terminal.shows("Was that you: ");
    terminal.types("y\n");
    reacts(&room, "✅");
    terminal.shows("Ready after ");
    let (code, rest) = terminal.ended();
    assert_eq!(code, Some(0), "{rest}");
    let report = report(&rest);
    assert_eq!(report["test"]["claude_code_gets"], allow(), "{report}");
    let config = std::fs::read_to_string(home.state().join("config.toml")).unwrap();
    assert!(
        config.contains("matrix_dm_user_id = \"@jin:example.org\"") && config.contains("matrix_homeserver"),
        "{config}"
    );
    fake.wire().assert_clean();
}
