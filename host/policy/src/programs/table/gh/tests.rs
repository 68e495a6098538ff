use super::super::git::tests::{harmful, harmless};

#[test]
fn what_only_shows_is_harmless() {
    harmless(&[
        "gh : --version",
        "gh pr : list --state open --limit 5 --json number,title -q .[].number",
        "gh pr view : 1 --comments -R a/b",
        "gh pr diff : 1 --name-only",
        "gh pr checks : 1 --watch",
        "gh issue : list -l bug",
        "gh issue : view 1 --json body",
        "gh repo : view a/b",
        "gh run : list -w ci.yml -L 3",
        "gh run : view 1 --log-failed --job 2",
        "gh release : view v1",
        "gh api : repos/a/b/pulls --paginate --jq .[].title",
        "gh auth : status",
        "gh search : code x --repo a/b",
        "gh pr create : --title x --body y --draft -B main",
        "gh pr merge : 1 --squash",
        "glab mr : list",
        "glab ci : status",
    ]);
}

#[test]
fn a_change_or_a_browser_is_not() {
    harmful(&[
        "gh : api x -X DELETE",
        "gh api : x -XPOST",
        "gh api : x -f a=b",
        "gh api : x --field a=b",
        "gh api : x --input y",
        "gh api : x -H X-HTTP-Method-Override:DELETE",
        "gh api : --hostname x y",
        "gh api : https://x/y",
        "gh pr : view --web",
        "gh pr : list -w",
        "gh pr : create --title x",
        "gh pr : merge 1",
        "gh pr : checkout 1",
        "gh pr : close 1",
        "gh pr merge : 1 --admin",
        "gh pr merge : 1 -d",
        "gh issue : delete 1",
        "gh repo : delete a/b",
        "gh repo : clone a/b",
        "gh alias : set x y",
        "gh extension : install x",
        "gh : my-extension",
        "gh auth : token",
        "gh auth status : --show-token",
        "gh secret : set X",
        "gh workflow : run x",
        "gh run : download 1",
        "gh : browse",
        "glab api : x -X DELETE",
        "glab mr : merge 1",
    ]);
}

#[test]
fn the_options_behind_the_dashes_of_a_clone_are_those_of_git() {
    harmless(&[
        "gh repo clone : a/b",
        "gh repo clone : a/b dir -- --depth 1 --branch main",
        "gh gist clone : x -- --depth=1",
        "glab repo clone : a/b -- --depth=1",
    ]);
    harmful(&[
        "gh repo clone : a/b -- --upload-pack=id",
        "gh repo clone : a/b -- -u id",
        "gh repo clone : a/b -- --depth 1 -c core.fsmonitor=id",
        "gh repo clone : a/b dir -- --template=/tmp/x",
        "gh repo clone a/b : -- --upload-pack=id",
        "gh repo clone a/b -- : --upload-pack=id",
        "gh gist clone : x -- --upload-pack=id",
        "gh repo fork --clone : -- --upload-pack=id",
        "glab repo clone : a/b -- --upload-pack=id",
    ]);
}

#[test]
fn a_filter_that_reads_the_environment_is_found_as_that_of_jq_is() {
    harmless(&[
        "gh pr view : 1 --json title --jq .env",
        "gh pr list : --json number -q .[].number",
        "gh auth status : --jq .hosts",
    ]);
    harmful(&[
        "gh pr view : 1 --json title --jq env",
        "gh pr view : 1 --json title --jq=.a|env",
        "gh pr view : 1 --json title -q $ENV.GH_TOKEN",
        "gh pr list : -qenv",
        "gh run view : 1 --json jobs --jq env",
        "gh search : issues x --jq env",
        "gh api : x --jq env",
        "gh api : x -q env",
        "gh auth status : --jq env",
    ]);
}
