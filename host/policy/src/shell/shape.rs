//! The possible expansions of a word that is known only at run time.
//!
//! | written | shape |
//! |---|---|
//! | `$HOME/a` | the variable's value, then `/a` |
//! | `a*b`, `a?b`, `a[xy]b`, `a[[:x:]]b` | `a`, characters but no `/`, `b` |
//! | `a/**` | `a/`, anything |
//! | `{a,b}/c` | `a/c` or `b/c` |
//! | `a$(b)c` | `a`, anything, `c` |
//! | `$(git merge-base a b)..c` | the name of a commit, `..c` |
//!
//! A word has several shapes if braces or variables give it several. Without any, only its beginning is known.

/// One possible expansion of a word.
pub(crate) type Shape = Vec<Part>;

/// A part of a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Part {
    /// This text.
    Text(String),
    /// Any characters but `/`, or none: the expansion of a glob.
    Name,
    /// Any folders, or none: the expansion of `**`.
    Folders,
    /// The same, but only files that are no links: what `find -type f` finds.
    Files,
    /// Any characters, or none.
    Any,
    /// The name of a commit that git prints, or nothing: no option, and without `/`.
    Revision,
    /// The value of a variable. In double quotes it is one word, and not a glob.
    Variable {
        /// The variable's name.
        name: String,
        /// Whether it is in double quotes.
        quoted: bool,
    },
}

/// The lexer's record of a word: its parts, and the braces between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    Part(Part),
    /// An unquoted `{`.
    Open,
    /// An unquoted `,` in braces.
    Comma,
    /// An unquoted `}`.
    Close,
}

/// The most shapes of a word. Of a word with more, only the beginning is known.
pub(crate) const MAX_SHAPES: usize = 64;

/// The most parts of a shape.
const MAX_PARTS: usize = 200;

/// Returns the shapes of a word from the lexer's record. `None` if there are too many.
pub(super) fn shapes(pieces: &[Piece]) -> Option<Vec<Shape>> {
    let mut shapes = expand(pieces)?;
    shapes.iter_mut().for_each(join);
    Some(shapes)
}

fn expand(pieces: &[Piece]) -> Option<Vec<Shape>> {
    let Some((before, inside, after)) = braces(pieces) else {
        return Some(vec![pieces.iter().map(literal).collect()]);
    };
    let before: Vec<Shape> = vec![before.iter().map(literal).collect()];
    let mut choices = Vec::new();
    let alternatives = split(inside);
    if alternatives.len() == 1 {
        // `{1..3}`, or braces that are literal.
        choices.push(vec![Part::Name]);
        choices.extend(expand(inside)?.into_iter().map(|shape| [vec![text("{")], shape, vec![text("}")]].concat()));
    } else {
        for alternative in alternatives {
            choices.extend(expand(alternative)?);
        }
    }
    product(&product(&before, &choices)?, &expand(after)?)
}

/// Splits at the first pair of braces: the parts before, inside and after it.
fn braces(pieces: &[Piece]) -> Option<(&[Piece], &[Piece], &[Piece])> {
    let mut from = 0;
    loop {
        let open = from + pieces.get(from..)?.iter().position(|piece| *piece == Piece::Open)?;
        let mut depth = 0_usize;
        let close = pieces.iter().enumerate().skip(open).find_map(|(at, piece)| {
            match piece {
                Piece::Open => depth += 1,
                Piece::Close => depth -= 1,
                Piece::Comma | Piece::Part(_) => {}
            }
            (depth == 0).then_some(at)
        });
        match close {
            Some(close) => return Some((pieces.get(..open)?, pieces.get(open + 1..close)?, pieces.get(close + 1..)?)),
            None => from = open + 1,
        }
    }
}

/// Splits the alternatives at the commas of one pair of braces.
fn split(inside: &[Piece]) -> Vec<&[Piece]> {
    let mut depth = 0_usize;
    let mut alternatives = Vec::new();
    let mut start = 0;
    for (at, piece) in inside.iter().enumerate() {
        match piece {
            Piece::Open => depth += 1,
            Piece::Close => depth = depth.saturating_sub(1),
            Piece::Comma if depth == 0 => {
                alternatives.extend(inside.get(start..at));
                start = at + 1;
            }
            Piece::Comma | Piece::Part(_) => {}
        }
    }
    alternatives.extend(inside.get(start..));
    alternatives
}

fn literal(piece: &Piece) -> Part {
    match piece {
        Piece::Part(part) => part.clone(),
        Piece::Open => text("{"),
        Piece::Comma => text(","),
        Piece::Close => text("}"),
    }
}

fn text(text: &str) -> Part {
    Part::Text(text.to_owned())
}

/// Concatenates each of the first with each of the second. `None` if there are too many, or if they are too long.
pub(crate) fn product(first: &[Shape], second: &[Shape]) -> Option<Vec<Shape>> {
    let longest = |shapes: &[Shape]| shapes.iter().map(Vec::len).max().unwrap_or_default();
    let fits = first.len() * second.len() <= MAX_SHAPES && longest(first) + longest(second) <= MAX_PARTS;
    fits.then(|| {
        first.iter().flat_map(|before| second.iter().map(|after| [before.clone(), after.clone()].concat())).collect()
    })
}

/// Joins adjacent texts, and replaces `**` by any characters.
pub(crate) fn join(shape: &mut Shape) {
    let mut joined: Shape = Vec::with_capacity(shape.len());
    for part in shape.drain(..) {
        match (joined.last_mut(), part) {
            (Some(Part::Text(before)), Part::Text(after)) => before.push_str(&after),
            (Some(last @ (Part::Name | Part::Folders)), Part::Name | Part::Folders) => *last = Part::Folders,
            (Some(last @ Part::Any), Part::Any | Part::Name | Part::Folders) => *last = Part::Any,
            (_, part) => joined.push(part),
        }
    }
    // Stars behind other characters of a name are one: `a**` is as `a*`. `**.md` leads below with zsh's GLOB_STAR_SHORT.
    for at in 1..joined.len() {
        let is_behind = matches!(joined.get(at - 1), Some(Part::Text(text)) if !text.ends_with('/'));
        if let Some(part @ Part::Folders) = joined.get_mut(at).filter(|_| is_behind) {
            *part = Part::Name;
        }
    }
    joined.retain(|part| !matches!(part, Part::Text(text) if text.is_empty()));
    joined.dedup_by(|part, before| (&*part, &*before) == (&Part::Name, &Part::Name));
    *shape = joined;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::read;

    /// Formats the shapes of the last word of a line: `*` for a name, `…` for anything, `<HOME>` for a variable.
    fn shown(line: &str) -> String {
        let script = read(line);
        let command = script.commands.iter().rfind(|command| command.name() == Some("ls")).unwrap();
        let word = command.words.iter().rfind(|word| word.exact || word.shapes.is_some()).unwrap();
        let part = |part: &Part| match part {
            Part::Text(text) => text.clone(),
            Part::Name => "*".to_owned(),
            Part::Folders | Part::Files => "**".to_owned(),
            Part::Any => "…".to_owned(),
            Part::Revision => "#".to_owned(),
            Part::Variable { name, .. } => format!("<{name}>"),
        };
        match &word.shapes {
            Some(shapes) => {
                shapes.iter().map(|shape| shape.iter().map(part).collect::<String>()).collect::<Vec<_>>().join(" | ")
            }
            None => word.known.clone(),
        }
    }

    #[test]
    fn a_word_keeps_what_is_known_of_it_before_and_behind_an_expansion() {
        for (line, expected) in [
            ("ls a", "a"),
            ("ls $HOME/.claude/x", "<HOME>/.claude/x"),
            ("ls \"$HOME\"/x", "<HOME>/x"),
            ("ls ${HOME}/x", "<HOME>/x"),
            ("ls ${HOME%/*}/x", "…/x"),
            ("ls ${HOME:-/x}/y", "…/y"),
            ("ls .cl*/set?ings.json", ".cl*/set*ings.json"),
            ("ls .cl[a-z]ude/x", ".cl*ude/x"),
            ("ls a[b]/[c]d", "a*/*d"),
            ("ls a[b]c]", "a*c]"),
            ("ls a[[:alpha:]]b/x", "a*b/x"),
            ("ls a[[:alpha:][:digit:]_]b", "a*b"),
            ("ls a[[.].]s]b", "a*b"),
            ("ls []s]tate", "*tate"),
            ("ls [!]]tate/x", "*tate/x"),
            ("ls [^]s]tate/x", "*tate/x"),
            ("ls ['a]']b", "*b"),
            ("ls a[b", "a[b"),
            ("ls a/**/b", "a/**/b"),
            ("ls **/b a/**", "a/**"),
            ("ls **/b", "**/b"),
            ("ls a**/b", "a*/b"),
            ("ls a/**.md", "a/**.md"),
            ("ls [A-Z]*.md", "*.md"),
            ("ls [A-Z]*/x", "*/x"),
            ("ls *[0-9]/x", "*/x"),
            ("ls a/?*/x", "a/*/x"),
            ("ls ??", "*"),
            ("ls {*,a}*/x", "**/x | a*/x"),
            ("ls ***/x", "**/x"),
            ("ls a/{b,c{d,e}}/f", "a/b/f | a/cd/f | a/ce/f"),
            ("ls a{1..3}", "a* | a{1..3}"),
            ("ls a{b", "a{b"),
            ("ls 'a{b,c}'*", "a{b,c}*"),
            ("ls a{b,\"c,d\"}", "ab | ac,d"),
            ("ls $(x)/y", "…/y"),
            ("ls $(git merge-base main HEAD)..HEAD", "#..HEAD"),
            ("ls \"$(git rev-parse --short HEAD~2)\"", "#"),
            ("ls `git rev-parse HEAD 2>/dev/null`", "#"),
            ("x=$(git rev-parse HEAD^); ls \"$x..y\"", "#..y"),
            ("x=$(git rev-parse HEAD); x=$(y); ls \"$x\"", "# | …"),
            ("ls $(git rev-parse --output=x)", "…"),
            ("ls $(git rev-parse x)", "…"),
            ("ls $(git rev-parse HEAD x)", "…"),
            ("ls $(git rev-parse \"$x\")", "…"),
            ("ls $(git rev-parse HEAD 2>&1)", "…"),
            ("ls $(git rev-parse HEAD; echo --x)", "…"),
            ("ls $(git rev-parse HEAD || echo --x)", "…"),
            ("ls $(git rev-parse HEAD | sed s/^/-/)", "…"),
            ("ls $(git merge-base -h)", "…"),
            ("ls $(git merge-base)", "…"),
            ("ls $(git merge-base $x HEAD)", "…"),
            ("ls $(git -c alias.x=y merge-base a b)", "…"),
            ("ls $(GIT_DIR=x git rev-parse HEAD)", "…"),
            ("ls $(./git rev-parse HEAD)", "…"),
            ("git() { echo --x; }; ls $(git rev-parse HEAD)", "…"),
            ("ls $(git rev-parse HEAD); function git { echo --x; }", "…"),
            ("alias git=x; ls $(git rev-parse HEAD)", "…"),
            (". ./x; ls $(git rev-parse HEAD)", "…"),
            ("ls `x`/y", "…/y"),
            ("x=a; ls $x/y", "a/y"),
            ("x=a; x=b; ls $x/y", "a/y | b/y"),
            ("x=a; y=$x/b; ls \"$y/c\"", "a/b/c"),
            ("x='a b'; ls $x/y", "…/y"),
            ("x='a b'; ls \"$x/y\"", "a b/y"),
            ("x='.cl*'; ls $x/y", ".cl*/y"),
            ("x='**'; ls $x/y", "**/y"),
            ("x='*'; ls $x*/y", "**/y"),
            ("x='**'; ls a$x/y", "a*/y"),
            ("x=a; x+=b; ls $x/y", "a/y | …/y | b/y"),
            ("x+=b; ls \"$x/y\"", "…/y | b/y"),
            ("x=a; export x+=b; ls $x/y", "a/y | b/y | …/y"),
            ("x=ab; x[1]=c; ls $x/y", "ab/y | …/y | c/y"),
            ("x='[a-z]b'; ls $x/y", "…/y"),
            ("x='a\\b*'; ls $x/y", "…/y"),
            ("x='b]'; ls a[$x/y", "a[…/y"),
            ("x='[a]\\b'; ls \"$x/y\"", "[a]\\b/y"),
            ("IFS=X; x=aXb; ls $x/y", "…/y"),
            ("IFS=X; x=aXb; ls \"$x/y\"", "aXb/y"),
            ("for f in a b; do ls $f/y; done", "a/y | b/y"),
            ("for f in a*; do ls \"$f\"; done", "a*"),
            ("x=a; read x; ls $x/y", "…/y"),
            ("HOME=x; ls $HOME/y", "x/y"),
            ("ls $y/z", "…/z"),
            ("ls $?x", "*x"),
            ("x=$x; ls \"$x/y\"", "…/y"),
        ] {
            assert_eq!(shown(line), expected, "{line}");
        }
    }
}
