//! What "always" would store, and where: the label of its button, and the lines that show it in full before the
//! button can be pressed.

use std::path::Path;

use super::Style;
use super::subject::named;
use crate::claude::{Breadth, PermissionUpdate, Scope, Suggestion};
use crate::flow::Form;
use crate::request::Offer;
use crate::text::{Lang, Words, fill, split_units, units};
use crate::visible::visible_line;

/// The most units of a label: `wit/types.wit`, `choice`.
pub(super) const LABEL: usize = 64;

/// The scopes, with the reaction for each, used where the scope cannot be cycled.
pub(super) const PLACES: [(Scope, &str); 3] = [(Scope::Local, "💾"), (Scope::User, "🌐"), (Scope::Project, "👥")];

/// Returns the label of the "always" button.
pub(super) fn label(offer: &Offer, form: &Form, lang: Lang) -> String {
    let words = lang.words();
    let stored = offer.stored(form.scope, form.broad);
    // A mode keeps its own destination. If nothing else is stored, the label names that one.
    let scope = if offer.has_scope(form.broad) {
        form.scope
    } else {
        stored.first().map_or(form.scope, PermissionUpdate::destination)
    };
    let scope = scope.title(words);
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

/// Returns the lines on the card: what is stored, where, and which suggestions are broader than the call.
pub(super) fn lines(offer: &Offer, form: &Form, style: Style) -> Vec<String> {
    let words = style.lang.words();
    let stored = offer.stored(form.scope, form.broad);
    let cycles = style.answering.has_labels();
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

/// Returns what was stored, for the card's final state.
pub(super) fn stored(offer: &Offer, scope: Scope, broad: bool, words: &Words) -> Vec<String> {
    offer
        .stored(scope, broad)
        .iter()
        .map(|update| fill(words.stored_line, &[&shown(update, words), &whole_place(update.destination(), words)]))
        .collect()
}

/// Returns the name of a scope, followed by the file in which the client stores it.
pub(super) fn whole_place(scope: Scope, words: &Words) -> String {
    let name = scope.title(words);
    match scope.settings_file() {
        Some(file) => format!("{name}, {}", file.path(Path::new(""), Path::new("~/.claude")).display()),
        None => name.to_owned(),
    }
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

/// Returns a label with as many of the tools' names as fit.
fn fitted(template: &str, tools: &[&String], scope: &str) -> String {
    let filled = |most: usize| {
        let tools: Vec<String> = tools.iter().map(|tool| format!("<{}>", short(tool, most))).collect();
        let values: Vec<&str> = tools.iter().map(String::as_str).chain([scope]).collect();
        fill(template, &values)
    };
    (1..=LABEL).rev().map(filled).find(|label| units(label) <= LABEL).unwrap_or_else(|| filled(1))
}

/// Truncates a text to a number of units, with `…` at its end.
pub(super) fn short(text: &str, most: usize) -> String {
    if units(text) <= most {
        return text.to_owned();
    }
    format!("{}…", split_units(text, most.saturating_sub(1)).0)
}
