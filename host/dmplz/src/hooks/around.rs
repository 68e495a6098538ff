//! The hooks around a command of `dmplz exec`, or of `tools.invoke` in `dmplz serve`: PreToolUse before it is asked about, PermissionRequest when a person is asked,
//! PostToolUse or PostToolUseFailure at its end, PermissionDenied if it may not run.
//!
//! They run on threads of their own, so no hook delays or changes the request; `exec` ends when those have ended that are waited
//! for. An `async` hook is given [`GRACE`] more, and is then left alone: it goes on, and its end is not logged.

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use dmplz_gateway::tools::Moment;
use dmplz_hooks::input::Input;
use dmplz_hooks::plan::Standing;
use dmplz_hooks::settings::Command;
use serde_json::{Map, Value, json};

use super::place::Place;
use super::session::{Part, Session};
use crate::{time, trouble};

/// How long `async` hooks are still waited for at the end.
const GRACE: Duration = Duration::from_millis(500);

/// The tool whose calls a command is, to hooks.
const TOOL: &str = "Bash";

/// The hooks around one command.
pub(crate) struct Around {
    lanes: Vec<Lane>,
    call: Map<String, Value>,
    started: Instant,
}

/// A thread that runs a part of the hooks of each event, one event after the other.
struct Lane {
    part: Part,
    events: Sender<Input>,
    thread: JoinHandle<()>,
}

impl Around {
    /// Begins, if a source with hooks is switched on. Trouble with hooks is reported, and never keeps the command from running.
    pub(crate) fn begin(folder: &Path, argv: &[String]) -> Option<Self> {
        let place = trouble::report(Place::switched_on(folder)).flatten().map(Arc::new)?;
        if place.sources.iter().any(|source| matches!(source.standing, Standing::Untrusted | Standing::Changed)) {
            trouble::warn(
                "the hooks of this folder do not run: nobody trusts them as they are; read them with `dmplz hooks trust`",
            );
        }
        let is_on =
            place.sources.iter().any(|source| source.standing == Standing::On && !source.hooks.groups.is_empty());
        if !is_on {
            return None;
        }
        let (program, arguments) = argv.split_first()?;
        let command = Command { line: program.clone(), args: Some(arguments.to_vec()), shell: "sh" };
        let id = uuid::Uuid::new_v4().to_string();
        let lanes = [Part::Awaited, Part::Async].into_iter().filter_map(|part| Lane::start(part, &place, &id));
        let call = Map::from_iter([
            ("session_id".to_owned(), Value::from(id.clone())),
            ("tool_name".to_owned(), TOOL.into()),
            ("tool_input".to_owned(), json!({ "command": command.shown() })),
            ("tool_use_id".to_owned(), Value::from(id.clone())),
        ]);
        let lanes: Vec<Lane> = lanes.collect();
        (!lanes.is_empty()).then(|| Self { lanes, call, started: Instant::now() })
    }

    /// Begins around a command of the gateway, on a thread of its own, so that no request waits for a hook or its settings.
    /// The hooks hear what is sent until the sender is dropped.
    pub(crate) fn follow(folder: &Path, argv: &[String]) -> Sender<Moment> {
        let (moments, inbox) = channel();
        let (folder, argv) = (folder.to_owned(), argv.to_owned());
        let work = move || {
            let Some(hooks) = Self::begin(&folder, &argv) else { return };
            hooks.before();
            inbox.into_iter().for_each(|moment| hooks.hear(&moment));
            hooks.end();
        };
        trouble::report(std::thread::Builder::new().name("hooks".to_owned()).spawn(work));
        moments
    }

    /// Tells the hooks that the command is about to be asked about.
    pub(crate) fn before(&self) {
        self.raise("PreToolUse", json!({}));
    }

    /// Tells the hooks what becomes of the command.
    pub(crate) fn hear(&self, moment: &Moment) {
        let took = time::millis(self.started.elapsed());
        let (event, more) = match moment {
            Moment::Asked => ("PermissionRequest", json!({})),
            Moment::Succeeded => {
                ("PostToolUse", json!({ "tool_response": { "interrupted": false }, "duration_ms": took }))
            }
            Moment::Denied(reason) => ("PermissionDenied", json!({ "reason": reason })),
            Moment::Failed(error) => {
                ("PostToolUseFailure", json!({ "error": error, "is_interrupt": false, "duration_ms": took }))
            }
        };
        self.raise(event, more);
    }

    /// Waits until the hooks have ended that are waited for.
    pub(crate) fn end(self) {
        // Without their events all threads come to an end.
        let threads: Vec<_> = self.lanes.into_iter().map(|Lane { part, thread, .. }| (part, thread)).collect();
        for (part, thread) in threads {
            let until = Instant::now() + GRACE;
            while part == Part::Async && !thread.is_finished() && Instant::now() < until {
                std::thread::park_timeout(Duration::from_millis(5));
            }
            if part == Part::Awaited || thread.is_finished() {
                // A panic of the thread was reported by itself.
                let _ = thread.join();
            }
        }
    }

    fn raise(&self, event: &str, more: Value) {
        let mut fields = self.call.clone();
        if let Value::Object(more) = more {
            fields.extend(more);
        }
        let input = Input::new(event, fields);
        for lane in &self.lanes {
            // A lane that is gone has said why.
            let _ = lane.events.send(input.clone());
        }
    }
}

impl Lane {
    fn start(part: Part, place: &Arc<Place>, id: &str) -> Option<Self> {
        let (events, inbox) = channel();
        let (place, id) = (Arc::clone(place), id.to_owned());
        let name = "hooks".to_owned();
        let work = move || {
            trouble::report(serve(part, &place, id, &inbox));
        };
        let thread = trouble::report(std::thread::Builder::new().name(name).spawn(work))?;
        Some(Self { part, events, thread })
    }
}

/// Runs the hooks of events until there are no more.
fn serve(part: Part, place: &Place, id: String, inbox: &Receiver<Input>) -> anyhow::Result<()> {
    let mut session = Session::start(place, id)?;
    let runtime = crate::runtime::runtime()?;
    while let Ok(input) = inbox.recv() {
        runtime.block_on(session.raise(input, part))?;
    }
    Ok(())
}
