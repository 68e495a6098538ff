use dmplz_policy::{Call, File, Origin, Policy, RuleDenial, Tier};
use dmplz_protocol::session::Mode;
use serde_json::Value;

use super::*;
use crate::bus::Bus;
use crate::sample::{START, rules};

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

#[tokio::test]
async fn a_first_message_for_which_no_budget_is_left_is_told_as_not_sent() {
    let state = tempfile::tempdir().unwrap();
    let limits = Limits { daily_usd: Some(1), ..Limits::default() };
    let sessions = Sessions::open(approvals(), Setup { limits, ..setup(state.path(), |line| panic!("{line}")) });
    let (id, notes) = (Uuid::from_u128(1), Notes::new("/".into(), Mode::Default, None, START).unwrap());
    let (view, permissions) =
        (Arc::new(View::new(id, &notes)), Permissions::open(state.path(), &*sessions.shared.setup.warn));
    let (orders, mut received) = mpsc::unbounded_channel();
    sessions.shared.known.lock().insert(id, Known { view, permissions, orders });
    sessions.send_first(id, "hello".to_owned());
    assert!(matches!(received.try_recv().unwrap(), Order::Say { message, .. } if message.text == "hello"));
    sessions.shared.spending.count(Uuid::from_u128(2), 1.0, START, false);
    sessions.send_first(id, "hello".to_owned());
    let Order::Note(told) = received.try_recv().unwrap() else { panic!("it is told") };
    insta::assert_snapshot!(told, @"The first message was not sent: sessions have cost their budget of $1 for 24 hours: wait, or set a higher DMPLZ_RUN_DAILY_BUDGET");
    assert!(received.try_recv().is_err());
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
