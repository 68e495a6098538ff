//! What a run showed.

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

/// What happened so shortly before or after a hook's life belongs to it.
const AROUND: Duration = Duration::from_secs(2);

/// What a run came to.
#[derive(Debug, Default, Serialize)]
pub struct Report {
    /// Of everything that was drawn.
    pub seed: u64,
    /// How many hooks lived, and how many at the same time.
    pub hooks: usize,
    /// How many lived at the same time.
    pub at_a_time: u64,
    /// How often the gateway was killed.
    pub kills: usize,
    /// How long it took.
    pub seconds: f64,
    /// What people did, and how the hooks ended then.
    pub ends: BTreeMap<String, BTreeMap<String, u64>>,
    /// What befell the processes.
    pub blows: BTreeMap<&'static str, u64>,
    /// Requests to the messengers, and how many of them did not get a whole good answer.
    pub calls: usize,
    /// How many of those did not get a whole good answer.
    pub hurt: usize,
    /// Hooks that were there until their time-out or longer.
    pub to_the_limit: usize,
    /// The latest exit after a time-out, ms.
    pub overrun_ms: u128,
    /// Exits more than 250 ms after a time-out, whoever is to blame.
    pub late: usize,
    /// The longest that a hook waited for a processor in all, ms.
    pub starved_ms: u128,
    /// What did not hold.
    pub broken: Vec<Broken>,
    /// Everything about the hooks that it did not hold for.
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

    /// Whether any hook brought a decision: promises hold easily where nobody is ever asked.
    pub fn decides(&self) -> bool {
        self.ends.values().any(|ends| ends.contains_key("allow") || ends.contains_key("deny"))
    }

    /// Counts the requests of a chat.
    pub(super) fn count(&mut self, chat: &Chat) {
        let calls = chat.wire().calls();
        self.calls += calls.len();
        let is_whole = |status: Option<u16>| matches!(status, Some(101 | 200..=299));
        self.hurt += calls.iter().filter(|call| !is_whole(call.status)).count();
    }

    /// Writes down what a failure needs to be understood.
    ///
    /// # Errors
    /// The directory cannot be written to.
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

/// Everything about one hook.
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

/// The requests to a messenger around the life of a hook.
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
