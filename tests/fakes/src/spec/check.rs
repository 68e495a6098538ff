use super::Spec;
use crate::violation::Side;
use serde_json::{Map, Value};

/// The state of a check.
pub(super) struct Check<'a> {
    pub(super) spec: &'a Spec,
    pub(super) side: Side,
    /// The violations, each with its place.
    pub(super) found: Vec<String>,
}

impl Check<'_> {
    /// Checks a value against a schema.
    pub(super) fn value(&mut self, at: &str, schema: &Value, value: &Value) {
        if let Some(name) = text(schema, "$ref") {
            return match self.spec.named_type(name) {
                Some(schema) => self.value(at, schema, value),
                None => self.wrong(at, format!("the facts lack the type {name}")),
            };
        }
        if let Some(name) = text(schema, "opaque") {
            // A fake must not send fields that it does not know; a client may.
            if self.side == Side::Reply {
                self.wrong(at, format!("the facts do not describe {name}"));
            }
            return;
        }
        if let Some(variants) = schema.get("anyOf").and_then(Value::as_array) {
            return self.any_of(at, variants, value);
        }
        for part in schema.get("allOf").and_then(Value::as_array).into_iter().flatten() {
            self.value(at, part, value);
        }
        if !self.is_of_type(schema, value) {
            let types = schema.get("type").cloned().unwrap_or_default();
            return self.wrong(at, format!("{} should be {types}", brief(value)));
        }
        self.limits(at, schema, value);
        match value {
            Value::Object(fields) => self.fields(at, schema, fields),
            Value::Array(items) => {
                if let Some(schema) = schema.get("items") {
                    items
                        .iter()
                        .enumerate()
                        .for_each(|(index, item)| self.value(&format!("{at}[{index}]"), schema, item));
                }
            }
            _ => {}
        }
    }

    /// Checks the fields of a form, in which text may represent any type.
    pub(super) fn form(&mut self, schema: &Value, given: &Value) {
        let nothing = Map::new();
        let mut fields = given.as_object().unwrap_or(&nothing).clone();
        for (name, value) in &mut fields {
            let schema = schema.get("properties").and_then(|properties| properties.get(name));
            if let (Some(schema), Value::String(text)) = (schema, &*value)
                && !self.accepts(schema, value)
                && let Ok(parsed) = serde_json::from_str(text)
            {
                // Both platforms accept 0 and 1 as a Boolean in a form.
                *value = match &parsed {
                    Value::Number(number) if self.accepts(schema, &Value::Bool(true)) => match number.as_u64() {
                        Some(0) => Value::Bool(false),
                        Some(1) => Value::Bool(true),
                        _ => parsed,
                    },
                    _ => parsed,
                };
            }
        }
        self.fields("", schema, &fields);
    }

    fn fields(&mut self, at: &str, schema: &Value, fields: &Map<String, Value>) {
        let Some(known) = schema.get("properties").and_then(Value::as_object) else { return };
        for (name, value) in fields {
            let at = if at.is_empty() { name.clone() } else { format!("{at}.{name}") };
            match known.get(name).or_else(|| schema.get("additionalProperties")) {
                Some(schema) => self.value(&at, schema, value),
                None => self.wrong(&at, "unknown field"),
            }
        }
        for name in schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str) {
            if !fields.contains_key(name) {
                let at = if at.is_empty() { name.to_owned() } else { format!("{at}.{name}") };
                self.wrong(&at, "missing");
            }
        }
    }

    /// Checks that one variant accepts the value; the violations are those of the variant that is closest.
    fn any_of(&mut self, at: &str, variants: &[Value], value: &Value) {
        let tries = variants.iter().map(|variant| self.complaints(at, variant, value));
        let best = tries.min_by_key(|found| match found.first() {
            None => 0,
            Some(first) if first.starts_with(&format!("{at}: ")) => usize::MAX,
            Some(_) => found.len(),
        });
        self.found.extend(best.unwrap_or_default());
    }

    fn complaints(&self, at: &str, schema: &Value, value: &Value) -> Vec<String> {
        let mut check = Check { spec: self.spec, side: self.side, found: Vec::new() };
        check.value(at, schema, value);
        check.found
    }

    /// Returns whether a text has the type of the schema, without regard to limits.
    fn accepts(&self, schema: &Value, value: &Value) -> bool {
        match (text(schema, "$ref").and_then(|name| self.spec.named_type(name)), schema.get("anyOf")) {
            (Some(schema), _) => self.accepts(schema, value),
            (None, Some(Value::Array(variants))) => variants.iter().any(|variant| self.accepts(variant, value)),
            _ => schema.get("type").is_some() && self.is_of_type(schema, value),
        }
    }

    fn is_of_type(&self, schema: &Value, value: &Value) -> bool {
        let is = |name: &str| match name {
            "null" => value.is_null(),
            "boolean" => value.is_boolean(),
            "integer" => value.is_i64() || value.is_u64(),
            "number" => value.is_number(),
            // Discord accepts ids as numbers too, but always writes them as text.
            "string" if self.side == Side::Request && schema.get("pattern").is_some() && value.is_u64() => true,
            "string" => value.is_string(),
            "array" => value.is_array(),
            "object" => value.is_object(),
            _ => false,
        };
        match schema.get("type") {
            Some(Value::String(name)) => is(name),
            Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).any(is),
            _ => true,
        }
    }

    fn limits(&mut self, at: &str, schema: &Value, value: &Value) {
        let sizes = match value {
            Value::String(text) => vec![("Length", (self.spec.length)(text)), ("Bytes", text.len())],
            Value::Array(items) => vec![("Items", items.len())],
            _ => Vec::new(),
        };
        for (kind, size) in sizes {
            let limit = |end: &str| schema.get(format!("{end}{kind}")).and_then(Value::as_u64);
            let size = u64::try_from(size).unwrap_or(u64::MAX);
            if limit("min").is_some_and(|least| size < least) || limit("max").is_some_and(|most| size > most) {
                self.wrong(at, format!("{kind} {size} is out of {:?}..={:?}", limit("min"), limit("max")));
            }
        }
        if let Some(number) = value.as_f64() {
            let limit = |name: &str| schema.get(name).and_then(Value::as_f64);
            if limit("minimum").is_some_and(|least| number < least)
                || limit("maximum").is_some_and(|most| number > most)
            {
                self.wrong(at, format!("{value} is out of {:?}..={:?}", limit("minimum"), limit("maximum")));
            }
        }
        if schema.get("const").is_some_and(|only| only != value) {
            self.wrong(at, format!("{} should be {}", brief(value), schema.get("const").unwrap_or(&Value::Null)));
        }
        if !value.is_null() && schema.get("enum").and_then(Value::as_array).is_some_and(|among| !among.contains(value))
        {
            self.wrong(at, format!("{} is none of the values that there are", brief(value)));
        }
        // The facts have one pattern, that of a snowflake.
        let digits = |text: &str| text == "0" || !text.starts_with('0') && text.parse::<u64>().is_ok();
        if schema.get("pattern").is_some() && !value.as_str().is_none_or(digits) {
            self.wrong(at, format!("{} is no snowflake", brief(value)));
        }
    }

    fn wrong(&mut self, at: &str, what: impl AsRef<str>) {
        self.found.push(format!("{at}: {}", what.as_ref()));
    }
}

fn text<'a>(schema: &'a Value, key: &str) -> Option<&'a str> {
    schema.get(key)?.as_str()
}

/// Returns the beginning of a value, for a message.
fn brief(value: &Value) -> String {
    value.to_string().chars().take(60).collect()
}

#[cfg(test)]
mod tests {
    use crate::discord::spec::SPEC as DISCORD;
    use crate::telegram::spec::SPEC as TELEGRAM;
    use serde_json::{Value, json};

    fn telegram(method: &str, body: Value) -> Vec<String> {
        TELEGRAM.request(method, &Value::Null, &body).into_iter().map(|it| it.what).collect()
    }

    fn discord(route: &str, query: Value, body: Value) -> Vec<String> {
        DISCORD.request(route, &query, &body).into_iter().map(|it| it.what).collect()
    }

    #[test]
    fn a_right_request_has_no_violation() {
        let button = json!({"text": "ok", "callback_data": "x", "style": "danger"});
        let markup = json!({"inline_keyboard": [[button]]});
        let entities = json!([{"type": "code", "offset": 0, "length": 2}]);
        let typed = json!({"chat_id": 7, "text": "hi", "reply_markup": markup, "entities": entities});
        assert_eq!(telegram("sendMessage", typed), Vec::<String>::new());
        let form = json!({"chat_id": "7", "text": "12", "reply_markup": markup.to_string(), "protect_content": "true"});
        assert_eq!(telegram("sendMessage", form), Vec::<String>::new());
        let body = json!({"content": "hi", "allowed_mentions": {"parse": []}, "nonce": "a", "enforce_nonce": true});
        assert_eq!(discord("POST /channels/{channel_id}/messages", json!({}), body), Vec::<String>::new());
        let page = json!({"limit": "100", "after": "123"});
        assert_eq!(discord("GET /channels/{channel_id}/messages", page, Value::Null), Vec::<String>::new());
    }

    #[test]
    fn every_kind_of_mistake_is_found_and_located() {
        let wrong = |method: &str, body: Value| telegram(method, body).join("; ");
        assert_eq!(wrong("sendMesage", json!({})), "there is no such method or route");
        assert_eq!(wrong("deleteMessage", json!({"chat_id": 7})), "message_id: missing");
        assert_eq!(
            wrong("deleteMessage", json!({"chat_id": 7, "message_id": "x"})),
            "message_id: \"x\" should be \"integer\""
        );
        let long = json!({"callback_query_id": "1", "text": "x".repeat(201)});
        assert_eq!(wrong("answerCallbackQuery", long), "text: Length 201 is out of None..=Some(200)");
        let keyboard = |button: Value| {
            let markup = json!({"inline_keyboard": [[button]]});
            wrong("editMessageText", json!({"chat_id": 1, "message_id": 2, "text": "t", "reply_markup": markup}))
        };
        let at = "reply_markup.inline_keyboard[0][0]";
        assert_eq!(keyboard(json!({"text": "a", "colour": "red"})), format!("{at}.colour: unknown field"));
        assert_eq!(
            keyboard(json!({"text": "a", "style": "red"})),
            format!("{at}.style: \"red\" is none of the values that there are")
        );
        assert_eq!(
            keyboard(json!({"text": "a", "callback_data": "é".repeat(33)})),
            format!("{at}.callback_data: Bytes 66 is out of Some(1)..=Some(64)")
        );
        let page = json!({"limit": "101", "afer": "1", "before": "x"});
        // Sorted: the order of fields is that of serde_json, which a feature of another crate can change.
        let mut found = discord("GET /channels/{channel_id}/messages", page, Value::Null);
        found.sort();
        assert_eq!(
            found.join("; "),
            "afer: unknown field; before: \"x\" is no snowflake; limit: 101 is out of Some(1.0)..=Some(100.0)"
        );
        let body = json!({"content": "x".repeat(2001), "message_reference": {"message_id": 7.5}});
        let mut found = discord("POST /channels/{channel_id}/messages", json!({}), body);
        found.sort();
        assert_eq!(
            found.join("; "),
            "content: Length 2001 is out of None..=Some(2000); message_reference.message_id: 7.5 should be \"string\""
        );
        assert_eq!(discord("GET /users/@me", json!({}), json!({"a": 1})), ["there should be no body"]);
    }

    #[test]
    fn a_wrong_reply_is_a_bug_of_the_fake() {
        let telegram =
            |method: &str, reply: Value| TELEGRAM.reply(method, &reply).iter().map(ToString::to_string).collect();
        let found: Vec<String> = telegram("getMe", json!({"id": 1, "first_name": "a", "nick": "b"}));
        assert_eq!(found, ["getMe reply: nick: unknown field", "getMe reply: is_bot: missing"]);
        let found: Vec<String> = telegram("getChatMember", json!({"status": "left", "user": {}}));
        assert!(!found.is_empty(), "a type that the facts do not describe");
        let found =
            DISCORD.reply("POST /users/@me/channels", &json!({"id": 7, "type": 1, "flags": 0, "recipients": []}));
        assert_eq!(found.first().map(|it| it.what.as_str()), Some("id: 7 should be \"string\""));
        let found = DISCORD.reply_of_type("GET /users/@me", "ErrorResponse", &json!({"message": "x"}));
        assert_eq!(found.first().map(|it| it.what.as_str()), Some("code: missing"));
    }
}
