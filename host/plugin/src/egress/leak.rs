//! Detects secrets in a text.
//!
//! | searched | for |
//! |---|---|
//! | the bytes; with `%`, also percent-decoded; with `\`, also with JSON's escapes undone | the secret; its Base64 (both alphabets, at any offset); its hexadecimal digits |
//!
//! A server that wants to show a secret to the provider in an encoding of its own cannot be stopped here. That is why
//! a secret is only sent to its own origins. Compressed replies are neither requested nor accepted.

use base64::Engine;
use base64::engine::general_purpose::{GeneralPurpose, STANDARD, URL_SAFE};
use memchr::memmem::Finder;

/// The secrets of an account.
pub(crate) struct Leaks(Vec<Finder<'static>>);

/// The shortest secret that is searched for, in bytes: a shorter one would be found everywhere.
const SHORTEST: usize = 8;

/// Returns whether a secret can be searched for, and goes into headers and URLs.
pub(crate) fn is_usable(secret: &str) -> bool {
    secret.len() >= SHORTEST && secret.bytes().all(|byte| byte.is_ascii_graphic())
}

impl Leaks {
    pub(crate) fn new<'a>(secrets: impl Iterator<Item = &'a str>) -> Self {
        let forms = secrets.filter(|secret| secret.len() >= SHORTEST).flat_map(forms);
        Self(forms.map(|form| Finder::new(&form).into_owned()).collect())
    }

    /// Returns whether the text contains a secret.
    pub(crate) fn are_in(&self, bytes: &[u8]) -> bool {
        let found = |bytes: &[u8]| self.0.iter().any(|secret| secret.find(bytes).is_some());
        found(bytes)
            || (bytes.contains(&b'%') && found(&percent_encoding::percent_decode(bytes).collect::<Vec<u8>>()))
            || (bytes.contains(&b'\\') && found(&unescaped(bytes)))
    }

    /// Returns the text, unless it contains a secret.
    pub(crate) fn withhold(&self, text: String) -> String {
        if self.are_in(text.as_bytes()) { "(withheld: it held a secret)".to_owned() } else { text }
    }
}

fn forms(secret: &str) -> Vec<Vec<u8>> {
    let hex = [hex::encode(secret), hex::encode_upper(secret)].map(String::into_bytes);
    let mut forms: Vec<Vec<u8>> = [secret.as_bytes().to_vec()].into_iter().chain(hex).collect();
    for alphabet in [STANDARD, URL_SAFE] {
        forms.extend((0..3).map(|offset| base64_inside(secret.as_bytes(), offset, &alphabet)));
    }
    forms
}

/// Returns the Base64 digits of a secret that starts at `offset` modulo 3: those that do not depend on its
/// neighbours.
fn base64_inside(secret: &[u8], offset: usize, alphabet: &GeneralPurpose) -> Vec<u8> {
    let padded = [&vec![0; offset], secret].concat();
    let (first, behind) = ((offset * 8).div_ceil(6), padded.len() * 8 / 6);
    alphabet.encode(&padded).into_bytes().into_iter().take(behind).skip(first).collect()
}

/// Decodes JSON's escapes, as far as they can stand for ASCII.
fn unescaped(bytes: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    loop {
        rest = match rest {
            [b'\\', b'u', a, b, c, d, tail @ ..] if code(&[*a, *b, *c, *d]).is_some() => {
                plain.extend(code(&[*a, *b, *c, *d]));
                tail
            }
            [b'\\', escaped, tail @ ..] => {
                plain.push(*escaped);
                tail
            }
            [byte, tail @ ..] => {
                plain.push(*byte);
                tail
            }
            [] => return plain,
        };
    }
}

fn code(digits: &[u8]) -> Option<u8> {
    u8::try_from(u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::Leaks;

    const TOKEN: &str = "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw";

    #[test]
    fn a_secret_is_found_in_every_usual_form() {
        let leaks = Leaks::new([TOKEN].into_iter());
        let hex = hex::encode(TOKEN);
        let percent: String = TOKEN.bytes().map(|byte| format!("%{byte:02X}")).collect();
        let unicode: String = TOKEN.bytes().map(|byte| format!("\\u{byte:04x}")).collect();
        let found = [
            format!("/bot{TOKEN}/getMe"),
            TOKEN.replace(':', "%3A"),
            TOKEN.replace(':', "%3a"),
            TOKEN.replace('A', "\\u0041"),
            TOKEN.replace('s', "\\s"),
            percent,
            unicode,
            hex.to_uppercase(),
            hex,
            // base64 of TOKEN, of "x" TOKEN, of "xy" TOKEN "z"
            "MTEwMjAxNTQzOkFBSGRxVGN2Q0gxdkdXSnhmU2VvZlNBczBLNVBBTERzYXc=".to_owned(),
            "eDExMDIwMTU0MzpBQUhkcVRjdkNIMXZHV0p4ZlNlb2ZTQXMwSzVQQUxEc2F3".to_owned(),
            "eHkxMTAyMDE1NDM6QUFIZHFUY3ZDSDF2R1dKeGZTZW9mU0FzMEs1UEFMRHNhd3o=".to_owned(),
        ];
        for text in found {
            assert!(leaks.are_in(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn other_texts_are_left_alone() {
        let leaks = Leaks::new([TOKEN, "short"].into_iter());
        for text in ["", "110201543", "short", "100 % \\o/ \\u00e", "{\"ok\":true,\"result\":\"\\ud55c\"}"] {
            assert!(!leaks.are_in(text.as_bytes()), "{text}");
        }
        assert_eq!(leaks.withhold("fine".to_owned()), "fine");
        assert!(!leaks.withhold(format!("no {TOKEN}")).contains("AAH"));
    }
}
