//! Tests install and uninstall on arbitrary settings in arbitrary layouts.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::Home;
use crate::install::hooks;

/// Generates small JSON values.
fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((".{0,6}", inner), 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// Generates hooks of other programs; lists may be empty.
fn others() -> impl Strategy<Value = Value> {
    let hook = "[a-z]{1,6}".prop_map(|command| json!({"type": "command", "command": command}));
    let group = prop::collection::vec(hook, 0..3).prop_map(|hooks| json!({"matcher": "*", "hooks": hooks}));
    let event = prop_oneof![Just("Stop"), Just("PermissionRequest"), Just("SessionEnd"), Just("Setup")];
    prop::collection::vec((event, prop::collection::vec(group, 0..3)), 0..4).prop_map(|events| {
        Value::Object(events.into_iter().map(|(event, groups)| (event.to_owned(), Value::from(groups))).collect())
    })
}

/// Generates settings, with and without hooks.
fn settings() -> impl Strategy<Value = Value> {
    let rest = prop::collection::vec(("[a-z]{1,5}", value()), 0..4);
    (rest, prop::option::of(others())).prop_map(|(rest, hooks)| {
        let mut map: Map<String, Value> = rest.into_iter().filter(|(key, _)| key != "hooks").collect();
        map.extend(hooks.map(|hooks| ("hooks".to_owned(), hooks)));
        Value::Object(map)
    })
}

/// Formats JSON with a style: white space before and after each token, in turn.
fn layout(value: &Value, style: usize) -> String {
    let pretty = |unit: &[u8]| {
        let mut bytes = Vec::new();
        let formatter = serde_json::ser::PrettyFormatter::with_indent(unit);
        serde::Serialize::serialize(value, &mut serde_json::Serializer::with_formatter(&mut bytes, formatter)).unwrap();
        String::from_utf8(bytes).unwrap()
    };
    match style {
        0 => value.to_string(),
        1 => pretty(b"  ") + "\n",
        2 => pretty(b"\t"),
        3 => pretty(b"    ").replace('\n', "\r\n") + "\r\n",
        4 => pretty(b"").replace('\n', " \n\n"),
        5 => format!("\u{feff}{}", pretty(b" ")),
        _ => format!("  {}  ", pretty(b"").replace('\n', " ")),
    }
}

proptest! {
    #[test]
    fn an_uninstall_gives_back_what_was_there_byte_for_byte(settings in settings(), style in 0_usize..7) {
        let text = layout(&settings, style);
        let home = Home::new(Some(&text));
        home.install("/opt/dm plz/dmplz").unwrap();
        let installed = home.text().unwrap();
        home.install("/opt/dm plz/dmplz").unwrap();
        prop_assert_eq!(home.text().unwrap(), installed, "a second install changes nothing");
        home.uninstall().unwrap();
        prop_assert_eq!(home.text(), Some(text));
    }

    #[test]
    fn cutting_out_leaves_every_other_value_alone(settings in settings(), style in 0_usize..7) {
        let text = layout(&settings, style);
        let text = text.trim_start_matches('\u{feff}');
        let installed = hooks::with(text, &hooks::wanted("/bin/dmplz", 300, &[]).unwrap()).unwrap();
        prop_assert_eq!(hooks::find(&installed).unwrap().len(), 6);
        let cut: Value = serde_json::from_str(&hooks::without(&installed).unwrap()).unwrap();
        prop_assert_eq!(without_empty_events(cut), without_empty_events(settings));
    }
}

/// Removes events without hooks, which have no effect and may be removed.
fn without_empty_events(mut settings: Value) -> Value {
    if let Some(events) = settings.get_mut("hooks").and_then(Value::as_object_mut) {
        events.retain(|_, groups| groups != &json!([]));
        if events.is_empty() {
            settings.as_object_mut().unwrap().remove("hooks");
        }
    }
    settings
}
