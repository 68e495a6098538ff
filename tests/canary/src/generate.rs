//! Makes lines.

use crate::rules::RuleFile;

/// Draws lines.
#[derive(Debug)]
pub struct Generator {
    random: fastrand::Rng,
}

impl Generator {
    /// The same seed draws the same lines.
    pub fn new(seed: u64) -> Self {
        Self { random: fastrand::Rng::with_seed(seed) }
    }

    /// A number below another.
    pub fn below(&mut self, limit: usize) -> usize {
        self.random.usize(..limit.max(1))
    }

    /// A line for a rule file.
    pub fn line(&mut self, file: &RuleFile) -> String {
        let _ = file;
        "ls".into()
    }
}
