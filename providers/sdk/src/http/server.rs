//! The JSON API of a messenger's server.

use std::cell::{OnceCell, RefCell};
use std::convert::Infallible;
use std::ops::Deref;

use serde_json::{Value, from_slice};

use super::{Download, Method, Refusal, Request, Response, incomplete};
use crate::json::Fields;
use crate::people::People;
use crate::{Card, Error, Host, RESERVE, Setting, User, settings};

/// Where a server is, the token of its requests, and how its errors are read. It is made once, in `connect`.
///
/// ```
/// use dmplz_provider_sdk::Setting;
/// use dmplz_provider_sdk::http::{Refusal, Server};
/// use dmplz_provider_sdk::json::Fields;
/// use dmplz_provider_sdk::testing::FakeHost;
///
/// let settings = [Setting { name: "server".into(), value: "https://chat.example/".into() }];
/// let server = Server::of(&settings, "server", "https://chat.acme.example", |response, body| {
///     Refusal::read(response, body, "id", "message")
/// });
/// let server = server.unwrap().under("/api/v4").bearer("access-token");
///
/// let host = FakeHost::new().reply(200, r#"{"name":"lobby"}"#).reply(404, r#"{"id":"no_room"}"#);
/// let api = server.on(&host);
/// assert_eq!(api.get("rooms/1").unwrap().text("name"), Some("lobby"));
/// assert_eq!(api.get("rooms/2").unwrap_err().code, "no_room");
/// assert_eq!(host.requests()[0].url, "https://chat.example/api/v4/rooms/1");
/// ```
#[derive(Debug)]
pub struct Server {
    url: String,
    /// The name of the secret.
    secret: Option<&'static str>,
    refusal: fn(&Response, &Value) -> Refusal,
    /// Where the bot's account is, and the field with its id.
    account: Option<(&'static str, &'static str)>,
    me: OnceCell<String>,
    people: RefCell<People>,
    /// The tag of the card whose files were sent last.
    sent: RefCell<String>,
}

/// A server, as a running export reaches it: its requests, and besides them all of the [`Host`].
#[derive(Clone, Copy)]
pub struct Api<'a> {
    server: &'a Server,
    host: &'a dyn Host,
}

impl Server {
    /// Reads the server's URL from the setting `name`; `example` is a URL that could stand there. `refusal` reads a reply whose
    /// status is not 2xx, and its body, null where it is no JSON.
    ///
    /// # Errors
    /// Returns [`Error::BadSetting`] if it is no http(s) URL that can be extended by a path.
    pub fn of(
        settings: &[Setting],
        name: &str,
        example: &str,
        refusal: fn(&Response, &Value) -> Refusal,
    ) -> Result<Self, Error> {
        let url = settings::server(settings, name, example)?;
        let (me, people, sent) = (OnceCell::new(), RefCell::default(), RefCell::default());
        Ok(Self { url, secret: None, refusal, account: None, me, people, sent })
    }

    /// Adds what all paths begin with, such as `/api/v4`.
    #[must_use]
    pub fn under(mut self, path: &str) -> Self {
        self.url.push_str(path);
        self
    }

    /// Sends a bearer token with each request, by the name of its secret.
    #[must_use]
    pub fn bearer(self, secret: &'static str) -> Self {
        Self { secret: Some(secret), ..self }
    }

    /// Says at which path the bot's account is, and in which field its id, for [`Api::me`].
    #[must_use]
    pub fn account(self, path: &'static str, id: &'static str) -> Self {
        Self { account: Some((path, id)), ..self }
    }

    /// Returns the server, reached by a host.
    pub fn on<'a>(&'a self, host: &'a dyn Host) -> Api<'a> {
        Api { server: self, host }
    }
}

impl<'a> Api<'a> {
    /// Returns the URL of a path, which is written without a slash at its beginning.
    pub fn url(self, path: &str) -> String {
        format!("{}/{path}", self.server.url)
    }

    /// Returns a request with the token.
    pub fn request(self, method: Method, path: &str) -> Request {
        let request = Request::new(method, self.url(path));
        self.server.secret.into_iter().fold(request, Request::bearer)
    }

    /// Returns the request for a file, with the token.
    pub fn download(self, path: &str) -> Download {
        let Request { url, headers, .. } = self.request(Method::Get, path);
        Download { url, headers }
    }

    /// Sends a request, and returns the reply if its status is 2xx.
    ///
    /// # Errors
    /// Returns a refusal, without a code if there was no reply.
    pub fn exchange(self, request: Request) -> Result<Response, Refusal> {
        let response = self.send(request).map_err(Error::from)?;
        match response.is_success() {
            true => Ok(response),
            false => Err((self.server.refusal)(&response, &from_slice(&response.body).unwrap_or_default())),
        }
    }

    /// Sends a request, and returns the JSON of the reply.
    ///
    /// # Errors
    /// Returns a refusal, without a code if there was no reply or it is no JSON.
    pub fn call(self, request: Request) -> Result<Value, Refusal> {
        Ok(self.exchange(request)?.json()?)
    }

    /// Gets JSON.
    ///
    /// # Errors
    /// As [`Api::call`].
    pub fn get(self, path: &str) -> Result<Value, Refusal> {
        self.call(self.request(Method::Get, path))
    }

    /// Posts JSON, and returns that of the reply.
    ///
    /// # Errors
    /// As [`Api::call`].
    pub fn post(self, path: &str, body: &Value) -> Result<Value, Refusal> {
        self.call(self.request(Method::Post, path).json(body))
    }

    /// Puts JSON, and returns that of the reply.
    ///
    /// # Errors
    /// As [`Api::call`].
    pub fn put(self, path: &str, body: &Value) -> Result<Value, Refusal> {
        self.call(self.request(Method::Put, path).json(body))
    }

    /// Deletes a resource.
    ///
    /// # Errors
    /// As [`Api::call`].
    pub fn delete(self, path: &str) -> Result<Value, Refusal> {
        self.call(self.request(Method::Delete, path))
    }

    /// Does `act` again where the server takes no more requests for now, if the export has the time: for what can be late, such
    /// as a reaction. `pause` is waited where the server names no time or zero, in milliseconds.
    ///
    /// # Errors
    /// Returns what `act` returned last.
    pub fn patiently(self, pause: u32, act: impl Fn() -> Result<Value, Refusal>) -> Result<Value, Refusal> {
        loop {
            let done = act();
            let Err(Refusal { error: Error::RateLimited(named), .. }) = done else { return done };
            let pause = named.filter(|named| *named > 0).unwrap_or(pause);
            if pause.saturating_add(RESERVE) > self.remaining() {
                return done;
            }
            self.sleep(pause);
        }
    }

    /// Goes on after what a card can do without, such as the removal of a reaction: its error is logged after `what`.
    ///
    /// # Errors
    /// Returns the error if the server takes no more requests for now, or the time is over: the host calls again, and only what
    /// is left is done then.
    pub fn optional<T, E: Into<Error>>(self, what: &str, done: Result<T, E>) -> Result<(), Error> {
        match done.map_err(Into::<Error>::into) {
            Err(error @ (Error::RateLimited(_) | Error::Deadline)) => return Err(error),
            Err(error) => self.warn(what, &error),
            Ok(_) => {}
        }
        Ok(())
    }

    /// Returns the bot's account, asked for anew.
    ///
    /// # Errors
    /// Returns [`Error::Unavailable`] if it has no id, and [`Error::Other`] if [`Server::account`] did not say where it is.
    pub fn account(self) -> Result<Value, Error> {
        let nowhere = || Error::other("the path of the bot's account is not known");
        let (path, id) = self.server.account.ok_or_else(nowhere)?;
        let account = self.get(path)?;
        let me = account.need(id, "an account without id")?;
        self.server.me.get_or_init(|| me.to_owned());
        Ok(account)
    }

    /// Returns the id of the bot's account, for which a connected provider asks once.
    ///
    /// # Errors
    /// As [`Api::account`], which is then called again the next time.
    pub fn me(self) -> Result<&'a str, Error> {
        if self.server.me.get().is_none() {
            self.account()?;
        }
        self.server.me.get().map(String::as_str).ok_or_else(|| incomplete("an account without id"))
    }
}

impl Api<'_> {
    /// Returns who somebody is, by an id of them. `ask` is called if a connected provider does not know that: it remembers the last
    /// 500 people at most.
    ///
    /// # Errors
    /// Returns the error of `ask`, which is then called again the next time.
    pub fn person<E>(self, id: &str, ask: impl FnOnce() -> Result<User, E>) -> Result<User, E> {
        let mut people = self.server.people.take();
        let person = people.get(id, ask);
        *self.server.people.borrow_mut() = people;
        person
    }

    /// Returns who somebody is in a chat, where people have other names from chat to chat. `ask` is called as by [`Api::person`].
    pub fn member(self, chat: &str, id: &str, ask: impl FnOnce() -> User) -> User {
        let Ok(user) = self.person(&format!("{chat} {id}"), || Ok::<_, Infallible>(ask()));
        user
    }

    /// Sends the files of a card, unless all of them were sent: when the host posts a card again because its text was not delivered,
    /// its files are not sent twice. That is forgotten with the instance; then they are.
    ///
    /// # Errors
    /// Returns the error of `send`, which is called again the next time.
    pub fn send_files(self, card: &Card, send: impl FnOnce() -> Result<(), Error>) -> Result<(), Error> {
        let is_sent = *self.server.sent.borrow() == card.tag;
        if !is_sent && card.files().next().is_some() {
            send()?;
            *self.server.sent.borrow_mut() = card.tag.clone();
        }
        Ok(())
    }
}

impl<'a> Deref for Api<'a> {
    type Target = dyn Host + 'a;

    fn deref(&self) -> &Self::Target {
        self.host
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::HttpError;
    use crate::testing::{FakeHost, card};
    use crate::{Attachment, Block};

    fn server() -> Server {
        let settings = [Setting { name: "server".to_owned(), value: "https://chat.example/".to_owned() }];
        let refusal = |response: &Response, body: &Value| Refusal {
            error: response.error(body.to_string()),
            code: body.to_string(),
        };
        Server::of(&settings, "server", "https://chat.acme.example", refusal).unwrap()
    }

    #[test]
    fn a_rate_limit_is_waited_for_while_there_is_time() {
        let limited = |seconds| FakeHost::new().reply_with(429, &[("retry-after", seconds)], "").reply(200, "{}");
        for (seconds, waits) in [("1.5", 1_500), ("59.5", 59_500), ("x", 200), ("0", 200)] {
            let (host, server) = (limited(seconds), server());
            let api = server.on(&host);
            assert_eq!(api.patiently(200, || api.delete("x")), Ok(Value::Object(Default::default())));
            assert_eq!(host.slept(), waits, "{seconds}");
        }
        let (host, server) = (limited("59.6"), server());
        let api = server.on(&host);
        assert_eq!(api.patiently(200, || api.delete("x")).unwrap_err().error, Error::RateLimited(Some(59_600)));
        assert_eq!(host.slept(), 0);
    }

    #[test]
    fn only_an_error_that_another_call_can_avoid_ends_what_is_optional() {
        let (host, server) = (FakeHost::new(), server());
        let api = server.on(&host);
        for error in [Error::Deadline, Error::RateLimited(None)] {
            assert_eq!(api.optional("not removed", Err::<(), _>(error.clone())), Err(error));
        }
        assert_eq!(api.optional("not removed", Ok::<_, Refusal>(1)), Ok(()));
        assert!(host.lines().is_empty());
        assert_eq!(api.optional("not removed", Err::<(), _>(Refusal::from(Error::NotFound))), Ok(()));
        assert_eq!(host.lines().len(), 1);
    }

    #[test]
    fn the_account_is_asked_for_until_it_is_known() {
        let host = FakeHost::new().fail(HttpError::Deadline).reply(200, "{}").reply(200, r#"{"id":"bot"}"#);
        let server = server().account("me", "id");
        let api = server.on(&host);
        assert_eq!(api.me(), Err(Error::Deadline));
        assert_eq!(api.me(), Err(incomplete("an account without id")));
        assert_eq!((api.me(), api.me()), (Ok("bot"), Ok("bot")));
        assert_eq!((host.requests().len(), host.left()), (3, 0));
    }

    #[test]
    fn a_member_of_a_chat_is_asked_for_there() {
        let (host, server) = (FakeHost::new(), server());
        let (api, user) = (server.on(&host), |name: &str| User::named("a", [Some(name)]));
        assert_eq!(api.member("room", "a", || user("Jin")).name, "Jin");
        assert_eq!(api.member("other", "a", || user("J.")).name, "J.");
        assert_eq!(api.member("room", "a", || user("nobody")).name, "Jin");
        assert_eq!(api.person("a", || Err(Error::Deadline)), Err(Error::Deadline));
        assert_eq!(api.person("a", || Ok::<_, Error>(user("A"))).map(|user| user.name), Ok("A".to_owned()));
    }

    #[test]
    fn files_are_sent_until_all_of_them_were() {
        let (host, server, mut tried) = (FakeHost::new(), server(), 0);
        let api = server.on(&host);
        let file = Attachment { name: "a".to_owned(), media_type: "text/plain".to_owned(), data: Vec::new() };
        let (without, card) = (card("", Vec::new()), card("", vec![Block::File(file)]));
        api.send_files(&without, || panic!("there is none")).unwrap();
        for result in [Err(Error::Deadline), Ok(()), Err(Error::NotFound)] {
            let _ = api.send_files(&card, || {
                tried += 1;
                result
            });
        }
        assert_eq!(tried, 2);
    }

    #[test]
    fn a_token_goes_with_requests_and_downloads() {
        let (host, server) = (FakeHost::new(), server().under("/api").bearer("access-token"));
        let download = server.on(&host).download("files/1");
        assert_eq!(download.url, "https://chat.example/api/files/1");
        let header = download.headers.first().map(|header| (header.name.as_str(), header.value.as_str()));
        assert_eq!(header, Some(("authorization", "Bearer {secret:access-token}")));
    }
}
