use dmplz_fakes::telegram::{Button, User};

use super::*;

fn revision(text: &str, buttons: &[&str]) -> Revision {
    let button = |label: &&str| Button { text: (*label).to_owned(), data: None, raw: serde_json::Value::Null };
    Revision { text: text.to_owned(), keyboard: vec![buttons.iter().map(button).collect()], ..Revision::default() }
}

fn message(id: i64, revisions: Vec<Revision>) -> Message {
    Message {
        topic: None,
        begins: None,
        chat: 7,
        id,
        from: User::person(1, "DM-Plz"),
        date: 0,
        edited: None,
        reply_to: None,
        silent: false,
        deleted: false,
        revisions,
    }
}

#[test]
fn messages_and_their_revisions_are_shown_once_and_buttons_keep_their_numbers() {
    let mut screen = Screen::new(Lang::En, Paint::PLAIN);
    let mut card = message(1, vec![revision("Asks\ngit push\u{1b}[2J", &["✅ Approve", "❌ Deny"])]);
    let first = screen.draw(std::slice::from_ref(&card));
    insta::assert_snapshot!(first, @"
    ┌ DM-Plz #1
    │ Asks
    │ git push␛[2J
    │ [1 ✅ Approve]  [2 ❌ Deny]
    └
    ");
    assert_eq!(screen.draw(std::slice::from_ref(&card)), "");
    card.revisions.push(Revision { text: "Denied".to_owned(), ..Revision::default() });
    let prompt = message(2, vec![revision("Why?", &["Skip"])]);
    insta::assert_snapshot!(screen.draw(&[card, prompt]), @"
    ┌ DM-Plz #1 (edited)
    │ Denied
    └
    ┌ DM-Plz #2
    │ Why?
    │ [3 Skip]
    └
    ");
    let labels: Vec<&str> = screen.buttons.iter().map(|(_, label)| label.as_str()).collect();
    assert_eq!(labels, ["✅ Approve", "❌ Deny", "Skip"]);
}
