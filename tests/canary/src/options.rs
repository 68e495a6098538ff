//! What the program is asked to do.

use anyhow::Context as _;

/// What the command line asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// How many lines are generated, by all workers together.
    pub lines: u64,
    /// What the lines are drawn from.
    pub seed: u64,
    /// How many sandboxes run at the same time.
    pub workers: u64,
    /// Prints the report as JSON.
    pub json: bool,
    /// Runs known attacks without asking the policy: each must fire.
    pub prove: bool,
    /// Leaves the known attacks out.
    pub drawn: bool,
    /// Only this rule file.
    pub rules: Option<String>,
    /// The only line that is to be run.
    pub line: Option<String>,
    /// Seconds after which no more lines are begun.
    pub seconds: u64,
    /// Inside of a sandbox: which worker it is.
    pub worker: Option<u64>,
    /// Inside of a sandbox: whether lines run as another user.
    pub drops_rights: bool,
}

/// How to call it.
pub const USAGE: &str = "cargo xtask canary [--lines N] [--seed N] [--workers N] [--seconds N] [--rules NAME] [--drawn] [--json]\n\
                         cargo xtask canary --rules NAME --line LINE\n\
                         cargo xtask canary --prove";

impl Options {
    /// Reads the arguments.
    ///
    /// # Errors
    /// When one is not known, or has no value.
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

    /// The arguments for one worker.
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
