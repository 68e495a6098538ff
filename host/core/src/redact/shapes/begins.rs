//! Finds the places where a secret that is known by its shape may begin. Most texts have no such place, and a hook
//! masks only a few texts. So this is a table of pairs of bytes that is computed at compile time, and not a regular
//! expression, which would be compiled in every process.

use super::super::table::{Pairs, Table, sorted};
use super::{CRYPT, PEM_BEGIN, PREFIXES, WEAK, WEBHOOKS, is_token_byte};

/// Other texts at which a search starts.
const OTHERS: [&str; 4] = [PEM_BEGIN, ".atlasv1.", "://", "eyJ"];

/// The pairs of bytes with which a searched text begins.
static PAIRS: Pairs = pairs();

/// The literal texts, by their first byte.
static FIXED: Table<&str> = {
    const COUNT: usize = PREFIXES.len() + WEAK.len() + WEBHOOKS.len() + CRYPT.len() + OTHERS.len();
    const SORTED: ([&str; COUNT], [usize; 257]) = {
        let (texts, first_bytes) = fixed();
        sorted(texts, first_bytes)
    };
    Table { things: &SORTED.0, starts: &SORTED.1 }
};

/// Returns the next place at or after an index.
pub(super) fn begin(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let pairs = bytes.get(from..)?.windows(2).enumerate();
    let may_begin = |pair: &[u8]| matches!(pair, [first, second] if PAIRS.has(*first, *second));
    let mut places = pairs.filter(|(_, pair)| may_begin(pair)).map(|(at, _)| from + at);
    places.find(|at| begins(text, *at))
}

fn begins(text: &str, at: usize) -> bool {
    let Some(rest) = text.as_bytes().get(at..) else { return false };
    let is = |byte: u8| move |at: usize| text.as_bytes().get(at) == Some(&byte);
    let shaped = match rest.first() {
        // The numeric id of a Telegram bot.
        Some(b'0'..=b'9') => {
            let end = at + rest.iter().take(11).take_while(|byte| byte.is_ascii_digit()).count();
            (8..=10).contains(&(end - at)) && is(b':')(end)
        }
        // The part of a Discord token before its first dot.
        Some(b'M' | b'N' | b'O') => {
            let end = at + 1 + rest.iter().skip(1).take(28).take_while(|byte| is_token_byte(**byte)).count();
            (23..=27).contains(&(end - at - 1)) && is(b'.')(end)
        }
        _ => false,
    };
    shaped || rest.first().is_some_and(|first| FIXED.of(*first).iter().any(|text| rest.starts_with(text.as_bytes())))
}

/// Returns the literal texts, and the first byte of each.
#[allow(clippy::indexing_slicing, reason = "evaluated when the program is compiled: it would not compile")]
const fn fixed<const N: usize>() -> ([&'static str; N], [u8; N]) {
    let (mut texts, mut first_bytes, mut count) = ([""; N], [0; N], 0);
    let mut lists: &[&[&str]] = &[&PREFIXES, &weak(), &WEBHOOKS, &CRYPT, &OTHERS];
    while let [list, others @ ..] = lists {
        let mut list = *list;
        while let [text, more @ ..] = list {
            (texts[count], first_bytes[count]) = (text, text.as_bytes()[0]);
            count += 1;
            list = more;
        }
        lists = others;
    }
    (texts, first_bytes)
}

#[allow(clippy::indexing_slicing, reason = "evaluated when the program is compiled: it would not compile")]
const fn weak() -> [&'static str; WEAK.len()] {
    let (mut prefixes, mut at) = ([""; WEAK.len()], 0);
    while at < WEAK.len() {
        prefixes[at] = WEAK[at].0;
        at += 1;
    }
    prefixes
}

const fn pairs() -> Pairs {
    let mut pairs = Pairs::none();
    let mut texts = FIXED.things;
    while let [text, more @ ..] = texts {
        if let [first, second, ..] = text.as_bytes() {
            pairs.add(*first, *second);
        }
        texts = more;
    }
    let mut byte = 0_u8;
    while byte < 128 {
        if byte.is_ascii_digit() {
            let mut first = b'0';
            while first <= b'9' {
                pairs.add(first, byte);
                first += 1;
            }
        }
        if is_token_byte(byte) {
            pairs.add(b'M', byte);
            pairs.add(b'N', byte);
            pairs.add(b'O', byte);
        }
        byte += 1;
    }
    pairs
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use proptest::prelude::*;
    use regex_automata::{Input, meta::Regex};

    use super::*;

    /// The same search as a regular expression, for comparison.
    static BEGINS: LazyLock<Regex> = LazyLock::new(|| {
        let fixed: Vec<String> = FIXED.things.iter().map(|text| regex_syntax::escape(text)).collect();
        let pattern = format!("(?-u){}|[MNO][A-Za-z0-9_-]{{23,27}}\\.|[0-9]{{8,10}}:", fixed.join("|"));
        Regex::new(&pattern).unwrap()
    });

    fn places(text: &str) -> Vec<usize> {
        let mut from = 0;
        std::iter::from_fn(|| begin(text, from).inspect(|at| from = at + 1)).collect()
    }

    fn by_regex(text: &str) -> Vec<usize> {
        let mut from = 0;
        let find = |from: usize| BEGINS.find(Input::new(text).range(from..)).map(|found| found.start());
        std::iter::from_fn(|| if from > text.len() { None } else { find(from).inspect(|at| from = at + 1) }).collect()
    }

    #[test]
    fn every_text_that_is_looked_for_is_found_wherever_it_stands() {
        for text in FIXED.things {
            assert_eq!(begin(&format!("é {text}x"), 0), Some(3), "{text}");
            assert!(places(&format!("a{text}")).contains(&1), "{text}");
        }
    }

    proptest! {
        #[test]
        fn the_places_are_those_of_a_regular_expression(
            parts in prop::collection::vec(prop_oneof![
                prop::sample::select(FIXED.things).prop_map(str::to_owned),
                "[MNO]?[A-Za-z0-9_-]{20,30}\\.?",
                "[0-9]{6,12}:?",
                "[a-zA-Z0-9:/.$ é-]{0,6}",
            ], 0..6),
        ) {
            let text = parts.concat();
            prop_assert_eq!(places(&text), by_regex(&text), "{:?}", text);
        }
    }
}
