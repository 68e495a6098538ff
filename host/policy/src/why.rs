//! Why a call is decided as it is.

use crate::places::Kind;
use crate::programs::Escape;
use crate::shell::Unclear;

/// The reason for a decision.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Why {
    /// The rule decides it.
    #[error("a rule says so")]
    Rule,
    /// No rule matches.
    #[error("no rule is about it")]
    NoRule,
    /// A stricter rule may match.
    #[error("whether a stricter rule is about it is only known when it runs")]
    Maybe,
    /// It names a file that a stricter rule is about.
    #[error("it names a file that a rule is about")]
    File,
    /// One of gemini-cli's safety checkers would inspect it.
    #[error("the policy wants a safety checker to look at it, and none is run here")]
    Checker,
    /// A rule allows it, but the allow is held back.
    #[error("a rule allows it, but {0}")]
    Reserved(Hold),
    /// The line as a whole cannot be parsed.
    #[error("{0}")]
    Unclear(Unclear),
    /// The line contains no command.
    #[error("there is no command in it")]
    Nothing,
}

impl serde::Serialize for Why {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Why an allow does not cover a unit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Hold {
    /// Only a person can answer it.
    #[error("it is a question to a person")]
    Question,
    /// A policy file has errors, so a stricter rule may be missing.
    #[error("a policy file has errors ({0}), so a stricter rule may be missing")]
    Damaged(String),
    /// The command cannot be parsed.
    #[error("{0}")]
    Unclear(Unclear),
    /// It sets a variable that may change what the command does.
    #[error("it sets {0}, which may change what the command does")]
    Variable(String),
    /// It is redirected, and the rule has no `allowRedirection`.
    #[error("it is redirected to or from {0}")]
    Redirection(String),
    /// A word of an unknown program names a command that another rule stops.
    #[error("it may start what another rule stops ({0})")]
    Starts(String),
    /// A program of the current folder, after the folder may have changed.
    #[error("it runs a program of a folder that is only known when it runs")]
    Moved,
    /// A program that does what the folder says, in another folder.
    #[error("it does what the files of its folder say, and that is not surely one of the workspace")]
    Elsewhere,
    /// The settings of the git repository name a program.
    #[error("git may start a program there ({0})")]
    Repository(String),
    /// A word by which the same line may make the repository that git uses.
    #[error("git may use a repository that the same line makes ({0})")]
    Made(String),
    /// An option that the rule does not name.
    #[error("{0}")]
    Escape(Escape),
    /// A dmplz command that changes what is allowed, or answers.
    #[error("it may change what is allowed ({0})")]
    Own(String),
    /// A protected place, which the call reaches.
    #[error("{}", protected(.0, *.1))]
    Protected(String, Kind),
    /// A word that may name a protected place.
    #[error("whether it reaches a protected file is only known when it runs ({0})")]
    MayReach(String),
}

/// Describes a protected place.
fn protected(what: &str, kind: Kind) -> String {
    let does = match kind {
        Kind::Rules => "it may change what is allowed",
        Kind::Client => "it may change what an agent is allowed or loads",
        Kind::Component => "it may replace a program that decides",
        Kind::Secret => "it may show what proves who somebody is",
        Kind::Startup => "it may change what is run later",
    };
    format!("{does} ({what})")
}
