//! The options of the program.

use std::path::PathBuf;

use anyhow::Context as _;

/// The options on the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The number of runs.
    pub runs: u64,
    /// The number of the first run; the next ones follow.
    pub seed: u64,
    /// The number of threads that run them.
    pub workers: u64,
    /// Prints the report as JSON.
    pub json: bool,
    /// Seconds after which no more runs begin.
    pub seconds: u64,
    /// One script from this file, with its story.
    pub script: Option<PathBuf>,
    /// One run, by its number, with its story.
    pub story: bool,
    /// Which runs have a real component.
    pub components: Components,
    /// Whether past bugs are reintroduced, one after the other. Each must be found.
    pub prove: bool,
}

/// Which runs talk to the messenger by a real component.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Components {
    /// One of a hundred, by its number.
    Drawn,
    /// All of them.
    Always,
    /// No run uses a component.
    Never,
}

/// The usage text of the command.
pub const USAGE: &str = "cargo xtask simulate [--runs N] [--seed N] [--workers N] [--seconds N] [--json]\n\
                         \x20                     [--components always|never]\n\
                         cargo xtask simulate --seed N --story [--components always|never]\n\
                         cargo xtask simulate --script FILE\n\
                         cargo xtask simulate --prove [--runs N]";

impl Options {
    /// Reads the arguments.
    ///
    /// # Errors
    /// When one is not known, or has no value.
    pub fn read(arguments: impl Iterator<Item = String>) -> anyhow::Result<Self> {
        let mut options = Self {
            runs: 20_000,
            seed: 1,
            workers: std::thread::available_parallelism().map_or(2, |it| it.get() as u64),
            json: false,
            seconds: u64::MAX,
            script: None,
            story: false,
            components: Components::Drawn,
            prove: false,
        };
        let mut rest = arguments;
        while let Some(argument) = rest.next() {
            let mut value = || rest.next().with_context(|| format!("read the arguments: {argument} needs a value"));
            match argument.as_str() {
                "--runs" => options.runs = value()?.replace('_', "").parse()?,
                "--seed" => options.seed = value()?.parse()?,
                "--workers" => options.workers = value()?.parse::<u64>()?.max(1),
                "--seconds" => options.seconds = value()?.parse()?,
                "--components" => options.components = Components::read(&value()?)?,
                "--script" => options.script = Some(value()?.into()),
                "--prove" => options.prove = true,
                "--story" => options.story = true,
                "--json" => options.json = true,
                _ => anyhow::bail!("read the arguments: {argument} is not known\n{USAGE}"),
            }
        }
        Ok(options)
    }
}

impl Components {
    fn read(word: &str) -> anyhow::Result<Self> {
        match word {
            "always" => Ok(Self::Always),
            "never" => Ok(Self::Never),
            _ => anyhow::bail!("read the arguments: --components takes always or never, not {word}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_may_have_underscores_and_what_is_not_known_is_refused() {
        let read = |words: &[&str]| Options::read(words.iter().map(ToString::to_string));
        let options = read(&["--runs", "1_000_000", "--seed", "7", "--workers", "0", "--json"]).unwrap();
        assert_eq!((options.runs, options.seed, options.workers, options.json), (1_000_000, 7, 1, true));
        assert!(read(&["--run", "1"]).is_err());
        assert!(read(&["--components", "some"]).is_err());
        assert_eq!(read(&["--components", "always"]).unwrap().components, Components::Always);
        assert!(read(&["--runs"]).is_err());
    }
}
