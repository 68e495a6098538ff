//! Tests of links that a line makes, copies or moves, and that lead to a protected place.

use std::path::{Path, PathBuf};

use super::{STATE, lines};
use crate::{Decision, Entries};

/// The links of the workspace. `tree`, `link` and `token` lead to secrets, the one in `sub/near` only from elsewhere.
pub(super) fn links_below(path: &Path) -> Option<Vec<(PathBuf, PathBuf)>> {
    let link = |path: &str, leads: &str| Some(vec![(PathBuf::from(path), PathBuf::from(leads))]);
    match path.to_str()? {
        "/work/tree" => link("a/l", STATE),
        "/work/tree/" | "/work/link" => link("", STATE),
        "/work/token" | "/work/into/t" => link("", "/home/me/.claude/dm-plz/gateway.token"),
        "/work/near.d" | "/work/sub/../near.d" => link("l", STATE),
        "/work/sub/near" => link("l", "../../home/me/.claude/dm-plz"),
        "/work/winding" => link("l", "a/../../b"),
        "/work/plain" => link("l", "../src/x"),
        "/work/outer" => link("l", "/srv/inner"),
        "/srv/inner" => link("l", STATE),
        "/work/many" => None,
        _ => Some(Vec::new()),
    }
}

/// What globs find in the workspace. `/work/link`, `/work/wide/deep/in/token` and `/work/wide/deep/Out/Leads/t` lead to secrets.
pub(super) fn entries_in(path: &Path) -> Option<Entries> {
    let entries = |links: &[&str], folders: &[&str]| {
        let names = |names: &[&str]| names.iter().map(Into::into).collect();
        Some(Entries { links: names(links), folders: names(folders) })
    };
    match path.to_str()? {
        "/work" => entries(&["link"], &["src"]),
        "/work/wide" => entries(&[], &["deep", "src"]),
        "/srv" => entries(&[], &["huge", "few"]),
        "/work/wide/deep" => entries(&[], &["in", "Out"]),
        "/work/wide/deep/in" => entries(&["token"], &[]),
        "/work/wide/deep/Out" => entries(&["Leads"], &[]),
        "/work/src" => entries(&[], &["a"]),
        "/srv/huge" => None,
        _ => entries(&[], &[]),
    }
}

/// The links of the workspace that globs find.
pub(super) fn real_path(path: &Path) -> Option<PathBuf> {
    match path.to_str()? {
        "/work/wide/deep/in/token" | "/srv/behind/t" => Some(Path::new(STATE).join("gateway.token")),
        "/work/wide/deep/Out/Leads" => Some("/srv/behind".into()),
        _ => None,
    }
}

#[test]
fn a_glob_leads_through_the_links_of_every_folder_that_it_matches() {
    lines(
        Decision::AskUser,
        &[
            "cat wide/*/in/token",
            "cat wide/d*/in/token",
            "cat wide/D*/in/token",
            "cat wide/*/*/token",
            "cat wide/*/*/to*",
            "cat wide/deep/*/token",
            "cat wide/**/token",
            "cat wide/**",
            "cat wide/deep/**/token",
            "cat ./wide/*/in/../in/token",
            "grep -r x wide/*/*/*",
            "head wide/d*/i*/t*",
            "cat wide/{src,d*}/in/token",
            "cat ~/../../work/wide/d*/in/token",
            "cat < wide/d*/in/token",
            "cat wide/deep/O*/L*/t",
            "cat wide/*/Out/Leads/t",
            "cat wide/deep/*/*/t",
            "cat wide/**/t",
            // As `**/*n` with a setting of zsh.
            "cat wide/**n",
            "for f in wide/*/*/token; do cat \"$f\"; done",
            "for d in wide/*; do cat \"$d/in/token\"; done",
            "cd wide/d*/in && cat token",
            "cd wide/d* && cd in && cat token",
            "cd wide/d* && cat i*/token",
            "cd wide && cat */*/token",
            "find wide -exec cat {} +",
            "find wide -name '*.md' -exec cat {} \\;",
            "cp wide/*/in/token x",
            "mytool wide/d*/in/token",
            "echo x > wide/d*/in/token",
            "tee wide/*/in/token",
        ],
    );
    lines(
        Decision::Allow,
        &[
            "cat wide/src/*/x", "cat wide/*/a/x", "cat wide/s*/*/token", "cat wide/src/**/x", "cat wide/src/**",
            "cat wide/*/*/*.md", "cat wide/deep/in/*.md", "cd wide/s* && cat a/x", "find wide/src -exec cat {} +",
            "grep -r x wide/src/*", "cat src/*/x", "cat **/x",
        ],
    );
}

#[test]
fn what_find_surely_knows_to_be_a_file_is_no_link() {
    lines(
        Decision::Allow,
        &[
            "find wide -type f -exec cat {} +",
            "find /srv -type f -name '*.md' -exec grep -l x {} +",
            "find wide \\( -name a -o -name b \\) -type f -exec cat {} \\;",
            "find wide -not -name a -type f -exec cat {} \\;",
        ],
    );
    lines(
        Decision::AskUser,
        &[
            "find wide -type l -exec cat {} +",
            "find wide ! -type f -exec cat {} +",
            "find wide -not -type f -exec cat {} +",
            "find wide -name x -o -type f -exec cat {} +",
            "find wide -type f -o -exec cat {} +",
            "find wide -type f , -exec cat {} +",
            "find wide \\( -type f -o -name x \\) -exec cat {} +",
            "find wide ! \\( -type f \\) -exec cat {} +",
            "find wide -name -type -o f -exec cat {} +",
            "find wide -type f -exec echo {} + -o -exec cat {} +",
            "find wide $x -type f -exec cat {} +",
            "find -L wide -type f -exec cat {} +",
            "find wide -follow -type f -exec cat {} +",
            "find wide -xtype f -exec cat {} +",
            "find wide -type f -execdir cat {} \\;",
            "find / -type f -exec cat {} +",
            "find ~ -type f -exec cat {} +",
            "tar xf a.tar -C v && find v -type f -exec cat {} +",
        ],
    );
}

#[test]
fn a_glob_is_asked_only_where_it_can_lead_through_more_folders_than_are_listed() {
    lines(
        Decision::AskUser,
        &["cat /srv/huge/*", "cat /srv/**/x", "cat /srv/h*/*/x", "find /srv -exec cat {} +", "cd /srv && cat */*/x"],
    );
    lines(
        Decision::Allow,
        &[
            "cat src/*/x", "cat /srv/*/x", "cat /srv/f*/*/x", "cat /srv/huge/a/x", "ls /srv/huge/*", "ls /srv/**/x",
            "cat /srv/few/**/x",
        ],
    );
}

#[test]
fn a_link_to_a_protected_place_gets_no_other_name() {
    lines(
        Decision::AskUser,
        &[
            "ln -s ~/.claude/dm-plz x && cat x/gateway.token",
            "ln -s ../home/me/.claude/dm-plz x && cat x/gateway.token",
            // Seen from the folder of the link.
            "ln -s ../../../home/me/.claude/dm-plz/gateway.token a/b/x && cat a/b/x",
            "ln -s ../../../home/me/.claude/dm-plz/gateway.token a/b/ && cat a/b/gateway.token",
            "ln -st a/b ../../../home/me/.claude/dm-plz/gateway.token",
            "ln -sT ../../../home/me/.claude/dm-plz/gateway.token a/b/x",
            "cp -s ../../../home/me/.claude/dm-plz/gateway.token a/b/x",
            "cd a && ln -s ../../../home/me/.claude/dm-plz/gateway.token b/x",
            "cp -r tree x && cat x/a/l/gateway.token",
            "cp -a tree x",
            "cp -rT tree x",
            "cp -R -t x tree",
            "cp -P link x && cat x/gateway.token",
            "cp -d link x",
            "cp --no-dereference link x",
            "mv tree x && cat x/a/l/gateway.token",
            "mv -t x tree",
            "rsync -a tree x",
            "rsync -l link x",
            "ln token x && cat x",
            "mv sub/near near && cat near/l/gateway.token",
            "cp -r sub/near . && cat near/l/gateway.token",
            "mv winding x",
            "mv many x",
        ],
    );
    lines(
        Decision::Allow,
        &[
            "ln -s src x && cat x/main.rs", "ln -s ../lib a/x", "cp -r plain x && cat x/l", "cp -r sub/near sub/other",
            "mv plain x && ls x", "mv a.rs b.rs && cat b.rs", "cp tree/x y && cat y", "cp -r tests x && cat x/a ../y",
        ],
    );
}

#[test]
fn a_comparison_of_folders_reads_what_links_below_them_lead_to() {
    lines(
        Decision::AskUser,
        &[
            "diff -r tree x", "diff -ru x tree", "diff --recursive -q x tree", "diff --rec x tree", "diff -r outer x",
            "diff -r many x", "diff -r -- tree x", "cd $y && diff -r a b", "diff $y tree x",
        ],
    );
    lines(
        Decision::Allow,
        &["diff -r plain x", "diff tree x", "diff -r --no-dereference tree x", "diff <(ls a) <(ls b)", "diff -r a b"],
    );
}

#[test]
fn what_comes_into_a_folder_is_written_through_its_links() {
    lines(
        Decision::AskUser,
        &[
            "cp src/t into",
            "cp -r src/t into",
            "cp -t into src/t",
            "cp -r src/. tree",
            "cp -r src/ tree",
            "cp -rT src tree",
            "tar -xf a.tar -C tree",
            "unzip a.zip -d tree",
            "unzip -o a.zip -d many",
            "git clone host:x y && cp a y",
            "unzip a.zip -d a && unzip b.zip -d a",
            "git clone host:x y && tar -xf a.tar -C y",
        ],
    );
    lines(
        Decision::Allow,
        &[
            "cp src/u into",
            "cp -r src tree",
            "mv src/t into",
            "tar -xf a.tar -C plain",
            "unzip a.zip -d plain",
            "unzip a.zip -d a && unzip b.zip -d b",
            "git clone host:x y && cp a b",
        ],
    );
}

#[test]
fn what_links_below_a_folder_lead_to_is_packed_and_unpacked_with_it() {
    lines(
        Decision::AskUser,
        &[
            "zcat -r tree", "zcat tree -r", "zcat --recursive many", "gzip -rdc tree", "gzip -rl tree",
            "gzip -r -t outer", "gzip -rf tree", "gzip -r --force tree", "zcat $y tree", "zstd -rdcf tree",
            "zstdcat -r tree", "zip -r x.zip tree", "zip x.zip -R tree", "7z a x.7z tree", "ctags -R tree",
            "ctags --recurse tree", "tar -cLf x.tar tree",
        ],
    );
    lines(
        Decision::Allow,
        &[
            "zcat tree", "zcat a.gz", "zcat -r plain", "gzip -dc a.gz", "gzip -rk tree", "gzip -rdc plain",
            "zip -r x.zip plain", "zip x.zip a b", "7z a x.7z plain", "ctags -R plain", "ctags a.c",
        ],
    );
}

#[test]
fn what_is_above_a_link_is_not_known() {
    lines(
        Decision::AskUser,
        &[
            "ln -s ~/.claude/projects/a x && cat x/../../dm-plz/gateway.token",
            "ln -s ~/.claude/projects/a x; cat ./x/../README.md",
            "ln -s ~/.claude/projects/a x && cat \"x/../$y.md\"",
            "ln -s ~/.claude/projects/a x && cat */../README.md",
            "ln -s ~/.claude/projects/a x && cd x && cat ../../dm-plz/gateway.token",
            "cd sub && ln -s ~/.claude/projects/a x && cat x/../README.md",
            "ln -s ~/.claude/projects/a x && echo y > x/../README.md",
            "cp -r plain x && cat x/l/../README.md",
        ],
    );
    lines(
        Decision::Allow,
        &[
            "ln -s ~/.claude/projects/a x && cat x/README.md",
            "ln -s ~/.claude/projects/a x && cat ../README.md",
            "cat x/../README.md",
            "mv a b && cat x/../README.md",
        ],
    );
}

#[test]
fn what_the_same_line_unpacks_may_be_a_link_and_is_not_followed() {
    lines(
        Decision::AskUser,
        &[
            "tar xf a.tar -C v && cat v/x",
            "tar xf a.tar -C v && cat v/a/b/x",
            "tar xf a.tar -C v; cd v && cat x",
            "tar -xf a.tar --directory=v && head v/*",
            "tar xf a.tar -C v && cat */x",
            "tar xf a.tar -C v && cat **",
            "tar xf a.tar -C v && rg x v/a",
            "tar xf a.tar -C v && cd v/a && rg x",
            "tar xf a.tar -C v && cat < v/x",
            "tar xf a.tar -C v && echo x > v/x",
            "tar xf a.tar -C v && tee v/x",
            "tar xf a.tar -C v && mytool v/x",
            "tar xf a.tar -C v && mytool --in=v/x",
            "tar xf a.tar -C v && cp v/x y",
            "tar xf a.tar -C v && mv v w && cat w/x",
            "tar xf a.tar -C v && cp -r v w && cat w/x",
            "tar xf a.tar -C v && ln -s v w && cat w/x",
            "tar xf a.tar -C v && diff -r v w",
            "tar xf a.tar -C v && rg -L x v",
            "tar xf a.tar -C v && cat /work/V/x",
            "tar xf a.tar -C v && cat ./y/../v/x",
            "tar xf a.tar -C v && find v -exec cat {} +",
            "while true; do cat v/x; tar xf a.tar -C v; done",
            "f() { cat v/x; }; tar xf a.tar -C v && f",
            "timeout 5 tar xf a.tar -C v && cat v/x",
            "tar xf a.tar -C v | cat v/x",
            "cat $(tar xf a.tar -C v) v/x",
            "unzip a.zip -d v && cat v/x",
            "unzip -o a.zip -d v; cd v; cat x",
            "git clone https://example.com/r && cat r/x",
            "git clone https://example.com/r.git v && cat v/x",
            "git clone https://example.com/r v && cd v && cat x",
            "cd v && tar xf ../a.tar && cat x",
            "git submodule add https://example.com/r v && cat v/x",
        ],
    );
    lines(
        Decision::Allow,
        &[
            "tar xf a.tar -C v",
            "tar xf v/a.tar -C v",
            "tar xf a.tar -C v && ls -l v/x && wc v/x",
            "tar xf a.tar -C v && cat x",
            "tar xf a.tar -C v && cat vv/x",
            "tar xf a.tar -C v && rg x v",
            "tar xf a.tar -C v && cd v && npm test",
            "tar xf a.tar -C v && cp -r a b",
            "tar tf a.tar && cat v/x",
            "unzip -l a.zip && cat v/x",
            "unzip a.zip -d v && ls v",
            "mkdir v && tar xf a.tar -C v",
            "git clone https://example.com/r && ls r",
            "git clone https://example.com/r && cat README.md",
            "git clone https://example.com/r v && cd v && npm test",
            // The branches of a repository are the project's own.
            "git checkout main && cat README.md",
            "git worktree add v && cat v/x",
        ],
    );
}
