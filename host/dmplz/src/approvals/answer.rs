//! `dmplz approvals approve` and `deny`. The first answer wins: one that comes too late says who was first.

use dmplz_gateway::{Standing, Status};
use serde_json::{Value, json};

use super::One;
use super::card::{Look, short};
use crate::gateway::{GatewayError, Place, code, soon};
use crate::terminal::{say, show, show_json};
use crate::{exit, trouble};

/// What `approve` is told.
#[derive(Debug, clap::Args)]
pub(super) struct ApproveArgs {
    /// Its id, or how it begins
    id: String,
    /// Also what the request says that it would allow for the session
    #[arg(long)]
    session: bool,
    /// JSON for programs
    #[arg(long)]
    json: bool,
}

/// What `deny` is told.
#[derive(Debug, clap::Args)]
pub(super) struct DenyArgs {
    /// Its id, or how it begins
    id: String,
    /// Why; the agent reads it
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    /// JSON for programs
    #[arg(long)]
    json: bool,
}

/// Allows it.
pub(super) fn approve(args: &ApproveArgs) -> anyhow::Result<u8> {
    let decision = if args.session { "session" } else { "approve" };
    answer(&args.id, args.json, json!({ "decision": decision }))
}

/// Denies it.
pub(super) fn deny(args: &DenyArgs) -> anyhow::Result<u8> {
    answer(&args.id, args.json, json!({ "decision": "deny", "reason": args.reason }))
}

fn answer(id: &str, json: bool, mut params: Value) -> anyhow::Result<u8> {
    let place = Place::find()?;
    let mut client = place.connect()?;
    // What is meant is settled before it is answered: another request that begins so may come in between.
    let standing = super::get(&mut client, id)?;
    let answered = match standing.status {
        Status::Ended { .. } => Err(standing),
        Status::Open | Status::Denied { .. } => {
            if let Some(params) = params.as_object_mut() {
                params.insert("id".to_owned(), json!(standing.request.id));
            }
            match client.call::<One>("approval.respond", &params, soon()) {
                Ok(one) => Ok(one.approval),
                Err(error) => Err(first(error)?),
            }
        }
    };
    let look = Look::of_stdout(place.lang);
    let (Ok(standing) | Err(standing)) = &answered;
    if json {
        show_json(standing)?;
    } else if answered.is_ok() {
        show(&format!("{} · {}\n", look.status(standing), short(standing.request.id)))?;
    }
    if answered.is_err() {
        let before = say(place.lang, "이미 처리된 요청입니다", "it was answered already");
        trouble::error(&format!(
            "failed to answer request {}: {before}: {}",
            standing.request.id,
            look.plain().status(standing)
        ));
    }
    Ok(if answered.is_ok() { exit::OK } else { exit::ANSWERED })
}

/// Of an answer that came too late: how the request ended, or that it was denied.
pub(super) fn first(error: GatewayError) -> Result<Standing, GatewayError> {
    match error {
        GatewayError::Refused(refusal) if refusal.code == code::ANSWERED => match refusal.data.clone() {
            Some(data) => serde_json::from_value(data).map_err(GatewayError::Garbled),
            None => Err(GatewayError::Refused(refusal)),
        },
        other => Err(other),
    }
}
