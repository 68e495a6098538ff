//! The table.

use super::Kind;

/// A tool.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tool {
    /// The names. The first one is canonical.
    pub(crate) names: &'static [&'static str],
    pub(crate) kind: Kind,
    /// The keys of its input that hold a path. Empty where none does.
    pub(crate) paths: &'static [&'static str],
    /// The keys that hold a pattern of paths.
    pub(crate) globs: &'static [&'static str],
}

impl Tool {
    /// Returns one of [`OTHERS`].
    pub(super) fn of_other(name: &'static &'static str) -> Self {
        other(std::slice::from_ref(name), Kind::Other)
    }

    pub(super) fn name(&self) -> &'static str {
        self.names.first().copied().unwrap_or_default()
    }
}

/// The modes of both programs, in Claude Code's spelling first.
pub(super) const MODES: &[&[&str]] =
    &[&["default"], &["acceptEdits", "autoEdit"], &["bypassPermissions", "yolo"], &["plan"], &["dontAsk"], &["auto"]];

// `absolute_path` and `path` are what gemini-cli's file tools took before.
const FILE: &[&str] = &["file_path", "absolute_path"];
const FOLDER: &[&str] = &["path", "dir_path"];

pub(super) const TOOLS: &[Tool] = &[
    other(&["Bash", "run_shell_command", "ShellTool"], Kind::Shell),
    file(&["Read", "read_file"], FILE),
    file(&["Write", "write_file"], FILE),
    file(&["Edit", "replace", "MultiEdit"], FILE),
    file(&["NotebookEdit"], &["notebook_path"]),
    file(&["NotebookRead"], &["notebook_path"]),
    search(&["Glob", "glob"], FOLDER, &["pattern"]),
    search(&["Grep", "grep_search", "search_file_content"], FOLDER, &[]),
    search(&["LS", "list_directory"], FOLDER, &[]),
    search(&["read_many_files"], &[], &["include", "paths"]),
    other(&["WebFetch", "web_fetch"], Kind::Web),
    other(&["WebSearch", "google_web_search"], Kind::Other),
    other(&["AskUserQuestion", "ask_user"], Kind::Question),
    other(&["ExitPlanMode", "exit_plan_mode"], Kind::Question),
    other(&["EnterPlanMode", "enter_plan_mode"], Kind::Other),
    other(&["TodoWrite", "write_todos"], Kind::Other),
    other(&["Agent", "Task", "invoke_agent"], Kind::Other),
    other(&["Skill", "activate_skill"], Kind::Other),
    other(&["ListMcpResourcesTool", "list_mcp_resources"], Kind::Other),
    other(&["ReadMcpResourceTool", "read_mcp_resource"], Kind::Other),
    other(&["KillShell", "KillBash"], Kind::Other),
];

/// The tools that have one name, and no target.
pub(super) const OTHERS: &[&str] = &[
    "PowerShell", "BashOutput", "Monitor", "SlashCommand", "TodoRead", "TaskCreate", "TaskGet", "TaskList",
    "TaskOutput", "TaskStop", "TaskUpdate", "ToolSearch", "LSP", "EnterWorktree", "ExitWorktree", "SendMessage",
    "TeamCreate", "TeamDelete", "CronCreate", "CronDelete", "CronList", "StructuredOutput", "save_memory",
    "get_internal_docs", "update_topic", "complete_task", "tracker_create_task", "tracker_update_task",
    "tracker_get_task", "tracker_list_tasks", "tracker_add_dependency", "tracker_visualize",
    // Agents of gemini-cli that its policies name as if they were tools.
    "codebase_investigator", "cli_help", "generalist",
];

const fn file(names: &'static [&'static str], paths: &'static [&'static str]) -> Tool {
    Tool { names, kind: Kind::File, paths, globs: &[] }
}

const fn search(
    names: &'static [&'static str],
    paths: &'static [&'static str],
    globs: &'static [&'static str],
) -> Tool {
    Tool { names, kind: Kind::Search, paths, globs }
}

const fn other(names: &'static [&'static str], kind: Kind) -> Tool {
    Tool { names, kind, paths: &[], globs: &[] }
}
