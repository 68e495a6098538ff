//! What "always" would store, and where: its button's label, and the lines that say it in full before it can be pressed.

use super::Style;
use super::subject::named;
use crate::claude::{Breadth, PermissionUpdate, Scope, Suggestion};
use crate::flow::Form;
use crate::messenger::Answering;
use crate::request::Offer;
use crate::text::{Lang, Words, fill, units};
use crate::visible::visible_line;

/// Units that a label may have: `wit/types.wit`, `choice`.
pub(super) const LABEL: usize = 64;

/// The places, with the reaction that stands for each where nothing can be cycled.
pub(super) const PLACES: [(Scope, &str); 3] = [(Scope::Local, "💾"), (Scope::User, "🌐"), (Scope::Project, "👥")];

/// Seed 4, 2.2, `buildAlwaysButtonText`.
pub(super) fn label(offer: &Offer, form: &Form, lang: Lang) -> String {
    let words = lang.words();
    let stored = offer.stored(form.scope, form.broad);
    // A mode keeps its own destination: where nothing else is stored, that is where it goes.
    let scope = if offer.has_scope(form.broad) {
        form.scope
    } else {
        stored.first().map_or(form.scope, PermissionUpdate::destination)
    };
    let scope = place(scope, words);
    let (mut tools, mut directories) = (Vec::<String>::new(), 0);
    for update in &stored {
        match update {
            PermissionUpdate::AddRules { rules, .. } => {
                for tool in rules.iter().map(|rule| visible_line(&rule.tool_name)) {
                    if !tools.contains(&tool) {
                        tools.push(tool);
                    }
                }
            }
            PermissionUpdate::AddDirectories { directories: more, .. } => directories += more.len(),
            PermissionUpdate::SetMode { .. } => {}
        }
    }
    match (directories, tools.as_slice()) {
        (1, _) => fill(words.always_directory, &["1", scope]),
        (2.., _) => fill(words.always_directories, &[&directories.to_string(), scope]),
        (0, []) => fill(words.always, &[scope]),
        (0, [tool]) => fitted(words.always_tool, &[tool], scope),
        (0, [one, other]) => fitted(words.always_two_tools, &[one, other], scope),
        (0, [first, more @ ..]) => {
            let more = more.len().to_string();
            let template = fill(words.always_more_tools, &["{}", &more, "{}"]);
            fitted(&template, &[first], scope)
        }
    }
}

/// The lines on the card: what is stored, where, and what reaches further than the call.
pub(super) fn lines(offer: &Offer, form: &Form, style: Style) -> Vec<String> {
    let words = style.lang.words();
    let stored = offer.stored(form.scope, form.broad);
    let cycles = style.answering == Answering::Buttons;
    let store = stored.iter().map(|update| {
        let what = shown(update, words);
        match update {
            PermissionUpdate::SetMode { destination, .. } => line(&what, *destination, words),
            _ if cycles => line(&what, form.scope, words),
            _ => fill(words.always_line, &[&what]),
        }
    });
    let places = (!cycles && offer.has_scope(form.broad)).then(|| {
        let places = PLACES.map(|(scope, emoji)| format!("{emoji} {}", whole_place(scope, words)));
        fill(words.always_places, &[&places.join(" · ")])
    });
    let broad = offer.always.iter().filter_map(|suggestion| warning(suggestion, form.broad, words));
    store.chain(places).chain(broad).collect()
}

/// What was stored, for the card's final state.
pub(super) fn stored(offer: &Offer, scope: Scope, broad: bool, words: &Words) -> Vec<String> {
    offer
        .stored(scope, broad)
        .iter()
        .map(|update| fill(words.stored_line, &[&shown(update, words), &whole_place(update.destination(), words)]))
        .collect()
}

/// A place as people call it.
pub(super) fn place(scope: Scope, words: &Words) -> &'static str {
    match scope {
        Scope::Local => words.scope_local,
        Scope::User => words.scope_user,
        Scope::Project => words.scope_project,
        Scope::Session => words.scope_session,
    }
}

/// The same with the file that it is (`claude-code/README.md`, Output).
pub(super) fn whole_place(scope: Scope, words: &Words) -> String {
    let file = match scope {
        Scope::Local => ".claude/settings.local.json",
        Scope::User => "~/.claude/settings.json",
        Scope::Project => ".claude/settings.json",
        Scope::Session => return words.scope_session.to_owned(),
    };
    format!("{}, {file}", place(scope, words))
}

fn line(what: &str, scope: Scope, words: &Words) -> String {
    fill(words.always_line_at, &[what, &whole_place(scope, words)])
}

fn shown(update: &PermissionUpdate, words: &Words) -> String {
    named(update, words).iter().map(|item| visible_line(item)).collect::<Vec<_>>().join(", ")
}

fn warning(suggestion: &Suggestion, included: bool, words: &Words) -> Option<String> {
    let why = match suggestion.broad? {
        Breadth::Shell => words.broad_shell,
        Breadth::Interpreter => words.broad_interpreter,
        Breadth::Wildcard => words.broad_wildcard,
        Breadth::Tool => words.broad_tool,
    };
    let template = if included { words.broad_included } else { words.broad_left_out };
    Some(fill(template, &[&shown(&suggestion.update, words), why]))
}

/// A label with as much of the tools' names as fits.
fn fitted(template: &str, tools: &[&String], scope: &str) -> String {
    let filled = |most: usize| {
        let tools: Vec<String> = tools.iter().map(|tool| format!("<{}>", short(tool, most))).collect();
        let values: Vec<&str> = tools.iter().map(String::as_str).chain([scope]).collect();
        fill(template, &values)
    };
    (1..=LABEL).rev().map(filled).find(|label| units(label) <= LABEL).unwrap_or_else(|| filled(1))
}

/// At most so many units of a text, with `…` where some is missing.
pub(super) fn short(text: &str, most: usize) -> String {
    if units(text) <= most {
        return text.to_owned();
    }
    let mut used = 1;
    let kept = text.chars().take_while(|c| {
        used += c.len_utf16();
        used <= most
    });
    kept.chain(['…']).collect()
}
