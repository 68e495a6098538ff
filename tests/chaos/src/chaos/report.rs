//! The result of a run.

use std::collections::BTreeMap;
use std::fmt;
use std::time::{Duration, Instant};

use dmplz_e2e::Chat;
use serde::Serialize;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::life::Life;
use super::oracle::{Broken, Case, LATE};
use super::{HookOutput, Invariant, Options};

/// Requests within this time before or after a hook's life belong to it.
const AROUND: Duration = Duration::from_secs(2);

/// The figures and failures of a run.
#[derive(Debug, Default, Serialize)]
pub struct Report {
    /// The seed of all random choices.
    pub seed: u64,
    /// The number of hooks.
    pub hooks: usize,
    /// The number of hooks that ran at the same time.
    pub at_a_time: u64,
    /// The number of times that the gateway was killed.
    pub kills: usize,
    /// The duration of the run in seconds.
    pub seconds: f64,
    /// The numbers of outcomes, by the action of people.
    pub ends: BTreeMap<String, BTreeMap<String, u64>>,
    /// The numbers of disturbances of processes.
    pub blows: BTreeMap<&'static str, u64>,
    /// The number of requests to the messengers.
    pub calls: usize,
    /// The number of requests without a complete good reply.
    pub hurt: usize,
    /// The number of hooks that ran until their time-out or longer.
    pub to_the_limit: usize,
    /// The longest time between a time-out and an exit, in milliseconds.
    pub overrun_ms: u128,
    /// The number of exits more than 250 ms after a time-out, whatever the cause.
    pub late: usize,
    /// The longest time that a hook waited for a processor in total, in milliseconds.
    pub starved_ms: u128,
    /// The invariants that did not hold.
    pub broken: Vec<Broken>,
    /// The evidence about the hooks of those invariants.
    pub evidence: Vec<Value>,
}

impl Report {
    pub(super) fn of(options: &Options, lives: &[Result<Life, u64>]) -> Self {
        let mut report =
            Self { seed: options.seed, hooks: lives.len(), at_a_time: options.at_a_time, ..Self::default() };
        for life in lives.iter().flatten() {
            let end = life.said().map_or("?".to_owned(), |said| match said {
                HookOutput::Nothing if life.deeds.killed.is_some() => "killed".to_owned(),
                HookOutput::Nothing if life.deeds.stopped.is_some() => "stopped".to_owned(),
                said => format!("{said:?}").to_lowercase(),
            });
            let deed = serde_json::to_value(life.plan.deed).ok().and_then(|name| Some(name.as_str()?.to_owned()));
            *report.ends.entry(deed.unwrap_or_default()).or_default().entry(end).or_default() += 1;
            let deeds = &life.deeds;
            let blow = [
                (deeds.stopped.is_some(), "stopped"),
                (deeds.killed.is_some(), "killed"),
                (deeds.frozen.is_some(), "frozen"),
            ];
            for (_, name) in blow.into_iter().filter(|(is_so, _)| *is_so) {
                *report.blows.entry(name).or_default() += 1;
            }
            let overrun = life.overrun();
            report.starved_ms = report.starved_ms.max(life.starved.as_millis());
            report.overrun_ms = report.overrun_ms.max(overrun.as_millis());
            report.to_the_limit += usize::from(life.exited >= life.started + super::DEADLINE);
            report.late += usize::from(overrun > LATE);
        }
        report
    }

    /// Returns whether any hook decided. Without a decision a run shows nothing, because every invariant holds.
    pub fn decides(&self) -> bool {
        self.ends.values().any(|ends| ends.contains_key("allow") || ends.contains_key("deny"))
    }

    /// Adds the requests of a chat.
    pub(super) fn count(&mut self, chat: &Chat) {
        let calls = chat.wire().calls();
        self.calls += calls.len();
        let is_whole = |status: Option<u16>| matches!(status, Some(101 | 200..=299));
        self.hurt += calls.iter().filter(|call| !is_whole(call.status)).count();
    }

    /// Writes the evidence that is needed to understand a failure.
    ///
    /// # Errors
    /// If the directory cannot be written.
    pub(super) fn keep(&self, options: &Options, logs: &TempDir) -> anyhow::Result<()> {
        if self.broken.is_empty() {
            return Ok(());
        }
        std::fs::create_dir_all(&options.keep)?;
        let way = if options.gateway { "gateway" } else { "alone" };
        let name = |what: &str| options.keep.join(format!("{way}-{}-{what}", self.seed));
        for evidence in &self.evidence {
            let text = serde_json::to_string_pretty(evidence)?;
            std::fs::write(name(&format!("hook-{}.json", evidence["plan"]["number"])), text)?;
        }
        let log = logs.path().join("serve.log");
        if log.exists() {
            std::fs::copy(log, name("serve.log"))?;
        }
        Ok(())
    }
}

/// Collects everything about one hook.
pub(super) fn evidence(case: &Case<'_>, chats: &[Chat], broken: &[Broken]) -> Value {
    let life = case.life;
    let ms = |at: Instant| -> Value {
        match at.checked_duration_since(life.started) {
            Some(since) => json!(since.as_millis() as u64),
            None => json!(-((life.started - at).as_millis() as i64)),
        }
    };
    let deeds = &life.deeds;
    let presses = deeds.presses.iter().map(|press| {
        json!({ "at": ms(press.at), "denies": press.denies, "counts": press.counts, "acknowledged": press.acknowledged })
    });
    let handed = case.handed_out.iter().map(|one| json!({ "at": ms(one.at), "what": format!("{:?}", one.meaning) }));
    json!({
        "broken": broken,
        "plan": life.plan,
        "account": life.account,
        "stdin": life.plan.stdin(),
        "presses": presses.collect::<Vec<_>>(),
        "handedOut": handed.collect::<Vec<_>>(),
        "prompted": deeds.prompted.map(ms),
        "stopped": deeds.stopped.map(ms),
        "killed": deeds.killed.map(ms),
        "frozen": deeds.frozen.map(|(from, until)| [ms(from), ms(until)]),
        "exited": ms(life.exited),
        "code": life.code,
        "signal": life.signal,
        "stdout": life.stdout,
        "stderr": life.stderr,
        "onDisk": case.on_disk,
        "starvedMs": life.starved.as_millis() as u64,
        "wire": chats.iter().map(|chat| wire(life, chat, ms)).collect::<Vec<_>>(),
    })
}

/// Collects the requests to a messenger around the life of a hook.
fn wire(life: &Life, chat: &Chat, ms: impl Fn(Instant) -> Value) -> Vec<Value> {
    let (from, until) = (life.started.checked_sub(AROUND), life.exited + AROUND);
    let calls = chat.wire().calls().into_iter().filter(|call| from < Some(call.at) && call.at < until);
    let call = |call: dmplz_fakes::Call| {
        let reply = call.reply.map(|(at, reply)| json!({ "at": ms(at), "is": reply }));
        json!({ "at": ms(call.at), "name": call.name, "path": call.path, "params": call.params, "status": call.status, "reply": reply })
    };
    calls.map(call).collect()
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seed, hooks, at_a_time, kills, seconds, calls, hurt, .. } = self;
        writeln!(f, "hooks      {hooks}, {at_a_time} at a time, in {seconds:.0} s (seed {seed})")?;
        writeln!(f, "gateway    killed {kills} times")?;
        writeln!(f, "requests   {calls} to the messengers, {hurt} without a whole good answer")?;
        let blows: Vec<String> = self.blows.iter().map(|(blow, count)| format!("{count} {blow}")).collect();
        writeln!(f, "processes  {}", blows.join(", "))?;
        let names = ["allow", "deny", "why", "nothing", "stopped", "killed"];
        writeln!(f, "{:<28}{}", "people", names.map(|name| format!("{name:>9}")).concat())?;
        for (deed, ends) in &self.ends {
            let counts = names.map(|name| format!("{:>9}", ends.get(name).map_or("-".to_owned(), u64::to_string)));
            writeln!(f, "  {deed:<26}{}", counts.concat())?;
        }
        let Self { to_the_limit, overrun_ms, late, starved_ms, .. } = self;
        writeln!(
            f,
            "time       {to_the_limit} hooks lived to their deadline; the latest exit {overrun_ms} ms after the time-out;"
        )?;
        writeln!(
            f,
            "           {late} exits more than 250 ms after it; a hook waited for a processor for up to {starved_ms} ms"
        )?;
        writeln!(f, "broken     {}", self.broken.len())?;
        let mut counts: BTreeMap<Invariant, usize> = BTreeMap::new();
        self.broken.iter().for_each(|broken| *counts.entry(broken.invariant).or_default() += 1);
        for (invariant, count) in counts {
            writeln!(f, "  {invariant:?}: {count}")?;
        }
        for Broken { invariant, hook, why } in self.broken.iter().take(40) {
            let hook = hook.map_or_else(String::new, |hook| format!(" hook {hook}:"));
            writeln!(f, "  {invariant:?}:{hook} {why}")?;
        }
        Ok(())
    }
}
