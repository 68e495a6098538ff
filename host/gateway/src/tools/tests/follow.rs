//! A follower of a command receives all of its output, unchanged.

use serde_json::json;

use super::*;
use crate::rpc::{self, Outbox, Peer, Services, Session};

async fn followed(house: &House, script: &str) -> (Uuid, mpsc::Receiver<Chunk>) {
    let (invoked, output) = house.tools.run(house.shell(script)).await.unwrap();
    let open = house.approvals.open();
    house.answer(&open[0], Answer::APPROVE).await;
    (invoked.invocation_id, output)
}

#[tokio::test]
async fn every_byte_arrives_in_order() {
    let house = House::new().await;
    let script = "head -c 3000000 /dev/zero; printf '\\377\\376'; printf err >&2";
    let (id, mut output) = followed(&house, script).await;
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    while let Some(Chunk { stream, bytes }) = output.recv().await {
        if stream == Stream::Stdout { &mut stdout } else { &mut stderr }.extend(bytes);
    }
    assert_eq!((stdout.len(), &stdout[3_000_000..], stderr.as_slice()), (3_000_002, &b"\xff\xfe"[..], &b"err"[..]));
    let report = house.tools.ended(id).await.unwrap().unwrap();
    assert_eq!((report.state, report.truncated), (State::Succeeded, true));
}

#[tokio::test]
async fn a_command_writes_no_faster_than_it_is_read_and_ends_by_its_time() {
    let house = House::new().await;
    let call = InvokeTool { timeout_ms: Some(500), ..house.shell("cat /dev/zero") };
    let (invoked, output) = house.tools.run(call).await.unwrap();
    house.answer(&house.approvals.open()[0], Answer::APPROVE).await;
    let report = house.tools.ended(invoked.invocation_id).await.unwrap().unwrap();
    assert_eq!((report.state, code(&report)), (State::Failed, Some(Code::Timeout)));
    let written: usize = report.output.iter().map(|piece| piece.text.len()).sum();
    assert!(written < 300_000, "{written}");
    drop(output);
}

/// Opens a session on the socket that has one command run.
async fn on_the_socket(house: &House, script: &str) -> (Session, Outbox, serde_json::Value) {
    let mut services = Services::new(house.approvals.clone(), Lang::En);
    services.tools = Some(house.tools.clone());
    let peer = Peer { by: ada().on("cli"), role: rpc::Role::Local, limits: rpc::Limits::LOCAL };
    let (mut session, mut outbox) = Session::open(services, peer);
    let params = json!({ "argv": ["sh", "-c", script], "cwd": house.path() });
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools.run", "params": params });
    session.receive(&call.to_string()).await;
    let accepted = next(&mut outbox).await;
    assert_eq!((&accepted["method"], &accepted["params"]["awaitingApproval"]), (&json!("run.accepted"), &json!(true)));
    (session, outbox, accepted["params"].clone())
}

async fn next(outbox: &mut Outbox) -> serde_json::Value {
    serde_json::from_str(&outbox.next().await.unwrap()).unwrap()
}

#[tokio::test]
async fn over_the_socket_output_comes_as_it_is_and_the_end_as_the_result() {
    let house = House::new().await;
    let (_session, mut outbox, accepted) = on_the_socket(&house, "printf 'a\\377'; exit 3").await;
    let open = house.approvals.open();
    assert_eq!(accepted["approvalId"], json!(open[0].request.id));
    house.answer(&open[0], Answer::APPROVE).await;
    let output = next(&mut outbox).await;
    assert_eq!((&output["params"]["stream"], &output["params"]["hex"]), (&json!("stdout"), &json!("61ff")));
    let end = next(&mut outbox).await;
    assert_eq!((&end["id"], &end["result"]["exitCode"]), (&json!(1), &json!(3)));
}

#[tokio::test]
async fn whoever_hangs_up_wants_it_no_more() {
    let house = House::new().await;
    let (session, _outbox, accepted) = on_the_socket(&house, "touch ran").await;
    session.hung_up().await;
    let id = accepted["invocationId"].as_str().unwrap().parse().unwrap();
    let report = house.tools.ended(id).await.unwrap().unwrap();
    assert_eq!((report.state, code(&report)), (State::Failed, Some(Code::Cancelled)));
    assert!(house.approvals.open().is_empty() && !house.path().join("ran").exists());
}
