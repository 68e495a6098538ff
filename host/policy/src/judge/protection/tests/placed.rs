//! Words in which `find` and `xargs` put what they find in place of a placeholder.

use super::lines;
use crate::Decision;

#[test]
fn a_placeholder_may_stand_in_every_word_that_is_not_known() {
    lines(
        Decision::AskUser,
        &[
            "find ../home/me/.claude/dm-plz -name gateway.token -exec cat ./{,x}{} \\;",
            "find .. -name gateway.token -exec cat ./{,x}{} \\;",
            "find .claude -name gateway.token -exec cat ~/{,x}{} \\;",
            "cd / && find home/me/.claude/dm-plz -name gateway.token -exec cat /{,x}{} \\;",
            "x='{}'; find ../home/me/.claude/dm-plz -name gateway.token -exec cat \"./$x\" \\;",
            "x='}'; find ../home/me/.claude/dm-plz -name gateway.token -exec cat \"./{$x\" \\;",
            "find ../home/me/.claude/dm-plz -name gateway.token -exec cat ./* \\;",
            "find src -maxdepth 0 -exec cat \"{}$x\" \\;",
            "find src -maxdepth 0 -exec cat {}{/../../home/me/.claude/dm-plz/gateway.token,x} \\;",
            "find link -maxdepth 0 -exec cat {}/gateway.token \\;",
            "find . -maxdepth 1 -exec cat {}/gateway.token \\;",
            "find src -maxdepth 1 -exec cat {}{} \\;",
            "find src -maxdepth 1 -exec cat {}/../x \\;",
        ],
    );
    lines(
        Decision::Allow,
        &[
            "find src -name a -exec cat {}/README.md \\;",
            "find src -name '*.rs' -exec cat {} {}.orig \\;",
            "find src -name '*.rs' -exec grep -n \"a b\" {} README.md \\;",
            "find src -name '*.rs' -exec cat src/{a,b}.md {} \\;",
        ],
    );
}
