//! What decides a call of a session, over a disk that a test can break.

use std::sync::Arc;

use dmplz_core::request::Answer as Said;
use dmplz_protocol::Kind;
use serde_json::json;

use super::*;
use crate::approvals::tests::fake::Fake;
use crate::bus::Bus;
use crate::disk::Recovered;
use crate::sample::{START, person, rules};
use crate::sessions::tests::setup;

struct Fixture {
    approvals: Approvals,
    fake: Fake,
    setup: Setup,
    folder: tempfile::TempDir,
    _surface: crate::approvals::Attached,
}

impl Fixture {
    fn new() -> Self {
        let (fake, folder) = (Fake::default(), tempfile::tempdir().unwrap());
        let now_ms = Arc::new(|| START);
        let approvals = Approvals::over(fake.clone(), Recovered::default(), Bus::default(), rules(), now_ms);
        let setup = setup(folder.path(), |line| panic!("{line}"));
        let surface = approvals.attach("web");
        Self { approvals, fake, setup, folder, _surface: surface }
    }

    /// Returns what the client is told of a command. A person who is asked denies it.
    async fn behavior(&self, command: &str) -> (Value, bool) {
        let asked = json!({ "tool_name": "Bash", "input": { "command": command }, "tool_use_id": "toolu_1" });
        let asking = Asking {
            id: RequestId::new(),
            session: "s1".into(),
            mode: "default".into(),
            cwd: "/work".into(),
            asked: serde_json::from_value::<CanUseTool>(asked).unwrap(),
        };
        let (id, mut heard) = (asking.id, self.approvals.bus().subscribe(&[Kind::ApprovalRequested]));
        let permissions = Permissions::open(self.folder.path(), &*self.setup.warn);
        let told = asking.answer(self.approvals.clone(), self.setup.clone(), permissions);
        let denied = async {
            heard.next().await.unwrap();
            self.approvals.answer(id, Said::Deny { reason: None, instead: false }, person("ada")).await.unwrap();
            std::future::pending::<()>().await;
        };
        let told = tokio::select! {
            told = told => told,
            () = denied => unreachable!("it waits for ever"),
        };
        (told.response.unwrap()["behavior"].clone(), told.of_person)
    }
}

#[tokio::test]
async fn a_rule_decides_a_call_that_nobody_was_asked_about() {
    let it = Fixture::new();
    assert_eq!(it.behavior("make").await, (json!("allow"), false));
    assert_eq!(it.behavior("rm").await, (json!("deny"), false));
    assert_eq!(it.behavior("ls").await, (json!("deny"), true));
}

#[tokio::test]
async fn a_rule_allows_nothing_where_it_cannot_be_known_whether_a_person_denied_it() {
    let it = Fixture::new();
    it.fake.unreadable(true);
    assert_eq!(it.behavior("make").await, (json!("deny"), true), "a person is asked");
    assert_eq!(it.behavior("rm").await, (json!("deny"), false), "a rule's deny needs nobody");
}
