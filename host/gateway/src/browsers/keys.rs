//! The keys by which a page and the gateway authenticate each other: ECDSA on P-256 with SHA-256, in the encodings of
//! WebCrypto (the uncompressed point; `r` followed by `s`), as lower-case hexadecimal.

use std::fmt;
use std::io;

use ring::error::Unspecified;
use ring::rand::SystemRandom;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair, UnparsedPublicKey,
};

use crate::lower_hex;

/// The size of an uncompressed point of P-256, in bytes.
const POINT: usize = 65;
/// The first byte of an uncompressed point.
const UNCOMPRESSED: u8 = 4;

/// The gateway's own key. It lasts as long as the pairings: a gateway that forgets them has a new one.
pub(crate) struct GatewayKey {
    pair: EcdsaKeyPair,
    /// The private key, as it is stored with the pairings.
    stored: String,
}

/// A paired browser, by the public key of its page. The private key cannot leave the browser that made it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct PageKey([u8; POINT]);

impl GatewayKey {
    /// Makes a key. Fails only if the system has no source of randomness.
    pub(crate) fn generate() -> io::Result<Self> {
        let failed = |what: String| io::Error::other(format!("no key could be made: {what}"));
        let document = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &SystemRandom::new())
            .map_err(|error| failed(error.to_string()))?;
        Self::read(&hex::encode(document.as_ref())).ok_or_else(|| failed("it cannot be read".to_owned()))
    }

    /// Reads a stored key. `None` if it is none.
    pub(crate) fn read(stored: &str) -> Option<Self> {
        let (document, random) = (lower_hex::decode(stored)?, SystemRandom::new());
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &document, &random).ok()?;
        Some(Self { pair, stored: stored.to_owned() })
    }

    /// Returns the private key as it is stored: PKCS #8 in hex.
    pub(crate) fn stored(&self) -> &str {
        &self.stored
    }

    /// Returns the public key in hex.
    pub(crate) fn public(&self) -> String {
        hex::encode(self.pair.public_key().as_ref())
    }

    /// Signs a text. Fails only if the system has no source of randomness.
    pub(crate) fn sign(&self, text: &str) -> Result<String, Unspecified> {
        Ok(hex::encode(self.pair.sign(&SystemRandom::new(), text.as_bytes())?.as_ref()))
    }
}

impl PageKey {
    /// Returns the key in hex.
    pub(crate) fn hex(&self) -> String {
        hex::encode(self.0)
    }

    /// Parses the public key of a page, an uncompressed point of P-256 in lower-case hex. Whether it is on the curve is
    /// checked when a signature is verified.
    pub fn read(text: &str) -> Option<Self> {
        let point: [u8; POINT] = lower_hex::decode(text)?.try_into().ok()?;
        (point.first() == Some(&UNCOMPRESSED)).then_some(Self(point))
    }

    /// Returns whether the text was signed with this key.
    pub(crate) fn signed(&self, text: &str, signature: &str) -> bool {
        let key = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, &self.0);
        lower_hex::decode(signature).is_some_and(|signature| key.verify(text.as_bytes(), &signature).is_ok())
    }
}

impl fmt::Debug for GatewayKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GatewayKey").finish_non_exhaustive()
    }
}

impl fmt::Debug for PageKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PageKey(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_this_key_signed_is_signed_by_it() {
        let (mine, other) = (GatewayKey::generate().unwrap(), GatewayKey::generate().unwrap());
        let key = PageKey::read(&mine.public()).unwrap();
        let signature = mine.sign("a text").unwrap();
        assert!(key.signed("a text", &signature));
        for (text, signature) in [
            ("another text", signature.clone()),
            ("a text", other.sign("a text").unwrap()),
            ("a text", String::new()),
            ("a text", signature.to_uppercase()),
            ("a text", signature[2..].to_owned()),
            ("a text", "00".repeat(64)),
        ] {
            assert!(!key.signed(text, &signature), "{text} {signature}");
        }
        assert!(!format!("{mine:?} {key:?}").contains(&mine.public()[..8]));
    }

    #[test]
    fn what_is_no_key_is_not_read_and_what_is_no_point_verifies_nothing() {
        let point = GatewayKey::generate().unwrap().public();
        for bad in ["", "04", &point[2..], &format!("{point}00"), &point.to_uppercase(), &point.replacen("04", "02", 1)]
        {
            assert!(PageKey::read(bad).is_none(), "{bad}");
        }
        let nowhere = PageKey::read(&format!("04{}", "11".repeat(64))).unwrap();
        assert!(!nowhere.signed("a text", &"11".repeat(64)));
    }
}
