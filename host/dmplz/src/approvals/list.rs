//! `dmplz approvals list`.

use dmplz_core::visible::visible_line;
use dmplz_protocol::list::{ListApprovals, StatusFilter};
use dmplz_protocol::{RequestId, Standing, Status};

use super::alerts;
use super::card::Look;
use crate::exit;
use crate::gateway::{Place, soon};
use crate::named::short;
use crate::terminal::{Tone, fit, pad, say, show, show_json, width};

/// Columns that a whole id takes.
const WIDEST_ID: usize = 36;
/// Columns that any other cell before the last two takes at most.
const WIDEST: usize = 16;

/// What it is told.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Also those that have ended · 끝난 것까지
    #[arg(long)]
    all: bool,
    /// How many at most, the newest first: 1 to 500 · 최대 개수, 최근 것부터: 1부터 500까지
    #[arg(long, value_name = "COUNT", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=500))]
    limit: u32,
    /// Only those before this one; the last id of one list goes on with the next · 이 요청보다 앞선 것만. 목록의 마지막 id를 적으면 이어집니다
    #[arg(long, value_name = "ID")]
    before: Option<RequestId>,
    /// JSON for programs · 프로그램이 읽을 JSON
    #[arg(long)]
    json: bool,
}

/// Shows them.
pub(super) fn run(args: &Args) -> anyhow::Result<u8> {
    let place = Place::find()?;
    let status = if args.all { StatusFilter::All } else { StatusFilter::Open };
    let wanted = ListApprovals { status, limit: Some(args.limit), before: args.before, ..ListApprovals::default() };
    let mut client = place.connect()?;
    let listed = client.call(&wanted, soon())?;
    if args.json {
        show_json(&listed)?;
    } else {
        let is_full = u32::try_from(listed.approvals.len()).is_ok_and(|count| count == args.limit);
        let look = Look::of_stdout(place.lang);
        let alerts = alerts(&mut client, look.lang);
        show(&alerts.iter().map(|alert| format!("⚠️ {alert}\n")).collect::<String>())?;
        show(&table(&listed.approvals, is_full, look))?;
    }
    Ok(exit::OK)
}

/// One line each: id, age, time left, tool, what, folder. On a terminal it is as wide as that, with `…` where something is
/// missing, and as much of the id as a person types; `show` tells the rest.
fn table(approvals: &[Standing], is_full: bool, look: Look) -> String {
    let lang = look.lang;
    let Some(last) = approvals.last() else {
        return format!("{}\n", say(lang, "답을 기다리는 요청이 없습니다.", "Nothing waits for an answer."));
    };
    let heading =
        ["id", say(lang, "경과", "age"), say(lang, "남음", "left"), say(lang, "도구", "tool")].map(str::to_owned);
    let end = [say(lang, "내용", "what"), say(lang, "폴더", "folder")].map(str::to_owned);
    let rows = approvals.iter().map(|standing| row(standing, look));
    let rows: Vec<_> = std::iter::once((heading, end, Tone::Faint)).chain(rows).collect();
    let widest = |at: usize| rows.iter().filter_map(|(cells, ..)| cells.get(at)).map(|cell| width(cell)).max();
    let widths: Vec<usize> =
        (0..4).map(|at| widest(at).unwrap_or(0).min(if at == 0 { WIDEST_ID } else { WIDEST })).collect();
    let taken: usize = widths.iter().map(|width| width + 2).sum();
    let folders = rows.iter().map(|(_, [_, folder], _)| width(folder)).max().unwrap_or(0);
    let mut text = String::new();
    for (cells, [what, folder], tone) in &rows {
        let cells = cells.iter().zip(&widths).map(|(cell, width)| format!("{}  ", pad(&fit(cell, *width), *width)));
        let line = format!(
            "{}{}",
            cells.collect::<String>(),
            ends(what, folder, folders, look.columns.map(|columns| columns.saturating_sub(taken)))
        );
        // Colours inside of a cell would end where the cell's do.
        let line = if *tone == Tone::Strong { line } else { look.paint.tone(*tone, line.trim_end()) };
        text.push_str(&format!("{}\n", line.trim_end()));
    }
    if is_full {
        let more = say(lang, "더 있을 수 있습니다:", "there may be more:");
        text.push_str(&format!("{more} dmplz approvals list --before {}\n", last.request.id));
    }
    text
}

/// What is asked and where, in the columns that are left; the longest folder takes so many.
fn ends(what: &str, folder: &str, folders: usize, left: Option<usize>) -> String {
    let Some(left) = left else { return format!("{what}  {folder}") };
    if left < 30 {
        return fit(what, left);
    }
    let folders = folders.min(left / 3);
    let for_what = left - folders - 2;
    format!("{}  {}", pad(&fit(what, for_what), for_what), fit(folder, folders))
}

type Row = ([String; 4], [String; 2], Tone);

fn row(standing: &Standing, look: Look) -> Row {
    let request = &standing.request;
    let (left, tone) = match &standing.status {
        Status::Open => (look.left(standing), Tone::Strong),
        Status::Denied { .. } => (say(look.lang, "거부됨", "denied").to_owned(), Tone::Bad),
        Status::Ended { .. } => ("-".to_owned(), Tone::Faint),
    };
    // What is no terminal is read by a program, which needs all of it.
    let id = if look.columns.is_some() { short(request.id) } else { request.id.to_string() };
    let what = match &standing.status {
        Status::Ended { .. } => look.status(standing),
        _ => Look::what(standing),
    };
    ([id, look.age(standing), left, visible_line(&request.tool)], [what, visible_line(&request.cwd)], tone)
}

#[cfg(test)]
mod tests;
