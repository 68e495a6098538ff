//! Errors as one line.

/// Returns an error with its causes: `the folder /x cannot be entered: No such file or directory`.
pub fn chain(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}
