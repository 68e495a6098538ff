use dmplz_core::card::Part;
use dmplz_core::text::Lang;
use dmplz_protocol::{AnswerBody, Standing};
use ratatui_core::backend::TestBackend;
use ratatui_core::terminal::Terminal;

use super::super::keys::{Input, Key};
use super::*;
use crate::approvals::card::Hints;
use crate::approvals::card::tests::{NOW, look as plain, standing};
use crate::time;

fn look(lang: Lang) -> Look {
    Look { hints: Hints::Keys, ..plain(lang, Some(60)) }
}

fn push() -> Standing {
    standing("Bash", vec![Part::Code("git push origin main\nrm -rf build".into())])
}

/// The screen, without the moment that depends on where the machine is.
fn screen(board: &Board, lang: Lang, width: u16, height: u16) -> (String, Drawn) {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    let mut drawn = Drawn::default();
    terminal.draw(|frame| drawn = draw(board, frame.area(), frame.buffer_mut(), look(lang))).unwrap();
    let lines = terminal.backend().to_string();
    let lines = lines.lines().map(|line| line.split('"').nth(1).unwrap_or_default().trim_end());
    let text = lines.collect::<Vec<_>>().join("\n");
    (text.replace(&time::moment(NOW - 65_000), "THEN"), drawn)
}

fn board(lang: Lang, requests: Vec<Standing>) -> Board {
    let mut board = Board::new(lang);
    board.connected(requests);
    board
}

#[test]
fn the_list_the_details_and_the_keys_are_on_one_screen() {
    let mut board = board(Lang::En, vec![push()]);
    let (text, drawn) = screen(&board, Lang::En, 60, 16);
    assert!(drawn.is_read && !drawn.is_too_small, "{drawn:?}");
    insta::assert_snapshot!(text, @"
     dmplz · 1 waiting          ↑↓ Tab PgDn · ? help · q leaves
    ▸ 4m 0s     Bash      git push origin main ⋯  /home/ann/shop
    ────────────────────────────────────────────────────────────
    🔐 Claude Code asks for permission: Bash
      id      3f0c1a52-6f3b-4c1e-9b1d-0a1b2c3d4e5f
      status  open, 4m 0s left
      asked   THEN (1m 5s ago)
      from    Claude Code, session s-1
    │ Folder: /home/ann/shop
    │ git push origin main
    │ rm -rf build


    ────────────────────────────────────────────────────────────

    [y] allow  [n] deny  [t] deny, say what instead
    ");
    board.drawn(drawn, 0);
    board.typed(Input::Key(Key::Char('y')), true, 1_000);
    assert!(matches!(board.focus, Focus::Confirm(_, AnswerBody::Approve)));
    let (text, _) = screen(&board, Lang::En, 60, 16);
    assert!(text.contains("Allow it, this once? [Enter] yes  [Esc] no"), "{text}");
}

#[test]
fn in_korean_it_is_korean() {
    let (text, _) = screen(&board(Lang::Ko, vec![push()]), Lang::Ko, 60, 16);
    insta::assert_snapshot!(text, @"
     dmplz · 대기 1             ↑↓ Tab PgDn · ? 도움말 · q 종료
    ▸ 4분 0초   Bash      git push origin main ⋯  /home/ann/shop
    ────────────────────────────────────────────────────────────
    🔐 Claude Code 권한 요청: Bash
      id      3f0c1a52-6f3b-4c1e-9b1d-0a1b2c3d4e5f
      상태    대기 중, 4분 0초 남음
      요청    THEN (1분 5초 전)
      출처    Claude Code, 세션 s-1
    │ Folder: /home/ann/shop
    │ git push origin main
    │ rm -rf build


    ────────────────────────────────────────────────────────────

    [y] 승인  [n] 거부  [t] 거부하고 대신 할 일
    ");
}

#[test]
fn what_does_not_fit_is_told_and_is_not_read() {
    let long = (1..40).map(|number| format!("echo {number}\n")).collect::<String>();
    let board = board(Lang::En, vec![standing("Bash", vec![Part::Code(long)])]);
    let (text, drawn) = screen(&board, Lang::En, 40, 12);
    assert!(!drawn.is_read && text.contains(" ↓ "), "{text}");
}

#[test]
fn a_window_that_is_too_small_says_so() {
    for (width, height) in [(29, 24), (80, 9), (1, 1)] {
        let (_, drawn) = screen(&board(Lang::En, vec![push()]), Lang::En, width, height);
        assert!(drawn.is_too_small && !drawn.is_read);
    }
}

#[test]
fn an_empty_board_says_that_nothing_waits() {
    let (text, _) = screen(&board(Lang::En, Vec::new()), Lang::En, 60, 12);
    assert!(text.contains("Nothing waits for an answer."), "{text}");
}

#[test]
fn nothing_untrusted_stands_without_a_bar_or_moves_the_cursor() {
    let hostile =
        "echo \u{1b}[2J\u{202e}x\ty\n[y] allow  [n] deny\n한국어로 아주 길게 쓴 명령을 아주 길게 길게 길게 길게 쓴다";
    let (text, _) =
        screen(&board(Lang::En, vec![standing("Bash", vec![Part::Code(hostile.into())])]), Lang::En, 40, 24);
    assert!(!text.contains('\u{1b}') && !text.contains('\u{202e}'), "{text}");
    assert!(text.contains("│ [y] allow  [n] deny"), "{text}");
}
