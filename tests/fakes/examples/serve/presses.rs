use crate::{PATIENCE, Query};
use dmplz_fakes::discord::{Acks, FakeDiscord, FakeGateway, Interaction, Message, PressError, Response, User};
use serde_json::{Value, json};
use std::time::Duration;

/// Performs `/press?message=&button=`, `/submit?interaction=&field=&text=`, `/response?interaction=` and
/// `/whisper?interaction=&text=`; on the gateway `/sessions`, `/resumed?times=`, `/cut`, `/cut_after?frames=`, `/cuts`,
/// `/reconnect`, `/invalidate?resumable=`, `/close?code=`, `/acks?ms=` (without a number: no acknowledgements),
/// `/heartbeat?ms=` and `/frames`. Returns `None` for other actions.
pub(crate) async fn act(fake: &FakeDiscord, at: (u64, u64), jin: &User, action: &str, query: &Query) -> Option<Value> {
    let gateway = fake.gateway();
    let interaction = query.number("interaction").unwrap_or(0);
    Some(match action {
        "press" => begun(fake.press(at, query.text("button"), jin)),
        "submit" => begun(fake.submit_modal(interaction, &[(query.text("field"), query.text("text"))])),
        "response" => shown(fake.await_response(interaction, PATIENCE).await),
        "whisper" => {
            let text = query.text("text");
            shown(fake.await_interaction(interaction, PATIENCE, |seen| seen.whisper().contains(text)).await)
        }
        "sessions" => gateway
            .sessions()
            .iter()
            .map(|it| json!({"intents": it.intents, "connected": it.connected, "resumes": it.resumes}))
            .collect(),
        "resumed" => {
            let times: u64 = query.number("times").unwrap_or(1);
            let resumed = gateway.await_sessions(PATIENCE, |all| all.iter().any(|it| it.connected && it.resumes >= times));
            json!(resumed.await)
        }
        "frames" => gateway
            .frames()
            .iter()
            .map(|frame| json!({"connection": frame.connection, "from": format!("{:?}", frame.from), "op": frame.op(), "event": frame.event()}))
            .collect(),
        "cuts" => json!(gateway.cuts()),
        other => return gateway_act(&gateway, other, query).map(|()| json!(true)),
    })
}

/// Returns the labels of a message's buttons, row by row.
pub(crate) fn labels(message: &Message) -> Vec<Vec<String>> {
    message.buttons().into_iter().map(|row| row.into_iter().map(|button| button.label).collect()).collect()
}

/// Causes a fault of the gateway.
fn gateway_act(gateway: &FakeGateway, action: &str, query: &Query) -> Option<()> {
    let ms = query.number("ms").map(Duration::from_millis);
    match action {
        "cut" => gateway.cut(),
        "cut_after" => gateway.cut_after(query.number("frames").unwrap_or(0)),
        "reconnect" => gateway.reconnect(),
        "invalidate" => gateway.invalidate(query.text("resumable") == "true"),
        "close" => gateway.close(query.number("code").unwrap_or(4000)),
        "acks" => gateway.set_acks(ms.map_or(Acks::Never, Acks::After)),
        "heartbeat" => gateway.set_heartbeat_interval(ms.unwrap_or_default()),
        _ => return None,
    }
    Some(())
}

fn begun(interaction: Result<u64, PressError>) -> Value {
    match interaction {
        Ok(id) => json!({"interaction": id.to_string()}),
        Err(error) => json!({"error": error.to_string()}),
    }
}

fn shown(interaction: Option<Interaction>) -> Value {
    let Some(seen) = interaction else { return json!({"error": "no response came"}) };
    let modal = seen.modal().map(|modal| {
        let fields: Vec<Value> = modal
            .fields
            .iter()
            .map(|field| json!({"id": field.custom_id, "label": field.label, "max": field.max, "paragraph": field.paragraph}))
            .collect();
        json!({"title": modal.title, "fields": fields})
    });
    let kind = seen.response.as_ref().map(|response| match response {
        Response::Message => "message",
        Response::DeferredMessage => "deferred message",
        Response::DeferredUpdate => "deferred update",
        Response::Update => "update",
        Response::Modal(_) => "modal",
    });
    json!({
        "kind": kind,
        "failed": seen.failed,
        "milliseconds": seen.after.map(|after| after.as_secs_f64() * 1000.0),
        "whisper": seen.whisper(),
        "modal": modal,
    })
}
