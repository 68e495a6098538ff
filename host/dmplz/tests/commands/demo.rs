use crate::command::Home;

fn play(answer: &str, lang: &str) -> String {
    let left = Home::new().with("DMPLZ_LANG", lang).run(&["demo", "--answer", answer]);
    assert_eq!((left.code, left.stderr.as_str()), (Some(0), ""), "{left:?}");
    left.stdout
}

#[test]
fn every_answer_goes_the_whole_way() {
    for (answer, said) in [
        ("approve", r#""decision":{"behavior":"allow"}"#),
        ("session", r#""destination":"session""#),
        ("deny=not to main", r#""message":"User rejected the request. Reason: not to main""#),
        ("timeout", r#""message":"User rejected the request. (No reason provided: timeout)""#),
        ("skip", r#""message":"User rejected the request. (No reason provided)""#),
        ("expired", "dmplz: nobody answered in time. Please answer here."),
    ] {
        let shown = play(answer, "en");
        assert!(shown.contains(said), "{answer}: {shown}");
        assert!(shown.trim_end().ends_with("Everything worked. Next: dmplz setup"), "{answer}: {shown}");
        assert!(!shown.contains('\u{1b}'), "no colours where there is no terminal");
    }
}

#[test]
fn the_demo_speaks_korean() {
    let shown = play("deny=main 말고 PR로", "ko");
    assert!(shown.contains("❌ 거부됨: Bash") && shown.contains("사유: main 말고 PR로"), "{shown}");
}

#[test]
fn a_secret_in_the_reason_is_masked_in_the_log_only() {
    let shown = play("deny=use password=hunter2 instead", "en");
    assert!(shown.contains(r#""reason":"use password=**** instead""#), "{shown}");
    assert!(shown.contains("Reason: use password=hunter2 instead"), "{shown}");
}

#[test]
fn the_demo_uses_nothing_of_the_home() {
    let home = Home::new().with("DMPLZ_TELEGRAM_BOT_TOKEN", "110201543:somebodys-own-token-of-a-real-bot");
    home.keep("config.toml", "on_expired = \"deny\"\n");
    let left = home.run(&["demo", "--answer", "expired"]);
    assert_eq!(left.code, Some(0), "{left:?}");
    assert_eq!(std::fs::read_dir(home.state()).unwrap().count(), 1, "only the settings file is there");
}

#[test]
fn without_a_terminal_the_demo_needs_an_answer() {
    let left = Home::new().run(&["demo"]);
    assert_eq!((left.code, left.stdout.as_str()), (Some(1), ""));
    assert!(left.stderr.starts_with("dmplz: the demo cannot be played: stdin is not a terminal"), "{left:?}");
    assert_eq!(Home::new().run(&["demo", "--answer", "yes"]).code, Some(2));
}
