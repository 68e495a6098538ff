use super::super::super::escape::escape;
use crate::shell::Word;

/// Splits a line into words. `_` is a space.
fn words(line: &str) -> Vec<Word> {
    line.split(' ').map(|word| Word::exact(word.replace('_', " "))).collect()
}

/// Checks lines that have the words that a rule names, and after ` : ` words without another effect.
pub(in super::super) fn harmless(lines: &[&str]) {
    for line in lines {
        let (named, _) = line.split_once(" :").unwrap();
        let all = words(&line.replacen(" :", "", 1));
        assert_eq!(escape(&all, words(named).len()), None, "{line}");
    }
}

/// Checks lines that have the words that a rule names, and after ` : ` words that the rule does not cover.
pub(in super::super) fn harmful(lines: &[&str]) {
    for line in lines {
        let (named, _) = line.split_once(" :").unwrap();
        let all = words(&line.replacen(" :", "", 1));
        assert_ne!(escape(&all, words(named).len()), None, "{line}");
    }
}

#[test]
fn what_only_shows_is_harmless() {
    harmless(&[
        "git : status",
        "git : --version",
        "git : --no-pager log --oneline -5",
        "git : -P diff --cached",
        "git status : -sb --porcelain=v2 --ignored -uno --untracked-files=all",
        "git log : --oneline -20 --graph --all --decorate=short",
        "git log : -n 5 -p --stat=80 --follow -- src/a.rs",
        "git log : --since=2.weeks --until yesterday --author x --grep=fix -i --no-merges",
        "git log : --format=%h_%an_%s --date=short --name-only main..HEAD",
        "git log : --pretty=format:%H --diff-filter=A --name-status -M -C --reverse",
        "git log : -Sneedle --pickaxe-regex -G re -L 1,20:a.rs",
        "git log : --first-parent --merges --left-right --cherry-pick a...b",
        "git log : --no-show-signature --no-color --abbrev-commit --no-decorate",
        "git show : HEAD~2:src/a.rs",
        "git show : --stat --no-patch -s --format=fuller abc123",
        "git show : :/fix",
        "git diff : -U5 -w --word-diff=color main...HEAD -- src",
        "git diff : --cached --stat --numstat --shortstat --name-only -z",
        "git diff : --no-ext-diff --no-textconv --exit-code --quiet --submodule=log --color=never",
        "git diff : --merge-base main --ignore-blank-lines --ignore-space-at-eol --diff-algorithm=patience",
        "git blame : -L 10,20 -w -C -C -C --date=short -s -e a.rs",
        "git shortlog : -sne --all --no-merges --group=author",
        "git describe : --tags --always --dirty=-x --abbrev=0 --match v*",
        "git rev-parse : --abbrev-ref HEAD",
        "git rev-parse : --show-toplevel --git-dir --short=8 --verify -q HEAD^{commit}",
        "git rev-list : --count --left-right main...HEAD --objects --max-count=1",
        "git merge-base : --is-ancestor a b",
        "git ls-files : -z --others --exclude-standard -m -s --error-unmatch a",
        "git ls-tree : -r --name-only -l HEAD src",
        "git ls-remote : --heads --tags origin",
        "git cat-file : -p HEAD:a",
        "git grep : -nIi -e needle --and -e fix -A3 -C 2 --max-depth 2 HEAD -- *.rs",
        "git grep : --count --untracked -W -p -h -l -3 x",
        "git for-each-ref : --sort=-committerdate --format=%(refname:short) --count=5 refs/heads",
        "git show-ref : --verify -q refs/heads/x",
        "git range-diff : main a b --no-color",
        "git stash list : --oneline -3",
        "git stash show : -p --stat stash@{1}",
        "git stash : -m x",
        "git worktree : list --porcelain",
        "git remote : -v",
        "git remote : show -n origin",
        "git remote : get-url --all origin",
        "git reflog : -10 --date=iso",
        "git reflog : show --oneline HEAD",
        "git notes : list",
        "git submodule : status --recursive",
        "git bisect : log",
        "git check-ignore : -v a",
        "git verify-pack : -v x.idx",
        "git fsck : --no-dangling --full",
        "git count-objects : -vH",
        "git sparse-checkout : list",
        "git bundle : verify x",
        "git hash-object : a",
        "git help : -a",
        "git lfs : ls-files -l",
        "git interpret-trailers : --parse a",
    ]);
}

#[test]
fn branches_and_tags_are_listed_or_created() {
    harmless(&[
        "git branch :",
        "git branch : -a -vv --sort=-committerdate",
        "git branch : --list x* -a -vv --format=%(refname) --merged main",
        "git branch --list : x*",
        "git branch : --contains abc --no-merged main -r",
        "git branch : --show-current",
        "git tag :",
        "git tag : -l v1.* -n3 --sort=version:refname",
        "git tag : --points-at HEAD",
        "git tag --list : v*",
        "git tag -a : v1 -m x",
        "git tag -d : v1",
        "git branch -d : x",
        "git branch -m : x y",
    ]);
    harmful(&[
        "git tag : -m x v1",
        "git branch -d : -D x",
        "git branch : evil",
        "git branch : -v evil",
        "git branch : --sort=x evil",
        "git branch --list : --no-list evil",
        "git branch --list : --no-li evil",
        "git branch --list : -C main x",
        "git branch --list : -m x",
        "git branch --list : -M x",
        "git branch --list : -c x",
        "git branch --list : -d x",
        "git branch --list : -D x",
        "git branch --list : -f x",
        "git branch --list : -t x",
        "git branch --list : -u o/x",
        "git branch --list : --set-upstream-to=o/x",
        "git branch --list : --unset-upstream",
        "git branch --list : --edit-description",
        "git branch --list : --create-reflog x",
        "git branch --show-current : --no-show-current x",
        "git branch --points-at HEAD : --no-points-at x",
        "git tag : v1",
        "git tag : -a v1 -m x",
        "git tag --list : -d v1",
        "git tag --list : -f v1",
        "git tag : -v v1",
        "git tag : --format=%(signature) -l",
    ]);
}

#[test]
fn what_changes_something_else_is_no_reading() {
    harmful(&[
        "git : -C /x log",
        "git : --git-dir=/x log",
        "git : --work-tree /x status",
        "git : --bare log",
        "git : -c core.pager=x log",
        "git : --config-env=core.pager=X log",
        "git : --attr-source=x log",
        "git : lg",
        "git log : --output=x",
        "git log : --ext-diff -p",
        "git log : --textconv",
        "git log : --show-signature",
        "git log : --format=%h_%G?",
        "git log : --pretty=format:%+GS",
        "git log : -Oorder --outp=x",
        "git rev-list : --output=x HEAD",
        "git shortlog : --output=x HEAD",
        "git for-each-ref : --format=%(*signature:grade)",
        "git for-each-ref : --sort=-signature",
        "git diff : --no-index a b",
        "git grep : --no-index x",
        "git cat-file : --textconv HEAD:a",
        "git cat-file : --filters HEAD:a",
        "git hash-object : -w a",
        "git symbolic-ref : HEAD refs/heads/x",
        "git symbolic-ref : -d HEAD",
        "git stash : drop",
        "git stash : pop",
        "git stash : clear",
        "git stash : branch x",
        "git worktree : add ../x",
        "git worktree : remove x",
        "git worktree : prune",
        "git remote : add x y",
        "git remote : set-url x y",
        "git remote : remove x",
        "git remote : update",
        "git remote show : ext::sh_-c_x",
        "git reflog : expire --all",
        "git reflog : delete x",
        "git notes : add -m x",
        "git submodule : update --init",
        "git submodule : deinit x",
        "git bisect : visualize",
        "git sparse-checkout : set x",
        "git bundle : create x HEAD",
        "git config : user.name x",
        "git config : user.name x --get",
        "git config : core.pager sh --list",
        "git config : --add user.name x",
        "git config : --unset user.name",
        "git config : set user.name x",
        "git config : edit",
        "git config : -e",
        "git : credential fill",
        "git fsck : --lost-found",
        "git hook : run x",
        "git interpret-trailers : --in-place a",
        "git lfs : install",
    ]);
    harmless(&[
        "git config : user.name",
        "git config : --get-all remote.origin.url",
        "git config : --global --list --show-origin",
        "git config : get --all user.name",
        "git config : list",
        "git config : --get user.name x",
        "git symbolic-ref : --short HEAD",
        "git interpret-trailers : --parse",
    ]);
}

#[test]
fn everyday_changes_are_what_their_rule_means() {
    harmless(&[
        "git add : -A",
        "git add : -u src",
        "git commit : -m x",
        "git commit : -am x --amend --no-edit",
        "git checkout : -b x origin/main",
        "git checkout : -- a",
        "git switch : -c x",
        "git restore : --staged a",
        "git restore --staged : a",
        "git reset : --soft HEAD~1",
        "git merge : --no-ff --no-edit x",
        "git rebase : --onto a b",
        "git rebase : --continue",
        "git cherry-pick : -x abc",
        "git fetch : --all --prune --tags",
        "git fetch : origin main --depth=1",
        "git pull : --rebase --autostash origin main",
        "git push : -u origin x",
        "git push : origin HEAD:refs/heads/x",
        "git clean : -n",
        "git clone : --depth 1 -b main https://x/y.git y",
        "git rm : --cached a",
        "git mv : a b",
        "git apply --check : x.patch",
        "git archive : --format=tar --prefix=x/ HEAD",
    ]);
    harmful(&[
        "git add : --edit",
        "git commit : -n -m x",
        "git commit : --no-verify -m x",
        "git commit : --no-ver -m x",
        "git checkout : -f",
        "git restore --staged : --worktree a",
        "git restore --staged : -W a",
        "git reset : --hard",
        "git reset : --har",
        "git rebase : -i HEAD~2",
        "git rebase : -x sh",
        "git merge : -s x",
        "git fetch : --upload-pack=x",
        "git fetch : +a:b",
        "git fetch : ext::sh_-c_x",
        "git push : -f",
        "git push : --force-with-lease",
        "git push : --mirror",
        "git push : origin +x",
        "git push : origin :x",
        "git push : --delete origin x",
        "git push : --no-verify",
        "git push : --receive-pack=x",
        "git clean -n : -f",
        "git clean -n : --no-dry-run",
        "git clone : -c core.sshCommand=x y",
        "git clone : --template=x y",
        "git apply --check : --apply x",
        "git apply : --unsafe-paths x",
        "git archive : --remote=x HEAD",
        "git archive : -o x HEAD",
        "git rm --cached : --no-cached a",
    ]);
}
