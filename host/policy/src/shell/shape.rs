//! The possible expansions of a word that is known only at run time.
//!
//! | written | shape |
//! |---|---|
//! | `$HOME/a` | the variable's value, then `/a` |
//! | `a*b`, `a?b`, `a[xy]b`, `a[[:x:]]b` | `a`, characters but no `/`, `b` |
//! | `a/**` | `a/`, anything |
//! | `***/a` | any folders, `/a`, or anything, `/a`: zsh follows links there |
//! | `{a,b}/c` | `a/c` or `b/c` |
//! | `"a$(b)c"` | `a`, anything, `c` |
//! | `a$(b)c`, `"a$@c"` | the same, or words of which nothing is known |
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
    /// What an expansion other than a plain variable yields where the shell splits it into words. No word of a listed command has
    /// it: [`commands`](crate::commands) replaces it.
    Unquoted(Yield),
    /// The value of a variable. In double quotes it is one word, and not a glob.
    Variable {
        /// The variable's name.
        name: String,
        /// Whether the shell leaves it as it is: in double quotes, and in the value of an assignment.
        quoted: bool,
    },
}

/// What an expansion yields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Yield {
    /// Any text, which may contain blanks.
    Text,
    /// A number. It is split only if `IFS` contains a digit.
    Number,
    /// The name of a commit. It is split only if `IFS` contains one of its characters.
    Revision,
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
    expand(pieces).map(joined)
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
        choices.extend(ranges_far(inside).then(|| vec![Part::Any]));
        choices.extend(expand(inside)?.into_iter().map(|shape| [vec![text("{")], shape, vec![text("}")]].concat()));
    } else {
        for alternative in alternatives {
            choices.extend(expand(alternative)?);
        }
    }
    product(&product(&before, &choices)?, &expand(after)?)
}

/// Returns whether the text in braces may be a range that contains a slash: `{.../}`, in zsh.
fn ranges_far(inside: &[Piece]) -> bool {
    let is_end = |end: &str| match end.strip_prefix('-') {
        Some(number) => !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()),
        None => !end.is_empty() && end.bytes().all(|byte| byte.is_ascii_alphanumeric()),
    };
    inside.iter().any(|piece| match piece {
        Piece::Part(Part::Text(text)) => text.contains("..") && !text.split("..").all(is_end),
        Piece::Part(Part::Name | Part::Folders | Part::Files) => false,
        _ => true,
    })
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

/// Returns shapes with adjacent texts joined, and with `**` replaced by any folders. One with `***/`, in which zsh follows links, is
/// also anything.
pub(crate) fn joined(shapes: Vec<Shape>) -> Vec<Shape> {
    let mut all = Vec::with_capacity(shapes.len());
    for mut shape in shapes {
        let stars = |part: &Part| match part {
            Part::Name => 1,
            Part::Folders => 2,
            _ => 0,
        };
        let mut wide = shape.clone();
        for (at, part) in wide.iter_mut().enumerate() {
            let run = shape.iter().skip(at).map(stars).take_while(|count| *count > 0).sum::<usize>();
            if run > 2 && !continues(at.checked_sub(1).and_then(|before| shape.get(before))) {
                *part = Part::Any;
            }
        }
        let is_wide = wide != shape;
        join(&mut shape);
        all.push(shape);
        if is_wide {
            join(&mut wide);
            all.push(wide);
        }
    }
    all
}

/// Joins adjacent texts, and replaces `**` by any folders.
fn join(shape: &mut Shape) {
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
        let is_behind = continues(joined.get(at - 1));
        if let Some(part @ Part::Folders) = joined.get_mut(at).filter(|_| is_behind) {
            *part = Part::Name;
        }
    }
    joined.retain(|part| !matches!(part, Part::Text(text) if text.is_empty()));
    joined.dedup_by(|part, before| (&*part, &*before) == (&Part::Name, &Part::Name));
    *shape = joined;
}

/// Returns whether what follows a part certainly is in the same name.
fn continues(part: Option<&Part>) -> bool {
    matches!(part, Some(Part::Text(text)) if !text.ends_with('/'))
}

#[cfg(test)]
mod tests;
