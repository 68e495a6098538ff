//! Names as disks compare them that know no case (macOS, Windows).

use std::borrow::Cow;

use icu_normalizer::ComposingNormalizerBorrowed;

/// Folds a text to lower case and to one Unicode form, because `É` as one character or two is the same name to macOS.
pub(crate) fn fold(text: &str) -> Cow<'_, str> {
    if !text.is_ascii() {
        return Cow::Owned(ComposingNormalizerBorrowed::new_nfc().normalize(&text.to_lowercase()).into_owned());
    }
    if text.bytes().any(|byte| byte.is_ascii_uppercase()) { text.to_ascii_lowercase().into() } else { text.into() }
}
