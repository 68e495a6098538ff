//! Finds tokens by their shape, and the secret parts of URLs.

use super::table::{count, split};
use super::values::is_placeholder;
use super::{Secret, begins_word, run};

mod begins;

use begins::begin;

/// Prefixes that only tokens have. At least ten letters, digits, `_` and `-` have to follow, so that a truncated token
/// is masked too.
const PREFIXES: [&str; count(WRITTEN, b' ')] = split(WRITTEN, b' ');
const WRITTEN: &str = "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ glpat- gldt- glrt- glptt- gloas- glcbt- glimt- glft- glagent- glsoat- \
    glffct- GR1348941 ATBB ATATT ATCTT sk-ant- sk-proj- sk-svcacct- sk-or-v1- sk_live_ sk_test_ rk_live_ rk_test_ \
    whsec_ rzp_live_ rzp_test_ xoxa- xoxb- xoxc- xoxd- xoxe- xoxe. xoxo- xoxp- xoxr- xoxs- xapp- GOCSPX- ya29. npm_ \
    pypi- rubygems_ CLOJARS_ dckr_pat_ dckr_oat_ dop_v1_ doo_v1_ dor_v1_ shpat_ shpca_ shppa_ shpss_ lin_api_ \
    lin_oauth_ figd_ ntn_ secret_ PMAK- PMAT- NRAK- NRII- NRJS- NRBR- hvs. hvb. hvr. glsa_ glc_ dp.st. dp.pt. dp.ct. \
    dp.sa. dp.scim. dp.audit. fo1_ fm1r_ fm2_ sbp_ sb_secret_ vcp_ vci_ vca_ vcr_ vck_ pscale_tkn_ pscale_pw_ \
    pscale_oauth_ HRKU- AGE-SECRET-KEY- ops_ sntrys_ sntryu_ dt0c01. phx_ phs_ tskey- CFPAT- sgp_ nfp_ rnd_ xkeysib- \
    xsmtpsib- nvapi- lsv2_pt_ lsv2_sk_ tvly- jina_ e2b_ pplx- r8_ SG. sq0atp- sq0csp- sq0idp- SWMTKN- EZAK EZTK tfp_ \
    FLWSECK- pat-na1- pat-eu1- amzn.mws. mfa. dapi gsk_ xai- ctx7sk- syt_ zpka_ sl. bkua_ cio-";

/// The minimum number of following characters for prefixes with which ten could be a name.
const LENGTHS: &str = "ATATT=16 ATBB=20 ATCTT=16 EZAK=40 EZTK=40 GR1348941=16 SG.=16 cio-=30 dapi=28 e2b_=24 fm2_=20 glc_=20 gsk_=20 \
    jina_=20 mfa.=20 nfp_=20 npm_=24 ntn_=20 ops_=24 phs_=20 phx_=20 pypi-=24 r8_=24 rnd_=20 secret_=30 sgp_=20 \
    sl.=40 syt_=20 tfp_=30 vca_=20 vci_=20 vck_=20 vcp_=20 vcr_=20 xai-=20";

/// Prefixes that are not only those of tokens: a digit has to follow, and at least this number of characters.
const WEAK: [(&str, usize); 17] = [
    ("sk-", 20),  // OpenAI, Anthropic, DeepSeek
    ("hf_", 20),  // Hugging Face
    ("key-", 24), // Mailgun
    ("AIza", 30), // Google
    ("AKIA", 16), // AWS
    ("ASIA", 16),
    ("ABIA", 16),
    ("ACCA", 16),
    ("LTAI", 12), // Alibaba
    ("AKID", 16), // Tencent
    ("SK", 32),   // Twilio
    ("1//0", 20), // Google
    ("s.", 24),   // Vault
    ("tok_", 20),
    ("pat", 40), // Airtable
    ("live_", 30),
    ("fc-", 28), // Firecrawl
];

/// URLs whose rest is a secret.
const WEBHOOKS: [&str; 9] = [
    "hooks.slack.com/services/", "hooks.slack.com/workflows/", "hooks.slack.com/triggers/", "/api/webhooks/",
    "hooks.zapier.com/hooks/catch/", "/webhookb2/", "outlook.office.com/webhook/", "/open-apis/bot/v2/hook/",
    "/with/key/",
];

/// Prefixes of password hashes, as `crypt` and others write them.
const CRYPT: [&str; 14] = [
    "$1$", "$2$", "$2a$", "$2b$", "$2y$", "$5$", "$6$", "$7$", "$y$", "$apr1$", "$argon2", "$scrypt$", "$pbkdf2",
    "$gy$",
];

const PEM_BEGIN: &str = "-----BEGIN ";
const PEM_END: &str = "-----END ";

pub(super) fn find(text: &str, secrets: &mut Vec<Secret>) {
    let (mut at, mut next) = (0, 0);
    while let Some(start) = begin(text, at) {
        at = start + 1;
        let Some(character) = text.get(start..).and_then(|rest| rest.chars().next()).filter(|_| start >= next) else {
            continue;
        };
        let found = match character {
            '-' => private_key(text, start),
            ':' => user_info(text, start),
            '/' | 'h' | 'o' => webhook(text, start),
            '$' => crypt(text, start),
            '.' => terraform(text, start),
            _ => None,
        };
        let found = found.or_else(|| token(text, start, character, &mut next));
        if let Some(secret) = found {
            next = secret.end;
            secrets.push(secret);
        }
        at = at.max(next);
    }
}

/// Returns the token that starts here. If a run contains none, `next` is moved past it, so that no run is searched
/// again from its middle.
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
    let (start, least, strong) = match prefix(rest) {
        Some((prefix, least)) => (at + prefix.len(), least, true),
        None => {
            let (prefix, least) = WEAK.iter().find(|(prefix, _)| rest.starts_with(prefix))?;
            (at + prefix.len(), *least, false)
        }
    };
    let mut end = run(text, start, is_token_byte);
    if end - start >= least.min(10) || rest.starts_with("SG.") {
        // Some tokens have parts that a dot separates.
        while text.as_bytes().get(end) == Some(&b'.') && run(text, end + 1, is_token_byte) - end > 8 {
            end = run(text, end + 1, is_token_byte);
        }
    }
    if end - start < least {
        return None;
    }
    *next = end;
    let token = text.get(start..end)?;
    let has_digit = token.bytes().any(|byte| byte.is_ascii_digit());
    // A lower-case name with separators continues as a name does.
    let is_name = token.bytes().all(|byte| byte.is_ascii_lowercase() || matches!(byte, b'_' | b'-'))
        && token.contains(['_', '-']);
    let hex = !rest.starts_with("SK") || token.bytes().all(|byte| byte.is_ascii_hexdigit());
    ((strong && !is_name || has_digit) && hex).then_some(at..end)
}

/// Returns the prefix of a token, and the minimum number of characters that have to follow.
fn prefix(text: &str) -> Option<(&'static str, usize)> {
    const LEAST: usize = 10;
    let prefix = PREFIXES.into_iter().find(|prefix| text.starts_with(prefix))?;
    let least = LENGTHS.split(' ').filter_map(|entry| entry.split_once('=')).find(|(known, _)| *known == prefix);
    Some((prefix, least.and_then(|(_, least)| least.parse().ok()).unwrap_or(LEAST)))
}

/// Returns the hash of a password.
fn crypt(text: &str, at: usize) -> Option<Secret> {
    let rest = text.get(at..)?;
    let mark = CRYPT.iter().find(|mark| rest.starts_with(**mark))?;
    let start = at + mark.len();
    let end = run(text, start, |byte| byte.is_ascii_alphanumeric() || b"./$=,+*".contains(&byte));
    (end - start >= 8).then_some(start..end)
}

/// Returns a token of Terraform Cloud: 14 characters, `.atlasv1.` and the rest.
fn terraform(text: &str, dot: usize) -> Option<Secret> {
    let start = dot + text.get(dot..)?.strip_prefix(".atlasv1.").map(|_| 9)?;
    let before = text.get(..dot)?.bytes().rev().take(20).take_while(u8::is_ascii_alphanumeric).count();
    Some(dot - before..run(text, start, is_token_byte))
}

/// Returns a Telegram bot token: 8 to 10 digits, `:` and 35 characters. In URLs, the word `bot` is directly before it.
fn telegram(text: &str, at: usize, next: &mut usize) -> Option<Secret> {
    if at.checked_sub(1).and_then(|before| text.as_bytes().get(before)).is_some_and(u8::is_ascii_digit) {
        return None;
    }
    let colon = run(text, at, |byte| byte.is_ascii_digit());
    *next = colon;
    if !(8..=10).contains(&(colon - at)) || text.as_bytes().get(colon) != Some(&b':') {
        return None;
    }
    let end = run(text, colon + 1, is_token_byte);
    (end - colon > 35).then_some(at..end)
}

/// Returns a JSON web token, or a Discord bot token (24 to 28, 6 or 7, and 27 or more characters).
fn dotted(text: &str, at: usize) -> Option<Secret> {
    let dot = |at: usize| text.as_bytes().get(at) == Some(&b'.');
    let is_web = text.get(at..)?.starts_with("eyJ");
    // This runs for every word in a run, so the length is limited.
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

/// Returns the inside of a private key in PEM, or the rest of the text or of the quotation if its end is missing.
fn private_key(text: &str, at: usize) -> Option<Secret> {
    let label = text.get(at..)?.strip_prefix(PEM_BEGIN)?;
    let near = label.bytes().take(64 + 5).position(|byte| byte == b'-');
    let label_end = near.filter(|end| label.get(*end..).is_some_and(|rest| rest.starts_with("-----")))?;
    let kind = label.get(..label_end)?;
    if !["PRIVATE KEY", "PRIVATE KEY BLOCK", "Static key V1", "OpenSSH KEY"].iter().any(|secret| kind.ends_with(secret))
    {
        return None;
    }
    let start = at + PEM_BEGIN.len() + label_end + 5;
    let rest = text.get(start..)?;
    let end = rest.find(['"', '\'', '`']).unwrap_or(rest.len());
    let end = start + rest.get(..end)?.find(PEM_END).unwrap_or(end);
    Some(start..end)
}

/// Returns the password in `scheme://user:password@host`, or a long user name without a password.
fn user_info(text: &str, colon: usize) -> Option<Secret> {
    const LONGEST: usize = 512;
    let start = colon + text.get(colon..)?.strip_prefix("://").map(|_| 3)?;
    let is_word = |byte: u8| !byte.is_ascii_whitespace() && !b"\"'<`\\".contains(&byte);
    let bytes = text.as_bytes().get(start..)?;
    let word = bytes.iter().take(LONGEST).take_while(|byte| is_word(**byte)).count();
    let word = text.get(start..text.floor_char_boundary(start + word))?;
    let authority = word.split(['/', '?', '#']).next()?;
    let info = match (authority.rfind('@'), authority.find(':')) {
        (Some(at), _) => authority.get(..at)?,
        // A password may contain an unescaped slash: the text between the colon and the slash is then not a port.
        (None, Some(colon)) if !authority.get(colon + 1..)?.bytes().all(|byte| byte.is_ascii_digit()) => {
            word.get(..word.rfind('@').filter(|at| !word.get(..*at).is_some_and(|info| info.contains("://")))?)?
        }
        _ => return None,
    };
    match info.find(':') {
        // The name is the secret in `https://X:@host` and `https://X:x-oauth-basic@host`.
        Some(colon) if colon > 0 && matches!(info.get(colon + 1..)?, "" | "x-oauth-basic") => {
            Some(start..start + colon)
        }
        Some(colon) => {
            let password = info.get(colon + 1..)?;
            (!is_placeholder(password)).then_some(start + colon + 1..start + info.len())
        }
        None => (info.len() >= 20 && !is_placeholder(info)).then_some(start..start + info.len()),
    }
}

fn webhook(text: &str, at: usize) -> Option<Secret> {
    let rest = text.get(at..)?;
    let start = at + WEBHOOKS.iter().find(|address| rest.starts_with(**address))?.len();
    let end = run(text, start, |byte| is_token_byte(byte) || byte == b'/' || byte == b'*');
    Some(start..end)
}

const fn is_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
}
