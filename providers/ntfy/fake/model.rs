use bytes::Bytes;

/// One message as it was published.
#[derive(Clone, Debug, PartialEq)]
pub struct Published {
    /// As the server made it.
    pub id: String,
    /// Seconds since 1970, by the server's clock.
    pub time: u64,
    /// Where it was published.
    pub topic: String,
    /// What it replaces on screens, or can be replaced by.
    pub sequence: Option<String>,
    /// The title; empty for none.
    pub title: String,
    /// The text below the title.
    pub message: String,
    /// From 1 to 5.
    pub priority: u64,
    /// The buttons, three at most.
    pub actions: Vec<Action>,
    /// Name and bytes of its file.
    pub attachment: Option<(String, Bytes)>,
    /// Whether it came over the wire; else a person published it.
    pub by_bot: bool,
}

/// A button: the request that a phone sends when it is pressed.
#[derive(Clone, Debug, PartialEq)]
pub struct Action {
    /// What the button says.
    pub label: String,
    /// Where the phone sends it.
    pub url: String,
    /// What the phone sends in the body.
    pub body: String,
}

/// A message as a phone shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// The sequence id, or the message's id where it is in none.
    pub id: String,
    /// What was published, oldest first; the last one is shown.
    pub revisions: Vec<Published>,
    /// Whether somebody deleted it on the phone.
    pub deleted: bool,
}

impl Message {
    /// What it shows.
    ///
    /// # Panics
    /// Never: a message was published once at least.
    #[allow(clippy::expect_used, reason = "a message has a revision from its beginning")]
    pub fn now(&self) -> &Published {
        self.revisions.last().expect("a message was published")
    }

    /// When it came, in seconds since 1970.
    pub fn time(&self) -> u64 {
        self.revisions.first().map_or(0, |first| first.time)
    }
}

impl Published {
    /// What can be read on a screen.
    pub fn text(&self) -> String {
        if self.title.is_empty() { self.message.clone() } else { format!("{}\n{}", self.title, self.message) }
    }
}
