//! The codes of typed answers, as a person reads them off a card.

use dmplz_core::text::Lang;

/// Splits the text of a card into what stands above the codes, and each code with its label.
pub fn codes(text: &str) -> (String, Vec<(String, String)>) {
    let mut above = Vec::new();
    let mut lines = text.lines();
    for line in lines.by_ref() {
        if [Lang::Ko, Lang::En].iter().any(|lang| line == lang.words().typed) {
            break;
        }
        above.push(line);
    }
    let code = |line: &str| {
        let (code, label) = line.split_once(" · ")?;
        Some((code.trim_end_matches(" …").to_owned(), label.to_owned()))
    };
    (above.join("\n"), lines.filter_map(code).collect())
}
