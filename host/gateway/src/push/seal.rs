//! Encrypts a message for one browser: RFC 8291 (`aes128gcm` of RFC 8188, in one record).

use ring::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::agreement::{ECDH_P256, EphemeralPrivateKey, UnparsedPublicKey, agree_ephemeral};
use ring::error::Unspecified;
use ring::hkdf::{HKDF_SHA256, KeyType, Salt};
use ring::rand::{SecureRandom, SystemRandom};

/// The size of an uncompressed point of P-256, in bytes.
pub(super) const POINT: usize = 65;
/// The size of the secret that a browser shares with the sender, in bytes.
pub(super) const AUTH: usize = 16;
const SALT: usize = 16;
/// The record size in the header, in bytes. A message has one record, which is shorter.
const RECORD: u32 = 4_096;
/// What ends the content of the last record; zeros may follow.
const LAST: u8 = 2;
/// The size to which content is padded, in bytes, so that the length of a message tells little about it.
const PADDED: usize = 1_024;

/// The keys of a browser's subscription.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Keys {
    pub(super) public: [u8; POINT],
    pub(super) auth: [u8; AUTH],
}

/// The size of the nonce, in bytes, for the key derivation.
struct NonceLen;

impl KeyType for NonceLen {
    fn len(&self) -> usize {
        ring::aead::NONCE_LEN
    }
}

/// Returns the body of a push message. Fails only if the browser's key is no point of the curve, or the system has no
/// source of randomness.
pub(super) fn seal(keys: &Keys, content: &[u8]) -> Result<Vec<u8>, Unspecified> {
    let random = SystemRandom::new();
    let private = EphemeralPrivateKey::generate(&ECDH_P256, &random)?;
    let public = private.compute_public_key()?;
    let mut salt = [0; SALT];
    random.fill(&mut salt)?;
    let theirs = UnparsedPublicKey::new(&ECDH_P256, &keys.public);
    let padding = PADDED.saturating_sub(content.len());
    agree_ephemeral(private, &theirs, |shared| message(shared, keys, public.as_ref(), &salt, content, padding))?
}

/// Returns the body for a shared secret: header, then the encrypted content.
fn message(
    shared: &[u8],
    keys: &Keys,
    ours: &[u8],
    salt: &[u8],
    content: &[u8],
    padding: usize,
) -> Result<Vec<u8>, Unspecified> {
    let (key, nonce) = derive(shared, keys, ours, salt)?;
    let mut record = content.to_vec();
    record.push(LAST);
    record.resize(record.len() + padding, 0);
    key.seal_in_place_append_tag(nonce, Aad::empty(), &mut record)?;
    let id = u8::try_from(ours.len()).map_err(|_| Unspecified)?;
    Ok([salt, &RECORD.to_be_bytes(), &[id], ours, &record].concat())
}

fn derive(shared: &[u8], keys: &Keys, ours: &[u8], salt: &[u8]) -> Result<(LessSafeKey, Nonce), Unspecified> {
    let mut input = [0; 32];
    let info: [&[u8]; 3] = [b"WebPush: info\0", &keys.public, ours];
    Salt::new(HKDF_SHA256, &keys.auth).extract(shared).expand(&info, HKDF_SHA256)?.fill(&mut input)?;
    let secret = Salt::new(HKDF_SHA256, salt).extract(&input);
    let key = secret.expand(&[b"Content-Encoding: aes128gcm\0"], &AES_128_GCM)?;
    let mut nonce = [0; ring::aead::NONCE_LEN];
    secret.expand(&[b"Content-Encoding: nonce\0"], NonceLen)?.fill(&mut nonce)?;
    Ok((LessSafeKey::new(UnboundKey::from(key)), Nonce::assume_unique_for_key(nonce)))
}

/// A browser's side, for tests.
#[cfg(test)]
pub(crate) mod browser {
    use super::*;

    /// A browser that can read one message.
    pub(crate) struct Receiver {
        private: EphemeralPrivateKey,
        keys: Keys,
    }

    impl Receiver {
        pub(crate) fn new() -> Self {
            let random = SystemRandom::new();
            let private = EphemeralPrivateKey::generate(&ECDH_P256, &random).unwrap();
            let public = private.compute_public_key().unwrap().as_ref().try_into().unwrap();
            let mut auth = [0; AUTH];
            random.fill(&mut auth).unwrap();
            Self { private, keys: Keys { public, auth } }
        }

        pub(crate) fn public(&self) -> [u8; POINT] {
            self.keys.public
        }

        pub(crate) fn auth(&self) -> [u8; AUTH] {
            self.keys.auth
        }

        /// Decrypts a message.
        pub(crate) fn open(self, body: &[u8]) -> Vec<u8> {
            let theirs = UnparsedPublicKey::new(&ECDH_P256, body[SALT + 5..SALT + 5 + POINT].to_vec());
            agree_ephemeral(self.private, &theirs, |shared| opened(shared, &self.keys, body)).unwrap()
        }
    }

    /// Decrypts with a shared secret, reading all else from the header.
    pub(super) fn opened(shared: &[u8], keys: &Keys, body: &[u8]) -> Vec<u8> {
        let (salt, rest) = body.split_at(SALT);
        assert_eq!((&rest[..4], rest[4]), (&RECORD.to_be_bytes()[..], 65));
        let (ours, record) = rest[5..].split_at(POINT);
        let (key, nonce) = derive(shared, keys, ours, salt).unwrap();
        let mut record = record.to_vec();
        let plain = key.open_in_place(nonce, Aad::empty(), &mut record).unwrap();
        let end = plain.iter().rposition(|byte| *byte != 0).unwrap();
        assert_eq!(plain[end], LAST);
        plain[..end].to_vec()
    }
}

#[cfg(test)]
mod tests {
    use base64::Engine;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;

    use super::browser::{Receiver, opened};
    use super::*;

    /// The values of RFC 8291, section 5 and appendix A.
    const SHARED: &str = "kyrL1jIIOHEzg3sM2ZWRHDRB62YACZhhSlknJ672kSs";
    const SENDER: &str = "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8";
    const RECEIVER: &str = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
    const AUTH_SECRET: &str = "BTBZMqHH6r4Tts7J_aSIgg";
    const SALT_TEXT: &str = "DGv6ra1nlYgDCS1FRnbzlw";
    const CONTENT: &[u8] = b"When I grow up, I want to be a watermelon";
    const MESSAGE: &str = "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN";

    fn bytes(text: &str) -> Vec<u8> {
        URL_SAFE_NO_PAD.decode(text).unwrap()
    }

    fn keys() -> Keys {
        Keys { public: bytes(RECEIVER).try_into().unwrap(), auth: bytes(AUTH_SECRET).try_into().unwrap() }
    }

    #[test]
    fn the_message_is_that_of_the_rfcs_example() {
        let sealed = message(&bytes(SHARED), &keys(), &bytes(SENDER), &bytes(SALT_TEXT), CONTENT, 0).unwrap();
        assert_eq!(URL_SAFE_NO_PAD.encode(&sealed), MESSAGE);
        assert_eq!(opened(&bytes(SHARED), &keys(), &bytes(MESSAGE)), CONTENT);
    }

    #[test]
    fn only_its_browser_reads_a_message_and_its_length_tells_nothing() {
        let (one, other) = (Receiver::new(), Receiver::new());
        let keys = Keys { public: one.public(), auth: one.auth() };
        let (short, long) = (seal(&keys, b"a").unwrap(), seal(&keys, &[b'b'; 700]).unwrap());
        assert_eq!((short.len(), long.len()), (1_024 + 1 + 16 + 86, 1_024 + 1 + 16 + 86));
        assert_eq!(one.open(&short), b"a");
        let stranger = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| other.open(&long)));
        assert!(stranger.is_err());
    }

    #[test]
    fn a_key_that_is_no_point_of_the_curve_gets_nothing() {
        let mut public = [1; POINT];
        public[0] = 4;
        assert!(seal(&Keys { public, auth: [0; AUTH] }, b"a").is_err());
    }
}
