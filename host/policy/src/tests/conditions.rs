//! Conditions, where it is hard to say whether they hold.

use super::*;

/// Returns a policy with a rule about the shell's tool with a condition, and an allow of every call with a lower
/// priority.
fn beside_an_allow_of_everything(decision: &str, condition: &str) -> Policy {
    let everything = "[[rule]]\ntoolName = \"*\"\ndecision = \"allow\"\npriority = 1\nallowRedirection = true\n";
    sound(&format!("[[rule]]\n{condition}\ndecision = \"{decision}\"\npriority = 2\n{everything}"))
}

#[test]
fn a_rule_holds_until_the_moment_at_which_it_expires() {
    for (end, expected) in
        [("2026-11-22T05:00:01Z", Allow), ("2026-11-22T05:00:00Z", AskUser), ("2026-11-22T04:59:59Z", AskUser)]
    {
        let policy =
            sound(&format!("[[rule]]\ntoolName = \"Bash\"\ndecision = \"allow\"\npriority = 1\nexpires = {end}\n"));
        assert_eq!(bash(&policy, "ls"), expected, "{end}");
    }
}

#[test]
fn what_a_server_does_not_say_of_its_tool_may_be_anything() {
    let policy = beside_an_allow_of_everything("deny", "toolName = \"*\"\ntoolAnnotations = { readOnlyHint = false }");
    for (tool, expected) in [("mcp__x__y", AskUser), ("Read", Allow)] {
        assert_eq!(call(&policy, tool, json!({})), expected, "{tool}");
    }
}

#[test]
fn where_a_command_runs_after_a_cd_may_be_any_folder() {
    let here = "toolName = \"Bash\"\ncommandPrefix = \"ls\"\ncwd = [\"//work\"]";
    let deny = beside_an_allow_of_everything("deny", here);
    let allow = sound(&format!("[[rule]]\n{here}\ndecision = \"allow\"\npriority = 1\n"));
    for (input, denied, allowed) in [
        (json!({"command": "ls"}), Deny, Allow),
        (json!({"command": "cd sub && ls"}), AskUser, AskUser),
        (json!({"command": "ls", "dir_path": "sub"}), AskUser, AskUser),
        (json!({"command": "cd sub && cat x"}), Allow, AskUser),
    ] {
        assert_eq!(call(&deny, "Bash", input.clone()), denied, "{input}");
        assert_eq!(call(&allow, "Bash", input.clone()), allowed, "{input}");
    }
}

#[test]
fn a_name_in_a_rule_is_a_program_s_whatever_folder_the_rule_or_the_line_names() {
    let policy =
        beside_an_allow_of_everything("deny", "toolName = \"Bash\"\ncommandPrefix = [\"/usr/bin/RM\", \"git push\"]");
    for (line, expected) in [
        ("rm x", Deny),
        ("/bin/rm x", Deny),
        ("/elsewhere/git push", Deny),
        ("git -C sub push", Deny),
        ("git commit", Allow),
        ("rmdir x", Allow),
    ] {
        assert_eq!(bash(&policy, line), expected, "{line}");
    }
}

#[test]
fn an_expression_is_held_against_what_is_known_of_a_command() {
    let policy = beside_an_allow_of_everything("deny", "toolName = \"Bash\"\ncommandRegex = \"tool push\"");
    for (line, expected) in [
        ("tool push", Deny),
        ("tool pu*", AskUser),
        ("/opt/tool pu*", AskUser),
        ("tool $x", AskUser),
        ("tool st*", Allow),
        ("toolpu*", AskUser),
        ("tool status $x", Allow),
    ] {
        assert_eq!(bash(&policy, line), expected, "{line}");
    }
}

#[test]
fn a_file_that_a_rule_may_mean_is_not_redirected_to() {
    let policy = beside_an_allow_of_everything(
        "deny",
        "toolName = [\"Read\", \"Write\"]\npaths = [\"**/.env\"]\nmodes = [\"plan\"]",
    );
    let untold = |line: &str| decide(&policy, "Bash", json!({ "command": line }), |call| Call { mode: None, ..call });
    for (line, expected) in [("cat < .env", AskUser), ("cat < other", Allow), ("grep '~> 1' Gemfile", Allow)] {
        assert_eq!(untold(line), expected, "{line}");
    }
}
