//! Whoever follows a command gets what it writes, all of it and as it is.

use super::*;

async fn followed(house: &House, script: &str) -> (Uuid, mpsc::Receiver<Chunk>) {
    let (invoked, output) = house.tools.run(house.shell(script)).await.unwrap();
    let open = house.approvals.open();
    house.answer(&open[0], Answer::Approve).await;
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
    let call = Invocation { timeout: Some(Duration::from_millis(500)), ..house.shell("cat /dev/zero") };
    let (invoked, output) = house.tools.run(call).await.unwrap();
    house.answer(&house.approvals.open()[0], Answer::Approve).await;
    let report = house.tools.ended(invoked.invocation_id).await.unwrap().unwrap();
    assert_eq!((report.state, code(&report)), (State::Failed, Some(Code::Timeout)));
    let written: usize = report.output.iter().map(|piece| piece.text.len()).sum();
    assert!(written < 300_000, "{written}");
    drop(output);
}
