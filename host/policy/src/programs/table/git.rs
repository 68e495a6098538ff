//! Rows of Git: the program, and the subcommands that change something. Those that only show something are in
//! [`super::git_reads`].

use super::super::escape::Effect;
use super::super::escape::operands::{self, git as operands_of};
use super::super::kinds;
use super::super::operands::Operands;
use super::super::row::Starts::{By, Joined, Sub, Words};
use super::super::row::{Row, program};
use super::super::starts::git;
use super::git_reads::{diff, shorts, walk};

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    program("git", "c:=C:@p!Ph.v. git-dir:@ work-tree:@ namespace:# exec-path?! super-prefix:# config-env:; attr-source:* shallow-file:* list-cmds? paginate! bare# no-pager html-path. man-path. info-path. no-replace-objects no-lazy-fetch no-optional-locks no-advice literal-pathspecs no-literal-pathspecs glob-pathspecs noglob-pathspecs icase-pathspecs help. version.").starts(By(git::git)).operands(Operands::Sub).obeys(),
    // An alias, or a program `git-x`.
    program("git *", "O:S:G:U: output:> output-directory:> ext-diff! textconv! exec:! upload-pack:! receive-pack:! open-files-in-pager?! template:* config:* separate-git-dir:> edit! extcmd:!").itself(Effect::Runs).more(operands::transport).open(),

    // The index.
    program("git add|git stage", "Ae!fhinNpuv edit! pathspec-from-file:< no-dry-run# dry-run verbose interactive patch force update renormalize intent-to-add all no-all ignore-removal no-ignore-removal refresh ignore-errors ignore-missing sparse chmod: warn-embedded-repo no-warn-embedded-repo pathspec-file-nul unified: inter-hunk-context: help").operands(Operands::Writes),
    program("git commit", "F:<C:S?!ac:!e!him:n#opqst:<u?vzU: file:< template:< pathspec-from-file:< gpg-sign?! no-gpg-sign edit! no-edit reedit-message:! no-verify# no-post-rewrite# no-dry-run# verify post-rewrite quiet verbose author: date: message: reuse-message: fixup: squash: reset-author trailer: signoff no-signoff cleanup: status no-status all include interactive patch only dry-run short branch ahead-behind porcelain long null amend untracked-files? pathspec-file-nul allow-empty allow-empty-message unified: inter-hunk-context: help").operands(Operands::Revisions),
    program("git rm", "f~hnqr no-cached~ no-dry-run# force~ pathspec-from-file:< dry-run quiet cached ignore-unmatch sparse pathspec-file-nul help").operands(Operands::WritesBelow),
    program("git mv", "f~hknv no-dry-run# force~ dry-run verbose sparse help").operands(Operands::Moves),
    program("git apply", "C:3NRhp:qvz unsafe-paths# build-fake-ancestor:> apply# no-check# no-stat# no-numstat# no-summary# exclude: include: no-add add stat allow-binary-replacement binary numstat summary check index intent-to-add cached 3way ours theirs union whitespace: ignore-space-change ignore-whitespace reverse unidiff-zero reject allow-overlap verbose quiet inaccurate-eof recount directory: allow-empty help").operands(Operands::Unpacks).kind(kinds::git_apply),
    program("git stash", "a~hkm:pqSu~U: pathspec-from-file:< keep-index no-keep-index staged patch quiet include-untracked~ all~ message: pathspec-file-nul unified: inter-hunk-context: help").operands(Operands::Sub),
    program("git stash push", "a~hkm:pqSu~U: pathspec-from-file:< keep-index no-keep-index staged patch quiet include-untracked~ all~ message: pathspec-file-nul unified: inter-hunk-context: help").operands(Operands::Revisions),
    program("git stash save", "a~hkm:pqSu~U: keep-index no-keep-index staged patch quiet include-untracked~ all~ message: unified: inter-hunk-context: help").operands(Operands::Text),
    program("git stash list", concat!(shorts!(), diff!(), walk!())).operands(Operands::Revisions).more(operands_of::formats),
    program("git stash show", concat!(shorts!(), diff!(), "include-untracked no-include-untracked only-untracked")).operands(Operands::Revisions),
    program("git stash create", "").operands(Operands::Text),
    program("git stash drop|git stash clear", "hq quiet help").operands(Operands::Text).itself(Effect::Deletes),
    program("git stash pop|git stash apply|git stash branch|git stash store", "hm:q quiet index message: label-ours: label-theirs: label-base: help").operands(Operands::Text).itself(Effect::Changes),
    program("git stash export|git stash import", "h print to-ref: help").operands(Operands::Text).itself(Effect::Changes),

    // Branches and the working tree.
    program("git checkout", "B:#23b:df~hlmpqt?U: force~ ignore-other-worktrees# no-overlay~ pathspec-from-file:< guess no-guess overlay quiet recurse-submodules? no-recurse-submodules progress no-progress merge conflict: detach track? no-track orphan: overwrite-ignore no-overwrite-ignore ours theirs patch ignore-skip-worktree-bits pathspec-file-nul unified: inter-hunk-context: help").operands(Operands::Writes),
    program("git switch", "C:#c:df~hmqt? force-create:# force~ discard-changes~ ignore-other-worktrees# create: guess no-guess quiet recurse-submodules? no-recurse-submodules progress no-progress merge conflict: detach track? no-track orphan: overwrite-ignore no-overwrite-ignore help").operands(Operands::Writes),
    program("git restore", "23SW#hmpqs:U: worktree# no-staged# no-overlay~ pathspec-from-file:< source: staged ignore-unmerged overlay quiet recurse-submodules? no-recurse-submodules progress no-progress merge conflict: ours theirs patch ignore-skip-worktree-bits pathspec-file-nul unified: inter-hunk-context: help").operands(Operands::WritesBelow),
    program("git reset", "NhpqU: hard~ merge~ keep~ pathspec-from-file:< quiet refresh no-refresh mixed soft recurse-submodules? no-recurse-submodules patch intent-to-add pathspec-file-nul unified: inter-hunk-context: help").operands(Operands::Writes),
    program("git clean", "X~d~e:f~hi~nqx~ force~ interactive~ no-dry-run# quiet dry-run exclude: help").operands(Operands::WritesBelow),
    program("git merge", "F:<S?!X:e!hm:nqs:!v file:< gpg-sign?! no-gpg-sign edit! no-edit verify-signatures! strategy:! strategy-option: no-verify# verify stat no-stat summary no-summary log? no-log squash commit no-commit cleanup: ff-only ff no-ff rerere-autoupdate no-verify-signatures message: into-name: verbose quiet abort quit continue allow-unrelated-histories progress no-progress autostash no-autostash overwrite-ignore no-overwrite-ignore signoff compact-summary help").operands(Operands::Revisions),
    program("git rebase", "C:S?!X:fhi!kmnpqr?s:!vx:$ exec:$ no-exec interactive! edit-todo! gpg-sign?! no-gpg-sign strategy:! strategy-option: no-verify# verify onto: keep-base quiet verbose stat no-stat signoff committer-date-is-author-date reset-author-date ignore-date ignore-whitespace whitespace: force-rebase ff no-ff continue skip abort quit show-current-patch apply merge preserve-merges rerere-autoupdate empty: keep-empty no-keep-empty autosquash no-autosquash update-refs autostash no-autostash allow-empty-message rebase-merges? no-rebase-merges fork-point no-fork-point root reschedule-failed-exec reapply-cherry-picks trailer: help").operands(Operands::Revisions),
    program("git cherry-pick|git revert", "S?!X:e!hm:nrsx edit! no-edit gpg-sign?! no-gpg-sign strategy:! strategy-option: quit continue abort skip cleanup: no-commit commit signoff mainline: rerere-autoupdate ff no-ff allow-empty allow-empty-message keep-redundant-commits empty: reference help").operands(Operands::Revisions),
    program("git am", "3C:S?!bchikmn#p:qrsu interactive! gpg-sign?! no-gpg-sign no-verify# verify binary 3way no-3way quiet signoff utf8 no-utf8 keep keep-non-patch message-id keep-cr no-keep-cr scissors no-scissors quoted-cr: whitespace: ignore-space-change ignore-whitespace directory: exclude: include: patch-format: reject resolvemsg: continue resolved skip abort quit show-current-patch? retry allow-empty committer-date-is-author-date ignore-date rerere-autoupdate empty: help").operands(Operands::Unpacks),
    program("git bisect", "h help").starts(Sub).operands(Operands::Sub),
    program("git bisect start", "h term-new: term-bad: term-old: term-good: no-checkout first-parent help").operands(Operands::Revisions),
    program("git bisect good|git bisect bad|git bisect new|git bisect old|git bisect skip|git bisect reset|git bisect next", "h help").operands(Operands::Revisions),
    program("git bisect log|git bisect terms|git bisect help", "h term-good term-bad term-old term-new help").operands(Operands::Text),
    program("git bisect replay", "h help").operands(Operands::Reads).itself(Effect::Reads),
    program("git bisect run", "").starts(Words),
    program("git bisect visualize|git bisect view", "").itself(Effect::Runs),
    program("git worktree", "h help").operands(Operands::Sub),
    program("git worktree list", "hvz porcelain verbose expire: no-expire help").operands(Operands::Nothing),
    program("git worktree add", "B:#b:df~hq force~ orphan detach checkout no-checkout lock reason: quiet track guess-remote no-guess-remote relative-paths help").operands(Operands::WritesBelow).itself(Effect::Writes),
    program("git worktree remove|git worktree prune", "f~hnv force~ no-dry-run# dry-run verbose expire: help").operands(Operands::WritesBelow).itself(Effect::Deletes),
    program("git worktree move", "f~h force~ relative-paths help").operands(Operands::Moves).itself(Effect::Changes),
    program("git worktree lock|git worktree unlock|git worktree repair", "h reason: relative-paths help").operands(Operands::Text).itself(Effect::Changes),
    program("git sparse-checkout", "h help").operands(Operands::Sub),
    program("git sparse-checkout list|git sparse-checkout check-rules", "hz rules-file:< cone no-cone help").operands(Operands::Text),
    program("git sparse-checkout set|git sparse-checkout add|git sparse-checkout init|git sparse-checkout reapply|git sparse-checkout disable|git sparse-checkout clean", "f~hnv force~ cone no-cone sparse-index no-sparse-index skip-checks stdin dry-run verbose help").operands(Operands::Text).itself(Effect::Changes),
    program("git submodule", "hq quiet cached help").starts(Sub).operands(Operands::Sub),
    program("git submodule status|git submodule summary", "hn:q quiet cached recursive files for-status summary-limit: help").operands(Operands::Revisions),
    program("git submodule foreach", "hq quiet recursive help").starts(Joined),
    program("git submodule add", "b:fhq branch: force quiet progress reference:* ref-format: dissociate name: depth: help").operands(Operands::Clones).itself(Effect::Changes).more(operands::transport),
    program("git submodule update|git submodule init|git submodule sync", "Nf~hij:mqr force~ reference:* init remote recursive no-recursive no-fetch fetch checkout merge rebase ref-format: dissociate depth: jobs: recommend-shallow no-recommend-shallow quiet progress require-init single-branch no-single-branch filter: help").operands(Operands::Text).itself(Effect::Changes),
    program("git submodule deinit", "f~hq force~ quiet all help").operands(Operands::WritesBelow).itself(Effect::Deletes),
    program("git submodule set-branch|git submodule set-url|git submodule absorbgitdirs", "b:dhq branch: default quiet help").operands(Operands::Text).itself(Effect::Changes).more(operands::transport),

    // Other repositories.
    program("git clone", "46b:c:=hj:lno:qsu:$v config:= upload-pack:$ bundle-uri:# template:* separate-git-dir:> reference:* reference-if-able:* shared verbose quiet progress no-progress reject-shallow no-checkout checkout bare naked mirror local no-local hardlinks no-hardlinks recurse-submodules? recursive? jobs: dissociate origin: branch: depth: shallow-since: shallow-exclude: single-branch no-single-branch tags no-tags shallow-submodules ref-format: server-option:# ipv4 ipv6 filter: also-filter-submodules remote-submodules sparse revision: help").operands(Operands::Clones).starts(By(git::settings)).permutes().more(operands::transport),
    program("git fetch", "46af~hj:kmno:#pP~qtu#v upload-pack:$ force~ prune-tags~ server-option:# update-head-ok# refmap:# no-dry-run# all no-all set-upstream append atomic multiple tags no-tags jobs: prefetch prune no-prune recurse-submodules? no-recurse-submodules dry-run porcelain write-fetch-head no-write-fetch-head keep progress no-progress depth: shallow-since: shallow-exclude: deepen: unshallow refetch submodule-prefix: recurse-submodules-default: update-shallow quiet verbose ipv4 ipv6 negotiation-tip: negotiate-only filter:# no-filter auto-maintenance no-auto-maintenance auto-gc no-auto-gc show-forced-updates no-show-forced-updates write-commit-graph stdin help").operands(Operands::Hosts).more(operands_of::push),
    program("git pull", "46S?!X:af~hj?kno:#pqr?s:!tv upload-pack:$ force~ gpg-sign?! no-gpg-sign verify-signatures! strategy:! strategy-option: server-option:# refmap:# no-verify# edit! no-edit no-dry-run# verify verbose quiet progress no-progress recurse-submodules? no-recurse-submodules rebase? no-rebase stat no-stat summary no-summary log? no-log signoff? squash no-squash commit no-commit cleanup: ff-only ff no-ff no-verify-signatures autostash no-autostash allow-unrelated-histories all append tags no-tags prune no-prune jobs? dry-run keep depth: shallow-since: shallow-exclude: deepen: unshallow update-shallow ipv4 ipv6 negotiation-tip: show-forced-updates set-upstream compact-summary help").operands(Operands::Hosts).more(operands_of::push),
    program("git push", "46d~f~hno:#quv receive-pack:$ exec:$ delete~ force-with-lease?# force-if-includes force~ mirror~ prune~ repo:# push-option:# no-verify# no-dry-run# signed?! no-signed verify verbose quiet all branches tags dry-run porcelain recurse-submodules: no-recurse-submodules thin no-thin set-upstream progress no-progress follow-tags no-follow-tags atomic ipv4 ipv6 help").operands(Operands::Hosts).more(operands_of::push),
    program("git send-pack", "f~hnqv receive-pack:$ exec:$ force~ force-with-lease?# mirror~ remote:# push-option:# signed?! all dry-run verbose quiet progress thin atomic stateless-rpc stdin helper-status force-if-includes help").operands(Operands::Hosts).more(operands_of::push),
    program("git fetch-pack", "hkqv upload-pack:$ exec:$ all stdin quiet keep thin include-tag depth: no-progress diag-url shallow-since: shallow-exclude: deepen-relative check-self-contained-and-connected cloning update-shallow from-promisor filter: stateless-rpc lock-pack help").operands(Operands::Hosts).more(operands::transport),
    program("git ls-remote", "bhqto:# upload-pack:$ exec:$ server-option:# quiet tags branches heads refs get-url sort: no-sort exit-code symref help").operands(Operands::Hosts).more(operands::transport),
    program("git remote", "hv verbose help").operands(Operands::Sub),
    program("git remote show|git remote get-url", "hn push all help").operands(Operands::Hosts).more(operands::transport),
    program("git remote add|git remote rename|git remote set-url|git remote set-head|git remote set-branches|git remote update", "aFfdhm:npt: fetch tags no-tags track: master: mirror? progress push add delete~ auto prune help").operands(Operands::Hosts).itself(Effect::Changes).more(operands::transport),
    program("git remote remove|git remote rm|git remote prune", "hn no-dry-run# dry-run help").operands(Operands::Text).itself(Effect::Deletes),
    program("git archive", "0123456789hlo:>v exec:$ output:> remote:# format: prefix: add-virtual-file: add-file:< worktree-attributes verbose mtime: list help").operands(Operands::Revisions).more(operands::transport),
    program("git bundle", "h help").operands(Operands::Sub),
    program("git bundle verify|git bundle list-heads", "hq quiet help").operands(Operands::Reads),
    program("git bundle create", concat!(shorts!(), "all-progress-implied all-progress progress version: ", diff!(), walk!())).operands(Operands::Writes).itself(Effect::Writes),
    program("git bundle unbundle", "h progress help").operands(Operands::Reads).itself(Effect::Changes),
    program("git format-patch", concat!("Nknv:o:>", shorts!(), "output-directory:> signature-file:< description-file:< numbered-files numbered no-numbered signoff stdout cover-letter no-cover-letter suffix: start-number: reroll-count: filename-max-length: rfc? cover-from-description: subject-prefix: keep-subject no-binary zero-commit ignore-if-in-upstream no-stat add-header: to: no-to cc: no-cc from? no-from in-reply-to: attach? no-attach inline? thread? no-thread signature: no-signature base: no-base progress interdiff: range-diff: creation-factor: force-in-body-from ", diff!(), walk!())).operands(Operands::Revisions).itself(Effect::Writes),
    program("git send-email", "h sendmail-cmd:$ to-cmd:$ cc-cmd:$ header-cmd:$ smtp-server:! compose! annotate! no-annotate help").operands(Operands::Unknown),
    program("git request-pull", "hp help").operands(Operands::Hosts).more(operands::transport),
    program("git notes", "h ref: help").operands(Operands::Sub),
    program("git notes list|git notes show|git notes get-ref", "h help").operands(Operands::Revisions),
    program("git notes add|git notes append|git notes edit|git notes copy|git notes merge", "C:F:<c:!efhm:qs:v file:< reedit-message:! message: reuse-message: allow-empty force separator? no-separator stripspace no-stripspace stdin for-rewrite: verbose quiet strategy: commit abort help").operands(Operands::Revisions).itself(Effect::Changes),
    program("git notes remove|git notes prune", "hnv no-dry-run# ignore-missing stdin dry-run verbose help").operands(Operands::Revisions).itself(Effect::Deletes),

    // The repository itself.
    program("git init|git init-db", "b:hq template:* separate-git-dir:> bare shared? quiet initial-branch: object-format: ref-format: help").operands(Operands::Writes),
    program("git gc", "hq prune?# no-prune cruft no-cruft max-cruft-size: aggressive auto detach no-detach force keep-largest-pack expire-to:> quiet help").operands(Operands::Nothing),
    program("git prune|git prune-packed", "hnqv no-dry-run# expire:# dry-run verbose progress quiet exclude-promisor-objects help").operands(Operands::Revisions),
    program("git repack", "AFabdfg:hiklmnq expire-to:> filter-to:> cruft-expiration:# unpack-unreachable:# cruft max-cruft-size: combine-cruft-below-size: quiet local write-bitmap-index delta-islands keep-unreachable window-memory: window: depth: threads: max-pack-size: filter: pack-kept-objects keep-pack: geometric: write-midx path-walk help").operands(Operands::Nothing),
    program("git pack-refs", "h all no-all prune no-prune auto include: exclude: help").operands(Operands::Nothing),
    program("git maintenance", "h help").operands(Operands::Sub),
    program("git maintenance run|git maintenance is-needed", "hq auto detach no-detach schedule: quiet no-quiet task: help").operands(Operands::Nothing),
    program("git maintenance start|git maintenance stop|git maintenance register|git maintenance unregister", "fh config-file:> scheduler: force help").operands(Operands::Nothing).itself(Effect::Changes),
    program("git commit-graph", "h object-dir:* progress no-progress help").operands(Operands::Sub),
    program("git multi-pack-index", "h object-dir:* progress no-progress help").operands(Operands::Sub),
    program("git commit-graph verify|git multi-pack-index verify", "h object-dir:* shallow progress no-progress help").operands(Operands::Nothing),
    program("git commit-graph write|git multi-pack-index write|git multi-pack-index expire|git multi-pack-index repack", "h object-dir:* reachable stdin-packs stdin-commits append changed-paths no-changed-paths split? max-commits: size-multiple: expire-time: max-new-filters: progress no-progress preferred-pack: refs-snapshot:< batch-size: bitmap no-bitmap incremental help").operands(Operands::Nothing).itself(Effect::Changes),
    program("git refs", "h help").operands(Operands::Sub),
    program("git refs verify|git refs exists", "h verbose strict no-strict help").operands(Operands::Text),
    program("git refs migrate|git refs optimize", "h no-dry-run# ref-format: dry-run reflog no-reflog all no-all prune no-prune auto include: exclude: help").operands(Operands::Nothing).itself(Effect::Changes),
    program("git rerere", "h rerere-autoupdate no-rerere-autoupdate help").operands(Operands::Sub),
    program("git rerere status|git rerere diff|git rerere remaining", "h help").operands(Operands::Revisions),
    program("git rerere clear|git rerere forget|git rerere gc", "h help").operands(Operands::Revisions).itself(Effect::Deletes),
    program("git update-index", "ghqz index-info# cacheinfo:# force-remove~ fsmonitor! refresh really-refresh ignore-submodules add replace remove unmerged chmod: assume-unchanged no-assume-unchanged skip-worktree no-skip-worktree ignore-skip-worktree-entries info-only stdin unresolve again ignore-missing verbose clear-resolve-undo index-version: show-index-version split-index no-split-index untracked-cache no-untracked-cache test-untracked-cache force-untracked-cache force-write-index no-fsmonitor fsmonitor-valid no-fsmonitor-valid help").operands(Operands::Writes),
    program("git update-ref", "d~hm:z0 stdin# deref no-deref create-reflog batch-updates help").operands(Operands::Text),
    program("git read-tree", "himnuqv index-output:> reset~ empty~ no-dry-run# trivial aggressive prefix:> exclude-per-directory: dry-run sparse-checkout no-sparse-checkout debug-unpack recurse-submodules? quiet verbose help").operands(Operands::Writes),
    program("git write-tree", "h missing-ok prefix: ignore-cache-tree help").operands(Operands::Nothing),
    program("git commit-tree", "F:<S?!hm:p: gpg-sign?! no-gpg-sign help").operands(Operands::Revisions),
    program("git mktag|git mktree", "hz strict no-strict missing batch help").operands(Operands::Nothing),
    program("git merge-file", "L:hpq stdout object-id diff3 zdiff3 ours theirs union diff-algorithm: marker-size: quiet help").operands(Operands::Writes),
    program("git checkout-index", "af~hnquz prefix:> force~ all ignore-skip-worktree-bits quiet no-create index stdin temp stage: help").operands(Operands::WritesBelow),
    program("git bugreport|git diagnose", "ho:>s: output-directory:> diagnose? no-suffix suffix: mode: help").operands(Operands::Nothing).itself(Effect::Writes),

    // Other programs.
    program("git difftool", "dgt:*x:$y extcmd:$ tool:* gui! dir-diff no-index# tool-help no-prompt prompt symlinks no-symlinks trust-exit-code no-trust-exit-code help").operands(Operands::Revisions).itself(Effect::Runs),
    program("git mergetool", "O:<ght:*x:!y extcmd:! tool:* gui! no-gui tool-help no-prompt prompt help").operands(Operands::Revisions).itself(Effect::Runs),
    program("git filter-branch", "d:@fh setup:$ env-filter:$ tree-filter:$ index-filter:$ parent-filter:$ msg-filter:$ commit-filter:$ tag-name-filter:$ subdirectory-filter: prune-empty original: force state-branch: help").operands(Operands::Revisions),
    program("git credential|git credential-cache|git credential-store|git credential-manager|git credential-osxkeychain|git credential-libsecret", "").operands(Operands::Text).itself(Effect::Runs),
    program("git hook", "h help").operands(Operands::Sub),
    program("git hook run", "h ignore-missing to-stdin:< help").operands(Operands::Text).itself(Effect::Runs),
    program("git hook list", "hz help").operands(Operands::Text),
    program("git for-each-repo", "h config:* keep-going help").itself(Effect::Runs),
    program("git lfs", "hv version help").operands(Operands::Sub),
    program("git lfs ls-files", "I:X:adhlns all deleted debug include: exclude: long name-only size json help").operands(Operands::Revisions),
    program("git lfs status", "hjp json porcelain help").operands(Operands::Nothing),
    program("git lfs env|git lfs version|git lfs help|git lfs ext|git lfs locks", "R:#hi:l:p: remote:# path: id: limit: cached local verify json help").operands(Operands::Text),
    program("git lfs fetch|git lfs pull|git lfs push|git lfs checkout|git lfs track|git lfs untrack|git lfs install|git lfs uninstall|git lfs update|git lfs lock|git lfs unlock|git lfs migrate|git lfs prune|git lfs fsck|git lfs dedup|git lfs clean|git lfs smudge", "h help").itself(Effect::Changes),
];

#[cfg(test)]
pub(super) mod tests;
