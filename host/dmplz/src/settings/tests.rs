use dmplz_bundled::MESSENGERS;

use super::*;

fn table(variables: &[(&str, &str)], file: Option<&str>) -> Result<Table, SettingsError> {
    let home = tempfile::tempdir().unwrap();
    let state = home.path().join(".claude/dm-plz");
    std::fs::create_dir_all(&state).unwrap();
    if let Some(file) = file {
        std::fs::write(state.join("config.toml"), file).unwrap();
    }
    let home = home.path().to_str().unwrap().to_owned();
    let variables: Vec<(String, String)> = variables.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    Table::load(&|name| match name {
        "HOME" => Some(home.clone()),
        _ => variables.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone()),
    })
}

#[test]
fn the_defaults_are_those_of_the_seed() {
    let settings = Settings::of(&table(&[], None).unwrap()).unwrap();
    assert_eq!(settings.hook_timeout, Duration::from_secs(300));
    assert_eq!(settings.reason_timeout, Duration::from_secs(60));
    assert_eq!((settings.reason.max_chars, settings.reason.skip_keywords), (300, vec!["no_reason".to_owned()]));
    assert_eq!(settings.log.retention, dmplz_state::Retention { rotate_bytes: 10_485_760, max_files: 10 });
    assert!(settings.log.path.ends_with(".claude/dm-plz/rejections.jsonl"));
    assert_eq!((settings.lang, settings.deny_on_expired), (Lang::Ko, false));
}

#[test]
fn the_environment_beats_the_file_and_the_file_the_default() {
    let file = "lang = \"en\"\nreject_reason_max_chars = 5\nallowed_users = [\"1\", \"2\"]\n";
    let table = table(&[("DMPLZ_LANG", "ko"), ("DMPLZ_ON_EXPIRED", "")], Some(file)).unwrap();
    let sources =
        ["DMPLZ_LANG", "DMPLZ_REJECT_REASON_MAX_CHARS", "DMPLZ_ON_EXPIRED"].map(|n| table.entry(n).unwrap().source);
    assert_eq!(sources, [Source::Environment, Source::File, Source::Default]);
    let settings = Settings::of(&table).unwrap();
    assert_eq!((settings.lang, settings.reason.max_chars), (Lang::Ko, 5));
    assert_eq!(table.list("DMPLZ_ALLOWED_USERS").unwrap(), ["1", "2"]);
}

#[test]
fn where_no_language_is_set_the_locale_chooses_it() {
    for (variables, lang) in [
        (&[("LANG", "en_US.UTF-8")][..], Lang::En),
        (&[("LANG", "ko_KR.UTF-8")], Lang::Ko),
        (&[("LANG", "en_US.UTF-8"), ("LC_ALL", "ko_KR.UTF-8")], Lang::Ko),
        (&[("LANG", "en_US.UTF-8"), ("LC_ALL", "")], Lang::En),
        (&[("LANG", "C.UTF-8")], Lang::Ko),
        (&[("LANG", "en_US.UTF-8"), ("DMPLZ_LANG", "ko")], Lang::Ko),
    ] {
        assert_eq!(table(variables, None).unwrap().lang().unwrap(), lang, "{variables:?}");
    }
    assert_eq!(table(&[("LANG", "en_US.UTF-8")], Some("lang = \"ko\"\n")).unwrap().lang().unwrap(), Lang::Ko);
}

#[test]
fn ids_in_the_file_are_texts_or_numbers() {
    let table = table(&[], Some("allowed_users = [7, \"42\"]\n")).unwrap();
    assert_eq!(table.list("DMPLZ_ALLOWED_USERS").unwrap(), ["7", "42"]);
}

#[test]
fn a_key_that_is_no_setting_is_answered_with_the_one_that_is_meant() {
    let hint = |key: &str| table(&[], Some(&format!("{key} = \"x\"\n"))).unwrap_err().to_string();
    let meant = |key: &str| hint(key).split_once("did you mean ").map(|(_, meant)| meant.to_owned());
    for (key, meant_key) in [
        ("telegram_token", "\"telegram_bot_token\"?"),
        ("DMPLZ_LANG", "\"lang\"?"),
        ("allowed_user", "\"allowed_users\"?"),
        ("hook_timeout", "\"hook_timeout_ms\"?"),
    ] {
        assert_eq!(meant(key).as_deref(), Some(meant_key), "{}", hint(key));
    }
    assert_eq!(meant("colour"), None);
}

#[test]
fn a_value_that_cannot_be_read_names_the_variable_what_it_held_and_what_it_takes() {
    let error = |variables: &[(&str, &str)]| {
        table(variables, None).and_then(|table| Settings::of(&table)).unwrap_err().to_string()
    };
    insta::assert_snapshot!(error(&[("DMPLZ_LANG", "fr")]), @r#"DMPLZ_LANG cannot be used: it is "fr" and takes ko or en"#);
    insta::assert_snapshot!(error(&[("DMPLZ_HOOK_TIMEOUT_MS", "5x")]), @r#"DMPLZ_HOOK_TIMEOUT_MS cannot be used: it is "5x" and takes a duration from 5s to 24h, such as 90s, 5m or 1h30m; a number alone is milliseconds"#);
    insta::assert_snapshot!(error(&[("DMPLZ_HISTORY_DAYS", "-1")]), @r#"DMPLZ_HISTORY_DAYS cannot be used: it is "-1" and takes a duration from 0d to 36500d, such as 36h, 30d or 8w; a number alone is days"#);
    insta::assert_snapshot!(error(&[("DMPLZ_STATE_DIR", "x/y")]), @r#"DMPLZ_STATE_DIR cannot be used: it is "x/y" and takes an absolute path, or one from ~/"#);
    insta::assert_snapshot!(error(&[("DMPLZ_REJECT_REASON_NO_REASON_KEYWORDS", ", ,")]), @r#"DMPLZ_REJECT_REASON_NO_REASON_KEYWORDS cannot be used: it is ", ," and takes values between commas"#);
    insta::assert_snapshot!(error(&[("DMPLZ_REJECT_REASON_TIMEOUT_MS", "300000")]), @"DMPLZ_REJECT_REASON_TIMEOUT_MS (300000, in the environment) has to be less than DMPLZ_HOOK_TIMEOUT_MS (300000, the default): lower the first, or raise the second");
}

#[test]
fn durations_are_written_with_units_or_as_numbers() {
    let variables =
        [("DMPLZ_HOOK_TIMEOUT_MS", "1h30m"), ("DMPLZ_HISTORY_TEXT_DAYS", "36h"), ("DMPLZ_HISTORY_DAYS", "0")];
    let file = "question_timeout_ms = \"90s\"\nreject_reason_timeout_ms = 1500\n";
    let settings = Settings::of(&table(&variables, Some(file)).unwrap()).unwrap();
    assert_eq!(settings.hook_timeout, Duration::from_secs(5_400));
    assert_eq!(settings.question_timeout, Duration::from_secs(90));
    assert_eq!(settings.reason_timeout, Duration::from_millis(1_500));
    assert_eq!(settings.history.texts, Some(Duration::from_secs(36 * 3_600)));
    assert_eq!(settings.history.all, None);
}

#[test]
fn an_error_about_two_limits_names_both_and_where_each_was_set() {
    let file = "hook_timeout_ms = \"1m\"\n";
    let table = table(&[("DMPLZ_REJECT_REASON_TIMEOUT_MS", "90s")], Some(file)).unwrap();
    insta::assert_snapshot!(Settings::of(&table).unwrap_err(), @"DMPLZ_REJECT_REASON_TIMEOUT_MS (90s, in the environment) has to be less than DMPLZ_HOOK_TIMEOUT_MS (1m, in config.toml): lower the first, or raise the second");
}

#[test]
fn a_list_of_which_nothing_is_left_is_nobody_or_an_error_and_never_all() {
    let settings = |name: &str, value: &str| table(&[(name, value)], None).and_then(|table| Settings::of(&table));
    for nobody in ["", " ", "\t"] {
        assert!(settings("DMPLZ_ALLOWED_USERS", nobody).is_ok(), "{nobody:?}");
        let table = table(&[("DMPLZ_ALLOWED_USERS", nobody)], None).unwrap();
        assert!(table.list("DMPLZ_ALLOWED_USERS").unwrap().is_empty(), "{nobody:?}");
    }
    for name in ["DMPLZ_ALLOWED_USERS", "DMPLZ_GATEWAY_PROVIDERS", "DMPLZ_GATEWAY_HOSTS"] {
        for commas in [",", " , ", ",,,"] {
            let error = settings(name, commas).unwrap_err().to_string();
            assert!(error.contains(name) && error.ends_with("takes values between commas"), "{error}");
        }
    }
    assert_eq!(table(&[("DMPLZ_ALLOWED_USERS", ",7,")], None).unwrap().list("DMPLZ_ALLOWED_USERS").unwrap(), ["7"]);
    assert!(table(&[("DMPLZ_PROVIDER_ORIGINS", ",")], None).unwrap().list("DMPLZ_PROVIDER_ORIGINS").is_err());
}

#[test]
fn a_secret_is_never_in_an_error() {
    let table = table(&[("DMPLZ_TELEGRAM_BOT_TOKEN", "hun ter2")], None).unwrap();
    let error = table.get("DMPLZ_TELEGRAM_BOT_TOKEN").unwrap_err();
    assert!(!format!("{error} {error:?}").contains("ter2"));
}

#[test]
fn a_file_with_an_unknown_key_or_broken_toml_says_where() {
    let error = |file: &str| {
        let message = table(&[], Some(file)).unwrap_err().to_string();
        message.split("config.toml").nth(1).unwrap().to_owned()
    };
    insta::assert_snapshot!(error("langs = \"ko\""), @r#" cannot be used: there is no setting "langs"; did you mean "lang"?"#);
    insta::assert_snapshot!(error("lang = \"ko\"\ntelegram_bot_token = 12:secret\n"), @" cannot be read: line 2: invalid time, expected minute");
    insta::assert_snapshot!(error("lang = 1.5"), @" cannot be read: lang: takes a text, a whole number or a list of texts");
    assert!(
        table(&[], Some("provider = \"/x.wasm\"\nmatrix_room = \"!x\"")).unwrap().entry("DMPLZ_MATRIX_ROOM").is_some()
    );
}

#[test]
fn a_file_cannot_move_the_state_directory_in_which_it_is() {
    for file in ["state_dir = \"/elsewhere\"\n", "lang = \"en\"\nState_Dir = \"\"\n"] {
        let error = table(&[], Some(file)).unwrap_err();
        assert!(matches!(error, SettingsError::StateDir { .. }), "{error}");
        assert!(hint(&error, Lang::En).contains("set DMPLZ_STATE_DIR in the environment"), "{error}");
    }
}

#[test]
fn a_messengers_own_list_takes_the_place_of_the_one_for_all() {
    /// The variables, the settings file, the messenger, and its approvers.
    type Case<'a> = (&'a [(&'a str, &'a str)], Option<&'a str>, &'a str, &'a [&'a str]);
    let messenger = |name: &str| MESSENGERS.iter().find(|messenger| messenger.name == name).unwrap();
    let cases: &[Case<'_>] = &[
        (&[], None, "telegram", &[]),
        (&[("DMPLZ_ALLOWED_USERS", "7,*")], None, "telegram", &["7", "*"]),
        (&[("DMPLZ_ALLOWED_USERS", "*"), ("DMPLZ_TELEGRAM_ALLOWED_USERS", "7")], None, "telegram", &["7"]),
        (&[("DMPLZ_ALLOWED_USERS", "*"), ("DMPLZ_TELEGRAM_ALLOWED_USERS", "7")], None, "discord", &["*"]),
        (&[("DMPLZ_ALLOWED_USERS", "*")], Some("telegram_allowed_users = []\n"), "telegram", &[]),
        (&[("DMPLZ_ALLOWED_USERS", "*")], Some("telegram_allowed_users = [7]\n"), "telegram", &["7"]),
        (&[("DMPLZ_NTFY_ALLOWED_USERS", "*")], None, "telegram", &[]),
        // A messenger that does not tell who answers is opened by its own list alone.
        (&[("DMPLZ_ALLOWED_USERS", "*")], None, "ntfy", &[]),
        (&[("DMPLZ_NTFY_ALLOWED_USERS", "*")], None, "ntfy", &["*"]),
    ];
    for (variables, file, name, listed) in cases {
        let table = table(variables, *file).unwrap();
        assert_eq!(table.allowed_users(messenger(name)).unwrap(), *listed, "{variables:?} {file:?} {name}");
    }
    let commas = table(&[("DMPLZ_TELEGRAM_ALLOWED_USERS", ",")], None).unwrap();
    insta::assert_snapshot!(commas.allowed_users(messenger("telegram")).unwrap_err(), @r#"DMPLZ_TELEGRAM_ALLOWED_USERS cannot be used: it is "," and takes values between commas"#);
}
