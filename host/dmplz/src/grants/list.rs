//! `dmplz grants list`.

use std::collections::HashMap;

use dmplz_core::grant::Grant;
use dmplz_core::stats::RequestEnd;
use dmplz_core::text::Lang;
use dmplz_core::visible::visible_line;
use serde::Serialize;

use super::Kept;
use crate::named::short;
use crate::settings::{Settings, Table, environment};
use crate::terminal::{OnlyJson, Paint, Tone, say, tell};
use crate::{journals, time};

/// A grant for programs.
#[derive(Debug, Serialize)]
struct Listed<'a> {
    #[serde(flatten)]
    grant: &'a Grant,
    /// Milliseconds until it is over, at the latest.
    left_ms: u64,
    /// The number of calls that it has allowed, as far as the log of requests goes back.
    uses: usize,
}

/// Shows them.
pub(super) fn run(args: &OnlyJson) -> anyhow::Result<u8> {
    let kept = Kept::find()?;
    let grants = kept.list()?;
    let uses = if grants.is_empty() { HashMap::new() } else { uses() };
    let listed: Vec<Listed<'_>> = grants.iter().map(|grant| kept.listed(grant, &uses)).collect();
    tell(&listed, args.json, |listed, paint| match listed.as_slice() {
        [] => say(kept.lang, "허용해 둔 것이 없습니다.\n", "Nothing is granted.\n").to_owned(),
        listed => listed.iter().map(|listed| listed.text(kept.lang, paint)).collect(),
    })
}

impl Kept {
    fn listed<'a>(&self, grant: &'a Grant, uses: &HashMap<String, usize>) -> Listed<'a> {
        let left_ms = grant.until_ms.saturating_sub(self.now.wall_ms);
        Listed { grant, left_ms, uses: uses.get(&grant.place()).copied().unwrap_or_default() }
    }
}

impl Listed<'_> {
    /// Returns the text for a grant: what it covers; below it until when, who gave it, and how often it was used.
    fn text(&self, lang: Lang, paint: Paint) -> String {
        let Self { grant, left_ms, uses } = self;
        let minutes = left_ms.div_ceil(60_000);
        let session = grant.session.as_deref().map(|session| visible_line(&short(session)));
        let lasts = match (lang, session) {
            (Lang::Ko, None) => format!("{minutes}분 남음"),
            (Lang::En, None) => format!("{minutes} min left"),
            (Lang::Ko, Some(session)) => format!("세션이 끝날 때까지({session}), 길어도 {}시간", minutes.div_ceil(60)),
            (Lang::En, Some(session)) => {
                format!("until session {session} ends, {} h at most", minutes.div_ceil(60))
            }
        };
        let (who, surface) = (visible_line(&grant.by.name), visible_line(&lang.surface(&grant.by.surface)));
        let when = time::moment(grant.created.wall_ms);
        let given = match lang {
            Lang::Ko => format!("{who} ({surface}), {when}, {uses}번 사용"),
            Lang::En if *uses == 1 => format!("by {who} ({surface}), {when}, used once"),
            Lang::En => format!("by {who} ({surface}), {when}, used {uses} times"),
        };
        let id = paint.tone(Tone::Strong, grant.short());
        let below = paint.tone(Tone::Faint, &format!("{lasts} · {given}"));
        format!("{id}  {}\n          {below}\n", grant.line(lang))
    }
}

/// Returns how often each grant was used, by the log of requests. Unreadable parts of the log are not counted.
fn uses() -> HashMap<String, usize> {
    let mut uses = HashMap::new();
    let settings = Table::load(&environment).and_then(|table| Settings::of(&table));
    let Ok(lines) =
        settings.map_err(anyhow::Error::from).and_then(|settings| Ok(journals::requests(&settings).lines()?))
    else {
        return uses;
    };
    for line in lines.map_while(Result::ok) {
        let end = serde_json::from_slice::<RequestEnd>(&line).ok();
        if let Some(place) = end.and_then(|end| end.rule) {
            *uses.entry(place).or_default() += 1;
        }
    }
    uses
}
