//! Compares lines with the result of parsing them.
//!
//! In the tables a line begins with `$ ` and continues with `> `; its result is indented below it.

mod depth;
mod show;

use super::*;
use show::shown;

#[test]
fn lines_are_read_as_bash_reads_them() {
    compare(include_str!("tests/bash.txt"));
}

#[test]
fn what_claude_code_writes_is_read() {
    compare(include_str!("tests/real.txt"));
}

fn compare(table: &str) {
    let mut now = String::new();
    let cases = format!("\n{table}").replace("\n$ ", "\n\u{0}");
    for case in cases.split('\u{0}').skip(1) {
        let lines = case.lines().enumerate().filter(|(index, line)| *index == 0 || line.starts_with('>'));
        let line: Vec<&str> = lines.map(|(index, line)| if index == 0 { line } else { &line[2..] }).collect();
        let reading = shown(&read(&line.join("\n"))).replace('\n', "\n    ");
        now += &format!("$ {}\n    {reading}\n\n", line.join("\n> "));
    }
    assert_eq!(now.trim_end(), table.trim_end());
}
