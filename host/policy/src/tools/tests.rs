use super::*;

#[test]
fn both_programs_names_are_one_tool() {
    for (name, first, kind_of) in [
        ("run_shell_command", "Bash", Kind::Shell),
        ("ShellTool", "Bash", Kind::Shell),
        ("Bash", "Bash", Kind::Shell),
        ("search_file_content", "Grep", Kind::Search),
        ("replace", "Edit", Kind::File),
        ("Task", "Agent", Kind::Other),
        ("ask_user", "AskUserQuestion", Kind::Question),
        ("web_fetch", "WebFetch", Kind::Web),
        ("bash", "bash", Kind::Other),
        ("mcp_github_search", "mcp__github__search", Kind::Other),
        ("mcp_my_github_search", "mcp_my_github_search", Kind::Other),
        ("mcp__a__b_c", "mcp__a__b_c", Kind::Other),
        ("mcp_*", "mcp_*", Kind::Other),
        ("mcp_github_*", "mcp__github__*", Kind::Other),
    ] {
        assert_eq!((canonical(name).as_ref(), kind(name)), (first, kind_of), "{name}");
    }
    assert_eq!(
        (mode("autoEdit"), mode("yolo"), mode("plan"), mode("other")),
        ("acceptEdits".into(), "bypassPermissions".into(), "plan".into(), "other".into())
    );
}

#[test]
fn no_name_is_in_the_table_twice() {
    let mut names: Vec<_> = known().collect();
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all);
    // Nor in another case, but for a tool that both programs have.
    assert!(known().all(|name| canonical_in_any_case(name) == canonical(name)));
}
