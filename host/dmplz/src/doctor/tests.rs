use std::time::Duration;

use dmplz_core::messenger::{OpenChat, Users};
use dmplz_policy::file::{Loading, Suspicion};
use dmplz_policy::{File, Origin, Tier};

use super::*;
use crate::install::{Before, Hooks, Installed};
use crate::told::Phrase;
use dmplz_protocol::client::GatewayError;
use dmplz_protocol::health::{GatewayStatus, MessengerStatus};

const EN: Say = Say { lang: Lang::En };

fn installed(hooks: Result<Hooks, Phrase>) -> Installed {
    Installed { path: "/home/ann/.claude/settings.json".into(), hooks }
}

fn text(checks: Vec<Finding>) -> String {
    Report::of(checks, None).text(Lang::En, Paint::PLAIN)
}

#[test]
fn the_next_command_is_the_last_line_where_no_messenger_is_set_up() {
    let found = || vec![Finding::bad("account", "no messenger has a token", "run dmplz setup")];
    let report = Report::of(found(), Some("dmplz setup"));
    insta::assert_snapshot!(report.text(Lang::En, Paint::PLAIN), @"
    ✗ account   no messenger has a token
                → run dmplz setup

    1 problem to fix.
    No messenger is set up yet. The next command: dmplz setup
    ");
    assert!(report.text(Lang::Ko, Paint::PLAIN).ends_with("\n아직 설정한 메신저가 없습니다. 다음 명령: dmplz setup\n"));
    assert!(text(found()).ends_with("1 problem to fix.\n"));
}

#[test]
fn hooks_that_are_missing_are_told() {
    insta::assert_snapshot!(text(hooks::judge(&[installed(Ok(Hooks::default()))], None, EN)), @"
    ✗ hooks     Claude Code does not call dmplz yet
                → dmplz install --user

    1 problem to fix.
    ");
}

#[test]
fn a_client_that_waits_too_short_is_told() {
    let hooks = |seconds| Hooks { program: Some("dmplz".into()), timeout: seconds, ..Hooks::default() };
    let judge = |seconds, limit| text(hooks::judge(&[installed(Ok(hooks(seconds)))], Some(limit), EN));
    insta::assert_snapshot!(judge(Some(60), Duration::from_secs(300)), @"
    ✓ hooks     dmplz (/home/ann/.claude/settings.json)
    ✗ hooks     Claude Code stops the hook before DMPLZ_HOOK_TIMEOUT_MS: 60 s (/home/ann/.claude/settings.json)
                → run dmplz install again

    1 problem to fix.
    ");
    assert!(judge(None, Duration::from_secs(600)).contains("Ready."));
    assert!(!judge(None, Duration::from_secs(601)).contains("Ready."));
}

#[test]
fn questions_that_are_to_be_asked_ahead_need_a_hook_before_the_tool() {
    let judge = |before: &[(Option<u64>, Option<&str>)], plugin| {
        let before =
            before.iter().map(|(timeout, only)| Before { timeout: *timeout, only: only.map(Into::into) }).collect();
        let hooks = Hooks { program: Some("dmplz".into()), before, plugin, ..Hooks::default() };
        text(hooks::ahead::judge(&[installed(Ok(hooks))], Duration::from_secs(300), EN).into_iter().collect())
    };
    insta::assert_snapshot!(judge(&[], false), @"
    ✗ hooks     DMPLZ_QUESTIONS_AHEAD is on, and no hook runs before a question (PreToolUse): nobody is asked but the terminal
                → register `dmplz hook` for PreToolUse with the matcher AskUserQuestion and a timeout of 300, or turn the setting off

    1 problem to fix.
    ");
    assert_eq!(judge(&[], true), judge(&[], false), "the plugin has none either");
    assert_eq!(judge(&[(None, Some("Bash|Write"))], false), judge(&[], false), "nor one for other tools");
    insta::assert_snapshot!(judge(&[(Some(10), None), (Some(20), Some("AskUserQuestion"))], false), @"
    ✗ hooks     Claude Code stops the hook before a question (PreToolUse) after 10 s, so questions are left to the terminal by then
                → give it a timeout of 300 in the settings file

    1 problem to fix.
    ");
    for enough in [(None, None), (Some(300), Some("Bash|AskUserQuestion")), (Some(600), Some("Ask.*"))] {
        assert_eq!(judge(&[(Some(10), Some("Bash")), enough], false), "\nReady.\n", "{enough:?}");
    }
    let gone = [installed(Err(Phrase::same("it cannot be read: not JSON")))];
    assert_eq!(hooks::ahead::judge(&gone, Duration::from_secs(300), EN), None, "another finding says so");
}

#[test]
fn a_gateway_is_told_with_who_would_see_a_request() {
    let status = |surfaces: &[&str], version: &str| GatewayStatus {
        version: version.into(),
        open: 2,
        surfaces: surfaces.iter().map(|name| ((*name).to_owned(), 1)).collect(),
        messengers: Vec::new(),
    };
    let version = env!("CARGO_PKG_VERSION");
    let judge = |answer| text(vec![gateway::judge(7, answer, EN)]);
    insta::assert_snapshot!(judge(Ok(status(&["telegram", "web"], version))), @"
    ✓ gateway   process 7: telegram, web (2 open)

    Ready.
    ");
    insta::assert_snapshot!(judge(Ok(status(&[], version))), @"
    ! gateway   process 7: nobody would see a request (2 open)
                → set up a messenger, open the page, or run dmplz approvals watch

    Ready.
    ");
    let why = Some("api.telegram.org cannot be reached".to_owned());
    let out = MessengerStatus { name: "telegram".into(), reachable: false, since_ms: None, why, alert: false };
    insta::assert_snapshot!(judge(Ok(GatewayStatus { messengers: vec![out], ..status(&[], version) })), @"
    ! gateway   process 7: telegram has not been reachable for 0s, so nobody can answer there: api.telegram.org cannot be reached (2 open)
                → look at the network, the token and the messenger's own status; the page and `dmplz approvals` take answers meanwhile

    Ready.
    ");
    assert!(judge(Ok(status(&["web"], "0.0.0"))).contains("process 7 is of another version"));
    assert!(judge(Err(GatewayError::TooOld("gateway.status".into()))).contains("process 7 is of another version"));
    insta::assert_snapshot!(judge(Err(GatewayError::TimedOut)), @"
    ! gateway   process 7 does not answer: the gateway did not answer in time
                → start `dmplz serve` again

    Ready.
    ");
}

#[test]
fn odd_hooks_are_told() {
    let hooks = Hooks {
        program: Some("/nowhere/dmplz".into()),
        missing: vec!["Stop".into()],
        disabled: true,
        plugin: true,
        ..Hooks::default()
    };
    let mut broken = installed(Err(Phrase::same("it cannot be read: not JSON")));
    broken.path = "/home/ann/shop/.claude/settings.json".into();
    insta::assert_snapshot!(text(hooks::judge(&[installed(Ok(hooks)), broken], None, EN)), @"
    ✗ hooks     every hook is turned off (/home/ann/.claude/settings.json)
                → take disableAllHooks out
    ✓ hooks     the plugin is on (/home/ann/.claude/settings.json)
    ✗ hooks     the registered program is gone: /nowhere/dmplz (/home/ann/.claude/settings.json)
                → run dmplz install again
    ✗ hooks     /home/ann/shop/.claude/settings.json: it cannot be read: not JSON
                → correct that file: Claude Code cannot read it either
    ✗ hooks     the hooks are registered twice, so it asks twice: /nowhere/dmplz
                → leave one of them (dmplz uninstall)

    4 problems to fix.
    ");
}

#[test]
fn a_wrong_clock_is_told() {
    let now = "2026-11-22T03:00:00Z".parse().unwrap();
    let check = |date: &str| clock::check(date, now, EN).map(|finding| (finding.level, finding.what));
    assert_eq!(check("Sun, 22 Nov 2026 02:59:58 GMT").unwrap().0, Level::Good);
    let ahead = Some((Level::Doubtful, "this clock is ahead of the server's: 2m 0s".to_owned()));
    assert_eq!(check("Sun, 22 Nov 2026 02:58:00 GMT"), ahead);
    let behind = Some((Level::Doubtful, "this clock is behind the server's: 1h 0m".to_owned()));
    assert_eq!(check("Sun, 22 Nov 2026 04:00:00 GMT"), behind);
    assert_eq!(check("yesterday"), None);
}

#[test]
fn rules_that_do_not_count_are_told() {
    let file = |tier, path: &str, trusted, text: &str| {
        File::parse(text, Origin { tier, path: path.into(), root: None, trusted })
    };
    let allow = "[[rule]]\ntoolName = \"Read\"\ndecision = \"allow\"\npriority = 1\n";
    let mut admin = file(Tier::Admin, "/etc/dmplz/policy.d/10.toml", false, allow);
    admin.blame(Loading::Suspect(Suspicion::Owner { path: admin.origin.path.clone(), is_folder: false, owner: 7 }));
    let files = [
        admin,
        file(Tier::User, "/s/policy.toml", true, &allow.repeat(2)),
        file(Tier::Workspace, "/p/.dmplz/policy.toml", false, allow),
    ];
    insta::assert_snapshot!(text(policy::judge(&files, EN)), @"
    ✓ policy    admin: files 1, rules 1 · user: files 1, rules 2 · workspace: files 1, rules 1
    ✗ policy    /etc/dmplz/policy.d/10.toml: it belongs to user 7, so what it allows does not count
                → correct it; until then neither this file nor the tiers below it allow anything
    ! policy    /p/.dmplz/policy.toml: nobody trusts it, so what it allows is asked
                → read it, and run `dmplz policy trust`

    1 problem to fix.
    ");
    insta::assert_snapshot!(text(policy::judge(&[], EN)), @"
    ✓ policy    no rules, so everything is asked (`dmplz policy init`)

    Ready.
    ");
    let denies = file(Tier::Workspace, "/p/.dmplz/policy.toml", false, &allow.replace("allow", "deny"));
    assert!(text(policy::judge(&[denies], EN)).ends_with("\nReady.\n"), "what only denies needs no trust");
}

#[test]
fn what_to_do_about_who_may_answer_depends_on_whether_the_messenger_tells() {
    let judge = |users, listed: &str| {
        let chat = OpenChat { id: "c".into(), owner: None, users };
        text(vec![messenger::of_approvers(&chat, &[listed.to_owned()], "DMPLZ_ACME_ALLOWED_USERS", EN)])
    };
    insta::assert_snapshot!(judge(Users::Identified, "*"), @"
    ! approvers everyone in the chat may approve
                → list ids instead of *, unless that is what you want

    Ready.
    ");
    insta::assert_snapshot!(judge(Users::Anonymous, "*"), @"
    ! approvers everyone in the chat may approve
                → keep the name of the chat as secret as a password: this messenger does not tell who answers

    Ready.
    ");
    assert!(judge(Users::Identified, "7").contains("it is known who may answer"));
    assert!(judge(Users::Anonymous, "7").contains("DMPLZ_ACME_ALLOWED_USERS=*"), "an id of nobody lets nobody answer");
}
