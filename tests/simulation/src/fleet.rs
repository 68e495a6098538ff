//! Many runs on several threads. A run belongs to one thread, so their number changes nothing in it.

mod watch;

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::draw::draw;
use crate::options::{Components, Options};
use crate::oracle::Invariant;
use crate::report::{Failure, Report};
use crate::run::play;
use crate::script::Relapse;
use crate::shrink::{breaks_by_itself, shortest};
use watch::Watch;

/// The number of failures of one sort that are reduced to the shortest script. Further ones are only counted.
const SHRUNK: u64 = 16;

/// The number of runs between two progress reports.
const TOLD_EVERY: u64 = 10_000;

/// Creates a directory for the processes' files, in memory if the system supports it.
///
/// # Errors
/// When there can be none.
pub fn place() -> anyhow::Result<TempDir> {
    let memory = Path::new("/dev/shm");
    Ok(if memory.is_dir() { TempDir::new_in(memory)? } else { TempDir::new()? })
}

/// Progress reports of the runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum News {
    /// The number of runs that have begun, every 10,000.
    Begun(u64),
    /// The run of this seed does not end. Its thread cannot be stopped, so the process has to end.
    Stuck(u64),
}

/// Runs all seeds.
///
/// # Errors
/// When a run cannot be set up.
pub fn run(options: &Options, relapse: Option<Relapse>, told: impl Fn(News) + Sync) -> anyhow::Result<Report> {
    let began = Instant::now();
    let (next, report) = (AtomicU64::new(0), Mutex::new(Report::default()));
    let (watch, is_over) = (Watch::default(), AtomicBool::new(false));
    let place = place()?;
    std::thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                std::thread::park_timeout(Duration::from_secs(1));
                if let Some(seed) = watch.tick() {
                    told(News::Stuck(seed));
                }
            }
        });
        let worker = || -> anyhow::Result<()> {
            loop {
                let run = next.fetch_add(1, Ordering::Relaxed);
                if run >= options.runs || began.elapsed() > Duration::from_secs(options.seconds) {
                    return Ok(());
                }
                if run > 0 && run.is_multiple_of(TOLD_EVERY) {
                    told(News::Begun(run));
                }
                // A fault of the past that was found is found.
                let is_found = relapse.is_some() && report.lock().is_ok_and(|report| !report.failures.is_empty());
                if is_found {
                    return Ok(());
                }
                let seed = options.seed.wrapping_add(run);
                watch.during(seed, || one(seed, options, relapse, place.path(), &report))?;
            }
        };
        let workers: Vec<_> = (0..options.workers).map(|_| scope.spawn(worker)).collect();
        let ended = workers.into_iter().try_for_each(|worker| {
            worker.join().map_err(|_| anyhow::anyhow!("run the simulation: a run panicked, see above"))?
        });
        is_over.store(true, Ordering::Relaxed);
        watcher.thread().unpark();
        ended
    })?;
    let mut report = report.into_inner().unwrap_or_default();
    report.seconds = began.elapsed().as_secs_f64();
    report.failures.sort_by_key(|failure| (failure.invariant, failure.sort.clone(), failure.script.len()));
    report.failures.dedup_by(|one, other| (one.invariant, &one.sort) == (other.invariant, &other.sort));
    Ok(report)
}

fn one(
    seed: u64,
    options: &Options,
    relapse: Option<Relapse>,
    place: &Path,
    report: &Mutex<Report>,
) -> anyhow::Result<()> {
    // The faults of the past are put back around the line, which a component does not use.
    let components = if relapse.is_some() { Components::Never } else { options.components };
    let mut script = draw(seed, components);
    script.frame.relapse = relapse;
    let dir = tempfile::tempdir_in(place)?;
    let shown = play(&script, dir.path(), false)?;
    drop(dir);
    let mut first = None;
    if let Ok(mut report) = report.lock() {
        report.runs += 1;
        shown.ends.iter().for_each(|end| *report.ends.entry(end.to_string()).or_default() += 1);
        for broken in &shown.broken {
            let (count, earliest) = report.broken.entry(broken.invariant).or_insert((0, seed));
            (*count, *earliest) = (*count + 1, seed.min(*earliest));
        }
        let is_new = |invariant: Invariant| report.broken.get(&invariant).is_some_and(|(count, _)| *count <= SHRUNK);
        first = shown.broken.into_iter().find(|broken| is_new(broken.invariant));
    }
    let Some(broken) = first else { return Ok(()) };
    let place: PathBuf = place.to_owned();
    if !breaks_by_itself(&script, broken.invariant, &place)? {
        return Ok(());
    }
    let short = shortest(&script, broken.invariant, &place)?;
    let dir = tempfile::tempdir_in(&place)?;
    let shown = play(&short, dir.path(), true)?;
    let why = shown.broken.into_iter().find(|it| it.invariant == broken.invariant).map_or(broken.why, |it| it.why);
    let sort = short.sort();
    let failure =
        Failure { sort, invariant: broken.invariant, seed, why, script: short.to_string(), story: shown.story };
    if let Ok(mut report) = report.lock() {
        report.failures.push(failure);
    }
    Ok(())
}
