use crate::rules::pattern::Line;
use serde_json::json;

use super::*;
use Match::{Maybe, No, Yes};

const HOME: &str = "/home/me";
const ROOT: &str = "/w/project";

fn read<T>(tool: &str, input: Value, with: impl FnOnce(&Call<'_>) -> T) -> T {
    let Value::Object(input) = input else { unreachable!() };
    let links = |path: &Path| {
        let rest = path.strip_prefix("/w/project/src/link").ok()?;
        Some(Path::new("/etc").join(rest))
    };
    let call = Call {
        cwd: Some(Path::new(ROOT)),
        home: Some(Path::new(HOME)),
        real_path: &links,
        ..Call::new(tool, &input, jiff::Timestamp::UNIX_EPOCH)
    };
    with(&call)
}

fn files(patterns: &[&str], tool: &str, input: Value) -> (Match, Match) {
    let paths = Paths::new(patterns.iter().map(|pattern| Line::read(pattern).unwrap()).collect()).unwrap();
    let at = Anchors { root: Some(Path::new(ROOT)), home: Some(Path::new(HOME)) };
    read(tool, input, |call| {
        let files = Files::of(call);
        // To an allow a maybe is a no.
        let narrow = files.matches(&paths, &at, call, Reading::Narrow) == Yes;
        (Match::from(narrow), files.matches(&paths, &at, call, Reading::Broad))
    })
}

#[test]
fn a_file_is_under_its_tool_s_key() {
    for (tool, input, expected) in [
        ("Read", json!({"file_path": "/w/project/src/a"}), (Yes, Yes)),
        ("read_file", json!({"file_path": "src/a"}), (Yes, Yes)),
        ("Edit", json!({"file_path": "/etc/a"}), (No, No)),
        ("NotebookEdit", json!({"notebook_path": "/w/project/src/a.ipynb"}), (Yes, Yes)),
        ("Read", json!({"path": "/w/project/src/a"}), (No, Maybe)),
        ("Read", json!({"file_path": 1}), (No, Maybe)),
        ("Read", json!({}), (No, Maybe)),
        ("Read", json!({"file_path": "/etc/x", "absolute_path": "/w/project/src/a"}), (No, Yes)),
        ("Bash", json!({"file_path": "/w/project/src/a"}), (No, No)),
        ("mcp__fs__write", json!({"path": "/w/project/src/a"}), (No, Yes)),
        ("mcp__fs__write", json!({"uri": "file:///w/project/src/a"}), (No, Yes)),
        ("Read", json!({"file_path": " /etc/x"}), (No, No)),
        ("Read", json!({"file_path": "src/a "}), (Yes, Yes)),
        ("mcp__fs__write", json!({"other": "/w/project/src/a"}), (No, No)),
    ] {
        assert_eq!(files(&["src/**"], tool, input.clone()), expected, "{tool} {input}");
    }
}

#[test]
fn a_search_is_about_everything_in_its_folder() {
    for (patterns, tool, input, expected) in [
        (&["src/**"][..], "Grep", json!({"pattern": "x", "path": "src"}), (Yes, Yes)),
        (&["src/**"], "Grep", json!({"pattern": "x"}), (No, Maybe)),
        (&["/**"], "Grep", json!({"pattern": "x"}), (Yes, Yes)),
        (&["**/.env"], "Grep", json!({"pattern": "x", "path": "src"}), (No, Maybe)),
        (&["src/**"], "Glob", json!({"pattern": "**/*.rs", "path": "/w/project/src"}), (Yes, Yes)),
        (&["src/**"], "Glob", json!({"pattern": "../**/*.rs", "path": "/w/project/src"}), (No, Yes)),
        (&["src/**"], "Glob", json!({"pattern": "{a,..}/*", "path": "/w/project/src"}), (No, Yes)),
        (&["/**"], "Glob", json!({"pattern": "/etc/*"}), (No, Yes)),
        (&["//etc/**"], "Glob", json!({"pattern": "/etc/*", "path": "/etc"}), (Yes, Yes)),
        (&["/**"], "Glob", json!({"pattern": "~/*"}), (No, Yes)),
        (&["src/**"], "list_directory", json!({"dir_path": "src/a"}), (Yes, Yes)),
        (&["/**"], "read_many_files", json!({"include": ["a", "src/**"]}), (Yes, Yes)),
        (&["/**"], "read_many_files", json!({"include": ["a", "../x"]}), (No, Yes)),
        (&["/**"], "read_many_files", json!({"include": "a", "paths": 3}), (No, Yes)),
    ] {
        assert_eq!(files(patterns, tool, input.clone()), expected, "{patterns:?} {tool} {input}");
    }
}

#[test]
fn a_link_is_judged_by_itself_and_by_where_it_leads() {
    let link = || json!({"file_path": "src/link/passwd"});
    assert_eq!(files(&["src/**"], "Read", link()), (No, Yes));
    assert_eq!(files(&["//etc/**"], "Read", link()), (No, Yes));
    assert_eq!(files(&["src/**", "//etc/**"], "Read", link()), (Yes, Yes));
    assert_eq!(files(&["other/**"], "Read", link()), (No, No));
}

#[test]
fn a_path_that_tools_read_in_two_ways_is_allowed_only_for_both() {
    for (path, expected) in [
        ("/w/project/x", (Yes, Yes)),
        (" /etc/x", (No, Yes)),
        ("\t~/x", (No, Yes)),
        ("~/x", (No, Yes)),
        ("~", (No, Yes)),
        ("~you/x", (No, Maybe)),
        ("a~/x", (Yes, Yes)),
    ] {
        assert_eq!(files(&["/**"], "Read", json!({"file_path": path})), expected, "{path:?}");
    }
}

#[test]
fn a_url_is_under_its_tool_s_key() {
    let domains = Domains::new(&["good.com".to_owned()]).unwrap();
    for (tool, input, expected) in [
        ("WebFetch", json!({"url": "https://good.com/a", "prompt": "what of https://evil.com ?"}), (Yes, Yes)),
        ("WebFetch", json!({"url": "https://evil.com/a"}), (No, No)),
        ("WebFetch", json!({}), (No, Maybe)),
        ("web_fetch", json!({"prompt": "read https://good.com/a and https://good.com/b"}), (Yes, Yes)),
        ("web_fetch", json!({"prompt": "read https://good.com/a and https://evil.com/b"}), (No, Yes)),
        ("web_fetch", json!({"prompt": "read good.com"}), (No, Maybe)),
        ("web_fetch", json!({"prompt": "https://good.com/\u{feff}https://evil.com/b"}), (No, Yes)),
        ("web_fetch", json!({"prompt": "https://good.com\u{85}@evil.com/b"}), (No, Maybe)),
        ("mcp__web__get", json!({"url": "https://good.com/a"}), (No, Yes)),
        ("mcp__web__get", json!({"id": 1}), (No, No)),
        ("Bash", json!({"url": "https://good.com/a"}), (No, No)),
    ] {
        let found = read(tool, input.clone(), |call| {
            let urls = Urls::of(call);
            (urls.matches(&domains, Reading::Narrow), urls.matches(&domains, Reading::Broad))
        });
        assert_eq!(found, expected, "{tool} {input}");
    }
}

#[test]
fn a_command_is_the_shell_s_own_argument() {
    for (tool, input, expected) in [
        ("Bash", json!({"command": "ls"}), Some("ls")),
        ("run_shell_command", json!({"command": "ls"}), Some("ls")),
        ("Bash", json!({"metadata": {"command": "ls"}}), None),
        ("Bash", json!({"command": ["ls"]}), None),
        ("PowerShell", json!({"command": "ls"}), None),
    ] {
        assert_eq!(read(tool, input, |call| command(call).map(str::to_owned)).as_deref(), expected, "{tool}");
    }
    let folder = read("run_shell_command", json!({"command": "ls", "dir_path": "sub"}), |call| {
        command_folder(call).map(str::to_owned)
    });
    assert_eq!(folder.as_deref(), Some("sub"));
}
