use dmplz_core::messenger::User;

use crate::Platform;

/// A user of the platform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Person {
    /// The number in the person's id on every platform.
    pub id: u64,
    /// The name that people see.
    pub name: &'static str,
    /// Whether the user is a program.
    pub is_bot: bool,
}

impl Person {
    /// Returns the person's id on this platform.
    pub fn id_on<P: Platform>(self) -> String {
        format!("{}{}{}", P::ID_PREFIX, self.id, P::ID_SUFFIX)
    }

    /// Returns the user as the host knows them on this platform.
    pub fn known<P: Platform>(self) -> User {
        match P::IDENTIFIES {
            true => User { id: self.id_on::<P>(), name: self.name.to_owned(), is_bot: self.is_bot },
            false => User::anonymous(),
        }
    }
}

/// The person who may answer requests.
pub const JIN: Person = Person { id: 700_100_001, name: "Jin", is_bot: false };
/// Another person in the same group.
pub const MINA: Person = Person { id: 700_100_002, name: "미나 🦊", is_bot: false };
/// Another bot in the same group.
pub const ROBOT: Person = Person { id: 700_100_003, name: "robot", is_bot: true };
