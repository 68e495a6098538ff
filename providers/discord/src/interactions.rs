//! Handles buttons and forms (<https://discord.com/developers/docs/interactions/receiving-and-responding>).
//!
//! Each interaction is responded to at once, before the host receives it:
//!
//! | interaction | response | event for the host |
//! |---|---|---|
//! | a button (3) | a deferred update (6): the card changes later | a press |
//! | a button that asks for a text | a form (9) | none yet; a press without text if no form could be opened, so that the press is not lost |
//! | a form (5) | a deferred update (6) | a press with the text |
//! | a command (2) in a watched channel, or a thread of one | what was typed, for the person alone (4) | a text |
//! | a button or form of another program, anything else | none | none |
//!
//! A failed response loses no press: the person sees that it failed, and sees how the card changes.

use dmplz_provider_sdk::prelude::*;

use crate::api::Api;
use crate::limits::{FIELD_UNITS, RESPONSE, TOKEN};
use crate::{card, chat, commands, files};

mod form;

/// Kinds of interactions (docs/interactions/receiving-and-responding#interaction-object-interaction-type).
const APPLICATION_COMMAND: i64 = 2;
const MESSAGE_COMPONENT: i64 = 3;
const MODAL_SUBMIT: i64 = 5;

/// Kinds of responses (#interaction-response-object-interaction-callback-type).
const MESSAGE: u32 = 4;
const DEFERRED_UPDATE_MESSAGE: u32 = 6;
const MODAL: u32 = 9;

/// Only the person who pressed sees it, and links in it are not unfolded
/// (docs/resources/message#message-object-message-flags).
const EPHEMERAL: u32 = 1 << 6;
const SUPPRESS_EMBEDS: u32 = 1 << 2;

/// The most characters of a command that its response repeats; chosen here.
const ECHO: usize = 500;

/// "Interaction has already been acknowledged", by an earlier instance.
const ACKNOWLEDGED: &str = "40060";
/// "Unknown Webhook", "Unknown interaction", "Invalid Webhook Token": it is too late for a response.
const GONE: [&str; 3] = ["10015", "10062", "50027"];

/// An interaction with a card.
struct Interaction<'a> {
    id: &'a str,
    token: &'a str,
    application: &'a str,
    kind: i64,
    data: &'a Value,
    card: &'a Value,
    message: MessageRef,
    user: User,
}

/// Responds to an interaction, and returns what the person did.
pub(crate) fn take(api: Api<'_>, watching: &[Watch], found: &Value) -> Option<Event> {
    if found.int("type") == Some(APPLICATION_COMMAND) {
        return command(api, watching, found).map(Event::Said);
    }
    chosen(api, watching, found).map(Event::Chosen)
}

/// Returns a command as the text that it stands for. Its message is the interaction itself, so that the same one is the
/// same text again.
fn command(api: Api<'_>, watching: &[Watch], found: &Value) -> Option<Said> {
    let channel = found.text("channel_id")?;
    // A thread may be so new that nothing in it was watched when this call began.
    let parent = found.get("channel").and_then(|channel| channel.text("parent_id"));
    if !watching.has_chat(channel) && !parent.is_some_and(|parent| watching.has_chat(parent)) {
        return None;
    }
    let (id, token, data) = (found.text("id")?, found.text("token")?, found.get("data")?);
    let mut text = format!("/{}", data.text("name")?);
    for option in data.items("options").iter().filter(|option| option.text("name") == Some(commands::TEXT)) {
        text.push(' ');
        text.push_str(option.text("value").unwrap_or_default());
    }
    let uploaded = |option: &&Value| option.text("name") == Some(commands::FILE);
    let uploads = data.items("options").iter().filter(uploaded).filter_map(|option| option.text("value"));
    let resolved = data.get("resolved").and_then(|resolved| resolved.get("attachments"));
    let files = files::of(uploads.filter_map(|id| resolved?.get(id)));
    let shown = card::notice(&text.chars().take(ECHO).collect::<String>()).unwrap_or_default();
    if let Err(refusal) = respond(api, (id, token), MESSAGE, Some(whispered(shown))) {
        api.warn("a command could not be acknowledged", &refusal.error);
    }
    let message = MessageRef::new(channel, id, id.parse().ok()?);
    Some(Said { message, reply_to: None, user: chat::user(person(found)?)?, text, files })
}

fn person(found: &Value) -> Option<&Value> {
    found.get("member").and_then(|member| member.get("user")).or_else(|| found.get("user"))
}

fn chosen(api: Api<'_>, watching: &[Watch], found: &Value) -> Option<Chosen> {
    let Some(interaction) = Interaction::read(found) else {
        api.log(Level::Debug, "an interaction came that is about no card");
        return None;
    };
    let button = interaction.data.text("custom_id").and_then(|id| Payload::parse(id, FIELD_UNITS))?;
    match (interaction.kind, button.asks) {
        (MESSAGE_COMPONENT, Some(units)) => {
            let field = watching.field(&interaction.message, button.choice);
            let form = form::form(&button, units, field, interaction.card);
            match respond(api, (interaction.id, interaction.token), MODAL, Some(form)) {
                Ok(()) => None,
                Err(refusal) if refusal.code == ACKNOWLEDGED => None,
                Err(refusal) => {
                    api.warn("no form could be opened", &refusal.error);
                    Some(interaction.chosen(&button, None))
                }
            }
        }
        (kind, _) => {
            if let Err(refusal) = respond(api, (interaction.id, interaction.token), DEFERRED_UPDATE_MESSAGE, None) {
                api.warn("a press could not be acknowledged", &refusal.error);
            }
            let text = (kind == MODAL_SUBMIT).then(|| form::text(interaction.data)).flatten();
            Some(interaction.chosen(&button, text))
        }
    }
}

/// Sends a notice that only the person who pressed sees. It is not an error if the press is too old for one.
pub(crate) fn whisper(api: Api<'_>, token: &str, notice: &str) -> Result<()> {
    let body = whispered(card::notice(notice)?);
    let Some((application, token)) = token.split_once(':') else { return Ok(()) };
    let path = format!("/webhooks/{}/{}", percent_encode(application), percent_encode(token));
    Ok(unless(api.exchange(api.open_request(&path, &body)), &GONE).map(drop)?)
}

/// Returns a message that only one person sees.
fn whispered(content: String) -> Value {
    json!({ "content": content, "allowed_mentions": { "parse": [] }, "flags": EPHEMERAL | SUPPRESS_EMBEDS })
}

impl<'a> Interaction<'a> {
    fn read(found: &'a Value) -> Option<Self> {
        let kind = found.int("type").filter(|kind| [MESSAGE_COMPONENT, MODAL_SUBMIT].contains(kind))?;
        let person = person(found)?;
        let card = found.get("message")?;
        Some(Self {
            id: found.text("id")?,
            token: found.text("token")?,
            application: found.text("application_id")?,
            kind,
            data: found.get("data")?,
            card,
            message: chat::reference(card)?,
            user: chat::user(person)?,
        })
    }

    fn chosen(&self, button: &Payload<'_>, text: Option<String>) -> Chosen {
        let token = format!("{}:{}", self.application, self.token);
        // A press without a token is handled too, but nothing can be sent in response.
        let token = if token.len() <= TOKEN { token } else { String::new() };
        Chosen { token, text, ..button.press(self.message.clone(), self.user.clone()) }
    }
}

/// Responds, and retries once if it is unknown whether the response arrived.
fn respond(api: Api<'_>, (id, token): (&str, &str), kind: u32, data: Option<Value>) -> Result<(), Refusal> {
    let path = format!("/interactions/{}/{}/callback", percent_encode(id), percent_encode(token));
    let mut body = json!({ "type": kind });
    data.into_iter().for_each(|data| set(&mut body, "data", data));
    let send = || api.exchange(api.open_request(&path, &body).timeout(RESPONSE)).map(drop);
    match send() {
        Err(Refusal { error: Error::Unavailable(_), .. }) => unless(send(), &[ACKNOWLEDGED]).map(drop),
        first => first,
    }
}
