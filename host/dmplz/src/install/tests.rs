mod round_trip;

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use dmplz_core::notify::EventKind;

use super::*;
use crate::notify::settings::RoutedEvent;

/// A settings file in a temporary home.
struct Home {
    dir: tempfile::TempDir,
    path: PathBuf,
}

impl Home {
    fn new(text: Option<&str>) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(".claude/settings.json");
        fs::create_dir(dir.path().join(".claude")).unwrap();
        text.inspect(|text| fs::write(&path, text).unwrap());
        Self { dir, path }
    }

    fn text(&self) -> Option<String> {
        file::text(&self.path).unwrap()
    }

    /// Installs a program with that path. Returns the description of the change.
    fn install(&self, program: &str) -> anyhow::Result<String> {
        let file = File::read(&self.path)?;
        let told = make(&file, &Change::Text(register(file.text.as_deref(), program, 300, &[])?), Lang::En)?;
        Ok(self.short(&told))
    }

    fn uninstall(&self) -> anyhow::Result<String> {
        let file = File::read(&self.path)?;
        Ok(self.short(&make(&file, &deregister(&file, &[])?, Lang::En)?))
    }

    fn environment(&self, name: &str) -> Option<String> {
        (name == "HOME").then(|| self.dir.path().to_str().unwrap().to_owned())
    }

    fn short(&self, told: &str) -> String {
        told.replace(self.dir.path().canonicalize().unwrap().to_str().unwrap(), "~")
    }

    /// Returns the reason why an install is refused, and checks that it changed nothing.
    fn refusal(text: &str) -> String {
        let home = Self::new(Some(text));
        let error = home.install("/bin/dmplz").unwrap_err();
        assert_eq!(home.text().as_deref(), Some(text));
        assert_eq!(fs::read_dir(home.path.parent().unwrap()).unwrap().count(), 1, "no backup of what is not changed");
        format!("{error:#}")
    }
}

#[test]
fn hooks_are_registered_where_there_is_no_file() {
    let home = Home::new(None);
    assert_eq!(home.install("/opt/my tools/dmplz").unwrap(), "~/.claude/settings.json: written\n");
    let text = home.text().unwrap();
    let (asks, _) = text.split_once("PostToolUse").unwrap();
    insta::assert_snapshot!(asks, @r#"
    {
      "hooks": {
        "PermissionRequest": [
          {
            "hooks": [
              {
                "type": "command",
                "command": "/opt/my tools/dmplz",
                "args": [
                  "hook"
                ],
                "timeout": 300
              }
            ]
          }
        ],
        "
    "#);
    assert_eq!(home.uninstall().unwrap(), "~/.claude/settings.json: as it was before the install\n");
    assert_eq!(home.text(), None);
}

#[test]
fn the_events_are_those_of_the_plugin() {
    let plugin: serde_json::Value = serde_json::from_str(include_str!("../../plugin/hooks/hooks.json")).unwrap();
    let home = Home::new(None);
    home.install("dmplz").unwrap();
    let settings: serde_json::Value = serde_json::from_str(&home.text().unwrap()).unwrap();
    assert_eq!(settings["hooks"], plugin["hooks"]);
    let retiring = ["PostToolUse", "PostToolUseFailure", "SessionEnd", "Stop", "UserPromptSubmit"];
    assert_eq!(plugin["hooks"].as_object().unwrap().len(), 1 + retiring.len());
    for event in retiring {
        assert_eq!(plugin["hooks"][event][0]["hooks"][0]["async"], true, "{event} must not hold the client up");
    }
    assert!(plugin["hooks"]["PermissionRequest"][0]["hooks"][0].get("async").is_none(), "async hooks cannot decide");
}

#[test]
fn an_event_that_a_terminal_shows_is_waited_for_and_one_that_is_not_counts_as_missing() {
    let routed = |event, is_awaited| RoutedEvent { event, is_awaited };
    let before =
        hooks::with("", &hooks::wanted("/bin/dmplz", 300, &[routed(EventKind::Stop, false)]).unwrap()).unwrap();
    let reported =
        [routed(EventKind::Notification, true), routed(EventKind::Stop, true), routed(EventKind::SessionEnd, false)];
    assert_eq!(status::of(&before, &reported).unwrap().missing, ["Stop", "Notification"]);
    let after = hooks::with(&before, &hooks::wanted("/bin/dmplz", 300, &reported).unwrap()).unwrap();
    assert!(status::of(&after, &reported).unwrap().missing.is_empty());
    let after: serde_json::Value = serde_json::from_str(&after).unwrap();
    let is_async = |event: &str| after["hooks"][event][0]["hooks"][0]["async"].as_bool();
    assert_eq!(["Notification", "Stop", "SessionEnd"].map(is_async), [None, Some(false), Some(true)]);
}

#[test]
fn a_second_install_changes_nothing() {
    let home = Home::new(Some("{\"model\": \"opus\"}"));
    home.install("/bin/dmplz").unwrap();
    let (text, modified) = (home.text(), fs::metadata(&home.path).unwrap().modified().unwrap());
    assert_eq!(home.install("/bin/dmplz").unwrap(), "~/.claude/settings.json: nothing to change\n");
    assert_eq!((home.text(), fs::metadata(&home.path).unwrap().modified().unwrap()), (text, modified));
}

#[test]
fn an_older_registration_is_corrected_and_not_doubled() {
    let old = r#"{
	"hooks": {
		"PermissionRequest": [
			{"matcher": "Bash", "hooks": [{"type": "command", "command": "'/old place/dmplz' hook", "statusMessage": "asking"}]},
			{"hooks": [{"type": "command", "command": "/older/dmplz", "args": ["hook"]}, {"type": "command", "command": "other"}]}
		],
		"Notification": [{"hooks": [{"type": "command", "command": "dmplz hook"}]}]
	}
}
"#;
    let home = Home::new(Some(old));
    home.install("/new/dmplz").unwrap();
    let text = home.text().unwrap();
    let (asks, _) = text.split_once("PostToolUse").unwrap();
    insta::assert_snapshot!(asks.replace('\t', "    "), @r#"
    {
        "hooks": {
            "PermissionRequest": [
                {"hooks": [{"type": "command", "command": "/new/dmplz", "args": ["hook"], "timeout": 300}, {"type": "command", "command": "other"}]}
            ],
            "
    "#);
    assert_eq!(text.matches("dmplz").count(), 6);
    assert!(!text.contains("Notification"));
}

#[test]
fn what_a_person_wrote_keeps_its_bytes() {
    let mine = "{\r\n    \"b\" : [1,2],\r\n    \"a\": \"\\u00e9\", \"hooks\": {\"Stop\": [ {\"hooks\": [ ]} ]}\r\n}";
    let home = Home::new(Some(mine));
    home.install("/bin/dmplz").unwrap();
    let text = home.text().unwrap();
    assert!(
        text.starts_with("{\r\n    \"b\" : [1,2],\r\n    \"a\": \"\\u00e9\", \"hooks\": {\"Stop\": [ {\"hooks\": [ ]}"),
        "{text}"
    );
    home.uninstall().unwrap();
    assert_eq!(home.text().as_deref(), Some(mine));
}

#[test]
fn changes_made_after_the_install_survive_the_uninstall() {
    let home = Home::new(Some("{\n  \"model\": \"opus\"\n}\n"));
    home.install("/bin/dmplz").unwrap();
    fs::write(&home.path, home.text().unwrap().replace("opus", "sonnet")).unwrap();
    home.uninstall().unwrap();
    assert_eq!(home.text().unwrap(), "{\n  \"model\": \"sonnet\"\n}\n");
}

#[test]
fn denies_that_a_person_registered_for_every_tool_stay_until_the_uninstall() {
    let denies =
        r#""PreToolUse": [{"hooks": [{"type": "command", "command": "dmplz", "args": ["hook"], "timeout": 10}]}]"#;
    let home = Home::new(Some(&format!("{{\"hooks\": {{{denies}}}}}\n")));
    home.install("/bin/dmplz").unwrap();
    assert!(home.text().unwrap().contains(denies), "{:?}", home.text());
    home.uninstall().unwrap();
    assert!(!home.text().unwrap().contains("dmplz"));
}

#[test]
fn other_hooks_are_not_taken_for_ours() {
    let mine = r#"{"hooks": {"Stop": [{"hooks": [
      {"type": "command", "command": "/bin/dmplz stats"},
      {"type": "command", "command": "/bin/dmplz", "args": ["hook", "-v"]},
      {"type": "command", "command": "/bin/notdmplz hook"},
      {"type": "http", "url": "http://127.0.0.1/dmplz hook"}
    ]}]}}"#;
    let home = Home::new(Some(mine));
    assert_eq!(home.uninstall().unwrap(), "~/.claude/settings.json: nothing to change\n");
    assert_eq!(home.text().as_deref(), Some(mine));
}

#[test]
fn what_is_not_plain_settings_is_refused_and_left_alone() {
    let refusals = [
        "{\"a\": 1,}",
        "{\n // mine\n}",
        "[]",
        "{\"hooks\": []}",
        "{\"hooks\": {\"Stop\": {}}}",
        "{\"hooks\": {\"Stop\": [{\"command\": \"x\"}]}}",
        "{\"hooks\": {}, \"hooks\": {}}",
        "{\"enabledPlugins\": {\"dmplz@dmplz\": true}}",
    ];
    insta::assert_snapshot!(refusals.map(Home::refusal).join("\n"), @r#"
    it is not plain JSON (Claude Code loads nothing from it either): key must be a string at line 1 column 9
    it is not plain JSON (Claude Code loads nothing from it either): key must be a string at line 2 column 2
    the whole of it is not an object
    "hooks" is not an object
    "hooks"."Stop" is not a list
    "hooks"."Stop" is not a list of objects that have a list "hooks"
    the key "hooks" is there twice
    the hooks cannot be added: the dmplz plugin is enabled there, and every request would be asked twice; first run `claude plugin disable dmplz`
    "#);
}

#[test]
fn the_mode_the_link_and_a_copy_are_kept() {
    let home = Home::new(None);
    let dotfiles = home.dir.path().join("dotfiles");
    fs::create_dir(&dotfiles).unwrap();
    let real = dotfiles.join("claude.json");
    fs::write(&real, "{}").unwrap();
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    symlink(&real, &home.path).unwrap();
    let printed = home.install("/bin/dmplz").unwrap();
    assert_eq!(printed, "~/dotfiles/claude.json: changed; as it was before: ~/dotfiles/claude.json.dmplz-backup\n");
    assert!(home.path.is_symlink());
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let backup = dotfiles.join("claude.json.dmplz-backup");
    assert_eq!((mode(&real), mode(&backup)), (0o640, 0o640));
    assert_eq!(fs::read_to_string(backup).unwrap(), "{}");
    assert_eq!(fs::read_dir(&dotfiles).unwrap().count(), 2, "nothing else is left there");
}

#[test]
fn what_somebody_wrote_meanwhile_is_not_overwritten() {
    let home = Home::new(Some("{}"));
    let file = File::read(&home.path).unwrap();
    fs::write(&home.path, "{\"model\": \"opus\"}").unwrap();
    let error = file.write("{\"hooks\": {}}").unwrap_err();
    assert!(error.to_string().contains("it changed meanwhile"), "{error}");
    assert_eq!(home.text().unwrap(), "{\"model\": \"opus\"}");
}

#[test]
fn a_dry_run_shows_the_change_and_writes_nothing() {
    let home = Home::new(Some("{\n  \"model\": \"opus\"\n}\n"));
    let file = File::read(&home.path).unwrap();
    let printed = diff(&file, &Change::Text(register(file.text.as_deref(), "/bin/dmplz", 300, &[]).unwrap()));
    let printed = home.short(&printed);
    let head: Vec<&str> = printed.lines().take(8).collect();
    insta::assert_snapshot!(head.join("\n"), @r#"
    --- ~/.claude/settings.json
    +++ ~/.claude/settings.json
    @@ -1,3 +1,94 @@
     {
    -  "model": "opus"
    +  "model": "opus",
    +  "hooks": {
    +    "PermissionRequest": [
    "#);
    assert_eq!(home.text().unwrap(), "{\n  \"model\": \"opus\"\n}\n");
    assert!(!file.backup().exists());
}

#[test]
fn the_doctor_is_told_what_is_registered() {
    let home = Home::new(Some("{\"disableAllHooks\": true}"));
    let user = |home: &Home| status(&|name| home.environment(name)).remove(0);
    let nothing = user(&home).hooks.unwrap();
    assert!(nothing.disabled && nothing.program.is_none() && nothing.missing.len() == 6);
    home.install("/bin/dmplz").unwrap();
    let all = Hooks { program: Some("/bin/dmplz".to_owned()), timeout: Some(300), disabled: true, ..Hooks::default() };
    assert_eq!(user(&home).hooks.unwrap(), all);
    fs::write(&home.path, "{").unwrap();
    assert!(user(&home).hooks.unwrap_err().of(Lang::En).starts_with("it is not plain JSON"));
}
