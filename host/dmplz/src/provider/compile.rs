//! Compiles a component in a separate process, `dmplz provider compile`, which reads it from its standard input and
//! writes the compiled form to the cache. A component that breaks or exhausts the compiler then ends only that process,
//! which has its own limits, and neither the command that a person waits for nor a gateway. The command then loads the
//! compiled form from the cache.
//!
//! | limit of that process | value |
//! |---|---|
//! | processor time | 10 minutes |
//! | a core file | none: it would hold the environment |
//!
//! A component by path is compiled by the first hook that uses it, because its author changes it often.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, bail};
use dmplz_core::visible::visible_line;
use dmplz_plugin::{Component, Digest, Engine};
use dmplz_state::StateDir;
use rustix::process::{Resource, Rlimit, setrlimit};

use super::Place;
use crate::component::choice;
use crate::exit;

/// Processor time of the process, in seconds. Python in a component takes 10 s, and twenty times that where the program is not
/// optimised.
const SECONDS: u64 = 600;

/// Compiles the component on standard input. This is the separate process.
pub(super) fn run() -> anyhow::Result<u8> {
    let limit = |resource, most| setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) });
    limit(Resource::Cpu, SECONDS).and_then(|()| limit(Resource::Core, 0)).context("the process cannot be limited")?;
    let mut wasm = Vec::new();
    std::io::stdin().lock().read_to_end(&mut wasm).context("the component cannot be read")?;
    let state = StateDir::open(&Place::find()?.state)?;
    Component::cached(&Engine::new()?, &wasm, &choice::cache(state.path())?)?;
    Ok(exit::OK)
}

/// Loads a component, which another process compiles where the cache does not have it.
pub(super) fn apart(wasm: &[u8], state: &Path) -> anyhow::Result<Component> {
    let (engine, cache) = (Engine::new()?, choice::cache(state)?);
    let digest = Digest::of(wasm);
    if !cache.holds(&engine, &digest) {
        compiled(wasm)?;
        if !cache.holds(&engine, &digest) {
            bail!("its compiled form cannot be found in the cache");
        }
    }
    Ok(Component::cached(&engine, wasm, &cache)?)
}

fn compiled(wasm: &[u8]) -> anyhow::Result<()> {
    let program = std::env::current_exe().context("this program's own path cannot be found")?;
    let mut command = Command::new(program);
    command.args(["provider", "compile"]).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().context("the compiler cannot be started")?;
    if let Some(mut stdin) = child.stdin.take() {
        // Where it ended before it read all of it, its end says why.
        let _ = stdin.write_all(wasm);
    }
    let output = child.wait_with_output().context("the compiler's end cannot be waited for")?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    match said.lines().last() {
        Some(line) => bail!(visible_line(line.trim_start_matches("dmplz: "))),
        None => bail!("the compiler did not come back from it: {}", output.status),
    }
}
