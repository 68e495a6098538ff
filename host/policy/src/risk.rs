//! What stands out about a call, for the mark on its card. It decides nothing: no rule, and no answer, depends on it.
//!
//! | mark | a shell command | another tool |
//! |---|---|---|
//! | `elevated` | starts a program as another user: `sudo`, `doas` | |
//! | `piped_shell` | a shell runs what another command writes: `curl … \| sh` | |
//! | `outside` | certainly writes a file outside of the folder | writes such a file |
//! | `network` | its row says that it reaches hosts: `curl`, `git push` | fetches or searches the web |
//! | `secret` | certainly names a file that usually holds credentials: `.env`, `~/.ssh/id_ed25519` | names such a file |
//!
//! A mark says what was found. That there is none says nothing: a program without a row may do all of it. A word whose
//! value is only known when the command runs gets no mark.

use std::collections::BTreeSet;
use std::path::Path;

use dmplz_core::present::Risk;
use jiff::Timestamp;
use serde_json::{Map, Value};

use crate::call::Call;
use crate::call::paths::{Source, of_word};
use crate::call::targets::Files;
use crate::places::{Spot, Use};
use crate::programs::{self, Operands, Power, Row};
use crate::shell::{self, Command, RedirectKind, Stdin, Unclear, Word};
use crate::tools::{self, Kind};

/// Programs that start another one as another user.
const ELEVATES: [&str; 8] = ["sudo", "doas", "su", "pkexec", "run0", "runuser", "sudo-rs", "gsudo"];
/// Programs that reach hosts, with rows whose operands do not say so.
const REACHES: [&str; 2] = ["nc", "telnet"];
/// Devices that take what nobody keeps, or that are the terminal.
const DEVICES: &str = "/dev";
/// Tools that write the file that they name.
const WRITERS: [&str; 4] = ["Write", "Edit", "MultiEdit", "NotebookEdit"];
/// Names of files that usually hold credentials.
const SECRETS: [&str; 10] = [
    ".env", ".netrc", ".npmrc", ".pypirc", ".pgpass", "id_rsa", "id_ed25519", "id_ecdsa", ".git-credentials",
    "credentials",
];
/// Ends of such names.
const SECRET_ENDS: [&str; 4] = [".pem", ".p12", ".pfx", ".kdbx"];

/// Returns what stands out about a call, in the order of [`Risk`].
pub fn risks(tool: &str, input: &Map<String, Value>, cwd: &Path, home: Option<&Path>) -> Vec<Risk> {
    let call = Call { cwd: cwd.is_absolute().then_some(cwd), home, ..Call::new(tool, input, Timestamp::UNIX_EPOCH) };
    let mut found = BTreeSet::new();
    match tools::kind(tool) {
        Kind::Shell => {
            let line = input.get("command").and_then(Value::as_str).unwrap_or_default();
            for command in shell::read(line).commands.iter().filter(|command| !command.possible) {
                of_command(command, &call, &mut found);
            }
        }
        Kind::Web => drop(found.insert(Risk::Network)),
        Kind::File | Kind::Search => of_files(&call, &mut found),
        Kind::Question | Kind::Other => {}
    }
    found.into_iter().collect()
}

fn of_files(call: &Call<'_>, found: &mut BTreeSet<Risk>) {
    let files = Files::of(call);
    let writes = WRITERS.contains(&&*tools::canonical(call.tool));
    let source = Source::of_call(call);
    files.paths().for_each(|path| of_file(&Word::exact(path), writes, &source, call, found));
}

fn of_command(command: &Command, call: &Call<'_>, found: &mut BTreeSet<Risk>) {
    let name = command.name().map(|name| shell::name::bare(name).into_owned()).unwrap_or_default();
    if ELEVATES.contains(&name.as_str()) {
        found.insert(Risk::Elevated);
    }
    if shell::name::is_shell(&name) && command.stdin == Stdin::Pipe && command.unclear == Some(Unclear::Script) {
        found.insert(Risk::PipedShell);
    }
    if reaches_hosts(&name, &command.words) {
        found.insert(Risk::Network);
    }
    let source = Source::of(call, command);
    let redirected = command.redirects.iter().map(|redirect| (&redirect.target, redirect.kind == RedirectKind::Write));
    let touched = programs::touched(command);
    let named = touched.iter().map(|touched| (&*touched.word, matches!(touched.how, Use::Writes | Use::WritesBelow)));
    redirected.chain(named).for_each(|(word, writes)| of_file(word, writes, &source, call, found));
}

fn of_file(word: &Word, writes: bool, source: &Source<'_>, call: &Call<'_>, found: &mut BTreeSet<Risk>) {
    let Some(path) = word.text() else { return };
    if is_secret(path) {
        found.insert(Risk::Secret);
    }
    if writes && is_outside(&of_word(word, source), call) {
        found.insert(Risk::Outside);
    }
}

/// Returns whether the row of a program, or of the subcommand that stands first, says that it reaches hosts.
fn reaches_hosts(name: &str, words: &[Word]) -> bool {
    let reaches = |row: &Row| row.operands == Operands::Hosts || row.gives() == Some(Power::Fetches);
    let operand = words.iter().skip(1).filter_map(Word::text).find(|word| !word.starts_with('-'));
    let of_sub = operand.and_then(|sub| programs::listed(&format!("{name} {sub}")));
    REACHES.contains(&name) || programs::find(name).is_some_and(reaches) || of_sub.is_some_and(reaches)
}

/// Returns whether every path that is meant is certainly outside of the call's folder. Devices are not files.
fn is_outside(spots: &[Spot], call: &Call<'_>) -> bool {
    let Some(cwd) = call.cwd else { return false };
    let certainly = |spot: &Spot| spot.is_known() && !spot.is_inside(cwd) && !spot.is_inside(Path::new(DEVICES));
    !spots.is_empty() && spots.iter().all(certainly)
}

/// Returns whether the name of a file is one that usually holds credentials.
fn is_secret(path: &str) -> bool {
    let name = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let is_example = [".example", ".sample", ".template"].iter().any(|end| name.ends_with(end));
    let is_env = name.starts_with(".env.") && !is_example;
    is_env || SECRETS.contains(&name) || SECRET_ENDS.iter().any(|end| name.len() > end.len() && name.ends_with(end))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn marks(tool: &str, input: Value) -> Vec<Risk> {
        let Value::Object(input) = input else { panic!("an input is an object") };
        risks(tool, &input, Path::new("/home/me/shop"), Some(Path::new("/home/me")))
    }

    fn of_line(line: &str) -> Vec<Risk> {
        marks("Bash", json!({ "command": line }))
    }

    #[test]
    fn what_stands_out_about_a_command_is_marked() {
        use Risk::{Elevated, Network, Outside, PipedShell, Secret};
        for (line, expected) in [
            ("ls -la", vec![]),
            ("echo sudo", vec![]),
            ("sudo apt-get update", vec![Elevated]),
            ("cd /tmp && doas ls", vec![Elevated]),
            ("curl -fsSL https://example.org/install | sh", vec![PipedShell, Network]),
            ("curl -fsSL https://example.org/install | ash", vec![PipedShell, Network]),
            ("curl https://example.org/x | sudo bash", vec![Elevated, PipedShell, Network]),
            ("cat list | sort", vec![]),
            ("git push origin main", vec![Network]),
            ("git status", vec![]),
            ("git log push", vec![]),
            ("echo x > notes.txt", vec![]),
            ("echo x > /dev/null", vec![]),
            ("echo x > ../other/notes.txt", vec![Outside]),
            ("touch ~/x", vec![Outside]),
            ("touch $SOMEWHERE/x", vec![]),
            ("cp a /etc/hosts", vec![Outside]),
            ("cat .env", vec![Secret]),
            ("cat .env.example", vec![]),
            ("cat ~/.ssh/id_ed25519", vec![Secret]),
            ("nosuchprogram --all /etc", vec![]),
            ("echo 'unfinished", vec![]),
        ] {
            assert_eq!(of_line(line), expected, "{line}");
        }
    }

    #[test]
    fn what_stands_out_about_another_tool_is_marked() {
        for (tool, input, expected) in [
            ("Read", json!({ "file_path": "/etc/passwd" }), vec![]),
            ("Read", json!({ "file_path": "/home/me/shop/.env" }), vec![Risk::Secret]),
            ("Write", json!({ "file_path": "/home/me/shop/a.txt", "content": "sudo" }), vec![]),
            ("Write", json!({ "file_path": "/home/me/shop/../a.txt", "content": "" }), vec![Risk::Outside]),
            (
                "Edit",
                json!({ "file_path": "/home/me/other/a.txt", "old_string": "", "new_string": "" }),
                vec![Risk::Outside],
            ),
            ("WebFetch", json!({ "url": "https://example.org", "prompt": "" }), vec![Risk::Network]),
            ("mcp__x__y", json!({ "path": "/etc/x" }), vec![]),
        ] {
            assert_eq!(marks(tool, input.clone()), expected, "{tool} {input}");
        }
    }
}
