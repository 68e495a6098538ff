//! Git.

use super::super::escape::Effect;
use super::super::escape::operands;
use super::super::row::Starts::{By, Joined, Sub, Words};
use super::super::row::{Operands, Row, program};
use super::super::starts::git;

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    program("git", "c:=C:@p!Ph.v. git-dir:@ work-tree:@ namespace: exec-path?! super-prefix: config-env:; attr-source: list-cmds: paginate! no-pager bare html-path. man-path. info-path. no-replace-objects no-lazy-fetch no-optional-locks no-advice literal-pathspecs glob-pathspecs noglob-pathspecs icase-pathspecs help. version.").starts(By(git::git)).operands(Operands::Sub).obeys(),
    program("git bisect", "").starts(Sub).operands(Operands::Sub),
    program("git submodule", "q quiet").starts(Sub).operands(Operands::Sub),
    program("git bisect run", "").starts(Words),
    program("git submodule foreach", "q quiet recursive").starts(Joined),
    program("git rebase", "s:X:x:$ exec:$ onto: strategy: strategy-option:"),
    program("git difftool", "t:*x:$ extcmd:$ tool:* gui"),
    program("git clone", "b:c:=j:o:u:$ config:= upload-pack:$ branch: depth: origin: reference: template:* separate-git-dir:> jobs: filter: recurse-submodules?").starts(By(git::settings)).permutes().more(operands::transport),
    program("git fetch|git pull|git ls-remote|git fetch-pack", "- upload-pack:$ exec:$").more(operands::transport),
    program("git push|git send-pack", "- receive-pack:$ exec:$").more(operands::transport),
    program("git archive", "o:>0 receive-pack:$ exec:$ output:> remote: format: prefix: add-file:").more(operands::transport),
    program("git grep", "A:B:C:e:f:m:O?$ open-files-in-pager?$ textconv! ext-grep! threads: max-depth: max-count:"),
    program("git send-email", "- sendmail-cmd:$ to-cmd:$ cc-cmd:$ header-cmd:$ smtp-server:! compose! annotate!"),
    program("git filter-branch", "fd: setup:$ env-filter:$ tree-filter:$ index-filter:$ parent-filter:$ msg-filter:$ commit-filter:$ tag-name-filter:$"),
    program("git config", "ef:*t: file:* type: default: blob: edit! unset~ unset-all~ remove-section~ rename-section# replace-all# add#").starts(By(git::config)).permutes().more(operands::git_config),
    program("git *", "O:S:G:U: output:> output-directory:> ext-diff! textconv! exec:! upload-pack:! receive-pack:! open-files-in-pager?! template:* config:* separate-git-dir:> edit! extcmd:!").more(operands::transport),
    program("git format-patch", "o:>v: output:> output-directory:> ext-diff! signature-file: stdout"),
    program("git mergetool", "x:!t:* extcmd:! tool:* gui"),
    program("git branch", "d~D~f>M>m>u: delete~ move> force> edit-description!"),
    program("git tag", "d~F:f>m:n?u: delete~ force> file: message: local-user:"),
    program("git commit|git merge|git revert|git cherry-pick", "c:C:F:m:O:S?s:t:u?X: author: cleanup: date: file: fixup: gpg-sign? into-name: mainline: message: pathspec-from-file: reedit-message: reuse-message: squash: strategy: strategy-option: template: trailer:"),
    program("git help", "w!i!m! web! info! man!"),
    program("git bisect visualize|git bisect view", "").itself(Effect::Runs),
];
