//! Formats a plan. Plans are Markdown, which is not passed to messengers as markup: the characters that mark a line
//! are replaced by others, and everything else stays as it was written.
//!
//! | written | shown |
//! |---|---|
//! | `# Title` to `###### Title` | `▪ Title` |
//! | `- item`, `* item`, `+ item` | `• item`, indented as it was |
//! | `- [ ] item`, `- [x] item` | `☐ item`, `☑ item` |
//! | lines between ```` ``` ```` or `~~~` | code; what stands beside the opening mark is its first line |
//! | `**word**` | `word`, if the stars enclose words from outside; `a/** b/**`, `x**2` and lines with `` ` `` stay |
//!
//! A plan with more blocks than [`PIECES`] is shown as it was written, because messengers limit the number of blocks.

use super::Part;

/// The most texts and code blocks of one plan.
const PIECES: usize = 24;

/// The mark of a heading.
const HEADING: &str = "▪ ";

/// Returns the parts of a plan, whose text is already visible.
pub(super) fn plan(text: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let (mut lines, mut fence) = (Vec::new(), None::<&str>);
    for line in text.lines() {
        let mark = fence_of(line);
        match (fence, mark) {
            (None, Some(mark)) => {
                close(&mut parts, &mut lines, Part::Text);
                lines.extend(beside(line, mark).map(str::to_owned));
                fence = Some(mark);
            }
            (Some(open), Some(mark)) if mark.starts_with(open) && line.trim() == mark => {
                close(&mut parts, &mut lines, Part::Code);
                fence = None;
            }
            (Some(_), _) => lines.push(line.to_owned()),
            (None, None) => lines.push(shown(line)),
        }
    }
    // An unclosed fence extends to the end.
    close(&mut parts, &mut lines, if fence.is_some() { Part::Code } else { Part::Text });
    if parts.len() > PIECES { vec![Part::Text(text.to_owned())] } else { parts }
}

/// Returns the first heading among a plan's parts, without its mark.
pub(super) fn title(parts: &[Part]) -> Option<&str> {
    let texts = parts.iter().filter_map(|part| match part {
        Part::Text(text) => Some(text.as_str()),
        Part::Code(_) => None,
    });
    texts.flat_map(str::lines).find_map(|line| line.strip_prefix(HEADING).or_else(|| heading(line.trim_start())))
}

fn close(parts: &mut Vec<Part>, lines: &mut Vec<String>, part: fn(String) -> Part) {
    let text = lines.join("\n");
    lines.clear();
    let text = text.trim_matches('\n');
    if !text.trim().is_empty() {
        parts.push(part(text.to_owned()));
    }
}

/// Returns the three or more characters that open or close a code block.
fn fence_of(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let end = |mark: char| line.find(|c| c != mark).unwrap_or(line.len());
    let length = end('`').max(end('~'));
    (length >= 3).then(|| line.get(..length)).flatten()
}

/// Returns the info string of a fence, if it has one: mostly the name of a language, but nothing keeps it from saying more.
fn beside<'a>(line: &'a str, mark: &str) -> Option<&'a str> {
    let beside = line.trim_start().strip_prefix(mark)?.trim();
    (!beside.is_empty()).then_some(beside)
}

fn shown(line: &str) -> String {
    let text = line.trim_start();
    let indent = line.get(..line.len() - text.len()).unwrap_or_default();
    if let Some(title) = heading(text) {
        return format!("{HEADING}{}", plain(title));
    }
    let item = ["- ", "* ", "+ "].into_iter().find_map(|mark| text.strip_prefix(mark));
    match item {
        Some(item) => match (item.strip_prefix("[ ] "), item.strip_prefix("[x] ").or(item.strip_prefix("[X] "))) {
            (Some(open), _) => format!("{indent}☐ {}", plain(open)),
            (_, Some(done)) => format!("{indent}☑ {}", plain(done)),
            _ => format!("{indent}• {}", plain(item)),
        },
        None => format!("{indent}{}", plain(text)),
    }
}

fn heading(text: &str) -> Option<&str> {
    let title = text.trim_start_matches('#');
    ((1..=6).contains(&(text.len() - title.len())) && title.starts_with(' ')).then(|| title.trim())
}

/// The stars of bold text.
const STARS: &str = "**";

/// Removes the stars around bold text. All others stay, because they can be part of a command.
fn plain(text: &str) -> String {
    let (mut removed, mut open) = (Vec::new(), None);
    let marks = text.match_indices(STARS).filter(|_| !text.contains('`'));
    for (at, _) in marks {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text.get(at + STARS.len()..).unwrap_or_default();
        match open {
            Some(start) if closes(before, after) => {
                removed.extend([start, at]);
                open = None;
            }
            _ if opens(before, after) => open = Some(at),
            _ => {}
        }
    }
    let (mut plain, mut from) = (String::new(), 0);
    for at in removed {
        plain.push_str(text.get(from..at).unwrap_or_default());
        from = at + STARS.len();
    }
    plain.push_str(text.get(from..).unwrap_or_default());
    plain
}

/// Whether stars between these characters begin bold text. It is stricter than CommonMark's left-flanking run, which is also
/// in `a/**/b` and `x**2`.
fn opens(before: Option<char>, after: &str) -> bool {
    before.is_none_or(|c| c.is_whitespace() || "([{\"'".contains(c)) && after.starts_with(char::is_alphanumeric)
}

/// Whether stars between these characters end bold text. It is stricter than CommonMark's right-flanking run; a Korean
/// particle may follow.
fn closes(before: Option<char>, after: &str) -> bool {
    let is_particle = |c: char| !c.is_ascii() && c.is_alphanumeric();
    let mut after = after.chars();
    let (next, second) = (after.next(), after.next());
    // `**a**.rs` is a file.
    let ends_word = second.is_none_or(|c| !c.is_ascii_alphanumeric());
    before.is_some_and(|c| c.is_alphanumeric() || ".,:;!?)%\"'".contains(c))
        && next.is_none_or(|c| c.is_whitespace() || is_particle(c) || ends_word && ".,:;!?)]}\"'".contains(c))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn drawn(text: &str) -> String {
        let part = |part: &Part| match part {
            Part::Text(text) => text.clone(),
            Part::Code(code) => format!("[{code}]"),
        };
        plan(text).iter().map(part).collect::<Vec<_>>().join("\n--\n")
    }

    #[test]
    fn a_plan_is_drawn_with_characters() {
        let text = "# Make it **fast**\n\n1. Add an index.\n   - 200 rows\n- [ ] measure\n* [x] compare\n\n```sql\nCREATE INDEX # x;\n- y\n```\n## After\n**a** and **b**";
        insta::assert_snapshot!(drawn(text), @"
        ▪ Make it fast

        1. Add an index.
           • 200 rows
        ☐ measure
        ☑ compare
        --
        [sql
        CREATE INDEX # x;
        - y]
        --
        ▪ After
        a and b
        ");
    }

    #[test]
    fn a_plan_is_called_by_its_first_heading_without_the_mark() {
        for (text, called) in [
            ("# Make it **fast**\n\nx\n## After", Some("Make it fast")),
            ("First words.\n\n  ## Steps ", Some("Steps")),
            ("```sh\n# a comment\n```\n# Title", Some("Title")),
            ("no heading\n#hash", None),
            ("", None),
        ] {
            assert_eq!(title(&plan(text)), called, "{text}");
        }
        // A plan with too many pieces is shown as it was written.
        assert_eq!(title(&plan(&format!("# Title\n{}", "```\nx\n```\ny\n".repeat(30)))), Some("Title"));
    }

    #[test]
    fn text_without_valid_markup_is_unchanged() {
        for text in ["#hash", "####### seven", "-x", "2 ** 3", "`a ** b ** c`", "a\n\nb", "~~ x", "--- a"] {
            assert_eq!(drawn(text), text);
        }
        assert_eq!(drawn("~~~\n```\nx\n~~~\ny"), "[```\nx]\n--\ny");
        assert_eq!(drawn("```\nto the end"), "[to the end]");
        assert_eq!(drawn("```c++ and more\nx\n```"), "[c++ and more\nx]");
        assert_eq!(drawn(""), "");
        let many = "```\nx\n```\ny\n".repeat(30);
        assert_eq!(drawn(&many), many);
    }

    #[test]
    fn stars_that_can_be_part_of_a_command_are_shown() {
        for text in [
            "rm -rf a/** b/**", "rm -rf ** x**", "rm -rf **/a/**/b", "a/**/b/**/c", "x**2 + y**2", "**a b**/c",
            "**a**.rs", "**a", "a**", "****", "***a***", "cp **a b** `c`",
        ] {
            assert_eq!(drawn(text), text);
        }
        for (text, shown) in [
            ("**Note:** rm -rf a/** b/**", "Note: rm -rf a/** b/**"),
            ("1. **인덱스**를 (**먼저**) 추가", "1. 인덱스를 (먼저) 추가"),
            ("**a **b** c", "**a b c"),
        ] {
            assert_eq!(drawn(text), shown);
        }
    }

    #[test]
    fn what_stands_beside_the_mark_of_a_code_block_is_shown() {
        assert_eq!(drawn("```rm-rf\n```"), "[rm-rf]");
        assert_eq!(drawn("~~~ sh\nls\n~~~"), "[sh\nls]");
    }

    proptest! {
        #[test]
        fn no_word_of_a_plan_is_lost(text in "([#*+~`\\[\\] -]{0,4}[a-c]{0,3}\n?){0,12}") {
            let words = |text: &str| text.chars().filter(char::is_ascii_alphabetic).collect::<String>();
            let shown: String = plan(&text).iter().map(Part::text).collect();
            let (shown, wanted) = (words(&shown), words(&text));
            let mut shown = shown.chars();
            prop_assert!(wanted.chars().all(|word| shown.any(|it| it == word)), "{text:?}");
        }
    }
}
