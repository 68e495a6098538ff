//! What one component sends while a scene is played.

use dmplz_conformance::{Bench, JIN, Platform, SOON};
use dmplz_core::card::{Asking, Ended, GrantEnd, Style, ask, ended, late, notice, prompt, with_form};
use dmplz_core::flow::{Extent, Outcome};
use dmplz_core::messenger::MessageRef;
use dmplz_core::text::Lang;
use dmplz_plugin::Account;
use percent_encoding::percent_decode_str;
use serde_json::{Map, Value, json};

use crate::scenes::{ID, KEYWORD, REASON_MS, Request, Scene, Step, Surface, TAG, WHEN};

/// Requests that show nothing.
const SILENT: &[&str] = &["GET", "get", "POST /users/@me/channels", "answerCallbackQuery"];

/// The requests of a scene, in order.
pub(crate) async fn record<P: Platform>(scene: &Scene, surface: Surface, lang: Lang) -> Vec<Value> {
    let it = Bench::<P>::start().await;
    let reads_chat = surface.way() != "gateway";
    let mut account = Account { way: Some(surface.way().to_owned()), ..it.account() };
    if !reads_chat {
        // Nothing is received here, so nobody connects to it.
        account.settings.insert("gateway-url".to_owned(), "ws://127.0.0.1:9".to_owned());
    }
    let provider = it.connect(account).await.unwrap();
    let chat = provider.open(&it.platform.private(JIN), SOON).await.unwrap();
    let style = Style { lang, answering: provider.way().answering, limits: provider.way().limits };
    let request = Request::of(scene, lang);
    let mut sent = Vec::new();
    let mut posted: Option<MessageRef> = None;
    let mut asked: Option<MessageRef> = None;
    for step in scene.steps {
        let from = it.platform.wire().calls().len();
        let mut said = Vec::new();
        match step {
            Step::Ask(form) => {
                let asking = Asking {
                    subject: &request.subject,
                    offer: &request.offer,
                    form: &form(lang).fitting(&request.offer),
                    tag: TAG,
                };
                let cards = ask(asking, style, style.limits.text).unwrap();
                match (&asked, cards.as_slice()) {
                    (Some(card), [again]) => provider.revise(card, again, SOON).await.unwrap(),
                    _ => {
                        for card in cards {
                            posted = Some(provider.post(&chat, &card, SOON).await.unwrap());
                        }
                        asked = posted.clone();
                    }
                }
            }
            Step::Prompt(wanted) => {
                let card = prompt(style, "Prompt", *wanted, REASON_MS, KEYWORD, posted.clone());
                let card = if reads_chat { card } else { with_form(card, *wanted, style) };
                posted = Some(provider.post(&chat, &card, SOON).await.unwrap());
            }
            // Elsewhere the words are written into a form.
            Step::Say(_) if !reads_chat => {}
            Step::Say(text) => {
                let to = posted.clone().unwrap();
                it.platform.reply(&to, JIN, text(lang));
                said.push(json!({ "says": JIN.name, "text": text(lang), "to": to.id }));
            }
            Step::Late => {
                let card = notice(&late(lang, ID), "Notice", asked.clone());
                posted = Some(provider.post(&chat, &card, SOON).await.unwrap());
            }
            Step::End(outcome) => {
                let outcome = outcome(lang);
                let ending = Ended::of(&outcome, false, WHEN, lang).storing(&outcome, &request.offer, lang);
                let is_grant = matches!(&outcome, Outcome::Approved { extent: Extent::Granted { .. }, .. });
                let ending = if is_grant { ending.with_grant(GrantEnd::Revocable, lang) } else { ending };
                let card = ended(&request.subject, &ending, TAG, style, style.limits.text);
                provider.revise(asked.as_ref().unwrap(), &card, SOON).await.unwrap();
            }
        }
        let calls = it.platform.wire().calls().split_off(from);
        let shows = calls.iter().filter(|call| !SILENT.iter().any(|silent| call.name.starts_with(silent)));
        said.extend(shows.map(|call| json!({ "does": call.name, "path": call.path, "with": call.params })));
        sent.extend(said);
    }
    let messages: Vec<String> = it.platform.shown(&chat.id).into_iter().map(|shown| shown.id).collect();
    it.finish();
    sent.into_iter().map(|request| tidy(request, &messages)).collect()
}

/// The same without what differs from run to run.
fn tidy(request: Value, messages: &[String]) -> Value {
    let Value::Object(mut request) = request else { panic!("an object") };
    if let Some(Value::String(path)) = request.remove("path") {
        let mut parts = path.split('/').skip_while(|part| *part != "messages").skip(1);
        if let Some(message) = parts.next() {
            request.insert("message".to_owned(), place(message, messages));
        }
        if let Some(emoji) = parts.next().and_then(|_| parts.next()) {
            request.insert("emoji".to_owned(), percent_decode_str(emoji).decode_utf8().unwrap().into());
        }
    }
    let fields = request.into_iter().map(|(key, value)| match value {
        Value::String(id) if key == "to" => (key, place(&id, messages)),
        value => (key, neutral(value, messages)),
    });
    fields.collect::<Map<_, _>>().into()
}

fn neutral(value: Value, messages: &[String]) -> Value {
    match value {
        Value::Array(values) => values.into_iter().map(|value| neutral(value, messages)).collect(),
        Value::Object(fields) => {
            let kept =
                fields.into_iter().filter(|(key, _)| !matches!(key.as_str(), "chat_id" | "channel_id" | "guild_id"));
            let kept = kept.map(|(key, value)| {
                let value = match (key.as_str(), &value) {
                    ("message_id", Value::String(id)) => place(id, messages),
                    ("message_id", Value::Number(id)) => place(&id.to_string(), messages),
                    _ => neutral(value, messages),
                };
                (key, value)
            });
            kept.collect::<Map<_, _>>().into()
        }
        // A form's field is JSON in a string.
        Value::String(text) if text.starts_with('{') => match serde_json::from_str(&text) {
            Ok(object @ Value::Object(_)) => neutral(object, messages),
            _ => text.into(),
        },
        other => other,
    }
}

fn place(id: &str, messages: &[String]) -> Value {
    messages.iter().position(|message| message == id).map_or(Value::Null, |at| json!(at + 1))
}
