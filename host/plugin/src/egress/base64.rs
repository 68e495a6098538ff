//! Base64, to log in to a proxy and to recognise secrets in it.

/// Which two digits come after the letters and numbers.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Alphabet {
    Standard,
    Url,
}

/// Encodes with padding.
pub(crate) fn encode(bytes: &[u8], alphabet: Alphabet) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let group = chunk.iter().fold(0_u32, |group, byte| group << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for place in 0..4 {
            text.push(if place > chunk.len() { '=' } else { digit(group >> (18 - 6 * place) & 63, alphabet) });
        }
    }
    text
}

fn digit(value: u32, alphabet: Alphabet) -> char {
    let plain = |first: char, value: u32| char::from_u32(u32::from(first) + value).unwrap_or('=');
    match (value, alphabet) {
        (0..26, _) => plain('A', value),
        (26..52, _) => plain('a', value - 26),
        (52..62, _) => plain('0', value - 52),
        (62, Alphabet::Standard) => '+',
        (62, Alphabet::Url) => '-',
        (_, Alphabet::Standard) => '/',
        (_, Alphabet::Url) => '_',
    }
}

#[cfg(test)]
mod tests {
    use super::{Alphabet, encode};

    #[test]
    fn it_encodes_as_rfc_4648_says() {
        for (plain, encoded) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")] {
            assert_eq!(encode(plain.as_bytes(), Alphabet::Standard), encoded);
        }
        assert_eq!(encode(&[0xfb, 0xff], Alphabet::Standard), "+/8=");
        assert_eq!(encode(&[0xfb, 0xff], Alphabet::Url), "-_8=");
    }
}
