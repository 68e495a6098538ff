//! The official Agent SDK for Python (<https://pypi.org/project/claude-agent-sdk/>), which drives a client by the same protocol: one
//! program for one session, without a keeper, a gateway or a record.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;
use serde_json::Value;

use super::client::{BEGAN, FLOOD, now, since};

/// Starts a session, sends it two messages, and prints what it saw.
const SCRIPT: &str = "import asyncio, json, resource, sys, time
from claude_agent_sdk import ClaudeAgentOptions, ClaudeSDKClient
async def main():
    options = ClaudeAgentOptions(cli_path=sys.argv[1], cwd=sys.argv[2], include_partial_messages=True)
    async with ClaudeSDKClient(options) as client:
        await client.query('ready')
        async for message in client.receive_response(): pass
        began, lines = time.monotonic(), 0
        await client.query('flood')
        async for message in client.receive_response(): lines += 1
        took = time.monotonic() - began
    print(json.dumps({'lines': lines, 'seconds': took, 'mib': resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))
asyncio.run(main())";

/// What one run of it came to.
pub(super) struct Seen {
    /// From the start of the program to the client's first message, in milliseconds.
    pub(super) start_ms: f64,
    /// How many lines of the client it read in a second.
    pub(super) lines: f64,
    /// The peak memory of its process, in MiB.
    pub(super) mib: f64,
}

/// Finds a Python that has the SDK. The variable `AGENT_SDK_PYTHON` may hold its path.
pub(super) fn find() -> Option<PathBuf> {
    let python = std::env::var_os("AGENT_SDK_PYTHON").unwrap_or_else(|| "python3".into());
    let output = Command::new(&python).args(["-c", "import claude_agent_sdk"]).output().ok()?;
    output.status.success().then(|| python.into())
}

/// Runs it with this client in this folder.
pub(super) fn run(python: &Path, client: &Path, work: &Path) -> anyhow::Result<Seen> {
    let began = now();
    let output = Command::new(python)
        .args(["-c", SCRIPT])
        .args([client, work])
        .env("CLAUDE_AGENT_SDK_SKIP_VERSION_CHECK", "1")
        .output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    anyhow::ensure!(output.status.success(), "run the Agent SDK: {said}");
    let seen: Value = serde_json::from_slice(&output.stdout).context("read what the Agent SDK saw")?;
    let number = |name: &str| seen.get(name).and_then(Value::as_f64).context("read what the Agent SDK saw");
    anyhow::ensure!(number("lines")? > FLOOD as f64, "all lines reach the Agent SDK: {seen}");
    Ok(Seen {
        start_ms: since(began, &work.join(BEGAN))?,
        lines: number("lines")? / number("seconds")?,
        mib: number("mib")?,
    })
}
