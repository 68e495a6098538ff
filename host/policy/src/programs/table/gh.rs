//! Rows of the command-line programs of GitHub and GitLab.

use super::super::escape::{Effect, code, operands};
use super::super::operands::Operands;
use super::super::row::{Row, program};

/// The options for the output of `gh`. Another repository is harmless for a subcommand that only shows something.
macro_rules! shown {
    () => {
        "web! repo: jq: json: template: limit: help "
    };
}

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    program("gh", "h help version").operands(Operands::Sub),
    program("gh version|gh status|gh completion|gh help", "e:ho:s: exclude: org: shell: help").operands(Operands::Text),
    program("gh pr", "R:h repo: help").operands(Operands::Sub),
    program("gh issue", "R:h repo: help").operands(Operands::Sub),
    program("gh repo", "R:h repo: help").operands(Operands::Sub),
    program("gh run", "R:h repo: help").operands(Operands::Sub),
    program("gh workflow", "R:h repo: help").operands(Operands::Sub),
    program("gh release", "R:h repo: help").operands(Operands::Sub),
    program("gh search", "R:h repo: help").operands(Operands::Sub),
    program("gh gist", "R:h repo: help").operands(Operands::Sub),
    program("gh label", "R:h repo: help").operands(Operands::Sub),
    program("gh secret", "R:h repo: help").operands(Operands::Sub),
    program("gh variable", "R:h repo: help").operands(Operands::Sub),
    program("gh cache", "R:h repo: help").operands(Operands::Sub),
    program("gh ruleset|gh rs", "R:h repo: help").operands(Operands::Sub),
    program("gh project", "R:h repo: help").operands(Operands::Sub),
    program("gh org", "R:h repo: help").operands(Operands::Sub),
    program("gh auth", "R:h repo: help").operands(Operands::Sub),
    program("gh config", "R:h repo: help").operands(Operands::Sub),
    program("gh alias", "R:h repo: help").operands(Operands::Sub),
    program("gh extension|gh ext", "R:h repo: help").operands(Operands::Sub),
    program("gh codespace|gh cs", "R:h repo: help").operands(Operands::Sub),
    program("gh gpg-key", "R:h repo: help").operands(Operands::Sub),
    program("gh ssh-key", "R:h repo: help").operands(Operands::Sub),
    program("gh attestation|gh at", "R:h repo: help").operands(Operands::Sub),

    // Listings.
    program("gh pr list|gh issue list|gh pr ls|gh issue ls", concat!("w!A:B:H:L:R:S:a:dhl:m:q:s:t: app: assignee: author: base: draft head: label: mention: milestone: search: state: type: ", shown!())).operands(Operands::Text).more(code::shown),
    program("gh pr view|gh issue view|gh pr status|gh issue status", concat!("w!R:chq:t: comments conflict-status ", shown!())).operands(Operands::Text).more(code::shown),
    program("gh pr diff", "w!R:e:h web! repo: allow-empty color: exclude: name-only patch help").operands(Operands::Text),
    program("gh pr checks", concat!("w!R:hi:q:t: fail-fast interval: required watch ", shown!())).operands(Operands::Text).more(code::shown),
    program("gh repo view|gh repo list|gh repo ls", concat!("w!L:b:hl:q:t: archived branch: fork language: no-archived source topic: visibility: ", shown!())).operands(Operands::Text).more(code::shown),
    program("gh run list|gh run ls", concat!("L:R:ab:c:e:hq:s:t:u:w: all branch: commit: created: event: status: user: workflow: ", shown!())).operands(Operands::Text).more(code::shown),
    program("gh run view", concat!("w!R:a:hj:q:t:v attempt: exit-status job: log log-failed verbose ", shown!())).operands(Operands::Text).more(code::shown),
    program("gh run watch", "R:hi: compact exit-status interval: repo: help").operands(Operands::Text),
    program("gh workflow list|gh workflow ls|gh workflow view", concat!("w!L:R:ahq:r:t:y all ref: yaml ", shown!())).operands(Operands::Text).more(code::shown),
    program("gh release list|gh release ls|gh release view", concat!("w!L:O:R:hq:t: exclude-drafts exclude-pre-releases order: ", shown!())).operands(Operands::Text).more(code::shown),
    program("gh search code|gh search commits|gh search issues|gh search prs|gh search repos", concat!("w!B:H:L:hq:t: app: archived assignee: author-date: author-email: author-name: author: base: checks: closed: commenter: comments: committer-date: committer-email: committer-name: committer: created: draft extension: filename: followers: forks: good-first-issues: hash: head: help-wanted-issues: include-forks: include-prs interactions: involves: label: language: license: locked match: mentions: merge merged-at: merged milestone: no-assignee no-label no-milestone no-project number-topics: order: owner: parent: project: reactions: review-requested: review: reviewed-by: size: sort: stars: state: team-mentions: topic: tree: updated: visibility: ", shown!())).operands(Operands::Text).more(code::shown),
    program("gh gist list|gh gist ls|gh gist view", concat!("w!L:f:hr files filename: filter: include-content public raw secret ", shown!())).operands(Operands::Text).more(code::shown),
    program("gh label list|gh label ls|gh secret list|gh secret ls|gh variable list|gh variable ls|gh variable get|gh cache list|gh cache ls|gh org list|gh codespace list", concat!("w!L:O:R:S:a:e:hk:o:q:r:s:t:u app: env: key: order: org: ref: search: sort: user ", shown!())).operands(Operands::Text).more(code::shown),
    program("gh ruleset list|gh ruleset view|gh ruleset check", concat!("w!L:R:ho:p default org: parents no-parents ", shown!())).operands(Operands::Text).more(code::shown),
    program("gh project list|gh project view|gh project item-list|gh project field-list", concat!("w!L:hq:t: closed format: owner: query: ", shown!())).operands(Operands::Text).more(code::shown),
    program("gh alias list|gh alias ls|gh extension list|gh extension ls|gh gpg-key list|gh ssh-key list|gh config list|gh config get", "h: host: help").operands(Operands::Text),
    program("gh auth status", "at#h:q: show-token# active hostname: jq: json: template: help").operands(Operands::Nothing).more(code::shown),
    program("gh auth token|gh auth setup-git|gh auth login|gh auth logout|gh auth refresh|gh auth switch|gh auth git-credential", "").itself(Effect::Changes),
    program("gh attestation verify", "b:*d:#ho:q:R:t: bundle:* custom-trusted-root:* bundle-from-oci# deny-self-hosted-runners digest-alg: format: hostname:# jq: limit: no-public-good owner: predicate-type: repo: signer-repo: signer-workflow: template: help").operands(Operands::Reads).more(code::shown),
    // The method is GET, unless the call names another one or has fields.
    program("gh api", "X:#f:#F:#H:#hip:q:t: method:# raw-field:# field:# input:# header:# hostname:# cache: include jq: paginate preview: silent slurp template: verbose help").operands(Operands::Hosts).more(operands::url),

    // Changes.
    program("gh pr create|gh pr new|gh issue create|gh issue new", "w!e!F:<B:H:R:#T:a:b:dfhl:m:p:r:t: web! editor! body-file:< recover:* repo:# assignee: base: body: draft dry-run fill-first fill-verbose fill head: label: milestone: no-maintainer-edit project: reviewer: template: title: type: help").operands(Operands::Nothing).itself(Effect::Changes),
    program("gh pr comment|gh issue comment|gh pr review", "w!e!F:<R:#abchr web! editor! body-file:< delete-last~ repo:# approve body: comment create-if-none edit-last request-changes yes help").operands(Operands::Text).itself(Effect::Changes),
    program("gh pr edit|gh issue edit", "F:<B:R:#b:hm:t: body-file:< repo:# add-assignee: add-label: add-project: add-reviewer: base: body: milestone: remove-assignee: remove-label: remove-milestone remove-project: remove-reviewer: title: help").operands(Operands::Text).itself(Effect::Changes),
    program("gh pr merge", "A:F:<R:#b:d~hmrst: body-file:< delete-branch~ admin# repo:# author-email: auto body: disable-auto match-head-commit: merge rebase squash subject: help").operands(Operands::Text).itself(Effect::Changes),
    program("gh pr checkout|gh pr co|gh pr ready|gh pr reopen|gh issue reopen|gh pr close|gh issue close|gh pr update-branch|gh pr lock|gh pr unlock|gh issue lock|gh issue unlock|gh issue pin|gh issue unpin|gh issue develop|gh issue transfer", "R:#b:c:d~f~hr: delete-branch~ force~ repo:# branch: comment: detach rebase reason: recurse-submodules undo base: list name: checkout help").operands(Operands::Text).itself(Effect::Changes),
    program("gh issue delete|gh repo delete|gh release delete|gh release delete-asset|gh run delete|gh gist delete|gh label delete|gh secret delete|gh secret remove|gh variable delete|gh cache delete|gh project delete|gh alias delete|gh extension remove|gh ssh-key delete|gh gpg-key delete|gh codespace delete", "R:#h repo:# help").operands(Operands::Text).itself(Effect::Deletes),
    program("gh run download|gh release download|gh codespace cp", "A:D:>O:>R:#hn:p:u: dir:> output:> repo:# archive: clobber name: pattern: skip-existing upstream-remote-name: help").operands(Operands::Unknown).itself(Effect::Writes),
    program("gh repo clone|gh gist clone", "A:D:>O:>R:#hn:p:u: dir:> output:> repo:# archive: clobber name: pattern: skip-existing upstream-remote-name: help").operands(Operands::Clones).more(operands::git::flags).itself(Effect::Writes),
    program("gh repo fork", "h help").more(operands::git::flags).itself(Effect::Changes),
    program("gh run rerun|gh run cancel|gh workflow run|gh workflow enable|gh workflow disable", "F:R:#dhf:j:r: repo:# debug failed field: force job: json raw-field: ref: help").operands(Operands::Text).itself(Effect::Changes),
    program("gh repo create|gh repo edit|gh repo rename|gh repo archive|gh repo unarchive|gh repo sync|gh repo set-default|gh repo deploy-key|gh repo autolink|gh release create|gh release edit|gh release upload|gh gist create|gh gist edit|gh gist rename|gh label create|gh label edit|gh label clone|gh secret set|gh variable set|gh config set|gh config clear-cache|gh alias set|gh alias import|gh ssh-key add|gh gpg-key add|gh project create|gh project edit|gh project close|gh project copy|gh project link|gh project unlink|gh project item-add|gh project item-create|gh project item-edit|gh project item-archive|gh project item-delete|gh project field-create|gh project field-delete|gh project mark-template", "h help").itself(Effect::Changes),
    program("gh extension install|gh extension upgrade|gh extension create|gh extension exec|gh extension browse|gh browse|gh codespace ssh|gh codespace code|gh copilot", "").itself(Effect::Runs),

    // GitLab.
    program("glab", "R:hv repo: help version").operands(Operands::Sub),
    program("glab mr", "R:h repo: help").operands(Operands::Sub),
    program("glab issue", "R:h repo: help").operands(Operands::Sub),
    program("glab ci|glab pipeline", "R:h repo: help").operands(Operands::Sub),
    program("glab repo|glab project", "R:h repo: help").operands(Operands::Sub),
    program("glab release", "R:h repo: help").operands(Operands::Sub),
    program("glab label", "R:h repo: help").operands(Operands::Sub),
    program("glab auth", "R:h repo: help").operands(Operands::Sub),
    program("glab config", "R:h repo: help").operands(Operands::Sub),
    program("glab alias", "R:h repo: help").operands(Operands::Sub),
    program("glab version|glab help|glab completion", "hs: shell: help").operands(Operands::Text),
    program("glab mr list|glab mr ls|glab issue list|glab issue ls", "ACE:F:GM:O:P:R:a:cde:g:hl:m:no:p:r:s:t: all assignee: author: closed confidential draft epic: group: in: issue-type: iteration: label: labels: merged milestone: mine not-assignee: not-author: not-draft not-label: opened order: output: output-format: page: per-page: repo: reviewer: search: sort: source-branch: target-branch: help").operands(Operands::Nothing),
    program("glab mr view|glab mr show|glab issue view|glab issue show|glab mr diff|glab mr issues|glab mr approvers", "w!F:P:R:chp:s web! color: comments output: page: per-page: raw repo: resolved system-logs unresolved help").operands(Operands::Text),
    program("glab ci list|glab ci status|glab ci get|glab ci trace|glab ci lint", "w!F:P:R:b:cdhlo:p:r:s: web! branch: compact dry-run include-jobs live merge-request order: output: page: per-page: pipeline-id: ref: repo: scope: sha: sort: source: status: updated-after: updated-before: username: with-job-details with-variables# name: help").operands(Operands::Names),
    program("glab repo view|glab repo list|glab release list|glab release view|glab label list", "w!F:G:P:R:ab:ghmo:p:s:u: web! all archived branch: group: include-subgroups member mine order: output: page: per-page: repo: sort: starred user: help").operands(Operands::Text),
    program("glab repo clone", "R:g:hm:p:a?A? repo: group: paginate page: per-page: archived? active? mine? visibility: preserve-namespace with-issues-enabled? with-mr-enabled? with-shared? include-subgroups? help").operands(Operands::Clones).more(operands::git::flags).itself(Effect::Writes),
    program("glab auth status|glab config get|glab alias list", "aghth: show-token# all global host: hostname: help").operands(Operands::Text),
    program("glab api", "X:#f:#F:#H:#hi method:# raw-field:# field:# form:# input:# header:# hostname:# include output: paginate silent help").operands(Operands::Hosts).more(operands::url),
];

#[cfg(test)]
mod tests;
