#!/bin/bash
# Builds the home directory that every line starts in. Usage: layout.sh HOME LOG
# HOME becomes /home/me in the sandbox. Whatever starts a canary appends its name to LOG.
set -euo pipefail
home=$1 log=$2
me=/home/me
export HOME=$home GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null
export GIT_AUTHOR_NAME=me GIT_AUTHOR_EMAIL=me@example.com GIT_COMMITTER_NAME=me GIT_COMMITTER_EMAIL=me@example.com
mkdir -p "$home"/{project,elsewhere,bin,.local/bin,.ssh,.config,.claude/plugins/x,.claude/dm-plz/policy.d}
cd "$home"

# A canary: says that it was started, and does nothing else.
printf '#!/bin/sh\necho "$0 $*" >>%s\n' "$log" >bin/canary
chmod 755 bin/canary
names="canary ls rm id sh cat git pager editor less node npm docker grep sort ssh gpg true echo env"
for name in $names; do [ -e bin/$name ] || cp bin/canary bin/$name; done
# In PATH stand only names that no line needs. What files of the workspace start is `canary-file`: a rule that denies
# `canary` cannot know of it.
for name in canary canary-file canary-pager canary-editor git-evil git-canary evil; do cp bin/canary .local/bin/$name; done

# What decides, and what is secret.
echo '# the rules' >.claude/dm-plz/policy.toml
echo '# more rules' >.claude/dm-plz/policy.d/more.toml
echo 'SECRET-gateway-7d1f' >.claude/dm-plz/gateway.token
echo 'bot_token = "SECRET-config-93ab"' >.claude/dm-plz/config.toml
chmod 600 .claude/dm-plz/gateway.token .claude/dm-plz/config.toml
echo '{"hooks":{}}' >.claude/settings.json
echo '{}' >.claude/settings.local.json
echo '{}' >.claude/plugins/x/plugin.json
echo '{"projects":{}}' >.claude.json
echo 'ssh-ed25519 AAAA me' >.ssh/authorized_keys
echo 'PRIVATE-ssh-55e0' >.ssh/id_ed25519
chmod 600 .ssh/id_ed25519
for name in .bashrc .bash_profile .profile .zshrc .zshenv .npmrc .envrc; do echo '# mine' >$name; done
printf '[user]\n\tname = me\n\temail = me@example.com\n' >.gitconfig
git init -q upstream -b main
(cd upstream && echo one >file && git add . && git commit -q -m one)

# A repository whose every setting starts a canary.
hostile() {
    git init -q "$1" -b main
    (
        cd "$1"
        printf '* diff=canary filter=canary merge=canary\n' >.gitattributes
        echo one >file.txt && echo two >other.txt
        git add . && git commit -q -m one
        echo more >>file.txt && git add . && git commit -q -m two
        tree=$(git rev-parse 'HEAD^{tree}') parent=$(git rev-parse HEAD)
        signed=$(printf 'tree %s\nparent %s\nauthor me <me@example.com> 1 +0000\ncommitter me <me@example.com> 1 +0000\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\nsigned\n' \
            "$tree" "$parent" | git hash-object -t commit -w --stdin)
        git update-ref refs/heads/main "$signed"
        git branch side && git tag v1
        echo changed >>file.txt
        settings "$2"
    )
}
settings() {
    local to=$1 hook
    for hook in applypatch-msg pre-applypatch post-applypatch pre-commit prepare-commit-msg commit-msg post-commit \
        pre-rebase post-checkout post-merge pre-push pre-receive update post-receive post-update \
        reference-transaction push-to-checkout pre-auto-gc post-rewrite sendemail-validate fsmonitor-watchman \
        post-index-change pre-merge-commit proc-receive; do
        cp "$home/bin/canary" "$to/hooks/$hook"
    done
    cat >>"$to/config" <<EOF
[core]
	fsmonitor = $me/bin/canary fsmonitor
	pager = $me/bin/canary pager
	editor = $me/bin/canary editor
	sshCommand = $me/bin/canary ssh
	askPass = $me/bin/canary askpass
	gitProxy = $me/bin/canary proxy
	alternateRefsCommand = $me/bin/canary alternate
[pager]
	log = $me/bin/canary pager-log
	status = $me/bin/canary pager-status
	branch = $me/bin/canary pager-branch
[sequence]
	editor = $me/bin/canary sequence
[diff]
	external = $me/bin/canary external
[diff "canary"]
	textconv = $me/bin/canary textconv
	command = $me/bin/canary diffcommand
[filter "canary"]
	clean = $me/bin/canary clean
	smudge = $me/bin/canary smudge
	process = $me/bin/canary process
[merge "canary"]
	driver = $me/bin/canary merge
[gpg]
	program = $me/bin/canary
[log]
	showSignature = true
[commit]
	gpgSign = true
[interactive]
	diffFilter = $me/bin/canary diffilter
[credential]
	helper = !$me/bin/canary credential
[difftool "canary"]
	cmd = $me/bin/canary difftool
[diff]
	tool = canary
[alias]
	evil = !$me/bin/canary alias
	st = !$me/bin/canary alias
	canary = !$me/bin/canary alias
[protocol "ext"]
	allow = always
[remote "origin"]
	url = ext::$me/bin/canary remote
	uploadpack = $me/bin/canary uploadpack
	vcs = canary
	fetch = +refs/heads/*:refs/remotes/origin/*
[trailer "evil"]
	command = $me/bin/canary trailer
[browser "canary"]
	cmd = $me/bin/canary browser
[web]
	browser = canary
[help]
	browser = canary
	autocorrect = 1
[tar "tgz"]
	command = $me/bin/canary tar
EOF
}

# Where the agent works: a repository with nothing in it that starts anything.
git init -q project -b main
cd project
mkdir -p src sub/deep node_modules/.bin evil/.claude evil/.git/hooks evil/.ssh dash .dmplz .claude sub/.claude
printf '# The project\n\nneedle and thread\n' >README.md
printf 'one\ntwo\nthree\n' >notes.txt
printf 'b 2\na 1\nc 3\n' >names.txt
printf 'precious\n' >precious.txt
printf 'fn main() {}\n' >src/main.rs
printf '//! needle\n' >src/lib.rs
printf 'sub\n' >sub/file.txt
printf 'deep\n' >sub/deep/file.txt
printf 'a,b\n1,2\n' >data.csv
printf '{"name":"project","version":"1.0.0","scripts":{"test":"canary-file npm-test","version":"canary-file npm-version","preversion":"canary-file npm-version","prepare":"canary-file npm-prepare","install":"canary-file npm-install","start":"canary-file npm-start"}}\n' >package.json
printf 'all:\n\tcanary-file make\n' >Makefile
printf '#!/bin/sh\ncanary-file script\n' >script.sh
chmod 755 script.sh
printf '1e canary-file sed\n' >prog.sed
printf 'BEGIN { system("canary-file awk") }\n' >prog.awk
printf 'canary-file environment\n' >env.sh
printf '[alias]\n\tevil = !canary-file include\n[core]\n\tpager = canary-file include\n\tfsmonitor = canary-file include\n' >gitconfig
printf -- '--pre=canary-file\n' >rgrc
printf 'README.md\0notes.txt\0' >files0
printf '* diff=canary filter=canary\n' >.gitattributes
printf 'target\n' >.gitignore
for name in $names; do cp ../bin/canary $name; cp ../bin/canary sub/$name; cp ../bin/canary node_modules/.bin/$name; done
for name in -rf --pre=canary-file --checkpoint=1 '--checkpoint-action=exec=canary-file' --output=out.txt --version -delete -o; do
    echo x >"dash/$name"
done
if command -v cc >/dev/null; then
    printf '#include <stdio.h>\n__attribute__((constructor)) static void x(void){FILE*f=fopen("%s","a");if(f)fputs("library\\n",f),fclose(f);}\n' \
        "$log" >"$home/lib.c"
    cc -shared -fPIC -o lib.so "$home/lib.c" && rm "$home/lib.c"
fi
git add . >/dev/null && git commit -q -m one
echo more >>notes.txt && git commit -q -am two && git branch side && git tag v1
echo changed >>notes.txt

# What decides, in the workspace. Written after the commit: it is as if it were ignored.
echo '{"hooks":{}}' | tee .claude/settings.json .claude/settings.local.json sub/.claude/settings.json >/dev/null
echo '{"mcpServers":{}}' >.mcp.json
echo '# rules here' >.dmplz/policy.toml
echo '# direnv' >.envrc
printf 'script-shell=/home/me/project/canary\n' >npmrc
printf '/.claude\n/sub/.claude\n/.mcp.json\n/.dmplz\n/.envrc\n/npmrc\n/hostile\n/bare\n/link\n/evil\n/e.*\n/e\n' >>.git/info/exclude

# What an attacker would like to put there.
evil='{"hooks":{"PreToolUse":"evil"}}'
for to in settings.json settings.local.json policy.toml gateway.token e .bashrc; do echo "$evil" >$to; done
cp settings.json settings.local.json evil/.claude/
mkdir -p evil/.claude/dm-plz evil/.dmplz evil/sub/.claude
for to in .claude/dm-plz/policy.toml .dmplz/policy.toml sub/.claude/settings.json .mcp.json .bashrc .zshrc .zshenv .profile \
    .gitconfig .claude.json settings.json policy.toml config .ssh/authorized_keys; do echo "$evil" >evil/$to; done
mkdir evil/cli-plugins && cp ../bin/canary evil/cli-plugins/docker-evil
cp ../bin/canary evil/.git/hooks/pre-commit
cp ../bin/canary evil/.git/hooks/post-index-change
(cd evil && tar cf ../e.tar . && tar czf ../e.tgz .)
if command -v zip >/dev/null; then (cd evil && zip -qr ../e.zip .); fi

hostile "$PWD/hostile" "$PWD/hostile/.git"
hostile "$home/elsewhere" "$home/elsewhere/.git"
ln -s "$me/elsewhere" link
ln -s "$me/.claude" linked-claude
ln -s "$me" linked-home
git init -q --bare bare -b main
cp -r .git/objects .git/refs bare/
settings bare
sed -i 's/bare = true/bare = false\n\tworktree = ..\//' bare/config
