//! How long pairings count, and what of them is on disk.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::sync::atomic::{AtomicU64, Ordering};

use dmplz_core::text::Lang;
use futures_util::FutureExt;

use super::*;

const GAP: Duration = Duration::from_secs(600);

fn key() -> PageKey {
    PageKey::read(&GatewayKey::generate().unwrap().public()).unwrap()
}

struct Desk {
    now: Arc<AtomicU64>,
    state: tempfile::TempDir,
}

impl Desk {
    fn new() -> Self {
        Self { now: Arc::new(AtomicU64::new(1_000_000)), state: tempfile::tempdir().unwrap() }
    }

    fn open(&self) -> Browsers {
        self.try_open(GAP).unwrap()
    }

    fn try_open(&self, gap: Duration) -> Result<Browsers, BrowsersError> {
        let clock = Arc::clone(&self.now);
        Browsers::open(self.state.path(), gap, Arc::new(move || clock.load(Ordering::SeqCst)))
    }

    fn file(&self) -> PathBuf {
        kept::path(self.state.path())
    }

    fn pass(&self, time: Duration) {
        self.now.fetch_add(time.as_millis().try_into().unwrap(), Ordering::SeqCst);
    }
}

fn subscription() -> SubscribePush {
    SubscribePush {
        endpoint: "https://push.example.net/1".into(),
        p256dh: "A".into(),
        auth: "B".into(),
        lang: Lang::En,
    }
}

#[test]
fn a_pairing_ends_by_its_time_by_its_end_and_to_make_room() {
    let desk = Desk::new();
    let browsers = desk.open();
    let (first, second) = (key(), key());
    browsers.begin(first, "");
    desk.now.fetch_add(1, Ordering::SeqCst);
    browsers.begin(second, "");
    assert!(browsers.counts(first) && browsers.counts(second) && !browsers.counts(key()));
    desk.now.store(1_000_000 + LIFE_MS, Ordering::SeqCst);
    assert!(!browsers.counts(first) && browsers.counts(second));
    browsers.end(second);
    assert!(!browsers.counts(second));
    let many: Vec<_> = (0..=BROWSERS).map(|_| key()).collect();
    for key in &many {
        desk.now.fetch_add(1, Ordering::SeqCst);
        browsers.begin(*key, "");
    }
    assert!(!browsers.counts(many[0]) && many[1..].iter().all(|key| browsers.counts(*key)));
}

#[tokio::test]
async fn a_pairing_and_its_subscription_outlive_a_short_absence_and_nothing_on_disk_lets_anybody_in() {
    let desk = Desk::new();
    let browsers = desk.open();
    let page = GatewayKey::generate().unwrap();
    let own = PageKey::read(&page.public()).unwrap();
    browsers.begin(own, "Chrome, Linux");
    browsers.set_subscription(own, Some(subscription()));
    browsers.save().await.unwrap();
    assert_eq!(fs::metadata(desk.file()).unwrap().mode() & 0o777, 0o600);
    let text = fs::read_to_string(desk.file()).unwrap();
    assert!(text.contains(&page.public()) && !text.contains(page.stored()), "public keys of pages only");
    desk.pass(GAP);
    let again = desk.open();
    assert_eq!(again.key().public(), browsers.key().public());
    assert_eq!(again.subscriptions().len(), 1);
    let mut listed = again.list(Some(own));
    listed[0].id = "ID".into();
    insta::assert_snapshot!(
        serde_json::to_string(&listed).unwrap(),
        @r#"[{"id":"ID","name":"Chrome, Linux","pairedMs":1000000,"seenMs":1000000,"endsMs":2593000000,"isNotified":true,"isOwn":true}]"#
    );
    desk.now.store(1_000_000 + LIFE_MS, Ordering::SeqCst);
    assert!(!again.counts(own) && again.subscriptions().is_empty(), "an absence makes no pairing longer");
}

#[tokio::test]
async fn nobody_is_known_after_a_long_absence_a_clock_set_back_or_another_program_at_the_port() {
    type Between = fn(&Desk);
    let between: [(Between, Duration); 4] = [
        (|desk| desk.pass(GAP + Duration::from_millis(1)), GAP),
        (|desk| assert!(desk.now.fetch_sub(SLACK_MS + 1, Ordering::SeqCst) > SLACK_MS), GAP),
        (|desk| Browsers::forget(desk.state.path()).unwrap(), GAP),
        (|_| (), Duration::ZERO),
    ];
    for (number, (between, gap)) in between.into_iter().enumerate() {
        let desk = Desk::new();
        let (first, page) = (desk.open(), key());
        first.begin(page, "");
        first.save().await.unwrap();
        between(&desk);
        let second = desk.try_open(gap).unwrap();
        assert!(!second.counts(page), "{number}");
        assert_ne!(second.key().public(), first.key().public(), "{number}: it is another gateway to its pages");
        assert!(!desk.file().exists(), "{number}");
    }
}

#[tokio::test]
async fn a_revoked_pairing_is_over_at_once_and_after_a_restart() {
    let desk = Desk::new();
    let browsers = desk.open();
    let keys = [key(), key(), key()];
    for key in keys {
        browsers.begin(key, "");
    }
    browsers.save().await.unwrap();
    let mut ended = browsers.ended();
    ended.mark_unchanged();
    let (revoked, saved) = browsers.revoke(Some(&id_of(keys[0]))).await;
    saved.unwrap();
    assert_eq!((revoked.len(), ended.has_changed().unwrap()), (1, true));
    assert_eq!(browsers.revoke(Some("00")).await.0, Vec::new());
    for run in [&browsers, &desk.open()] {
        assert_eq!(keys.map(|key| run.counts(key)), [false, true, true]);
    }
    let (revoked, saved) = browsers.revoke(None).await;
    saved.unwrap();
    assert_eq!(revoked.len(), 2);
    for run in [&browsers, &desk.open()] {
        assert_eq!(keys.map(|key| run.counts(key)), [false; 3]);
    }
    assert!(!desk.file().exists());
}

#[tokio::test]
async fn a_browser_that_left_is_unknown_to_the_next_run_even_if_nothing_can_be_written() {
    let desk = Desk::new();
    let browsers = desk.open();
    let (leaves, stays) = (key(), key());
    browsers.begin(leaves, "");
    browsers.begin(stays, "");
    browsers.save().await.unwrap();
    // A folder has the name under which the new content would be written.
    fs::create_dir(desk.file().with_extension("json.new")).unwrap();
    assert!(browsers.save().await.is_err());
    // The connection on which it leaves ends with the pairing, so nobody may be there to wait for the disk.
    let _ = browsers.leave(leaves).now_or_never();
    let is_stored = async {
        while desk.file().exists() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), is_stored).await.unwrap();
    assert!(!browsers.counts(leaves) && browsers.counts(stays));
    assert!(!desk.open().counts(leaves));
}

#[tokio::test]
async fn a_file_that_others_could_know_or_that_is_damaged_is_not_used() {
    let desk = Desk::new();
    let browsers = desk.open();
    browsers.begin(key(), "");
    browsers.save().await.unwrap();
    let text = fs::read_to_string(desk.file()).unwrap();
    fs::set_permissions(desk.file(), Permissions::from_mode(0o640)).unwrap();
    assert!(matches!(desk.try_open(GAP), Err(BrowsersError::Exposed(_))));
    fs::set_permissions(desk.file(), Permissions::from_mode(0o600)).unwrap();
    for bad in
        ["", "{}", &text.replace("\"version\":1", "\"version\":2"), &text.replace("\"key\":\"04", "\"key\":\"05")]
    {
        fs::write(desk.file(), bad).unwrap();
        assert!(matches!(desk.try_open(GAP), Err(BrowsersError::Malformed(_))), "{bad}");
    }
}
