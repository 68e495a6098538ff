use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;

const USAGE: &str =
    "cargo xtask soak [--minutes N] [--rate REQUESTS_A_SECOND] [--every SECONDS] [--seed N] [--json] [--binary PATH]";

/// What a run is told.
#[derive(Debug, Clone)]
pub struct Options {
    /// How long it lasts.
    pub minutes: f64,
    /// The number of requests in a second.
    pub rate: f64,
    /// The time between two samples.
    pub every: Duration,
    /// Of what people do.
    pub seed: u64,
    /// The program; the debug build of this repository where none is named.
    pub binary: Option<PathBuf>,
    /// Prints the report as JSON.
    pub json: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { minutes: 60.0, rate: 2.0, every: Duration::from_secs(10), seed: 1, binary: None, json: false }
    }
}

impl Options {
    /// Reads the command line behind the program's name.
    ///
    /// # Errors
    /// There is something that it does not take.
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
