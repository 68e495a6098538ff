use std::path::Path;

use super::*;
use crate::condition::Base;

fn source(kind: SettingsFile, standing: Standing, text: &str) -> Source {
    let path = PathBuf::from(format!("/{}.json", kind.name()));
    let hooks = Hooks::parse(text, Dialect::Claude, Base { file: &path, home: None });
    Source { kind, path, standing, hooks }
}

fn shown(sources: &[Source], input: &Input) -> String {
    let line = |planned: &Planned<'_>| {
        let command = planned.handler.command.as_ref().map_or("-", |command| command.line.as_str());
        format!("{} {command}: {:?}", planned.source.name(), planned.skip)
    };
    plan(sources, input, None).iter().map(line).collect::<Vec<_>>().join("\n")
}

const MIXED: &str = r#"{"hooks":{"PreToolUse":[
  {"matcher":"Bash","hooks":[
    {"type":"command","command":"one"},
    {"type":"command","command":"one"},
    {"type":"command","command":"two","if":"Bash(git push *)"},
    {"type":"command","command":"three","if":"Bash(npm test)"},
    {"type":"prompt","prompt":"is it safe?"},
    {"type":"command","command":"dmplz","args":["hook"]},
    {"type":"command"},
    {"type":"shout","command":"x"}]},
  {"matcher":"Write","hooks":[{"type":"command","command":"four"}]},
  {"matcher":"Bash(","hooks":[{"type":"command","command":"five"}]},
  {"hooks":[{"type":"command","command":"six"}]}],
 "Stop":[{"hooks":[{"type":"command","command":"seven"}]}]}}"#;

#[test]
fn every_handler_of_the_event_has_a_reason_or_runs() {
    let sources = [source(SettingsFile::User, Standing::On, MIXED)];
    insta::assert_snapshot!(shown(&sources, &Input::example("PreToolUse")), @r#"
    user one: None
    user one: Some(Twice)
    user two: Some(OtherCall)
    user three: None
    user -: Some(Type { kind: "prompt" })
    user dmplz: Some(Ours)
    user -: Some(NoCommand)
    user -: Some(Type { kind: "shout" })
    user four: Some(OtherSubject)
    user five: Some(UnreadableMatcher)
    user six: None
    "#);
}

#[test]
fn the_hooks_of_a_project_that_nobody_trusts_never_run() {
    let text = r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"evil"}]}]}}"#;
    for (standing, skip) in [
        (Standing::Untrusted, Some(Skip::Untrusted)),
        (Standing::Changed, Some(Skip::Changed)),
        (Standing::Off, Some(Skip::SourceOff)),
        (Standing::Broken, Some(Skip::SourceOff)),
        (Standing::On, None),
    ] {
        let sources = [source(SettingsFile::Project, standing, text)];
        let planned = plan(&sources, &Input::example("Stop"), None);
        assert_eq!(planned[0].skip, skip, "{standing:?}");
    }
}

#[test]
fn the_same_command_of_two_files_runs_once_and_the_order_is_kept() {
    let text =
        |command| format!(r#"{{"hooks":{{"Stop":[{{"hooks":[{{"type":"command","command":"{command}"}}]}}]}}}}"#);
    let sources = [
        source(SettingsFile::User, Standing::On, &text("a")),
        source(SettingsFile::Project, Standing::On, &text("b")),
        source(SettingsFile::Local, Standing::On, &text("a")),
    ];
    insta::assert_snapshot!(shown(&sources, &Input::example("Stop")), @"
    user a: None
    project b: None
    local a: Some(Twice)
    ");
}

#[test]
fn only_a_file_that_counts_can_turn_everything_off() {
    let off = r#"{"disableAllHooks":true}"#;
    let text = r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"audit"}]}]}}"#;
    for (standing, skip) in [(Standing::Untrusted, None), (Standing::On, Some(Skip::AllOff))] {
        let sources = [source(SettingsFile::User, Standing::On, text), source(SettingsFile::Project, standing, off)];
        assert_eq!(plan(&sources, &Input::example("Stop"), Some(Path::new("/home/u")))[0].skip, skip);
    }
}

#[test]
fn a_handler_for_an_event_that_nobody_raises_is_listed_and_never_runs() {
    let text = r#"{"hooks":{"BeforeTool":[{"hooks":[{"type":"command","command":"x"}]}]}}"#;
    let sources = [source(SettingsFile::User, Standing::On, text)];
    assert_eq!(standing(&sources)[0].skip, Some(Skip::UnknownEvent));
}
