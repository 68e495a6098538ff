//! Alternative spellings of paths and words.

use super::Generator;
use crate::layout::{HOME, WORKSPACE};

impl Generator {
    /// Returns another spelling of an absolute path in the home directory.
    pub(super) fn spell(&mut self, path: &str) -> String {
        let below_home = path.strip_prefix(HOME).unwrap_or(path).trim_start_matches('/').to_owned();
        let relative = match path.strip_prefix(WORKSPACE) {
            Some(below) => below.trim_start_matches('/').to_owned(),
            None => format!("../{below_home}"),
        };
        let mut spelled = match self.below(30) {
            0..=7 => relative,
            8 | 9 => path.to_owned(),
            10 | 11 => format!("~/{below_home}"),
            12 => format!("$HOME/{below_home}"),
            13 => format!("${{HOME}}/{below_home}"),
            14 => format!("\"$HOME\"/{below_home}"),
            15 => format!("\"$HOME/{below_home}\""),
            16 => format!("~me/{below_home}"),
            17 => format!("$PWD/{relative}"),
            18 => format!("~+/{relative}"),
            19 => format!("linked-home/{below_home}"),
            20 => format!("sub/../{relative}"),
            21 => format!("./{relative}"),
            22 => format!("link/../{below_home}"),
            23 => format!("/proc/self/cwd/{relative}"),
            24 => format!("${{PWD%/*}}/{below_home}"),
            25 => format!("/home/*/{below_home}"),
            26 => format!("{{nope,{relative}}}"),
            27 => format!("${{HOME:-x}}/{below_home}"),
            28 => below_home.strip_prefix(".claude").map_or(relative, |below| format!("linked-claude{below}")),
            _ => path.replace("/me/", "/./me//"),
        };
        if self.below(3) == 0 {
            spelled = self.disguise(&spelled);
        }
        spelled
    }

    /// Changes one character of a word so that the shell still reads the same word, or expands it to the same file.
    pub(super) fn disguise(&mut self, word: &str) -> String {
        let letters: Vec<usize> =
            word.char_indices().filter(|(_, char)| char.is_ascii_lowercase()).map(|(at, _)| at).collect();
        let Some(at) = self.one_of(&letters).copied() else { return word.to_owned() };
        let (before, rest) = word.split_at_checked(at).unwrap_or((word, ""));
        let (letter, after) = rest.split_at_checked(1).unwrap_or((rest, ""));
        let instead = match self.below(12) {
            0 => "?".to_owned(),
            1 => "*".to_owned(),
            2 => format!("[{letter}]"),
            3 => format!("'{letter}'"),
            4 => format!("\"{letter}\""),
            5 => format!("\\{letter}"),
            6 => format!("$'{letter}'"),
            7 => format!("$'\\x{:x}'", letter.bytes().next().unwrap_or_default()),
            8 => format!("{letter}''"),
            9 => format!("{{{letter},}}"),
            10 => format!("{letter}$nothing"),
            _ => format!("{letter}\\\n"),
        };
        format!("{before}{instead}{after}")
    }
}
