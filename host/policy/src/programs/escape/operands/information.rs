//! Checks operands with which programs that show information about the computer change it or reveal secrets.

use super::super::{Effect, Escape, Found};

/// Checks `date 01312359`, which sets the clock. With `-j`, which only BSD has, it changes nothing.
pub(in super::super::super) fn date(found: &Found<'_>) -> Option<Escape> {
    let only_shows = found.known.iter().any(|known| known.name == "-j");
    found.operand(Effect::Changes, |word| !only_shows && !word.known.starts_with('+'))
}

/// Checks the value in `sysctl NAME=VALUE`.
pub(in super::super::super) fn sets(found: &Found<'_>) -> Option<Escape> {
    found.operand(Effect::Changes, |word| !word.exact || word.known.contains('='))
}

/// Checks `service NAME start`.
pub(in super::super::super) fn service(found: &Found<'_>) -> Option<Escape> {
    let mut actions = found.operands.iter().skip(1).filter(|at| **at >= found.named);
    let action = actions.next().and_then(|at| found.words.get(*at))?;
    (action.text() != Some("status")).then(|| Escape::new(&action.known, Effect::Changes))
}

/// Checks `ps axe`, which shows the variables of processes, and so their secrets.
pub(in super::super::super) fn ps(found: &Found<'_>) -> Option<Escape> {
    let mut is_value = false;
    found.operand(Effect::Unlisted, |word| {
        !std::mem::replace(&mut is_value, word.known.ends_with(['o', 'O', 'k'])) && word.known.contains('e')
    })
}
