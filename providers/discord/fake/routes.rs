use super::ask::Ask;
use super::refusal::Refusal;
use super::world::World;
use super::{account, create, gateway, interactions, messages, reactions, threads};
use http::{Method, StatusCode};
use percent_encoding::percent_decode_str;
use serde_json::Value;

/// Performs a request. Returns null if Discord sends no body (204).
pub(crate) type Handler = fn(&mut World, &Ask) -> Result<Value, Refusal>;

const REACTIONS: &str = "/channels/{channel_id}/messages/{message_id}/reactions";
const EMOJI: &str = "/channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}";
const MY_REACTION: &str = "/channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}/@me";
const REACTION: &str = "/channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}/{user_id}";
const MESSAGE: &str = "/channels/{channel_id}/messages/{message_id}";
const CALLBACK: &str = "/interactions/{interaction_id}/{interaction_token}/callback";
const FOLLOW_UPS: &str = "/webhooks/{webhook_id}/{webhook_token}";
const FOLLOW_UP: &str = "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}";
const ORIGINAL: &str = "/webhooks/{webhook_id}/{webhook_token}/messages/@original";
const MESSAGES: &str = "/channels/{channel_id}/messages";

/// All routes, as the schema writes them. The first one that matches a path is used.
const ROUTES: [(Method, &str, Handler); 36] = [
    (Method::GET, "/users/@me", account::me),
    (Method::GET, "/users/{user_id}", account::user),
    (Method::POST, "/users/@me/channels", account::open_dm),
    (Method::GET, "/users/@me/guilds/{guild_id}/member", account::own_member),
    (Method::GET, "/applications/@me", account::application),
    (Method::GET, "/oauth2/applications/@me", account::application),
    (Method::GET, "/guilds/{guild_id}", account::guild),
    (Method::GET, "/guilds/{guild_id}/roles", account::roles),
    (Method::GET, "/guilds/{guild_id}/members/{user_id}", account::member),
    (Method::PUT, "/applications/{application_id}/commands", threads::set_commands),
    (Method::PUT, "/applications/{application_id}/guilds/{guild_id}/commands", threads::set_commands),
    (Method::GET, "/channels/{channel_id}", account::channel),
    (Method::PATCH, "/channels/{channel_id}", threads::change),
    (Method::POST, "/channels/{channel_id}/threads", threads::create),
    (Method::POST, "/channels/{channel_id}/typing", messages::typing),
    (Method::GET, MESSAGES, messages::list),
    (Method::POST, MESSAGES, create::create),
    (Method::GET, MESSAGE, messages::get),
    (Method::PATCH, MESSAGE, messages::edit),
    (Method::DELETE, MESSAGE, messages::delete),
    (Method::DELETE, REACTIONS, reactions::clear),
    (Method::GET, EMOJI, reactions::users),
    (Method::DELETE, EMOJI, reactions::clear_emoji),
    (Method::PUT, MY_REACTION, reactions::add),
    (Method::DELETE, MY_REACTION, reactions::remove_own),
    (Method::DELETE, REACTION, reactions::remove),
    (Method::GET, "/gateway", gateway::gateway),
    (Method::GET, "/gateway/bot", gateway::gateway_bot),
    (Method::POST, CALLBACK, interactions::callback),
    (Method::POST, FOLLOW_UPS, interactions::follow_up),
    (Method::GET, ORIGINAL, interactions::get),
    (Method::PATCH, ORIGINAL, interactions::edit),
    (Method::DELETE, ORIGINAL, interactions::delete),
    (Method::GET, FOLLOW_UP, interactions::get),
    (Method::PATCH, FOLLOW_UP, interactions::edit),
    (Method::DELETE, FOLLOW_UP, interactions::delete),
];

/// The route of a request.
pub(crate) struct Route {
    /// The method and the template: `GET /users/@me`.
    pub(crate) name: String,
    pub(crate) handler: Handler,
    pub(crate) variables: Vec<(&'static str, String)>,
}

/// Finds the route of a path below `BASE`.
pub(crate) fn route(method: &Method, path: &str) -> Result<Route, Refusal> {
    let mut known = false;
    for (allowed, template, handler) in ROUTES {
        if let Some(variables) = matches(template, path) {
            if allowed == *method {
                return Ok(Route { name: format!("{method} {template}"), handler, variables });
            }
            known = true;
        }
    }
    Err(Refusal::plain(if known { StatusCode::METHOD_NOT_ALLOWED } else { StatusCode::NOT_FOUND }))
}

fn matches(template: &'static str, path: &str) -> Option<Vec<(&'static str, String)>> {
    let mut variables = Vec::new();
    let mut segments = path.split('/');
    for part in template.split('/') {
        let segment = percent_decode_str(segments.next()?).decode_utf8().ok()?;
        match part.strip_prefix('{').and_then(|part| part.strip_suffix('}')) {
            Some(name) => variables.push((name, segment.into_owned())),
            None if part == segment => {}
            None => return None,
        }
    }
    segments.next().is_none().then_some(variables)
}
