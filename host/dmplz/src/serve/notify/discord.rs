//! An incoming webhook of Discord. Nobody is mentioned, no link gets a preview, and no text of a notice is markup.

use std::sync::Arc;
use std::time::Duration;

use dmplz_core::notify::{discord_cost, escaped_for_discord};
use dmplz_core::redact::mask;
use dmplz_core::visible::visible_line;
use dmplz_gateway::notices::{Deliver, Outgoing, Undelivered};
use dmplz_plugin::{Endpoint, EndpointReply, Network, Secret};
use serde_json::{Value, json};

use super::{REPLY, endpoint, refused, undelivered};

/// The longest content of a message, as Discord counts it.
const CONTENT: usize = 2_000;
/// What stands around title and body: two pairs of stars and a line end.
const AROUND: usize = 5;
/// `SUPPRESS_EMBEDS` and `SUPPRESS_NOTIFICATIONS`.
const NO_PREVIEWS: u64 = 1 << 2;
const NO_SOUND: u64 = 1 << 12;
/// The most characters of what Discord says of an error.
const SAID: usize = 200;

/// One webhook.
pub(super) struct Discord {
    endpoint: Endpoint,
    /// The name that is shown, and the URL of its picture.
    face: [Option<String>; 2],
    flags: u64,
}

impl Discord {
    pub(super) fn new(
        network: &Arc<Network>,
        url: Option<&Secret>,
        thread: Option<&str>,
        face: [Option<String>; 2],
        silent: bool,
    ) -> Result<Self, String> {
        let url = url.ok_or("its URL is not set")?.expose();
        let (path, query) = url.split_once('?').unwrap_or((url, ""));
        // `wait` lets Discord answer only once the message is there. The URL's own parameters, such as a thread, stay.
        let thread = thread.map(|id| format!("thread_id={id}"));
        let parts = ["wait=true", query, thread.as_deref().unwrap_or_default()];
        let query = parts.iter().filter(|part| !part.is_empty()).copied().collect::<Vec<_>>().join("&");
        let endpoint = endpoint(network, Some(Secret::new(format!("{path}?{query}"))))?;
        let flags = if silent { NO_PREVIEWS | NO_SOUND } else { NO_PREVIEWS };
        Ok(Self { endpoint, face, flags })
    }

    fn body(&self, outgoing: &Outgoing) -> Value {
        let fitted = outgoing.notice.fit(CONTENT - AROUND, discord_cost, outgoing.lang);
        let (title, text) = (escaped_for_discord(&fitted.title), escaped_for_discord(&fitted.body));
        let mut body = json!({
            "content": format!("**{title}**\n{text}").trim_end(),
            "allowed_mentions": { "parse": [] },
            "flags": self.flags,
        });
        for (key, shown) in ["username", "avatar_url"].into_iter().zip(&self.face) {
            if let (Some(body), Some(shown)) = (body.as_object_mut(), shown) {
                body.insert(key.to_owned(), shown.as_str().into());
            }
        }
        body
    }
}

impl Deliver for Discord {
    async fn deliver(&self, outgoing: &Outgoing) -> Result<(), Undelivered> {
        let body = self.body(outgoing).to_string().into_bytes();
        let reply = self.endpoint.post(&[], body, REPLY).await.map_err(|error| undelivered(&error))?;
        if (200..300).contains(&reply.status) {
            return Ok(());
        }
        let (said, wait) = explained(&reply);
        Err(refused(&reply, said, wait))
    }
}

/// What Discord says of an error, and how long to wait: `{"message": ..., "retry_after": seconds}`.
fn explained(reply: &EndpointReply) -> (Option<String>, Option<Duration>) {
    let Ok(body) = serde_json::from_slice::<Value>(&reply.body) else { return (None, None) };
    let said = body.get("message").and_then(Value::as_str);
    let said = said.map(|said| visible_line(mask(said).as_str()).chars().take(SAID).collect());
    let wait = body.get("retry_after").and_then(Value::as_f64);
    (said, wait.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()))
}

#[cfg(test)]
mod tests {
    use dmplz_core::notify::{EventKind, Notice, Occurrence};
    use dmplz_core::text::Lang;

    use super::*;

    fn outgoing(title: &str, body: &str) -> Outgoing {
        Outgoing {
            uid: "0".repeat(32),
            notice: Notice { title: title.to_owned(), body: body.to_owned() },
            occurrence: Occurrence::new(EventKind::Stop, "1".into(), 0),
            count: 1,
            lang: Lang::En,
            now_ms: 0,
        }
    }

    #[test]
    fn no_text_is_markup_or_a_mention_and_the_whole_is_as_long_as_discord_takes() {
        let url = Secret::new("https://discord.com/api/webhooks/1/hunter2");
        let face = ["dmplz", "https://a.test/b.png"].map(|shown| Some(shown.to_owned()));
        let discord = Discord::new(&Arc::default(), Some(&url), Some("77"), face, false).unwrap();
        insta::assert_snapshot!(discord.body(&outgoing("A tool failed", "Bash: @everyone **x** <@1> [a](b)")), @r#"{"content":"**A tool failed**\nBash\\: \\@everyone \\*\\*x\\*\\* \\<\\@1\\> \\[a\\]\\(b\\)","allowed_mentions":{"parse":[]},"flags":4,"username":"dmplz","avatar_url":"https://a.test/b.png"}"#);
        let long = discord.body(&outgoing("A tool failed", &"*한".repeat(3_000)));
        let content = long["content"].as_str().unwrap();
        let units = content.encode_utf16().count();
        assert!((1_950..=CONTENT).contains(&units), "{units}");
        assert!(content.ends_with(r"characters left out\)"), "{content}");
    }

    #[test]
    fn the_threads_id_and_the_urls_own_parameters_are_kept_and_the_url_is_never_shown() {
        let url = Secret::new("https://discord.com/api/webhooks/1/hunter2?thread_id=5");
        let discord = Discord::new(&Arc::default(), Some(&url), None, [None, None], true).unwrap();
        assert_eq!(discord.body(&outgoing("A tool failed", ""))["flags"], 4 + 4096, "and it makes no sound");
        assert_eq!(discord.endpoint.origin(), "https://discord.com");
        assert!(!format!("{:?}", discord.endpoint).contains("hunter2"));
    }
}
