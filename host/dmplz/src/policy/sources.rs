//! Selects the policy files that judge.

use std::path::{Path, PathBuf};

use dmplz_policy::authoring::examples::checked;
use dmplz_policy::{Explanation, File, Judgement, Origin, Places, Policy, Tier};

use super::call::Asked;
use super::load::Tiers;
use super::words;
use crate::settings::environment;
use crate::told::Tell;
use crate::{plain_file, trouble};

/// Files in place of the tiers.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct Sources {
    /// Judge by this file alone; may be given more than once · 이 파일만으로 판단 (여러 번 가능)
    #[arg(long = "policy", value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// The arguments of a command about the files themselves.
#[derive(Debug, clap::Args)]
pub(crate) struct FilesArgs {
    #[command(flatten)]
    pub(super) sources: Sources,
    /// JSON for programs · 프로그램이 읽을 JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// The policy that judges calls of an agent in one folder, as the hook does there.
pub(super) struct Judge {
    policy: Policy,
    protected: Places,
}

impl Sources {
    /// Returns the files that decide for an agent that works in `cwd`. Those of `--policy` have the weight of the
    /// user's own.
    pub(super) fn files(&self, cwd: &Path) -> anyhow::Result<Vec<File>> {
        if self.files.is_empty() {
            return Ok(Tiers::of(Some(cwd), &environment).load().files);
        }
        self.files.iter().map(|path| read(path)).collect()
    }

    /// Returns the rules of all these files.
    pub(super) fn policy(&self, cwd: &Path) -> anyhow::Result<Policy> {
        self.files(cwd).map(Policy::new)
    }

    /// Returns the judge of a folder. Problems of the files are printed to stderr.
    pub(super) fn judge(&self, cwd: &Path) -> anyhow::Result<Judge> {
        let judge = Judge { policy: self.policy(cwd)?, protected: Tiers::of(Some(cwd), &environment).protected() };
        for problem in judge.policy.problems() {
            trouble::warn(&words::problem(problem, words::lang()));
        }
        Ok(judge)
    }
}

impl Judge {
    /// Judges a call by the rules.
    pub(super) fn check(&self, asked: &Asked) -> Judgement<'_> {
        asked.with(&self.protected, |call| self.policy.check(call))
    }

    /// Judges a call, and explains the decision.
    pub(super) fn explain(&self, asked: &Asked) -> Explanation {
        asked.with(&self.protected, |call| self.policy.explain(call))
    }
}

/// Reads a file that a person named.
pub(super) fn read(path: &Path) -> anyhow::Result<File> {
    let shown = path.display().to_string();
    let text =
        plain_file::text(path).told("규칙 파일을 읽을 수 없습니다: {}", "the policy {} cannot be read", &[&shown])?;
    let origin = Origin { tier: Tier::User, path: path.to_owned(), root: None, trusted: true };
    Ok(checked(File::parse(&text, origin)))
}

/// Returns the folder for commands about files: the current one.
pub(super) fn here() -> anyhow::Result<PathBuf> {
    std::env::current_dir().told("현재 폴더를 찾을 수 없습니다", "the current directory cannot be found", &[])
}
