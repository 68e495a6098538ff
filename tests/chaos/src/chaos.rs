//! Runs thousands of hooks under adverse conditions. The result of each is compared with the presses of people and the
//! events that messengers handed out.

mod closing;
mod life;
mod options;
mod oracle;
mod plan;
mod report;
mod socket;
mod stage;
mod store;
mod truth;
mod weather;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use closing::Kills;
use life::Life;
pub use options::Options;
pub use oracle::{Broken, Invariant};
use oracle::{Case, HookOutput};
use plan::Plan;
pub use report::Report;
use stage::{Absence, Account, DEADLINE, Reaper, Stage};
use truth::{HandedOut, Truth};

/// Runs the test. `told` is called now and then with the number of hooks that have ended.
///
/// # Errors
/// If the gateway did not come back, or something that the run itself needs did not work.
pub fn run(options: &Options, binary: &Path, told: impl Fn(u64) + Sync) -> anyhow::Result<Report> {
    let began = Instant::now();
    let stage = Stage::set(options, binary);
    let logs = tempfile::tempdir()?;
    let (lives, left, absences) = match options.gateway {
        false => {
            let lives = crowd(options, &stage, &told);
            let kills = &Kills::of(options, &lives, Vec::new());
            let left = std::thread::scope(|scope| {
                let close = |account| scope.spawn(move || closing::close(account, options, kills));
                let closing: Vec<_> = stage.accounts.iter().map(close).collect();
                closing.into_iter().flat_map(|closed| closed.join().unwrap()).collect()
            });
            (lives, left, Vec::new())
        }
        true => through(options, &stage, &logs, &told)?,
    };
    let mut report =
        Report { seconds: began.elapsed().as_secs_f64(), kills: absences.len(), ..Report::of(options, &lives) };
    report.broken = left;
    judge(options, &stage, &lives, &absences, &mut report)?;
    report.keep(options, &logs)?;
    Ok(report)
}

/// Runs all hooks, as many at a time as the options say. `None` for a hook whose harness failed.
fn crowd(options: &Options, stage: &Stage, told: &(impl Fn(u64) + Sync)) -> Vec<Result<Life, u64>> {
    let next = AtomicU64::new(0);
    let lives = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for place in &stage.places {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= options.hooks {
                        return;
                    }
                    let deadline = u64::try_from(DEADLINE.as_millis()).unwrap();
                    let plan = Plan::draw(options.seed, number, options.gateway, deadline);
                    let account: &Account = &stage.accounts[*place];
                    let lived = catch_unwind(AssertUnwindSafe(|| life::live(account, plan))).map_err(|_| number);
                    let mut lives = lives.lock().unwrap();
                    lives.push(lived);
                    if lives.len().is_multiple_of(100) {
                        told(lives.len() as u64);
                    }
                }
            });
        }
    });
    lives.into_inner().unwrap()
}

type Through = (Vec<Result<Life, u64>>, Vec<Broken>, Vec<Absence>);

/// Runs them through a gateway that is killed repeatedly.
fn through(
    options: &Options,
    stage: &Stage,
    logs: &tempfile::TempDir,
    told: &(impl Fn(u64) + Sync),
) -> anyhow::Result<Through> {
    let account = &stage.accounts[0];
    let reaper = Reaper::start(account, logs)?;
    let (lives, reaped) = std::thread::scope(|scope| {
        let reaping = scope.spawn(|| reaper.reap(Duration::from_millis(options.life_ms), options.seed));
        let lives = crowd(options, stage, told);
        reaper.over.store(true, Ordering::Relaxed);
        (lives, reaping.join().unwrap())
    });
    reaped?;
    let kills = Kills::of(options, &lives, reaper.absences.lock().unwrap().clone());
    let mut left = closing::close(account, options, &kills);
    left.extend(closing::open_requests(account));
    anyhow::ensure!(reaper.stands(), "keep the last gateway alive: it ended by itself");
    Ok((lives, left, kills.gateway))
}

fn judge(
    options: &Options,
    stage: &Stage,
    lives: &[Result<Life, u64>],
    absences: &[Absence],
    report: &mut Report,
) -> anyhow::Result<()> {
    let prefix = format!("chaos-{}-", options.seed);
    let mut handed_out: BTreeMap<String, Vec<HandedOut>> = BTreeMap::new();
    let mut on_disk = BTreeMap::new();
    for account in &stage.accounts {
        for chat in &account.chats {
            report.count(chat);
            for (marker, all) in Truth::of(chat, &prefix).handed_out {
                handed_out.entry(marker).or_default().extend(all);
            }
        }
        if account.socket.is_some() {
            on_disk = store::outcomes(&account.home, &prefix)?;
        }
    }
    handed_out.values_mut().for_each(|all| all.sort_by_key(|one| one.at));
    for life in lives {
        let life = match life {
            Ok(life) => life,
            Err(number) => {
                let why = "it did not end, or something broke in the run itself: see above".to_owned();
                report.broken.push(Broken { invariant: Invariant::InTime, hook: Some(*number), why });
                continue;
            }
        };
        let marker = &life.plan.marker;
        let handed_out = handed_out.get(marker).map(Vec::as_slice).unwrap_or_default();
        let case = Case { life, handed_out, on_disk: on_disk.get(marker).map(String::as_str), absences };
        let broken = case.judge(options.is_timed);
        if !broken.is_empty() || report.broken.iter().any(|broken| broken.hook == Some(life.plan.number)) {
            report.evidence.push(report::evidence(&case, &stage.accounts[life.account].chats, &broken));
        }
        report.broken.extend(broken);
    }
    report.broken.sort_by_key(|broken| (broken.invariant, broken.hook));
    Ok(())
}
