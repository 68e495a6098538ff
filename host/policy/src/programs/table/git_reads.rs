//! Rows of the subcommands of Git that show something and change nothing.
//!
//! Git accepts abbreviated long options, so an option with a mark precedes the harmless ones with the same beginning.
//! `--no-X` is listed if it is an option of its own, if X takes a value, and if it would revoke an X that a rule names.

use super::super::escape::Effect;
use super::super::escape::operands::{self, git};
use super::super::operands::Operands;
use super::super::row::Starts::By;
use super::super::row::{Row, program};
use super::super::starts::git as starts;

/// The short options of subcommands that show differences or walk through commits.
macro_rules! shorts {
    () => {
        "0123456789B?C?DEFG:I:L:M?O:<PRS:U?WX?abcdghil:mn:pqrstuvwz "
    };
}

/// The long options of `diff.c`.
macro_rules! diff {
    () => {
        "output:> ext-diff! textconv! no-ext-diff no-textconv patch no-patch unified? function-context raw patch-with-raw patch-with-stat numstat shortstat dirstat? cumulative dirstat-by-file? check summary name-only name-status stat? stat-width: stat-name-width: stat-graph-width: stat-count: compact-summary binary full-index color? no-color ws-error-highlight: abbrev? no-abbrev src-prefix: dst-prefix: line-prefix: no-prefix default-prefix inter-hunk-context: output-indicator-new: output-indicator-old: output-indicator-context: break-rewrites? find-renames? irreversible-delete find-copies-harder find-copies? renames no-renames rename-empty follow minimal ignore-all-space ignore-space-change ignore-space-at-eol ignore-cr-at-eol ignore-blank-lines ignore-matching-lines: indent-heuristic patience histogram diff-algorithm: anchored: word-diff-regex: word-diff? color-words? color-moved-ws: no-color-moved-ws color-moved? no-color-moved relative? no-relative text exit-code quiet ignore-submodules? submodule? ita-invisible-in-index ita-visible-in-index pickaxe-all pickaxe-regex rotate-to: skip-to: find-object: diff-filter: max-depth: cc dd diff-merges: no-diff-merges remerge-diff combined-all-paths help "
    };
}

/// The long options of `revision.c` and `git log`.
macro_rules! walk {
    () => {
        "show-signature! no-show-signature after: author: before: committer: date: encoding: exclude: exclude-hidden: glob: grep: grep-reflog: max-age: max-count: max-count-oldest: min-age: since: since-as-filter: skip: until: ancestry-path? branches? expand-tabs? no-expand-tabs format? graph-lane-limit? max-parents? min-parents? no-kept-objects? no-walk? notes? no-notes pretty? remotes? show-linear-break? show-notes? tags? unpacked? abbrev-commit no-abbrev-commit all all-match alternate-refs always author-date-order basic-regexp bisect boundary cherry cherry-mark cherry-pick children count date-order default: dense do-walk encode-email-headers no-encode-email-headers exclude-first-parent-only exclude-promisor-objects extended-regexp first-parent fixed-strings full-diff full-history graph no-graph graph-indent no-graph-indent ignore-missing in-commit-order indexed-objects invert-grep left-only left-right log-size maximal-only merge merges no-commit-id no-max-parents no-merges no-min-parents no-standard-notes not objects objects-edge objects-edge-aggressive oneline parents perl-regexp reflog regexp-ignore-case relative-date remove-empty reverse right-only root show-notes-by-default show-pulls simplify-by-decoration simplify-merges single-worktree sparse standard-notes stdin topo-order verify-objects walk-reflogs end-of-options source use-mailmap no-use-mailmap mailmap no-mailmap clear-decorations decorate-refs: decorate-refs-exclude: decorate? no-decorate "
    };
}

/// The filters of references that `branch`, `tag` and `for-each-ref` share.
macro_rules! refs {
    () => {
        "contains: no-contains: with: without: merged: no-merged: points-at: sort: no-sort format: no-format color? no-color column? no-column abbrev? no-abbrev ignore-case omit-empty end-of-options help "
    };
}

/// The options of `git config` that select the output and its source.
macro_rules! config {
    () => {
        "f:<hlt:z file:< blob: global system local worktree all regexp value: fixed-value url: null name-only show-origin show-scope show-names type: no-type bool int bool-or-int bool-or-str path expiry-date includes no-includes default: help "
    };
}
pub(super) use {diff, shorts, walk};

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    // Commits and differences.
    program("git log|git show|git whatchanged", concat!(shorts!(), diff!(), walk!(), "i-still-use-this")).operands(Operands::Revisions).more(git::formats),
    program("git diff", concat!(shorts!(), "no-index# ", diff!(), "cached staged merge-base base ours theirs end-of-options")).operands(Operands::Compares),
    program("git diff-tree|git diff-index|git diff-files|git diff-pairs", concat!(shorts!(), diff!(), walk!(), "cached merge-base base ours theirs")).operands(Operands::Revisions).more(git::formats),
    program("git rev-list", concat!(shorts!(), diff!(), walk!(), "missing: header timestamp bisect-all bisect-vars use-bitmap-index test-bitmap progress? filter? no-filter filter-provided-objects filter-print-omitted object-names no-object-names disk-usage? commit-header no-commit-header")).operands(Operands::Revisions).more(git::formats),
    program("git shortlog", concat!("w?cen", shorts!(), "committer numbered email group: no-group ", diff!(), walk!())).operands(Operands::Revisions).more(git::formats),
    program("git range-diff", concat!(shorts!(), "no-index# ", diff!(), "creation-factor: dual-color no-dual-color notes? no-notes left-only right-only max-memory: end-of-options")).operands(Operands::Revisions),
    program("git cherry", "hv abbrev? no-abbrev verbose help").operands(Operands::Revisions),
    program("git blame|git annotate", "0123456789C?L:M?S:<bcefhklnpstw output:> ext-diff! textconv! no-textconv ignore-revs-file:< contents:< incremental root show-stats progress score-debug show-name show-number porcelain line-porcelain show-email ignore-rev: no-ignore-rev no-ignore-revs-file color-lines color-by-age minimal diff-algorithm: abbrev? date: since: until: after: before: first-parent reverse encoding: ignore-all-space ignore-space-change ignore-space-at-eol ignore-cr-at-eol ignore-blank-lines indent-heuristic patience histogram anchored: not all max-age: min-age: end-of-options no-abbrev no-progress help").operands(Operands::Revisions),
    program("git describe", "h contains debug all tags long first-parent abbrev? no-abbrev exact-match candidates: match: no-match exclude: no-exclude always dirty? broken? help").operands(Operands::Revisions),
    program("git merge-base", "ah all octopus independent is-ancestor fork-point help").operands(Operands::Revisions),
    program("git name-rev", "h name-only tags refs: no-refs exclude: no-exclude all stdin annotate-stdin undefined always peel-tag help").operands(Operands::Revisions),
    program("git show-branch", "ag?hr all remotes color? no-color more? list name no-name current sha1-name merge-base independent topo-order topics sparse date-order reflog? help").operands(Operands::Revisions),
    program("git rev-parse", "hn:q parseopt keep-dashdash stop-at-non-option stuck-long sq-quote abbrev-ref? absolute-git-dir after: all before: bisect branches? default: disambiguate: end-of-options exclude-hidden: exclude: flags git-common-dir git-dir git-path: glob: header ignore-missing is-bare-repository is-inside-git-dir is-inside-work-tree is-shallow-repository local-env-vars max-age: max-count: max-parents: min-age: min-parents: no-flags no-max-parents no-merges no-min-parents no-revs not objects objects-edge output-object-format: parents path-format: prefix: quiet remotes? resolve-git-dir: revs-only shared-index-path short? show-cdup show-object-format? show-prefix show-ref-format show-superproject-working-tree show-toplevel since: sq symbolic symbolic-full-name tags? until: verify help").operands(Operands::Revisions),
    // The working tree and the index.
    program("git status", "hM?bsu?vz verbose short branch show-stash ahead-behind no-ahead-behind porcelain? long null untracked-files? ignored? ignore-submodules? column? no-column renames no-renames find-renames? help").operands(Operands::Revisions),
    program("git ls-files", "X:<cdfhikmostuvx:z exclude-from:< exclude-per-directory: exclude-standard exclude: cached deleted modified others ignored stage killed directory eol empty-directory no-empty-directory unmerged resolve-undo full-name recurse-submodules error-unmatch with-tree: abbrev? no-abbrev debug deduplicate sparse format: help").operands(Operands::Revisions),
    program("git grep", "A:B:C:EFGHILO?$Pace:f:<hilm:noprqvwz0123456789W open-files-in-pager?$ textconv! no-index# no-textconv index cached untracked exclude-standard no-exclude-standard recurse-submodules invert-match ignore-case word-regexp text recursive no-recursive max-depth: extended-regexp basic-regexp fixed-strings perl-regexp line-number column full-name files-with-matches name-only files-without-match null only-matching count color? no-color break heading context: before-context: after-context: threads: show-function function-context and or not quiet all-match ext-grep! max-count: parent-basename: end-of-options help").operands(Operands::TextThenSearches),
    program("git check-ignore", "hnqvz quiet verbose stdin non-matching no-index index help").operands(Operands::Names),
    program("git check-attr", "ahz all cached stdin source: help").operands(Operands::Names),
    // Objects.
    program("git cat-file", "ehpstzZ textconv! filters! allow-unknown-type use-mailmap mailmap batch? batch-check? batch-command? batch-all-objects buffer follow-symlinks unordered filter: no-filter path: help").operands(Operands::Revisions),
    program("git ls-tree", "dhlrtz long name-only name-status object-only full-name full-tree format: abbrev? no-abbrev help").operands(Operands::Revisions),
    program("git merge-tree", "X:hz write-tree trivial-merge messages name-only allow-unrelated-histories stdin quiet merge-base: strategy-option: help").operands(Operands::Revisions),
    program("git hash-object", "t:hw# stdin-paths stdin filters no-filters literally path: help").operands(Operands::Names),
    program("git count-objects", "Hhv verbose human-readable help").operands(Operands::Nothing),
    program("git fsck|git fsck-objects", "hv lost-found# unreachable dangling no-dangling tags root cache reflogs no-reflogs full no-full connectivity-only strict verbose progress no-progress name-objects references no-references help").operands(Operands::Revisions),
    program("git verify-commit|git verify-tag", "hv verbose raw format: help").operands(Operands::Revisions),
    program("git verify-pack", "hsv verbose stat-only object-format: help").operands(Operands::Names),
    program("git show-index", "h object-format: help").operands(Operands::Nothing),
    program("git patch-id", "h stable unstable verbatim help").operands(Operands::Nothing),
    program("git get-tar-commit-id", "h help").operands(Operands::Nothing),
    program("git stripspace", "chs strip-comments comment-lines help").operands(Operands::Nothing),
    program("git column", "h command: mode? raw-mode: width: indent: nl: padding: help").operands(Operands::Nothing),
    program("git fmt-merge-msg", "F:<hm: file:< log? no-log summary? message: into-name: help").operands(Operands::Nothing),
    program("git interpret-trailers", "h in-place> trim-empty where: if-exists: if-missing: only-trailers only-input unfold parse divider no-divider trailer: help").operands(Operands::Reads),
    // References.
    program("git for-each-ref|git refs list", concat!("hps exclude: shell perl python tcl count: stdin include-root-refs start-after: ", refs!())).operands(Operands::Text).more(git::formats),
    program("git show-ref", "dhqs? tags branches heads exists verify head dereference hash? abbrev? no-abbrev quiet exclude-existing? help").operands(Operands::Text),
    program("git branch", concat!("D~d~M#m#C#c#f#t?#u:#ahilqrv delete~ move# copy# force# track?# no-track# set-upstream-to:# set-upstream# unset-upstream# edit-description! create-reflog# recurse-submodules# no-list# no-points-at# no-show-current# list all remotes show-current verbose quiet ", refs!())).operands(Operands::Text).more(git::lists),
    program("git tag", concat!("F:<d~a#e!f#hilm:n?s!u:!v! delete~ force# file:< annotate# message: trailer: edit! sign! local-user:! verify! cleanup: create-reflog# no-list# no-points-at# list ", refs!())).operands(Operands::Text).more(git::lists),
    program("git replace", "d~e!f#g#hl delete~ edit! force# graft# convert-graft-file# raw# no-list# list format: help").operands(Operands::Text).more(git::lists),
    program("git symbolic-ref", "d~m:#hq delete~ short recurse no-recurse quiet help").operands(Operands::Text).more(operands::second_changes),
    program("git check-ref-format", "h branch normalize print allow-onelevel no-allow-onelevel refspec-pattern help").operands(Operands::Text),
    program("git check-mailmap", "h stdin mailmap-file:< mailmap-blob: help").operands(Operands::Text),
    program("git reflog", concat!(shorts!(), diff!(), walk!())).operands(Operands::Sub).more(git::formats),
    program("git reflog show", concat!(shorts!(), diff!(), walk!())).operands(Operands::Revisions).more(git::formats),
    program("git reflog list|git reflog exists", "h help").operands(Operands::Text),
    program("git reflog expire|git reflog delete|git reflog drop", "hnv dry-run no-dry-run# rewrite updateref verbose expire: expire-unreachable: stale-fix all single-worktree help").operands(Operands::Text).itself(Effect::Deletes),
    program("git reflog write", "h help").operands(Operands::Text).itself(Effect::Changes),
    // Settings of the repository.
    program("git config", concat!("e!", config!(), "edit! unset~ unset-all~ rename-section# remove-section# replace-all# add# append# comment:# get get-all get-regexp get-urlmatch get-color get-colorbool list")).starts(By(starts::config)).permutes().operands(Operands::Text).more(git::config),
    program("git var", "hl help").operands(Operands::Text),
    program("git version", "h build-options help").operands(Operands::Nothing),
    program("git help", "w!i!m!acghv web! info! man! all guides config verbose no-verbose external-commands no-external-commands aliases no-aliases exclude-guides user-interfaces developer-interfaces config-for-completion config-sections-for-completion help").operands(Operands::Text),
    program("git repo", "h help").operands(Operands::Sub),
    program("git repo info|git repo structure", "hz format: all keys progress no-progress help").operands(Operands::Text),
];
