//! Routes: which channels an occurrence goes to.
//!
//! | a route has | meaning |
//! |---|---|
//! | `events` | the events that it applies to; there is no "all" |
//! | `only` | names that the event's subject must match, where `*` stands for any characters; empty matches everything |
//! | `to` | the channels |
//! | `detail` | how much is shown |
//! | `after`, `skip_if`, `through_quiet` | when it is sent, and whether at all: [`plan`](super::plan) |
//!
//! Several routes may lead to one channel: it gets one notice, at the highest level of detail among them, and as early as
//! the earliest of them. Default: no route, no notice.

use super::{EventKind, Occurrence, Plan};

/// A route: the events that are sent, and the channels that get them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Route {
    /// The events that it is for.
    pub events: Vec<EventKind>,
    /// The patterns for the subject; empty matches everything.
    pub only: Vec<String>,
    /// The names of the channels.
    pub to: Vec<String>,
    /// How each of these channels treats an occurrence.
    pub plan: Plan,
}

/// All routes of the operator, in the order of the file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Routing(pub Vec<Route>);

impl Routing {
    /// Returns whether any route is for this event.
    pub fn wants(&self, event: EventKind) -> bool {
        self.0.iter().any(|route| route.events.contains(&event))
    }

    /// Returns the routes to these channels alone.
    #[must_use]
    pub fn to(&self, is_meant: impl Fn(&str) -> bool) -> Self {
        let narrowed = |route: &Route| {
            let to: Vec<String> = route.to.iter().filter(|name| is_meant(name)).cloned().collect();
            (!to.is_empty()).then(|| Route { to, ..route.clone() })
        };
        Self(self.0.iter().filter_map(narrowed).collect())
    }

    /// Returns the channels of an occurrence with their plans, each once, in the order of the routes.
    pub fn channels(&self, occurrence: &Occurrence) -> Vec<(&str, Plan)> {
        let mut channels: Vec<(&str, Plan)> = Vec::new();
        for route in self.0.iter().filter(|route| route.takes(occurrence)) {
            for name in &route.to {
                let plan = route.plan.clone();
                match channels.iter_mut().find(|(known, _)| known == name) {
                    Some((_, known)) => *known = plan.or(known),
                    None => channels.push((name, plan)),
                }
            }
        }
        channels
    }
}

impl Route {
    fn takes(&self, occurrence: &Occurrence) -> bool {
        let subject = occurrence.subject.as_deref().unwrap_or_default();
        self.events.contains(&occurrence.event)
            && (self.only.is_empty() || self.only.iter().any(|pattern| is_match(pattern, subject)))
    }
}

/// Returns whether a text matches a pattern in which `*` stands for any characters, or none.
fn is_match(pattern: &str, text: &str) -> bool {
    crate::wildcard::spells(pattern.split('*'), text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notify::Detail;

    #[test]
    fn a_star_stands_for_any_characters_and_everything_else_for_itself() {
        for (pattern, text, matches) in [
            ("*", "", true),
            ("*", "Bash", true),
            ("Bash", "Bash", true),
            ("Bash", "Bash2", false),
            ("bash", "Bash", false),
            ("", "", true),
            ("", "Bash", false),
            ("mcp__*", "mcp__tiny__ask", true),
            ("mcp__*", "mcp_tiny", false),
            ("*_prompt", "idle_prompt", true),
            ("mcp__*__ask", "mcp__tiny__ask", true),
            ("mcp__*__ask", "mcp__ask", false),
            ("a*b*c", "aXbYc", true),
            ("a*b*c", "aXcYb", false),
            ("a*a", "a", false),
            ("[B]ash", "Bash", false),
        ] {
            assert_eq!(is_match(pattern, text), matches, "{pattern} {text}");
        }
    }

    #[test]
    fn a_channel_gets_one_notice_at_the_highest_detail_of_its_routes() {
        let route = |events: &[EventKind], only: &[&str], to: &[&str], detail| Route {
            events: events.to_vec(),
            only: only.iter().map(|text| (*text).to_owned()).collect(),
            to: to.iter().map(|text| (*text).to_owned()).collect(),
            plan: Plan::at_once(detail),
        };
        let routing = Routing(vec![
            route(&[EventKind::Stop, EventKind::PostToolUseFailure], &[], &["phone"], Detail::Minimal),
            route(&[EventKind::PostToolUseFailure], &["Bash"], &["team", "phone"], Detail::Normal),
        ]);
        let of = |event, subject: Option<&str>| Occurrence {
            subject: subject.map(str::to_owned),
            ..Occurrence::new(event, "1".into(), 0)
        };
        let channels = |event, subject| routing.channels(&of(event, subject)).len();
        assert_eq!(
            routing.channels(&of(EventKind::PostToolUseFailure, Some("Bash"))),
            [("phone", Plan::at_once(Detail::Normal)), ("team", Plan::at_once(Detail::Normal))]
        );
        assert_eq!(
            routing.channels(&of(EventKind::PostToolUseFailure, Some("Read"))),
            [("phone", Plan::at_once(Detail::Minimal))]
        );
        let most = |occurrence: Occurrence| routing.channels(&occurrence).iter().map(|(_, plan)| plan.detail).max();
        assert_eq!(most(of(EventKind::PostToolUseFailure, Some("Bash"))), Some(Detail::Normal));
        assert_eq!(most(of(EventKind::SessionEnd, None)), None);
        assert_eq!(channels(EventKind::Stop, None), 1);
        assert_eq!(channels(EventKind::SessionEnd, None), 0);
        assert!(routing.wants(EventKind::Stop) && !routing.wants(EventKind::SessionEnd));
        assert!(Routing::default().channels(&of(EventKind::Stop, None)).is_empty());
    }
}
