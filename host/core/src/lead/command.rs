//! The commands that people write in a chat.
//!
//! ```text
//! command = "/" name [ "@" bot ] [ blank rest ]
//! name    = one or more of a-z A-Z _ -
//! bot     = one or more of a-z A-Z 0-9 _       as Telegram writes commands in groups
//! ```
//!
//! The slash is the first character that is no blank. Everything else is no command: a path such as `/usr/bin` neither.
//! A name that is not in the list is a command that nobody knows. Case of a name does not matter.

/// What a command does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verb {
    /// Starts a session in a folder.
    New,
    /// Sends a session a message, for messengers that do not tell what people write.
    Send,
    /// Lists the running sessions and those that ended lately.
    Sessions,
    /// Stops what a session does.
    Interrupt,
    /// Ends a session and its client.
    Stop,
    /// Shows or changes the permission mode.
    Mode,
    /// Shows or changes the model.
    Model,
    /// Goes on with a session that has ended.
    Resume,
    /// Starts another session that goes on from the conversation of one.
    Fork,
    /// Gives a session a name, or removes it.
    Rename,
    /// Shows what undoing the last edits changes, and offers to do it.
    Undo,
    /// Shows the client's permission rules.
    Rules,
    /// Revokes what somebody allowed on a card of the session.
    Revoke,
    /// Shows the list of commands.
    Help,
}

/// A command as somebody wrote it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Written<'a> {
    /// What it does; `None` if no command has this name.
    pub verb: Option<Verb>,
    /// The name as it was written, without the slash.
    pub name: &'a str,
    /// The bot that it names, without `@`.
    pub bot: Option<&'a str>,
    /// What follows it, without blanks at its ends.
    pub rest: &'a str,
}

impl Verb {
    /// Every command with its name, without the slash, in the order in which people read them.
    pub const ALL: [(Self, &'static str); 14] = [
        (Self::New, "new"),
        (Self::Send, "send"),
        (Self::Sessions, "sessions"),
        (Self::Interrupt, "interrupt"),
        (Self::Stop, "stop"),
        (Self::Mode, "mode"),
        (Self::Model, "model"),
        (Self::Resume, "resume"),
        (Self::Fork, "fork"),
        (Self::Rename, "rename"),
        (Self::Undo, "undo"),
        (Self::Rules, "rules"),
        (Self::Revoke, "revoke"),
        (Self::Help, "help"),
    ];

    /// Returns whether a file may go with it.
    pub(crate) fn takes_file(self) -> bool {
        matches!(self, Self::New | Self::Send)
    }

    /// Telegram's button of a new chat sends `/start`.
    fn named(name: &str) -> Option<Self> {
        let is_it = |(_, known): &(Self, &str)| known.eq_ignore_ascii_case(name);
        let start = name.eq_ignore_ascii_case("start").then_some(Self::Help);
        Self::ALL.into_iter().find(is_it).map(|(verb, _)| verb).or(start)
    }
}

/// Reads a command. `None` if the text is none.
pub fn parse(text: &str) -> Option<Written<'_>> {
    let text = text.trim().strip_prefix('/')?;
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let (name, bot) = match word.split_once('@') {
        Some((name, bot)) => (name, Some(bot)),
        None => (word, None),
    };
    let is_name = |c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '-');
    let is_bot = |bot: &str| !bot.is_empty() && bot.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if name.is_empty() || !name.chars().all(is_name) || !bot.is_none_or(is_bot) {
        return None;
    }
    Some(Written { verb: Verb::named(name), name, bot, rest: rest.trim() })
}

/// Splits what follows `/new` into the folder and the first message. A folder with blanks stands in quotes. The folder is
/// empty if none is named.
pub fn folder_and_prompt(rest: &str) -> (&str, Option<&str>) {
    let quoted = ['"', '\'', '“'].into_iter().find_map(|quote| {
        let end = if quote == '“' { '”' } else { quote };
        rest.strip_prefix(quote)?.split_once(end)
    });
    let (folder, prompt) = quoted.or_else(|| rest.split_once(char::is_whitespace)).unwrap_or((rest, ""));
    let prompt = prompt.trim();
    (folder, (!prompt.is_empty()).then_some(prompt))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_a_slash_and_a_name_and_nothing_else_is_one() {
        let read = |text| parse(text).map(|it| (it.verb, it.name, it.bot, it.rest));
        for (text, is) in [
            ("/new ~/site fix it\nnow", Some((Some(Verb::New), "new", None, "~/site fix it\nnow"))),
            ("  /stop  ", Some((Some(Verb::Stop), "stop", None, ""))),
            ("/Stop", Some((Some(Verb::Stop), "Stop", None, ""))),
            ("/stop\n7f0d", Some((Some(Verb::Stop), "stop", None, "7f0d"))),
            ("/mode@dm_plz_bot plan", Some((Some(Verb::Mode), "mode", Some("dm_plz_bot"), "plan"))),
            ("/start k3y", Some((Some(Verb::Help), "start", None, "k3y"))),
            ("/compact", Some((None, "compact", None, ""))),
            ("/stopp", Some((None, "stopp", None, ""))),
            ("/usr/bin/env", None),
            ("/", None),
            ("/ stop", None),
            ("//stop", None),
            ("/stop@", None),
            ("/stop@a@b", None),
            ("/@bot", None),
            ("/7f0d", None),
            ("ok", None),
            ("please /stop", None),
            ("\u{200b}/stop", None),
            ("／stop", None),
            ("", None),
        ] {
            assert_eq!(read(text), is, "{text:?}");
        }
        for (verb, name) in Verb::ALL {
            assert_eq!(parse(&format!("/{name}")).and_then(|it| it.verb), Some(verb));
        }
    }

    #[test]
    fn the_folder_is_the_first_word_or_stands_in_quotes() {
        for (rest, folder, prompt) in [
            ("site", "site", None),
            ("site fix  it\nnow", "site", Some("fix  it\nnow")),
            ("/srv/a\nfix", "/srv/a", Some("fix")),
            ("\"my site\" fix", "my site", Some("fix")),
            ("“my site” fix", "my site", Some("fix")),
            ("'my site'", "my site", None),
            ("\"my site", "\"my", Some("site")),
            ("", "", None),
        ] {
            assert_eq!(folder_and_prompt(rest), (folder, prompt), "{rest:?}");
        }
    }
}
