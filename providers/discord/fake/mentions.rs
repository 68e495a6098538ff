//! Determines the users that a message pings:
//! <https://discord.com/developers/docs/resources/message#allowed-mentions-object>.

use super::refusal::Refusal;
use serde_json::Value;

/// The users that a message may ping.
pub(crate) struct Mentions {
    users: Allowed,
    everyone: bool,
    answered: bool,
}

enum Allowed {
    All,
    Only(Vec<u64>),
}

impl Mentions {
    /// The value without `allowed_mentions`.
    pub(crate) const ALL: Self = Self { users: Allowed::All, everyone: true, answered: true };

    /// Parses `allowed_mentions`.
    pub(crate) fn read(allowed: Option<&Value>) -> Result<Self, Refusal> {
        let Some(allowed) = allowed.filter(|allowed| !allowed.is_null()) else {
            return Ok(Self::ALL);
        };
        let list = |field: &str| allowed.get(field).and_then(Value::as_array).into_iter().flatten();
        let parses = |kind: &str| list("parse").any(|parsed| parsed == kind);
        let ids: Vec<u64> = list("users").filter_map(|id| id.as_str()?.parse().ok()).collect();
        if parses("users") && !ids.is_empty() {
            return Err(Refusal::field(
                &["allowed_mentions"],
                "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
                "parse:[\"users\"] and users: [ids...] are mutually exclusive.",
            ));
        }
        Ok(Self {
            users: if parses("users") { Allowed::All } else { Allowed::Only(ids) },
            everyone: parses("everyone"),
            answered: allowed.get("replied_user").and_then(Value::as_bool).unwrap_or(false),
        })
    }

    /// Returns the users that a text pings, and the author of the message that it replies to.
    pub(crate) fn users(&self, content: &str, answered: Option<u64>) -> Vec<u64> {
        let named = content.split("<@").skip(1);
        let named = named.filter_map(|rest| rest.split_once('>')?.0.trim_start_matches('!').parse().ok());
        let mut users: Vec<u64> = named
            .filter(|id| match &self.users {
                Allowed::All => true,
                Allowed::Only(ids) => ids.contains(id),
            })
            .chain(answered.filter(|_| self.answered))
            .collect();
        users.sort_unstable();
        users.dedup();
        users
    }

    pub(crate) fn everyone(&self, content: &str) -> bool {
        self.everyone && (content.contains("@everyone") || content.contains("@here"))
    }
}
