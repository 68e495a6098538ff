//! Sends thousands of notices over channels whose services fail in every way, through a gateway that is killed again and
//! again, and checks that every channel got every notice, in order, and that no limit was broken.
//!
//! Each occurrence is handed over as a hook does it, until a gateway has accepted it, and goes to every channel. A notice may
//! come twice in a row, because its reply was lost; it must not come after a later one.

mod service;

use std::fmt;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context;
use dmplz_e2e::{Gateway, Home};
use serde::Serialize;
use serde_json::{Value, json};

use crate::gateway;
use service::{Service, Tally};

const USAGE: &str =
    "cargo xtask notices [--notices N] [--channels N] [--seed N] [--life-ms N] [--json] [--binary PATH]";
/// A key of webhooks; nothing verifies it here.
const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
/// The pause between two looks at what is missing.
const LOOK: Duration = Duration::from_millis(100);

/// The options of a run.
#[derive(Debug, Clone)]
pub struct Options {
    /// The number of notices over all channels.
    pub notices: u32,
    /// The number of channels.
    pub channels: u32,
    /// The seed of the faults.
    pub seed: u64,
    /// How long a gateway lives until it is killed.
    pub life: Duration,
    /// The longest time that a run may take.
    pub patience: Duration,
    /// The program under test; by default the debug build of this repository.
    pub binary: Option<PathBuf>,
    /// Whether the report is printed as JSON.
    pub json: bool,
}

impl Default for Options {
    fn default() -> Self {
        let (life, patience) = (Duration::from_secs(8), Duration::from_secs(1_800));
        Self { notices: 10_000, channels: 6, seed: 1, life, patience, binary: None, json: false }
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
                "--notices" => options.notices = value()?.parse()?,
                "--channels" => options.channels = value()?.parse()?,
                "--seed" => options.seed = value()?.parse()?,
                "--life-ms" => options.life = Duration::from_millis(value()?.parse()?),
                "--binary" => options.binary = Some(value()?.into()),
                "--json" => options.json = true,
                _ => anyhow::bail!("read the arguments: {argument} is not known\n{USAGE}"),
            }
        }
        anyhow::ensure!(options.notices > 0 && options.channels > 0, "read the arguments: take more than 0\n{USAGE}");
        Ok(options)
    }

    /// Returns the number of occurrences, each of which goes to every channel.
    fn occurrences(&self) -> u32 {
        self.notices.div_ceil(self.channels)
    }
}

/// The result of a run.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// The number of notices that had to arrive.
    pub notices: u32,
    /// The duration of the run, in seconds.
    pub seconds: f64,
    /// How often the gateway was killed.
    pub kills: u32,
    /// What the services did.
    #[serde(flatten)]
    pub tally: Tally,
    /// The broken promises, as sentences.
    pub broken: Vec<String>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { notices, seconds, kills, tally, broken } = self;
        writeln!(f, "{notices} notices in {seconds:.0} s, {kills} kills; {tally}")?;
        broken.iter().try_for_each(|line| writeln!(f, "BROKEN: {line}"))?;
        writeln!(
            f,
            "{}",
            if broken.is_empty() { "none lost, in order, no limit broken" } else { "promises are broken" }
        )
    }
}

/// Runs the test. `told` is called from time to time with the number of notices that arrived.
///
/// # Errors
/// Returns an error if the gateway does not start.
pub fn run(options: &Options, binary: &Path, mut told: impl FnMut(u32)) -> anyhow::Result<Report> {
    let service = Service::start(options.channels, options.seed);
    let home = home(options, binary, &service)?;
    let log = home.path().join("serve.log");
    let began = Instant::now();
    let (mut gateway, mut since, mut kills, mut next) = (gateway::start(&home, &log)?, Instant::now(), 0, 0);
    let mut line = Line::connect(&gateway);
    let expected = options.occurrences();
    while began.elapsed() < options.patience {
        if since.elapsed() >= options.life {
            told(service.arrived());
            gateway.kill();
            service.killed();
            gateway = gateway::start(&home, &log)?;
            (since, kills) = (Instant::now(), kills + 1);
            line = Line::connect(&gateway);
        }
        if next < expected {
            let handed = line.as_mut().is_some_and(|line| line.happened(next));
            next += u32::from(handed);
        } else if service.arrived() >= expected * options.channels {
            break;
        } else {
            std::thread::sleep(LOOK);
        }
    }
    gateway.kill();
    let mut broken = service.broken(expected);
    for arguments in [&["audit", "verify"][..], &["store", "check"]] {
        let output = home.run(arguments);
        if !output.status.success() {
            broken.push(format!("dmplz {}: {}", arguments.join(" "), String::from_utf8_lossy(&output.stdout)));
        }
    }
    let (notices, seconds) = (expected * options.channels, began.elapsed().as_secs_f64());
    Ok(Report { notices, seconds, kills, tally: service.tally(), broken })
}

fn home(options: &Options, binary: &Path, service: &Service) -> anyhow::Result<Home> {
    let mut home = Home::bare(&binary.display().to_string());
    home.set("DMPLZ_LANG", "en");
    let (mut text, mut names) = (String::new(), Vec::new());
    for channel in 0..options.channels {
        let url = service.url(channel);
        text += &format!("[notify.channels.c{channel}]\ntype = \"webhook\"\nurl = \"{url}\"\nsecret = \"{SECRET}\"\n");
        names.push(format!("\"c{channel}\""));
    }
    text += &format!("[[notify.routes]]\nevents = [\"Stop\"]\nto = [{}]\n", names.join(", "));
    std::fs::create_dir_all(home.state())?;
    std::fs::write(home.state().join("config.toml"), text)?;
    Ok(home)
}

/// A connection over which occurrences are handed to the gateway.
struct Line(BufReader<UnixStream>);

impl Line {
    fn connect(gateway: &Gateway) -> Option<Self> {
        let stream = UnixStream::connect(gateway.socket()).ok()?;
        stream.set_read_timeout(Some(Duration::from_secs(20))).ok()?;
        Some(Self(BufReader::new(stream)))
    }

    /// Returns whether the gateway has it on disk.
    fn happened(&mut self, number: u32) -> bool {
        let occurrence = json!({
            "event": "Stop", "id": format!("stop-{number}"), "atMs": 1_800_000_000_000_u64, "cwd": "/work",
            "sessionId": number.to_string(),
        });
        let params = json!({ "occurrence": occurrence });
        let call = json!({ "jsonrpc": "2.0", "id": number, "method": "notify.happened", "params": params });
        let mut reply = String::new();
        if writeln!(self.0.get_mut(), "{call}").is_err() || self.0.read_line(&mut reply).is_err() {
            return false;
        }
        serde_json::from_str::<Value>(&reply).is_ok_and(|reply| reply["result"].is_object())
    }
}
