//! Checks the policy files that apply where `doctor` is run, and reports why rules have no effect.

use dmplz_core::text::fill;
use dmplz_policy::File;
use dmplz_policy::{Decision, Tier};

use super::finding::{Finding, Say};
use crate::policy::{load, problem as told};

/// Loads the policy of an agent that works in the current directory.
pub(super) fn check(say: Say) -> Vec<Finding> {
    let here = std::env::current_dir().ok();
    judge(&here.map(|here| load::files(&here)).unwrap_or_default(), say)
}

/// Returns the findings about these files.
pub(super) fn judge(files: &[File], say: Say) -> Vec<Finding> {
    if files.is_empty() {
        let what = say.of(
            "규칙이 없어 모두 묻습니다 (`dmplz policy init`)",
            "no rules, so everything is asked (`dmplz policy init`)",
        );
        return vec![Finding::good("policy", what)];
    }
    let tiers = [(Tier::Admin, "admin"), (Tier::User, "user"), (Tier::Workspace, "workspace")];
    let counts: Vec<String> = tiers.iter().filter_map(|(tier, name)| count(files, *tier, name, say)).collect();
    let mut found = vec![Finding::good("policy", counts.join(" · "))];
    found.extend(files.iter().flat_map(|file| &file.problems).map(|problem| {
        let fix = say.of(
            "고쳐 주세요. 그때까지 이 파일과 아래 단계의 규칙은 아무것도 허용하지 않습니다",
            "correct it; until then neither this file nor the tiers below it allow anything",
        );
        Finding::bad("policy", told(problem, say.lang), fix)
    }));
    found.extend(files.iter().filter(|file| is_ignored(file)).map(|file| {
        let what =
            say.of("신뢰하지 않아 허용 규칙이 적용되지 않습니다", "nobody trusts it, so what it allows is asked");
        let fix = say.of("읽어 보고 `dmplz policy trust`를 실행해 주세요", "read it, and run `dmplz policy trust`");
        Finding::doubtful("policy", format!("{}: {what}", file.origin.path.display()), fix)
    }));
    found
}

fn count(files: &[File], tier: Tier, name: &str, say: Say) -> Option<String> {
    let of_tier: Vec<&File> = files.iter().filter(|file| file.origin.tier == tier).collect();
    let rules: usize = of_tier.iter().map(|file| file.rules.len()).sum();
    let words = say.of("{}: 파일 {}개, 규칙 {}개", "{}: files {}, rules {}");
    (!of_tier.is_empty()).then(|| fill(words, &[name, &of_tier.len().to_string(), &rules.to_string()]))
}

/// Returns whether a file lacks only a person's trust for its allows to apply.
fn is_ignored(file: &File) -> bool {
    let allows = file.rules.iter().any(|rule| rule.decision == Decision::Allow);
    allows && !file.origin.trusted && file.problems.is_empty()
}
