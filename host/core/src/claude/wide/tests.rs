use super::*;

const CWD: &str = "/home/user/project";

fn judged(tool: &str, input: &str, rule: &str) -> Option<Wide> {
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
    super::rule(&Rule { tool_name: name.into(), rule_content: content }, &call, CWD)
}

#[test]
fn a_rule_of_a_command_reaches_no_further_than_its_program_and_subcommand() {
    use Wide::{Interpreter, Shell, Tool, Wildcard};
    let cases = [
        ("git push origin main", "Bash(git push *)", None),
        ("git push origin main", "Bash(git push:*)", None),
        ("git push origin main", "Bash(git push origin main)", None),
        ("cd sub && git push origin main", "Bash(git push origin main)", None),
        ("ls -la src", "Bash(ls *)", None),
        ("npm run build", "Bash(npm run build *)", None),
        ("npm test", "Bash(npm test *)", None),
        ("docker ps -a", "Bash(docker ps *)", None),
        ("python3 build.py", "Bash(python3 build.py)", None),
        ("timeout 5 npm test", "Bash(timeout 5 npm test)", None),
        ("git push origin main", "Bash", Some(Tool)),
        ("git push origin main", "Bash(*)", Some(Tool)),
        ("git push origin main", "Bash(:*)", Some(Tool)),
        ("git push origin main", "Bash(git *)", Some(Wildcard)),
        ("git push origin main", "Bash(git*)", Some(Wildcard)),
        ("git push origin main", "Bash(git pu*)", Some(Wildcard)),
        ("git push origin main", "Bash(git * main)", Some(Wildcard)),
        ("git push origin main", "Bash(git pull *)", Some(Wildcard)),
        ("git push origin main", "Bash(git push origin dev)", Some(Wildcard)),
        ("git -C /x push", "Bash(git -C *)", Some(Wildcard)),
        ("npm run build", "Bash(npm run *)", Some(Wildcard)),
        ("make test", "Bash(make *)", Some(Wildcard)),
        ("rm x", "Bash(rm *)", Some(Wildcard)),
        ("curl https://x.org/", "Bash(curl *)", Some(Wildcard)),
        ("A=1 npm test", "Bash(A=1 npm test *)", Some(Wildcard)),
        ("git push; x", "Bash(git push; x *)", Some(Wildcard)),
        ("git push $(x)", "Bash(git push $(x) *)", Some(Wildcard)),
        ("bash -c 'make'", "Bash(bash -c *)", Some(Shell)),
        ("bash -c 'make'", "Bash(bash *)", Some(Shell)),
        ("bash -c 'make'", "Bash(bash -c 'make')", Some(Shell)),
        ("/bin/sh -c ls", "Bash(/bin/sh *)", Some(Shell)),
        ("sudo apt update", "Bash(sudo *)", Some(Shell)),
        ("sudo apt update", "Bash(sudo apt update *)", Some(Shell)),
        ("sudo apt update", "Bash(sudo apt update)", Some(Shell)),
        ("ls | xargs rm", "Bash(xargs *)", Some(Shell)),
        ("env A=1 make", "Bash(env *)", Some(Shell)),
        ("timeout 5 make", "Bash(timeout *)", Some(Shell)),
        ("npx prettier x", "Bash(npx *)", Some(Shell)),
        ("find . -name x", "Bash(find . *)", Some(Shell)),
        ("docker run x", "Bash(docker run *)", Some(Shell)),
        ("uv run pytest x", "Bash(uv run pytest *)", None),
        ("uv run python x", "Bash(uv run python *)", Some(Interpreter)),
        ("uv run --with x y", "Bash(uv run --with *)", Some(Shell)),
        ("python3 build.py", "Bash(python3 *)", Some(Interpreter)),
        ("python3 build.py", "Bash(python3:*)", Some(Interpreter)),
        ("node x.js", "Bash(node *)", Some(Interpreter)),
        ("perl -e 1", "Bash(perl -e *)", Some(Interpreter)),
        ("ls", "Bash(eval *)", Some(Shell)),
        ("ls", "Read", Some(Tool)),
        ("ls", "WebFetch(domain:x.org)", Some(Wildcard)),
        ("cat /etc/hosts", "Read(//etc/**)", None),
        ("cat /etc/hosts", "Read(//**)", Some(Wildcard)),
        ("cat /etc/hosts", "Read(//usr/**)", Some(Wildcard)),
    ];
    for (line, rule, wide) in cases {
        let input = serde_json::json!({ "command": line }).to_string();
        assert_eq!(judged("Bash", &input, rule), wide, "{rule} for {line}");
    }
}

#[test]
fn a_rule_of_a_file_reaches_no_further_than_its_folder_or_the_project() {
    use Wide::{Tool, Wildcard};
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
    for (tool, path, rule, wide) in cases {
        let input = serde_json::json!({ "file_path": path }).to_string();
        assert_eq!(judged(tool, &input, rule), wide, "{rule} for {path}");
    }
}

#[test]
fn a_rule_of_a_host_or_a_tool_is_that_of_the_call() {
    use Wide::{Tool, Wildcard};
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
    for (tool, input, rule, wide) in cases {
        assert_eq!(judged(tool, input, rule), wide, "{rule} for {tool} {input}");
    }
}

#[test]
fn a_directory_above_the_project_is_wide() {
    for narrow in [CWD, "/home/user/project/", "/home/user/project/src", "/home/user/other", "/tmp/x", "/etc"] {
        assert_eq!(directory(narrow, CWD), None, "{narrow}");
    }
    for wide in ["/", "", "/home", "/home/user", "/home/ann", "/root", "/Users/ann", "~", "src", "/tmp/../..", "/tmp/*"]
    {
        assert_eq!(directory(wide, CWD), Some(Wide::Wildcard), "{wide}");
    }
    assert_eq!(directory("/", "/"), Some(Wide::Wildcard));
    assert_eq!(directory("/root", "/root"), None, "the project's own directory");
}
