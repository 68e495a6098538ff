use super::TOKEN;
use super::refusal::{MattermostWording, Refusal, rate_limited};
use super::routes::{self, Ask};
use super::world::World;
use crate::call::Call;
use crate::conversation::{self, OPENING};
use crate::exchange::{Admission, Answer, admit, exchange, hand_out};
use crate::fake::Endpoint;
use crate::form::bearer;
use crate::reply::Reply;
use crate::server::{Platform, Socket};
use bytes::Bytes;
use http::request::Parts;
use http::{Method, Request, Uri};
use serde_json::{Value, json};

impl Platform for Endpoint<World> {
    async fn answer(&self, request: Request<Bytes>) -> Reply {
        let (parts, body) = request.into_parts();
        let path = parts.uri.path().strip_prefix("/api/v4/").unwrap_or(parts.uri.path()).to_owned();
        let query = parts.uri.query().map(|query| url::form_urlencoded::parse(query.as_bytes()).into_owned().collect());
        let json = serde_json::from_slice::<Value>(&body).ok();
        let (name, route) = routes::find(&parts.method, &path);
        let ask = Ask { path, query: query.unwrap_or_default(), json: json.unwrap_or_default(), body };
        let params = json!({ "query": ask.query, "body": ask.json });
        let call = Call::new(name.as_str(), parts.uri.path(), params);
        if let Some(id) = ask.path.strip_prefix("files/").filter(|_| parts.method == Method::GET && is_bot(&parts)) {
            let found = self.world.read(|world| world.uploads.get(id).map(|upload| upload.bytes.clone()));
            let missing = Refusal::new(404, "app.file_info.get.app_error", "Unable to find the file.").answer();
            return hand_out(&self.wire, call, &MattermostWording, found, missing).await;
        }
        let carry_out = async { self.carry_out(&name, &parts, route, &ask) };
        exchange(&self.wire, call, &MattermostWording, carry_out).await
    }

    async fn admit(&self, to: &Uri) -> Result<Admission, Reply> {
        let refused = self.world.read(|world| world.sockets.refused);
        let refused = refused.or((to.path() != "/api/v4/websocket").then_some(404));
        admit(&self.wire, Call::new(OPENING, to.path(), Value::Null), &MattermostWording, refused).await
    }

    async fn converse(&self, _to: Uri, admission: Admission, socket: Socket) {
        admission.pause(&self.wire).await;
        let id = self.world.change(|world| world.sockets.open());
        let next = |world: &mut World| world.sockets.next_for(id);
        let take = |world: &mut World, frame: &str| world.sockets.take(id, frame);
        conversation::converse(&self.world, &self.wire, socket, next, take).await;
        self.world.change(|world| world.sockets.close(id));
    }
}

/// Returns whether a request has the bot's token.
fn is_bot(parts: &Parts) -> bool {
    bearer(parts) == Some(TOKEN)
}

impl Endpoint<World> {
    fn carry_out(&self, name: &str, parts: &Parts, route: Option<routes::Route>, ask: &Ask) -> Answer {
        let Some(route) = route else {
            self.complain(name, "there is no such route");
            return Refusal::new(404, "api.context.404.app_error", "Sorry, we could not find the page.").answer();
        };
        if !is_bot(parts) {
            let id = "api.context.session_expired.app_error";
            return Refusal::new(401, id, "Invalid or expired session, please login again.").answer();
        }
        if let Some(wait) = self.world.change(World::count) {
            return rate_limited(wait);
        }
        let fields = ask.json.as_object().into_iter().flatten().map(|(field, _)| field);
        for field in fields.chain(ask.query.keys()).filter(|field| !route.takes.contains(&field.as_str())) {
            self.complain(name, &format!("{field}: no such parameter"));
        }
        match self.world.change(|world| (route.act)(world, ask)) {
            Ok((status, body)) => Answer::of(status, body),
            Err(refusal) => refusal.answer(),
        }
    }
}
