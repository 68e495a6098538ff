//! Block Kit: what Slack takes (<https://docs.slack.dev/reference/block-kit>). Only the kinds that a card can need are known;
//! any other, any unknown field and any breach of a limit is refused, as Slack does with `invalid_blocks`.

use serde_json::{Map, Value};

/// Characters of the JSON of a message's blocks: not documented; observed in slackapi/bolt-js#2509.
const MESSAGE: usize = 13_200;

/// What is wrong with blocks or with a view.
#[derive(Default)]
pub(crate) struct Check {
    pub(crate) errors: Vec<String>,
}

/// Returns the name of the error for the blocks of a message, and what is wrong.
pub(crate) fn message(blocks: &[Value]) -> Option<(&'static str, Vec<String>)> {
    if blocks.iter().map(|block| block.to_string().chars().count()).sum::<usize>() > MESSAGE {
        return Some(("msg_blocks_too_long", Vec::new()));
    }
    let mut check = Check::default();
    check.blocks(blocks, 50, &["rich_text", "actions", "section", "header", "context", "divider"]);
    (!check.errors.is_empty()).then_some(("invalid_blocks", check.errors))
}

/// Returns what is wrong with a modal (<https://docs.slack.dev/reference/views/modal-views>).
pub(crate) fn modal(view: &Value) -> Vec<String> {
    let mut check = Check::default();
    let fields = check.object(
        view,
        "view",
        &["type", "title", "blocks"],
        &["callback_id", "private_metadata", "submit", "close", "clear_on_close", "notify_on_close", "external_id"],
    );
    if let Some(fields) = fields {
        check.is(fields, "view", "type", "modal");
        for name in ["title", "submit", "close"] {
            check.plain_text(fields.get(name), &format!("view.{name}"), 24);
        }
        check.string(fields, "view", "private_metadata", 0, 3000);
        check.string(fields, "view", "callback_id", 1, 255);
        let blocks = fields.get("blocks").and_then(Value::as_array).cloned().unwrap_or_default();
        check.blocks(&blocks, 100, &["input", "section", "rich_text", "divider", "header", "context", "actions"]);
        if blocks.iter().any(|block| block["type"] == "input") && !fields.contains_key("submit") {
            check.wrong("view.submit", "required because of an input block");
        }
    }
    check.errors
}

impl Check {
    fn wrong(&mut self, at: &str, what: &str) {
        self.errors.push(format!("{what} [json-pointer:{at}]"));
    }

    fn blocks(&mut self, blocks: &[Value], most: usize, kinds: &[&str]) {
        if blocks.len() > most {
            self.wrong("blocks", &format!("no more than {most} items allowed"));
        }
        for (number, block) in blocks.iter().enumerate() {
            let at = format!("blocks/{number}");
            match block["type"].as_str() {
                Some(kind) if kinds.contains(&kind) => self.block(block, &at, kind),
                kind => self.wrong(&at, &format!("unsupported type: {kind:?}")),
            }
        }
    }

    fn block(&mut self, block: &Value, at: &str, kind: &str) {
        let (required, optional): (&[&str], &[&str]) = match kind {
            "rich_text" | "actions" | "context" => (&["type", "elements"], &["block_id"]),
            "header" => (&["type", "text"], &["block_id"]),
            "section" => (&["type"], &["block_id", "text", "fields", "accessory", "expand"]),
            "input" => (&["type", "label", "element"], &["block_id", "hint", "optional", "dispatch_action"]),
            _ => (&["type"], &["block_id"]),
        };
        let Some(fields) = self.object(block, at, required, optional) else { return };
        self.string(fields, at, "block_id", 1, 255);
        let elements = fields.get("elements").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        match kind {
            "rich_text" => elements.iter().enumerate().for_each(|(n, it)| self.rich(it, &format!("{at}/elements/{n}"))),
            "actions" => {
                if !(1..=25).contains(&elements.len()) {
                    self.wrong(at, "1 to 25 elements");
                }
                let mut seen = Vec::new();
                for (number, element) in elements.iter().enumerate() {
                    self.button(element, &format!("{at}/elements/{number}"));
                    if seen.contains(&&element["action_id"]) {
                        self.wrong(at, "`action_id` is used twice");
                    }
                    seen.push(&element["action_id"]);
                }
            }
            "header" => self.plain_text(fields.get("text"), at, 150),
            "input" => {
                self.plain_text(fields.get("label"), &format!("{at}/label"), 2000);
                self.input(fields.get("element").unwrap_or(&Value::Null), &format!("{at}/element"));
            }
            "section" => self.plain_text(fields.get("text").filter(|it| it["type"] == "plain_text"), at, 3000),
            _ => {}
        }
    }

    fn rich(&mut self, part: &Value, at: &str) {
        let (kind, optional): (_, &[&str]) = match part["type"].as_str() {
            Some(kind @ "rich_text_section") => (kind, &[]),
            Some(kind @ "rich_text_preformatted") => (kind, &["border", "language"]),
            kind => return self.wrong(at, &format!("unsupported type: {kind:?}")),
        };
        let Some(fields) = self.object(part, at, &["type", "elements"], optional) else { return };
        for element in fields.get("elements").and_then(Value::as_array).into_iter().flatten() {
            let Some(fields) = self.object(element, at, &["type", "text"], &["style"]) else { continue };
            self.is(fields, at, "type", "text");
            self.string(fields, at, "text", 1, usize::MAX);
            if let Some(style) = fields.get("style") {
                let styles: &[&str] =
                    if kind == "rich_text_section" { &["bold", "italic", "strike", "code"] } else { &[] };
                let style = self.object(style, at, &[], styles);
                if style.is_some_and(|style| style.values().any(|value| !value.is_boolean())) {
                    self.wrong(at, "must be a boolean: style");
                }
            }
        }
    }

    fn button(&mut self, button: &Value, at: &str) {
        let optional = ["action_id", "url", "value", "style", "confirm", "accessibility_label"];
        let Some(fields) = self.object(button, at, &["type", "text"], &optional) else { return };
        self.is(fields, at, "type", "button");
        self.plain_text(fields.get("text"), &format!("{at}/text"), 75);
        self.string(fields, at, "action_id", 1, 255);
        self.string(fields, at, "value", 1, 2000);
        if fields.get("style").is_some_and(|style| style != "primary" && style != "danger") {
            self.wrong(at, "must be one of: primary, danger [style]");
        }
    }

    fn input(&mut self, input: &Value, at: &str) {
        let optional = [
            "action_id", "initial_value", "multiline", "min_length", "max_length", "placeholder", "focus_on_load",
            "dispatch_action_config",
        ];
        let Some(fields) = self.object(input, at, &["type"], &optional) else { return };
        self.is(fields, at, "type", "plain_text_input");
        self.string(fields, at, "action_id", 1, 255);
        self.plain_text(fields.get("placeholder"), &format!("{at}/placeholder"), 150);
        if fields.get("max_length").is_some_and(|most| !most.as_u64().is_some_and(|it| (1..=3000).contains(&it))) {
            self.wrong(at, "must be from 1 to 3000 [max_length]");
        }
        if fields.get("multiline").is_some_and(|it| !it.is_boolean()) {
            self.wrong(at, "must be a boolean [multiline]");
        }
    }

    fn plain_text(&mut self, text: Option<&Value>, at: &str, most: usize) {
        let Some(text) = text else { return };
        let Some(fields) = self.object(text, at, &["type", "text"], &["emoji"]) else { return };
        self.is(fields, at, "type", "plain_text");
        self.string(fields, at, "text", 1, most);
    }

    fn object<'a>(
        &mut self,
        value: &'a Value,
        at: &str,
        required: &[&str],
        optional: &[&str],
    ) -> Option<&'a Map<String, Value>> {
        let Some(fields) = value.as_object() else {
            self.wrong(at, "must be an object");
            return None;
        };
        for name in required.iter().filter(|name| !fields.contains_key(**name)) {
            self.wrong(at, &format!("missing required field: {name}"));
        }
        for name in
            fields.keys().filter(|name| !required.contains(&name.as_str()) && !optional.contains(&name.as_str()))
        {
            self.wrong(at, &format!("no more fields allowed: {name}"));
        }
        Some(fields)
    }

    fn is(&mut self, fields: &Map<String, Value>, at: &str, name: &str, wanted: &str) {
        if fields.get(name).is_none_or(|value| value != wanted) {
            self.wrong(at, &format!("must be {wanted} [{name}]"));
        }
    }

    fn string(&mut self, fields: &Map<String, Value>, at: &str, name: &str, least: usize, most: usize) {
        let Some(value) = fields.get(name) else { return };
        let length = value.as_str().map(|text| text.encode_utf16().count());
        if !length.is_some_and(|length| (least..=most).contains(&length)) {
            self.wrong(at, &format!("must be a text of {least} to {most} characters [{name}]"));
        }
    }
}
