use super::*;

mod commands;
mod properties;
mod texts;

/// Checks the masked form of each text, and that masking it again changes nothing.
fn turn_into(table: &[(&str, &str)]) {
    let masked = table.iter().map(|(text, expected)| (mask(text), *expected));
    let wrong: Vec<_> = masked.filter(|(masked, expected)| masked.as_str() != *expected).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(table.iter().all(|(_, expected)| mask(expected).as_str() == *expected), "masking twice is masking once");
}

/// Checks that nothing in the texts is masked.
fn stay(table: &[&str]) {
    let masked: Vec<_> =
        table.iter().map(|text| (mask(text), *text)).filter(|(masked, text)| masked.as_str() != *text).collect();
    assert!(masked.is_empty(), "{masked:#?}");
}

const HEX40: &str = "3f786850e387550fdab836ed7e6dc881de23001b";

/// Texts as people write them, and their masked forms.
#[test]
fn secrets_are_masked_and_the_words_around_them_stay() {
    let jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c";
    let pem = "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nIBAAKC\n-----END RSA PRIVATE KEY-----";
    let table: &[(&str, &str)] = &[
        // Values of secret keys.
        ("token=abc", "token=****"),
        ("no: token=abcdefghijkl, try again", "no: token=abcd********, try again"),
        ("api_key: abc-123", "api_key: ****"),
        ("the API key: abc-123.", "the API key: ****."),
        ("password: hunter2", "password: ****"),
        ("(password: hunter2)", "(password: ****)"),
        ("db_password = correct-horse-battery", "db_password = corr********"),
        ("MYSQL_PWD=x PGPASSWORD=y", "MYSQL_PWD=**** PGPASSWORD=****"),
        ("accessToken => 'abc def'", "accessToken => '****'"),
        ("clientSecret := \"abc\"", "clientSecret := \"****\""),
        (r#"{"secret":"x","user":"kim"}"#, r#"{"secret":"****","user":"kim"}"#),
        (r#"{\"token\":\"abc\"}"#, r#"{\"token\":\"****\"}"#),
        (r#"config["token"] = "abc""#, r#"config["token"] = "****""#),
        ("**password**: hunter2", "**password**: ****"),
        ("Authorization: Bearer abc", "Authorization: Bearer ****"),
        ("curl -H 'Authorization: Basic dXNlcjpwYXNz' x", "curl -H 'Authorization: Basic dXNl********' x"),
        ("x-api-key: abc1", "x-api-key: ****"),
        ("Cookie: session=abc; a=b\nok", "Cookie: sess********\nok"),
        ("passphrase: correct horse battery", "passphrase: corr********"),
        ("비밀번호: hunter2 쓰지 마세요", "비밀번호: **** 쓰지 마세요"),
        ("토큰=abc", "토큰=****"),
        ("API 키: abc-123", "API 키: ****"),
        ("密码：hunter2", "密码：****"),
        ("パスワード: hunter2", "パスワード: ****"),
        ("password=\"unclosed secret words\nnext line", "password=\"uncl********\nnext line"),
        // Values in a sentence, or after a flag.
        ("the password is hunter2, stop", "the password is ****, stop"),
        ("비밀번호는 hunter2 입니다", "비밀번호는 **** 입니다"),
        ("mysql --password hunter2", "mysql --password ****"),
        ("send Bearer abc123def456 there", "send Bearer abc1******** there"),
        // Values in URLs.
        ("https://user:pass@host/path", "https://user:****@host/path"),
        ("postgres://app:p@ss:word1234@db:5432/x", "postgres://app:p@ss********@db:5432/x"),
        ("https://aaaaaaaaaabbbbbbbbbb@git.example/x", "https://aaaa********@git.example/x"),
        ("https://x.example/?page=2&access_token=abc&z=1#top", "https://x.example/?page=2&access_token=****&z=1#top"),
        ("https://hooks.slack.com/services/T00/B00/XXX now", "https://hooks.slack.com/services/**** now"),
        ("https://discord.com/api/webhooks/123/abcdefgh", "https://discord.com/api/webhooks/123/********"),
        // Known shapes.
        ("use sk-ant-api03-abcdefghijklmnop1234 here", "use sk-a******** here"),
        ("sk-proj-abcdefghijklmnop1234", "sk-p********"),
        ("ghp_abcdefghijklmnopqrstuvwxyz0123456789", "ghp_********"),
        ("gho_abcdefghijklmnopqrstuvwxyz0123456789", "gho_********"),
        ("github_pat_11ABCDEFG0abcdefghijkl_abc", "gith********"),
        ("glpat-abcdefghij1234567890", "glpa********"),
        ("xoxb-123456789012-abcdef xoxa-2-abcdefghij xoxp-1-abcdefghij", "xoxb******** xoxa******** xoxp********"),
        ("AKIAIOSFODNN7EXAMPLE ASIAIOSFODNN7EXAMPLE", "AKIA******** ASIA********"),
        ("AIzaSyA-1234567890abcdefghijklmnopqrstu", "AIza********"),
        ("ya29.a0AfH6SMBx1234567890abc", "ya29********"),
        ("hf_abcdefghijklmnopqrstuvwxyz12345678", "hf_a********"),
        ("npm_abcdefghijklmnopqrstuvwxyz0123456789", "npm_********"),
        ("pypi-AgEIcHlwaS5vcmcCJGFiY2RlZjAxMjM0NTY3ODkwYWJjZGVm", "pypi********"),
        ("dop_v1_0123456789abcdef0123456789abcdef", "dop_********"),
        ("sk_live_abcdefghij1234 rk_live_abcdefghij1234", "sk_l******** rk_l********"),
        ("bot 123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1", "bot 1234********"),
        (
            "https://api.telegram.org/bot123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1/getMe",
            "https://api.telegram.org/bot1234********",
        ),
        ("MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs", "MTk4********"),
        (jwt, "eyJh********"),
        (pem, "-----BEGIN RSA PRIVATE KEY-----\nMII********-----END RSA PRIVATE KEY-----"),
        ("-----BEGIN PRIVATE KEY-----\nMIIEow", "-----BEGIN PRIVATE KEY-----****"),
        // Long hex and base64.
        ("it was 0123456789abcdef0123456789abcdef", "it was 0123********"),
        ("key 3F786850E387550FDAB836ED7E6DC881DE23001B!", "key 3F78********!"),
        ("k3Jd8sLq/0vPzX7mWnB2cT5yR9uHf1gAeQ4iVoKx", "k3Jd********"),
        ("AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "AWS_SECRET_ACCESS_KEY=wJal********"),
        ("dGhpcyBpcyBhIHNlY3JldCB2YWx1ZSBmb3IgdGVzdHMgMTIz==", "dGhp********"),
        ("q7x2m9k4w8z1p6n3r5t0v2b8c4d7f1g9h3j6l5s0", "q7x2********"),
    ];
    turn_into(table);
}

#[test]
fn a_hash_stays_where_git_is_spoken_of_and_not_where_a_key_is() {
    let readable = [
        format!("commit {HEX40}"),
        format!("please revert {HEX40} first"),
        format!("look at `{HEX40}`"),
        format!("git reset --hard {HEX40}"),
        format!("git diff {HEX40}..{HEX40}"),
        format!("커밋 {HEX40}를 되돌리세요"),
        format!("https://github.com/a/b/commit/{HEX40}"),
        format!("uses: actions/checkout@{HEX40}"),
        format!("sha256:{HEX40}0123456789abcdef01234567"),
        format!("md5 checksum {}", &HEX40[..32]),
        "fixed in 3f78685 and in 3f786850e387".to_owned(),
    ];
    for text in readable {
        assert_eq!(mask(&text).as_str(), text);
    }
    for (text, expected) in [
        (format!("token={HEX40}"), "token=3f78********"),
        (format!("token at {HEX40}"), "token at 3f786850e387550fdab836ed7e6dc881de23001b"),
        (format!("it leaked {HEX40}"), "it leaked 3f78********"),
        (format!("commit {HEX40}00"), "commit 3f78********"),
        (format!("commit_token: {HEX40}"), "commit_token: 3f78********"),
    ] {
        assert_eq!(mask(&text).as_str(), expected);
    }
}

#[test]
fn text_without_secrets_is_unchanged() {
    let table = [
        "",
        "No, use the staging database instead.",
        "위험해 보입니다. 먼저 테스트를 돌려 주세요!",
        "비밀번호: 평문으로 쓰지 마세요",
        "토큰은 환경 변수에서 읽으세요",
        "不要在生产环境里运行这个命令。密码：不要写在代码里",
        "そのコマンドは実行しないでください",
        "The token: it is in the vault",
        "Don't log the secret: please rotate it",
        "the password is required here",
        "the --token option of this tool",
        "two tokens: one to read, one to write; max_tokens=4096",
        "pass: 12, fail: 3",
        "author: Kim; bypass: no; tokenizer: bpe",
        "/home/user/project/src/components/AuthenticationProvider/index.test.tsx",
        "rm -rf ./node_modules/.cache/babel-loader/development/0123456789",
        "C:\\Users\\kim\\AppData\\Local\\Temp\\build-2026-11-22T01-32-07",
        "PWD=/home/user/project",
        "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
        "/tmp/6ba7b810-9dad-11d1-80b4-00c04fd430c8/6ba7b811-9dad-11d1-80b4-00c04fd430c8",
        "https://docs.rs/serde_json/1.0.140/serde_json/value/enum.Value.html#method.as_str",
        "https://github.com/anthropics/claude-code/issues/12345?page=2&sort=updated",
        "ssh://git@github.com/a/b.git and postgres://app@db:5432/x",
        "version 1.2.3-rc.1+build.20261122 of x86_64-unknown-linux-gnu",
        "a_very_long_snake_case_name_that_goes_on_and_on_2",
        "AVeryLongCamelCaseNameThatGoesOnAndOnForever2",
        "a-very-long-kebab-case-name-that-goes-on-and-on-2026-11-22",
        "SCREAMING_SNAKE_CASE_WITH_NUMBERS_1_AND_2_AND_3",
        "getHTTPResponseCodeFromURLForUserID2AndRetry3Times",
        "donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
        "12345678901234567890123456789012345678901234567890",
        "--------------------------------------------------",
        "token: $TOKEN, secret=${SECRET}, password=<password>, api_key: {api_key}, token=null",
        "fn login(token: string, password: String)",
        "let token = Token::new();".split(" = ").next().unwrap_or_default(),
        "at 12:30:45, ratio 3:1, a==b, x=1",
        "npm i && npm test -- --watch=false",
        "sk-learn, hf_hub and npm_config are names",
        "NSArray.Objective.C",
        "sha512-oPqrstUvwxYz0123456789AbCdEfGhIjKlMnOpQrStUvWxYz==",
    ];
    stay(&table);
}

#[test]
fn a_mask_is_serialised_as_the_text() {
    assert_eq!(serde_json::to_string(&mask("token=abc")).unwrap(), r#""token=****""#);
}
