//! The disk as the owner of requests uses it: each record adds an event to the audit trail, and its number is reported.
//!
//! `told` is called on the writer's thread once the event is durable, in the order of the numbers, so a caller that
//! publishes there publishes in order. It must not block.

use dmplz_core::request::End;
use dmplz_core::stats::Figures;
use dmplz_protocol::{Event, Request, RequestId, Standing};
use dmplz_state::store::{Filter, Happened, Row, Writes};

use super::ledger::{Later, Ledger, OnNumber, Record};
use super::{Disk, DiskError, blocking, events, figures, rows};

impl Ledger for Disk {
    fn write(&self, record: Record, at_ms: u64, told: OnNumber) -> Later<'_, Option<u64>> {
        let told = move |number: &Option<u64>| {
            if let Some(number) = number {
                told(*number);
            }
        };
        Box::pin(async move {
            match record {
                Record::Asked(request) => {
                    let stamp = (self.uptime)();
                    let (row, body) = blocking(move || rows::row(&request, stamp)).await??;
                    self.writer.write_telling(move |writes| writes.add(&row, &body).map(Some), told).await
                }
                // `None` if the request is not open or does not exist.
                Record::Denied { id, by, until_ms, instead } => {
                    let denial = rows::Denial { by, until_ms, instead };
                    let denial = serde_json::to_string(&denial).map_err(DiskError::json("a denial"))?;
                    let (id, stamp) = (id.to_string(), (self.uptime)());
                    let work = move |writes: &Writes<'_>| writes.deny(&id, &denial, at_ms, stamp.as_ref());
                    self.writer.write_telling(work, told).await
                }
                // `None` if it has ended already, if it was denied and this is no rejection, or if it does not exist.
                Record::Ended { id, resolution } => {
                    resolution.outcome()?;
                    let (id, end) = (id.to_string(), rows::end(&resolution, at_ms)?);
                    self.writer.write_telling(move |writes| writes.resolve(&id, &end), told).await
                }
                // `None` if that is stored already, or the request has not ended.
                Record::Taken { id, taken } => {
                    let id = id.to_string();
                    self.writer.write_telling(move |writes| writes.take(&id, taken, at_ms), told).await
                }
                Record::Ruled { request, resolution } => {
                    let denies = resolution.outcome == End::DeniedByRule;
                    let kind = if denies { "policy.rejection" } else { "policy.allowed" };
                    let end = rows::end(&resolution, at_ms)?;
                    let (row, _) = blocking(move || rows::row(&request, None)).await??;
                    self.writer.write_telling(move |writes| writes.settle(&row, &end, kind).map(Some), told).await
                }
                Record::Told(message) => {
                    let kind = rows::word(&message.kind())?;
                    let body = serde_json::to_string(&message).map_err(DiskError::json("an event"))?;
                    let request = message.filed_under().map(str::to_owned);
                    let work = move |writes: &Writes<'_>| {
                        let request_id = request.as_deref();
                        writes.record(&Happened { at_ms, kind: &kind, request_id, body: &body }).map(Some)
                    };
                    self.writer.write_telling(work, told).await
                }
            }
        })
    }

    fn get(&self, id: RequestId) -> Later<'_, Option<Standing>> {
        let id = id.to_string();
        Box::pin(async move {
            self.reader.ask(move |reads| reads.request(&id)).await?.as_ref().map(rows::standing).transpose()
        })
    }

    fn is_again<'a>(&'a self, request: &'a Request) -> Later<'a, Option<bool>> {
        let id = request.id.to_string();
        Box::pin(async move {
            let digest = self.reader.ask(move |reads| reads.digest(&id)).await?;
            let (Some(digest), Some(known)) = (digest, self.get(request.id).await?) else { return Ok(None) };
            let Request { source, tool, cwd, .. } = &known.request;
            let same = (source, tool, cwd) == (&request.source, &request.tool, &request.cwd);
            Ok(Some(same && rows::digest(request)? == digest))
        })
    }

    fn history<'a>(&'a self, filter: &'a Filter, limit: u32) -> Later<'a, Vec<Standing>> {
        let mut filter = filter.clone();
        Box::pin(async move {
            loop {
                let asked = filter.clone();
                let rows = match filter.text {
                    // A search through every text takes long, and lookups by id must not wait for it.
                    Some(_) => self.aside(move |reader| reader.reads().history(&asked, limit)).await?,
                    None => self.reader.ask(move |reads| reads.history(&asked, limit)).await?,
                };
                let found: Vec<Standing> = rows.iter().flatten().filter_map(|row| rows::readable(row).ok()).collect();
                match rows.last() {
                    // A page without a readable request is not the end.
                    Some(last) if found.is_empty() => filter.below = Some(rows::number(last)),
                    _ => return Ok(found),
                }
            }
        })
    }

    fn events_after(&self, mut seq: u64, limit: u32) -> Later<'_, Vec<Event>> {
        Box::pin(async move {
            loop {
                let entries = self.reader.ask(move |reads| reads.entries_after(seq, limit)).await?;
                let event = |row: &Row<_>| {
                    let (entry, body): &(_, Option<String>) = row.as_ref().ok()?;
                    events::event(entry, body.as_deref()).ok()?
                };
                let events: Vec<Event> = entries.iter().filter_map(event).collect();
                match entries.last() {
                    // Some entries belong to no event, and some cannot be read.
                    Some(Ok((last, _))) if events.is_empty() => seq = last.seq,
                    Some(Err(last)) if events.is_empty() => seq = last.number,
                    _ => return Ok(events),
                }
            }
        })
    }

    fn figures(&self, since_ms: Option<u64>, until_ms: Option<u64>) -> Later<'_, Figures> {
        Box::pin(async move {
            let rows = self.reader.ask(move |reads| reads.ended(since_ms, until_ms)).await?;
            blocking(move || figures::of(&rows)).await
        })
    }
}
