//! Lines that nobody would write, and the shortest of those that fail.

use fastrand::Rng;

/// The pieces that are inserted. They have no dots and slashes, so that nothing leaves its folder.
const PIECES: &[&str] = &[
    "'", "\"", "\\", "$", "(", ")", "{", "}", "[", "]", "|", "&", ";", "<", ">", "#", "\n", " ", "\t", "~", "!", "*",
    "?", "=", ":", "@", "-", "+", "^", ",", "%", "x", "0", "`", "$(", "${", "$((", "))", "((", "\\\n", "[[ ", " ]]",
    " #", "<<", "<(", ">(", "$'", "$\"", "$$", "\\\\", "\\\"", "\\'", "\\`", "\\$", "esac", ";;", " in ", "case ",
    "do ", "done", "fi", "if ", "then ", "time ", "! ", "()", "\r", "=(", "a=", "\u{a0}", "&>", "|&", "<<<", "2>",
    "EOF\n", "coproc ", "function ", "é",
];

/// Makes one to three small changes.
pub(crate) fn damage(line: &str, random: &mut Rng) -> String {
    let mut characters: Vec<char> = line.chars().collect();
    for _ in 0..random.usize(1..4) {
        let at = random.usize(..=characters.len());
        match random.u8(..4) {
            0 if at < characters.len() => drop(characters.remove(at)),
            1 if at < characters.len() => {
                let end = (at + random.usize(1..12)).min(characters.len());
                let piece: Vec<char> = characters[at..end].to_vec();
                let to = random.usize(..=characters.len());
                drop(characters.splice(to..to, piece));
            }
            _ => {
                let piece = PIECES[random.usize(..PIECES.len())];
                drop(characters.splice(at..at, piece.chars()));
            }
        }
    }
    characters.into_iter().collect()
}

/// Returns a shorter line that still fails.
pub(crate) fn shrink(line: &str, fails: &mut dyn FnMut(&str) -> bool) -> String {
    let mut characters: Vec<char> = line.chars().collect();
    let mut length = characters.len() / 2;
    while length > 0 {
        let mut at = 0;
        while at < characters.len() {
            let mut shorter = characters.clone();
            drop(shorter.drain(at..(at + length).min(characters.len())));
            if fails(&shorter.iter().collect::<String>()) {
                characters = shorter;
            } else {
                at += length;
            }
        }
        length /= 2;
    }
    characters.into_iter().collect()
}
