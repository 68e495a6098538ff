//! Fuzz targets for the code that first reads untrusted input. Each function accepts any bytes, and panics if an
//! invariant is broken.
//!
//! `cargo test` runs each target on real input with random damage. cargo-fuzz searches further, with the programs in
//! `fuzz_targets/`:
//!
//! ```sh
//! cargo +nightly fuzz run --fuzz-dir tests/fuzz --features libfuzzer hook_input -- -max_total_time=60
//! ```
#![allow(clippy::panic, clippy::unwrap_used, clippy::expect_used, reason = "test support: a broken promise is a panic")]

use std::path::Path;

use dmplz_core::approvers::Approvers;
use dmplz_core::card::{self, Style, Subject};
use dmplz_core::claude::{self, HookInput};
use dmplz_core::flow::{self, Event, Form, Now, Rules, State};
use dmplz_core::messenger::{Answering, Limits, MessageRef, User};
use dmplz_core::reason::ReasonRules;
use dmplz_core::redact;
use dmplz_core::request::{ApprovalScope, Life, Offer, Outcome};
use dmplz_core::stats::{Period, Stats};
use dmplz_core::text::Lang;
use dmplz_core::visible;
use dmplz_discord::Discord;
use dmplz_policy::KnownCommands;
use dmplz_policy::authoring::examples::checked;
use dmplz_policy::shell::{self, Shell};
use dmplz_policy::{Call, Decision, File, Origin, Policy, Tier, commands};
use dmplz_provider_sdk::testing::FakeHost;
use dmplz_provider_sdk::{Provider, Setting, Watch};
use dmplz_telegram::Telegram;
use jiff::Timestamp;
use serde_json::json;

/// Reads a hook's stdin and draws its card. No input panics.
pub fn hook_input(data: &[u8]) {
    let Ok(input) = HookInput::parse(data) else { return };
    input.event();
    let Ok(call) = input.tool_call() else { return };
    let grants = claude::session_grant(&call, &input.cwd, &KnownCommands);
    let lang = if data.len().is_multiple_of(2) { Lang::Ko } else { Lang::En };
    let subject = Subject::of(&call, "id", &input.cwd, input.agent_type.as_deref(), &grants, lang);
    let limits = Limits { text: 4096, choices: 8, attachment: 1 << 20, notice: 200 };
    let style = Style { lang, answering: Answering::Buttons, limits };
    let (offer, form) = (Offer::of(&call, &input.cwd, &KnownCommands), Form::default());
    let asking = card::Asking { subject: &subject, offer: &offer, form: &form, tag: "tag" };
    drop(card::ask(asking, style, limits.text));
    claude::permission_allow(&call, &ApprovalScope::Session.allow(&call, &input.cwd, &KnownCommands));
}

/// Presses and texts on a card. The first line of `data` is a hook's stdin. Each further line is `user choice text`, or
/// `- clock 7` to set the clock. No input panics, an approval contains only what was offered, a user who is not an
/// approver changes nothing, a denial stays a denial, and every card can be drawn.
pub fn presses(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let mut lines = text.split('\n');
    let Ok(input) = HookInput::parse(lines.next().unwrap_or_default().as_bytes()) else { return };
    let Ok(call) = input.tool_call() else { return };
    let offer = Offer { granted: true, ..Offer::of(&call, &input.cwd, &KnownCommands) };
    let subject =
        Subject::of(&call, "id", &input.cwd, None, &claude::session_grant(&call, &input.cwd, &KnownCommands), Lang::En);
    let limits = Limits { text: 4096, choices: 20, attachment: 1 << 20, notice: 200 };
    let rules = Rules {
        approvers: Approvers::owner("chat", "ann"),
        offer: offer.clone(),
        deadline: 1000,
        reason_timeout: 100,
        reason: ReasonRules { max_chars: 100, skip_keywords: vec!["no_reason".to_owned()] },
    };
    let (mut state, mut denied, mut wall_ms) = (State::waiting(), false, 0_u64);
    for (at, line) in lines.take(40).enumerate() {
        let mut words = line.splitn(3, ' ');
        let mut word = || words.next().unwrap_or_default().to_owned();
        let (id, choice, said) = (word(), word(), word());
        if choice == "clock" {
            wall_ms = said.parse().unwrap_or_default();
        }
        let user = User { id, name: String::new(), is_bot: false };
        let stranger = user.id != "ann";
        let sequence = u64::try_from(at).unwrap();
        let message = MessageRef { chat: "c".to_owned(), id: String::new(), sequence };
        let waits = state.is_undecided();
        denied |= waits && !stranger && matches!(choice.as_str(), "deny" | "tell");
        let event = match choice.as_str() {
            "said" => Event::Said { user, message, text: said },
            "posted" => Event::PromptPosted(message),
            _ => Event::Chosen { choice, user, text: Some(said).filter(|said| !said.is_empty()) },
        };
        let posted = matches!(event, Event::PromptPosted(_));
        let before = state.clone();
        state = flow::step(state, event, &rules, Now { at: 1, wall_ms }).0;
        assert!(posted || !stranger || alike(&before, &state, &offer), "a stranger changed {before:?}");
        match &state.life {
            Life::Open => {
                let form = &state.form;
                let written = serde_json::to_string(form).unwrap();
                assert_eq!(&serde_json::from_str::<Form>(&written).unwrap(), form);
                for answering in [Answering::Buttons, Answering::Reactions] {
                    let asking = card::Asking { subject: &subject, offer: &offer, form, tag: "tag" };
                    drop(card::ask(asking, Style { lang: Lang::En, answering, limits }, limits.text));
                }
            }
            Life::Ended(Outcome::Approved { scope, .. }) => {
                assert!(!denied && offer.offers(scope), "{scope:?} is no part of {offer:?}");
                claude::permission_allow(&call, &scope.allow(&call, &input.cwd, &KnownCommands));
            }
            Life::Denied(_) | Life::Ended(_) => {}
        }
    }
}

/// Returns whether the two states differ at most in a form that was fitted to the offer.
fn alike(before: &State, after: &State, offer: &Offer) -> bool {
    match before.life {
        Life::Open => State::deciding(before.form.clone().fitting(offer)) == *after,
        _ => before == after,
    }
}

/// Reads a reply to `getUpdates`. No input panics.
pub fn telegram_updates(data: &[u8]) {
    let mut telegram = Telegram::connect(&[setting("https://api.telegram.org")], "updates").expect("connect");
    let body = format!(r#"{{"ok":true,"result":{}}}"#, String::from_utf8_lossy(data));
    let host = FakeHost::new().reply(200, body);
    drop(telegram.receive(&host, "100", &[watch("42", 7)], 25_000));
}

/// Reads the messages of a channel. No input panics.
pub fn discord_messages(data: &[u8]) {
    let mut discord = Discord::connect(&[setting("https://discord.com/api/v10")], "reactions").expect("connect");
    let text = String::from_utf8_lossy(data);
    let host = FakeHost::new().reply(200, &text).reply(200, &text);
    drop(discord.receive(&host, "100:200", &[watch("100", 200)], 0));
}

/// Masks secrets in a text. No input panics, and the result is at most four times as long.
pub fn mask(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let masked = redact::mask(&text);
    assert!(masked.as_str().len() <= 4 * text.len().max(16), "{} bytes from {}", masked.as_str().len(), text.len());
}

/// Makes hidden characters visible. No control character and no bidirectional one is left, and a second pass changes
/// nothing.
pub fn visible(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let shown = visible::visible(&text);
    let hidden = |c: char| {
        c.is_control() && !matches!(c, '\n' | '\t') || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    assert!(!shown.contains(hidden), "{shown:?}");
    assert_eq!(visible::visible(&shown), shown);
    assert!(!visible::visible_line(&text).contains('\n'));
}

/// Reads a line of a journal. It is counted, or counted as unreadable.
pub fn journal_line(data: &[u8]) {
    let mut stats = Stats::new(Period::default());
    stats.add(data);
    let _ = stats.figures();
}

/// Reads and judges a command line. No input panics, the number of commands is limited, and neither an additional deny
/// rule nor a shell around the line makes it allowed.
pub fn command(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let script = commands::read(&text);
    assert!(script.commands.len() <= 2 * shell::MAX_CHARS);
    let within = |(index, command): (usize, &shell::Command)| command.within.is_none_or(|wrapper| wrapper < index);
    assert!(script.commands.iter().enumerate().all(within), "a command is before what starts it");

    let allows = Policy::new(vec![read_policy(ALLOW_SOME)]);
    let denies = Policy::new(vec![read_policy(&format!("{ALLOW_SOME}{DENY_SOME}"))]);
    let decided = decide(&allows, &text);
    assert!(decide(&denies, &text) >= decided, "a deny allows {text:?}");
    // A line that begins with `-` or `+` would be an option of the shell.
    if !text.contains('\'') && !text.starts_with(['-', '+']) {
        assert!(decide(&allows, &format!("eval '{text}'")) >= decided, "eval allows {text:?}");
        // These lines are read by bash, whatever the user's shell is.
        let decided = decide_in(Shell::Bash, &allows, &text);
        for shell in ["bash -c", "timeout 5 bash -c"] {
            assert!(decide(&allows, &format!("{shell} '{text}'")) >= decided, "{shell} allows {text:?}");
        }
    }
}

const ALLOW_SOME: &str = r#"
[[rule]]
toolName = "Bash"
commandPrefix = ["git", "ls", "echo", "cat", "npm", "bash"]
decision = "allow"
priority = 10
allowRedirection = true
"#;

const DENY_SOME: &str = r#"
[[rule]]
toolName = "Bash"
commandPrefix = ["rm", "git push"]
decision = "deny"
priority = 5
"#;

fn decide(policy: &Policy, command: &str) -> Decision {
    decide_in(Shell::Unknown, policy, command)
}

fn decide_in(shell: Shell, policy: &Policy, command: &str) -> Decision {
    let input = json!({ "command": command });
    let input = input.as_object().unwrap();
    let call =
        Call { cwd: Some(Path::new("/home/me/project")), shell, ..Call::new("Bash", input, Timestamp::UNIX_EPOCH) };
    policy.check(&call).decision
}

/// Reads a policy file. No input panics, a file with problems allows nothing, and a deny rule at its end denies
/// whatever stands before it.
pub fn policy(data: &[u8]) {
    const DENY: &str = "\n[[rule]]\ntoolName = \"*\"\ndecision = \"deny\"\npriority = 999\n";
    let text = String::from_utf8_lossy(data);
    let file = read_policy(&text);
    let damaged = !file.problems.is_empty();
    let rules = Policy::new(vec![file]);
    let denied = Policy::new(vec![read_policy(&format!("{text}{DENY}"))]);
    for (tool, input) in [
        ("Bash", json!({ "command": "git status && ls -la src" })),
        ("Bash", json!({ "command": text })),
        ("Read", json!({ "file_path": "src/main.rs" })),
        ("WebFetch", json!({ "url": "https://example.com/x", "prompt": "x" })),
        ("mcp__github__search", json!({ "q": "x" })),
    ] {
        let input = input.as_object().unwrap();
        let cwd = Some(Path::new("/home/me/project"));
        let call = Call { cwd, mode: Some("default"), ..Call::new(tool, input, Timestamp::UNIX_EPOCH) };
        let decision = rules.check(&call).decision;
        assert!(!damaged || decision != Decision::Allow, "a file with problems allows {tool}");
        assert_eq!(rules.explain(&call).decision, decision);
        let denied = denied.check(&call);
        assert!(denied.decision == Decision::Deny || denied.command.is_none() && tool == "Bash", "a deny is lost");
    }
}

fn read_policy(text: &str) -> File {
    let origin = Origin { tier: Tier::User, path: "policy.toml".into(), root: None, trusted: true };
    checked(File::parse(text, origin))
}

fn setting(base: &str) -> Setting {
    Setting { name: "api-base".to_owned(), value: base.to_owned() }
}

fn watch(chat: &str, id: u64) -> Watch {
    let message = dmplz_provider_sdk::MessageRef { chat: chat.to_owned(), id: id.to_string(), sequence: id };
    Watch { message, choices: Vec::new(), text: true }
}

#[cfg(test)]
mod tests;
