//! Says in words what a call wants, as the heading of its request.
//!
//! | tool | heading |
//! |---|---|
//! | `Bash`, `Edit` and other tools of Claude Code | "Claude wants to run a command" |
//! | `ExitPlanMode`, `AskUserQuestion` | "Plan", "Question" |
//! | [`MODE_CHANGE`] | "From now on, nobody is asked" |
//! | `mcp__github__create_pull_request` | "GitHub: create pull request" |
//! | any other | "Claude wants to use Foo" |
//!
//! The page has the same words and rules in `heading.js`; a test compares the two.

use super::MODE_CHANGE;
use crate::text::{Lang, fill};
use crate::visible::visible_line;

/// Names of servers that are not written as a capital letter and small ones.
const SERVERS: [(&str, &str); 4] =
    [("github", "GitHub"), ("gitlab", "GitLab"), ("youtube", "YouTube"), ("postgresql", "PostgreSQL")];

/// Returns the heading of a call. `is_of_client` tells whether Claude Code makes it, and not another program.
pub fn heading(tool: &str, is_of_client: bool, lang: Lang) -> String {
    let words = &lang.words().tools;
    let by = if is_of_client { words.client } else { words.program };
    match tool {
        "ExitPlanMode" => return words.plan.to_owned(),
        "AskUserQuestion" => return words.question.to_owned(),
        MODE_CHANGE => return words.mode.to_owned(),
        _ => {}
    }
    if let Some((server, call)) = tool.strip_prefix("mcp__").and_then(|rest| rest.split_once("__"))
        && !server.is_empty()
        && !call.is_empty()
    {
        return format!("{}: {}", server_name(server), spaced(call));
    }
    let act = words.acts.iter().find(|(tools, _)| tools.contains(&tool)).map(|(_, act)| *act);
    match act {
        Some(act) => fill(act, &[by]),
        None => fill(words.other, &[by, &visible_line(tool)]),
    }
}

/// Returns the name of an MCP server for people.
fn server_name(server: &str) -> String {
    let known = SERVERS.iter().find(|(name, _)| *name == server);
    match known {
        Some((_, name)) => (*name).to_owned(),
        None => {
            let name = spaced(server);
            let mut letters = name.chars();
            let first = letters.next().map(|first| first.to_ascii_uppercase());
            first.into_iter().chain(letters).collect()
        }
    }
}

fn spaced(name: &str) -> String {
    visible_line(&name.replace(['_', '-'], " "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_named_in_words_of_both_languages() {
        let of = |tool| [Lang::En, Lang::Ko].map(|lang| heading(tool, true, lang)).join(" | ");
        let all = [
            "Bash",
            "Edit",
            "Write",
            "WebFetch",
            "ExitPlanMode",
            "AskUserQuestion",
            "mcp__github__create_pull_request",
            "mcp__my-files__read_file",
            "mcp____x",
            "Foo\u{202e}",
        ];
        insta::assert_snapshot!(all.map(of).join("\n"), @r"
        Claude wants to run a command | Claude가 명령을 실행하려고 합니다
        Claude wants to edit a file | Claude가 파일을 고치려고 합니다
        Claude wants to write a file | Claude가 파일을 쓰려고 합니다
        Claude wants to read a web page | Claude가 웹 페이지를 읽으려고 합니다
        Plan | 계획
        Question | 질문
        GitHub: create pull request | GitHub: create pull request
        My files: read file | My files: read file
        Claude wants to use mcp____x | Claude가 mcp____x 도구를 사용하려고 합니다
        Claude wants to use Foo⟨U+202E⟩ | Claude가 Foo⟨U+202E⟩ 도구를 사용하려고 합니다
        ");
        assert_eq!(heading("Bash", false, Lang::En), "A program wants to run a command");
        assert_eq!(heading("Bash", false, Lang::Ko), "프로그램이 명령을 실행하려고 합니다");
    }
}
