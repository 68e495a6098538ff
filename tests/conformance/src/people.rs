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

/// The person who may answer requests.
pub const JIN: Person = Person { id: 700_100_001, name: "Jin", is_bot: false };
/// Another person in the same group.
pub const MINA: Person = Person { id: 700_100_002, name: "미나 🦊", is_bot: false };
/// Another bot in the same group.
pub const ROBOT: Person = Person { id: 700_100_003, name: "robot", is_bot: true };
