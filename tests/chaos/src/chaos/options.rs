use std::path::PathBuf;

use anyhow::Context;

const USAGE: &str =
    "cargo xtask chaos [--hooks N] [--gateway] [--seed N] [--at-a-time N] [--json] [--keep DIR] [--binary PATH]";

/// The options of a run.
#[derive(Debug, Clone)]
pub struct Options {
    /// The number of hooks in the run.
    pub hooks: u64,
    /// Whether they ask through a gateway that is killed again and again.
    pub gateway: bool,
    /// The seed of all random choices.
    pub seed: u64,
    /// The number of hooks that run at the same time.
    pub at_a_time: u64,
    /// The milliseconds between two kills of the gateway.
    pub life_ms: u64,
    /// Whether a late end is a failure. In a test it is not, because the machine may be slow.
    pub is_timed: bool,
    /// Whether the report is printed as JSON.
    pub json: bool,
    /// The folder in which everything about a hook with a broken invariant is kept.
    pub keep: PathBuf,
    /// The program under test; by default the one beside this one.
    pub binary: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            hooks: 2000,
            gateway: false,
            seed: 1,
            at_a_time: 24,
            life_ms: 2000,
            is_timed: true,
            json: false,
            keep: "target/chaos".into(),
            binary: None,
        }
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
                "--hooks" => options.hooks = value()?.replace('_', "").parse()?,
                "--gateway" => options.gateway = true,
                "--seed" => options.seed = value()?.parse()?,
                "--at-a-time" => options.at_a_time = value()?.parse::<u64>()?.max(1),
                "--json" => options.json = true,
                "--keep" => options.keep = value()?.into(),
                "--binary" => options.binary = Some(value()?.into()),
                _ => anyhow::bail!("read the arguments: {argument} is not known\n{USAGE}"),
            }
        }
        Ok(options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_is_refused() {
        let read = |words: &[&str]| Options::read(words.iter().map(ToString::to_string));
        let options = read(&["--hooks", "2_000", "--gateway", "--at-a-time", "0"]).unwrap();
        assert_eq!((options.hooks, options.gateway, options.at_a_time), (2000, true, 1));
        assert!(read(&["--hook", "1"]).is_err());
        assert!(read(&["--seed"]).is_err());
    }
}
