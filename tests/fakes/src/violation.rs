use std::fmt;

/// A part of a request or reply that the platform's schema does not allow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The [`Call::name`](crate::Call::name) of the request.
    pub call: String,
    /// The side that caused the violation.
    pub side: Side,
    /// The place and the violation: `reply_markup.inline_keyboard[0][0].colour: unknown field`.
    pub what: String,
}

/// Whether the client or the server was wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The client, in its request.
    Request,
    /// The fake, in its reply: a bug here.
    Reply,
}

impl Violation {
    /// Returns a violation that a client caused.
    pub(crate) fn request(call: impl Into<String>, what: impl Into<String>) -> Self {
        Self { call: call.into(), side: Side::Request, what: what.into() }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = match self.side {
            Side::Request => "request",
            Side::Reply => "reply",
        };
        write!(formatter, "{} {side}: {}", self.call, self.what)
    }
}
