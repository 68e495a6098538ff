use dmplz_policy::{Call, File, Origin, Policy, RuleDenial, Tier};
use dmplz_protocol::session::Mode;
use serde_json::{Value, json};

use super::*;
use crate::bus::Bus;
use crate::sample::{START, person, rules};

/// Rules that allow `make` and deny `rm`. Nothing is kept.
struct FakeConsent(Policy);

impl FakeConsent {
    fn new() -> Self {
        let text = "[[rule]]\ntoolName = \"Bash\"\ncommandPrefix = \"make\"\ndecision = \"allow\"\npriority = 100\n";
        let path = PathBuf::from("policy.toml");
        Self(Policy::new(vec![File::parse(text, Origin { tier: Tier::User, path, root: None, trusted: true })]))
    }
}

impl Consent for FakeConsent {
    fn judge(&self, _: &HookInput, call: &ToolCall) -> Ruling {
        let ruled = match call.input.get("command").and_then(Value::as_str) {
            Some("rm") => Some(Ruled::Denied(RuleDenial { rule: "policy.toml:9".into(), message: None, reason: None })),
            _ => {
                let call = Call::new(&call.tool, &call.input, "2027-01-01T00:00:00Z".parse().unwrap());
                Ruled::of(&self.0.check(&call))
            }
        };
        Ruling { ruled, ..Ruling::default() }
    }

    fn keep(&self, _: &Outcome, _: Option<Covers>, _: &HookInput, _: RequestId) {}

    fn record(&self, _: &Ended) {}

    fn take_back(&self, _: RequestId) {}

    fn ended(&self, _: &str) {}

    fn remove(&self, _: &Permission, _: &Path) -> Result<(), String> {
        Ok(())
    }
}

/// Returns what sessions with these rules are set up with. `warn` is called as the log would be.
pub(super) fn setup(state: &Path, warn: impl Fn(&str) + Send + Sync + 'static) -> Setup {
    Setup {
        state: state.to_owned(),
        program: PathBuf::from("/bin/false"),
        env: BTreeMap::new(),
        lang: Lang::En,
        consent: Arc::new(FakeConsent::new()),
        folders: Folders::default(),
        modes: Vec::new(),
        limits: Limits::default(),
        warn: Arc::new(warn),
    }
}

fn approvals() -> Approvals {
    Approvals::new(Bus::default(), rules(), Arc::new(|| START))
}

/// Has sessions know one, as after its start. Returns its id and the orders to it.
fn known(sessions: &Sessions, permissions: Permissions) -> (Uuid, mpsc::UnboundedReceiver<Order>) {
    let (id, notes) = (Uuid::from_u128(1), Notes::new("/".into(), Mode::Default, None, START).unwrap());
    let (orders, received) = mpsc::unbounded_channel();
    let known = Known { view: Arc::new(View::new(id, &notes)), permissions, orders };
    sessions.shared.known.lock().insert(id, known);
    (id, received)
}

#[tokio::test]
async fn a_first_message_for_which_no_budget_is_left_is_told_as_not_sent() {
    let state = tempfile::tempdir().unwrap();
    let limits = Limits { daily_usd: Some(1), ..Limits::default() };
    let sessions = Sessions::open(approvals(), Setup { limits, ..setup(state.path(), |line| panic!("{line}")) });
    let (id, mut received) = known(&sessions, Permissions::open(state.path(), &*sessions.shared.setup.warn));
    sessions.send_first(id, "hello".to_owned());
    assert!(matches!(received.try_recv().unwrap(), Order::Say { message, .. } if message.text == "hello"));
    sessions.shared.spending.count(Uuid::from_u128(2), 1.0, START, false);
    sessions.send_first(id, "hello".to_owned());
    let Order::Note(told) = received.try_recv().unwrap() else { panic!("it is told") };
    insta::assert_snapshot!(told, @"The first message was not sent: sessions have cost their budget of $1 for 24 hours: wait, or set a higher DMPLZ_RUN_DAILY_BUDGET");
    assert!(received.try_recv().is_err());
}

#[tokio::test]
async fn notes_that_cannot_be_read_keep_nobody_from_revoking_what_a_session_may_do_and_take_no_name() {
    let state = tempfile::tempdir().unwrap();
    let sessions = Sessions::open(approvals(), setup(state.path(), |line| panic!("{line}")));
    let permissions = Permissions::open(state.path(), &*sessions.shared.setup.warn);
    let rule = json!({ "type": "addRules", "rules": [{ "toolName": "Bash", "ruleContent": "git push *" }],
        "behavior": "allow", "destination": "session" });
    permissions.keep(RequestId::new(), &[serde_json::from_value(rule).unwrap()], &person("ada"), START).unwrap();
    // Nobody takes its orders, as while it ends.
    let (id, _) = known(&sessions, permissions);
    let dir = SessionDir::of(state.path(), id);
    dir.make().unwrap();
    std::fs::write(dir.notes(), "{").unwrap();
    assert!(matches!(sessions.rename(id, "mine").await, Err(Refusal::SessionFolder { .. })));
    assert_eq!(sessions.find(id).unwrap().view.session().name, "");
    drop(sessions.revoke(id, 1).await);
    assert!(sessions.find(id).unwrap().permissions.list().is_empty());
}

#[tokio::test]
async fn a_session_whose_notes_cannot_be_read_is_named_in_the_log_and_one_that_never_started_is_not() {
    let state = tempfile::tempdir().unwrap();
    let [unreadable, unstarted] = [1, 2].map(|id| SessionDir::of(state.path(), Uuid::from_u128(id)));
    unreadable.make().unwrap();
    unstarted.make().unwrap();
    std::fs::write(unreadable.notes(), "{\"cwd\":").unwrap();
    let warned = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&warned);
    let sessions = Sessions::open(approvals(), setup(state.path(), move |line| heard.lock().push(line.to_owned())));
    assert!(sessions.list().is_empty());
    let [warning]: [String; 1] = std::mem::take(&mut *warned.lock()).try_into().unwrap();
    let (path, id) = (unreadable.notes(), unreadable.id());
    let follows = format!("{} cannot be read, so session {id} is not known", path.display());
    assert!(warning.starts_with(&follows), "{warning}");
}
