use super::*;

fn report(variables: &[(&str, &str)], file: &str) -> (Report, String) {
    let home = tempfile::tempdir().unwrap();
    let state = home.path().join(".claude/dm-plz");
    std::fs::create_dir_all(&state).unwrap();
    std::fs::write(state.join("config.toml"), file).unwrap();
    let home = home.path().to_str().unwrap().to_owned();
    let table = Table::as_far_as_usable(&|name| match name {
        "HOME" => Some(home.clone()),
        _ => variables.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned()),
    });
    let (table, wrong) = table.unwrap();
    let report = Report::of(&table, wrong.map(anyhow::Error::from).as_ref(), Lang::En);
    let text = report.text(Lang::En, Paint::PLAIN).replace(&home, "~");
    (report, text)
}

/// Returns the lines about one setting.
fn about(text: &str, name: &str) -> String {
    let mut parts = text.split("\n\n").filter(|part| part.starts_with(&format!("{name} =")));
    parts.next().unwrap_or_default().trim_end().to_owned()
}

#[test]
fn every_setting_is_there_with_its_source() {
    let (report, text) = report(&[("DMPLZ_LANG", "en")], "reject_reason_max_chars = 5\n");
    assert_eq!(report.settings.len(), specs().len());
    assert!(report.is_well());
    insta::assert_snapshot!(text.lines().next().unwrap(), @"settings file: ~/.claude/dm-plz/config.toml");
    insta::assert_snapshot!(about(&text, "DMPLZ_LANG"), @"
    DMPLZ_LANG = en  [environment]
        language; where it is not set, that of LC_ALL, LC_MESSAGES or LANG
    ");
    insta::assert_snapshot!(about(&text, "DMPLZ_REJECT_REASON_MAX_CHARS"), @"
    DMPLZ_REJECT_REASON_MAX_CHARS = 5  [file]
        characters kept of a reason
    ");
    insta::assert_snapshot!(about(&text, "DMPLZ_TELEGRAM_API_BASE"), @"
    DMPLZ_TELEGRAM_API_BASE = https://api.telegram.org  [default]
        the Bot API server
    ");
    insta::assert_snapshot!(about(&text, "DMPLZ_CA_FILE"), @"
    DMPLZ_CA_FILE = (not set)  [-]
        more certificates to trust, PEM
    ");
}

#[test]
fn a_value_that_cannot_be_read_is_marked() {
    let (report, text) = report(&[("DMPLZ_HOOK_TIMEOUT_MS", "5x"), ("DMPLZ_ON_EXPIRED", "allow")], "");
    assert!(!report.is_well());
    insta::assert_snapshot!(about(&text, "DMPLZ_HOOK_TIMEOUT_MS"), @r#"
    DMPLZ_HOOK_TIMEOUT_MS = 5x  [environment]
        limit for the whole hook, such as 5m or 90s; a number alone is ms
        ✗ DMPLZ_HOOK_TIMEOUT_MS cannot be used: it is "5x" and takes a duration from 5s to 24h, such as 90s, 5m or 1h30m; a number alone is milliseconds
    "#);
    insta::assert_snapshot!(about(&text, "DMPLZ_ON_EXPIRED"), @r#"
    DMPLZ_ON_EXPIRED = allow  [environment]
        when nobody answers: ask leaves it to the terminal, deny denies
        ✗ DMPLZ_ON_EXPIRED cannot be used: it is "allow" and takes ask or deny
    "#);
}

#[test]
fn values_that_do_not_fit_together_are_told() {
    let (report, text) = report(&[("DMPLZ_REJECT_REASON_TIMEOUT_MS", "300000")], "");
    assert!(!report.is_well());
    insta::assert_snapshot!(text.lines().last().unwrap(), @"✗ DMPLZ_REJECT_REASON_TIMEOUT_MS (300000, in the environment) has to be less than DMPLZ_HOOK_TIMEOUT_MS (300000, the default): lower the first, or raise the second");
}

#[test]
fn a_file_that_cannot_be_used_is_told_beside_what_the_rest_is() {
    let file = "langs = \"en\"\nreject_reason_max_chars = 5\n";
    let (report, text) = report(&[("DMPLZ_ON_EXPIRED", "deny")], file);
    assert!(!report.is_well());
    assert_eq!(report.settings.len(), specs().len());
    insta::assert_snapshot!(text.lines().take(2).collect::<Vec<_>>().join("\n"), @r#"
    settings file: ~/.claude/dm-plz/config.toml
    ✗ ~/.claude/dm-plz/config.toml cannot be used: there is no setting "langs"; did you mean "lang"?
    "#);
    assert!(about(&text, "DMPLZ_ON_EXPIRED").starts_with("DMPLZ_ON_EXPIRED = deny  [environment]"), "{text}");
    assert!(about(&text, "DMPLZ_REJECT_REASON_MAX_CHARS").starts_with("DMPLZ_REJECT_REASON_MAX_CHARS = 5  [file]"));
    let (report, text) = self::report(&[("DMPLZ_ON_EXPIRED", "deny")], "reject_reason_max_chars = 5\nlang = en\n");
    assert!(!report.is_well() && text.contains("config.toml cannot be read: line 2: "), "{text}");
    assert!(about(&text, "DMPLZ_ON_EXPIRED").starts_with("DMPLZ_ON_EXPIRED = deny  [environment]"), "{text}");
    assert!(
        about(&text, "DMPLZ_REJECT_REASON_MAX_CHARS").starts_with("DMPLZ_REJECT_REASON_MAX_CHARS = 300  [default]")
    );
}

#[test]
fn secrets_are_hidden_wherever_they_stand() {
    let token = "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw0";
    let file = "provider = \"/x.wasm\"\nx_password = \"hunter2-is-my-password\"\n";
    let variables = [("DMPLZ_TELEGRAM_BOT_TOKEN", token), ("DMPLZ_TELEGRAM_CHAT_ID", token)];
    let (report, text) = report(&variables, file);
    let json = serde_json::to_string(&report).unwrap();
    for shown in [text.as_str(), json.as_str()] {
        assert!(!shown.contains("AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw0") && !shown.contains("hunter2"), "{shown}");
    }
    insta::assert_snapshot!(about(&text, "DMPLZ_TELEGRAM_BOT_TOKEN"), @"
    DMPLZ_TELEGRAM_BOT_TOKEN = ****aw0  [environment]
        the bot token: send /newbot to https://t.me/BotFather
    ");
    insta::assert_snapshot!(about(&text, "DMPLZ_X_PASSWORD"), @"
    DMPLZ_X_PASSWORD = ****ord  [file]
        a setting of the provider
    ");
}
