//! Links that a line makes, copies or moves and that lead out of the workspace, where another command of the line does what the files
//! behind them say. Where a folder leads is looked up before the line runs, when the link is not there yet.
//!
//! | written | is held back |
//! |---|---|
//! | `ln -s /tmp/ev sub && make -C sub test`, and with `cd sub && npm test` or `pytest sub` | yes |
//! | `mv link sub && cd sub && npm test`, where `link` leads to `/tmp/ev` | yes |
//! | `ln -s src sub && make -C sub test` | no: the link stays in the workspace |
//! | `ln -s ../other/node_modules node_modules && npm test` | no: the command does not name it |
//!
//! The order of the commands does not matter, because a loop or a function may run them in another one. Git is in
//! [`made`](super::made), and a link that is not known in [`protection::links`](super::protection::links).

use std::path::{Path, PathBuf};

use super::folder;
use super::protection::{links, values};
use crate::call::Call;
use crate::call::paths::{self, Source};
use crate::places::Spot;
use crate::programs::{self, Touched};
use crate::shell::{Command, Word};
use crate::why::Hold;

/// Returns a hold if a command of a line may do what the files behind such a link say.
pub(super) fn of(call: &Call<'_>, commands: &[Command]) -> Option<Hold> {
    let obeys = |command: &&Command| folder::obeys(command) && !folder::is_git(command);
    let obeying: Vec<&Command> = commands.iter().filter(obeys).collect();
    if obeying.is_empty() {
        return None;
    }
    let leading = commands.iter().flat_map(|command| {
        let source = Source::of(call, command);
        let touched = programs::touched(command);
        let relative = makes_relative(command);
        touched.iter().flat_map(|touched| leading(touched, relative, &source, call)).collect::<Vec<_>>()
    });
    let mut leading = leading.flatten();
    leading.any(|link| obeying.iter().any(|command| uses(command, &link, call))).then_some(Hold::Elsewhere)
}

/// Returns the links that are there afterwards and lead out of the workspace, for each folder where the command may run.
fn leading(touched: &Touched<'_>, relative: bool, source: &Source<'_>, call: &Call<'_>) -> Vec<Vec<PathBuf>> {
    let leading = |from: &Word, folder: &Path| {
        let links = links::below(from, touched.symbolic, folder, call)?;
        let to = paths::located(touched.word.text()?, folder, call)?;
        let from_here = paths::located(from.text()?, folder, call)?;
        let in_folder = from_here.file_name().map(|name| to.join(name));
        let bases: Vec<PathBuf> = std::iter::once(to).chain(in_folder).collect();
        let leads_away = |path: &Path, leads: &Path| {
            // A link that is copied leads where it led, or where its text leads from its new place.
            let places = bases.iter().chain((!touched.symbolic).then_some(&from_here)).map(|base| base.join(path));
            let parents = places.filter_map(|place| place.parent().map(Path::to_owned));
            let mut targets = parents.chain(relative.then(|| folder.to_owned())).map(|parent| parent.join(leads));
            let is_of_home = touched.symbolic && leads.to_string_lossy().starts_with('~');
            is_of_home || targets.any(|target| !is_inside(&target, call))
        };
        let away = links.into_iter().filter(|(path, leads)| leads_away(path, leads));
        Some(away.flat_map(|(path, _)| bases.iter().map(move |base| base.join(&path))).collect())
    };
    touched.linked.iter().flat_map(|from| source.paths().filter_map(|folder| leading(from, folder))).collect()
}

/// Returns whether a command writes the text of a new link as seen from the link: `ln -sr`.
fn makes_relative(command: &Command) -> bool {
    command.words.iter().skip(1).any(|word| {
        let is_short = word.known.starts_with('-') && !word.known.starts_with("--") && word.known.contains('r');
        !word.exact || is_short || word.known.starts_with("--r")
    })
}

/// Returns whether a path is in the workspace, with links followed.
fn is_inside(path: &Path, call: &Call<'_>) -> bool {
    let Some(cwd) = call.cwd else { return false };
    let real = |path: &Path| (call.real_path)(path).unwrap_or_else(|| path.to_owned());
    Spot::of(path).is_inside(cwd) && Spot::of(&real(path)).is_inside(&real(cwd))
}

/// Returns whether a command may run behind a link, or names something there.
fn uses(command: &Command, link: &Path, call: &Call<'_>) -> bool {
    let mut entered = Vec::new();
    let plain = programs::without_front(&command.words, |path| {
        entered.push(Word::exact(path));
        true
    });
    let words = plain.unwrap_or_else(|| command.words.clone());
    let inner = folder::entered(Command { words, ..command.clone() }, &entered);
    let is_behind = |spot: &Spot| !spot.begins_anywhere() && (spot.may_be_at(link) || spot.may_be_below(link));
    [command, &inner].into_iter().any(|command| {
        let source = Source::of(call, command);
        let mut words = command.words.iter().skip(1).flat_map(|word| std::iter::once(word.clone()).chain(values(word)));
        source.paths().any(|folder| is_behind(&Spot::of(folder)))
            || words.any(|word| paths::of_word(&word, &source).iter().any(is_behind))
    })
}
