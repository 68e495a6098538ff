//! The table.

use super::Kind;

/// A tool.
#[derive(Debug)]
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
    other(&["PowerShell"], Kind::Other),
    other(&["BashOutput"], Kind::Other),
    other(&["KillShell", "KillBash"], Kind::Other),
    other(&["Monitor"], Kind::Other),
    other(&["SlashCommand"], Kind::Other),
    other(&["TodoRead"], Kind::Other),
    other(&["TaskCreate"], Kind::Other),
    other(&["TaskGet"], Kind::Other),
    other(&["TaskList"], Kind::Other),
    other(&["TaskOutput"], Kind::Other),
    other(&["TaskStop"], Kind::Other),
    other(&["TaskUpdate"], Kind::Other),
    other(&["ToolSearch"], Kind::Other),
    other(&["LSP"], Kind::Other),
    other(&["EnterWorktree"], Kind::Other),
    other(&["ExitWorktree"], Kind::Other),
    other(&["SendMessage"], Kind::Other),
    other(&["TeamCreate"], Kind::Other),
    other(&["TeamDelete"], Kind::Other),
    other(&["CronCreate"], Kind::Other),
    other(&["CronDelete"], Kind::Other),
    other(&["CronList"], Kind::Other),
    other(&["StructuredOutput"], Kind::Other),
    other(&["save_memory"], Kind::Other),
    other(&["get_internal_docs"], Kind::Other),
    other(&["update_topic"], Kind::Other),
    other(&["complete_task"], Kind::Other),
    other(&["tracker_create_task"], Kind::Other),
    other(&["tracker_update_task"], Kind::Other),
    other(&["tracker_get_task"], Kind::Other),
    other(&["tracker_list_tasks"], Kind::Other),
    other(&["tracker_add_dependency"], Kind::Other),
    other(&["tracker_visualize"], Kind::Other),
    // Agents of gemini-cli that its policies name as if they were tools.
    other(&["codebase_investigator"], Kind::Other),
    other(&["cli_help"], Kind::Other),
    other(&["generalist"], Kind::Other),
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
