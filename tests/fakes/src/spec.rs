//! Checks requests and replies against the facts in a fake's `spec.json`, which `spec/reduce.py` takes from the
//! published schema.
//!
//! An unknown method, field or value is a violation, and so are a missing field, a wrong type and an exceeded limit.
//! What the schema cannot know, such as whether a chat exists, is not checked here; the fake answers it with the
//! platform's own errors.

use crate::violation::{Side, Violation};
use serde_json::Value;

mod check;
use check::Check;

/// The facts of one platform.
pub(crate) struct Spec {
    facts: Value,
    /// The function with which this platform counts characters.
    length: fn(&str) -> usize,
    /// Whether text may represent a number, a Boolean or JSON in a body, as in forms.
    text_in_body: bool,
}

/// If the facts cannot be parsed, there are none. Then every call is a violation, which the first test notices.
fn facts(json: &str) -> Value {
    serde_json::from_str(json).unwrap_or_default()
}

impl Spec {
    /// Parses a `spec.json`. `length` counts characters as the platform does; `text_in_body` is whether text may
    /// represent a number, a Boolean or JSON in a body, as in forms.
    pub(crate) fn of(json: &str, length: fn(&str) -> usize, text_in_body: bool) -> Self {
        Self { facts: facts(json), length, text_in_body }
    }

    /// Returns the violations in a request's query and body, each of which may be null.
    pub(crate) fn request(&self, call: &str, query: &Value, body: &Value) -> Vec<Violation> {
        let Some(known) = self.call(call) else {
            return vec![violation(call, Side::Request, "there is no such method or route".to_owned())];
        };
        let mut check = Check { spec: self, side: Side::Request, found: Vec::new() };
        for (kind, given, text_allowed) in [("query", query, true), ("body", body, self.text_in_body)] {
            match known.get(kind) {
                Some(schema) if text_allowed => check.form(schema, given),
                Some(schema) => check.value("", schema, given),
                None if given.is_null() || given.as_object().is_some_and(|fields| fields.is_empty()) => {}
                None => check.found.push(format!("there should be no {kind}")),
            }
        }
        check.found.into_iter().map(|what| violation(call, Side::Request, what)).collect()
    }

    /// Returns the violations in a reply, which are bugs of the fake.
    pub(crate) fn reply(&self, call: &str, reply: &Value) -> Vec<Violation> {
        match self.call(call).and_then(|known| known.get("reply")) {
            Some(schema) => self.replied(call, schema, reply),
            None => vec![violation(call, Side::Reply, "there is no such method or route".to_owned())],
        }
    }

    /// Returns the violations in an object of a named type, as [`Spec::reply`] does.
    pub(crate) fn reply_of_type(&self, call: &str, name: &str, reply: &Value) -> Vec<Violation> {
        self.replied(call, &serde_json::json!({ "$ref": name }), reply)
    }

    fn replied(&self, call: &str, schema: &Value, reply: &Value) -> Vec<Violation> {
        let mut check = Check { spec: self, side: Side::Reply, found: Vec::new() };
        check.value("", schema, reply);
        check.found.into_iter().map(|what| violation(call, Side::Reply, what)).collect()
    }

    fn call(&self, name: &str) -> Option<&Value> {
        self.facts.get("calls")?.get(name)
    }

    fn named_type(&self, name: &str) -> Option<&Value> {
        self.facts.get("types")?.get(name)
    }
}

fn violation(call: &str, side: Side, what: String) -> Violation {
    Violation { call: call.to_owned(), side, what }
}
