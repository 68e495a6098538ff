//! Notices that wait, and notices that are not sent.

use dmplz_core::notify::{Front, Priority};
use dmplz_core::request::Answer;
use dmplz_protocol::{Request, RequestId};

use super::*;
use crate::sample;

fn route(events: &[EventKind], to: &[&str]) -> Route {
    Route {
        events: events.to_vec(),
        only: Vec::new(),
        to: to.iter().map(|name| (*name).to_owned()).collect(),
        plan: Plan::at_once(Detail::Normal),
    }
}

/// Returns a route that waits this many seconds for an answer.
fn after(seconds: u64, route: Route) -> Route {
    Route { plan: Plan { after: Duration::from_secs(seconds), ..route.plan }, ..route }
}

async fn with(routes: Vec<Route>, quiet: Option<&str>) -> Gateway {
    gateway_with(tempfile::tempdir().unwrap(), routes, quiet).await
}

impl Gateway {
    /// Lets the tasks of the gateway run for this long, with both channels.
    async fn serve_for(&self, time: Duration, phone: &FakeService, team: &FakeService) {
        let (first, second) = (self.notices.line("phone").unwrap(), self.notices.line("team").unwrap());
        let all = async {
            tokio::join!(
                first.run(phone),
                second.run(team),
                self.notices.watch_held(&self.approvals, |why| panic!("{why}")),
                self.notices.watch_bus(&self.approvals, |why| panic!("{why}")),
            )
        };
        let _ = self.timed(time / 50, tokio::time::timeout(time, all)).await;
    }

    /// Asks, and queues the notices about it.
    async fn asked(&self, command: &str) -> RequestId {
        let request = Request { created_ms: self.notices.now_ms(), ..sample::request(command) };
        let id = request.id;
        let occurrence = Occurrence {
            subject: Some("Bash".into()),
            ..Occurrence::new(EventKind::RequestAsked, format!("RequestAsked:{id}"), self.notices.now_ms())
        };
        self.approvals.ask(request).await.unwrap();
        self.notices.happened(occurrence).await.unwrap();
        id
    }

    /// Returns the entries of the trail of a kind.
    fn trail(&self, kind: &str) -> Vec<(Option<String>, String)> {
        let state = StateDir::open(self.temp.path()).unwrap();
        let store = Reader::open(&state, StoreOptions::default()).unwrap();
        let entries = store.reads().entries_after(0, 99).unwrap();
        let entries = entries.into_iter().map(|row| row.unwrap().0).filter(|entry| entry.kind == kind);
        entries.map(|entry| (entry.request_id, entry.body)).collect()
    }
}

fn titles(service: &FakeService) -> Vec<String> {
    service.got.borrow().iter().map(|(title, _)| title.clone()).collect()
}

#[tokio::test(start_paused = true)]
async fn a_request_that_nobody_answers_goes_from_channel_to_channel_and_an_answer_ends_that() {
    let asked = || route(&[EventKind::RequestAsked], &["phone"]);
    let first = after(10, asked());
    let second = Route { to: vec!["team".into()], ..after(60, asked()) };
    let gateway = with(vec![first, second], None).await;
    let _page = gateway.approvals.attach("web");
    let (phone, team) = (FakeService::default(), FakeService::default());
    let (at_once, late, never) = (gateway.asked("a").await, gateway.asked("b").await, gateway.asked("c").await);
    gateway.serve_for(Duration::from_secs(5), &phone, &team).await;
    assert_eq!((titles(&phone).len(), titles(&team).len()), (0, 0), "{:?}", gateway.log());
    let allow = |id| gateway.approvals.answer(id, Answer::APPROVE, sample::person("jin"));
    allow(at_once).await.unwrap();
    gateway.serve_for(Duration::from_secs(30), &phone, &team).await;
    assert_eq!((titles(&phone).len(), titles(&team).len()), (2, 0), "{:?}", gateway.log());
    allow(late).await.unwrap();
    gateway.serve_for(Duration::from_secs(60), &phone, &team).await;
    assert_eq!((titles(&phone).len(), titles(&team).len()), (2, 1), "{:?}", gateway.log());
    let escalations = gateway.trail("notice.escalated");
    let of = |id: RequestId, channel: &str, after: u64| {
        (Some(id.to_string()), format!(r#"{{"channel":"{channel}","afterMs":{after}}}"#))
    };
    assert_eq!(escalations, [of(late, "phone", 10_000), of(never, "phone", 10_000), of(never, "team", 60_000)]);
    let receipts = gateway.trail("notice.delivered");
    let to = |id: RequestId, channel: &str| {
        let of_both = |(request, body): &&(Option<String>, String)| {
            *request == Some(id.to_string()) && body.contains(&format!(r#""channel":"{channel}""#))
        };
        receipts.iter().filter(of_both).count()
    };
    assert_eq!(
        (receipts.len(), to(late, "phone"), to(never, "phone"), to(never, "team")),
        (3, 1, 1, 1),
        "{receipts:?}"
    );
    let skipped = gateway.log().into_iter().filter(|line| line == "skipped 0 ×1 the request had ended").count();
    assert_eq!(skipped, 3, "two of the first request, one of the second: {:?}", gateway.log());
}

#[tokio::test(start_paused = true)]
async fn a_notice_of_a_request_that_a_service_refuses_is_in_the_audit_trail_with_the_reason() {
    let gateway = with(vec![route(&[EventKind::RequestAsked], &["phone"])], None).await;
    let _page = gateway.approvals.attach("web");
    let phone = scripted(vec![Reply::Fails(Undelivered::Refused("it answered 404: Unknown Webhook".into()))]);
    let id = gateway.asked("a").await;
    gateway.serve_for(Duration::from_secs(30), &phone, &FakeService::default()).await;
    let [(request, body)] = gateway.trail("notice.undelivered").try_into().unwrap();
    assert_eq!(request, Some(id.to_string()));
    insta::assert_snapshot!(body, @r#"{"channel":"phone","notice":1,"count":1,"attempts":1,"why":"it answered 404: Unknown Webhook"}"#);
    assert_eq!(gateway.trail("notice.delivered"), []);
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_a_killed_gateway_did_not_see_ends_the_escalation_when_its_time_comes() {
    let asked = after(10, route(&[EventKind::RequestAsked], &["phone"]));
    let gateway = with(vec![asked.clone()], None).await;
    let page = gateway.approvals.attach("web");
    let (answered, open) = (gateway.asked("a").await, gateway.asked("b").await);
    // No task of the gateway runs, so nobody takes the notice back.
    gateway.approvals.answer(answered, Answer::APPROVE, sample::person("jin")).await.unwrap();
    drop(page);
    gateway.disk.close().await;
    let gateway = gateway_with(gateway.temp, vec![asked], None).await;
    let (phone, team) = (FakeService::default(), FakeService::default());
    gateway.serve_for(Duration::from_secs(20), &phone, &team).await;
    assert_eq!(gateway.log(), ["skipped 0 ×1 the request had ended", "sent 1 ×1 -"]);
    assert_eq!(gateway.trail("notice.escalated").len(), 1);
    assert_eq!(gateway.trail("notice.escalated")[0].0, Some(open.to_string()));
}

#[tokio::test(start_paused = true)]
async fn in_quiet_hours_notices_wait_but_for_what_is_urgent_and_then_count_truthfully() {
    // START is 08:00 UTC.
    let every = route(&EventKind::ROUTABLE, &["phone"]);
    let plan = Plan { through_quiet: Some(Priority::Permission), ..Plan::at_once(Detail::Normal) };
    let urgent = Route { plan, ..route(&EventKind::ROUTABLE, &["team"]) };
    let gateway = with(vec![every, urgent], Some("07:30-09:00")).await;
    let (phone, team) = (FakeService::default(), FakeService::default());
    for call in ["1", "2", "3"] {
        gateway.notices.happened(failed("s", call, call)).await.unwrap();
    }
    let waits = Occurrence {
        subject: Some("permission_prompt".into()),
        ..Occurrence::new(EventKind::Notification, "n".into(), START)
    };
    gateway.notices.happened(waits).await.unwrap();
    gateway.notices.send("phone", "by hand", Duration::ZERO).await.unwrap();
    gateway.serve_for(Duration::from_secs(3_000), &phone, &team).await;
    assert_eq!(titles(&phone), ["💬 dmplz"]);
    assert_eq!(titles(&team), ["🔐 Claude Code asks for permission"]);
    let held = gateway.log().into_iter().filter(|line| line.starts_with("held")).collect::<Vec<_>>();
    let quiet = |count| format!("held 0 ×{count} waits for the end of the quiet hours");
    assert_eq!(held, [quiet(3), quiet(3), quiet(1)]);
    gateway.serve_for(Duration::from_secs(1_200), &phone, &team).await;
    assert_eq!(titles(&phone)[1..], ["⚠️ A tool failed ×3", "🔐 Claude Code asks for permission"]);
    assert_eq!(titles(&team)[1..], ["⚠️ A tool failed ×3"]);
}

#[tokio::test(start_paused = true)]
async fn what_is_in_front_of_somebody_is_not_sent_and_stays_in_the_log_from_which_it_can_be_sent() {
    let plan = Plan { skip_if: vec![Front::Page], ..Plan::at_once(Detail::Normal) };
    let seen = Route { plan, ..route(&[EventKind::PostToolUseFailure], &["phone"]) };
    let gateway = with(vec![seen, route(&[EventKind::PostToolUseFailure], &["team"])], None).await;
    let (phone, team) = (FakeService::default(), FakeService::default());
    let page = gateway.notices.presence().enter(1, Front::Page);
    gateway.notices.happened(failed("a", "1", "one")).await.unwrap();
    drop(page);
    let _terminal = gateway.notices.presence().enter(2, Front::Terminal);
    gateway.notices.happened(failed("b", "2", "two")).await.unwrap();
    gateway.serve_for(Duration::from_secs(5), &phone, &team).await;
    assert_eq!((titles(&phone).len(), titles(&team).len()), (1, 2));
    let log = gateway.log();
    assert_eq!(log[0], "skipped 0 ×1 the page was in front of somebody", "{log:?}");
    assert_eq!(gateway.notices.retry(None, None).await.unwrap(), 0);
    assert_eq!(gateway.notices.retry(Some(1), None).await.unwrap(), 1);
    gateway.serve_for(Duration::from_secs(5), &phone, &team).await;
    assert_eq!(titles(&phone).len(), 2);
}
