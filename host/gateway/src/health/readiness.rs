//! Whether the gateway can take a request and deliver its answer.
//!
//! | reason | present when |
//! |---|---|
//! | `store_failing`, `store_silent` | a request could not be stored, so it would be refused |
//! | `socket_unreachable` | hooks find no gateway, and ask alone |
//! | `no_surface` | no messenger, page, terminal or program would show a request |
//! | `messenger_unreachable` | a configured messenger cannot be used at present |
//! | `messenger_starting` | a messenger has not been reached yet |
//!
//! Every client that can connect may read the messages. They name messengers, but no files and no foreign error texts.

use dmplz_protocol::health::{Readiness, Reason, ReasonCode};

use super::Health;

impl Health {
    /// Returns whether requests can be taken now, and if not, why.
    pub async fn readiness(&self) -> Readiness {
        let mut reasons = Vec::new();
        if let Some(disk) = &self.shared.disk {
            reasons.extend(self.shared.probe.of(disk).await);
        }
        let mut missing = |code, message: String| reasons.push(Reason { code, message });
        if self.socket_trouble().is_some() {
            missing(ReasonCode::SocketUnreachable, "hooks cannot reach the gateway's socket".to_owned());
        }
        if self.shared.approvals.surfaces().is_empty() {
            missing(ReasonCode::NoSurface, "no messenger, page or terminal would show a request".to_owned());
        }
        for messenger in self.messengers().into_iter().filter(|messenger| !messenger.reachable) {
            match messenger.why {
                Some(_) => missing(ReasonCode::MessengerUnreachable, format!("{} cannot be reached", messenger.name)),
                None => missing(ReasonCode::MessengerStarting, format!("{} has not been reached yet", messenger.name)),
            }
        }
        Readiness { ready: reasons.is_empty(), reasons }
    }
}
