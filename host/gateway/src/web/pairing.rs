//! Codes by which a person lets a browser in: shown in the terminal by `dmplz pair`, typed into the page.
//!
//! A code is 8 of 32 characters that nobody mistakes for one another (40 bits), shown as `XXXX-XXXX`. It lives 5 minutes
//! and counts once. After 5 wrong tries in a row every code is void and a new one has to be asked for, so that a guess
//! has a chance of 20 in 2⁴⁰. At most 4 codes are there at a time: the oldest goes first.

use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::secret::SecretHash;
use crate::approvals::Clock;

const ALPHABET: &[u8; 32] = b"23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
const LENGTH: usize = 8;
const LIFE: Duration = Duration::from_secs(5 * 60);
const WRONG_TRIES: u32 = 5;
const AT_A_TIME: usize = 4;

/// The codes that count now. Cheap to clone.
#[derive(Clone)]
pub struct Pairing {
    now_ms: Clock,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    codes: Vec<(SecretHash, Instant)>,
    wrong: u32,
}

/// A code for a person to type.
#[derive(Clone, PartialEq, Eq)]
pub struct PairingCode {
    /// `XXXX-XXXX`
    pub code: String,
    /// When it stops counting, Unix milliseconds.
    pub expires_ms: u64,
}

impl fmt::Debug for PairingCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PairingCode").field("expires_ms", &self.expires_ms).finish_non_exhaustive()
    }
}

impl Pairing {
    /// Without codes.
    pub fn new(now_ms: Clock) -> Self {
        Self { now_ms, state: Arc::default() }
    }

    /// Makes a code. Fails only when the system has no randomness.
    pub fn create(&self) -> io::Result<PairingCode> {
        let mut bytes = [0_u8; LENGTH];
        getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
        let letters: String = bytes
            .iter()
            .filter_map(|byte| ALPHABET.get(usize::from(byte % 32)))
            .map(|letter| char::from(*letter))
            .collect();
        let (first, second) = letters.split_at(LENGTH / 2);
        let mut state = self.state();
        state.wrong = 0;
        state.codes.push((SecretHash::of(&letters), Instant::now() + LIFE));
        let surplus = state.codes.len().saturating_sub(AT_A_TIME);
        state.codes.drain(..surplus);
        let life_ms = u64::try_from(LIFE.as_millis()).unwrap_or(u64::MAX);
        Ok(PairingCode { code: format!("{first}-{second}"), expires_ms: (self.now_ms)().saturating_add(life_ms) })
    }

    /// Uses a code up, if it counts. Small letters, blanks and dashes do not matter.
    pub(super) fn redeem(&self, typed: &str) -> bool {
        let plain: String = typed
            .chars()
            .filter(|c| !matches!(c, ' ' | '-'))
            .map(|c| c.to_ascii_uppercase())
            .take(LENGTH + 1)
            .collect();
        let (shown, now) = (SecretHash::of(&plain), Instant::now());
        let mut state = self.state();
        state.codes.retain(|(_, until)| *until > now);
        // Every code is compared, whichever it is.
        let before = state.codes.len();
        state.codes.retain(|(code, _)| !code.is(&shown));
        if state.codes.len() < before {
            state.wrong = 0;
            return true;
        }
        state.wrong += 1;
        if state.wrong >= WRONG_TRIES {
            state.codes.clear();
        }
        false
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Pairing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pairing").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairing() -> Pairing {
        Pairing::new(Arc::new(|| 1_000))
    }

    #[tokio::test(start_paused = true)]
    async fn a_code_counts_once_however_it_is_typed() {
        let pairing = pairing();
        for typed in
            [|code: &str| code.to_owned(), |code: &str| code.to_lowercase(), |code: &str| code.replace('-', " ")]
        {
            let code = pairing.create().unwrap();
            assert_eq!((code.code.len(), code.expires_ms), (9, 301_000));
            assert!(pairing.redeem(&typed(&code.code)));
            assert!(!pairing.redeem(&code.code));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_code_ends_after_five_minutes() {
        let pairing = pairing();
        let (early, late) = (pairing.create().unwrap(), pairing.create().unwrap());
        tokio::time::advance(LIFE - Duration::from_millis(1)).await;
        assert!(pairing.redeem(&early.code));
        tokio::time::advance(Duration::from_millis(1)).await;
        assert!(!pairing.redeem(&late.code));
    }

    #[tokio::test(start_paused = true)]
    async fn wrong_tries_make_every_code_void() {
        let pairing = pairing();
        let codes = [pairing.create().unwrap(), pairing.create().unwrap()];
        for wrong in ["", "AAAA-AAAA", "AAAA-AAAA-AAAA", "😀😀😀😀😀😀😀😀"] {
            assert!(!pairing.redeem(wrong), "{wrong}");
        }
        assert!(pairing.redeem(&codes[0].code), "four wrong tries are forgiven");
        for _ in 0..WRONG_TRIES {
            assert!(!pairing.redeem("AAAA-AAAA"));
        }
        assert!(!pairing.redeem(&codes[1].code));
    }

    #[tokio::test(start_paused = true)]
    async fn of_more_than_four_codes_the_newest_count() {
        let pairing = pairing();
        let codes: Vec<_> = (0..5).map(|_| pairing.create().unwrap()).collect();
        let counts: Vec<_> = codes.iter().map(|code| pairing.redeem(&code.code)).collect();
        assert_eq!(counts, [false, true, true, true, true]);
        assert!(!format!("{:?}", codes[4]).contains(&codes[4].code));
    }
}
