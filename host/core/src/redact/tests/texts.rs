//! Tests of names and values, formats, URLs and tokens.

use super::{stay, turn_into};

#[test]
fn values_are_masked_that_stand_apart_from_their_names() {
    turn_into(&[
        (r#"{"name":"DB_PASSWORD","value":"Letters"}"#, r#"{"name":"DB_PASSWORD","value":"****"}"#),
        (r#"{"value":"Letters","name":"DB_PASSWORD"}"#, r#"{"value":"****","name":"DB_PASSWORD"}"#),
        (r#"{"Key": "api_token", "Value": "a{b"}"#, r#"{"Key": "api_token", "Value": "****"}"#),
        (
            r#"[{"name":"A","value":"b"},{"name":"TOKEN","value":"Letters"}]"#,
            r#"[{"name":"A","value":"b"},{"name":"TOKEN","value":"****"}]"#,
        ),
        (
            r#"{"ParameterKey":"DbPassword","ParameterValue":"Letters"}"#,
            r#"{"ParameterKey":"DbPassword","ParameterValue":"****"}"#,
        ),
        (r#"{"name":"Authorization","value":"Bearer Letters"}"#, r#"{"name":"Authorization","value":"Bear********"}"#),
        ("- name: DB_PASSWORD\n  value: Letters\n", "- name: DB_PASSWORD\n  value: ****\n"),
        ("- value: two words\n  name: DB_PASSWORD\n", "- value: ****\n  name: DB_PASSWORD\n"),
        (
            "- name: A\n  value: b\n- name: TOKEN\n  value: \"Letters\"\n",
            "- name: A\n  value: b\n- name: TOKEN\n  value: \"****\"\n",
        ),
        ("name = \"DB_PASSWORD\"\nvalue = \"Letters\"\n", "name = \"DB_PASSWORD\"\nvalue = \"****\"\n"),
        ("{name: DB_PASSWORD, value: Letters}", "{name: DB_PASSWORD, value: ****}"),
        ("<add key=\"DbPassword\" value=\"Letters\"/>", "<add key=\"DbPassword\" value=\"****\"/>"),
        (
            "<property>\n<name>db.password</name>\n<value>Letters</value>\n</property>",
            "<property>\n<name>db.password</name>\n<value>****</value>\n</property>",
        ),
        ("<key>Password</key>\n<string>Letters</string>", "<key>Password</key>\n<string>****</string>"),
        ("<entry key=\"api-token\">Letters</entry>", "<entry key=\"api-token\">****</entry>"),
        ("<password>two words</password>", "<password>****</password>"),
        ("<user>kim</user><password>Letters</password>", "<user>kim</user><password>****</password>"),
        ("password: |\n  two words\n  more\nuser: kim\n", "password: |\n  two ********\nuser: kim\n"),
        ("password: correct horse staple\nuser: kim", "password: corr********\nuser: kim"),
        (r#"{"password":1234,"user":"kim"}"#, r#"{"password":"****","user":"kim"}"#),
        (r#"{"password":["Letters","Others"]}"#, r#"{"password":["****","****"]}"#),
        (r#"{"token":{"value":"Letters"}}"#, r#"{"token":{"value":"****"}}"#),
        (r#"ser":"kim","password":"Letters","x":1}"#, r#"ser":"kim","password":"****","x":1}"#),
        (
            r#"{"a":"{\"user\":\"kim\",\"password\":\"Letters\"}"}"#,
            r#"{"a":"{\"user\":\"kim\",\"password\":\"****\"}"}"#,
        ),
        (r#"{"password":"a\"b c"}"#, r#"{"password":"****"}"#),
        (r#"{\"password\":\"a b\",\"user\":\"kim\"}"#, r#"{\"password\":\"****\",\"user\":\"kim\"}"#),
        (
            "kind: Secret\nmetadata:\n  name: x\nstringData:\n  user: Letters\n",
            "kind: Secret\nmetadata:\n  name: x\nstringData:\n  user: ****\n",
        ),
        ("password = N'Letters'", "password = N'****'"),
        ("connect(user=\"kim\", password=b\"Letters\")", "connect(user=\"kim\", password=b\"****\")"),
        ("db.password=Letters", "db.password=****"),
        ("spring.datasource.password: Letters", "spring.datasource.password: ****"),
    ]);
}

#[test]
fn secrets_are_masked_where_only_the_format_tells() {
    turn_into(&[
        ("machine h login a password Letters", "machine h login a password ****"),
        ("machine h\n  login a\n  password Letters\n", "machine h\n  login a\n  password ****\n"),
        (r#"machine "h" login "a" password "Letters""#, r#"machine "h" login "a" password "****""#),
        (r#"{"token\\":0}"#, r#"{"token\\":"****"}"#),
        (r#"{"a":"{\"token\\\\\":0}"}"#, r#"{"a":"{\"token\\\\\":\"****\"}"}"#),
        (r#"{"machine":0,"password":0}"#, r#"{"machine":0,"password":"****"}"#),
        (r#"{"a":"machine h login a password Letters"}"#, r#"{"a":"machine h login a password ****"}"#),
        ("default login a password Letters", "default login a password ****"),
        ("db.example:5432:shop:kim:Letters", "db.example:5432:shop:kim:****"),
        ("CREATE USER kim IDENTIFIED BY 'Letters'", "CREATE USER kim IDENTIFIED BY '****'"),
        ("ALTER USER kim IDENTIFIED WITH x BY 'Letters';", "ALTER USER kim IDENTIFIED WITH x BY '****';"),
        ("ALTER ROLE kim WITH PASSWORD 'it''s x';", "ALTER ROLE kim WITH PASSWORD '****';"),
        ("SET PASSWORD FOR kim = PASSWORD('Letters')", "SET PASSWORD FOR kim = PASSWORD('****')"),
        ("psql -c \"ALTER USER kim PASSWORD 'Letters'\"", "psql -c \"ALTER USER kim PASSWORD '****'\""),
        ("UPDATE users SET password = 'Letters' WHERE id = 1", "UPDATE users SET password = '****' WHERE id = 1"),
        (
            "INSERT INTO users (name, password) VALUES ('kim', 'Letters'), ('ann', 'Others')",
            "INSERT INTO users (name, password) VALUES ('kim', '****'), ('ann', '****')",
        ),
        ("Server=db;User Id=sa;Password=Letters;Database=x", "Server=db;User Id=sa;Password=****;Database=x"),
        ("Server=db;Password=two words;Database=x", "Server=db;Password=****;Database=x"),
        ("AccountName=x;AccountKey=Letters==;EndpointSuffix=y", "AccountName=x;AccountKey=****;EndpointSuffix=y"),
        ("host=db user=kim password=Letters dbname=x", "host=db user=kim password=**** dbname=x"),
        ("kim:Letters@tcp(db:3306)/shop", "kim:****@tcp(db:3306)/shop"),
        ("kim:Letters@db.example:3306/shop", "kim:****@db.example:3306/shop"),
        ("amqp://kim:Letters@mq:5672/", "amqp://kim:****@mq:5672/"),
        ("postgres://kim:a/b#c@db/shop", "postgres://kim:****@db/shop"),
        ("https://Letters:x-oauth-basic@git.example/x", "https://****:x-oauth-basic@git.example/x"),
        ("https://x.example/a?sig=abc%2Bdef1&v=1", "https://x.example/a?sig=****&v=1"),
        ("https://x.example/?key=abc123def&v=1", "https://x.example/?key=****&v=1"),
        (
            "https://s3.example/x?X-Amz-Signature=0a1b2c3d4e5f&y=1",
            "https://s3.example/x?X-Amz-Signature=0a1b********&y=1",
        ),
        ("> Authorization: Digest username=\"a\", response=\"b\"", "> Authorization: Digest user********"),
        ("< Set-Cookie: sid=abc; Path=/", "< Set-Cookie: sid=********"),
        ("Proxy-Authorization: Basic YTpi", "Proxy-Authorization: Basic ****"),
        ("X-Vault-Token: Letters", "X-Vault-Token: ****"),
        ("Ocp-Apim-Subscription-Key: Letters", "Ocp-Apim-Subscription-Key: ****"),
        ("requirepass Letters", "requirepass ****"),
        ("kim:$2b$12$abcdefghijklmnopqrstuv", "kim:$2b$12$a********"),
        (
            "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nlQOY\n-----END PGP PRIVATE KEY BLOCK-----",
            "-----BEGIN PGP PRIVATE KEY BLOCK-----****-----END PGP PRIVATE KEY BLOCK-----",
        ),
        (
            r#""key":"-----BEGIN PRIVATE KEY-----\nMIIEow\n-----END PRIVATE KEY-----\n""#,
            r#""key":"-----BEGIN PRIVATE KEY-----****-----END PRIVATE KEY-----\n""#,
        ),
    ]);
}

#[test]
fn tokens_are_masked_by_what_they_begin_with() {
    let body = "AbCdEfGhIjKlMnOpQrStUvWxYz012345";
    for prefix in [
        "hvs.", "hvb.", "glsa_", "glpat-", "glrt-", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "xoxb-",
        "xapp-", "sk-", "sk-ant-", "sk-proj-", "sk_live_", "rk_live_", "whsec_", "AIza", "ya29.", "npm_", "dop_v1_",
        "shpat_", "SG.", "lin_api_", "ntn_", "secret_", "hf_", "ATATT3x", "AGE-SECRET-KEY-1", "dp.st.", "fo1_", "sbp_",
        "pscale_tkn_", "NRAK-", "GOCSPX-", "sq0atp-", "PMAK-", "dckr_pat_", "ops_", "tskey-auth-", "sntrys_", "figd_",
        "gsk_", "xai-", "nvapi-", "rubygems_", "key-", "s.",
    ] {
        let kept: String = format!("{prefix}{body}").chars().take(4).collect();
        turn_into(&[(&format!("it is {prefix}{body}, no?"), &format!("it is {kept}********, no?"))]);
        turn_into(&[(&format!(r#"{{"a":"x\n{prefix}{body}"}}"#), &format!(r#"{{"a":"x\n{kept}********"}}"#))]);
    }
    turn_into(&[
        ("dapi0123456789abcdef0123456789abcdef", "dapi********"),
        ("SK0123456789abcdef0123456789abcdef", "SK01********"),
        ("ABCdef12345678.atlasv1.abcdefghijklmnopqrstuvwxyz", "ABCd********"),
        ("hvs.OnlyLettersInIt", "hvs.********"),
    ]);
}

#[test]
fn texts_without_secrets_stay() {
    stay(&[
        "the token is missing",
        "token_count: 5",
        "max_tokens: 4096",
        "password: null",
        "password: true",
        "tokenizer=bpe",
        "author: a@b.example",
        "key: value",
        "name: web\nimage: nginx:1.27\nports:\n  - 80:80\n",
        r#"{"name":"web","value":"blue"}"#,
        r#"{"name":"HOME","value":"/root"},{"key":"colour","value":"blue"}"#,
        "- name: LOG_LEVEL\n  value: debug\n",
        "<key>Label</key>\n<string>com.example.web</string>",
        "<input type=\"password\" name=\"x\"/>",
        r#"{"properties":{"token":{"type":"string","description":"the token"}}}"#,
        r#"{"password":null,"token":false}"#,
        "machine learning is fun, and login is easy",
        "src/main.rs:10:5: error: expected one of",
        "select * from users where id = 'x'",
        "ORDER BY 'name'",
        "git@github.com:owner/name.git",
        "mailto:kim@example.com",
        "nginx:1.27@sha256:abc",
        "https://x.example/?page=2&sort=name&key=title",
        "at 10:30:45 a:b:c:d",
        "Password reset is done. Secret santa is on Friday.",
        "the password was wrong and the token expired",
        "https://user@host.example/path",
        "PASSWORD_FILE=/run/secrets/db",
        "TOKEN_TTL=3600",
        "password=${PASSWORD}",
        "password: {{ vault_password }}",
        "token = process.env.TOKEN",
        "password = os.environ[\"DB_PASSWORD\"]",
        "secrets: inherit",
        "don't use -p, it's not safe",
        "v1.2.3-beta.4+build.567",
        "{\"usage\":{\"input_tokens\":12,\"output_tokens\":34}}",
        "sl.exe, ops_team, secret_garden and key-value",
        "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
        "${TOKEN:?is not set}",
        "expect \"password:\"; send x",
        "let token = lexer.next_token();",
    ]);
}
