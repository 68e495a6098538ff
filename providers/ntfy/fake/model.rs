use bytes::Bytes;

/// A message as it was published.
#[derive(Clone, Debug, PartialEq)]
pub struct Published {
    /// The id that the server assigned.
    pub id: String,
    /// The time in seconds since 1970, by the server's clock.
    pub time: u64,
    /// The topic that it was published to.
    pub topic: String,
    /// The sequence id. A later message with the same one replaces it on screens.
    pub sequence: Option<String>,
    /// The title; empty for none.
    pub title: String,
    /// The text below the title.
    pub message: String,
    /// The priority, from 1 to 5.
    pub priority: u64,
    /// The buttons, three at most.
    pub actions: Vec<Action>,
    /// The name and the bytes of its file.
    pub attachment: Option<(String, Bytes)>,
    /// Whether the bot published it, and not a person.
    pub by_bot: bool,
}

/// A button: the request that a phone sends when it is pressed.
#[derive(Clone, Debug, PartialEq)]
pub struct Action {
    /// The label of the button.
    pub label: String,
    /// The address that the phone sends the request to.
    pub url: String,
    /// The body of the request.
    pub body: String,
}

/// A message as a phone shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// The sequence id; without one, the message's own id.
    pub id: String,
    /// The published messages, oldest first; the last one is shown.
    pub revisions: Vec<Published>,
    /// Whether a person deleted it on the phone.
    pub deleted: bool,
}

impl Message {
    /// Returns what it shows.
    ///
    /// # Panics
    /// Never, because a message has at least one revision.
    #[allow(clippy::expect_used, reason = "a message has a revision from its beginning")]
    pub fn now(&self) -> &Published {
        self.revisions.last().expect("a message was published")
    }

    /// Returns when it was first published, in seconds since 1970.
    pub fn time(&self) -> u64 {
        self.revisions.first().map_or(0, |first| first.time)
    }
}

impl Published {
    /// Returns the text on the screen: the title, if there is one, and the message.
    pub fn text(&self) -> String {
        if self.title.is_empty() { self.message.clone() } else { format!("{}\n{}", self.title, self.message) }
    }
}
