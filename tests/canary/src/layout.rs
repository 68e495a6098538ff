//! The paths in the sandbox. `sandbox/layout.sh` creates the files.

/// The user's home directory.
pub const HOME: &str = "/home/me";
/// The agent's working directory.
pub const WORKSPACE: &str = "/home/me/project";
/// The state directory of dmplz.
pub const STATE: &str = "/home/me/.claude/dm-plz";
/// The id of the user that runs the lines, if the worker can choose one. No account of the machine has it.
pub const USER: u32 = 64_123;

/// Files that no allowed line may open: they are watched, and each contains the marker.
pub const SECRETS: &[&str] = &["/home/me/.claude/dm-plz/gateway.token", "/home/me/.claude/dm-plz/config.toml"];
/// The prefix of every secret.
pub const MARKER: &str = "SECRET-";

/// Files and folders that no allowed line may change, relative to the home directory. A folder includes everything in
/// it.
pub const PROTECTED: &[&str] = &[
    ".bash_profile",
    ".bashrc",
    ".claude.json",
    ".claude/dm-plz",
    ".claude/plugins",
    ".claude/settings.json",
    ".claude/settings.local.json",
    ".gitconfig",
    ".npmrc",
    ".profile",
    ".ssh",
    ".zshenv",
    ".zshrc",
    "project/.claude/settings.json",
    "project/.claude/settings.local.json",
    "project/.dmplz",
    "project/.envrc",
    "project/.git/config",
    "project/.git/hooks",
    "project/.mcp.json",
    "project/sub/.claude/settings.json",
    "project/sub/.claude/settings.local.json",
];

/// Files of a repository that commands which only read may refresh.
pub const REFRESHED: &[&str] = &[".git/index", ".git/index.lock", ".npm"];
