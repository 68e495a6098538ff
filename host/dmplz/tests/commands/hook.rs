//! `dmplz hook`, started by a person.

use crate::command::Home;
use crate::terminal::Terminal;

#[test]
fn hook_in_a_terminal_says_who_starts_it() {
    let home = Home::new();
    let mut terminal = Terminal::start(&home, &["hook"], 200);
    terminal.shows("Claude Code runs `dmplz hook`, with an event as JSON on stdin. To register it: dmplz install.");
    let home = Home::new().with("DMPLZ_LANG", "ko");
    let mut terminal = Terminal::start(&home, &["hook"], 200);
    terminal.shows("등록: dmplz install");
}

#[test]
fn hook_has_help_and_prints_nothing_of_it_for_a_client() {
    let home = Home::new();
    let help = home.run(&["hook", "--help"]);
    assert_eq!(help.code, Some(0));
    assert!(help.stdout.contains("dmplz hook < event.json"), "{}", help.stdout);
    let bad = home.run(&["hook"]);
    assert_eq!((bad.code, bad.stdout.as_str()), (Some(0), ""), "{}", bad.stderr);
}
