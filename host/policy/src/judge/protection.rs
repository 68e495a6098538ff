//! Finds the protected places ([`crate::places`]) that a call reaches, however it names them. A path that is known only
//! when it runs may be any place.

pub(super) mod links;
pub(super) mod unpacked;

use std::borrow::Cow;
use std::path::PathBuf;

use serde_json::{Map, Value};

use super::unit::Unit;
use crate::call::Call;
use crate::call::paths::{self, Source};
use crate::places::{Kind, Spot, Use};
use crate::programs::{self, Touched};
use crate::shell::{Command, RedirectKind, Word};
use crate::tools::{self, Kind as ToolKind};
use crate::why::Hold;

/// Tools that change nothing, and those of them that see only names.
const READERS: [&str; 6] = ["Read", "NotebookRead", "Glob", "Grep", "LS", "read_many_files"];
const LISTERS: [&str; 2] = ["Glob", "LS"];

/// The signs in a word behind which a file may be named, and before which: `-d @FILE`, `-v FILE:/x`, `src=FILE,dst=/x`.
pub(super) const SEPARATORS: [char; 7] = ['=', ':', '@', ',', ';', '|', '<'];

/// The most text of an input that is searched for paths, in bytes. A call with more is asked.
const MAX_TEXT: usize = 1 << 20;

/// Returns the protected place that a command reaches, or may reach. `named` is the number of its words that the rule
/// names.
pub(super) fn of_command(call: &Call<'_>, command: &Command, named: usize) -> Option<Hold> {
    if call.places.is_empty() {
        return None;
    }
    let source = Source::of(call, command);
    let redirected = command.redirects.iter().find_map(|redirect| {
        let how = if redirect.kind == RedirectKind::Write { Use::Writes } else { Use::Reads };
        held(&redirect.target, &paths::of_word(&redirect.target, &source), how, false, call)
    });
    redirected.or_else(|| {
        programs::touched(command).iter().find_map(|touched| of_word(touched, call, &source, touched.at < named))
    })
}

fn of_word(touched: &Touched<'_>, call: &Call<'_>, source: &Source<'_>, named: bool) -> Option<Hold> {
    let word = &*touched.word;
    let mut spots = paths::of_word(word, source);
    if touched.own {
        spots.retain(|spot| !spot.is_anywhere());
        if spots.is_empty() {
            return None;
        }
    }
    let parts = match touched.how {
        Use::Anything | Use::Names => values(word),
        Use::Reads | Use::ReadsBelow => word.known.strip_prefix('@').map(|file| word.with(file)).into_iter().collect(),
        Use::Writes | Use::WritesBelow => Vec::new(),
    };
    let in_parts = || parts.iter().find_map(|part| held(part, &paths::of_word(part, source), touched.how, named, call));
    // In a folder, the copies have the names of the originals.
    let copies = || {
        touched.sources.iter().find_map(|from| {
            let into = paths::of_word(from, source).iter().map(Spot::name).collect::<Vec<_>>();
            let copies: Vec<Spot> = spots.iter().flat_map(|spot| into.iter().map(|name| spot.join(name))).collect();
            (!from.names_contents()).then(|| held(word, &copies, touched.how, named, call)).flatten()
        })
    };
    // Moving a folder moves the files in it that decide what is allowed there.
    let inside = || {
        let folder = (touched.how == Use::WritesBelow && !named).then(|| word.text()).flatten()?;
        let holds = source.paths().any(|path| (call.holds_rules)(&path.join(folder)));
        holds.then(|| Hold::Protected(word.to_string(), Kind::Client))
    };
    let linked = || links::of(touched, call, source).or_else(|| links::behind(touched, call, source));
    held(word, &spots, touched.how, named, call).or_else(in_parts).or_else(copies).or_else(inside).or_else(linked)
}

/// Returns the parts of a word that may be a path: the value of an option, what follows a colon (`HEAD:.env`,
/// `UNIX:/run/x`), and each text between two separators.
pub(super) fn values(word: &Word) -> Vec<Word> {
    let behind = |sign: char| word.known.split_once(sign).map(|(_, value)| word.with(value));
    // What is not known of a word continues its last text.
    let texts = word.known.rsplit_once(SEPARATORS).into_iter();
    let texts = texts.flat_map(|(before, last)| before.split(SEPARATORS).map(Word::exact).chain([word.with(last)]));
    let attached = || {
        word.known
            .strip_prefix('-')
            .filter(|rest| !rest.starts_with('-'))
            .and_then(|rest| rest.get(1..))
            .map(|rest| word.with(rest))
    };
    let known = [behind('='), behind(':'), behind('@'), attached()].into_iter().flatten().chain(texts);
    let of_alternatives = word.alternatives().into_iter().flat_map(|word| values(&word));
    known.filter(|value| !value.known.is_empty()).chain(of_alternatives).collect()
}

fn held(word: &Word, spots: &[Spot], how: Use, named: bool, call: &Call<'_>) -> Option<Hold> {
    if word.text().is_some_and(|text| text.is_empty() || text == "-") {
        return None;
    }
    spots.iter().find_map(|spot| {
        let kind = call.places.reached(spot, how, named)?;
        Some(match spot.is_anywhere() {
            true => Hold::MayReach(word.to_string()),
            false => Hold::Protected(word.to_string(), kind),
        })
    })
}

/// Returns the protected place that a tool reaches. `named` states that the rule has paths of its own.
pub(super) fn of_tool(unit: &Unit<'_>, named: impl Fn(&str) -> bool) -> Option<Hold> {
    let (call, tool) = (unit.call, unit.tool.canonical());
    if call.places.is_empty() || LISTERS.contains(&tool) {
        return None;
    }
    if tools::find(call.tool).is_none() || call.server.is_some() {
        return of_input(call);
    }
    let searches = tools::kind(tool) == ToolKind::Search;
    let how = match READERS.contains(&tool) {
        true if searches => Use::ReadsBelow,
        true => Use::Reads,
        false => Use::Writes,
    };
    let reached = |path: &PathBuf| {
        let kind = call.places.reached(&Spot::of(path), how, named(&path.to_string_lossy()))?;
        Some(Hold::Protected(path.display().to_string(), kind))
    };
    unit.files().places(call).iter().find_map(reached)
}

/// Returns the protected place that is named anywhere in the input of an unknown tool.
fn of_input(call: &Call<'_>) -> Option<Hold> {
    let mut texts: Vec<&str> = Vec::new();
    collect(call.input, &mut texts);
    if texts.iter().map(|text| text.len()).sum::<usize>() > MAX_TEXT {
        return Some(Hold::MayReach("its input is too long to look for files in it".to_owned()));
    }
    let source = Source::of_call(call);
    texts.iter().find_map(|text| {
        let whole = path(text);
        let all = std::iter::once(whole).chain(text.split(is_between).filter(|part| part != text).map(path));
        let mut all = all.filter(|path| !path.is_empty());
        all.find_map(|path| {
            let word = Word::exact(path.into_owned());
            let found = held(&word, &paths::of_word(&word, &source), Use::Anything, false, call);
            // A text that only resembles somebody's home directory (`~5 minutes`) is not a path.
            found.filter(|held| matches!(held, Hold::Protected(..)))
        })
    })
}

/// Returns every text in an input, including the names of members.
fn collect<'a>(input: &'a Map<String, Value>, texts: &mut Vec<&'a str>) {
    for (name, value) in input {
        texts.push(name);
        value_texts(value, texts);
    }
}

fn value_texts<'a>(value: &'a Value, texts: &mut Vec<&'a str>) {
    match value {
        Value::String(text) => texts.push(text),
        Value::Array(items) => items.iter().for_each(|item| value_texts(item, texts)),
        Value::Object(members) => collect(members, texts),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Returns whether a character separates words in a text.
fn is_between(sign: char) -> bool {
    sign.is_whitespace() || "\"'`<>|&;,()[]{}=".contains(sign)
}

/// Returns a text as a path. For a `file:` URI it is the URI's path, with its escapes decoded.
fn path(text: &str) -> Cow<'_, str> {
    let text = text.trim();
    let lower = text.get(..5).map(str::to_ascii_lowercase);
    let Some(rest) = text.get(5..).filter(|_| lower.as_deref() == Some("file:")) else { return Cow::Borrowed(text) };
    let rest = match rest.strip_prefix("//") {
        // Two slashes are followed by a host, which is empty or this machine.
        Some(host) => host.find('/').and_then(|at| host.get(at..)).unwrap_or(host),
        None => rest,
    };
    percent_encoding::percent_decode_str(rest).decode_utf8_lossy()
}

#[cfg(test)]
mod tests;
