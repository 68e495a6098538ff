use dmplz_core::approvers::Answerer;
use dmplz_core::card::Part;
use dmplz_core::claude::{AnswerOption, Answered, Question};
use dmplz_core::request::{End, Offer, Resolution};

use super::super::keys::{Input, Key};
use super::*;
use crate::approvals::card::tests::{NOW, look as plain, standing};

const FIRST: &str = "11111111-1111-4111-8111-111111111111";
const SECOND: &str = "22222222-2222-4222-8222-222222222222";

fn look() -> Look {
    plain(Lang::En, Some(80))
}

fn request(id: &str) -> Standing {
    let mut request = standing("Bash", vec![Part::Code("git push".into())]);
    request.request.id = id.parse().unwrap();
    request
}

fn id(text: &str) -> RequestId {
    text.parse().unwrap()
}

fn ended(standing: Standing) -> Standing {
    let by = Answerer { surface: "web".into(), id: "Ann".into(), name: "Ann".into() };
    let resolution = Resolution {
        outcome: End::Approved,
        by: Some(by),
        scope: None,
        reason: None,
        reason_source: None,
        cause: None,
        rule: None,
    };
    Standing { status: Status::Ended { resolution, ended_ms: NOW, taken: None }, ..standing }
}

fn denied(standing: Standing) -> Standing {
    let by = Answerer { surface: "cli".into(), id: "1000".into(), name: "Ann".into() };
    Standing { status: Status::Denied { by, until_ms: NOW + 1, instead: false }, ..standing }
}

fn happened(message: Message) -> Event {
    Event { event_id: Some(1), at_ms: NOW, message }
}

/// All of the details is on the screen.
const READ: Drawn = Drawn { lines: 8, page: 10, is_read: true, is_too_small: false };

/// A board with these requests, whose first one was drawn and looked at for a second.
fn board(requests: Vec<Standing>) -> Board {
    let mut board = Board::new(Lang::En);
    board.connected(requests);
    assert!(board.drawn(READ, 0), "a request that was not there before");
    board
}

fn key(key: Key) -> Input {
    Input::Key(key)
}

fn press(board: &mut Board, letter: char) -> Action {
    board.typed(key(Key::Char(letter)), true, 1_000)
}

fn enter(board: &mut Board) -> Action {
    board.typed(key(Key::Enter), true, 1_000)
}

fn sent(id: &str, answer: AnswerBody) -> Action {
    Action::Send(Respond { id: id.parse().unwrap(), answer, reason_to_come: false })
}

fn deny_to_come(id: &str) -> Action {
    let answer = AnswerBody::Deny { reason: None, instead: false };
    Action::Send(Respond { id: id.parse().unwrap(), answer, reason_to_come: true })
}

#[test]
fn an_allow_takes_a_key_and_enter() {
    let mut board = board(vec![request(FIRST)]);
    assert_eq!(press(&mut board, 'y'), Action::Nothing);
    assert_eq!(board.focus, Focus::Confirm(Step::Decide, AnswerBody::Approve));
    assert_eq!(enter(&mut board), sent(FIRST, AnswerBody::Approve));
}

#[test]
fn enter_alone_and_any_other_key_after_the_first_allow_nothing() {
    let mut board = board(vec![request(FIRST)]);
    assert_eq!(enter(&mut board), Action::Nothing);
    for other in [Key::Char('y'), Key::Char('x'), Key::Escape, Key::Tab, Key::Backspace, Key::Down] {
        press(&mut board, 'y');
        assert_eq!(board.typed(key(other), true, 1_000), Action::Nothing, "{other:?}");
        assert_eq!(enter(&mut board), Action::Nothing, "the choice is gone after {other:?}");
    }
}

#[test]
fn a_deny_takes_one_key_and_its_reason_follows() {
    let mut board = board(vec![request(FIRST), request(SECOND)]);
    assert_eq!(press(&mut board, 'n'), deny_to_come(FIRST));
    board.answered(denied(request(FIRST)), look());
    for letter in "not to main".chars() {
        assert_eq!(press(&mut board, letter), Action::Nothing);
    }
    board.typed(Input::Paste(", 안 돼요\ny\r".into()), false, 1_000);
    let reason = Some("not to main, 안 돼요 y".to_owned());
    assert_eq!(enter(&mut board), sent(FIRST, AnswerBody::Deny { reason, instead: false }));
}

#[test]
fn a_deny_counts_after_an_allow_was_chosen_and_with_a_key_that_is_held() {
    let mut first = board(vec![request(FIRST)]);
    press(&mut first, 'y');
    assert_eq!(press(&mut first, 'n'), deny_to_come(FIRST));
    // Several of the same key at once can only deny.
    let mut held = board(vec![request(FIRST)]);
    assert!(Key::Char('n').denies() && !Key::Char('y').denies());
    assert_eq!(held.typed(key(Key::Char('n')), true, 1_000), deny_to_come(FIRST));
}

#[test]
fn a_deny_that_may_not_have_arrived_is_sent_again_and_an_allow_is_not() {
    for (answer, again) in [(AnswerBody::Approve, 0), (AnswerBody::Deny { reason: None, instead: false }, 1)] {
        let mut board = board(vec![request(FIRST)]);
        let answer = Respond { id: id(FIRST), answer, reason_to_come: false };
        board.undelivered(answer.clone(), "lost");
        board.connected(vec![request(FIRST)]);
        let unsent: Vec<Respond> = std::iter::from_fn(|| board.unsent()).collect();
        assert_eq!(unsent, vec![answer; again]);
        board.drawn(READ, 2_000);
        assert_eq!(board.typed(key(Key::Enter), true, 9_000), Action::Nothing, "nothing is chosen any more");
    }
}

#[test]
fn whoever_leaves_is_told_of_a_deny_that_may_not_have_arrived_and_of_no_other() {
    let mut board = board(vec![request(FIRST), request(SECOND)]);
    for (request, answer) in [
        (FIRST, AnswerBody::Deny { reason: None, instead: false }),
        (FIRST, AnswerBody::Deny { reason: Some("no".into()), instead: false }),
        (SECOND, AnswerBody::Approve),
    ] {
        board.undelivered(Respond { id: id(request), answer, reason_to_come: false }, "lost");
    }
    assert_eq!(board.undelivered_denies(), [id(FIRST)]);
    while board.unsent().is_some() {}
    assert!(board.undelivered_denies().is_empty(), "they are sent");
}

#[test]
fn keys_count_for_nothing_until_the_request_was_on_the_screen_for_a_moment() {
    let mut board = Board::new(Lang::En);
    board.connected(vec![request(FIRST)]);
    assert_eq!(press(&mut board, 'y'), Action::Nothing, "not drawn yet");
    board.drawn(READ, 1_000);
    for now in [1_001, 1_500, 2_000, 2_500] {
        // A key that is held down never lets the moment pass.
        assert_eq!(board.typed(key(Key::Char('y')), true, now), Action::Nothing);
        assert_eq!(board.focus, Focus::Choose(Step::Decide), "at {now}");
        assert_eq!(board.typed(key(Key::Enter), true, now), Action::Nothing);
    }
    board.typed(key(Key::Char('y')), true, 2_500 + GLANCE);
    assert_eq!(board.focus, Focus::Confirm(Step::Decide, AnswerBody::Approve));
}

#[test]
fn keys_that_come_together_and_pastes_allow_nothing() {
    let mut board = board(vec![request(FIRST)]);
    for input in [key(Key::Char('y')), key(Key::Enter)] {
        assert_eq!(board.typed(input, false, 1_000), Action::Nothing);
    }
    assert_eq!(board.focus, Focus::Choose(Step::Decide));
    board.typed(Input::Paste("y\r".into()), true, 1_000);
    assert_eq!(board.focus, Focus::Choose(Step::Decide));
    press(&mut board, 'y');
    assert_eq!(board.typed(key(Key::Enter), false, 1_000), Action::Nothing, "Enter together with others");
}

#[test]
fn what_was_chosen_is_gone_when_the_request_ends_or_another_takes_its_place() {
    let mut board = board(vec![request(FIRST), request(SECOND)]);
    press(&mut board, 'y');
    board.happened(&happened(Message::ApprovalResolved { approval: Box::new(ended(request(FIRST))) }), look());
    assert_eq!(board.selected, Some(id(SECOND)));
    assert!(board.notice.contains("Approved: Bash · Ann (web)"), "{}", board.notice);
    assert_eq!(enter(&mut board), Action::Nothing);
    assert_eq!(press(&mut board, 'y'), Action::Nothing);
    assert_eq!(board.focus, Focus::Choose(Step::Decide), "the second one was not drawn yet");
    assert!(board.drawn(READ, 1_100), "it is new on the screen");
}

#[test]
fn an_allow_needs_the_end_of_the_details_on_the_screen_and_a_deny_does_not() {
    let mut board = board(vec![request(FIRST)]);
    board.drawn(Drawn { lines: 40, page: 10, is_read: false, is_too_small: false }, 0);
    press(&mut board, 'y');
    assert_eq!(board.focus, Focus::Choose(Step::Decide));
    assert!(board.notice.contains("more below"), "{}", board.notice);
    board.typed(key(Key::PageDown), true, 1_000);
    assert_eq!(board.scroll, 9);
    assert_eq!(press(&mut board, 'n'), deny_to_come(FIRST));
    let mut small = super::tests::board(vec![request(FIRST)]);
    small.drawn(Drawn { is_too_small: true, ..Drawn::default() }, 0);
    press(&mut small, 'y');
    assert_eq!(small.focus, Focus::Choose(Step::Decide), "nothing can be read in a window that is too small");
}

#[test]
fn requests_are_skipped_and_jumped_to_and_what_ended_stays_in_view() {
    let mut board = board(vec![request(FIRST), request(SECOND)]);
    assert_eq!(board.typed(key(Key::Tab), true, 1_000), Action::Nothing);
    assert_eq!((board.selected, board.waiting()), (Some(id(SECOND)), 2));
    board.typed(key(Key::Tab), true, 1_000);
    assert_eq!(board.selected, Some(id(FIRST)), "around");
    board.answered(ended(request(FIRST)), look());
    assert_eq!((board.selected, board.waiting(), board.requests.len()), (Some(id(SECOND)), 1, 2));
    board.typed(key(Key::Down), true, 1_000);
    assert_eq!(board.selected, Some(id(FIRST)), "what ended is below");
    board.drawn(READ, 2_000);
    for letter in ['y', 'n', 's'] {
        assert_eq!(board.typed(key(Key::Char(letter)), true, 9_000), Action::Nothing, "it is over");
    }
}

#[test]
fn the_bell_rings_once_for_what_came_unless_it_is_off() {
    let mut board = board(vec![request(FIRST)]);
    assert!(board.rings() && !board.rings());
    board.happened(&happened(Message::ApprovalRequested { approval: Box::new(request(SECOND)) }), look());
    assert!(board.rings());
    press(&mut board, 'm');
    let third = request("33333333-3333-4333-8333-333333333333");
    board.happened(&happened(Message::ApprovalRequested { approval: Box::new(third) }), look());
    assert!(!board.rings() && board.waiting() == 3);
}

#[test]
fn questions_are_answered_by_lines_and_sent_by_a_key_and_enter() {
    let mut asked = request(FIRST);
    let option = |label: &str| AnswerOption { label: label.into(), description: String::new() };
    let question = Question {
        question: "Which colour?".into(),
        header: "Colour".into(),
        options: vec![option("Blue"), option("Red")],
        multi_select: false,
    };
    asked.request.offer = Offer { questions: vec![question], ..Offer::plain(false) };
    let mut board = board(vec![asked]);
    press(&mut board, '2');
    assert_eq!(enter(&mut board), Action::Nothing);
    let answers = vec![Answered { question: "Which colour?".into(), labels: vec!["Red".into()], text: None }];
    assert_eq!(board.focus, Focus::Choose(Step::Question { answers: answers.clone() }));
    press(&mut board, 'y');
    assert_eq!(enter(&mut board), sent(FIRST, AnswerBody::Answers { answers }));
}

#[test]
fn leaving_answers_nothing() {
    for (leaves, action) in
        [(Key::Char('q'), Action::Leave), (Key::Leave, Action::Leave), (Key::Interrupt, Action::Interrupt)]
    {
        let mut board = board(vec![request(FIRST)]);
        assert_eq!(board.typed(key(leaves), true, 1_000), action);
    }
}
