//! A place in a session: everything that another instance needs to resume there.
//!
//! Written `g1 SEQUENCE SESSION [URL]`. Anything else, such as a cursor of the other transport or of a later version,
//! is not a place, and a new session is started.

/// The most bytes of a session's id (32 were observed) and of its URL in a cursor.
const SESSION: usize = 256;
const URL: usize = 512;

/// The last event that was returned, and the session that continues after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) session: String,
    /// The number of the last event.
    pub(crate) sequence: u64,
    /// The URL at which Discord wants the session resumed; `None` if it named no usable one.
    pub(crate) url: Option<String>,
}

impl Place {
    /// Returns a place in a session; `None` if its id is invalid. An unusable URL is left out, and the configured one
    /// is used.
    pub(crate) fn new(session: &str, sequence: u64, url: Option<&str>) -> Option<Self> {
        let is_usable = |url: &&str| super::is_usable(url) && is_word(url, URL);
        let url = url.map(|url| url.trim_end_matches('/')).filter(is_usable).map(str::to_owned);
        is_word(session, SESSION).then(|| Self { session: session.to_owned(), sequence, url })
    }

    /// Parses a cursor.
    pub(crate) fn read(cursor: &str) -> Option<Self> {
        let mut words = cursor.split(' ');
        if words.next() != Some(VERSION) {
            return None;
        }
        let sequence = words.next()?.parse().ok()?;
        let (session, url) = (words.next()?, words.next());
        if words.next().is_none() { Self::new(session, sequence, url) } else { None }
    }

    /// Formats a cursor.
    pub(crate) fn write(&self) -> String {
        let Self { session, sequence, url } = self;
        let cursor = format!("{VERSION} {sequence} {session} {}", url.as_deref().unwrap_or_default());
        cursor.trim_end().to_owned()
    }
}

const VERSION: &str = "g1";

fn is_word(text: &str, most: usize) -> bool {
    (1..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_read_as_it_was_written() {
        for (cursor, url) in [("g1 7 abc wss://x.discord.gg", Some("wss://x.discord.gg")), ("g1 0 a-b_c", None)] {
            let place = Place::read(cursor).unwrap();
            assert_eq!((place.write().as_str(), place.url.as_deref()), (cursor, url));
        }
    }

    #[test]
    fn what_is_no_place_starts_anew() {
        let long = format!("g1 7 {}", "x".repeat(257));
        for cursor in ["", "100:200,101:201", "g1", "g1 x abc", "g1 -1 abc", "g1 7", "g2 7 abc", "g1 7 a b c", &long] {
            assert_eq!(Place::read(cursor), None, "{cursor}");
        }
    }

    #[test]
    fn a_url_that_cannot_be_used_is_left_out_and_the_longest_place_fits() {
        let long = format!("wss://{}.gg", "x".repeat(600));
        for url in ["", "https://x.gg", "wss://x.gg/?a=b", "wss://{secret:bot-token}", "wss://", &long] {
            assert_eq!(Place::new("abc", 7, Some(url)).unwrap().url, None, "{url}");
        }
        let url = format!("wss://{}", "x".repeat(506));
        let longest = Place::new(&"s".repeat(256), u64::MAX, Some(&url)).unwrap();
        assert!(longest.url.is_some() && longest.write().len() <= 1024);
        assert_eq!(Place::read(&longest.write()), Some(longest));
    }
}
