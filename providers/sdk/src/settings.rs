//! URLs that the operator set.

use crate::{Error, Setting};

/// Returns the value of a setting, without blanks around it and slashes at its end; empty if it is missing.
pub fn url<'a>(settings: &'a [Setting], name: &str) -> &'a str {
    let found = settings.iter().find(|setting| setting.name == name);
    found.map(|setting| setting.value.trim().trim_end_matches('/')).unwrap_or_default()
}

/// Returns whether a URL is absolute, has one of these schemes, and can be extended by a path.
pub fn is_absolute(url: &str, schemes: [&str; 2]) -> bool {
    let known = schemes.iter().any(|scheme| url.len() > scheme.len() && url.starts_with(scheme));
    known && !url.contains(['?', '#', '{', '}'])
}

/// Returns the URL of a server from the setting `name`, without slashes at its end. `example` is a URL that could stand there.
///
/// # Errors
/// Returns [`Error::BadSetting`] if it is no http(s) URL that can be extended by a path.
pub fn server(settings: &[Setting], name: &str, example: &str) -> Result<String, Error> {
    let server = url(settings, name);
    if is_absolute(server, ["https://", "http://"]) {
        return Ok(server.to_owned());
    }
    Err(Error::bad_setting(name, format!("an http(s) URL such as {example}")))
}

/// Returns an id that the operator wrote into the setting `name`, without blanks around it. `expected` says what it should be.
///
/// # Errors
/// Returns [`Error::BadSetting`] if `is_id` says that it is none.
pub fn id(id: &str, name: &str, expected: &str, is_id: impl Fn(&str) -> bool) -> Result<String, Error> {
    let id = id.trim();
    if is_id(id) { Ok(id.to_owned()) } else { Err(Error::bad_setting(name, expected)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_url_that_a_path_can_follow_is_a_server() {
        let found = |value: &str| {
            server(&[Setting { name: "server".into(), value: value.into() }], "server", "https://chat.example")
        };
        assert_eq!(found(" https://chat.example/api// "), Ok("https://chat.example/api".to_owned()));
        let refused = Error::BadSetting(("server".into(), "an http(s) URL such as https://chat.example".into()));
        for value in
            ["", "chat.example", "https://", "wss://chat.example", "https://x/?q", "https://x/#f", "http://{x}"]
        {
            assert_eq!(found(value), Err(refused.clone()), "{value}");
        }
        assert_eq!(url(&[], "server"), "");
    }

    #[test]
    fn an_id_has_no_blanks_around_it() {
        let found = |it| id(it, "room", "a number", |it| it.bytes().all(|byte| byte.is_ascii_digit()));
        assert_eq!(found(" 42\n"), Ok("42".to_owned()));
        assert_eq!(found("x"), Err(Error::bad_setting("room", "a number")));
    }
}
