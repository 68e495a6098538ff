//! `dmplz store restore`.

use std::path::PathBuf;

use dmplz_core::text::fill;
use dmplz_core::visible::visible_line;
use dmplz_state::store::{self, Head};
use dmplz_state::{Instance, StateDir};
use serde_json::json;

use crate::gateway::Place;
use crate::terminal::{say, tell};
use crate::time;
use crate::told::Tell;

/// The arguments of `restore`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A file that `dmplz store backup` wrote · `dmplz store backup`이 쓴 파일
    file: PathBuf,
    /// A head that you kept elsewhere: the backup's audit trail must hold it · 따로 보관한 head. 백업의 감사 기록에 있어야 합니다
    #[arg(long, value_name = "SEQ:HASH")]
    head: Option<Head>,
    /// JSON for programs · 프로그램이 읽을 JSON
    #[arg(long)]
    json: bool,
}

/// Restores the copy. A damaged one is an error with exit code 4; nothing is changed then.
pub(super) fn run(args: &Args) -> anyhow::Result<u8> {
    let Place { lang, state, .. } = Place::find()?;
    // No gateway can start while this lock is held.
    let state = StateDir::open(&state)?;
    let only = Instance::claim(&state)?;
    let restored = store::restore(&state, &only, &args.file, args.head, time::now_ms()).told(
        "되돌릴 수 없습니다: {}",
        "{} cannot be put back",
        &[&args.file.display().to_string()],
    )?;
    let replaced = restored.replaced.map(|path| path.display().to_string());
    let report = json!({ "head": restored.head.to_string(), "replaced": replaced });
    tell(&report, args.json, |_, _| {
        let words =
            say(lang, "되돌렸습니다. 감사 기록 {}개까지입니다.", "Put back, up to entry {} of the audit trail.");
        let kept = say(lang, " 있던 것은 {}에 두었습니다.", " What was there is kept as {}.");
        let kept = replaced.map(|replaced| fill(kept, &[&visible_line(&replaced)])).unwrap_or_default();
        format!("{}{kept}\n", fill(words, &[&restored.head.seq.to_string()]))
    })
}
