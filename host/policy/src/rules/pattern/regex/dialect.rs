//! Handles the differences between JavaScript's regular expressions and regex-syntax's.
//!
//! | written | here |
//! |---|---|
//! | `(?=x)` `(?!x)` `(?<=x)` `(?<!x)` | error: no lookaround in linear time |
//! | `\1` `\k<x>` | error: no backreferences in linear time |
//! | `\0` | NUL, as in JavaScript (gemini-cli puts one around each argument); other octal escapes are errors |
//! | `\d` `\w` `\b` | ASCII, as in JavaScript |
//! | `\/` `\"` `\-` `\<` `\>` | the character, as in JavaScript |
//! | `[a&&b]` `[a--b]` `[a~~b]` `[a[b]]` | error: sets of regex-syntax, plain characters in JavaScript; write `\&`, `\[` |
//! | `{` that begins no repetition, `[^]`, `\cX` | error |
//! | `.` | anything but `\n`. JavaScript's also leaves out `\r`, U+2028 and U+2029 |
//! | `(?i)` `(?s)` `(?m)` `\A` `\z` `[[:alpha:]]` | regex-syntax's meaning; JavaScript has none of them |
//! | a character outside the BMP | one character; two to JavaScript without `u` |

use regex_syntax::ast::{
    AssertionKind, Ast, ClassAscii, ClassAsciiKind, ClassBracketed, ClassPerl, ClassPerlKind, ClassSet, ClassSetItem,
    Flag, Flags, FlagsItem, FlagsItemKind, Group, GroupKind, Literal, LiteralKind, RepetitionKind, RepetitionRange,
    Span,
};

use super::{MAX_PARTS, PatternError, PatternFault};

/// The weight of a class that may need many states in UTF-8.
const WIDE: u64 = 2;

/// Gives a tree JavaScript's meaning where the two differ, and measures it.
pub(super) fn adapt(tree: &mut Ast) -> Result<(), PatternError> {
    let span = *tree.span();
    match walk(tree)? {
        ..=MAX_PARTS => Ok(()),
        _ => Err(refused(&span, PatternFault::TooManyParts(MAX_PARTS))),
    }
}

/// Rewrites below a node, and counts its parts with its repetitions written out.
fn walk(node: &mut Ast) -> Result<u64, PatternError> {
    match node {
        Ast::Empty(_) | Ast::Flags(_) => Ok(0),
        Ast::Dot(_) | Ast::ClassUnicode(_) => Ok(WIDE),
        Ast::Literal(literal) => character(literal).map(|()| 1),
        Ast::Assertion(assertion) => {
            let span = assertion.span;
            match assertion.kind {
                AssertionKind::WordBoundaryStartAngle => *node = verbatim(span, '<'),
                AssertionKind::WordBoundaryEndAngle => *node = verbatim(span, '>'),
                AssertionKind::StartLine
                | AssertionKind::EndLine
                | AssertionKind::StartText
                | AssertionKind::EndText => {}
                _ => *node = in_ascii(span, node.clone()),
            }
            Ok(1)
        }
        Ast::ClassPerl(class) => {
            let kind = ClassSet::Item(perl(class));
            *node = Ast::class_bracketed(ClassBracketed { span: class.span, negated: false, kind });
            Ok(WIDE)
        }
        Ast::ClassBracketed(class) => set(&mut class.kind).map(|()| WIDE),
        Ast::Group(group) => walk(&mut group.ast),
        Ast::Repetition(repetition) => {
            let times = match repetition.op.kind {
                RepetitionKind::ZeroOrOne | RepetitionKind::ZeroOrMore | RepetitionKind::OneOrMore => 1,
                RepetitionKind::Range(RepetitionRange::Exactly(most) | RepetitionRange::Bounded(_, most)) => most,
                RepetitionKind::Range(RepetitionRange::AtLeast(least)) => least.saturating_add(1),
            };
            // An empty part is still written out: `(){1000000}` is large too.
            Ok(walk(&mut repetition.ast)?.max(1).saturating_mul(times.into()))
        }
        Ast::Alternation(alternation) => sum(&mut alternation.asts),
        Ast::Concat(concat) => sum(&mut concat.asts),
    }
}

fn sum(nodes: &mut [Ast]) -> Result<u64, PatternError> {
    nodes.iter_mut().try_fold(0_u64, |sum, node| Ok(sum.saturating_add(walk(node)?)))
}

fn character(literal: &Literal) -> Result<(), PatternError> {
    match literal.kind {
        LiteralKind::Octal if literal.c != '\0' || literal.span.end.offset - literal.span.start.offset > 2 => {
            Err(refused(&literal.span, PatternFault::Backreference))
        }
        _ => Ok(()),
    }
}

fn set(class: &mut ClassSet) -> Result<(), PatternError> {
    match class {
        ClassSet::Item(item) => set_item(item),
        ClassSet::BinaryOp(operation) => Err(refused(&operation.span, PatternFault::ClassOperator)),
    }
}

fn set_item(item: &mut ClassSetItem) -> Result<(), PatternError> {
    match item {
        ClassSetItem::Empty(_) | ClassSetItem::Ascii(_) | ClassSetItem::Unicode(_) => Ok(()),
        ClassSetItem::Literal(literal) => character(literal),
        ClassSetItem::Range(range) => character(&range.start).and_then(|()| character(&range.end)),
        ClassSetItem::Perl(class) => {
            *item = perl(class);
            Ok(())
        }
        ClassSetItem::Bracketed(class) => Err(refused(&class.span, PatternFault::ClassInClass)),
        ClassSetItem::Union(union) => union.items.iter_mut().try_for_each(set_item),
    }
}

/// Converts `\d` and `\w` to the ASCII classes that they are in JavaScript. `\s` is the same in both dialects.
fn perl(class: &ClassPerl) -> ClassSetItem {
    let kind = match class.kind {
        ClassPerlKind::Digit => ClassAsciiKind::Digit,
        ClassPerlKind::Word => ClassAsciiKind::Word,
        ClassPerlKind::Space => return ClassSetItem::Perl(class.clone()),
    };
    ClassSetItem::Ascii(ClassAscii { span: class.span, kind, negated: class.negated })
}

/// Wraps a part in `(?-u:x)`.
fn in_ascii(span: Span, inner: Ast) -> Ast {
    let item = |kind| FlagsItem { span, kind };
    let items = vec![item(FlagsItemKind::Negation), item(FlagsItemKind::Flag(Flag::Unicode))];
    let kind = GroupKind::NonCapturing(Flags { span, items });
    Ast::group(Group { span, kind, ast: Box::new(inner) })
}

fn verbatim(span: Span, c: char) -> Ast {
    Ast::literal(Literal { span, kind: LiteralKind::Superfluous, c })
}

fn refused(span: &Span, what: PatternFault) -> PatternError {
    PatternError { what, offset: span.start.offset }
}
