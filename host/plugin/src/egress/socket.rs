//! What a WebSocket may be opened to, and what a frame may carry.
//!
//! | part | rule |
//! |---|---|
//! | URL | as for a request, with `wss` or `ws`; a secret once, in the path |
//! | handshake | the host's `user-agent` and what RFC 6455 wants; no subprotocol, extension, cookie or origin |
//! | frame that leaves | at most 64 KiB of text, secrets filled in or not |
//! | a secret in it | once, as the whole of a JSON string (or of a key), JSON-escaped, towards an origin of the secret |
//! | a placeholder elsewhere | text: words of strangers stand there, and inside of a JSON string their quotes are escaped. Words that are nothing but a placeholder still are one: that is the provider's to avoid |
//! | frame that arrives | holds no secret (`leak`) |

use http::header::{CONNECTION, HOST, HeaderValue, SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_VERSION, UPGRADE, USER_AGENT};
use http::{Request, Uri};
use tokio_tungstenite::tungstenite::handshake::client::generate_key;
use url::Url;

use super::request::{OUR_NAME, split};
use super::{Egress, Origin, Reach, Refusal};

/// Largest frame that leaves, in bytes.
pub(crate) const FRAME: usize = 64 << 10;

const OPENING: &str = "\"{secret:";
const CLOSING: &str = "}\"";

/// The opening of a WebSocket that may be, secrets filled in.
pub(crate) struct Handshake {
    pub(crate) origin: Origin,
    pub(crate) reach: Reach,
    url: Url,
}

impl Egress {
    /// Fills in the URL of a socket that the policy allows.
    pub(crate) fn judge_socket(&self, url: &str) -> Result<Handshake, Refusal> {
        let (origin, rest) = split(url)?;
        if !origin.scheme().is_socket() {
            return Err(Refusal::Malformed("its URL must be absolute, wss or ws"));
        }
        let reach = self.reach(&origin)?;
        let url = self.url(&origin, rest, 0)?;
        Ok(Handshake { origin, reach, url })
    }

    /// Fills in a frame towards an origin; none when it is too large.
    pub(crate) fn frame(&self, frame: String, origin: &Origin) -> Result<Option<String>, Refusal> {
        if frame.len() > FRAME {
            return Ok(None);
        }
        let Some((before, name, after)) = placeholder(&frame) else { return Ok(Some(frame)) };
        if placeholder(after).is_some() {
            return Err(Refusal::SecretMisplaced);
        }
        let value = self.secret(name, origin)?.replace('\\', "\\\\").replace('"', "\\\"");
        let filled = format!("{before}\"{value}\"{after}");
        Ok((filled.len() <= FRAME).then_some(filled))
    }
}

impl Handshake {
    /// What goes on the wire.
    pub(crate) fn to_request(&self) -> Result<Request<()>, Refusal> {
        let malformed = |_| Refusal::Malformed("its URL is none");
        let mut request = Request::new(());
        *request.uri_mut() = self.url.as_str().parse::<Uri>().map_err(malformed)?;
        let own = |text: String| HeaderValue::try_from(text).map_err(|_| Refusal::Malformed("its host is none"));
        let headers = request.headers_mut();
        headers.insert(HOST, own(self.origin.authority())?);
        headers.insert(CONNECTION, HeaderValue::from_static("Upgrade"));
        headers.insert(UPGRADE, HeaderValue::from_static("websocket"));
        headers.insert(SEC_WEBSOCKET_VERSION, HeaderValue::from_static("13"));
        headers.insert(SEC_WEBSOCKET_KEY, own(generate_key())?);
        headers.insert(USER_AGENT, HeaderValue::from_static(OUR_NAME));
        Ok(request)
    }
}

/// The first placeholder that is the whole of a JSON string: what stands before that string, the name, what comes after.
fn placeholder(frame: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    loop {
        let at = from + frame.get(from..)?.find(OPENING)?;
        let (before, found) = frame.split_at_checked(at)?;
        from = at + OPENING.len();
        // An escaped quote ends no string and begins none.
        if before.ends_with('\\') {
            continue;
        }
        let name = found.strip_prefix(OPENING)?;
        let whole = name.split_once(CLOSING).filter(|(name, _)| is_name(name));
        if let Some((name, after)) = whole {
            return Some((before, name, after));
        }
    }
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

#[cfg(test)]
mod tests {
    use super::placeholder;

    #[test]
    fn only_a_whole_json_string_is_a_placeholder() {
        let table = [
            (r#"{"token":"{secret:bot-token}"}"#, Some((r#"{"token":"#, "bot-token", "}"))),
            (r#"["{secret:a}","{secret:b}"]"#, Some(("[", "a", r#","{secret:b}"]"#))),
            (r#""{secret:}""#, None),
            (r#""{secret:{secret:a}""#, None),
            (r#""{secret:A}""#, None),
            (r#"{"name":"x {secret:a}"}"#, None),
            (r#"{"name":"{secret:a} x"}"#, None),
            (r#"{"name":"\"{secret:a}"}"#, None),
            (r#"{"name":"\"{secret:a}\""}"#, None),
            (r#"{"name":"{secret:a\"}"}"#, None),
            (r#"{"name":"{secret:a"}"#, None),
            (r#"{"x":"{secret:a","token":"{secret:b}"}"#, Some((r#"{"x":"{secret:a","token":"#, "b", "}"))),
            (r#"{"x":"\"{secret:a}","token":"{secret:b}"}"#, Some((r#"{"x":"\"{secret:a}","token":"#, "b", "}"))),
            ("{secret:a}", None),
            ("", None),
        ];
        for (frame, found) in table {
            assert_eq!(placeholder(frame), found, "{frame}");
        }
    }
}
