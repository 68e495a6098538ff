use std::path::Path;

use super::*;
use crate::tests::roots;

fn places() -> Places {
    Places::of(Roots { client: Some("/home/me/config".into()), ..roots() })
}

fn reached(path: &str, how: Use) -> Option<Kind> {
    places().reached(&Spot::of(Path::new(path)), how, false)
}

#[test]
fn a_place_is_of_the_kind_that_says_who_may_write_it() {
    for (path, kind) in [
        ("/home/me/.claude/dm-plz/policy.toml", Some(Kind::Rules)),
        ("/etc/dmplz/policy.d/a.toml", Some(Kind::Rules)),
        ("/anywhere/.dmplz/policy.toml", Some(Kind::Rules)),
        ("/home/me/config/settings.json", Some(Kind::Client)),
        ("/home/me/config/plugins/a/b.json", Some(Kind::Client)),
        ("/home/me/.claude.json", Some(Kind::Client)),
        ("/a/b/.claude/settings.local.json", Some(Kind::Client)),
        ("/a/b/.mcp.json", Some(Kind::Client)),
        ("/etc/claude-code/managed-settings.json", Some(Kind::Client)),
        ("/opt/x/messenger.wasm", Some(Kind::Component)),
        ("/home/me/.claude/dm-plz/gateway.token", Some(Kind::Secret)),
        ("/home/me/.zshrc", Some(Kind::Startup)),
        ("/home/me/.ssh/authorized_keys", Some(Kind::Startup)),
        ("/a/.git/hooks/pre-commit", Some(Kind::Startup)),
        ("/a/.husky/pre-commit", Some(Kind::Startup)),
        ("/a/.git", Some(Kind::Startup)),
        ("/a/sub/.GIT", Some(Kind::Startup)),
        ("/a/.git/commondir", Some(Kind::Startup)),
        ("/a/.git/modules/b/config", Some(Kind::Startup)),
        ("/a/.git/modules/b/hooks/post-checkout", Some(Kind::Startup)),
        ("/a/.git/worktrees/w/config.worktree", Some(Kind::Startup)),
        ("/home/me/.Claude/DM-PLZ/Policy.toml", Some(Kind::Rules)),
        ("/home/me/notes.md", None),
        ("/work/src/main.rs", None),
        ("/work/.git/index", None),
        ("/work/.git/COMMIT_EDITMSG", None),
        ("/work/.github/workflows/ci.yml", None),
        ("/work/x.git", None),
        ("/work/.claude/notes.md", None),
        ("/home/you/.zshrc", None),
    ] {
        assert_eq!(reached(path, Use::Writes), kind, "{path}");
    }
}

#[test]
fn only_secrets_are_not_to_be_read() {
    for (path, how, reaches) in [
        ("/home/me/.claude/dm-plz/gateway.token", Use::Reads, true),
        ("/home/me/.claude/dm-plz/config.toml", Use::Reads, true),
        ("/home/me/.claude/dm-plz/push.key", Use::Reads, true),
        ("/home/me/.claude/dm-plz/browsers.json", Use::Reads, true),
        ("/home/me/.claude/dm-plz/browsers.json.new", Use::Reads, true),
        ("/home/me/.claude/dm-plz/state.db-wal", Use::Reads, true),
        ("/home/me/.claude/dm-plz/sessions/5c1b/log", Use::Reads, true),
        ("/home/me/.claude/dm-plz/sessions/5c1b/received/a.txt", Use::Reads, true),
        ("/home/me/.claude/dm-plz/sessions/5c1b", Use::ReadsBelow, true),
        ("/home/me/.claude/dm-plz/stored/bundled-a/a-0123456789abcdef", Use::Reads, true),
        ("/home/me/.claude/dm-plz/stored/bundled-a/a-0123456789abcdef.tokens", Use::Reads, true),
        ("/home/me/.claude/dm-plz/stored", Use::Names, true),
        ("/home/me/.claude/dm-plz/requests.jsonl", Use::Reads, false),
        ("/home/me/.claude/dm-plz/policy.toml", Use::Reads, false),
        ("/home/me/.claude/dm-plz", Use::Reads, false),
        ("/home/me/.claude/dm-plz", Use::ReadsBelow, true),
        ("/", Use::ReadsBelow, true),
        ("/work", Use::ReadsBelow, false),
        ("/home/me/.claude/dm-plz/gateway.token", Use::Names, true),
        ("/home/me/.claude/dm-plz", Use::Names, false),
    ] {
        assert_eq!(reached(path, how).is_some(), reaches, "{path} {how:?}");
    }
}

#[test]
fn what_replaces_a_folder_replaces_the_places_in_it() {
    for (path, reaches) in [
        ("/", true),
        ("/work", true),
        ("/home/me", true),
        ("/home/me/.claude", true),
        ("/work/.claude", true),
        ("/work/sub/.claude", true),
        ("/work/sub/.git", true),
        ("/work/sub", false),
        ("/home/me/src", false),
        ("/tmp", false),
    ] {
        assert_eq!(reached(path, Use::WritesBelow).is_some(), reaches, "{path}");
    }
}

#[test]
fn a_rule_that_names_it_may_change_only_what_is_run_later() {
    for (path, held) in [
        ("/work/.git", false),
        ("/work/.git/modules/a/config", false),
        ("/home/me/.zshrc", false),
        ("/work/.git/hooks/x", false),
        ("/work/.claude/settings.json", true),
        ("/home/me/.claude/dm-plz/policy.toml", true),
        ("/opt/x/messenger.wasm", true),
    ] {
        let kind = places().reached(&Spot::of(Path::new(path)), Use::Writes, true);
        assert_eq!(kind.is_some(), held, "{path}");
    }
}

#[test]
fn what_decides_in_a_folder_is_known_by_its_name_there() {
    for (path, decides) in [
        ("/any/.dmplz/policy.toml", true),
        ("/any/.claude/settings.json", true),
        ("/any/.MCP.json", true),
        ("/any/.git/config", false),
        ("/any/.claude/notes.md", false),
        ("/any/src/main.rs", false),
    ] {
        assert_eq!(decides_in_its_folder(Path::new(path)), decides, "{path}");
    }
}
