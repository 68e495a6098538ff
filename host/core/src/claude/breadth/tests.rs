use super::*;

/// Knows of a command what its first words say, and no more.
pub(crate) struct FirstWords;

impl Commands for FirstWords {
    fn broad(&self, text: &str, line: &str) -> Option<Breadth> {
        let mut commands = line.split(" && ");
        let begins = text.strip_suffix('*').is_some_and(|words| commands.any(|it| it.starts_with(words.trim_end())));
        match text.split(' ').collect::<Vec<_>>().as_slice() {
            _ if text == line => None,
            ["sudo" | "bash", ..] => Some(Breadth::Shell),
            ["python3", ..] => Some(Breadth::Interpreter),
            [_, _, "*"] if begins => None,
            _ => Some(Breadth::Wildcard),
        }
    }

    fn words(&self, line: &str) -> Vec<String> {
        line.split_whitespace().map(str::to_owned).collect()
    }
}

const CWD: &str = "/home/user/project";

fn judged(tool: &str, input: &str, rule: &str) -> Option<Breadth> {
    let call = ToolCall {
        tool: tool.into(),
        input: serde_json::from_str(input).unwrap(),
        tool_use_id: None,
        suggestions: Vec::new(),
    };
    let (name, content) = match rule.split_once('(') {
        Some((name, content)) => (name, Some(content.strip_suffix(')').unwrap().to_owned())),
        None => (rule, None),
    };
    super::rule(&Rule { tool_name: name.into(), rule_content: content }, &call, CWD, &FirstWords)
}

#[test]
fn a_rule_of_a_file_reaches_no_further_than_its_folder_or_the_project() {
    use Breadth::{Tool, Wildcard};
    let cases = [
        ("Read", "/etc/hostname", "Read(//etc/**)", None),
        ("Read", "/etc/hostname", "Read(//etc/hostname)", None),
        ("Edit", "src/lib.rs", "Edit(/src/**)", None),
        ("Write", "/home/user/project/src/a/b.rs", "Edit(//home/user/project/**)", None),
        ("Write", "/home/user/project/src/a/b.rs", "Edit(src/**)", None),
        ("Read", "/etc/ssh/x", "Read(//etc/**)", Some(Wildcard)),
        ("Read", "/x", "Read(//**)", Some(Wildcard)),
        ("Read", "/home/user/x", "Read(//home/user/**)", Some(Wildcard)),
        ("Read", "/home/user/x", "Read(~/**)", Some(Wildcard)),
        ("Read", "/root/x", "Read(//root/**)", Some(Wildcard)),
        ("Read", "/etc/hostname", "Read(//etc/*/x)", Some(Wildcard)),
        ("Read", "/etc/hostname", "Read(//usr/../etc/**)", Some(Wildcard)),
        ("Read", "/etc/hostname", "Read(//usr/x)", Some(Wildcard)),
        ("Read", "../x", "Read(**)", Some(Wildcard)),
        ("Edit", "src/lib.rs", "Edit", Some(Tool)),
        ("Read", "/etc/hostname", "Bash(ls *)", Some(Wildcard)),
    ];
    for (tool, path, rule, broad) in cases {
        let input = serde_json::json!({ "file_path": path }).to_string();
        assert_eq!(judged(tool, &input, rule), broad, "{rule} for {path}");
    }
}

#[test]
fn a_rule_of_a_host_or_a_tool_is_that_of_the_call() {
    use Breadth::{Tool, Wildcard};
    let cases = [
        ("WebFetch", r#"{"url":"https://example.org/x"}"#, "WebFetch(domain:example.org)", None),
        ("WebFetch", r#"{"url":"https://example.org/x"}"#, "WebFetch(domain:*)", Some(Wildcard)),
        ("WebFetch", r#"{"url":"https://example.org/x"}"#, "WebFetch(domain:*.org)", Some(Wildcard)),
        ("WebFetch", r#"{"url":"https://example.org/x"}"#, "WebFetch", Some(Tool)),
        ("WebFetch", r#"{"url":"x"}"#, "WebFetch(domain:)", Some(Wildcard)),
        ("WebSearch", "{}", "WebSearch", None),
        ("mcp__tiny__greet", "{}", "mcp__tiny__greet", None),
        ("mcp__tiny__greet", "{}", "mcp__tiny", Some(Wildcard)),
        ("mcp__tiny__greet", "{}", "mcp__tiny__*", Some(Wildcard)),
        ("Skill", "{}", "Skill(x:*)", Some(Wildcard)),
        ("PowerShell", r#"{"command":"ls"}"#, "PowerShell(ls)", None),
        ("PowerShell", r#"{"command":"ls"}"#, "PowerShell(ls *)", Some(Wildcard)),
        ("PowerShell", r#"{"command":"ls"}"#, "PowerShell", Some(Tool)),
    ];
    for (tool, input, rule, broad) in cases {
        assert_eq!(judged(tool, input, rule), broad, "{rule} for {tool} {input}");
    }
}

#[test]
fn a_directory_above_the_project_is_broad() {
    for narrow in [CWD, "/home/user/project/", "/home/user/project/src", "/home/user/other", "/tmp/x", "/etc"] {
        assert_eq!(directory(narrow, CWD), None, "{narrow}");
    }
    for broad in
        ["/", "", "/home", "/home/user", "/home/ann", "/root", "/Users/ann", "~", "src", "/tmp/../..", "/tmp/*"]
    {
        assert_eq!(directory(broad, CWD), Some(Breadth::Wildcard), "{broad}");
    }
    assert_eq!(directory("/", "/"), Some(Breadth::Wildcard));
    assert_eq!(directory("/root", "/root"), None, "the project's own directory");
}
