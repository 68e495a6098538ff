//! The person on whose machine this runs: who answers on the gateway's own surfaces, and types commands.

use dmplz_core::approvers::{Approver, Approvers};
use dmplz_core::messenger::User;
use dmplz_core::approvers::Answerer;

use crate::settings::environment;

/// Their id.
const OWNER: &str = "owner";

/// The person whose answers come over the gateway's socket and from its page.
pub(crate) fn admitted() -> Option<Approver> {
    Approvers::owner(OWNER).admit(&User { id: OWNER.to_owned(), name: name(), is_bot: false })
}

/// The same as whoever types a command.
pub(crate) fn at_the_terminal() -> Answerer {
    Answerer { surface: "cli".to_owned(), id: OWNER.to_owned(), name: name() }
}

fn name() -> String {
    let name = |variable| environment(variable).filter(|name| !name.is_empty());
    name("USER").or_else(|| name("LOGNAME")).unwrap_or_else(|| OWNER.to_owned())
}
