//! Commands that can do more than their name says, so that allowing them by name permits nearly everything.
//!
//! | power | examples | because |
//! |---|---|---|
//! | runs code | `python`, `node`, `bash`, `awk`, `vim` | its arguments are a program |
//! | starts others | `sudo`, `xargs`, `env`, `ssh`, `npx`, `docker` | its arguments are a command |
//! | fetches | `curl`, `wget`, `scp` | it reaches any host, and writes the result |
//! | destroys | `rm`, `dd`, `mkfs`, `chmod` | its effect cannot be undone |
//!
//! Version suffixes count as the same command: `python3.12`, `gcc-13`, `node22`. It is a column of `table`.

/// What a command can do beyond its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Power {
    /// Its arguments are a program.
    #[error("runs any code that it is given")]
    RunsCode,
    /// Its arguments are a command.
    #[error("starts any command that it is given")]
    StartsOthers,
    /// It connects to any host.
    #[error("reaches any host, and writes what it gets")]
    Fetches,
    /// Its effect cannot be undone.
    #[error("does what cannot be undone")]
    Destroys,
}
