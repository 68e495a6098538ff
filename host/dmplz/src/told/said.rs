//! Sentences that another part of the program said in English, in Korean: found by their English, because a text arrives and no
//! error.

use dmplz_core::text::fill;

/// Returns in Korean what was said in English, if `table` has the sentence. Each of its rows is a sentence in English and in Korean;
/// `{}` stands for a value, in the same order in both. `value` translates a value.
pub(crate) fn translated(table: &[[&str; 2]], said: &str, value: impl Fn(&str) -> String) -> Option<String> {
    table.iter().find_map(|[english, korean]| {
        let values: Vec<String> = values(english, said)?.into_iter().map(&value).collect();
        Some(fill(korean, &values.iter().map(String::as_str).collect::<Vec<_>>()))
    })
}

/// Returns the values at the `{}` of a template, if a text is the template with some.
fn values<'t>(template: &str, text: &'t str) -> Option<Vec<&'t str>> {
    let mut pieces = template.split("{}").peekable();
    let mut rest = text.strip_prefix(pieces.next()?)?;
    let mut values = Vec::new();
    while let Some(piece) = pieces.next() {
        let (value, after) = match pieces.peek() {
            Some(_) => rest.split_once(piece)?,
            None => (rest.strip_suffix(piece)?, ""),
        };
        values.push(value);
        rest = after;
    }
    rest.is_empty().then_some(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_found_by_its_english_and_keeps_its_values() {
        let table = [
            ["there is none", "없습니다"],
            ["`{}` takes {}", "`{}`에 적을 것: {}"],
            ["{} run already", "{}개 실행 중"],
        ];
        let korean = |said| translated(&table, said, str::to_owned);
        assert_eq!(korean("there is none").as_deref(), Some("없습니다"));
        assert_eq!(korean("`a` takes b, or `c`").as_deref(), Some("`a`에 적을 것: b, or `c`"));
        assert_eq!(korean("7 run already").as_deref(), Some("7개 실행 중"));
        for other in ["", "there is none of it", "`a` took b", "`a"] {
            assert_eq!(korean(other), None, "{other}");
        }
    }
}
