//! The options of the program.

use anyhow::Context as _;

/// The parsed command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The number of lines that all workers generate together.
    pub lines: u64,
    /// The seed of the generated lines.
    pub seed: u64,
    /// The number of sandboxes that run at the same time.
    pub workers: u64,
    /// Whether the report is printed as JSON.
    pub json: bool,
    /// Whether known attacks are run without the policy: each must fire.
    pub prove: bool,
    /// Whether the known attacks are left out.
    pub drawn: bool,
    /// The only rule file to use.
    pub rules: Option<String>,
    /// The only line to run.
    pub line: Option<String>,
    /// The number of seconds after which no more lines are started.
    pub seconds: u64,
    /// The number of this worker, inside a sandbox.
    pub worker: Option<u64>,
    /// Whether lines run as another user, inside a sandbox.
    pub drops_rights: bool,
}

/// The usage text of the program.
pub const USAGE: &str = "cargo xtask canary [--lines N] [--seed N] [--workers N] [--seconds N] [--rules NAME] [--drawn] [--json]\n\
                         cargo xtask canary --rules NAME --line LINE\n\
                         cargo xtask canary --prove";

impl Options {
    /// Parses the arguments.
    ///
    /// # Errors
    /// If an argument is not known, or has no value.
    pub fn read(arguments: impl Iterator<Item = String>) -> anyhow::Result<Self> {
        let mut options = Self {
            lines: 5_000,
            seed: 1,
            workers: std::thread::available_parallelism().map_or(2, |it| it.get() as u64),
            json: false,
            prove: false,
            drawn: false,
            rules: None,
            line: None,
            seconds: u64::MAX,
            worker: None,
            drops_rights: false,
        };
        let mut rest = arguments;
        while let Some(argument) = rest.next() {
            let mut value = || rest.next().with_context(|| format!("read the arguments: {argument} needs a value"));
            match argument.as_str() {
                "--lines" => options.lines = value()?.replace('_', "").parse()?,
                "--seed" => options.seed = value()?.parse()?,
                "--workers" => options.workers = value()?.parse::<u64>()?.max(1),
                "--seconds" => options.seconds = value()?.parse()?,
                "--rules" => options.rules = Some(value()?),
                "--line" => options.line = Some(value()?),
                "--worker" => options.worker = Some(value()?.parse()?),
                "--json" => options.json = true,
                "--drawn" => options.drawn = true,
                "--prove" => options.prove = true,
                "--drops-rights" => options.drops_rights = true,
                _ => anyhow::bail!("read the arguments: {argument} is not known\n{USAGE}"),
            }
        }
        Ok(options)
    }

    /// Returns the arguments for one worker.
    pub fn for_worker(&self, worker: u64, drops_rights: bool) -> Vec<String> {
        let mut arguments = Vec::new();
        for (name, value) in [
            ("--lines", self.lines),
            ("--seed", self.seed),
            ("--workers", self.workers),
            ("--seconds", self.seconds),
            ("--worker", worker),
        ] {
            arguments.extend([name.to_owned(), value.to_string()]);
        }
        for (name, value) in [("--rules", &self.rules), ("--line", &self.line)] {
            arguments.extend(value.iter().flat_map(|value| [name.to_owned(), value.clone()]));
        }
        for (name, set) in [("--prove", self.prove), ("--drawn", self.drawn), ("--drops-rights", drops_rights)] {
            arguments.extend(set.then(|| name.to_owned()));
        }
        arguments
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_is_asked_for_the_same() {
        let words =
            ["--lines", "20_000", "--seed", "7", "--workers", "3", "--rules", "git", "--prove", "--seconds", "9"];
        let options = Options::read(words.iter().map(ToString::to_string)).unwrap();
        let worker = Options::read(options.for_worker(2, true).into_iter()).unwrap();
        assert_eq!(worker, Options { worker: Some(2), drops_rights: true, ..options });
    }
}
