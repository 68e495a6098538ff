use super::*;

const LIMIT: Duration = Duration::from_secs(60);

fn job(script: &str) -> Job {
    let environment = BTreeMap::from([("PATH".to_owned(), "/usr/bin:/bin".to_owned())]);
    Job {
        program: "/bin/sh".into(),
        arguments: vec!["-c".into(), script.into()],
        folder: std::env::temp_dir(),
        environment,
        stdin: Arc::from(&b"{\"hook_event_name\":\"Stop\"}\n"[..]),
        limit: LIMIT,
    }
}

fn block<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

fn exited(exit_code: i32) -> Ending {
    Ending::Exited { exit_code }
}

/// Whether a process exists and is no zombie.
fn lives(pid: &str) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim()));
    status.is_ok_and(|status| !status.rsplit(')').next().unwrap_or_default().trim_start().starts_with('Z'))
}

#[test]
fn a_hook_reads_the_event_and_its_output_is_kept() {
    let done = block(run(&job("cat; echo note >&2; exit 3")));
    assert_eq!(done.ending, exited(3));
    assert_eq!(done.stdout.text(), "{\"hook_event_name\":\"Stop\"}\n");
    assert_eq!(done.stderr.text(), "note\n");
    assert!(!done.left_running);
}

#[test]
fn a_hook_gets_exactly_its_environment_and_folder() {
    let mut job = job("pwd; env | grep -v -e ^PWD= -e ^SHLVL= -e ^_= -e ^OLDPWD=");
    job.folder = "/".into();
    let done = block(run(&job));
    assert_eq!(done.stdout.text(), "/\nPATH=/usr/bin:/bin\n");
}

#[test]
fn a_hook_that_never_reads_a_large_event_ends_as_it_likes() {
    let mut job = job("exit 0");
    job.stdin = vec![b'x'; 4 << 20].into();
    assert_eq!(block(run(&job)).ending, exited(0));
    job.arguments = vec!["-c".into(), "head -c 1 >/dev/null; exit 0".into()];
    assert_eq!(block(run(&job)).ending, exited(0));
}

#[test]
fn output_beyond_what_is_kept_is_counted_and_stops_nobody() {
    let done = block(run(&job("head -c 1000000 /dev/zero | tr '\\0' x; head -c 1000000 /dev/zero >&2")));
    assert_eq!((done.ending, done.stdout.kept.len(), done.stdout.total), (exited(0), KEPT, 1_000_000));
    assert!(done.stdout.is_cut() && done.stderr.is_cut());
}

#[test]
fn at_its_limit_the_whole_group_ends() {
    let dir = tempfile::tempdir().unwrap();
    let pids = dir.path().join("pids");
    let mut job = job(&format!("trap '' TERM; sleep 1000 & echo $! $$ > {}; cat >/dev/null; wait", pids.display()));
    job.limit = Duration::from_millis(500);
    let done = block(run(&job));
    assert_eq!(done.ending, Ending::TimedOut);
    let pids = std::fs::read_to_string(pids).unwrap();
    for pid in pids.split_whitespace() {
        assert!(!lives(pid), "{pid}");
    }
}

#[test]
fn what_a_hook_leaves_running_is_not_waited_for() {
    let dir = tempfile::tempdir().unwrap();
    let pid = dir.path().join("pid");
    let done = block(run(&job(&format!("sleep 300 & echo $! > {}; echo done", pid.display()))));
    assert_eq!((done.ending, done.stdout.text().as_str(), done.left_running), (exited(0), "done\n", true));
    let pid = std::fs::read_to_string(pid).unwrap();
    assert!(lives(&pid));
    let pid = pid.trim().parse().ok().and_then(Pid::from_raw).unwrap();
    rustix::process::kill_process(pid, Signal::KILL).unwrap();
}

#[test]
fn hooks_run_at_the_same_time_and_their_results_keep_the_order() {
    let dir = tempfile::tempdir().unwrap();
    let fifo = dir.path().join("meet");
    assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    // Each side of a pipe waits for the other, so one after the other would never end.
    let jobs = [job(&format!("cat {}; echo first", fifo.display())), job(&format!("echo hello > {}", fifo.display()))];
    let done = block(run_all(&jobs));
    assert_eq!(done[0].stdout.text(), "hello\nfirst\n");
    assert_eq!((&done[0].ending, &done[1].ending), (&exited(0), &exited(0)));
}

#[test]
fn a_hook_that_is_killed_or_cannot_start_is_said_so() {
    assert_eq!(block(run(&job("kill -9 $$"))).ending, Ending::Killed { signal: 9 });
    let mut job = job("");
    job.program = "/nonexistent/hook".into();
    assert!(matches!(block(run(&job)).ending, Ending::NotStarted { .. }));
}

#[test]
fn giving_up_ends_the_group() {
    let dir = tempfile::tempdir().unwrap();
    let fifo = dir.path().join("pid");
    assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let job = job(&format!("sleep 1000 & echo $! > {}; wait", fifo.display()));
    let pid = block(async {
        let started = spawn_blocking(move || std::fs::read_to_string(fifo).unwrap());
        tokio::select! {
            done = run(&job) => panic!("{done:?}"),
            pid = started => pid.unwrap(),
        }
    });
    // The kernel ends it as soon as it can.
    while lives(&pid) {
        std::thread::yield_now();
    }
}
