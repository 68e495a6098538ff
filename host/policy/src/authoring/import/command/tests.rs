use super::*;
use crate::rules::decision::Decision;

fn written(decision: Decision, specifier: &str) -> String {
    let text = format!("Bash({specifier})");
    let entry = Entry::read(&text, decision).unwrap();
    match drafts(&entry) {
        Ok(drafts) => drafts
            .iter()
            .map(|draft| {
                let rule = draft.rule.to_string();
                let condition = rule.lines().nth(2).unwrap_or("everything");
                let warnings = draft.warnings.iter().map(|warning| format!(" # {warning}")).collect::<String>();
                format!("{condition}{warnings}")
            })
            .collect::<Vec<_>>()
            .join("\n"),
        Err(refusal) => format!("refused: {}", refusal),
    }
}

#[test]
fn an_allow_becomes_what_it_says_or_nothing() {
    let specifiers = [
        "npm run *", "git commit -m 'x y':*", "ls*", "git log --format=*", "git * main", "git:* push", "* --version",
        "* --help *", "rm src/*.log", "npm test", "git commit -m \"fix it\"", "npm test && npm run lint",
        "npm test > out.txt", "npm test 2>&1", "NODE_ENV=test npm test", "echo \"$HOME\" *", "git commit -m \"fix *",
        "curl *", "docker exec *", "/bin/zsh -lc 'npm test'", "/bin/zsh -lc *", "*", "",
    ];
    let table: Vec<_> =
        specifiers.map(|specifier| format!("{specifier} -> {}", written(Decision::Allow, specifier))).into();
    insta::assert_snapshot!(table.join("\n"), @r#"
    npm run * -> commandPrefix = "npm run"
    git commit -m 'x y':* -> commandPrefix = "git commit -m 'x y'"
    ls* -> commandRegex = "ls" # it has no blank before its `*`, so it also means commands such as `lsx`
    git log --format=* -> commandRegex = "git log --format=" # it has no blank before its `*`, so it also means commands such as `git log --format=x`
    git * main -> commandRegex = "(?s)git .* main$" # its `*` stands for the subcommand and every option before it
    git:* push -> commandRegex = "(?s)git:.* push$" # its `*` stands for the program, so it means every program
    * --version -> commandRegex = "(?s).* --version$" # its `*` stands for the program, so it means every program
    * --help * -> commandRegex = "(?s).* --help " # its `*` stands for the program, so it means every program
    rm src/*.log -> commandRegex = '(?s)rm src/.*\.log$' # its `*` stands for any text, blanks and options included; in the command it was taken from it may have been a file pattern
    npm test -> commandRegex = "npm test$"
    git commit -m "fix it" -> commandRegex = "git commit -m 'fix it'$"
    npm test && npm run lint -> refused: it is not one command with known words; allow its commands one by one
    npm test > out.txt -> refused: it is not one command with known words; allow its commands one by one
    npm test 2>&1 -> commandRegex = "npm test$"
    NODE_ENV=test npm test -> refused: it is not one command with known words; allow its commands one by one
    echo "$HOME" * -> refused: `echo "$HOME"` is not the beginning of one command, word by word
    git commit -m "fix * -> refused: `git commit -m "fix` is not the beginning of one command, word by word
    curl * -> commandPrefix = "curl" # `curl` reaches any host, and writes what it gets
    docker exec * -> commandPrefix = "docker exec" # `docker` starts any command that it is given
    /bin/zsh -lc 'npm test' -> commandRegex = "/bin/zsh -lc 'npm test'$" # what `/bin/zsh` starts needs an allow of its own
    /bin/zsh -lc * -> commandPrefix = "/bin/zsh -lc" # `/bin/zsh` runs any code that it is given
    * -> everything # it allows every command that can be read
     -> refused: it is not one command with known words; allow its commands one by one
    "#);
}

#[test]
fn a_deny_becomes_what_it_says_or_more() {
    let specifiers = [
        "rm *", "rm*", "git push * main", "FOO=1 rm -rf x", "rm -rf \"$HOME\"/*", "rm -rf / && echo done",
        "echo x > /etc/passwd", "\"quoted\"*", "command:rm *", "run_in_background:true", "dangerouslyDisableSandbox:*",
        "make:*", "make:test", "*",
    ];
    let table: Vec<_> =
        specifiers.map(|specifier| format!("{specifier} -> {}", written(Decision::Deny, specifier))).into();
    insta::assert_snapshot!(table.join("\n"), @r#"
    rm * -> commandPrefix = "rm"
    rm* -> commandRegex = "rm"
    git push * main -> commandRegex = "(?s)git push .* main$"
    FOO=1 rm -rf x -> commandRegex = "rm -rf x$"
    rm -rf "$HOME"/* -> commandPrefix = "rm -rf" # it is imported as `rm -rf *`, because the rest has no exact counterpart
    rm -rf / && echo done -> argsPattern = '\0"command":"rm -rf / && echo done"\0'
    echo x > /etc/passwd -> commandRegex = "echo x$"
    "quoted"* -> refused: `"quoted"` is not the beginning of one command, word by word
    command:rm * -> commandPrefix = "rm" # Claude Code ignores it; it is imported as `Bash(rm *)`
    run_in_background:true -> argsPattern = '\0"run_in_background":"?true"?\0'
    dangerouslyDisableSandbox:* -> argsPattern = '\0"dangerouslyDisableSandbox":"?[^\0]*"?\0'
    make:* -> commandPrefix = "make"
    make:test -> commandRegex = "make:test$"
    * -> everything
    "#);
}
