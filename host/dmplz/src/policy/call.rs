//! The call that is judged: from the command line, or from a line of JSON.

use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::ensure;
use clap::Args;
use dmplz_policy::call::CLAUDE_CODE;
use dmplz_policy::{Call, Places, tools};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::disk::with_disk;
use super::shell;
use crate::settings::environment;
use crate::time;
use crate::told::{Tell, Told};

/// The default of `--tool`.
const SHELL: &str = "Bash";

/// Where a call comes from. Whatever a line of JSON does not say is taken from here.
#[derive(Debug, Clone, Args)]
pub(super) struct Circumstances {
    /// The agent's mode: default, plan, acceptEdits, ... · 에이전트의 모드
    #[arg(long, value_name = "MODE")]
    mode: Option<String>,
    /// Where the agent works; this folder unless given · 작업 폴더 (기본값: 현재 폴더)
    #[arg(long, value_name = "DIR")]
    cwd: Option<PathBuf>,
    /// The MCP server of the tool · 도구의 MCP 서버
    #[arg(long, value_name = "NAME")]
    mcp_server: Option<String>,
    /// The kind of the subagent that asks · 요청하는 서브에이전트
    #[arg(long, value_name = "NAME")]
    subagent: Option<String>,
    /// Which program asks · 요청하는 프로그램
    #[arg(long, value_name = "NAME", default_value = CLAUDE_CODE)]
    agent: String,
    /// Nobody is at the agent's terminal · 터미널에 사람이 없음
    #[arg(long)]
    non_interactive: bool,
}

impl Circumstances {
    /// Checks that Claude Code has the mode: with a mistyped one no rule would hold that is for a mode.
    pub(super) fn have_a_known_mode(&self) -> anyhow::Result<()> {
        let is_known = |mode: &String| mode.trim().is_empty() || tools::known_modes().any(|known| known == mode);
        match &self.mode {
            Some(mode) if self.agent == CLAUDE_CODE && !is_known(mode) => Told::err(
                "Claude Code에 없는 모드입니다: {}. 쓸 수 있는 것: {}",
                "Claude Code has no mode {}: --mode takes {}",
                &[&format!("{mode:?}"), &tools::known_modes().collect::<Vec<_>>().join(", ")],
            ),
            _ => Ok(()),
        }
    }

    /// Checks that the folder is there: in another one the rules of no workspace would count.
    pub(super) fn have_a_folder(&self) -> anyhow::Result<()> {
        let Some(cwd) = self.cwd.as_deref() else { return Ok(()) };
        if std::fs::metadata(cwd).not_found(cwd)?.is_dir() {
            return Ok(());
        }
        Told::err("폴더가 아닙니다: {}", "{} is not a folder", &[&cwd.display().to_string()])
    }
}

/// A call that owns its values, also from a line of JSON. An unknown key is an error, because it would be ignored.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Asked {
    pub(super) tool: String,
    pub(super) input: Map<String, Value>,
    mcp_server: Option<String>,
    mode: Option<String>,
    cwd: Option<PathBuf>,
    subagent: Option<String>,
    agent: Option<String>,
    interactive: Option<bool>,
    annotations: Option<Map<String, Value>>,
}

impl Asked {
    /// Creates a call of the shell.
    pub(super) fn command(command: &str) -> Self {
        let input = Map::from_iter([("command".to_owned(), Value::from(command))]);
        Self { tool: SHELL.to_owned(), input, ..Self::default() }
    }

    /// Creates a call from `--tool` and `--input`. `-` reads the input from stdin; without `--input` it is empty.
    pub(super) fn of_tool(tool: Option<&str>, input: Option<&str>) -> anyhow::Result<Self> {
        let text = match input {
            Some("-") => {
                let mut text = String::new();
                std::io::stdin().read_to_string(&mut text).told(
                    "호출의 입력을 읽을 수 없습니다",
                    "the input of the call cannot be read",
                    &[],
                )?;
                text
            }
            Some(text) => text.to_owned(),
            None => "{}".to_owned(),
        };
        let input =
            serde_json::from_str(&text).told("--input에는 JSON 객체를 넣습니다", "--input takes a JSON object", &[])?;
        Ok(Self { tool: tool.unwrap_or(SHELL).to_owned(), input, ..Self::default() })
    }

    /// Adds the circumstances that the call does not name itself.
    pub(super) fn under(mut self, circumstances: &Circumstances) -> anyhow::Result<Self> {
        let other = circumstances.clone();
        let cwd = self.cwd.or(other.cwd).unwrap_or_else(|| PathBuf::from("."));
        ensure!(!cwd.as_os_str().is_empty(), "the folder where the agent works has no name");
        self.cwd = Some(std::path::absolute(&cwd).told(
            "작업 폴더를 찾을 수 없습니다",
            "the folder where the agent works cannot be found",
            &[],
        )?);
        self.mcp_server = self.mcp_server.or(other.mcp_server);
        self.mode = self.mode.or(other.mode);
        self.subagent = self.subagent.or(other.subagent);
        self.agent = self.agent.or(Some(other.agent));
        self.interactive = self.interactive.or(Some(!other.non_interactive));
        let names = [Some(&self.tool), self.mcp_server.as_ref(), self.mode.as_ref()];
        let names = names.into_iter().chain([self.subagent.as_ref(), self.agent.as_ref()]).flatten();
        // An empty name is most likely an unset variable, so the call is unknown.
        ensure!(
            !names.into_iter().any(|name| name.trim().is_empty()),
            "the call cannot be read: a tool, server, mode, subagent or agent has an empty name"
        );
        Ok(self)
    }

    /// Returns the agent's working directory, an absolute path.
    pub(super) fn cwd(&self) -> &Path {
        self.cwd.as_deref().unwrap_or(Path::new("/"))
    }

    /// Returns the command, or the tool with its input, in one line.
    pub(super) fn title(&self) -> String {
        let command = self.input.get("command").and_then(Value::as_str);
        let other = || format!("{} {}", self.tool, Value::from(self.input.clone()));
        command.map_or_else(other, str::to_owned)
    }

    /// Passes the call to `judge` in the form that the engine takes. `places` are the files that no rule allows to
    /// write, or to read.
    pub(super) fn with<T>(&self, places: &Places, judge: impl FnOnce(&Call<'_>) -> T) -> T {
        let home = environment("HOME").filter(|home| home.starts_with('/')).map(PathBuf::from);
        let call = Call {
            server: self.mcp_server.as_deref(),
            mode: self.mode.as_deref(),
            cwd: self.cwd.as_deref(),
            home: home.as_deref(),
            agent: self.agent.as_deref().unwrap_or(CLAUDE_CODE),
            subagent: self.subagent.as_deref(),
            interactive: self.interactive.unwrap_or(true),
            annotations: self.annotations.as_ref(),
            places,
            shell: shell::of_agent(),
            ..Call::new(&self.tool, &self.input, time::timestamp())
        };
        with_disk(call, judge)
    }
}
