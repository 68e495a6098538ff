//! Reads what a module defines, imports and names.
//!
//! | counts | does not count |
//! |---|---|
//! | `use` in any place, with its aliases and braces | `use` of another crate |
//! | paths of two names and more, also in the arguments of macros | paths in attributes' strings |
//! | `mod`, with a file of its own or without | what stands below `#[cfg(test)]` |

use std::collections::HashSet;

use super::tokens::Token;

/// The content of one module.
#[derive(Debug, Default)]
pub(super) struct Source<'a> {
    /// The names of what it defines itself, without its modules.
    pub(super) items: HashSet<&'a str>,
    pub(super) imports: Vec<Import<'a>>,
    /// The paths in its code.
    pub(super) paths: Vec<Path<'a>>,
    /// The words of its code outside of `use`, without methods and fields.
    pub(super) words: HashSet<&'a str>,
    /// Its modules, with their content if they have no file of their own.
    pub(super) modules: Vec<(&'a str, Option<Self>)>,
}

/// A name that `use` brings into a module.
#[derive(Debug)]
pub(super) struct Import<'a> {
    pub(super) path: Path<'a>,
    /// The name that it has here, or `*` for every name of a module.
    pub(super) name: &'a str,
    /// Whether it is a `pub use`, which gives the name to others.
    pub(super) is_public: bool,
}

/// The names between `::`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Path<'a> {
    pub(super) names: Vec<&'a str>,
    pub(super) line: usize,
}

/// The words before the name of an item.
const DEFINES: &[&str] = &["fn", "struct", "enum", "trait", "type", "const", "static", "union", "macro_rules"];

impl<'a> Source<'a> {
    /// Reads a module from its tokens.
    pub(super) fn read(mut code: &[Token<'a>]) -> Self {
        let mut source = Self::default();
        // How many braces are open: an item within them cannot be named from another module.
        let mut depth = 0_usize;
        let mut before = "";
        while let Some((token, rest)) = code.split_first() {
            let next = at(rest, 0);
            let mut after = rest;
            if before != "." {
                source.words.insert(token.text);
            }
            match token.text {
                "#" if is_for_tests(code) => after = behind_item(code),
                "use" if next != "<" => after = source.read_imports(rest, matches!(before, "pub" | ")")),
                "mod" if at(rest, 1) == ";" => {
                    source.modules.push((next, None));
                    after = rest.get(2..).unwrap_or_default();
                }
                "mod" if at(rest, 1) == "{" => {
                    let (inner, behind) = braced(rest);
                    source.modules.push((next, Some(Self::read(inner))));
                    after = behind;
                }
                "{" => depth += 1,
                "}" => depth = depth.saturating_sub(1),
                text if depth == 0 && DEFINES.contains(&text) => {
                    let name = rest.iter().map(|token| token.text).find(|name| !matches!(*name, "!" | "mut"));
                    source.items.extend(name);
                }
                text if is_name(text) && next == "::" && before != "::" => {
                    let (names, behind) = path(code);
                    source.paths.push(Path { names, line: token.line });
                    after = behind;
                }
                _ => {}
            }
            before = token.text;
            code = after;
        }
        source
    }

    /// Reads the tree behind `use`, and returns the code behind it.
    fn read_imports<'t>(&mut self, mut code: &'t [Token<'a>], is_public: bool) -> &'t [Token<'a>] {
        // The names before each open brace, and before the next name.
        let (mut outer, mut names): (Vec<Vec<&'a str>>, Vec<&'a str>) = (Vec::new(), Vec::new());
        while let Some((token, rest)) = code.split_first() {
            code = rest;
            match token.text {
                ";" => break,
                "{" => outer.push(names.clone()),
                "}" => drop(outer.pop()),
                "," => names = outer.last().cloned().unwrap_or_default(),
                // Of another crate.
                "::" if names.is_empty() => names.push(""),
                "::" => {}
                "as" => code = rest.get(1..).unwrap_or_default(),
                name => {
                    if name != "self" || names.is_empty() {
                        names.push(name);
                    }
                    if matches!(at(rest, 0), "," | "}" | ";" | "as") {
                        let own = names.last().copied().unwrap_or_default();
                        let name = if at(rest, 0) == "as" { at(rest, 1) } else { own };
                        let names = names.iter().copied().filter(|name| *name != "*").collect();
                        self.imports.push(Import { path: Path { names, line: token.line }, name, is_public });
                    }
                }
            }
        }
        code
    }
}

fn at<'a>(code: &[Token<'a>], index: usize) -> &'a str {
    code.get(index).map_or("", |token| token.text)
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Returns whether the code begins with `#[cfg(test)]`, or with `#[cfg(all(test, ...))]`.
fn is_for_tests(code: &[Token<'_>]) -> bool {
    let is = |expected: &[&str]| expected.iter().enumerate().all(|(index, text)| at(code, index) == *text);
    is(&["#", "[", "cfg", "(", "test", ")"]) || is(&["#", "[", "cfg", "(", "all", "(", "test"])
}

/// Returns the code behind the item that the code begins with, which may have attributes.
fn behind_item<'t, 'a>(mut code: &'t [Token<'a>]) -> &'t [Token<'a>] {
    while at(code, 0) == "#" {
        code = group(code.get(1..).unwrap_or_default());
    }
    loop {
        match at(code, 0) {
            "" | "}" => return code,
            ";" => return code.get(1..).unwrap_or_default(),
            "{" => return group(code),
            _ => code = group(code),
        }
    }
}

/// Returns the code behind the token that the code begins with, and behind its group if it opens one.
fn group<'t, 'a>(mut code: &'t [Token<'a>]) -> &'t [Token<'a>] {
    let mut depth = 0_usize;
    while let Some((token, rest)) = code.split_first() {
        code = rest;
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    code
}

/// Returns the code in the first braces, and the code behind them.
fn braced<'t, 'a>(code: &'t [Token<'a>]) -> (&'t [Token<'a>], &'t [Token<'a>]) {
    let open = code.iter().position(|token| token.text == "{").unwrap_or(code.len());
    let from = code.get(open..).unwrap_or_default();
    let behind = group(from);
    let inner = from.get(1..(from.len() - behind.len()).saturating_sub(1)).unwrap_or_default();
    (inner, behind)
}

/// Returns the names of the path that the code begins with, and the code behind it.
fn path<'t, 'a>(mut code: &'t [Token<'a>]) -> (Vec<&'a str>, &'t [Token<'a>]) {
    let mut names = Vec::new();
    while let Some((token, rest)) = code.split_first().filter(|(token, _)| is_name(token.text)) {
        names.push(token.text);
        code = rest;
        match rest {
            [colons, name, ..] if colons.text == "::" && is_name(name.text) => code = rest.get(1..).unwrap_or_default(),
            _ => break,
        }
    }
    (names, code)
}
