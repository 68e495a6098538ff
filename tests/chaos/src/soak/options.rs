use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;

const USAGE: &str =
    "cargo xtask soak [--minutes N] [--rate REQUESTS_A_SECOND] [--every SECONDS] [--seed N] [--json] [--binary PATH]";

/// The options of a run.
#[derive(Debug, Clone)]
pub struct Options {
    /// The duration of the run in minutes.
    pub minutes: f64,
    /// The number of requests per second.
    pub rate: f64,
    /// The time between two samples.
    pub every: Duration,
    /// The seed of all random choices.
    pub seed: u64,
    /// The program under test; by default the debug build of this repository.
    pub binary: Option<PathBuf>,
    /// Whether the report is printed as JSON.
    pub json: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { minutes: 60.0, rate: 2.0, every: Duration::from_secs(10), seed: 1, binary: None, json: false }
    }
}

impl Options {
    /// Parses the command line after the program's name.
    ///
    /// # Errors
    /// If an argument is not known.
    pub fn read(arguments: impl Iterator<Item = String>) -> anyhow::Result<Self> {
        let mut options = Self::default();
        let mut rest = arguments;
        while let Some(argument) = rest.next() {
            let mut value = || rest.next().with_context(|| format!("read the arguments: {argument} needs a value"));
            match argument.as_str() {
                "--minutes" => options.minutes = value()?.parse()?,
                "--rate" => options.rate = value()?.parse()?,
                "--every" => options.every = Duration::from_secs(value()?.parse()?),
                "--seed" => options.seed = value()?.parse()?,
                "--binary" => options.binary = Some(value()?.into()),
                "--json" => options.json = true,
                _ => anyhow::bail!("read the arguments: {argument} is not known\n{USAGE}"),
            }
        }
        anyhow::ensure!(options.minutes > 0.0 && options.rate > 0.0, "read the arguments: take more than 0\n{USAGE}");
        Ok(options)
    }

    pub(crate) fn length(&self) -> Duration {
        Duration::from_secs_f64(self.minutes * 60.0)
    }
}
