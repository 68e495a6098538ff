//! Names with `*`.

/// Returns whether a name consists of these texts, in this order, with anything or nothing between them. The texts of a
/// pattern are those around its `*`.
pub fn spells<'t>(texts: impl IntoIterator<Item = &'t str>, name: &str) -> bool {
    let mut texts = texts.into_iter();
    let Some(mut left) = texts.next().and_then(|first| name.strip_prefix(first)) else { return false };
    let Some(mut text) = texts.next() else { return left.is_empty() };
    for next in texts {
        match left.split_once(text) {
            Some((_, behind)) => left = behind,
            None => return false,
        }
        text = next;
    }
    left.ends_with(text)
}
