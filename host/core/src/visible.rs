//! Makes untrusted text safe to look at. Every character that a screen would hide, obey or reorder is written out, so
//! that a person reads exactly what the agent would run.
//!
//! | character | becomes |
//! |---|---|
//! | line feed, tab, and CR LF as a line end | kept (CR LF becomes LF) |
//! | other C0 controls, DEL | their control picture: ESC is `␛` |
//! | C1 controls, bidirectional marks, embeddings, overrides and isolates, zero-width and other invisible characters, line and paragraph separators, tag characters, private use | `⟨U+202E⟩` |
//! | blanks other than space that look like one (no-break space, ideographic space) | kept: they are ordinary in prose |
//!
//! Zero width joiner and variation selectors are kept between emoji parts only, where they are ordinary.

use std::fmt::Write;

/// Makes a whole text visible. The result is at most a constant factor longer.
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let mut before = ' ';
    while let Some(c) = chars.next() {
        match c {
            '\n' | '\t' => shown.push(c),
            '\r' if chars.peek() == Some(&'\n') => {}
            '\u{0}'..='\u{1f}' => shown.push(char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{fffd}')),
            '\u{7f}' => shown.push('\u{2421}'),
            '\u{200d}' if is_pictograph(before) && !before.is_ascii() => shown.push(c),
            '\u{fe0f}' if is_pictograph(before) => shown.push(c),
            _ if is_deceptive(c) => {
                let _ = write!(shown, "⟨U+{:04X}⟩", u32::from(c));
            }
            _ => shown.push(c),
        }
        if !matches!(c, '\u{200d}' | '\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}') {
            before = c;
        }
    }
    shown
}

/// Makes a text visible on one line: line ends and tabs become visible too.
pub fn visible_line(text: &str) -> String {
    visible(text.trim_end_matches(['\n', '\r'])).replace('\n', "␊").replace('\t', "␉")
}

/// Returns the beginning of a text, visible on one line: at most `most` characters, and `…` if more follow.
pub fn short(text: &str, most: usize) -> String {
    let line = visible_line(text);
    match line.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line,
    }
}

fn is_deceptive(c: char) -> bool {
    // Telegram removes U+030A, U+0333 and U+033F from texts, also from code (`td/telegram/misc.cpp`, `clean_input_string`).
    matches!(c,
        '\u{80}'..='\u{9f}' | '\u{ad}' | '\u{30a}' | '\u{333}' | '\u{33f}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{2800}' | '\u{3164}' | '\u{e000}'..='\u{f8ff}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}' | '\u{f0000}'..='\u{10ffff}')
}

fn is_pictograph(c: char) -> bool {
    matches!(c, '#' | '*' | '0'..='9' | '\u{a9}' | '\u{ae}' | '\u{203c}'..='\u{3299}' | '\u{1f000}'..='\u{1faff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hiding_and_reordering_characters_are_escaped() {
        for (raw, shown) in [
            ("plain 한국어 中文 é ✅", "plain 한국어 中文 é ✅"),
            ("a\r\nb\tc\n", "a\nb\tc\n"),
            ("rm -rf /\rls", "rm -rf /␍ls"),
            ("\u{1b}[2K\u{1b}[1Gls", "␛[2K␛[1Gls"),
            ("\u{0}\u{8}\u{7f}", "␀␈␡"),
            ("a\u{202e}txt.exe", "a⟨U+202E⟩txt.exe"),
            ("a\u{2066}b\u{2069}", "a⟨U+2066⟩b⟨U+2069⟩"),
            ("pass\u{200b}word", "pass⟨U+200B⟩word"),
            ("\u{feff}x\u{9b}31m", "⟨U+FEFF⟩x⟨U+009B⟩31m"),
            ("rm -rf build\u{333}", "rm -rf build⟨U+0333⟩"),
            ("x\u{e0041}", "x⟨U+E0041⟩"),
            ("👩\u{200d}💻 ❤\u{fe0f} 👍🏽", "👩\u{200d}💻 ❤\u{fe0f} 👍🏽"),
            ("a\u{200d}b\u{fe0f}", "a⟨U+200D⟩b⟨U+FE0F⟩"),
            ("\u{2028}\u{3164}\u{2800}", "⟨U+2028⟩⟨U+3164⟩⟨U+2800⟩"),
        ] {
            assert_eq!(visible(raw), shown, "{raw:?}");
        }
        assert_eq!(visible_line("a\nb\tc\n"), "a␊b␉c");
    }

    proptest::proptest! {
        #[test]
        fn nothing_invisible_is_left_and_twice_is_once(raw in "\\PC*|[\\x00-\\x1f\\u{202a}-\\u{202e}a-z]*") {
            let once = visible(&raw);
            let hidden = once.chars().find(|c| (c.is_control() && *c != '\n' && *c != '\t') || ('\u{202a}'..='\u{202e}').contains(c));
            proptest::prop_assert_eq!(hidden, None);
            proptest::prop_assert_eq!(visible(&once), once.clone());
        }
    }
}
