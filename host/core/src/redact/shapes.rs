//! Tokens that are known by their shape, and the secret parts of addresses.

use super::{Secret, begins_word, run};

/// Tokens that begin with a word of their issuer: the word, and how many letters, digits, `_` and `-` follow at least.
/// One of them is a digit. Some lengths are below the real ones, so that a token that was cut is masked too.
const PREFIXES: [(&str, usize); 39] = [
    ("sk-", 20),             // OpenAI, Anthropic, DeepSeek
    ("sk_live_", 10),        // Stripe
    ("sk_test_", 10),        //
    ("rk_live_", 10),        //
    ("rk_test_", 10),        //
    ("whsec_", 16),          //
    ("ghp_", 16),            // GitHub
    ("gho_", 16),            //
    ("ghu_", 16),            //
    ("ghs_", 16),            //
    ("ghr_", 16),            //
    ("github_pat_", 16),     //
    ("glpat-", 16),          // GitLab
    ("gldt-", 16),           //
    ("glrt-", 16),           //
    ("xoxa-", 10),           // Slack
    ("xoxb-", 10),           //
    ("xoxe-", 10),           //
    ("xoxo-", 10),           //
    ("xoxp-", 10),           //
    ("xoxr-", 10),           //
    ("xoxs-", 10),           //
    ("xapp-", 10),           //
    ("AKIA", 16),            // AWS
    ("ASIA", 16),            //
    ("AIza", 30),            // Google
    ("ya29.", 20),           //
    ("GOCSPX-", 16),         //
    ("hf_", 20),             // Hugging Face
    ("npm_", 30),            // npm
    ("pypi-", 40),           // PyPI
    ("dop_v1_", 32),         // DigitalOcean
    ("shpat_", 20),          // Shopify
    ("gsk_", 20),            // Groq
    ("xai-", 20),            // xAI
    ("lin_api_", 20),        // Linear
    ("figd_", 20),           // Figma
    ("dckr_pat_", 20),       // Docker
    ("AGE-SECRET-KEY-", 20), // age
];

/// Addresses whose rest is a secret.
const WEBHOOKS: [&str; 3] = ["hooks.slack.com/services/", "/api/webhooks/", "hooks.slack.com/workflows/"];

const PEM_BEGIN: &str = "-----BEGIN ";
const PEM_END: &str = "-----END ";

pub(super) fn find(text: &str, secrets: &mut Vec<Secret>) {
    let mut next = 0;
    for (at, character) in text.char_indices() {
        if at < next {
            continue;
        }
        let found = match character {
            '-' => private_key(text, at),
            ':' => user_info(text, at),
            '/' | 'h' => webhook(text, at),
            _ => None,
        };
        let found = found.or_else(|| token(text, at, character, &mut next));
        if let Some(secret) = found {
            next = secret.end;
            secrets.push(secret);
        }
    }
}

/// The token that starts there. Where a run turns out to hold none, `next` is moved past it, so that no run is looked
/// at again from its middle.
fn token(text: &str, at: usize, first: char, next: &mut usize) -> Option<Secret> {
    if first.is_ascii_digit() {
        return telegram(text, at, next);
    }
    if !first.is_ascii_alphabetic() || !begins_word(text, at) {
        return None;
    }
    let rest = text.get(at..)?;
    if rest.starts_with("eyJ") || rest.starts_with(['M', 'N', 'O']) {
        let dotted = dotted(text, at);
        if dotted.is_some() {
            return dotted;
        }
    }
    let (prefix, least) = PREFIXES.iter().find(|(prefix, _)| rest.starts_with(prefix))?;
    let start = at + prefix.len();
    let end = run(text, start, is_token_byte);
    let has_digit = text.get(start..end)?.bytes().any(|byte| byte.is_ascii_digit());
    if end - start < *least {
        return None;
    }
    *next = end;
    has_digit.then_some(at..end)
}

/// A Telegram bot token: 8 to 10 digits, `:` and 35 characters. In addresses the word `bot` stands right before it.
fn telegram(text: &str, at: usize, next: &mut usize) -> Option<Secret> {
    let colon = run(text, at, |byte| byte.is_ascii_digit());
    *next = colon;
    if !(8..=10).contains(&(colon - at)) || text.as_bytes().get(colon) != Some(&b':') {
        return None;
    }
    let end = run(text, colon + 1, is_token_byte);
    (end - colon > 35).then_some(at..end)
}

/// A JSON web token, or a Discord bot token (24 to 28, 6 or 7, and 27 or more characters).
fn dotted(text: &str, at: usize) -> Option<Secret> {
    let dot = |at: usize| text.as_bytes().get(at) == Some(&b'.');
    let is_web = text.get(at..)?.starts_with("eyJ");
    // Looked at from every word in a run, so with a limit.
    let longest = if is_web { 512 } else { 28 };
    let first = at + text.as_bytes().get(at..)?.iter().take(longest).take_while(|byte| is_token_byte(**byte)).count();
    if !dot(first) {
        return None;
    }
    let second = run(text, first + 1, is_token_byte);
    let third = if dot(second) { run(text, second + 1, is_token_byte) } else { second };
    let web = is_web && first - at >= 10 && second - first > 10;
    let discord = first - at >= 24 && (6..=7).contains(&(second - first - 1)) && third > second + 27;
    (web || discord).then_some(at..third)
}

/// The inside of a private key in PEM, or the rest of the text where its end is missing.
fn private_key(text: &str, at: usize) -> Option<Secret> {
    let label = text.get(at..)?.strip_prefix(PEM_BEGIN)?;
    let label_end = label.find("-----").filter(|end| *end <= 64)?;
    if !label.get(..label_end)?.ends_with("PRIVATE KEY") {
        return None;
    }
    let start = at + PEM_BEGIN.len() + label_end + 5;
    let end = text.get(start..)?.find(PEM_END).map_or(text.len(), |end| start + end);
    Some(start..end)
}

/// The password in `scheme://user:password@host`, or a long name that stands there alone.
fn user_info(text: &str, colon: usize) -> Option<Secret> {
    let start = colon + text.get(colon..)?.strip_prefix("://").map(|_| 3)?;
    let end = run(text, start, |byte| !byte.is_ascii_whitespace() && !b"/?#\"'<>`".contains(&byte));
    let authority = text.get(start..end)?;
    let info = authority.get(..authority.rfind('@')?)?;
    match info.find(':') {
        Some(colon) => Some(start + colon + 1..start + info.len()),
        None => (info.len() >= 20).then_some(start..start + info.len()),
    }
}

fn webhook(text: &str, at: usize) -> Option<Secret> {
    let rest = text.get(at..)?;
    let start = at + WEBHOOKS.iter().find(|address| rest.starts_with(**address))?.len();
    let end = run(text, start, |byte| is_token_byte(byte) || byte == b'/' || byte == b'*');
    Some(start..end)
}

fn is_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
}
