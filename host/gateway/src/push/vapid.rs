//! The key by which push services know this gateway (RFC 8292). It is made once, in `<state>/push.key` with mode 0600:
//! a browser's subscription is for this key alone.

use std::fmt;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::error::Unspecified;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
use serde_json::json;

use crate::secret_file::{self, SecretError};

const FILE: &str = "push.key";
/// How long a proof is valid, in seconds. The specification allows a day.
const VALID_S: u64 = 12 * 60 * 60;
/// Whom a service could write to. There is nobody that a program could name, and services require an address.
const CONTACT: &str = "mailto:dmplz@example.org";

/// The key pair by which push services tell this gateway from others.
pub(super) struct VapidKey {
    pair: EcdsaKeyPair,
    public: String,
}

impl VapidKey {
    /// Reads the key of a state directory, or makes one. Only the gateway that holds the directory's lock calls this.
    pub(super) fn open(state: &Path) -> Result<Self, SecretError> {
        let make = || {
            let made = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &SystemRandom::new());
            made.map(|made| hex::encode(made.as_ref())).map_err(|_| SecretError::Random)
        };
        secret_file::open(&state.join(FILE), "the key of web push", Self::parse, "it holds no key", make)
    }

    fn parse(text: &str) -> Option<Self> {
        let (document, random) = (hex::decode(text).ok()?, SystemRandom::new());
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &document, &random).ok()?;
        let public = URL_SAFE_NO_PAD.encode(pair.public_key().as_ref());
        Some(Self { pair, public })
    }

    /// Returns the public key, as base64url.
    pub(super) fn public(&self) -> &str {
        &self.public
    }

    /// Returns the value of the header `authorization` for a service, whose origin is `audience`.
    pub(super) fn authorization(&self, audience: &str, now_ms: u64) -> Result<String, Unspecified> {
        let part = |value: serde_json::Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let claims = json!({ "aud": audience, "exp": now_ms / 1_000 + VALID_S, "sub": CONTACT });
        let text = format!("{}.{}", part(json!({ "typ": "JWT", "alg": "ES256" })), part(claims));
        let signature = self.pair.sign(&SystemRandom::new(), text.as_bytes())?;
        // No blank behind the comma: RFC 9110 allows one, but not every library that services are written with reads it.
        Ok(format!("vapid t={text}.{},k={}", URL_SAFE_NO_PAD.encode(signature.as_ref()), self.public))
    }
}

impl fmt::Debug for VapidKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VapidKey").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{MetadataExt, PermissionsExt};

    use ring::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};
    use serde_json::Value;

    use super::*;

    #[test]
    fn the_key_is_made_once_and_only_for_us() {
        let dir = tempfile::tempdir().unwrap();
        let made = VapidKey::open(dir.path()).unwrap();
        let path = dir.path().join(FILE);
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o600);
        assert_eq!(VapidKey::open(dir.path()).unwrap().public(), made.public());
        assert_eq!(format!("{made:?}"), "VapidKey { .. }");
        fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
        assert!(matches!(VapidKey::open(dir.path()), Err(SecretError::Exposed(_))));
        fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
        for bad in ["", "00", "not hex"] {
            fs::write(&path, bad).unwrap();
            assert!(matches!(VapidKey::open(dir.path()), Err(SecretError::Malformed(..))), "{bad}");
        }
    }

    #[test]
    fn the_proof_is_for_one_service_and_half_a_day_and_signed_by_the_key_in_it() {
        let dir = tempfile::tempdir().unwrap();
        let key = VapidKey::open(dir.path()).unwrap();
        let header = key.authorization("https://push.example.net", 1_700_000_000_999).unwrap();
        let (token, public) = header.strip_prefix("vapid t=").unwrap().split_once(",k=").unwrap();
        let (signed, signature) = token.rsplit_once('.').unwrap();
        let point = URL_SAFE_NO_PAD.decode(public).unwrap();
        let verifier = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, &point);
        verifier.verify(signed.as_bytes(), &URL_SAFE_NO_PAD.decode(signature).unwrap()).unwrap();
        let parts: Vec<Value> = signed
            .split('.')
            .map(|part| serde_json::from_slice(&URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap())
            .collect();
        insta::assert_snapshot!(json!(parts).to_string(), @r#"[{"typ":"JWT","alg":"ES256"},{"aud":"https://push.example.net","exp":1700043200,"sub":"mailto:dmplz@example.org"}]"#);
    }
}
