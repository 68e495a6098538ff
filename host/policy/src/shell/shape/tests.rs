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
        Part::Any | Part::Unquoted(_) => "…".to_owned(),
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
        ("ls ${HOME%/*}/x", "…/x | …"),
        ("ls ${x:?a}/y", "…/y | …"),
        ("ls \"${x:?}/y\"", "…/y"),
        ("ls ${x:?é}${x:-é}", "… | …é | …"),
        ("ls \"${x-}/y\"", "…/y"),
        ("ls \"${x:-}/y\"", "…/y"),
        ("ls \"${x:+é}/y\"", "…/y | é/y"),
        ("ls \"{${x-a}/y\"", "{…/y | {a/y"),
        ("ls \"${x#/a}/y\"", "…/y"),
        ("ls ${HOME:-/x}/y", "…/y | … | /x/y"),
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
        ("ls ***/x", "**/x | …/x"),
        ("ls a/{b,c{d,e}}/f", "a/b/f | a/cd/f | a/ce/f"),
        ("ls a{1..3}", "a* | a{1..3}"),
        ("ls a{-1..3..2}", "a* | a{-1..3..2}"),
        ("ls a{.../}b", "a*b | a…b | a{.../}b"),
        ("ls a{-..0}b", "a*b | a…b | a{-..0}b"),
        ("ls a{\"$x\"..z}b", "a*b | a…b | a{…..z}b"),
        ("ls a{b", "a{b"),
        ("ls 'a{b,c}'*", "a{b,c}*"),
        ("ls a{b,\"c,d\"}", "ab | ac,d"),
        ("ls $(x)/y", "…/y | …"),
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
        ("ls `x`/y", "…/y | …"),
        ("x=a; ls $x/y", "a/y"),
        ("x=a; x=b; ls $x/y", "a/y | b/y"),
        ("x=a; y=$x/b; ls \"$y/c\"", "a/b/c"),
        ("x='a b'; ls $x/y", "…/y | …"),
        ("x='a b'; ls \"$x/y\"", "a b/y"),
        ("x='.cl*'; ls $x/y", ".cl*/y"),
        ("x='**'; ls $x/y", "**/y"),
        ("x='*'; ls $x*/y", "**/y"),
        ("x='**'; ls a$x/y", "a*/y"),
        ("x=a; x+=b; ls $x/y", "a/y | …/y | b/y | …"),
        ("x+=b; ls \"$x/y\"", "…/y | b/y"),
        ("x=a; export x+=b; ls $x/y", "a/y | b/y | …/y | …"),
        ("x=ab; x[1]=c; ls $x/y", "ab/y | …/y | c/y | …"),
        ("x='[a-z]b'; ls $x/y", "…/y | …"),
        ("x='a\\b*'; ls $x/y", "…/y | …"),
        ("x='b]'; ls a[$x/y", "a[…/y | …"),
        ("x='[a]\\b'; ls \"$x/y\"", "[a]\\b/y"),
        ("IFS=X; x=aXb; ls $x/y", "…/y | …"),
        ("IFS=X; x=aXb; ls \"$x/y\"", "aXb/y"),
        ("for f in a b; do ls $f/y; done", "a/y | b/y"),
        ("for f in a*; do ls \"$f\"; done", "a*"),
        ("x=a; read x; ls $x/y", "…/y | …"),
        ("HOME=x; ls $HOME/y", "x/y"),
        ("ls $y/z", "…/z | …"),
        ("ls $?x", "*x"),
        ("x=$x; ls \"$x/y\"", "…/y"),
    ] {
        assert_eq!(shown(line), expected, "{line}");
    }
}

#[test]
fn an_expansion_that_is_split_may_be_any_words() {
    for (line, expected) in [
        ("ls \"$(x)/y\"", "…/y"),
        ("ls \"`x`/y\"", "…/y"),
        ("ls \"$y/z\"", "…/z"),
        ("ls \"${y%/}/z\"", "…/z"),
        ("ls \"${y:-a b}/z\"", "…/z | a b/z"),
        ("ls \"${y:-$@}/z\"", "…/z | …"),
        ("ls \"${y:-${x:+\"$@\"}}/z\"", "…/z | …"),
        ("ls \"$@\"/z", "…/z | …"),
        ("ls \"${@}/z\"", "…/z | …"),
        ("ls \"${@:2}/z\"", "…/z | …"),
        ("ls \"$*/z\"", "…/z"),
        ("ls \"$1/z\"", "…/z"),
        ("ls $1/z", "…/z | …"),
        ("ls \"${y[0]}/z\"", "…/z"),
        ("ls \"${y[@]}/z\"", "…/z | …"),
        ("ls \"${y[@]%/}/z\"", "…/z | …"),
        ("ls \"${#y[@]}/z\"", "…/z"),
        ("ls \"${!y}/z\"", "…/z | …"),
        ("ls a$y", "a… | …"),
        ("ls --a=$y/z", "--a=…/z | …"),
        ("ls {$y,a}/z", "…/z | … | a/z"),
        ("ls *$y/z", "*…/z | …"),
        ("ls $HOME/$y", "<HOME>/… | …"),
        ("ls $PWD/z", "<PWD>/z | …"),
        ("ls \"$PWD/z\"", "<PWD>/z"),
        ("ls $OLDPWD/z", "…/z | …"),
        ("ls $((1))/z", "…/z"),
        ("ls $#/z", "*/z"),
        ("for d in */; do ls $d/z; done", "…/z | …"),
        ("for d in */; do ls \"$d/z\"; done", "*//z"),
        ("for d in $x/y; do ls \"$d/z\"; done", "…/y/z | …/z"),
        ("y=$x/b; ls \"$y/c\"", "…/b/c"),
        ("x='a b'; y=$x/c; ls \"$y/d\"", "a b/c/d"),
        ("x='*'; y=$x/c; ls \"$y/d\"", "*/c/d"),
        ("x='a b'; y=$x/c; ls $y/d", "…/d | …"),
        ("x='a b'; export y=$x/c; ls \"$y/d\"", "…/d"),
        ("y=$@/c; ls \"$y/d\"", "…/c/d"),
        ("x=~/a; ls $x/b", "~/a/b"),
        ("x=~/a; ls \"..$x/b\"", "..~/a/b | ..…/b"),
        ("x=~/a; y=$x/b; ls \"..$y/c\"", "..~/a/b/c | ..…/c"),
        ("git() { x; }; ls $(git rev-parse HEAD)/y", "…/y | …"),
        ("x='*'; ls **$x/y", "**/y | …/y"),
        ("ls a***/y", "a*/y"),
        ("ls a/***/y", "a/**/y | a/…/y"),
    ] {
        assert_eq!(shown(line), expected, "{line}");
    }
}

#[test]
fn a_script_that_changes_what_separates_words_splits_numbers_and_names_as_well() {
    for (line, expected) in [
        ("IFS=:; ls $((1))/y", "…/y | …"),
        ("IFS=:; ls $[1]/y", "…/y | …"),
        ("IFS=:; ls ${#x}/y", "*/y | …"),
        ("IFS=:; ls $?/y", "*/y | …"),
        ("IFS=:; ls $HOME/y", "<HOME>/y | …"),
        ("export IFS=/; ls $HOME/y", "<HOME>/y | …"),
        ("for IFS in /; do ls $HOME/y; done", "<HOME>/y | …"),
        ("IFS=a; ls $(git rev-parse HEAD)..y", "#..y | …"),
        ("IFS=a; ls \"$(git rev-parse HEAD)..y\"", "#..y"),
        ("IFS=a; ls \"$((1))/y\" ", "…/y"),
        ("IFS=a; ls \"$HOME/y\"", "<HOME>/y"),
        ("IFS=a; ls \"$x\"/*.rs", "…/*.rs"),
        ("IFS=a; ls */y", "*/y"),
    ] {
        assert_eq!(shown(line), expected, "{line}");
    }
}

#[test]
fn values_of_values_are_not_counted_without_end() {
    let level = |name: char, next: char| format!("{name}=${next}; {name}=$({next})/a; ").repeat(8);
    let script: String = "abcdefghij".chars().zip("bcdefghijk".chars()).map(|(a, b)| level(a, b)).collect();
    assert_eq!(shown(&format!("{script} ls -- \"$a/x\"")), "--");
}
