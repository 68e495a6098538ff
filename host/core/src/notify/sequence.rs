//! Notices that a terminal shows on the desktop of the person in front of it, over SSH too.
//!
//! | sequence | shown by |
//! |---|---|
//! | `9` | iTerm2 (<https://iterm2.com/documentation-escape-codes.html>), WezTerm, Ghostty and others |
//! | `777` | rxvt-unicode, as a call of its extension `notify`; foot; terminals on VTE where the distribution has it on |
//! | `99` | kitty (<https://sw.kovidgoyal.net/kitty/desktop-notifications/>), and only while its window is not in front |
//! | `bell` | all: a sound, or a mark at the window |
//!
//! Claude Code 2.1.330 passes all of them from a hook's `terminalSequence` to its terminal (observed), and nothing else; inside tmux it
//! wraps them so that tmux passes them on where `allow-passthrough` is on. A text of `9` must not begin with a digit.

use super::Notice;
use crate::text::Lang;
use crate::visible::visible_line;

/// The longest text, in characters. Desktops show less.
const LONGEST: usize = 240;
const BELL: char = '\x07';

/// An escape sequence by which a terminal notifies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sequence {
    /// OSC 9, which has one text.
    Osc9,
    /// OSC 777, which has a title and a text.
    Osc777,
    /// OSC 99, which has a title and a text, in a sequence each.
    Osc99,
    /// The control character BEL, which has no text.
    Bell,
}

crate::named!(Sequence { Osc9 = "9", Osc777 = "777", Osc99 = "99", Bell = "bell" });

impl Sequence {
    /// Returns the sequence that the terminal of this environment shows, as far as its variables tell. Over SSH only `TERM` does.
    pub fn of_terminal(environment: &dyn Fn(&str) -> Option<String>) -> Self {
        let is = |name: &str, known: &[&str]| {
            environment(name).is_some_and(|value| known.iter().any(|known| value.starts_with(known)))
        };
        let is_set = |name: &str| is_set(name, environment);
        if is("TERM", &["xterm-kitty"]) || is_set("KITTY_WINDOW_ID") {
            Self::Osc99
        } else if is("TERM", &["foot", "rxvt-unicode"]) || is_set("VTE_VERSION") {
            Self::Osc777
        } else if is("TERM_PROGRAM", &["Apple_Terminal", "vscode"])
            || is("TERM", &["linux", "dumb"])
            || is_set("WT_SESSION")
        {
            Self::Bell
        } else {
            Self::Osc9
        }
    }

    /// Returns the bytes that make a terminal show a notice. In tmux or screen the bell rings too, which marks the window.
    pub fn write(self, notice: &Notice, lang: Lang, environment: &dyn Fn(&str) -> Option<String>) -> String {
        let fitted = notice.fit(LONGEST, |_| 1, lang);
        let line = |text: &str| visible_line(text.trim());
        let body: Vec<String> = fitted.body.lines().map(line).filter(|line| !line.is_empty()).collect();
        let (title, body) = (line(&fitted.title), body.join(" · "));
        let mut written = match self {
            Self::Osc9 => {
                let text = if body.is_empty() { title } else { format!("{title} · {body}") };
                // What begins with a digit is another command, such as the progress of a task.
                let begin = if text.starts_with(|c: char| c.is_ascii_digit()) { "· " } else { "" };
                format!("\x1b]9;{begin}{text}{BELL}")
            }
            // A semicolon ends the title.
            Self::Osc777 => format!("\x1b]777;notify;{};{body}{BELL}", title.replace(';', ",")),
            Self::Osc99 if body.is_empty() => format!("\x1b]99;i=dmplz:o=unfocused;{title}\x1b\\"),
            Self::Osc99 => format!("\x1b]99;i=dmplz:d=0:o=unfocused;{title}\x1b\\\x1b]99;i=dmplz:p=body;{body}\x1b\\"),
            Self::Bell => BELL.to_string(),
        };
        let is_inside = ["TMUX", "STY"].iter().any(|name| is_set(name, environment));
        if is_inside && self != Self::Bell {
            written.push(BELL);
        }
        written
    }
}

/// Returns whether a variable has a value that is not empty.
fn is_set(name: &str, environment: &dyn Fn(&str) -> Option<String>) -> bool {
    environment(name).is_some_and(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(set: &[(&'static str, &'static str)]) -> impl Fn(&str) -> Option<String> {
        let set = set.to_vec();
        move |name| set.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
    }

    #[test]
    fn a_terminal_is_told_by_its_variables() {
        for (set, expected) in [
            (&[][..], Sequence::Osc9),
            (&[("TERM", "xterm-256color")], Sequence::Osc9),
            (&[("TERM", "xterm-ghostty")], Sequence::Osc9),
            (&[("TERM", "xterm-kitty")], Sequence::Osc99),
            (&[("TERM", "tmux-256color"), ("KITTY_WINDOW_ID", "1")], Sequence::Osc99),
            (&[("TERM", "foot-extra")], Sequence::Osc777),
            (&[("TERM", "rxvt-unicode-256color")], Sequence::Osc777),
            (&[("TERM", "xterm-256color"), ("VTE_VERSION", "7802")], Sequence::Osc777),
            (&[("TERM", "xterm-256color"), ("TERM_PROGRAM", "Apple_Terminal")], Sequence::Bell),
            (&[("TERM", "xterm-256color"), ("TERM_PROGRAM", "vscode")], Sequence::Bell),
            (&[("TERM", "linux")], Sequence::Bell),
            (&[("TERM", "xterm-256color"), ("WT_SESSION", "8b9d")], Sequence::Bell),
        ] {
            assert_eq!(Sequence::of_terminal(&environment(set)), expected, "{set:?}");
        }
    }

    #[test]
    fn a_notice_is_written_as_each_terminal_takes_it() {
        let notice =
            Notice { title: "The turn is over; 2 tasks".to_owned(), body: "shop · 2f9e3ffd\n\ncargo test".to_owned() };
        let of = |sequence: Sequence| sequence.write(&notice, Lang::En, &environment(&[]));
        let all: Vec<String> = Sequence::ALL.map(of).iter().map(|text| text.escape_debug().to_string()).collect();
        insta::assert_snapshot!(all.join("\n"), @r"
        \u{1b}]9;The turn is over; 2 tasks · shop · 2f9e3ffd · cargo test\u{7}
        \u{1b}]777;notify;The turn is over, 2 tasks;shop · 2f9e3ffd · cargo test\u{7}
        \u{1b}]99;i=dmplz:d=0:o=unfocused;The turn is over; 2 tasks\u{1b}\\\u{1b}]99;i=dmplz:p=body;shop · 2f9e3ffd · cargo test\u{1b}\\
        \u{7}
        ");
        let inside = Sequence::Osc9.write(&notice, Lang::En, &environment(&[("TMUX", "/tmp/tmux-0/default,1,0")]));
        assert!(inside.ends_with("\x07\x07"), "{inside:?}");
    }

    #[test]
    fn a_text_neither_ends_its_sequence_nor_begins_another_command() {
        let hostile = "4;1;50\x07\x1b]0;evil\x07\x1b\\\u{9c}\u{202e}\n\x1b[2J";
        let notice = Notice { title: hostile.to_owned(), body: hostile.repeat(100) };
        for sequence in Sequence::ALL {
            let written = sequence.write(&notice, Lang::Ko, &environment(&[]));
            let controls = written.chars().filter(|c| c.is_control()).count();
            let own = match sequence {
                Sequence::Osc9 | Sequence::Osc777 => 2,
                Sequence::Osc99 => 4,
                Sequence::Bell => 1,
            };
            assert_eq!(controls, own, "{written:?}");
            assert!(!written.starts_with("\x1b]9;4"), "{written:?}");
            assert!(written.chars().count() < 2 * LONGEST, "{written:?}");
        }
    }
}
