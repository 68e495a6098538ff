//! Checks that no input overflows the stack or takes long to parse.

use std::time::{Duration, Instant};

use super::super::read;
use crate::shell::{MAX_CHARS, Unclear};

/// The size of the test's stack in bytes; the hook has 8 MiB.
const STACK: usize = 2 << 20;

const OPENERS: &[&str] = &[
    "(", "( ", "$(", "{ ", "`", "if a; then ", "\"$(", "((", "$((", "[[ (", "case a in b) ", "${a:-", "${a:-${",
    "\"${a:-", "<(", "a=(", "a[", "${a[", "$[", "while a; do ", "for a in b; do ", "f() { ", "function f ", "coproc ",
    "! ", "time ", "eval ", "env ", "sh -c '", "sudo ", "xargs ", "a | ", "a && ", "a <<E ", "<<E\n$(", "\\", "'",
    "\"", "$'", "a;", "case a in (", "esac ", "} ", ") ", "`\\`", "$(`", "\"`\"", "[[ $(", "((a[", "for ((;;)) do ",
    "until ", "a() ", "select a in b; do ", "{a,", "find . -exec ",
];

#[test]
fn nesting_never_overflows_the_stack() {
    let read_all = || {
        for opener in OPENERS {
            for line in
                [opener.repeat(MAX_CHARS / opener.len()), opener.repeat(200), format!("a {}", opener.repeat(60))]
            {
                let start = Instant::now();
                let script = read(&line);
                assert!(start.elapsed() < Duration::from_secs(2), "{opener:?} takes {:?}", start.elapsed());
                drop(script);
            }
        }
        for first in OPENERS {
            for second in OPENERS {
                drop(read(&format!("{first}{second}").repeat(100)));
            }
        }
    };
    std::thread::Builder::new().stack_size(STACK).spawn(read_all).unwrap().join().unwrap();
}

#[test]
fn what_is_too_long_or_too_deep_is_unclear() {
    for (line, unclear) in [
        ("a".repeat(MAX_CHARS), None),
        ("é".repeat(MAX_CHARS), None),
        ("a".repeat(MAX_CHARS + 1), Some(Unclear::TooLong)),
        (format!("{}a{}", "$(".repeat(20), ")".repeat(20)), None),
        (format!("{}a{}", "$(".repeat(60), ")".repeat(60)), Some(Unclear::TooDeep)),
        (format!("{}a{}", "{ ".repeat(60), ";}".repeat(60)), Some(Unclear::TooDeep)),
        ("a\0b".to_owned(), Some(Unclear::Syntax)),
    ] {
        assert_eq!(read(&line).unclear, unclear, "{}", line.len());
    }
}
