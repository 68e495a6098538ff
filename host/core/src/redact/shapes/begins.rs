//! Where a text may begin that is looked for by its shape. Most texts have no such place, and a hook masks a text or two in its
//! life: so this is a table of pairs of bytes, made when the program is compiled, and no regular expression, which would be compiled
//! in every process.

use std::sync::LazyLock;

use super::{CRYPT, PEM_BEGIN, PREFIXES, WEAK, WEBHOOKS, is_token_byte};

/// Other texts that begin something.
const OTHERS: [&str; 4] = [PEM_BEGIN, ".atlasv1.", "://", "eyJ"];

/// The pairs of bytes that something begins with, a bit each.
static PAIRS: [u64; 1024] = pairs();

/// Where the next place is, from there on.
pub(super) fn begin(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let pairs = bytes.get(from..)?.windows(2).enumerate();
    let may_begin = |pair: &[u8]| {
        let [first, second] = [pair.first(), pair.get(1)].map(|byte| usize::from(*byte.unwrap_or(&0)));
        PAIRS.get(first << 2 | second >> 6).is_some_and(|bits| bits >> (second & 63) & 1 == 1)
    };
    let mut places = pairs.filter(|(_, pair)| may_begin(pair)).map(|(at, _)| from + at);
    places.find(|at| begins(text, *at))
}

fn begins(text: &str, at: usize) -> bool {
    let Some(rest) = text.as_bytes().get(at..) else { return false };
    let is = |byte: u8| move |at: usize| text.as_bytes().get(at) == Some(&byte);
    let shaped = match rest.first() {
        // The number of a bot of Telegram.
        Some(b'0'..=b'9') => {
            let end = at + rest.iter().take(11).take_while(|byte| byte.is_ascii_digit()).count();
            (8..=10).contains(&(end - at)) && is(b':')(end)
        }
        // What is before the first dot of a token of Discord.
        Some(b'M' | b'N' | b'O') => {
            let end = at + 1 + rest.iter().skip(1).take(28).take_while(|byte| is_token_byte(**byte)).count();
            (23..=27).contains(&(end - at - 1)) && is(b'.')(end)
        }
        _ => false,
    };
    shaped || fixed(rest)
}

/// Whether one of the texts that are looked for to the letter stands there.
fn fixed(rest: &[u8]) -> bool {
    static SORTED: LazyLock<Vec<&[u8]>> = LazyLock::new(|| {
        let weak = WEAK.iter().map(|(prefix, _)| *prefix);
        let all = PREFIXES.split(' ').chain(weak).chain(WEBHOOKS).chain(CRYPT).chain(OTHERS);
        let mut all: Vec<&[u8]> = all.map(str::as_bytes).collect();
        all.sort_unstable();
        all
    });
    let Some(pair) = rest.get(..2) else { return false };
    let first = SORTED.partition_point(|text| *text < pair);
    let same_pair = SORTED.iter().skip(first).take_while(|text| text.starts_with(pair));
    same_pair.into_iter().any(|text| rest.starts_with(text))
}

#[allow(clippy::indexing_slicing, reason = "evaluated when the program is compiled: it would not compile")]
const fn pairs() -> [u64; 1024] {
    let mut pairs = [0; 1024];
    let (prefixes, mut at) = (PREFIXES.as_bytes(), 0);
    while at + 1 < prefixes.len() {
        if at == 0 || prefixes[at - 1] == b' ' {
            add(&mut pairs, prefixes[at], prefixes[at + 1]);
        }
        at += 1;
    }
    let mut at = 0;
    while at < WEAK.len() {
        add_text(&mut pairs, WEAK[at].0);
        at += 1;
    }
    let lists: [&[&str]; 3] = [&WEBHOOKS, &CRYPT, &OTHERS];
    let mut list = 0;
    while list < lists.len() {
        let mut at = 0;
        while at < lists[list].len() {
            add_text(&mut pairs, lists[list][at]);
            at += 1;
        }
        list += 1;
    }
    let mut byte = 0_u8;
    while byte < 128 {
        if byte.is_ascii_digit() {
            let mut first = b'0';
            while first <= b'9' {
                add(&mut pairs, first, byte);
                first += 1;
            }
        }
        if is_token_byte(byte) {
            add(&mut pairs, b'M', byte);
            add(&mut pairs, b'N', byte);
            add(&mut pairs, b'O', byte);
        }
        byte += 1;
    }
    pairs
}

#[allow(clippy::indexing_slicing, reason = "evaluated when the program is compiled: it would not compile")]
const fn add_text(pairs: &mut [u64; 1024], text: &str) {
    add(pairs, text.as_bytes()[0], text.as_bytes()[1]);
}

#[allow(clippy::indexing_slicing, reason = "evaluated when the program is compiled: it would not compile")]
const fn add(pairs: &mut [u64; 1024], first: u8, second: u8) {
    pairs[(first as usize) << 2 | (second as usize) >> 6] |= 1 << (second & 63);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use regex_automata::{Input, meta::Regex};

    use super::*;

    /// The same as a regular expression.
    static BEGINS: LazyLock<Regex> = LazyLock::new(|| {
        let weak = WEAK.iter().map(|(prefix, _)| *prefix);
        let fixed = PREFIXES.split(' ').chain(weak).chain(WEBHOOKS).chain(CRYPT).chain(OTHERS);
        let fixed: Vec<String> = fixed.map(regex_syntax::escape).collect();
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
        let weak = WEAK.iter().map(|(prefix, _)| *prefix);
        for text in PREFIXES.split(' ').chain(weak).chain(WEBHOOKS).chain(CRYPT).chain(OTHERS) {
            assert_eq!(begin(&format!("é {text}x"), 0), Some(3), "{text}");
            assert!(places(&format!("a{text}")).contains(&1), "{text}");
        }
    }

    proptest! {
        #[test]
        fn the_places_are_those_of_a_regular_expression(
            parts in prop::collection::vec(prop_oneof![
                prop::sample::select(PREFIXES.split(' ').chain(WEBHOOKS).chain(CRYPT).chain(OTHERS).collect::<Vec<_>>()).prop_map(str::to_owned),
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
