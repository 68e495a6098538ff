//! `dmplz store backup`.

use std::path::{Path, PathBuf};

use dmplz_core::text::fill;
use dmplz_core::visible::visible_line;
use dmplz_state::store::{self, Reader, Verdict};
use serde_json::json;

use super::open_at;
use crate::gateway::Place;
use crate::temporary::without_name;
use crate::terminal::{say, tell_findings};
use crate::told::{Tell, Told};
use crate::{trouble, verdict};

/// The arguments of `backup`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The file to write; there must be none · 새로 쓸 파일. 이미 있으면 안 됩니다
    file: PathBuf,
    /// JSON for programs · 프로그램이 읽을 JSON
    #[arg(long)]
    json: bool,
}

/// Copies the database, and checks the copy. Returns exit code 4 if the copy is damaged; it is kept nevertheless.
pub(super) fn run(args: &Args) -> anyhow::Result<u8> {
    let place = Place::find()?;
    let lang = place.lang;
    let reader = open_at(&place)?.told(
        "아직 데이터베이스가 없어 백업할 것이 없습니다",
        "there is no database yet, so nothing to copy",
        &[],
    )?;
    let file = &args.file;
    if file.exists() {
        let shown = file.display().to_string();
        return Err(
            Told::new("이미 있어서 쓰지 않습니다: {}", "{} cannot be written: it is there already", &[&shown]).into()
        );
    }
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // The file appears under its name when it is complete. No other user may read it, because it contains open requests
    // unmasked.
    let copy = tempfile::NamedTempFile::new_in(folder).map_err(without_name).told(
        "폴더에 쓸 수 없습니다: {}",
        "{} cannot be written to",
        &[&folder.display().to_string()],
    )?;
    store::backup(&reader, copy.path())?;
    copy.as_file().sync_all().not_written(file)?;
    let copied = Reader::open_copy(copy.path())?;
    let (damage, verdict) = (copied.quick_check()?, copied.verify(None)?);
    drop(copied);
    let bytes = copy.as_file().metadata()?.len();
    copy.persist_noclobber(file).map_err(|error| error.error).not_written(file)?;

    let is_well = damage.is_empty() && matches!(verdict, Verdict::Verified { .. });
    for damage in &damage {
        trouble::warn(&format!("the copy is damaged, as the database is: {damage}"));
    }
    if let (Verdict::Broken { .. }, Err(broken)) = (&verdict, verdict::finding(&verdict, None, lang)) {
        trouble::warn(&broken);
    }
    let head = match verdict {
        Verdict::Verified { last, .. } => Some(last.to_string()),
        Verdict::Broken { .. } => None,
    };
    let report = json!({ "ok": is_well, "file": file.display().to_string(), "bytes": bytes, "head": head });
    tell_findings(&report, args.json, is_well, |_, _| {
        let name = visible_line(&file.display().to_string());
        let written =
            fill(say(lang, "{}에 백업했습니다 ({} KiB).", "{}: {} KiB."), &[&name, &bytes.div_ceil(1024).to_string()]);
        let head = head.map(|head| format!("{}: {head}\n", say(lang, "끝", "head"))).unwrap_or_default();
        format!("{written}\n{head}")
    })
}
