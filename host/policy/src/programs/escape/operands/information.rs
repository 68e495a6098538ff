//! Operands with which programs that tell about the computer change it, or tell too much.

use super::super::{Effect, Escape, Found};

/// `date 01312359`. With `-j`, which only BSD has, it changes nothing.
pub(in super::super::super) fn date(found: &Found<'_>) -> Option<Escape> {
    let only_shows = found.known.iter().any(|known| known.name == "-j");
    let mut sets = found.operands().filter(|word| !only_shows && !word.known.starts_with('+'));
    sets.next().map(|word| Escape::new(&word.known, Effect::Changes))
}

/// `sysctl NAME=VALUE`
pub(in super::super::super) fn sets(found: &Found<'_>) -> Option<Escape> {
    let mut sets = found.operands().filter(|word| !word.exact || word.known.contains('='));
    sets.next().map(|word| Escape::new(&word.known, Effect::Changes))
}

/// `service NAME start`
pub(in super::super::super) fn service(found: &Found<'_>) -> Option<Escape> {
    let mut actions = found.operands.iter().skip(1).filter(|at| **at >= found.named);
    let action = actions.next().and_then(|at| found.words.get(*at))?;
    (action.text() != Some("status")).then(|| Escape::new(&action.known, Effect::Changes))
}

/// `ps axe`: it shows the variables of processes, and so their secrets.
pub(in super::super::super) fn ps(found: &Found<'_>) -> Option<Escape> {
    let mut is_value = false;
    found.operands().find_map(|word| {
        let shows =
            !std::mem::replace(&mut is_value, word.known.ends_with(['o', 'O', 'k'])) && word.known.contains('e');
        shows.then(|| Escape::new(&word.known, Effect::Unlisted))
    })
}

/// `ifconfig eth0 down`: only one name shows something.
pub(in super::super::super) fn second_changes(found: &Found<'_>) -> Option<Escape> {
    let at = found.operands.get(1).filter(|at| **at >= found.named)?;
    found.words.get(*at).map(|word| Escape::new(&word.known, Effect::Changes))
}
