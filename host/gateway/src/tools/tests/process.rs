//! The process, while it runs and when it ends.

use super::*;

#[tokio::test]
async fn it_gets_the_few_variables_its_own_and_no_other() {
    let house = House::new().await;
    let env = BTreeMap::from([("SECRET".into(), "x y".into()), ("HOME".into(), "/elsewhere".into())]);
    let report = house.run(InvokeTool { env, ..house.call(&["env"]) }).await;
    let mut lines: Vec<_> = stdout(&report).lines().map(str::to_owned).collect();
    lines.sort_unstable();
    assert_eq!(lines, ["HOME=/elsewhere", "PATH=/usr/local/bin:/usr/bin:/bin", "SECRET=x y"]);
}

#[tokio::test]
async fn nothing_is_on_its_stdin() {
    let house = House::new().await;
    let report = house.run(house.shell("cat; echo done")).await;
    assert_eq!(stdout(&report), "done\n");
}

#[tokio::test]
async fn an_exit_code_and_a_signal_are_failures() {
    let house = House::new().await;
    let exited = house.run(house.shell("exit 3")).await;
    assert_eq!((exited.state, exited.exit_code, code(&exited)), (State::Failed, Some(3), Some(Code::Exit)));
    let killed = house.run(house.shell("kill -9 $$")).await;
    assert_eq!((killed.state, killed.exit_code, killed.signal), (State::Failed, None, Some(9)));
    assert_eq!(code(&killed), Some(Code::Signal));
}

#[tokio::test]
async fn a_command_that_never_ends_is_killed_with_its_whole_group() {
    let house = House::new().await;
    let script = "trap '' TERM; (trap '' TERM; echo $$ > child; while :; do sleep 1; done) & while :; do sleep 1; done";
    let call = InvokeTool { timeout_ms: Some(300), ..house.shell(script) };
    let report = house.run(call).await;
    assert_eq!((report.state, code(&report)), (State::Failed, Some(Code::Timeout)));
    assert_none_left(&house);
}

#[tokio::test]
async fn what_a_command_leaves_in_its_group_ends_with_it() {
    let house = House::new().await;
    let report = house.run(house.shell("sleep 1000 & echo started")).await;
    assert_eq!((report.state, stdout(&report).as_str()), (State::Succeeded, "started\n"));
    assert_none_left(&house);
}

#[tokio::test]
async fn a_daemon_that_holds_the_output_open_is_not_waited_for() {
    let house = House::new().await;
    let script = "setsid sh -c 'echo $$ > daemon; exec sleep 1000' & while ! [ -s daemon ]; do :; done; echo started";
    let report = house.run(house.shell(script)).await;
    let daemon: i32 = std::fs::read_to_string(house.path().join("daemon")).unwrap().trim().parse().unwrap();
    let daemon = rustix::process::Pid::from_raw(daemon).unwrap();
    rustix::process::kill_process(daemon, rustix::process::Signal::KILL).unwrap();
    assert_eq!((report.state, stdout(&report).as_str()), (State::Succeeded, "started\n"));
}

#[tokio::test]
async fn of_a_flood_the_beginning_and_the_end_are_kept() {
    let limits = Limits { kept_bytes: 4096, ..Limits::default() };
    let house = House::with(|_: &Request| Verdict::Ask(Vec::new()), limits).await;
    let mut events = house.events();
    let report = house.run(house.shell("echo first; head -c 5000000 /dev/zero; echo last")).await;
    assert_eq!((report.state, report.truncated), (State::Succeeded, true));
    let text = stdout(&report);
    assert!(text.starts_with("first\n") && text.ends_with("last\n") && text.len() == 4096);
    assert_eq!(report.output[1].omitted_bytes, 5_000_011 - 4096);
    let mut told = 0;
    loop {
        match &events.next().await.unwrap().message {
            Message::ToolOutput { text, .. } => told += text.len(),
            Message::ToolFinished { .. } => break,
            _ => {}
        }
    }
    assert_eq!(told, 4096);
}

#[tokio::test]
async fn what_runs_can_be_stopped() {
    let house = House::new().await;
    let (id, standing) = house.asked(house.shell("touch running; exec sleep 1000")).await;
    house.answer(&standing, Answer::APPROVE).await;
    appears(&house.path().join("running")).await;
    assert!(house.tools.cancel(id).await);
    let report = house.tools.ended(id).await.unwrap().unwrap();
    assert_eq!((report.state, code(&report)), (State::Failed, Some(Code::Cancelled)));
    assert_none_left(&house);
}

#[tokio::test]
async fn a_gateway_that_ends_takes_what_runs_with_it_and_leaves_what_waits() {
    let house = House::new().await;
    let (runs, standing) = house.asked(house.shell("touch running; exec sleep 1000")).await;
    let (waits, _) = house.asked(house.shell("true")).await;
    house.answer(&standing, Answer::APPROVE).await;
    appears(&house.path().join("running")).await;
    house.tools.shutdown().await;
    let report = house.tools.get(runs).await.unwrap().unwrap();
    assert_eq!((report.state, code(&report)), (State::Failed, Some(Code::Interrupted)));
    assert_eq!(house.tools.get(waits).await.unwrap().unwrap().state, State::AwaitingApproval);
    assert!(matches!(house.tools.invoke(house.shell("true")).await, Err(InvokeError::Closing)));
    assert_none_left(&house);
}

#[tokio::test]
async fn only_the_last_few_are_remembered_as_they_were_and_the_others_masked() {
    let house =
        House::with(|_: &Request| Verdict::Ask(Vec::new()), Limits { remembered: 1, ..Limits::default() }).await;
    let secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    let first = house.run(house.call(&["echo", "--token", secret])).await;
    assert!(!first.masked && stdout(&first).contains(secret));
    house.run(house.shell("true")).await;
    let kept = house.tools.get(first.invocation_id).await.unwrap().unwrap();
    assert!(kept.masked);
    assert!(!serde_json::to_string(&kept).unwrap().contains(secret), "{kept:?}");
    assert_eq!((kept.state, kept.argv[0].as_str()), (State::Succeeded, "echo"));
}

/// Asserts that no process works in the fixture's folder.
fn assert_none_left(house: &House) {
    let left = || {
        let works_here = |pid: std::fs::DirEntry| {
            let state = std::fs::read_to_string(pid.path().join("stat")).unwrap_or_default();
            std::fs::read_link(pid.path().join("cwd")).ok()?.eq(&house.path()).then_some(state)
        };
        std::fs::read_dir("/proc").unwrap().flatten().filter_map(works_here).collect::<Vec<_>>()
    };
    // A killed process may take a moment to disappear.
    let since = std::time::Instant::now();
    while !left().is_empty() {
        assert!(since.elapsed() < Duration::from_secs(5), "{:?}", left());
        std::thread::yield_now();
    }
}
