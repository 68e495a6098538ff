use bytes::Bytes;
use serde_json::Value;

/// A member of the workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// `U` and letters and digits.
    pub id: String,
    /// The name that people see.
    pub name: String,
    /// Whether it is an app.
    pub is_bot: bool,
}

impl User {
    /// Returns a member who is a person.
    pub fn person(id: impl Into<String>, name: impl Into<String>) -> Self {
        Self { id: id.into(), name: name.into(), is_bot: false }
    }
}

/// A message of a channel, with all that it showed.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// The id of its channel.
    pub channel: String,
    /// Its time, which is its id.
    pub ts: String,
    /// The message in whose thread it is.
    pub thread_ts: Option<String>,
    /// The member who wrote it.
    pub user: User,
    /// What it showed, oldest first; the last one is shown.
    pub revisions: Vec<Revision>,
    /// Names and bytes of its files.
    pub files: Vec<(String, Bytes)>,
    /// Whether somebody deleted it.
    pub deleted: bool,
    /// Whether links in it are unfolded.
    pub unfurls: bool,
}

/// What a message showed at one time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Revision {
    /// The text that notifications show, and the message where it has no blocks.
    pub text: String,
    /// The blocks of Block Kit.
    pub blocks: Vec<Value>,
}

/// A button of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Button {
    /// The text on the button.
    pub label: String,
    /// The `action_id` that its press carries.
    pub action: String,
    /// The `value` that its press carries.
    pub value: String,
    /// Its `style`, if there is one.
    pub style: Option<String>,
}

/// A message as people read it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Screen {
    /// All of it, without markup.
    pub text: String,
    /// The parts that are bold.
    pub bold: Vec<String>,
    /// What is shown as code.
    pub code: Vec<String>,
    /// Whatever else is more than text: links, mentions, emoji, and texts in which Slack reads markup.
    pub markup: Vec<String>,
}

impl Message {
    /// Returns what it shows.
    pub fn now(&self) -> Revision {
        self.revisions.last().cloned().unwrap_or_default()
    }

    /// Returns the position among the messages of all channels.
    pub fn sequence(&self) -> u64 {
        self.ts.replace('.', "").parse().unwrap_or_default()
    }
}

impl Revision {
    /// Returns its buttons, row by row.
    pub fn buttons(&self) -> Vec<Button> {
        let rows = self.blocks.iter().filter(|block| block["type"] == "actions");
        let elements = rows.flat_map(|row| row["elements"].as_array().into_iter().flatten());
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let button = |it: &Value| Button {
            label: text(&it["text"]["text"]),
            action: text(&it["action_id"]),
            value: text(&it["value"]),
            style: it["style"].as_str().map(str::to_owned),
        };
        elements.filter(|it| it["type"] == "button").map(button).collect()
    }

    /// Returns what people read.
    pub fn screen(&self) -> Screen {
        let mut screen = Screen::default();
        if self.blocks.iter().all(|block| block["type"] == "actions") {
            screen.line(&self.text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"));
            return screen;
        }
        for block in self.blocks.iter().filter(|block| block["type"] != "actions") {
            if block["type"] != "rich_text" {
                screen.markup.push(block.to_string());
            }
            for part in block["elements"].as_array().into_iter().flatten() {
                screen.part(part);
            }
        }
        screen
    }
}

impl Screen {
    fn line(&mut self, line: &str) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(line);
    }

    fn part(&mut self, part: &Value) {
        let is_code = part["type"] == "rich_text_preformatted";
        if !is_code && part["type"] != "rich_text_section" {
            self.markup.push(part.to_string());
        }
        let mut line = String::new();
        for element in part["elements"].as_array().into_iter().flatten() {
            let text = element["text"].as_str().unwrap_or_default();
            line.push_str(text);
            for (style, list) in [("bold", &mut self.bold), ("code", &mut self.code)] {
                if element["style"][style] == true {
                    list.push(text.to_owned());
                }
            }
            if element["type"] != "text" || element["style"]["italic"] == true || element["style"]["strike"] == true {
                self.markup.push(element.to_string());
            }
        }
        if is_code {
            self.code.push(line.clone());
        }
        self.line(&line);
    }
}
