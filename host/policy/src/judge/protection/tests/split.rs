//! Expansions outside quotes, which the shell splits into words: with `x='TOKEN z'`, `cat $x/y` reads `TOKEN`.

use super::lines;
use crate::Decision;

#[test]
fn an_expansion_outside_quotes_may_be_several_words() {
    lines(
        Decision::AskUser,
        &[
            "x='/home/me/.claude/dm-plz/gateway.token z'; cat $x/y",
            "x='/home/me/.claude/dm-plz/gateway.token z'; cat ${x}/y",
            "x='/home/me/.claude/dm-plz/gateway.token z'; cat ${x%/}/y",
            "x='/home/me/.claude/dm-plz/gateway.token z'; cat ${x[0]}/y",
            "x='/home/me/.claude/dm-plz/gateway.token z'; y=$x/a; cat $y/b",
            "x='/home/me/.claude/dm-plz/gateway.token z'; for d in $x/y; do cat \"$d\"; done",
            "x='/home/me/.claude/dm-plz/gateway.token z'; for d in $x/y; do cat $d/y; done",
            "x='/home/me/.claude/dm-plz/gateway.token z'; for d in $x/y; do e=$d; cat \"$e\"; done",
            "x='/home/me/.claude/dm-plz/gateway.token z'; export y=$x/a; cat \"$y\"",
            "x='/home/me/.claude/dm-plz/gateway.token z'; cat \"a\"/$x/y",
            "x='/home/me/.claude/dm-plz/gateway.token z'; cat {$x,a}/y",
            "x='/home/me/.claude/dm-plz/gateway.token z'; cat *$x/y",
            "x='a /home/me/.claude/dm-plz/gateway.token z'; cat $HOME$x/y",
            "x='a /home/me/.claude/dm-plz/gateway.token z'; cat $HOME/src/$x/y",
            "x='a /home/me/.claude/dm-plz/gateway.token z'; cat \"$HOME\"$x/y",
            "x='a /home/me/.claude/dm-plz/gateway.token z'; cat --file=$x/y",
            "x='a /home/me/.claude/dm-plz/gateway.token z'; cat -n$x/y",
            "cat $(echo /home/me/.claude/dm-plz/gateway.token z)/y",
            "cat `echo /home/me/.claude/dm-plz/gateway.token z`/y",
            "cat $(cat a)/README.md",
            "cat $x/README.md",
            "head -3 ${x:-a b}/README.md",
            "head -3 ${x//:/ }/README.md",
            "cat $1/y $2/z",
            "cat $@/y",
            "cat $*/y",
            "set -- ~/.claude/dm-plz/gateway.token z; cat \"$@\"/y",
            "set -- ~/.claude/dm-plz/gateway.token z; cat \"${@:1}/y\"",
            "set -- ~/.claude/dm-plz/gateway.token z; cat \"${y:-$@}/y\"",
            "set -- ~/.claude/dm-plz/gateway.token z; cat \"${y:-a${z:-\"$@\"}}/y\"",
            "cat \"${x[@]}/y\"",
            "cat \"${x[@]%/}/y\"",
            "cat ${x[@]}/y",
            "cat \"${!x}/y\"",
            "for d in */; do cat $d/t; done",
            "for d in src/*; do cat $d/t; done",
            "for d in 'a /home/me/.claude/dm-plz/gateway.token z'; do cat $d/t; done",
            "while read d; do cat $d/t; done",
            "cd $x/a && cat gateway.token",
            "cat < $(echo a b)/y",
            "mkdir $x/y",
            "grep x $x/README.md",
            "mytool --out=$x/y",
            "git() { echo a b; }; cat $(git rev-parse HEAD)/y",
        ],
    );
}

#[test]
fn the_value_of_an_option_outside_quotes_may_be_more_operands() {
    lines(
        Decision::AskUser,
        &[
            "x='1 /home/me/.claude/dm-plz/gateway.token'; head -n $x a",
            "head -n $(cat a) b",
            "head -n `cat a` -- b",
            "tail -n $(wc -l < a) b",
            "diff -U $(cat a) b c",
            "cut -f $(cat a) b",
            "nl -w ${x} b",
            "jq --indent $(cat a) . b",
            "grep -m $x y b",
            "cp -S $x a b",
            "grep -ve ~/.claude/dm-plz/*",
            "head -n \"$@\" a",
        ],
    );
    lines(
        Decision::Allow,
        &[
            "head -n \"$(cat a)\" b",
            "head -n \"$x\" b",
            "n=5; head -n $n b",
            "head -n \"$((1 + 2))\" b",
            "head -n $# b",
            "ls -I $(cat a)",
            "for n in 1 2; do head -n $n b; done",
        ],
    );
}

#[test]
fn the_folder_in_which_the_shell_is_may_have_a_blank_in_its_name() {
    lines(
        Decision::AskUser,
        &[
            "cat $PWD/README.md",
            "cat $PWD",
            "cat ${PWD}/README.md",
            "cat $OLDPWD/README.md",
            "cd 'a /home/me/.claude/dm-plz/gateway.token z' && cat $PWD/README.md",
        ],
    );
    lines(Decision::Allow, &["cat \"$PWD/README.md\"", "cat \"$PWD\"/*.md", "cat \"$OLDPWD/README.md\""]);
}

#[test]
fn a_name_of_three_stars_leads_through_links() {
    lines(Decision::AskUser, &["cat ***/gateway.token", "cat src/***/log", "x='*'; cat **$x/log"]);
    lines(Decision::Allow, &["cat **/README.md", "cat ***/README.md", "cat src/a***/README.md"]);
}

#[test]
fn what_the_shell_does_not_split_is_one_word() {
    lines(
        Decision::Allow,
        &[
            "x='a b'; cat \"$x/y\"",
            "x=src; cat $x/main.rs",
            "x=src; y=$x/a; cat \"$y/main.rs\"",
            "x='a b'; y=$x/c; cat \"$y/d\"",
            "y=$(echo a)/c; cat \"$y/d\"",
            "cat \"$(echo x)/README.md\" \"$(echo x)\"/README.md",
            "cat \"`echo x`/README.md\"",
            "cat \"$x\"/README.md \"${x%/}/README.md\" \"${x:-a b}/README.md\"",
            "cat \"$1/README.md\" \"$*/README.md\" \"${x[0]}/README.md\" \"${#x[@]}/README.md\"",
            "cat $HOME/README.md ${HOME}/src/*.rs",
            "cat $#.txt $?.txt $$.txt \"$x\"/$#.txt",
            "cat $((1 + 2))/README.md",
            "for f in src/*.rs; do cat \"$f\" \"$f/x\"; done",
            "for d in */; do cat \"$d/README.md\"; done",
            "for d in a b; do cat $d/README.md; done",
            "cat */t src/*/t",
            "case $x/y in a) cat b;; esac",
            "if [[ -f $x/y ]]; then cat b; fi",
            "cd \"$(echo a)\" && cat README.md",
            "cd $(echo a) && cat README.md",
            "ls $x/a $(echo a)/b \"$y\"",
        ],
    );
}

#[test]
fn a_home_directory_that_a_variable_holds_may_stand_behind_other_text() {
    lines(
        Decision::AskUser,
        &[
            "x=~/.claude; cat \"..$x/dm-plz/gateway.token\"",
            "x=~/.claude/dm-plz/gateway.token; cat \"..$x\"",
            "x=~/.claude; cat \"..${x}/dm-plz/gateway.token\"",
            "x=~me/.claude; cat \"..$x/dm-plz/gateway.token\"",
            "x=~/.claude; y=..$x; cat \"$y/dm-plz/gateway.token\"",
            "x=~/.claude; y=$x/dm-plz; cat \"$PWD/..$y/gateway.token\"",
            "for x in ~/.claude; do cat \"..$x/dm-plz/gateway.token\"; done",
            "x=~/.claude; cd \"..$x/dm-plz\" && cat gateway.token",
            "x=~; touch \"..$x/.claude/settings.json\"",
        ],
    );
    lines(
        Decision::Allow,
        &["x=~/src; cat \"$x/README.md\"", "x=~/src; y=$x/a; cat \"$y/b\"", "x=~/src; cat \"..$x/README.md\""],
    );
}

#[test]
fn the_folder_that_a_variable_holds_is_the_one_of_its_assignment() {
    lines(
        Decision::AskUser,
        &[
            "cd ~/.claude/dm-plz && x=$PWD && cd /work && cat \"$x/gateway.token\"",
            "cd ~/.claude/dm-plz && x=$PWD/gateway && cd /work && cat \"$x.token\"",
            "cd ~/.claude/dm-plz && for x in \"$PWD\"; do cd /work && cat \"$x\"/gateway*; done",
            "cd ~/.claude && x=$PWD && y=$x/dm-plz && cd /work && cat \"$y/gateway.token\"",
        ],
    );
    lines(
        Decision::Allow,
        &[
            "x=$PWD; cat \"$x/gateway.token\"",
            "for f in \"$PWD\"/src/*.rs; do cat \"$f\"; done",
            "x=$PWD; cd src && cat \"$x/README.md\"",
        ],
    );
}

#[test]
fn a_range_of_characters_may_contain_a_slash() {
    lines(
        Decision::AskUser,
        &[
            "cat ..{.../}home/me/.claude/dm-plz/gateway.token",
            "cat {-..0}home/me/.claude/dm-plz/gateway.token",
            "cat ..{$x..$y}home/me/.claude/dm-plz/gateway.token",
            "cat ..{$x}home/me/.claude/dm-plz/gateway.token",
            "cat ..{\".\"../}home/me/.claude/dm-plz/gateway.token",
            "cat ..{{.,x}../}home/me/.claude/dm-plz/gateway.token",
            "cat ..{0...}home/me/.claude/dm-plz/gateway.token",
        ],
    );
    lines(Decision::Allow, &["cat a{1..3}/README.md a{-1..10..2}/README.md a{a..z}/README.md a{b}/README.md*"]);
}

#[test]
fn what_a_project_does_with_a_word_that_may_be_more_is_asked_as_before() {
    lines(
        Decision::AskUser,
        &[
            "npm test -- $x/.claude/settings.json",
            "npm test -- ***",
            "npm test -- {{.,x}}",
            "x=~/.claude; npm test -- ~/.claude/dm-plz/$x",
        ],
    );
}
