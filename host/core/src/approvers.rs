//! Who may answer a card.
//!
//! | chat | who may answer |
//! |---|---|
//! | private (it has an owner) | its owner, and nobody else unless listed |
//! | group or channel | the listed ids; nobody when the list is empty |
//! | any, with `*` in the list | every person in the chat: an explicit choice of the operator |
//! | of a messenger that does not identify users | nobody, unless `*` is in the list |
//!
//! A program (bot, webhook) may never answer, whatever is listed.
//!
//! The gateway's own surfaces (page, command line, WebSocket) have one approver: the owner of the machine's account,
//! once the surface has authenticated them. A recorded answer of theirs is read back as one of an approver.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::messenger::{OpenChat, User, Users};

/// The people who may answer in one chat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approvers {
    surface: String,
    ids: Vec<String>,
    anyone: bool,
}

/// A person who was found to be allowed to answer. Only [`Approvers::admit`], and reading a recorded
/// [`Resolution`](crate::request::Resolution), make one, and every allow holds one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approver {
    by: Answerer,
}

/// Who answered, and where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Answerer {
    /// A messenger (`telegram`), `web`, `cli`, `websocket` or `rest`.
    pub surface: String,
    /// The surface's stable id of the person.
    pub id: String,
    /// The name that people see; untrusted text.
    pub name: String,
}

impl Approvers {
    /// Returns the approvers of a chat on a messenger: its owner, and the ids that the operator listed for that
    /// messenger.
    pub fn of(surface: &str, chat: &OpenChat, listed: &[String]) -> Self {
        let named = chat.owner.iter().chain(listed.iter().filter(|id| *id != "*"));
        // An empty id is nobody's: with nothing else there is nobody who could answer.
        let is_somebodys = |id: &&String| chat.users == Users::Identified && !id.trim().is_empty();
        let ids = named.filter(is_somebodys).cloned().collect();
        Self { surface: surface.to_owned(), ids, anyone: listed.iter().any(|id| id == "*") }
    }

    /// Returns the only approver on the gateway's own surfaces: the user who runs the gateway.
    pub fn owner(surface: &str, id: &str) -> Self {
        Self { surface: surface.to_owned(), ids: vec![id.to_owned()], anyone: false }
    }

    /// Returns whether there is nobody who could answer: then asking is pointless and says so.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty() && !self.anyone
    }

    /// Lets an authorised person through.
    pub fn admit(&self, user: &User) -> Option<Approver> {
        let known = self.anyone || self.ids.contains(&user.id);
        let by = || Answerer { surface: self.surface.clone(), id: user.id.clone(), name: user.name.clone() };
        (known && !user.is_bot && !user.id.is_empty()).then(|| Approver { by: by() })
    }
}

impl Approver {
    /// Returns the approver of a recorded answer, who was admitted when it was recorded.
    pub(crate) fn recorded(by: &Answerer) -> Option<Self> {
        (!by.id.is_empty()).then(|| Self { by: by.clone() })
    }

    /// Returns the same person on another of the gateway's own surfaces.
    #[must_use]
    pub fn on(self, surface: &str) -> Self {
        Self { by: Answerer { surface: surface.to_owned(), ..self.by } }
    }

    /// Returns who they are, as plain data.
    pub fn answerer(&self) -> &Answerer {
        &self.by
    }

    /// Returns the surface on which they answered.
    pub fn surface(&self) -> &str {
        &self.by.surface
    }

    /// Returns the surface's id of the person.
    pub fn id(&self) -> &str {
        &self.by.id
    }

    /// Returns the person's name as the surface shows it; untrusted text.
    pub fn name(&self) -> &str {
        &self.by.name
    }

    /// Returns whether it is the same person on the same surface, whatever they are called.
    pub(crate) fn is_the_same_as(&self, other: &Self) -> bool {
        (self.surface(), self.id()) == (other.surface(), other.id())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn user(id: &str, is_bot: bool) -> User {
        User { id: id.into(), name: "someone".into(), is_bot }
    }

    fn chat(owner: Option<&str>) -> OpenChat {
        OpenChat { id: "c".into(), owner: owner.map(Into::into), users: Users::Identified }
    }

    /// Owner, list, who presses, whether a bot, whether it counts.
    type Case = (Option<&'static str>, &'static [&'static str], &'static str, bool, bool);

    #[test]
    fn where_nobody_is_identified_an_id_admits_nobody() {
        let chat = OpenChat { users: Users::Anonymous, ..chat(Some("7")) };
        let listed = Approvers::of("chat", &chat, &["7".into(), "8".into()]);
        assert!(listed.is_empty());
        assert!(listed.admit(&user("7", false)).is_none() && listed.admit(&user("8", false)).is_none());
        assert!(Approvers::of("chat", &chat, &["*".into()]).admit(&User::anonymous()).is_some());
    }

    #[test]
    fn only_the_owner_the_listed_and_never_a_bot_may_answer() {
        let cases: &[Case] = &[
            (Some("7"), &[], "7", false, true),
            (Some("7"), &[], "8", false, false),
            (Some("7"), &[], "7", true, false),
            (Some("7"), &["8"], "8", false, true),
            (None, &[], "7", false, false),
            (None, &["7"], "7", false, true),
            (None, &["7"], "77", false, false),
            (None, &["*"], "9", false, true),
            (None, &["*"], "9", true, false),
            (None, &["*"], "", false, false),
            (None, &[""], "", false, false),
            (None, &["*"], "*", false, true),
        ];
        for (owner, listed, id, is_bot, admitted) in cases {
            let listed: Vec<String> = listed.iter().map(|id| id.to_string()).collect();
            let approvers = Approvers::of("chat", &chat(*owner), &listed);
            assert_eq!(
                approvers.admit(&user(id, *is_bot)).is_some(),
                *admitted,
                "{owner:?} {listed:?} {id} bot={is_bot}"
            );
        }
        assert!(Approvers::of("chat", &chat(None), &[]).is_empty());
        assert!(Approvers::of("chat", &chat(Some("")), &["".into(), " ".into()]).is_empty(), "an empty id is nobody's");
        assert!(!Approvers::of("chat", &chat(None), &["*".into()]).is_empty());
    }

    #[test]
    fn there_is_somebody_to_ask_where_anybody_could_answer() {
        for (owner, listed, empty) in [
            (None, &[][..], true),
            (Some("7"), &[], false),
            (None, &["7"], false),
            (None, &["*"], false),
            (Some("7"), &["*"], false),
        ] {
            let listed: Vec<String> = listed.iter().map(|id: &&str| id.to_string()).collect();
            assert_eq!(Approvers::of("chat", &chat(owner), &listed).is_empty(), empty, "{owner:?} {listed:?}");
        }
    }

    #[test]
    fn the_gateways_own_surfaces_have_one_approver() {
        let owner = Approvers::owner("web", "1000");
        assert!(!owner.is_empty());
        let by = owner.admit(&user("1000", false)).unwrap();
        assert_eq!((by.id(), by.name()), ("1000", "someone"));
        for (id, is_bot) in [("1001", false), ("100", false), ("*", false), ("", false), ("1000", true)] {
            assert_eq!(owner.admit(&user(id, is_bot)), None, "{id} bot={is_bot}");
        }
    }

    #[test]
    fn a_record_is_read_back_as_its_person_and_one_of_nobody_is_not() {
        let answerer = |id: &str| Answerer { surface: "page".into(), id: id.into(), name: "Ada".into() };
        let by = Approver::recorded(&answerer("7")).unwrap();
        assert_eq!((by.id(), by.name()), ("7", "Ada"));
        assert_eq!(Approver::recorded(&answerer("")), None);
    }
}
