use super::*;
use crate::messenger::Limits;
use crate::text::Lang;

fn style(lang: Lang) -> Style {
    let limits = Limits { text: 4096, choices: 25, attachment: 0, notice: 200 };
    Style { lang, answering: Answering::Buttons, limits }
}

fn face() -> Face {
    Face {
        folder: "site".into(),
        id: "7f0d2c1e".into(),
        label: String::new(),
        title: "fix the test\u{202e}".into(),
        busy: SessionState::Working,
        mode: "default".into(),
        model: "opus".into(),
        cost_usd: 0.456,
        limit: String::new(),
        lines: vec!["⏺ Bash npm test".into(), "│ export TOKEN=ghp_0123456789abcdefghijABCDEFGHIJ012345".into()],
        todos: vec![
            (TodoState::Done, "read".into()),
            (TodoState::Doing, "write".into()),
            (TodoState::Open, "test".into()),
        ],
        waiting: vec!["and then\nthe docs".into()],
    }
}

/// The card as text, with its choices.
fn shown(card: &Card) -> String {
    let text = |block: &Block| match block {
        Block::Text(text) => text.clone(),
        block => format!("{block:?}"),
    };
    let body: Vec<String> = std::iter::once(card.title.clone()).chain(card.body.iter().map(text)).collect();
    let choices = card.choices.iter().map(|choice| format!("[{} {}]", choice.id, choice.label));
    format!("{}\n{}", body.join("\n"), choices.collect::<Vec<_>>().join(" "))
}

#[test]
fn the_card_shows_the_state_what_happened_what_is_to_be_done_and_what_waits() {
    insta::assert_snapshot!(shown(&card(&face(), "T", style(Lang::En), Medium::Replies)), @"
    ⚙️ site (7f0d2c1e): working
    ❯ fix the test⟨U+202E⟩
    ⏺ Bash npm test
    │ export TOKEN=ghp_********
    ☑ read
    ▶ write
    ☐ test
    ✉️ Waiting: and then␊the docs
    default · opus · $0.46
    Reply to this message to write to the session.
    [lead-interrupt ✋ Interrupt] [lead-stop ⏹ End] [lead-edits ✏️ Accept edits] [lead-plan 📝 Plan first]
    ");
    insta::assert_snapshot!(shown(&card(&face(), "T", style(Lang::Ko), Medium::Forms)), @"
    ⚙️ site (7f0d2c1e): 작업 중
    ❯ fix the test⟨U+202E⟩
    ⏺ Bash npm test
    │ export TOKEN=ghp_********
    ☑ read
    ▶ write
    ☐ test
    ✉️ 대기 중: and then␊the docs
    default · opus · $0.46
    [lead-write 💬 쓰기] [lead-interrupt ✋ 멈추기] [lead-stop ⏹ 끝내기] [lead-edits ✏️ 편집 자동 승인] [lead-plan 📝 계획 먼저]
    ");
}

#[test]
fn the_first_message_is_shown_once() {
    let times = |title: &str, first: &str| {
        let lines = vec![first.to_owned(), "⏺ Bash npm test".to_owned()];
        let face = Face { title: title.to_owned(), lines, ..face() };
        shown(&card(&face, "T", style(Lang::En), Medium::Replies)).matches("❯ ").count()
    };
    assert_eq!(times("fix the test", "❯ fix the test"), 1);
    assert_eq!(times("fix the…", "❯ fix the test"), 1);
    assert_eq!(times("fix", "❯ fix the test"), 2);
    assert_eq!(times("fix the test", "❯ and the docs"), 2);
}

#[test]
fn a_session_that_has_ended_offers_nothing() {
    let ended = Face { busy: SessionState::Ended, lines: Vec::new(), todos: Vec::new(), waiting: Vec::new(), ..face() };
    insta::assert_snapshot!(shown(&card(&ended, "T", style(Lang::En), Medium::Replies)), @"
    ⏹ site (7f0d2c1e): ended
    ❯ fix the test⟨U+202E⟩
    default · opus · $0.46
    To go on with it: /resume 7f0d2c1e
    ");
}

#[test]
fn reactions_would_stay_set_so_there_are_none() {
    let style = Style { answering: Answering::Reactions, ..style(Lang::En) };
    assert!(card(&face(), "T", style, Medium::Replies).choices.is_empty());
}

#[test]
fn what_does_not_fit_is_left_out_oldest_first() {
    let long = Face { lines: (0..40).map(|at| format!("│ line {at} {}", "x".repeat(200))).collect(), ..face() };
    let fitted = card(&long, "T", style(Lang::En), Medium::Replies);
    assert!(length(&fitted) <= 4096, "{}", length(&fitted));
    let text = shown(&fitted);
    assert!(text.contains("line 39") && !text.contains("line 0 ") && text.contains("☐ test"), "{text}");
    let many = Face { todos: (0..30).map(|at| (TodoState::Open, format!("todo {at}"))).collect(), ..face() };
    let text = shown(&card(&many, "T", style(Lang::En), Medium::Replies));
    assert!(text.contains("todo 7") && !text.contains("todo 8") && text.contains("22 more"), "{text}");
}

#[test]
fn the_card_of_the_chat_says_what_can_be_done() {
    insta::assert_snapshot!(shown(&home(&["/srv/site".into()], "H", style(Lang::En), Medium::Replies, true)), @"
    🖥 Sessions of Claude Code are led from this chat
    Each session has a card. A reply to the card is a message to the session. No text allows a request: only the buttons or reactions of its card do.
    Where the chat has topics or threads, each session has its own: what you write there goes to the session.
    Sessions may be started in: /srv/site
    /new FOLDER [first message]: start a session
    /send MESSAGE: send a session a message
    /sessions: list the sessions
    /interrupt [SESSION] [REASON]: stop what it does, and deny what it asks
    /stop [SESSION]: end it
    /mode [default|accept-edits|plan] [SESSION]: show or change the permission mode
    /model [MODEL|default] [SESSION]: show or change the model
    /resume SESSION: go on with a session that has ended
    /fork [SESSION]: another session that goes on from its conversation
    /rename [NAME]: give it a name; without one, remove it
    /undo [SESSION]: undo the edits of files since the last message
    /rules [SESSION]: the permission rules of its Claude Code, and what was allowed on cards
    /revoke NUMBER [SESSION]: revoke what was allowed on a card: it is asked about again
    /help: this list
    ");
    insta::assert_snapshot!(shown(&home(&[], "H", style(Lang::Ko), Medium::Forms, false)), @"
    🖥 이 채팅에서 Claude Code 세션을 다룹니다
    세션마다 카드가 하나 있습니다. 그 카드의 버튼으로 세션에 글을 보냅니다. 권한 요청은 글로 허용되지 않습니다. 요청 카드의 버튼으로만 답할 수 있습니다.
    아직 허용된 폴더가 없습니다. DMPLZ_RUN_FOLDERS를 정하면 여기서 세션을 시작할 수 있습니다.
    [lead-new ➕ 새 세션] [lead-list 📃 세션 목록]
    ");
}

#[test]
fn the_words_of_an_agent_are_masked_made_visible_and_cut() {
    let said = format!("done \u{202e} password=hunter2hunter2 {}", "가".repeat(5_000));
    let note = note("✅ site: done", &said, "T", style(Lang::En), None);
    let [Block::Text(text)] = note.body.as_slice() else { panic!("{note:?}") };
    assert!(text.starts_with("done ⟨U+202E⟩ password="), "{text}");
    assert!(!text.contains("hunter2") && units(text) < 3_200 && text.ends_with("characters left out)"), "{text}");
}

#[test]
fn a_session_with_a_name_is_called_by_it_and_its_first_message_stays_on_the_card() {
    let named = Face { label: "the\u{202e}tests".into(), limit: "5h 91%".into(), ..face() };
    assert_eq!(named.summary(Lang::En), "⚙️ site (7f0d2c1e): working · the⟨U+202E⟩tests");
    let shown = shown(&card(&named, "T", style(Lang::En), Medium::Replies));
    assert!(shown.contains("default · opus · $0.46 · ⏳ 5h 91%\n"), "{shown}");
    let top: Vec<&str> = shown.lines().take(2).collect();
    assert_eq!(top, ["⚙️ site (7f0d2c1e): working · the⟨U+202E⟩tests", "❯ fix the test⟨U+202E⟩"]);
}

#[test]
fn a_thread_is_named_after_the_folder_and_what_the_session_is_called_by() {
    let of = |label: &str, title: &str| thread_name(&Face { label: label.into(), title: title.into(), ..face() });
    assert_eq!(of("the tests", "fix it"), "site · the tests");
    assert_eq!(of("", "fix\nit \u{202e}"), "site · fix␊it ⟨U+202E⟩");
    assert_eq!(of("", ""), "site · 7f0d2c1e");
    let long = of("", &"😀".repeat(150));
    assert!(units(&long) <= 100 && long.ends_with('😀'), "{long}");
}

#[test]
fn an_undo_shows_what_it_changes_and_its_choices_only_while_it_is_open() {
    let files = (0..17).map(|at| format!("/srv/site/{at}\u{202e}")).collect();
    let edits = Edits { message: "fix it".into(), files, insertions: 1, deletions: 3 };
    let card = |open| shown(&undo(&edits, "↩️ site: undo?", "T", style(Lang::En), None, open));
    let open = card(true);
    assert!(open.starts_with("↩️ site: undo?\n❯ fix it\n/srv/site/0⟨U+202E⟩\n"), "{open}");
    assert!(open.contains("/srv/site/14⟨U+202E⟩\n… 2 more\n+1 −3\n") && open.contains("lead-undo"), "{open}");
    assert!(!card(false).contains("lead-"));
    assert!([choice::UNDO, choice::KEEP].iter().all(|id| id.len() <= 16 && id.starts_with(choice::PREFIX)));
}

#[test]
fn a_draft_is_the_masked_end_of_what_is_written() {
    let small = Style { limits: Limits { text: 20, ..style(Lang::En).limits }, ..style(Lang::En) };
    for (partial, shown) in [
        ("", ""),
        (" \n ", ""),
        ("The test expects", "The test expects"),
        ("The test expects two decimals", "expects two decimals"),
        ("a\u{202e}b", "a⟨U+202E⟩b"),
        ("🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂", "🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂"),
    ] {
        assert_eq!(draft(partial, small), shown, "{partial:?}");
    }
    let secret = "key sk-ant-api03-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA end";
    assert!(!draft(secret, style(Lang::En)).contains("AAAAAAAA"));
}
