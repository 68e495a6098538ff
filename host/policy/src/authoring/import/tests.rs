mod decisions;
mod property;
mod reference;

use crate::authoring::examples::checked;
use serde_json::json;

use super::*;

fn of(file: &str) -> Source<'_> {
    Source { file: Path::new(file), home: Some(Path::new("/home/u")) }
}

fn project() -> Source<'static> {
    of("/home/u/p/.claude/settings.json")
}

fn user() -> Source<'static> {
    of("/home/u/.claude/settings.json")
}

/// Returns the imported rules without the header of the file.
fn rules(settings: &Value, source: &Source<'_>) -> String {
    let toml = claude(settings, source).toml;
    let file =
        checked(File::parse(&toml, Origin { tier: Tier::User, path: "p.toml".into(), root: None, trusted: true }));
    assert_eq!(file.problems.iter().map(ToString::to_string).collect::<Vec<_>>(), Vec::<String>::new(), "{toml}");
    toml.split_once("\n\n").map(|(_, rules)| rules.to_owned()).unwrap_or_default()
}

fn allow(entry: &str, source: &Source<'_>) -> String {
    rules(&json!({"permissions": {"allow": [entry]}}), source)
}

fn deny(entry: &str, source: &Source<'_>) -> String {
    rules(&json!({"permissions": {"deny": [entry]}}), source)
}

#[test]
fn settings_become_a_file_that_a_person_can_read() {
    let settings = json!({"permissions": {
        "allow": ["Bash(npm run *)", "Bash(npm run *)", "mcp__*"],
        "ask": ["Bash(git push:*)"],
        "deny": ["Read(./.env)", "Mystery(x)", "Cd"],
        "defaultMode": "acceptEdits",
        "additionalDirectories": ["../docs"],
    }});
    let import = claude(&settings, &project());
    // This test does not depend on the list of wrappers.
    let toml: Vec<_> = import.toml.lines().filter(|line| !line.contains("\"env\"")).collect();
    insta::assert_snapshot!(toml.join("\n"), @r##"
    # From Claude Code's settings, /home/u/p/.claude/settings.json.
    # It asks its lists in this order: deny (here priority 300), ask (200), allow (100).
    # The allows hold below /home/u/p only; denies and asks hold everywhere.

    [[rule]]
    toolName = ["Read", "Grep", "Glob", "LS"]
    paths = "**/.env"
    decision = "deny"
    priority = 300
    reason = "Claude Code's deny Read(./.env) (/home/u/p/.claude/settings.json)"

    # deny `Mystery(x)` cannot be imported: what is in the parentheses means nothing that is known of Mystery. Every call of Mystery is asked instead.
    [[rule]]
    toolName = "Mystery"
    decision = "ask_user"
    priority = 200
    reason = "deny `Mystery(x)` cannot be imported: what is in the parentheses means nothing that is known of Mystery. Every call of Mystery is asked instead. (/home/u/p/.claude/settings.json)"

    # deny `Cd` is left out: it is about Claude Code's own `/cd`, which no agent calls.

    [[rule]]
    toolName = "Bash"
    commandPrefix = "git push"
    decision = "ask_user"
    priority = 200
    reason = "Claude Code's ask Bash(git push:*) (/home/u/p/.claude/settings.json)"
    match = "git push"
    not_match = "git push-x"

    [[rule]]
    toolName = "Bash"
    commandPrefix = "npm run"
    cwd = "//home/u/p/**"
    decision = "allow"
    priority = 100
    reason = "Claude Code's allow Bash(npm run *) (/home/u/p/.claude/settings.json)"
    match = "npm run"
    not_match = "npm run-x"

    # allow `mcp__*` is left out: Claude Code skips an allow that names no server.

    # Claude Code asks for a command that one of these starts, even where it allows that command.
    # Without this rule what they start decides.
    [[rule]]
    toolName = "Bash"
    decision = "ask_user"
    priority = 50
    reason = "Claude Code does not look past these (/home/u/p/.claude/settings.json)"

    # `defaultMode` "acceptEdits" stays Claude Code's own: no mode allows anything here.

    # `additionalDirectories` ["../docs"] stays Claude Code's own: it allows nothing here. Add `paths` for what may be read or written there.
    "##);
    let notes: Vec<_> = import.notes.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(notes.join("\n"), @r##"
    deny `Mystery(x)` cannot be imported: what is in the parentheses means nothing that is known of Mystery. Every call of Mystery is asked instead.
    deny `Cd` is left out: it is about Claude Code's own `/cd`, which no agent calls.
    allow `mcp__*` is left out: Claude Code skips an allow that names no server.
    `defaultMode` "acceptEdits" stays Claude Code's own: no mode allows anything here.
    `additionalDirectories` ["../docs"] stays Claude Code's own: it allows nothing here. Add `paths` for what may be read or written there.
    "##);
}

#[test]
fn an_allow_of_a_project_holds_below_it() {
    let cwd =
        |entry: &str, source: Source<'_>| allow(entry, &source).lines().any(|line| line == r#"cwd = "//home/u/p/**""#);
    assert!(cwd("Bash(ls)", project()) && cwd("Edit(src/**)", project()) && cwd("WebSearch", project()));
    assert!(!cwd("Bash(ls)", user()));
    assert!(!deny("Bash(ls)", &project()).contains("cwd"));
}

#[test]
fn paths_begin_where_claude_code_has_them_begin() {
    let lines = |toml: String| toml.lines().filter_map(|line| line.strip_prefix("paths = ")).collect::<String>();
    for (entry, source, allowed, denied) in [
        ("Read(//etc/**)", user(), r#""//etc/**""#, r#""//etc/**""#),
        ("Read(~/x)", user(), r#""~/x""#, r#""~/x""#),
        ("Read(~)", user(), "", r#""~/**""#),
        ("Read(/x)", user(), r#""//home/u/.claude/x""#, r#""//home/u/.claude/x""#),
        ("Edit(/src/**)", project(), r#""//home/u/p/src/**""#, r#""//home/u/p/src/**""#),
        ("Read(.env)", user(), r#"".env""#, r#""**/.env""#),
        ("Read(./.env)", user(), r#""./.env""#, r#""**/.env""#),
        ("Read(**/.env)", user(), r#""**/.env""#, r#""**/.env""#),
        ("Edit(src/**)", user(), r#""./src/**""#, r#""**/src/**""#),
        ("Edit(secrets/)", user(), r#""./secrets/""#, r#""**/secrets/""#),
        ("Edit(src/a/**)", user(), r#""src/a/**""#, r#""src/a/**""#),
        ("Read(*.{pem,key})", user(), r#"'*.\{pem,key\}'"#, r#"['**/*.\{pem,key\}', "**/*.{pem,key}"]"#),
        ("Read(**)", user(), r#""**""#, ""),
    ] {
        assert_eq!(lines(allow(entry, &source)), allowed, "allow {entry}");
        assert_eq!(lines(deny(entry, &source)), denied, "deny {entry}");
    }
    let odd = of("/home/u/[a]{b}*/.claude/settings.json");
    assert_eq!(lines(deny("Read(/x)", &odd)), r"'//home/u/\[a\]\{b\}\*/x'");
}

#[test]
fn a_rule_is_about_all_tools_that_read_or_that_write() {
    let tools = |toml: String| toml.lines().find_map(|line| line.strip_prefix("toolName = ")).unwrap_or("-").to_owned();
    let read = r#"["Read", "Grep", "Glob", "LS"]"#;
    let edit = r#"["Edit", "Write", "NotebookEdit"]"#;
    for (entry, allowed, denied) in [
        ("Read(x)", read, read),
        ("Edit(x)", edit, edit),
        ("Read", r#""Read""#, read),
        ("Edit", r#""Edit""#, edit),
        ("Write", r#""Write""#, r#""Write""#),
        ("Write(x)", "-", edit),
        ("Glob(x)", "-", read),
    ] {
        assert_eq!(tools(allow(entry, &user())), allowed, "allow {entry}");
        assert_eq!(tools(deny(entry, &user())), denied, "deny {entry}");
    }
}

#[test]
fn other_tools_become_what_they_say() {
    let condition = |toml: String| -> String {
        let said = toml.lines().filter(|line| {
            line.starts_with("toolName") || line.starts_with("argsPattern") || line.starts_with("domains")
        });
        said.map(|line| line.split_once(" = ").unwrap().1).collect::<Vec<_>>().join(" ")
    };
    let table: Vec<_> = [
        "WebFetch", "WebFetch(domain:Example.com.)", "WebFetch(domain:*.example.com)", "WebFetch(domain:*)",
        "WebFetch(domain:example.*)", "WebFetch(url:https://x/*)", "WebSearch", "mcp__puppeteer", "mcp__puppeteer__*",
        "mcp__github__get_*", "mcp__*", "mcp__*__delete", "mcp__github__create(title:x)", "*", "Agent",
        "Task(Explore)", "Agent(general-purpose)", "Agent(model:opus)", "Agent(isolation: *)", "Skill(commit)",
        "Skill(review *)", "Skill(skill:commit)", "Skill(team:commit)", "Mystery", "Mystery(x)", "Mystery(count:3)",
        "Read(limit:100)", "PowerShell(Get-ChildItem *)", "Cd(~/x)",
    ]
    .map(|entry| format!("{entry} | {} | {}", condition(allow(entry, &user())), condition(deny(entry, &user()))))
    .into();
    insta::assert_snapshot!(table.join("\n"), @r##"
    WebFetch | "WebFetch" | "WebFetch"
    WebFetch(domain:Example.com.) | "WebFetch" "example.com" | "WebFetch" "example.com"
    WebFetch(domain:*.example.com) | "WebFetch" "*.example.com" | "WebFetch" "*.example.com"
    WebFetch(domain:*) | "WebFetch" | "WebFetch"
    WebFetch(domain:example.*) |  | "WebFetch"
    WebFetch(url:https://x/*) |  | "WebFetch"
    WebSearch | "WebSearch" | "WebSearch"
    mcp__puppeteer | "mcp__puppeteer" | "mcp__puppeteer"
    mcp__puppeteer__* | "mcp__puppeteer__*" | "mcp__puppeteer__*"
    mcp__github__get_* | "mcp__github__get_*" | "mcp__github__get_*"
    mcp__* |  | "mcp__*"
    mcp__*__delete |  | "mcp__*__delete"
    mcp__github__create(title:x) |  | "mcp__github__create"
    * |  | "*"
    Agent | "Agent" | "Agent"
    Task(Explore) | "Agent" '\0"subagent_type":"Explore"\0' | "Agent" '\0"subagent_type":"?Explore"?\0'
    Agent(general-purpose) | "Agent" '\0"subagent_type":"general-purpose"\0' | "Agent" ['\0"subagent_type":"?general-purpose"?\0', '^\{(\0"([^s"]|s[^u"]|su[^b"])[^\0]*\0,?)*\}$']
    Agent(model:opus) |  | "Agent" '\0"model":"?opus"?\0'
    Agent(isolation: *) |  | "Agent" '\0"isolation":"?[^\0]*"?\0'
    Skill(commit) | "Skill" '^\{\0"skill":"commit"\0\}$' | "Skill" '\0"(skill|command)":"(/|[^"\0]*:)?commit[" ]'
    Skill(review *) | "Skill" '\0"skill":"review"\0' | "Skill" '\0"(skill|command)":"(/|[^"\0]*:)?review[" ]'
    Skill(skill:commit) | "Skill" '^\{\0"skill":"skill:commit"\0\}$' | "Skill" '\0"(skill|command)":"(/|[^"\0]*:)?commit[" ]'
    Skill(team:commit) | "Skill" '^\{\0"skill":"team:commit"\0\}$' | "Skill" '\0"(skill|command)":"(/|[^"\0]*:)?team:commit[" ]'
    Mystery | "Mystery" | "Mystery"
    Mystery(x) |  | "Mystery"
    Mystery(count:3) |  | "Mystery" '\0"count":"?3"?\0'
    Read(limit:100) | ["Read", "Grep", "Glob", "LS"] | ["Read", "Grep", "Glob", "LS"] "Read" '\0"limit":"?100"?\0'
    PowerShell(Get-ChildItem *) |  | "PowerShell"
    Cd(~/x) |  |
    "##);
}

#[test]
fn what_cannot_be_read_and_may_say_no_is_asked() {
    let everything = |settings: Value| rules(&settings, &user()).contains("toolName = \"*\"\ndecision = \"ask_user\"");
    for settings in [
        json!([]),
        json!("x"),
        json!({"permissions": []}),
        json!({"permissions": {"deny": "Bash"}}),
        json!({"permissions": {"ask": {"Bash": true}}}),
        json!({"permissions": {"deny": [7]}}),
        json!({"permissions": {"deny": ["rm -rf"]}}),
    ] {
        assert!(everything(settings.clone()), "{settings}");
    }
    for settings in [
        json!({}),
        json!({"permissions": {}}),
        json!({"permissions": {"allow": [7, "rm -rf"]}}),
        json!({"permissions": {"allow": "Bash"}}),
    ] {
        assert!(!rules(&settings, &user()).contains("[[rule]]"), "{settings}");
    }
}

#[test]
fn nothing_of_an_entry_becomes_a_rule_of_its_own() {
    let sly = "Bash(echo \"\"\"\n[[rule]]\ntoolName = \"*\"\ndecision = \"allow\"\npriority = 999\n# *)";
    for settings in [json!({"permissions": {"allow": [sly]}}), json!({"permissions": {"deny": [sly]}})] {
        let toml = claude(&settings, &user()).toml;
        let file =
            checked(File::parse(&toml, Origin { tier: Tier::User, path: "p".into(), root: None, trusted: true }));
        assert!(file.problems.is_empty() && file.rules.iter().all(|rule| rule.decision != Decision::Allow), "{toml}");
    }
}
