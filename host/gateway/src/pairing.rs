//! Pairing codes let a browser in. `dmplz pair` shows one in the terminal, and a person types it into the page.
//!
//! A code has 12 characters of an alphabet of 32 that are hard to confuse (60 bits), shown as `XXXX-XXXX-XXXX`. It is
//! valid for 5 minutes and for one use. At most 4 codes exist at a time; a fifth one replaces the oldest.
//!
//! A code is never sent. Page and gateway each send an HMAC keyed with it (`web/handshake`). A program that holds the
//! port therefore learns no code: finding one from an HMAC would take 2⁵⁹ computations within the 5 minutes.
//!
//! A wrong attempt changes nothing, so nobody can invalidate another person's code, and there is no limit that others
//! could exhaust. 60 bits need no limit: 100 000 attempts a second at 4 codes for 5 minutes succeed with a chance below
//! 2⁻³².

use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use ring::hmac;
use tokio::time::Instant;

use crate::clock::{Clock, millis};
use crate::lower_hex;
use crate::mutex::Mutex;

const ALPHABET: &[u8; 32] = b"23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
const GROUPS: usize = 3;
const GROUP: usize = 4;
const NONCE: usize = 8;
const LIFE: Duration = Duration::from_secs(5 * 60);
const AT_A_TIME: usize = 4;

/// The valid codes. Cheap to clone.
#[derive(Clone)]
pub struct Pairing {
    now_ms: Clock,
    codes: Arc<Mutex<Codes>>,
}

/// Each code as the key of its HMAC, and the moment it expires.
type Codes = Vec<(hmac::Key, Instant)>;

/// A code that was used. Its HMAC proves to the page that the gateway knows the code.
pub(crate) struct Redeemed(hmac::Key);

/// A code for a person to type.
#[derive(Clone, PartialEq, Eq)]
pub struct PairingCode {
    /// The code, as `XXXX-XXXX-XXXX`.
    pub code: String,
    /// When the code expires, in Unix milliseconds.
    pub expires_ms: u64,
    /// A random number for the page's address. It is independent of the code.
    pub nonce: String,
}

impl fmt::Debug for PairingCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PairingCode").field("expires_ms", &self.expires_ms).finish_non_exhaustive()
    }
}

impl Pairing {
    /// Creates a pairing without any code.
    pub fn new(now_ms: Clock) -> Self {
        Self { now_ms, codes: Arc::default() }
    }

    /// Makes a code. Fails only if the system has no source of randomness.
    pub fn create(&self) -> io::Result<PairingCode> {
        let (mut bytes, mut nonce) = ([0_u8; GROUPS * GROUP], [0_u8; NONCE]);
        for random in [&mut bytes[..], &mut nonce] {
            getrandom::fill(random).map_err(|error| io::Error::other(error.to_string()))?;
        }
        let letter = |byte: &u8| ALPHABET.get(usize::from(byte % 32)).map(|letter| char::from(*letter));
        let groups: Vec<String> = bytes.chunks(GROUP).map(|group| group.iter().filter_map(letter).collect()).collect();
        let mut codes = self.codes.lock();
        codes.push((key(&groups.concat()), Instant::now() + LIFE));
        let surplus = codes.len().saturating_sub(AT_A_TIME);
        codes.drain(..surplus);
        let expires_ms = (self.now_ms)().saturating_add(millis(LIFE));
        Ok(PairingCode { code: groups.join("-"), expires_ms, nonce: hex::encode(nonce) })
    }

    /// Uses up the code with which `text` has this HMAC. `None` if there is no such code.
    pub(crate) fn redeem(&self, text: &str, mac: &str) -> Option<Redeemed> {
        let (mac, now) = (lower_hex::decode(mac)?, Instant::now());
        let mut codes = self.codes.lock();
        codes.retain(|(_, until)| *until > now);
        let at = codes.iter().position(|(code, _)| hmac::verify(code, text.as_bytes(), &mac).is_ok())?;
        Some(Redeemed(codes.remove(at).0))
    }
}

impl Redeemed {
    /// Returns the HMAC of a text, keyed with the code.
    pub(crate) fn mac(&self, text: &str) -> String {
        mac(&self.0, text)
    }
}

/// Returns the HMAC key of a code: its letters, without dashes.
fn key(letters: &str) -> hmac::Key {
    hmac::Key::new(hmac::HMAC_SHA256, letters.as_bytes())
}

fn mac(key: &hmac::Key, text: &str) -> String {
    hex::encode(hmac::sign(key, text.as_bytes()))
}

/// Returns the HMAC that a page sends for this code.
#[cfg(test)]
pub(crate) fn mac_of(code: &str, text: &str) -> String {
    mac(&key(&code.replace('-', "")), text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairing() -> Pairing {
        Pairing::new(Arc::new(|| 1_000))
    }

    fn redeems(pairing: &Pairing, code: &str) -> bool {
        pairing.redeem("text", &mac_of(code, "text")).is_some()
    }

    #[tokio::test(start_paused = true)]
    async fn a_code_counts_once_and_for_one_text() {
        let pairing = pairing();
        let code = pairing.create().unwrap();
        assert_eq!((code.code.len(), code.expires_ms), (14, 301_000));
        assert!(pairing.redeem("another text", &mac_of(&code.code, "text")).is_none());
        let redeemed = pairing.redeem("text", &mac_of(&code.code, "text")).unwrap();
        assert_eq!(redeemed.mac("answer"), mac_of(&code.code, "answer"));
        assert!(!redeems(&pairing, &code.code));
    }

    #[tokio::test(start_paused = true)]
    async fn a_code_ends_after_five_minutes() {
        let pairing = pairing();
        let (early, late) = (pairing.create().unwrap(), pairing.create().unwrap());
        tokio::time::advance(LIFE - Duration::from_millis(1)).await;
        assert!(redeems(&pairing, &early.code));
        tokio::time::advance(Duration::from_millis(1)).await;
        assert!(!redeems(&pairing, &late.code));
    }

    #[tokio::test(start_paused = true)]
    async fn wrong_tries_make_no_code_void() {
        let pairing = pairing();
        let codes = [pairing.create().unwrap(), pairing.create().unwrap()];
        for wrong in ["", "AAAA-AAAA-AAAA", &codes[0].code[..13], &codes[0].code.to_lowercase()] {
            assert!(!redeems(&pairing, wrong), "{wrong}");
        }
        for mac in ["", "x", "00", &"0".repeat(64)] {
            (0..1_000).for_each(|_| assert!(pairing.redeem("text", mac).is_none(), "{mac}"));
        }
        assert!(codes.iter().all(|code| redeems(&pairing, &code.code)));
    }

    #[tokio::test(start_paused = true)]
    async fn of_more_than_four_codes_the_newest_count() {
        let pairing = pairing();
        let codes: Vec<_> = (0..5).map(|_| pairing.create().unwrap()).collect();
        let counts: Vec<_> = codes.iter().map(|code| redeems(&pairing, &code.code)).collect();
        assert_eq!(counts, [false, true, true, true, true]);
        assert!(!format!("{:?}", codes[4]).contains(&codes[4].code));
    }
}
