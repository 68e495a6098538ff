//! The form of an MCP server as questions that every surface shows, and their answers as what the server gets.
//!
//! | property of the form | question | content |
//! |---|---|---|
//! | string with `enum`, or `oneOf` with `const` | a choice of one | the value |
//! | array of such strings | a choice of several | the values |
//! | boolean | yes or no | true or false |
//! | string | the person's own words | the text |
//! | number, integer | the person's own words | the number; a text that is none does not fit |
//! | one that is not required | as above, with one more option that leaves it out | absent |
//! | anything else, too many properties or options | the form cannot be shown | |
//!
//! A form without properties, and an address to visit, is one question whose one option accepts. All texts are untrusted.

use std::collections::HashSet;

use dmplz_core::claude::{AnswerOption, Answered, Question, ToolCall};
use dmplz_core::text::Lang;
use dmplz_core::visible::short;
use dmplz_runner::control::Elicitation;
use serde_json::{Map, Value, json};

/// The most properties, as many as a call may have questions.
const FIELDS: usize = 8;
/// The most options of a question.
const OPTIONS: usize = 9;
/// The longest texts, in characters.
const MESSAGE: usize = 1_000;
const LABEL: usize = 200;
const HEADER: usize = 30;

/// A form that can be shown.
#[derive(Debug)]
pub(super) struct Form {
    questions: Vec<Question>,
    /// The properties, one a question. None where only a yes is asked for.
    fields: Vec<Field>,
    /// Whether the server gets a content.
    has_content: bool,
    skip: &'static str,
}

#[derive(Debug)]
struct Field {
    key: String,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Text,
    Number { whole: bool },
    Truth,
    One(Vec<Choice>),
    Several(Vec<Choice>),
}

#[derive(Debug)]
struct Choice {
    label: String,
    value: String,
}

impl Form {
    /// Reads a form or an address. The error is why it cannot be shown, as the end of a sentence.
    pub(super) fn read(asked: &Elicitation, lang: Lang) -> Result<Self, String> {
        let words = &lang.words().lead;
        let server = short(&format!("MCP {}", asked.mcp_server_name), HEADER);
        let message = beginning(&asked.message);
        let question = |text: String, multi_select, labels: Vec<String>| Question {
            question: text,
            header: server.clone(),
            multi_select,
            options: labels.into_iter().map(|label| AnswerOption { label, description: String::new() }).collect(),
        };
        let confirm = |text: String, has_content| Self {
            questions: vec![question(text, false, vec![words.form_accept.to_owned()])],
            fields: Vec::new(),
            has_content,
            skip: words.form_skip,
        };
        if asked.mode.as_deref() == Some("url") {
            let url = asked.url.as_deref().ok_or("it names no address")?;
            if url.chars().count() > MESSAGE {
                return Err("its address is too long".to_owned());
            }
            return Ok(confirm(format!("{message}\n{url}"), false));
        }
        let schema = asked.requested_schema.as_ref().ok_or("it has no form")?;
        let properties = schema.get("properties").and_then(Value::as_object).cloned().unwrap_or_default();
        if properties.is_empty() {
            return Ok(confirm(message, true));
        }
        if properties.len() > FIELDS {
            return Err(format!("its form has more than {FIELDS} fields"));
        }
        let required: HashSet<&str> = strings(schema.get("required")).into_iter().collect();
        let mut keys = strings(asked.property_order.as_ref());
        keys.retain(|key| properties.contains_key(*key));
        keys.extend(
            properties.keys().map(String::as_str).filter(|key| !strings(asked.property_order.as_ref()).contains(key)),
        );
        let (mut questions, mut fields): (Vec<Question>, Vec<Field>) = (Vec::new(), Vec::new());
        for key in keys {
            let property = properties.get(key).unwrap_or(&Value::Null);
            let kind =
                Kind::read(property).ok_or_else(|| format!("its field {} is of no known type", short(key, LABEL)))?;
            let mut labels = match &kind {
                Kind::Text | Kind::Number { .. } => Vec::new(),
                Kind::Truth => vec![words.form_yes.to_owned(), words.form_no.to_owned()],
                Kind::One(choices) | Kind::Several(choices) => {
                    choices.iter().map(|choice| choice.label.clone()).collect()
                }
            };
            if !required.contains(key) {
                labels.push(words.form_skip.to_owned());
            }
            if labels.len() > OPTIONS {
                return Err(format!("its field {} has too many options", short(key, LABEL)));
            }
            let text = |name: &str| property.get(name).and_then(Value::as_str).map(|text| short(text, LABEL));
            let title = text("title").unwrap_or_else(|| short(key, LABEL));
            let title = text("description").map_or_else(|| title.clone(), |more| format!("{title} ({more})"));
            let title = if questions.is_empty() { format!("{message}\n{title}") } else { title };
            questions.push(question(title, matches!(kind, Kind::Several(_)), labels));
            fields.push(Field { key: key.to_owned(), kind });
        }
        let form = Self { questions, fields, has_content: true, skip: words.form_skip };
        // The answers are told apart by the texts.
        match dmplz_core::claude::questions(&form.call()).is_empty() {
            true => Err("its fields or options cannot be told apart".to_owned()),
            false => Ok(form),
        }
    }

    /// Returns the form as a call that asks questions.
    pub(super) fn call(&self) -> ToolCall {
        let input = Map::from_iter([("questions".to_owned(), json!(self.questions))]);
        ToolCall { tool: "AskUserQuestion".to_owned(), input, tool_use_id: None, suggestions: Vec::new() }
    }

    /// Returns what the server gets for these answers; `None` for an address. The error is which answer does not fit.
    pub(super) fn content(&self, answers: &[Answered]) -> Result<Option<Map<String, Value>>, String> {
        if !self.has_content {
            return Ok(None);
        }
        let mut content = Map::new();
        for (field, answer) in self.fields.iter().zip(answers) {
            let is_skipped = answer.text.is_none() && answer.labels.iter().any(|label| label == self.skip);
            if !is_skipped {
                let value = field.kind.value(answer, &self.questions);
                content.insert(
                    field.key.clone(),
                    value.ok_or_else(|| format!("{} does not fit", short(&field.key, LABEL)))?,
                );
            }
        }
        Ok(Some(content))
    }
}

impl Kind {
    fn read(property: &Value) -> Option<Self> {
        let choices = Choice::read(property);
        Some(match property.get("type").and_then(Value::as_str)? {
            "string" if property.get("enum").is_some() || property.get("oneOf").is_some() => Self::One(choices?),
            "string" => Self::Text,
            "number" => Self::Number { whole: false },
            "integer" => Self::Number { whole: true },
            "boolean" => Self::Truth,
            "array" => Self::Several(Choice::read(property.get("items")?)?),
            _ => return None,
        })
    }

    /// The value of an answer that fits.
    fn value(&self, answer: &Answered, questions: &[Question]) -> Option<Value> {
        let text = answer.text.as_deref();
        let first = text.or_else(|| answer.labels.first().map(String::as_str));
        let chosen = |choices: &[Choice], wanted: &str| {
            let is_it = |choice: &&Choice| choice.label == wanted || choice.value == wanted;
            choices.iter().find(is_it).map(|choice| Value::from(choice.value.clone()))
        };
        match self {
            Self::Text => first.map(Value::from),
            Self::Number { whole: true } => first?.trim().parse::<i64>().ok().map(Value::from),
            Self::Number { whole: false } => {
                first?.trim().parse::<f64>().ok().filter(|it| it.is_finite()).map(Value::from)
            }
            Self::Truth => {
                let question = questions.iter().find(|question| question.question == answer.question)?;
                let at = question.options.iter().take(2).position(|option| Some(option.label.as_str()) == first)?;
                Some(Value::Bool(at == 0))
            }
            Self::One(choices) => chosen(choices, first?),
            Self::Several(choices) => {
                let all = answer.labels.iter().map(String::as_str).chain(text);
                all.map(|wanted| chosen(choices, wanted)).collect::<Option<Vec<Value>>>().map(Value::from)
            }
        }
    }
}

impl Choice {
    /// Reads `enum` with its `enumNames`, or `oneOf` or `anyOf` with `const` and `title`.
    fn read(property: &Value) -> Option<Vec<Self>> {
        let titled = property.get("oneOf").or_else(|| property.get("anyOf"));
        if let Some(titled) = titled.and_then(Value::as_array) {
            let choice = |one: &Value| {
                let value = one.get("const")?.as_str()?.to_owned();
                let label = one.get("title").and_then(Value::as_str).unwrap_or(&value);
                Some(Self { label: short(label, LABEL), value })
            };
            return titled.iter().map(choice).collect();
        }
        let names = strings(property.get("enumNames"));
        let values = property.get("enum")?.as_array()?;
        let choice = |(at, value): (usize, &Value)| {
            let value = value.as_str()?.to_owned();
            let label = names.get(at).copied().unwrap_or(&value);
            Some(Self { label: short(label, LABEL), value })
        };
        values.iter().enumerate().map(choice).collect()
    }
}

fn beginning(text: &str) -> String {
    text.chars().take(MESSAGE).collect()
}

fn strings(list: Option<&Value>) -> Vec<&str> {
    list.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(asked: Value) -> Elicitation {
        serde_json::from_value(asked).unwrap()
    }

    fn form(properties: Value, required: Value) -> Result<Form, String> {
        let schema = json!({ "type": "object", "properties": properties, "required": required });
        let wanted = json!({ "mcp_server_name": "tiny\u{202e}", "message": "Who\nare you?", "mode": "form", "requested_schema": schema });
        Form::read(&asked(wanted), Lang::En)
    }

    fn answered(form: &Form, answers: &[(&[&str], Option<&str>)]) -> Result<Option<Map<String, Value>>, String> {
        let answers: Vec<Answered> = form
            .questions
            .iter()
            .zip(answers)
            .map(|(question, (labels, text))| {
                let labels = labels.iter().map(|&label| label.to_owned()).collect();
                let answer = Answered { question: question.question.clone(), labels, text: text.map(str::to_owned) };
                assert!(question.takes(&answer), "{answer:?}");
                answer
            })
            .collect();
        form.content(&answers)
    }

    #[test]
    fn every_kind_of_field_is_a_question_and_its_answer_a_value() {
        let form = form(
            json!({
                "name": { "type": "string", "title": "Your name", "description": "as on the door" },
                "colour": { "type": "string", "enum": ["r", "b"], "enumNames": ["Red", "Blue"] },
                "size": { "type": "string", "oneOf": [{ "const": "s", "title": "Small" }, { "const": "l" }] },
                "parts": { "type": "array", "items": { "type": "string", "enum": ["x", "y", "z"] } },
                "sure": { "type": "boolean" },
                "age": { "type": "integer" },
                "height": { "type": "number" },
            }),
            json!(["name", "colour", "size", "parts", "sure", "age"]),
        )
        .unwrap();
        let shown: Vec<String> = form
            .questions
            .iter()
            .map(|question| {
                let options: Vec<&str> = question.options.iter().map(|option| option.label.as_str()).collect();
                format!("{} {:?} {options:?} {}", question.header, question.question, question.multi_select)
            })
            .collect();
        insta::assert_snapshot!(shown.join("\n"), @r#"
        MCP tiny⟨U+202E⟩ "Who\nare you?\nYour name (as on the door)" [] false
        MCP tiny⟨U+202E⟩ "colour" ["Red", "Blue"] false
        MCP tiny⟨U+202E⟩ "size" ["Small", "l"] false
        MCP tiny⟨U+202E⟩ "parts" ["x", "y", "z"] true
        MCP tiny⟨U+202E⟩ "sure" ["Yes", "No"] false
        MCP tiny⟨U+202E⟩ "age" [] false
        MCP tiny⟨U+202E⟩ "height" ["Leave it out"] false
        "#);
        let by_key = |key: &str| form.fields.iter().position(|field| field.key == key).unwrap();
        let mut answers: Vec<(&[&str], Option<&str>)> = vec![(&[], None); 7];
        answers[by_key("name")] = (&[], Some("Ada"));
        answers[by_key("colour")] = (&["Blue"], None);
        answers[by_key("size")] = (&[], Some("l"));
        answers[by_key("parts")] = (&["x", "z"], None);
        answers[by_key("sure")] = (&["No"], None);
        answers[by_key("age")] = (&[], Some(" 36 "));
        answers[by_key("height")] = (&["Leave it out"], None);
        let content = answered(&form, &answers).unwrap().unwrap();
        insta::assert_snapshot!(Value::from(content), @r#"{"name":"Ada","colour":"b","size":"l","parts":["x","z"],"sure":false,"age":36}"#);
        answers[by_key("age")] = (&[], Some("old"));
        assert_eq!(answered(&form, &answers).unwrap_err(), "age does not fit");
        answers[by_key("age")] = (&[], Some("1"));
        answers[by_key("colour")] = (&[], Some("green"));
        assert_eq!(answered(&form, &answers).unwrap_err(), "colour does not fit", "no value of the form");
    }

    #[test]
    fn a_form_without_fields_and_an_address_ask_for_a_yes() {
        let empty = form(json!({}), json!([])).unwrap();
        assert_eq!(empty.questions[0].question, "Who\nare you?");
        assert_eq!(answered(&empty, &[(&["Accept"], None)]).unwrap(), Some(Map::new()));
        let url = json!({ "mcp_server_name": "tiny", "message": "Sign in", "mode": "url", "url": "https://a.example/\u{202e}" });
        let address = Form::read(&asked(url), Lang::En).unwrap();
        assert_eq!(address.questions[0].question, "Sign in\nhttps://a.example/\u{202e}", "surfaces make it visible");
        assert_eq!(answered(&address, &[(&["Accept"], None)]).unwrap(), None);
    }

    #[test]
    fn what_cannot_be_shown_is_said() {
        let many: Map<String, Value> = (0..9).map(|at| (format!("f{at}"), json!({ "type": "string" }))).collect();
        for (properties, why) in [
            (json!({ "a": { "type": "object" } }), "its field a is of no known type"),
            (json!({ "a": { "type": "string", "enum": [1] } }), "its field a is of no known type"),
            (json!({ "a": { "type": "string", "enum": ["x", "x"] } }), "its fields or options cannot be told apart"),
            (
                json!({ "a": { "type": "string", "enum": ["1", "2", "3", "4", "5", "6", "7", "8", "9"] } }),
                "its field a has too many options",
            ),
            (Value::from(many), "its form has more than 8 fields"),
        ] {
            assert_eq!(form(properties, json!([])).unwrap_err(), why);
        }
        let without =
            |mode: &str| Form::read(&asked(json!({ "mcp_server_name": "tiny", "mode": mode })), Lang::En).unwrap_err();
        assert_eq!((without("form"), without("url")), ("it has no form".to_owned(), "it names no address".to_owned()));
    }
}
