//! The person on whose machine this runs: who answers on the gateway's own surfaces, and types commands.

use dmplz_core::approvers::{Answerer, Approver, Approvers};
use dmplz_core::messenger::User;

use crate::settings::environment;

/// The surface of people who type.
const SURFACE: &str = "cli";
/// The id of the owner.
const OWNER: &str = "owner";

/// Returns the person whose answers come over the gateway's socket and from its page.
pub(crate) fn admitted() -> Option<Approver> {
    Approvers::owner(SURFACE, OWNER).admit(&User { id: OWNER.to_owned(), name: name(), is_bot: false })
}

/// Returns the same person as the one who types a command.
pub(crate) fn at_the_terminal() -> Answerer {
    Answerer { surface: SURFACE.to_owned(), id: OWNER.to_owned(), name: name() }
}

fn name() -> String {
    let name = |variable| environment(variable).filter(|name| !name.is_empty());
    name("USER").or_else(|| name("LOGNAME")).unwrap_or_else(|| OWNER.to_owned())
}
