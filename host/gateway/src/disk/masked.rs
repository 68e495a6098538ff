//! A request as it is stored once it has ended.

use dmplz_core::card::{Part, Subject};
use dmplz_core::claude::{AnswerOption, Answered, PermissionUpdate, Question, Suggestion};
use dmplz_core::redact::{mask, mask_json};
use dmplz_core::request::{ApprovalScope, Offer, Resolution};
use dmplz_core::visible::visible_line;
use dmplz_protocol::Request;
use serde_json::{Map, Value};

/// Replaces a value whose name marks it as secret.
const MASK: &str = "****";

/// Returns the request with secrets masked, at any depth of its input and in the text that a card shows.
pub fn masked(request: &Request) -> Request {
    let subject = &request.subject;
    let secret: Vec<String> = request.input.keys().filter(|key| is_secret(key)).map(|key| visible_line(key)).collect();
    Request {
        input: input(&request.input),
        subject: Subject {
            context: subject.context.iter().map(|line| text(line)).collect(),
            parts: subject.parts.iter().map(|shown| part(shown, &secret)).collect(),
            grant: subject.grant.as_deref().map(text),
            granted: subject.granted.as_deref().map(text),
            ..subject.clone()
        },
        offer: offer(&request.offer),
        ..request.clone()
    }
}

/// Returns the resolution with secrets masked in the person's words and in the answered questions.
pub fn masked_end(resolution: &Resolution) -> Resolution {
    let scope = match &resolution.scope {
        Some(ApprovalScope::Answers { answers }) => {
            Some(ApprovalScope::Answers { answers: answers.iter().map(answered).collect() })
        }
        scope => scope.clone(),
    };
    Resolution { reason: resolution.reason.as_deref().map(text), scope, ..resolution.clone() }
}

fn answered(answered: &Answered) -> Answered {
    Answered {
        question: text(&answered.question),
        labels: answered.labels.iter().map(|label| text(label)).collect(),
        text: answered.text.as_deref().map(text),
    }
}

fn offer(offer: &Offer) -> Offer {
    let suggestion = |suggestion: &Suggestion| Suggestion { update: update(&suggestion.update), ..suggestion.clone() };
    Offer {
        always: offer.always.iter().map(suggestion).collect(),
        questions: offer.questions.iter().map(question).collect(),
        ..offer.clone()
    }
}

fn update(update: &PermissionUpdate) -> PermissionUpdate {
    let mut update = update.clone();
    match &mut update {
        PermissionUpdate::AddRules { rules, .. } => {
            rules.iter_mut().for_each(|rule| rule.rule_content = rule.rule_content.as_deref().map(text));
        }
        PermissionUpdate::AddDirectories { directories, .. } => {
            directories.iter_mut().for_each(|directory| *directory = text(directory));
        }
        PermissionUpdate::SetMode { .. } => {}
    }
    update
}

fn question(question: &Question) -> Question {
    let option =
        |option: &AnswerOption| AnswerOption { label: text(&option.label), description: text(&option.description) };
    Question {
        question: text(&question.question),
        header: text(&question.header),
        options: question.options.iter().map(option).collect(),
        ..question.clone()
    }
}

/// Masks the input's secrets, including those that a neighbouring field names: `{"name": "TOKEN", "value": ...}`.
fn input(fields: &Map<String, Value>) -> Map<String, Value> {
    match mask_json(&Value::Object(object(fields))) {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

/// Removes the values whose names mark them as secret. The remaining text is not masked yet.
fn object(object: &Map<String, Value>) -> Map<String, Value> {
    let field = |(key, value): (&String, &Value)| {
        let value = if is_secret(key) && !value.is_null() && !value.is_boolean() { MASK.into() } else { json(value) };
        (key.clone(), value)
    };
    object.iter().map(field).collect()
}

fn json(value: &Value) -> Value {
    match value {
        Value::Array(values) => values.iter().map(json).collect(),
        Value::Object(fields) => object(fields).into(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.clone(),
    }
}

fn part(part: &Part, secret: &[String]) -> Part {
    let hide = |shown: &str| match secret
        .iter()
        .find(|key| shown.strip_prefix(*key).is_some_and(|rest| rest.starts_with(':')))
    {
        Some(key) => format!("{key}: {MASK}"),
        None => text(shown),
    };
    match part {
        Part::Text(shown) => Part::Text(hide(shown)),
        Part::Code(shown) => Part::Code(hide(shown)),
    }
}

/// Returns whether a value of that name would be masked in a text.
fn is_secret(key: &str) -> bool {
    let pair = Value::from_iter([(key, "a1b2c3d4")]).to_string();
    mask(&pair).as_str() != pair
}

fn text(text: &str) -> String {
    mask(text).to_string()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use dmplz_protocol::{RequestId, Source};

    fn request(input: Value, parts: Vec<Part>) -> Request {
        let id = RequestId::new();
        Request {
            id,
            source: Source::Hook { session_id: "s".into(), agent_id: None },
            tool: "Bash".into(),
            input: input.as_object().unwrap().clone(),
            cwd: "/work".into(),
            subject: Subject {
                request_id: id.to_string(),
                tool: "Bash".into(),
                context: vec!["by rule: password=hunter2".into()],
                parts,
                grant: Some("Bash(curl -H 'Authorization: Bearer abc123def456ghi')".into()),
                granted: None,
                risks: Vec::new(),
            },
            offer: dmplz_core::request::Offer::plain(false),
            created_ms: 1,
            expires_ms: 2,
        }
    }

    #[test]
    fn a_secret_is_masked_by_its_name_at_any_depth_and_by_its_shape_in_any_text() {
        let input = json!({
            "command": "export GITHUB=ghp_0123456789abcdefghijABCDEFGHIJ012345",
            "apiKey": "two words",
            "headers": [{"Authorization": "x", "Accept": "text/html"}],
            "token": {"value": 7},
            "pin": 1234,
            "password": 1234,
            "secret": null,
            "passwordless": true,
            "env": [{"name": "DB_PASSWORD", "value": "Letters"}, {"name": "HOME", "value": "/root"}],
            "args": ["--password", "Letters"],
        });
        let kept = masked(&request(input, Vec::new()));
        insta::assert_snapshot!(serde_json::to_string(&kept.input).unwrap(), @r#"{"command":"export GITHUB=ghp_********","apiKey":"****","headers":[{"Authorization":"****","Accept":"text/html"}],"token":"****","pin":"****","password":"****","secret":null,"passwordless":true,"env":[{"name":"DB_PASSWORD","value":"****"},{"name":"HOME","value":"/root"}],"args":["--password","****"]}"#);
    }

    #[test]
    fn what_is_offered_and_what_was_answered_is_masked_as_well() {
        let offer = json!({
            "always": [{ "update": { "type": "addRules", "behavior": "allow", "destination": "session",
                "rules": [{ "toolName": "Bash", "ruleContent": "curl -u ada:secret99 https://ada:secret99@host/" }] } }],
            "questions": [{ "question": "Is password=hunter2 right?", "options": [{ "label": "password=hunter3" }] }],
        });
        let asked = Request { offer: serde_json::from_value(offer).unwrap(), ..request(json!({}), Vec::new()) };
        let kept = serde_json::to_string(&masked(&asked).offer).unwrap();
        assert!(kept.contains("password=****") && kept.contains("https://ada:****@host/"), "{kept}");
        for secret in ["hunter2", "hunter3", "ada:secret99@"] {
            assert!(!kept.contains(secret), "{kept}");
        }
        let answers = json!({ "outcome": "answered", "scope": { "kind": "answers", "answers": [
            { "question": "Is password=hunter2 right?", "labels": ["password=hunter3"], "text": "password=hunter4" },
        ] } });
        let end = masked_end(&serde_json::from_value(answers).unwrap());
        insta::assert_snapshot!(serde_json::to_string(&end.scope).unwrap(), @r#"{"kind":"answers","answers":[{"question":"Is password=**** right?","labels":["password=****"],"text":"password=****"}]}"#);
    }

    #[test]
    fn what_a_card_shows_is_masked_as_well() {
        let parts = vec![
            Part::Text("apiKey: two words".into()),
            Part::Code("password:\nfirst line\nsecond line".into()),
            Part::Text("description: two words".into()),
            Part::Code("curl https://ada:secret99@host/".into()),
        ];
        let input = json!({"apiKey": "two words", "password": "first line\nsecond line", "description": "two words"});
        let kept = masked(&request(input, parts));
        let shown: Vec<&str> = kept.subject.parts.iter().map(Part::text).collect();
        insta::assert_snapshot!(shown.join(" | "), @"apiKey: **** | password: **** | description: two words | curl https://ada:****@host/");
        insta::assert_snapshot!(kept.subject.context.join(" | "), @"by rule: password=****");
        insta::assert_snapshot!(kept.subject.grant.clone().unwrap(), @"Bash(curl -H 'Authorization: Bearer abc1********')");
        assert_eq!(masked(&kept), kept, "masking twice is masking once");
    }
}
