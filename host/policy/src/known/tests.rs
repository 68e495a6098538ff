use dmplz_core::claude::{ToolCall, suggestions};
use serde_json::json;

use super::*;

const CWD: &str = "/home/user/project";

fn judged(tool: &str, input: &str, rule: &str) -> Option<Breadth> {
    let rule = match rule.split_once('(') {
        Some((tool, content)) => json!({ "toolName": tool, "ruleContent": content.strip_suffix(')').unwrap() }),
        None => json!({ "toolName": rule }),
    };
    let call = ToolCall {
        tool: tool.into(),
        input: serde_json::from_str(input).unwrap(),
        tool_use_id: None,
        suggestions: vec![json!({ "type": "addRules", "rules": [rule], "behavior": "allow" })],
    };
    let [suggestion] = suggestions(&call, CWD, &KnownCommands).try_into().unwrap();
    suggestion.broad
}

#[test]
fn a_rule_of_a_command_reaches_no_further_than_its_program_and_subcommand() {
    use Breadth::{Interpreter, Shell, Tool, Wildcard};
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
        ("bash build.sh", "Bash(bash build.sh)", None),
        ("docker-compose up", "Bash(docker-compose up)", None),
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
    for (line, rule, broad) in cases {
        let input = json!({ "command": line }).to_string();
        assert_eq!(judged("Bash", &input, rule), broad, "{rule} for {line}");
    }
}
