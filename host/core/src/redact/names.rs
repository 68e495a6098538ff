//! Decides by a name whether its value is a secret.
//!
//! A name is compared without its case and its separators: `DB_PASSWORD`, `dbPassword` and `db.password` are equal. Its
//! suffix decides ([`SUFFIXES`]), even with a number or an environment after it (`TOKEN_2`, `passwordProd`).

use super::table::{Pairs, Table, slot};

/// A list of words for lookups.
pub(super) struct Words {
    pub(super) by_slot: Table<&'static str>,
    pub(super) by_last_byte: Table<&'static str>,
}

impl Words {
    pub(super) fn has(&self, word: &str) -> bool {
        self.by_slot.of(slot(word)).contains(&word)
    }

    /// Returns the first of the words that the name ends with.
    fn end(&self, name: &str) -> Option<&'static str> {
        self.by_last_byte.of(*name.as_bytes().last()?).iter().find(|word| name.ends_with(**word)).copied()
    }
}

/// Returns the number of each word: its last byte, or its [`slot`].
#[allow(clippy::indexing_slicing, reason = "evaluated when the program is compiled: it would not compile")]
pub(super) const fn numbers<const N: usize>(words: [&str; N], by_last_byte: bool) -> [u8; N] {
    let (mut numbers, mut at) = ([0; N], 0);
    while at < N {
        let word = words[at];
        numbers[at] = if by_last_byte { word.as_bytes()[word.len() - 1] } else { slot(word) };
        at += 1;
    }
    numbers
}

/// Creates a list from words that are separated by spaces.
macro_rules! words {
    ($words:expr) => {{
        use $crate::redact::names::{Words, numbers};
        use $crate::redact::table::{Table, count, sorted, split};

        const COUNT: usize = count($words, b' ');
        const WORDS: [&str; COUNT] = split($words, b' ');
        const BY_SLOT: ([&str; COUNT], [usize; 257]) = sorted(WORDS, numbers(WORDS, false));
        const BY_LAST_BYTE: ([&str; COUNT], [usize; 257]) = sorted(WORDS, numbers(WORDS, true));
        Words {
            by_slot: Table { things: &BY_SLOT.0, starts: &BY_SLOT.1 },
            by_last_byte: Table { things: &BY_LAST_BYTE.0, starts: &BY_LAST_BYTE.1 },
        }
    }};
}
pub(super) use words;

/// The suffixes of names of secrets, in lower case and without separators.
static SUFFIXES: Words = words!(
    "token secret password passwd passcode passwort passphrase apikey accesskey accesskeyid \
    secretkey privatekey privkey signingkey encryptionkey authkey sharedkey presharedkey psk accountkey masterkey \
    sessionkey sessionid subscriptionkey functionskey applicationkey appkey licensekey credential credentials secrets \
    passwords bindpw rootpw adminpw requirepass masterauth secretstring secretvalue pincode otpcode securitycode \
    recoverycode backupcode motdepasse contrasena contraseña senha пароль 비밀번호 비번 암호 패스워드 토큰 시크릿 비밀키 \
    개인키 인증키 액세스키 api키 密码 密碼 口令 令牌 密钥 パスワード トークン 秘密鍵"
);

/// Short names that mean nothing as the suffix of a longer word (`bypass`), and little by themselves (`pass: 12`).
static WORDS: Words = words!("pass pw pwd auth otp totp jwt sig creds cred passkey");

/// Words that end with `pass` and are not the name of a password.
static PASSES: Words = words!(
    "bypass compass trespass encompass onepass multipass singlepass twopass firstpass lowpass highpass \
    bandpass overpass underpass subpass renderpass"
);

/// Names whose value continues to the end of the line.
static LINES: Words = words!("cookie cookies passphrase seedphrase recoveryphrase mnemonic");

/// Suffixes that may follow the name of a secret.
static TAILS: Words = words!(
    "prod production dev development staging stage test testing live sandbox local old new current \
    previous next primary secondary backup default main base value val hash pem b64 base64 hex raw plain plaintext \
    text string confirm confirmation again repeat verify encoded encrypted"
);

/// Words that make a name in capitals one of a secret at any position in it: `TOKEN_GITHUB`.
static INNER: Words = words!("PASSWORD PASSWD PASSPHRASE SECRET TOKEN APIKEY CREDENTIAL CREDENTIALS");

/// The suffixes of such a name whose value is about a secret but is not one.
static ABOUT: Words = words!(
    "COUNT COUNTS LIMIT LENGTH LEN SIZE FILE PATH DIR NAME ID TYPE TTL EXPIRY EXPIRES EXPIRATION \
    TIMEOUT URL URI ENDPOINT HOST PORT USER ENABLED DISABLED REQUIRED POLICY PROMPT STDIN FIELD HEADER PROVIDER MANAGER \
    STORE BACKEND MODE METHOD ALGORITHM ALG VERSION ROTATION DAYS HOURS MINUTES SECONDS MAX MIN BUDGET USAGE WINDOW \
    ISSUER AUDIENCE SCOPE SCOPES ARN REF KIND FORMAT PREFIX SUFFIX REGEX PATTERN ENV VAR CMD COMMAND HELPER SERVICE \
    REGION LOCATION AGE INTERVAL RATE TOKENS"
);

/// The prefixes of long options that no secret follows.
static SWITCHES: Words = words!(
    "no without skip with use ask prompt generate show hide disable enable require reset allow \
    print list rotate force validate check change"
);

/// The number of bytes of a name that are compared.
const LONGEST: usize = 64;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Name {
    /// Its value is a secret.
    Secret,
    /// Its value is a secret if it is given with `=`, or has a letter and a digit.
    Perhaps,
    /// Its value is a secret if it has a letter and a digit.
    Made,
    /// Its value is a secret if it is four to eight digits.
    Digits,
    /// Its value is a scheme, which stays, and a secret.
    Authorization,
    /// The rest of the line is a secret.
    Line,
}

/// Returns the kind of the name that ends at `end`. `None` if it marks no secret.
pub(super) fn ending_at(text: &str, end: usize) -> Option<Name> {
    let start = text.ceil_char_boundary(end.saturating_sub(LONGEST));
    let name = text.get(start..end)?.trim_end_matches([' ', '\t', '"', '\'', '`', '\\', '*', ']']);
    of(name)
}

/// Returns the kind of a name. The text may contain words before it: `the API key`.
pub(super) fn of(name: &str) -> Option<Name> {
    if !may_say(name) {
        return None;
    }
    let joined = joined(name);
    let ident = last_identifier(name);
    let word = ident.rsplit(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default().to_ascii_lowercase();
    if LINES.end(&joined).is_some() {
        Some(Name::Line)
    } else if joined.ends_with("authorization") {
        Some(Name::Authorization)
    } else if SUFFIXES.end(&joined).is_some()
        || word == "bearer"
        || SUFFIXES.end(without_tails(&self::joined(ident))).is_some()
    {
        Some(Name::Secret)
    } else if WORDS.has(&word) || is_pass(&word) || is_inner(ident) {
        Some(Name::Perhaps)
    } else {
        (word == "pin").then_some(Name::Digits)
    }
}

/// Returns whether the whole text is the name of a secret, as in `{"name": "DB_PASSWORD", "value": ...}`.
pub(super) fn is_secret(name: &str) -> bool {
    name.len() <= LONGEST && name.split_whitespace().count() <= 3 && of(name).is_some()
}

/// Returns whether it is the name of a secret and cannot be a word of a sentence: `aws_secret_access_key`, `API_TOKEN`.
pub(super) fn is_key(name: &str) -> bool {
    let is_made = |c: char| matches!(c, '_' | '-' | '.' | ':' | '/');
    let capital = name.len() > 2 && !name.bytes().any(|byte| byte.is_ascii_lowercase());
    let camel = name.chars().skip(1).any(|c| c.is_ascii_uppercase());
    (capital || camel || name.contains(is_made)) && !name.contains(char::is_whitespace) && is_secret(name)
}

/// Returns whether it is the name of a header that is also an ordinary word.
pub(super) fn is_header(name: &str) -> bool {
    ["authorization", "proxy-authorization", "cookie"].iter().any(|header| name.eq_ignore_ascii_case(header))
}

/// Returns the kind of a long option, by its name without dashes.
pub(super) fn option(name: &str) -> Option<Name> {
    let first = name.split(['-', '_']).next().unwrap_or_default();
    if name.len() < 3 || name.len() > LONGEST || (first.len() < name.len() && SWITCHES.has(first)) {
        return None;
    }
    of(name)
}

/// Returns whether it is the name of an option that makes a program read a secret from its input: `password-stdin`.
pub(super) fn is_stdin_option(name: &str) -> bool {
    let of_secret = |secret: &str| of(secret).is_some();
    name == "with-token" || name.strip_suffix("-stdin").or(name.strip_prefix("stdin-")).is_some_and(of_secret)
}

/// Returns whether the end of the name is one that the lists contain. The last two bytes rule out most names.
fn may_say(name: &str) -> bool {
    let mut letters = name.bytes().rev().filter(|byte| !matches!(byte, b'_' | b'-' | b'.' | b' '));
    let (Some(last), Some(first)) = (letters.next(), letters.next()) else { return false };
    // A name in capitals may count because of a word within it, a number may follow any name, and other scripts have
    // lower-case forms of their own.
    if !last.is_ascii() || !first.is_ascii() || last.is_ascii_uppercase() || last.is_ascii_digit() {
        return true;
    }
    ENDS.has(first.to_ascii_lowercase(), last)
}

/// The last two bytes of the names in the lists.
static ENDS: Pairs = {
    let mut ends = Pairs::none();
    let mut lists: &[&[&str]] = &[
        SUFFIXES.by_slot.things,
        LINES.by_slot.things,
        TAILS.by_slot.things,
        WORDS.by_slot.things,
        &["authorization", "bearer", "pass", "pwd", "pin"],
    ];
    while let [words, others @ ..] = lists {
        let mut words = *words;
        while let [word, more @ ..] = words {
            if let [.., first, last] = word.as_bytes() {
                ends.add(*first, *last);
            }
            words = more;
        }
        lists = others;
    }
    ends
};

/// Returns the name in lower case, without separators.
fn joined(name: &str) -> String {
    let is_letter = |c: &char| !matches!(c, '_' | '-' | '.' | ' ');
    if name.is_ascii() {
        name.chars().filter(is_letter).map(|c| c.to_ascii_lowercase()).collect()
    } else {
        name.chars().filter(is_letter).collect::<String>().to_lowercase()
    }
}

fn last_identifier(name: &str) -> &str {
    name.rsplit(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))).next().unwrap_or_default()
}

/// Returns the name without a number and an environment after it.
fn without_tails(joined: &str) -> &str {
    let tail = |name: &str| TAILS.end(name).map(str::len).filter(|length| *length < name.len());
    (0..2).fold(joined, |name, _| {
        let name = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let name = name.strip_suffix('v').filter(|_| joined.ends_with(|c: char| c.is_ascii_digit())).unwrap_or(name);
        name.get(..name.len() - tail(name).unwrap_or(0)).unwrap_or(name)
    })
}

fn is_pass(word: &str) -> bool {
    let ends = word.ends_with("pass") && !PASSES.has(word);
    ends || (word.ends_with("pwd") && word != "oldpwd")
}

fn is_inner(ident: &str) -> bool {
    let capital = ident.contains('_') && !ident.bytes().any(|byte| byte.is_ascii_lowercase());
    let last = ident.rsplit('_').next().unwrap_or_default();
    capital && !ABOUT.has(last) && ident.split('_').any(|word| INNER.has(word))
}
