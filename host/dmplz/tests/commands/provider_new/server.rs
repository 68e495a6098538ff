//! The imaginary messenger of the templates, on which a person approves the first card.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use crate::http::{self, Reply, Request};

/// A server, and what it was asked.
pub(super) struct Server {
    pub(super) url: String,
    asked: Arc<Mutex<Vec<Request>>>,
}

impl Server {
    pub(super) fn start() -> Self {
        let asked = Arc::<Mutex<Vec<Request>>>::default();
        let kept = Arc::clone(&asked);
        let address = http::serve(move |request| {
            let mut asked = kept.lock().unwrap();
            asked.push(request.clone());
            Reply::json(200, answer(request, &asked))
        });
        Self { url: format!("http://{address}"), asked }
    }

    pub(super) fn asked(&self) -> Vec<Request> {
        self.asked.lock().unwrap().clone()
    }
}

fn answer(request: &Request, asked: &[Request]) -> Value {
    let is_card = |asked: &&Request| (asked.method.as_str(), asked.target.as_str()) == ("POST", "/rooms/r1/messages");
    let card = asked.iter().find(is_card).map(body);
    match (request.method.as_str(), request.target.as_str(), card) {
        ("POST", "/rooms/r1/messages", _) => json!({ "id": "m1", "number": 1 }),
        ("GET", "/events?after=", Some(card)) => {
            let message = json!({ "id": "m1", "number": 1 });
            let user = json!({ "id": "u1", "name": "Jin" });
            let press = json!({ "room": "r1", "message": message, "button": "approve", "nonce": card["nonce"], "press": "p1", "user": user });
            json!({ "events": [press], "next": "c1" })
        }
        _ => json!({}),
    }
}

/// Returns the JSON of a request.
pub(super) fn body(request: &Request) -> Value {
    serde_json::from_slice(&request.body).unwrap_or_default()
}
