//! The list of what the agent means to do, as its tools keep it.
//!
//! | tool | so |
//! |---|---|
//! | `TodoWrite` | is the whole list |
//! | `TaskCreate`, returned as `Task #ID ...` | adds one |
//! | `TaskUpdate` | changes or removes one |

use dmplz_core::visible::short;
use dmplz_protocol::session::{Todo, TodoState};
use serde_json::{Map, Value};

/// The longest list.
const MOST: usize = 100;
/// The longest text of one, in characters.
const TEXT: usize = 300;

/// The list.
#[derive(Debug, Default)]
pub(super) struct Todos {
    listed: Vec<(String, Todo)>,
    /// Tasks whose ids are not known yet, by the calls that make them.
    making: Vec<(String, String)>,
}

impl Todos {
    /// The agent calls a tool.
    pub(super) fn called(&mut self, call: &str, tool: &str, input: &Map<String, Value>) {
        let word = |key: &str| input.get(key).and_then(Value::as_str);
        match tool {
            "TodoWrite" => {
                let todos = input.get("todos").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
                let todos = todos.iter().filter_map(|todo| {
                    let text = todo.get("content")?.as_str()?;
                    Some((String::new(), Todo { text: short(text, TEXT), state: state(todo.get("status")?.as_str()?) }))
                });
                self.listed = todos.take(MOST).collect();
            }
            "TaskCreate" if self.making.len() < MOST => {
                self.making.extend(word("subject").map(|subject| (call.to_owned(), short(subject, TEXT))));
            }
            "TaskUpdate" => {
                let Some(id) = word("taskId") else { return };
                if word("status") == Some("deleted") {
                    return self.listed.retain(|(known, _)| known != id);
                }
                let Some((_, todo)) = self.listed.iter_mut().find(|(known, _)| known == id) else { return };
                if let Some(status) = word("status") {
                    todo.state = state(status);
                }
                if let Some(subject) = word("subject") {
                    todo.text = short(subject, TEXT);
                }
            }
            _ => {}
        }
    }

    /// A call returned this.
    pub(super) fn returned(&mut self, call: &str, is_error: bool, text: &str) {
        let Some(at) = self.making.iter().position(|(making, _)| making == call) else { return };
        let (_, subject) = self.making.swap_remove(at);
        let id = text.split_once('#').map(|(_, rest)| rest.chars().take_while(char::is_ascii_alphanumeric).collect());
        if let Some(id) = id.filter(|id: &String| !id.is_empty() && !is_error && self.listed.len() < MOST) {
            self.listed.push((id, Todo { text: subject, state: TodoState::Open }));
        }
    }

    pub(super) fn all(&self) -> Vec<Todo> {
        self.listed.iter().map(|(_, todo)| todo.clone()).collect()
    }
}

fn state(status: &str) -> TodoState {
    match status {
        "completed" => TodoState::Done,
        "in_progress" => TodoState::Doing,
        _ => TodoState::Open,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn call(todos: &mut Todos, tool: &str, input: Value) {
        todos.called("c", tool, input.as_object().unwrap());
    }

    #[test]
    fn the_list_is_what_the_tools_say() {
        let mut todos = Todos::default();
        call(
            &mut todos,
            "TodoWrite",
            json!({ "todos": [{ "content": "a", "status": "completed" }, { "content": "b" }] }),
        );
        assert_eq!(todos.all(), [Todo { text: "a".into(), state: TodoState::Done }]);
        let mut todos = Todos::default();
        call(&mut todos, "TaskCreate", json!({ "subject": "one\u{202e}" }));
        assert!(todos.all().is_empty(), "it has no id yet");
        todos.returned("other", false, "Task #9 created");
        todos.returned("c", false, "Task #1 created successfully: one");
        call(&mut todos, "TaskUpdate", json!({ "taskId": "1", "status": "in_progress" }));
        assert_eq!(todos.all(), [Todo { text: "one⟨U+202E⟩".into(), state: TodoState::Doing }]);
        call(&mut todos, "TaskUpdate", json!({ "taskId": "1", "status": "deleted" }));
        assert!(todos.all().is_empty());
    }
}
