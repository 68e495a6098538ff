//! One test for each row of `differences.md`. Each line is a call, what gemini-cli-core 0.61.0 decides as observed, and what we do.

use super::{decide, load};

const ALLOW_SHELL: &str = r#"
[[rule]]
toolName = "run_shell_command"
decision = "allow"
priority = 10
"#;

const ALLOW_ALL: &str = r#"
[[rule]]
toolName = "*"
decision = "allow"
priority = 10
"#;

const ALLOW_GIT: &str = r#"
[[rule]]
toolName = "run_shell_command"
commandPrefix = "git"
decision = "allow"
priority = 100
"#;

const ALLOW_STATUS: &str = r#"
[[rule]]
toolName = "run_shell_command"
commandPrefix = "git status"
decision = "allow"
priority = 100
"#;

const DENY_RM: &str = r#"
[[rule]]
toolName = "run_shell_command"
commandPrefix = "rm"
decision = "deny"
priority = 900
"#;

#[track_caller]
fn differs(policy: &str, calls: &[(&str, &str, &str)]) {
    let policy = load(policy);
    for (call, theirs, ours) in calls {
        assert_eq!(decide(&policy, call), *ours, "{call}");
        assert_ne!(theirs, ours, "{call}: this is no difference");
    }
}

#[test]
fn without_a_rule_nothing_is_allowed() {
    differs(
        "",
        &[
            ("$ ls -la", "allow", "ask_user"),
            ("$ git status", "allow", "ask_user"),
            ("$ rm x @mode=yolo", "allow", "ask_user"),
        ],
    );
}

#[test]
fn without_a_rule_a_call_is_asked_although_nobody_is_at_the_terminal() {
    differs(
        "",
        &[("$ rm x @headless", "deny", "ask_user"), (r#"read_file {"file_path":"a"} @headless"#, "deny", "ask_user")],
    );
}

#[test]
fn a_rule_that_allows_the_whole_shell_allows_dangerous_commands_too() {
    differs(ALLOW_SHELL, &[("$ rm -rf /", "ask_user", "allow"), ("$ find . -delete", "ask_user", "allow")]);
}

#[test]
fn a_rule_that_allows_writing_allows_build_files_too() {
    differs(ALLOW_ALL, &[(r#"write_file {"file_path":"package.json","content":"x"}"#, "ask_user", "allow")]);
}

#[test]
fn a_rule_that_allows_the_whole_shell_allows_it_in_every_folder() {
    differs(ALLOW_SHELL, &[(r#"run_shell_command {"command":"git status","dir_path":"/etc"}"#, "ask_user", "allow")]);
}

#[test]
fn what_a_safety_checker_would_check_is_asked() {
    let checker = "[[safety_checker]]\ntoolName = \"write_file\"\n[safety_checker.checker]\ntype = \"in-process\"\nname = \"allowed-path\"\n";
    differs(
        &format!("{ALLOW_ALL}{checker}"),
        &[(r#"write_file {"file_path":"src/a.rs","content":"x"}"#, "allow", "ask_user")],
    );
}

#[test]
fn of_equal_priorities_the_strictest_decides_whatever_the_order_in_the_file() {
    let deny = ALLOW_GIT.replace("\"git\"", "\"git push\"").replace("allow", "deny");
    let ask = ALLOW_GIT.replace("allow", "ask_user");
    differs(&format!("{ALLOW_GIT}{deny}"), &[("$ git push", "allow", "deny")]);
    differs(&format!("{ALLOW_STATUS}{ask}"), &[("$ git status", "allow", "ask_user")]);
}

#[test]
fn no_rule_answers_a_question_to_a_person() {
    differs(
        ALLOW_ALL,
        &[
            (r#"ask_user {"questions":[]}"#, "allow", "ask_user"),
            (r#"exit_plan_mode {"plan_path":"x"}"#, "allow", "ask_user"),
        ],
    );
}

#[test]
fn a_prefix_reads_the_top_level_command_only() {
    differs(
        ALLOW_STATUS,
        &[(r#"run_shell_command {"command":"curl evil.sh","metadata":{"command":"git status"}}"#, "allow", "ask_user")],
    );
}

#[test]
fn a_regular_expression_of_commands_sees_the_command_and_not_its_json() {
    let quoted = ALLOW_GIT.replace("commandPrefix = \"git\"", r"commandRegex = 'npm run [a-z]+ \\.x'");
    differs(&quoted, &[(r#"run_shell_command {"command":"npm run a \"x\""}"#, "allow", "ask_user")]);
    let closed = ALLOW_GIT.replace("commandPrefix = \"git\"", "commandRegex = 'npm test\"'");
    differs(&closed, &[("$ npm test", "allow", "ask_user")]);
}

#[test]
fn nothing_hides_a_command_from_a_deny() {
    let hidden = [
        "\"rm\" x", "'rm' x", "r\\m x", "/bin/rm x", "RM x", "FOO=1 rm x", "sudo rm x", "env rm x", "timeout 5 rm x",
        "xargs rm", "eval \"rm x\"", "command rm x",
    ];
    for command in hidden {
        differs(&format!("{DENY_RM}{ALLOW_SHELL}"), &[(&format!("$ {command}"), "allow", "deny")]);
    }
    differs(&format!("{DENY_RM}{ALLOW_SHELL}"), &[("$ find . -exec rm {} \\;", "ask_user", "deny")]);
    let both = ALLOW_GIT.replace("\"git\"", "\"git push\"").replace("allow", "deny").replace("100", "200");
    differs(&format!("{both}{ALLOW_GIT}"), &[("$ git -C x push", "allow", "deny")]);
}

#[test]
fn what_only_starts_an_allowed_command_needs_no_allow() {
    let started = [
        "{ git status; }",
        "for i in a b; do git status; done",
        "timeout 5 git status",
        "nice git status",
        "eval 'git status'",
        "exec git status",
        "time git status",
        "! git status",
    ];
    for command in started {
        differs(ALLOW_STATUS, &[(&format!("$ {command}"), "ask_user", "allow")]);
    }
}

#[test]
fn quotes_and_paths_do_not_keep_a_command_from_its_allow() {
    let allow = ALLOW_STATUS.replace("git status", "npm test");
    differs(&allow, &[("$ \"npm\" test", "ask_user", "allow"), ("$ /usr/bin/npm test", "ask_user", "allow")]);
}

#[test]
fn a_word_that_is_not_known_is_not_allowed() {
    differs(&ALLOW_STATUS.replace("git status", "git log"), &[("$ git log $X", "allow", "ask_user")]);
    differs(ALLOW_GIT, &[("$ git $X", "allow", "ask_user")]);
}

#[test]
fn an_option_that_does_something_else_is_not_allowed() {
    differs(ALLOW_GIT, &[("$ git -C x status", "allow", "ask_user")]);
    differs(&ALLOW_GIT.replace("\"git\"", "\"sort\""), &[("$ sort -o a b", "allow", "ask_user")]);
}

#[test]
fn a_program_that_obeys_the_files_of_its_folder_is_asked_in_another_one() {
    differs(ALLOW_STATUS, &[(r#"run_shell_command {"command":"git status","dir_path":"/etc"}"#, "allow", "ask_user")]);
}

#[test]
fn a_command_that_may_be_denied_is_asked() {
    let deny = DENY_RM.replace("\"rm\"", "\"git push\"");
    differs(&format!("{deny}{ALLOW_SHELL}"), &[("$ git $X", "allow", "ask_user"), ("$ $X", "allow", "ask_user")]);
}

#[test]
fn what_writes_no_file_is_no_redirection() {
    differs(
        ALLOW_STATUS,
        &[
            ("$ git status 2>&1", "ask_user", "allow"),
            ("$ git status > /dev/null", "ask_user", "allow"),
            ("$ git status 2>/dev/null", "ask_user", "allow"),
        ],
    );
    differs(
        &ALLOW_GIT.replace("\"git\"", "\"tee\""),
        &[("$ tee <<< hi", "ask_user", "allow"), ("$ tee <<EOF\\nhi\\nEOF", "ask_user", "allow")],
    );
}

#[test]
fn a_comment_is_no_command() {
    let deny = DENY_RM.replace("commandPrefix = \"rm\"", "commandRegex = \".*rm\"");
    differs(&format!("{deny}{ALLOW_SHELL}"), &[("$ git status #rm x", "deny", "allow")]);
}

#[test]
fn a_command_that_cannot_be_parsed_is_asked_in_every_mode() {
    differs(
        ALLOW_SHELL,
        &[("$ echo \"unclosed @mode=yolo", "allow", "ask_user"), ("$ echo \"unclosed @headless", "deny", "ask_user")],
    );
}

#[test]
fn a_star_stands_for_any_characters_in_every_name() {
    let deny = |tool: &str| format!("[[rule]]\ntoolName = \"{tool}\"\ndecision = \"deny\"\npriority = 60\n{ALLOW_ALL}");
    differs(&deny("discovered_tool_*"), &[("discovered_tool_x {}", "allow", "deny")]);
    differs(&deny("mcp_*_search"), &[(r#"mcp_github_search {"q":"x"} @server=github"#, "allow", "deny")]);
}

#[test]
fn a_tool_of_any_server_is_meant_by_mcp_name_and_tool_name() {
    let deny =
        format!("[[rule]]\nmcpName = \"*\"\ntoolName = \"search\"\ndecision = \"deny\"\npriority = 60\n{ALLOW_ALL}");
    differs(&deny, &[(r#"mcp_github_search {"q":"x"} @server=github"#, "allow", "deny")]);
}

#[test]
fn a_short_name_belongs_to_its_server() {
    let allow = "[[rule]]\nmcpName = \"github\"\ntoolName = \"*\"\ndecision = \"allow\"\npriority = 50\n";
    differs(allow, &[(r#"search {"q":"x"} @server=github"#, "ask_user", "allow")]);
}

#[test]
fn a_joined_name_that_can_be_cut_in_several_places_may_be_what_a_deny_means() {
    let deny =
        format!("[[rule]]\nmcpName = \"my_server\"\ntoolName = \"*\"\ndecision = \"deny\"\npriority = 60\n{ALLOW_ALL}");
    differs(&deny, &[(r#"mcp_my_server_search {"q":"x"}"#, "allow", "ask_user")]);
}

#[test]
fn a_name_that_says_another_server_than_the_call_is_not_believed() {
    let deny =
        format!("[[rule]]\nmcpName = \"github\"\ntoolName = \"*\"\ndecision = \"deny\"\npriority = 60\n{ALLOW_ALL}");
    differs(&deny, &[(r#"mcp_github_search {"q":"x"} @server=evil"#, "allow", "ask_user")]);
}

#[test]
fn claude_codes_names_mean_the_same_tools() {
    differs(ALLOW_STATUS, &[(r#"Bash {"command":"git status"}"#, "ask_user", "allow")]);
}

#[test]
fn one_rule_outside_the_schema_leaves_the_denies_and_no_allow() {
    for bad in ["priority = 1000", "priority = 1\ntoolAnnotations = 1", "priority = 1\nmodes = [\"x\"]"] {
        let policy =
            format!("{DENY_RM}{ALLOW_STATUS}[[rule]]\ntoolName = \"write_file\"\ndecision = \"allow\"\n{bad}\n");
        differs(&policy, &[("$ rm x", "ask_user", "deny"), ("$ git status", "allow", "ask_user")]);
    }
}

#[test]
fn a_syntax_error_leaves_the_denies_and_no_allow() {
    differs(&format!("{DENY_RM}[[rule]]\ntoolName =\n{ALLOW_STATUS}"), &[("$ rm x", "ask_user", "deny")]);
}

#[test]
fn a_bad_rule_turns_the_other_allows_of_its_file_into_asks() {
    for bad in [
        "toolName = \"write_file\"\nargsPattern = \"(\"",
        "toolName = \"write_file\"\ncolour = \"red\"",
        "toolName = [\"run_shell_command\", \"write_file\"]\ncommandPrefix = \"ls\"",
        "toolName = \"run_shell_command\"\ncommandPrefix = \"ls\"\ncommandRegex = \"ls\"",
        "toolName = \"run_shell_command\"\ncommandPrefix = \"git commit -m \\\"x\"",
        "toolName = \"run_shell_command\"\ncommandRegex = \"npm (?!publish)\"",
        "toolName = []",
    ] {
        let policy = format!(
            "{}[[rule]]\n{bad}\ndecision = \"allow\"\npriority = 1\n",
            ALLOW_STATUS.replace("git status", "npm test")
        );
        differs(&policy, &[("$ npm test", "allow", "ask_user")]);
    }
}

#[test]
fn a_server_alone_means_all_its_tools() {
    let policy = format!("[[rule]]\nmcpName = \"github\"\ndecision = \"deny\"\npriority = 60\n{ALLOW_ALL}");
    differs(
        &policy,
        &[
            (r#"mcp_github_search {"q":"x"} @server=github"#, "ask_user", "deny"),
            (r#"save_memory {"fact":"x"}"#, "ask_user", "allow"),
        ],
    );
}

#[test]
fn nested_quantifiers_are_read() {
    let allow = ALLOW_GIT.replace("commandPrefix = \"git\"", "commandRegex = \"npm( [a-z]+)*\"");
    differs(&allow, &[("$ npm run test", "ask_user", "allow")]);
}
