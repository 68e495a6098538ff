//! The same wizard on Mattermost: a server, a code as a direct message or with a mention in a channel, and a test card with
//! reactions.

use dmplz_fakes::mattermost::{FakeMattermost, Message, User};

use super::{SOON, allow, report, starts};
use crate::command::Home;

#[test]
fn a_code_in_a_direct_message_or_with_a_mention_ends_in_an_answered_test_card() {
    for (direct, expected) in [(true, "mattermost_dm_user_id = "), (false, "mattermost_channel_id = ")] {
        let fake = FakeMattermost::spawn_thread();
        let home = Home::new().with("DMPLZ_LANG", "en");
        let jin = User::person("user0000000000000000000jin", "jin");
        let mut terminal = starts("mattermost", fake.token(), &home, &["--json"]);
        terminal.shows("the URL of the Mattermost server");
        terminal.types(&format!("{}\n", fake.base_url()));
        terminal.shows("dmplz (bot00000000000000000000001)");
        terminal.shows(":\r\n  ");
        let code = terminal.shows("\n").trim().to_owned();
        assert_eq!(code.len(), 32, "{code:?}");
        let channel = if direct { fake.dm(&jin) } else { fake.channel(std::slice::from_ref(&jin)) };
        // The first connection only tried whether there can be one.
        assert!(fake.await_connection_blocking(SOON, 2), "it listens");
        let said = if direct { code } else { format!("@dmplz {code}") };
        fake.say(&channel, &jin, &said, None);
        terminal.shows("Was that you: jin");
        terminal.types("y\n");
        approves(&fake, &channel, &jin);
        terminal.shows("Ready after ");
        let (code, rest) = terminal.ended();
        assert_eq!(code, Some(0), "{rest}");
        let report = report(&rest);
        assert_eq!(report["test"]["claude_code_gets"], allow(), "{report}");
        let config = std::fs::read_to_string(home.state().join("config.toml")).unwrap();
        assert!(config.contains(expected) && config.contains("mattermost_server = "), "{config}");
        // In a channel only who wrote the code may answer.
        assert_eq!(config.contains("mattermost_allowed_users"), !direct, "{config}");
        fake.wire().assert_clean();
    }
}

/// Waits for a message that offers ✅, and reacts with it.
fn approves(fake: &FakeMattermost, channel: &str, jin: &User) {
    let offers = |message: &&Message| message.reactions_of(fake.bot()).iter().any(|name| name == "white_check_mark");
    let found = fake.watch_blocking(channel, SOON, |messages| messages.iter().rfind(offers).cloned());
    let message = found.unwrap_or_else(|| panic!("nothing to approve: {:#?}", fake.messages(channel)));
    assert!(fake.await_ready_blocking(SOON), "it listens");
    fake.react((channel, &message.id), jin, "white_check_mark");
}
