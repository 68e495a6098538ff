use dmplz_core::card::Part;
use dmplz_core::text::Lang;

use super::super::card::tests::{look, standing};
use super::*;

fn requests() -> Vec<Standing> {
    let command = "git commit -m '한국어로 쓴 아주 긴 커밋 메시지' && git push origin main";
    let mut edit = standing("Edit", vec![Part::Text("src/main.rs".into()), Part::Code("- a\n+ b".into())]);
    edit.request.cwd = "/home/ann/가게".into();
    vec![standing("Bash", vec![Part::Code(command.into())]), edit]
}

#[test]
fn a_line_a_request() {
    insta::assert_snapshot!(table(&requests(), false, look(Lang::En, None)), @"
    id                                    age    left   tool  what  folder
    3f0c1a52-6f3b-4c1e-9b1d-0a1b2c3d4e5f  1m 5s  4m 0s  Bash  git commit -m '한국어로 쓴 아주 긴 커밋 메시지' && git push origin main  /home/ann/shop
    3f0c1a52-6f3b-4c1e-9b1d-0a1b2c3d4e5f  1m 5s  4m 0s  Edit  src/main.rs ⋯  /home/ann/가게
    ");
}

#[test]
fn wide_letters_keep_their_columns_and_a_narrow_terminal_its_width() {
    insta::assert_snapshot!(table(&requests(), false, look(Lang::Ko, Some(80))), @"
    id        경과     남음     도구  내용                            폴더
    3f0c1a52  1분 5초  4분 0초  Bash  git commit -m '한국어로 쓴 아…  /home/ann/shop
    3f0c1a52  1분 5초  4분 0초  Edit  src/main.rs ⋯                   /home/ann/가게
    ");
    for columns in [1, 20, 40, 60, 80, 120] {
        let text = table(&requests(), true, look(Lang::Ko, Some(columns)));
        let rows = text.lines().take(3);
        assert!(rows.clone().all(|line| width(line) <= columns.max(40)), "{columns}\n{text}");
    }
}

#[test]
fn nothing_waits() {
    assert_eq!(table(&[], false, look(Lang::Ko, None)), "답을 기다리는 요청이 없습니다.\n");
}

#[test]
fn a_full_list_says_how_to_go_on() {
    let text = table(&requests(), true, look(Lang::En, None));
    assert!(text.ends_with("dmplz approvals list --before 3f0c1a52-6f3b-4c1e-9b1d-0a1b2c3d4e5f\n"), "{text}");
}
