//! A ledger in memory, underneath the fake disks of these tests and of the simulation, which includes this file: what it
//! uses of the gateway is in the module above it.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use dmplz_core::stats::{Figures, Period, RequestEnd, Stats};
use dmplz_protocol::{Event, Message, Request, RequestId, Standing, Status};
use dmplz_state::store::{Filter, StoreError, Which};

use super::{Later, Ledger, OnNumber, Record, Recovered, masked, masked_end};

/// Every request and every event, in the form the disk would store.
#[derive(Default)]
pub(crate) struct Memory {
    kept: Mutex<Kept>,
    /// Held while an event is published, so that the next one waits.
    telling: Mutex<()>,
}

#[derive(Default)]
struct Kept {
    /// Each request as it came in and as it is stored, oldest first.
    requests: Vec<(Request, Standing)>,
    places: HashMap<RequestId, usize>,
    events: Vec<Event>,
}

impl Memory {
    /// Returns what the next owner recovers: the requests that have not ended, and the number of the last event.
    pub(crate) fn recovered(&self) -> Recovered {
        let kept = self.kept();
        let open = kept.requests.iter().map(|(_, standing)| standing);
        let open = open.filter(|standing| !matches!(standing.status, Status::Ended { .. })).cloned().collect();
        Recovered { open, last_event: kept.events.len() as u64, ..Recovered::default() }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ledger for Memory {
    fn write(&self, record: Record, at_ms: u64, told: OnNumber) -> Later<'_, Option<u64>> {
        Box::pin(async move {
            let _telling = self.telling.lock().unwrap_or_else(PoisonError::into_inner);
            let number = self.kept().write(record, at_ms)?;
            if let Some(number) = number {
                told(number);
            }
            Ok(number)
        })
    }

    fn get(&self, id: RequestId) -> Later<'_, Option<Standing>> {
        Box::pin(async move { Ok(self.kept().find(id).map(|(_, standing)| standing.clone())) })
    }

    fn is_again<'a>(&'a self, request: &'a Request) -> Later<'a, Option<bool>> {
        Box::pin(async move { Ok(self.kept().find(request.id).map(|(known, _)| known.is_again(request))) })
    }

    fn history<'a>(&'a self, filter: &'a Filter, limit: u32) -> Later<'a, Vec<Standing>> {
        Box::pin(async move {
            let kept = self.kept();
            let place = |id: &str| kept.places.get(&id.parse::<RequestId>().ok()?).copied();
            let end = filter.before.as_deref().map_or(kept.requests.len(), |id| place(id).unwrap_or(0));
            let found = kept.requests.iter().take(end).rev().map(|(_, standing)| standing);
            Ok(found.filter(|standing| is_wanted(standing, filter)).take(limit as usize).cloned().collect())
        })
    }

    fn events_after(&self, seq: u64, limit: u32) -> Later<'_, Vec<Event>> {
        Box::pin(async move {
            let kept = self.kept();
            let after = kept.events.iter().skip(usize::try_from(seq).unwrap_or(usize::MAX));
            Ok(after.take(limit as usize).cloned().collect())
        })
    }

    fn figures(&self, since_ms: Option<u64>, until_ms: Option<u64>) -> Later<'_, Figures> {
        Box::pin(async move {
            let mut stats = Stats::new(Period::default());
            let kept = self.kept();
            let ends = kept.requests.iter().filter_map(|(_, standing)| end(standing));
            let counts = |ended_ms: u64| {
                since_ms.is_none_or(|since| since <= ended_ms) && until_ms.is_none_or(|until| ended_ms < until)
            };
            ends.filter(|(ended_ms, _)| counts(*ended_ms)).for_each(|(_, end)| stats.count(end));
            Ok(stats.figures())
        })
    }
}

impl Kept {
    fn find(&mut self, id: RequestId) -> Option<&mut (Request, Standing)> {
        self.requests.get_mut(*self.places.get(&id)?)
    }

    fn write(&mut self, record: Record, at_ms: u64) -> Result<Option<u64>, StoreError> {
        let told = match record {
            Record::Asked(request) => {
                let approval = self.add(&request, Status::Open)?;
                Some(Message::ApprovalRequested { approval })
            }
            Record::Ruled { request, resolution } => {
                self.add(&request, Status::Ended { resolution, ended_ms: at_ms, taken: None })?;
                None
            }
            Record::Denied { id, by, until_ms, instead } => self.change(id, Status::Denied { by, until_ms, instead }),
            Record::Ended { id, resolution } => {
                let resolution = masked_end(&resolution);
                self.change(id, Status::Ended { resolution, ended_ms: at_ms, taken: None })
            }
            Record::Taken { id, taken } => match self.find(id).map(|(_, standing)| &mut standing.status) {
                Some(Status::Ended { taken: known @ None, .. }) => {
                    *known = Some(taken);
                    Some(Message::ApprovalTaken { request_id: id, taken })
                }
                _ => None,
            },
            Record::Told(message) => Some(message),
        };
        Ok(told.map(|message| {
            let number = self.events.len() as u64 + 1;
            self.events.push(Event { event_id: Some(number), at_ms, message });
            number
        }))
    }

    fn add(&mut self, request: &Request, status: Status) -> Result<Box<Standing>, StoreError> {
        if self.find(request.id).is_some() {
            return Err(StoreError::IdTaken(request.id.to_string()));
        }
        let standing = Standing { request: request.clone(), status };
        self.places.insert(request.id, self.requests.len());
        self.requests.push((request.clone(), standing.clone()));
        Ok(Box::new(standing))
    }

    fn change(&mut self, id: RequestId, status: Status) -> Option<Message> {
        let (request, standing) = self.find(id)?;
        match (&standing.status, &status) {
            (Status::Ended { .. }, _) | (Status::Denied { .. }, Status::Open | Status::Denied { .. }) => return None,
            _ => {}
        }
        let ends = matches!(status, Status::Ended { .. });
        *standing = Standing { request: if ends { masked(request) } else { request.clone() }, status };
        let approval = Box::new(standing.clone());
        Some(match ends {
            true => Message::ApprovalResolved { approval },
            false => Message::ApprovalDenied { approval },
        })
    }
}

fn is_wanted(standing: &Standing, filter: &Filter) -> bool {
    let Standing { request, status } = standing;
    let resolution = match status {
        Status::Ended { resolution, .. } => Some(resolution),
        _ => None,
    };
    let surface = resolution.and_then(|resolution| resolution.by.as_ref()).map(|by| &by.surface);
    let contains = |wanted: &String| {
        let text = serde_json::to_string(request).unwrap_or_default();
        let reason = resolution.and_then(|resolution| resolution.reason.as_deref()).unwrap_or_default();
        [&text, reason].iter().any(|text| text.to_ascii_lowercase().contains(&wanted.to_ascii_lowercase()))
    };
    (match filter.which {
        Which::All => true,
        Which::Open => resolution.is_none(),
        Which::Ended => resolution.is_some(),
    }) && filter.tool.as_ref().is_none_or(|tool| *tool == request.tool)
        && filter.surface.as_ref().is_none_or(|wanted| surface == Some(wanted))
        && filter.outcome.is_none_or(|outcome| resolution.is_some_and(|resolution| resolution.outcome == outcome))
        && filter.text.as_ref().is_none_or(contains)
        && filter.since_ms.is_none_or(|since_ms| since_ms <= request.created_ms)
        && filter.until_ms.is_none_or(|until_ms| request.created_ms < until_ms)
}

fn end(standing: &Standing) -> Option<(u64, RequestEnd)> {
    let Status::Ended { resolution, ended_ms, .. } = &standing.status else { return None };
    let Request { source, tool, cwd, created_ms, id, .. } = &standing.request;
    let session_id = source.session().map(|(session, _)| session.to_owned()).unwrap_or_default();
    let end = RequestEnd {
        timestamp: Default::default(),
        request_id: id.to_string(),
        session_id,
        provider: resolution.by.as_ref().map(|by| by.surface.clone()).unwrap_or_default(),
        tool_name: tool.clone(),
        outcome: resolution.outcome,
        reason_source: resolution.reason_source,
        cause: resolution.cause,
        asked_ms: resolution.by.is_some().then(|| ended_ms.saturating_sub(*created_ms)),
        rule: resolution.rule.clone(),
        subject: None,
        cwd: Some(cwd.clone()),
    };
    Some((*ended_ms, end))
}
