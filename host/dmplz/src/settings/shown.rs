//! Formats values for people, in `dmplz config` and in errors.
//!
//! | kind | shown |
//! |---|---|
//! | secret of 20 characters or more | its last three characters, which distinguish two tokens and reveal nothing |
//! | shorter secret | only that it is set |
//! | URL | without a user and password in it |
//! | anything else | unchanged, with anything that looks like a secret masked: a token may be in the wrong variable |

use dmplz_core::redact::mask;
use dmplz_core::visible::visible_line;

use super::Kind;

/// The shortest secret of which any part is shown.
const LONG: usize = 20;
/// The number of characters that are shown.
const TAIL: usize = 3;

/// Returns the visible form of a value.
pub(crate) fn as_shown(kind: Kind, value: &str) -> String {
    match kind {
        Kind::Secret => hidden(value),
        Kind::Url | Kind::SocketUrl => visible_line(&mask(&without_user(value)).to_string()),
        Kind::Number(..)
        | Kind::Duration(..)
        | Kind::Text
        | Kind::Path
        | Kind::List
        | Kind::Word(_)
        | Kind::Transport(_) => visible_line(&mask(value).to_string()),
    }
}

/// Returns the visible form of a secret.
pub(crate) fn hidden(value: &str) -> String {
    let count = value.chars().count();
    let tail: String = value.chars().skip(count.saturating_sub(TAIL)).collect();
    if count < LONG { "****".to_owned() } else { visible_line(&format!("****{tail}")) }
}

fn without_user(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").map_or(("", url), |(scheme, rest)| (scheme, rest));
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at_checked(end).unwrap_or((rest, ""));
    let authority = authority.rsplit_once('@').map_or(authority.to_owned(), |(_, host)| format!("****@{host}"));
    let separator = if scheme.is_empty() { "" } else { "://" };
    format!("{scheme}{separator}{authority}{path}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_secret_is_shown() {
        let token = "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw0";
        for (kind, value, shown) in [
            (Kind::Secret, token, "****aw0"),
            (Kind::Secret, "short-secret", "****"),
            (Kind::Secret, "", "****"),
            (Kind::Url, "http://user:hunter2@proxy:8080/x@y", "http://****@proxy:8080/x@y"),
            (Kind::Url, "user:hunter2@proxy", "****@proxy"),
            (Kind::Url, "https://api.telegram.org", "https://api.telegram.org"),
            (Kind::Text, "-1001234567890", "-1001234567890"),
            (Kind::Text, "123456789012345678", "123456789012345678"),
            (Kind::List, "7, *", "7, *"),
            (Kind::Path, "/home/ann/.claude/dm-plz/x.jsonl", "/home/ann/.claude/dm-plz/x.jsonl"),
            (Kind::Text, "a\u{1b}[31mb", "a␛[31mb"),
        ] {
            assert_eq!(as_shown(kind, value), shown, "{value:?}");
        }
        let misplaced = as_shown(Kind::Text, token);
        assert!(!misplaced.contains("AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw0"), "{misplaced}");
    }
}
