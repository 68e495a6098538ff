//! Finds alternative readings of a command whose words are not certain, so that a deny still stops it.
//!
//! | written | may be |
//! |---|---|
//! | `rm$IFS-rf`, `$x rm`, `r$()m` | the command when expansions are empty and `$IFS` is a space |
//! | `{rm,-rf,a}` | `rm -rf a` |
//! | `=rm` | `rm`, in zsh |
//! | invisible characters, unusual blanks | the words between them, and the word without them |

use crate::shell::Word;
use crate::shell::syntax::Text;

/// Returns the alternative readings of a command's words.
pub(super) fn of(words: &[Text]) -> Vec<Vec<Word>> {
    let mut readings = Vec::new();
    let Some(first) = words.first() else { return readings };
    if !first.word.exact || words.iter().any(|word| word.splits) {
        let emptied: Vec<Word> = words.iter().flat_map(emptied).collect();
        if !emptied.is_empty() {
            readings.push(emptied);
        }
    }
    if first.word.known.contains(is_odd) {
        let rest = || words.iter().skip(1).map(|word| word.word.clone());
        let between = first.word.known.split(is_odd).filter(|part| !part.is_empty()).map(Word::exact);
        readings.push(between.chain(rest()).collect());
        let without: String = first.word.known.chars().filter(|character| !is_odd(*character)).collect();
        readings.push(std::iter::once(Word::exact(without)).chain(rest()).collect());
    }
    readings
}

/// Returns the words that result if the expansions of a word are empty.
fn emptied(text: &Text) -> Vec<Word> {
    let Some(emptied) = &text.emptied else { return vec![text.word.clone()] };
    let emptied = emptied.strip_prefix('=').unwrap_or(emptied);
    let parts: Vec<&str> = if text.splits { emptied.split(' ').collect() } else { vec![emptied] };
    let parts =
        parts.into_iter().flat_map(|part| match part.strip_prefix('{').and_then(|part| part.strip_suffix('}')) {
            Some(inside) => inside.split(',').collect(),
            None => vec![part],
        });
    parts.filter(|part| !part.is_empty()).map(Word::exact).collect()
}

/// Returns whether no command contains the character: a control character, a character without width, or any blank
/// other than a space.
pub(super) fn is_odd(character: char) -> bool {
    character != ' ' && (character.is_control() || character.is_whitespace())
        || matches!(character,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}
