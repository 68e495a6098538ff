//! Decisions and their effects.

use dmplz_policy::{RuleDenial, Ruled};

use super::*;

#[tokio::test]
async fn a_call_asks_under_a_uuid_and_the_surfaces_are_told() {
    let house = House::new().await;
    let mut told = house.approvals.bus().subscribe(&[Kind::ApprovalRequested]);
    let call = InvokeTool { env: BTreeMap::from([("TOKEN".into(), "hunter2".into())]), ..house.call(&["ls", "a b"]) };
    let (id, _) = house.asked(call).await;
    assert_eq!(id.get_version_num(), 4);
    let event = told.next().await.unwrap();
    let Message::ApprovalRequested { approval } = &event.message else { unreachable!() };
    assert_eq!(approval.request.id.to_string().parse::<Uuid>().unwrap().get_version_num(), 4);
    assert_eq!(approval.request.cwd, house.path().display().to_string());
    assert!(!approval.request.offer.session);
    let input = &approval.request.input;
    assert_eq!(input["command"], r#"TOKEN="$TOKEN" ls 'a b'"#);
    assert_eq!(input["environment"], serde_json::json!(["TOKEN"]));
    assert_eq!(input["timeoutMs"], 600_000);
    assert!(input["executable"].as_str().unwrap().ends_with("/bin/ls"));
    assert_eq!(input["sha256"].as_str().unwrap().len(), 64);
    let shown = serde_json::to_string(approval).unwrap();
    assert!(!shown.contains("hunter2"), "{shown}");
    let parts: Vec<_> = approval.request.subject.parts.iter().map(|part| part.text().to_owned()).collect();
    assert!(parts.iter().any(|part| part.contains("sha256: ")), "{parts:?}");
}

#[tokio::test]
async fn the_bus_carries_the_request_to_run_a_command_and_the_response() {
    let house = House::new().await;
    let mut told = house.approvals.bus().subscribe(&[Kind::ConfirmationRequest, Kind::ConfirmationResponse]);
    let (_, standing) = house.asked(house.call(&["true"])).await;
    house.answer(&standing, Answer::APPROVE).await;
    let asked = told.next().await.unwrap();
    let Message::ConfirmationRequest { correlation_id, request } = &asked.message else { panic!("{asked:?}") };
    assert_eq!((*correlation_id, &**request), (standing.request.id, &standing.request));
    let answered = told.next().await.unwrap();
    let Message::ConfirmationResponse { correlation_id, confirmed, .. } = &answered.message else {
        panic!("{answered:?}")
    };
    assert_eq!((*correlation_id, *confirmed), (standing.request.id, true));
}

#[tokio::test]
async fn an_approved_call_is_run_and_its_result_returned() {
    let house = House::new().await;
    let mut events = house.events();
    let (id, standing) = house.asked(house.shell("echo out; echo err >&2; pwd")).await;
    assert_eq!(house.tools.get(id).await.unwrap().unwrap().state, State::AwaitingApproval);
    house.answer(&standing, Answer::APPROVE).await;
    let report = house.tools.ended(id).await.unwrap().unwrap();
    assert_eq!((report.state, report.exit_code, &report.error), (State::Succeeded, Some(0), &None));
    assert_eq!(stdout(&report), format!("out\n{}\n", house.path().display()));
    assert_eq!(written(&report, Stream::Stderr), "err\n");
    assert!(!report.truncated && !report.masked);
    assert_eq!(house.tools.get(id).await.unwrap().unwrap(), report);
    let taken = house.approvals.get(standing.request.id).await.unwrap();
    assert!(matches!(taken.status, Status::Ended { taken: Some(true), .. }));
    let (mut kinds, mut text) = (Vec::new(), String::new());
    while kinds.last() != Some(&Kind::ToolFinished) {
        let event = events.next().await.unwrap();
        assert_eq!(event.event_id.is_some(), event.message.kind() != Kind::ToolOutput);
        if let Message::ToolOutput { text: piece, .. } = &event.message {
            text.push_str(piece);
        }
        kinds.push(event.message.kind());
    }
    assert_eq!(kinds.first(), Some(&Kind::ToolStarted));
    assert!(text.contains("out\n") && text.contains("err\n"));
}

#[tokio::test]
async fn a_denied_call_is_not_run_and_gives_err_forbidden() {
    let house = House::new().await;
    let (id, standing) = house.asked(house.shell("touch ran")).await;
    house.answer(&standing, Answer::Deny { reason: Some("not here".into()), instead: false }).await;
    let report = house.tools.ended(id).await.unwrap().unwrap();
    assert_eq!(report.state, State::Forbidden);
    insta::assert_snapshot!(serde_json::to_string(&report.error).unwrap(), @r#"{"code":"ERR_FORBIDDEN","message":"User rejected the request. Reason: not here"}"#);
    assert!(!house.path().join("ran").exists());
}

#[tokio::test(start_paused = true)]
async fn a_call_that_nobody_answers_expires_and_is_not_run() {
    let house = House::new().await;
    let mut events = house.events();
    let (id, standing) = house.asked(house.shell("touch ran")).await;
    let report = house.tools.ended(id).await.unwrap().unwrap();
    assert_eq!((report.state, code(&report)), (State::Expired, Some(Code::Expired)));
    assert!(!house.path().join("ran").exists());
    let late = house.approvals.answer(standing.request.id, Answer::APPROVE, ada()).await;
    assert!(late.is_err());
    assert_eq!(house.tools.get(id).await.unwrap().unwrap().state, State::Expired);
    let event = events.next().await.unwrap();
    insta::assert_snapshot!(serde_json::to_string(&event.message).unwrap().replace(&id.to_string(), "ID"), @r#"{"type":"tool.finished","invocationId":"ID","state":"expired"}"#);
}

#[tokio::test]
async fn a_call_that_nobody_could_be_asked_about_is_an_error() {
    let house = House::new().await;
    let call = house.shell("true");
    let House { approvals, tools, disk, _surface, .. } = house;
    drop(_surface);
    let refused = tools.invoke(call).await;
    assert!(matches!(refused, Err(InvokeError::Ask(AskError::NobodyListens))), "{refused:?}");
    assert!(approvals.open().is_empty());
    assert!(disk.unfinished_invocations::<Record>().await.unwrap().is_empty());
}

#[tokio::test]
async fn what_a_rule_denies_is_forbidden_and_nobody_is_asked() {
    let judge = |request: &Request| {
        assert_eq!(request.input["command"], "sh -c 'touch ran'");
        let message = Some("Use make.".to_owned());
        let denial = RuleDenial { rule: "p.toml:3".into(), message, reason: None };
        Verdict::Ruled(Ruled::Denied(denial))
    };
    let house = House::with(judge, Limits::default()).await;
    let invoked = house.tools.invoke(house.shell("touch ran")).await.unwrap();
    assert_eq!((invoked.state, invoked.awaiting_approval), (State::Forbidden, false));
    let report = house.tools.get(invoked.invocation_id).await.unwrap().unwrap();
    let fault = Fault { code: Code::Forbidden, message: "Use make.".into() };
    assert_eq!(report.error, Some(fault));
    assert!(house.approvals.open().is_empty() && !house.path().join("ran").exists());
}

#[tokio::test]
async fn what_waits_can_be_withdrawn_by_whoever_asked() {
    let house = House::new().await;
    let (id, standing) = house.asked(house.shell("touch ran")).await;
    assert!(house.tools.cancel(id).await);
    let report = house.tools.ended(id).await.unwrap().unwrap();
    assert_eq!((report.state, code(&report)), (State::Failed, Some(Code::Cancelled)));
    assert!(house.approvals.answer(standing.request.id, Answer::APPROVE, ada()).await.is_err());
    assert!(!house.tools.cancel(id).await, "there is nothing left to stop");
}

#[tokio::test]
async fn more_than_the_limit_neither_wait_nor_run() {
    let house = House::with(|_: &Request| Verdict::Ask(Vec::new()), Limits { at_once: 2, ..Limits::default() }).await;
    let (first, _) = house.asked(house.shell("true")).await;
    house.asked(house.shell("true")).await;
    let third = house.tools.invoke(house.shell("true")).await;
    assert!(matches!(third, Err(InvokeError::TooMany(2))), "{third:?}");
    house.tools.cancel(first).await;
    house.tools.ended(first).await.unwrap();
    house.asked(house.shell("true")).await;
}
