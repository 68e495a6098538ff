//! Pseudo-random numbers. The host offers no randomness, and no secret depends on them: they only keep clients from
//! acting in step (docs/events/gateway#heartbeat-interval), and clients do not start in the same millisecond.

/// Returns a number below `limit`, or 0.
pub(super) fn below(limit: u64, now: u64) -> u64 {
    mixed(now).checked_rem(limit).unwrap_or_default()
}

/// Mixes a seed with the output function of SplitMix64 (Steele, Lea and Flood, 2014).
fn mixed(seed: u64) -> u64 {
    let z = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
