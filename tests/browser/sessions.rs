//! Sessions on the page: started in an allowed folder, read along, answered in place, written to, interrupted, ended, resumed. The client
//! is the script of the session tests.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use dmplz_e2e::SOON;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::gateway::Gateway;
use crate::page::{DESKTOP, ESCAPE, PHONE, Page, TAB};

tests! {
    browser:
        a_session_is_started_led_ended_and_resumed,
        what_is_written_to_a_session_answers_nothing,
        what_a_session_says_is_text,
        a_session_is_led_by_keyboard_alone,
        a_session_is_named_its_edits_are_undone_as_shown_and_it_is_forked,
        a_text_is_shown_as_it_is_written_and_once_when_it_is_finished,
        a_session_fits_a_phone_and_speaks_korean,
        what_happens_while_the_gateway_is_away_is_read_afterwards,
        files_are_chosen_pasted_and_taken_back_and_go_with_the_message,
        only_the_folders_of_the_operator_are_started_in;
}

/// A gateway whose `claude` is the script, with a folder where the page may start sessions.
pub(crate) struct Desk {
    root: TempDir,
    gateway: Gateway,
}

impl Desk {
    pub(crate) fn new(settings: &[(&str, &str)], folder: &str) -> Self {
        let root = tempfile::tempdir().unwrap();
        let (bin, work) = (root.path().join("bin"), root.path().join(folder));
        fs::create_dir_all(&bin).unwrap();
        fs::create_dir_all(&work).unwrap();
        let script = include_str!("../../host/dmplz/tests/commands/sessions/claude.sh");
        fs::write(bin.join("claude"), script).unwrap();
        fs::set_permissions(bin.join("claude"), fs::Permissions::from_mode(0o755)).unwrap();
        let path = format!("{}:/usr/bin:/bin", bin.display());
        let allowed = work.display().to_string();
        let own = [("PATH", path.as_str()), ("DMPLZ_RUN_FOLDERS", allowed.as_str()), ("DMPLZ_LANG", "en")];
        let gateway = Gateway::with(&[&own, settings].concat());
        Self { root, gateway }
    }

    fn english() -> Self {
        Self::new(&[], "work")
    }

    /// Runs `dmplz` beside the gateway.
    pub(crate) fn run(&self, arguments: &[&str]) -> String {
        self.gateway.run(arguments)
    }

    /// Starts a hook that asks beside the sessions.
    pub(crate) fn hook(&self, event: &Value) -> dmplz_e2e::Hook {
        self.gateway.hook(event)
    }

    pub(crate) fn work(&self) -> PathBuf {
        self.root.path().join("work")
    }

    pub(crate) async fn page(&self, size: (u32, u32)) -> Page {
        Page::paired(&self.gateway, size).await
    }

    /// Asks REST to start a session. The status and the body.
    async fn start(&self, page: &Page, wanted: &Value) -> Value {
        let call = format!(
            "fetch('/api/v1/sessions', {{ method: 'POST', headers: {{ 'content-type': 'application/json', \
             authorization: {} }}, body: {} }}).then(async (answer) => ({{ status: answer.status, body: await answer.json() }}))",
            json!(format!("Bearer {}", self.gateway.token())),
            json!(wanted.to_string())
        );
        page.promised(&call).await
    }
}

/// A session outlives the gateway, so a test that is over ends its client.
impl Drop for Desk {
    fn drop(&mut self) {
        for folder in fs::read_dir(self.root.path()).into_iter().flatten().flatten() {
            let pid = fs::read_to_string(folder.path().join("pid")).unwrap_or_default();
            if let Some(pid) = pid.trim().parse().ok().and_then(Pid::from_raw) {
                let _ = kill_process(pid, Signal::KILL);
            }
        }
    }
}

/// Waits until a file is there.
pub(crate) async fn until_there(path: &Path) {
    until_it_holds(path, "").await;
}

/// Waits until a file is there and holds a text.
async fn until_it_holds(path: &Path, text: &str) {
    let end = std::time::Instant::now() + SOON;
    loop {
        let found = fs::read_to_string(path);
        if found.as_ref().is_ok_and(|found| found.contains(text)) {
            return;
        }
        assert!(std::time::Instant::now() < end, "waited in vain for {text:?} in {}: {found:?}", path.display());
        tokio::time::sleep(std::time::Duration::from_millis(15)).await;
    }
}

/// Starts a session with the form.
pub(crate) async fn started(page: &Page, prompt: &str) {
    page.go("sessions").await;
    page.click(".sessions .new").await;
    page.until("the form", "document.activeElement?.id === 'start-prompt'").await;
    page.write(prompt).await;
    page.click(".starting [type=submit]").await;
    page.shows(".told .said", prompt).await;
}

pub(crate) async fn say(page: &Page, text: &str) {
    page.click("#session-message").await;
    page.write(&format!("{text}\n")).await;
    page.until("it to be sent", "document.getElementById('session-message').value === ''").await;
}

async fn a_session_is_started_led_ended_and_resumed() {
    let desk = Desk::english();
    let page = desk.page(DESKTOP).await;
    started(&page, "ask one").await;
    page.shows(".told .tool", "Bash").await;
    page.shows(".request .part.command", "touch ran-1").await;
    page.shows(".session .state", "Waits for you").await;
    page.shows(".sessions .rows .left", "Waits for you").await;
    page.click(".request .actions .approve").await;
    page.shows(".told .text", "allowed").await;
    page.shows(".session .cost", "$0.50").await;
    until_there(&desk.work().join("ran-1")).await;
    page.until("no request", "document.querySelector('.request').childElementCount === 0").await;
    page.shows(".queue [data-stage=done]", "ask one").await;

    say(&page, "later this").await;
    page.shows(".queue [data-stage=waiting]", "later this").await;
    page.click(".queue [data-stage=waiting] button").await;
    page.shows(".queue [data-stage=dropped]", "later this").await;

    say(&page, "ask two").await;
    page.shows(".request .part.command", "touch ran-2").await;
    page.click(".composer .interrupt").await;
    page.shows(".told .trouble", "The turn did not go to its end").await;
    page.shows(".session .state", "Idle").await;
    assert!(!desk.work().join("ran-2").exists());

    say(&page, "ask three").await;
    page.shows(".request .part.command", "touch ran-3").await;
    page.click(".request [data-decision=deny]").await;
    page.click("#reason").await;
    page.write("not to main").await;
    page.click(".request .stop-turn").await;
    page.shows(".request .why", "not to main").await;
    page.shows(".told > li:last-child", "not to main").await;
    page.shows(".session .state", "Idle").await;
    assert!(!desk.work().join("ran-3").exists());

    page.click(".controls > summary").await;
    page.value("(() => { const mode = document.getElementById('session-mode'); mode.value = 'plan'; mode.dispatchEvent(new Event('change')); return 1; })()")
        .await;
    page.shows(".sessions .rows .where", "Plan first").await;
    page.click("#session-model").await;
    page.write("bad\n").await;
    page.until("the refusal", "document.getElementById('alarm').textContent.includes('There is no model bad')").await;
    page.click(".controls .row button").await;
    page.value("[...document.querySelectorAll('.controls button')].find((it) => it.textContent.startsWith('Permission rules')).click()")
        .await;
    page.shows(".rules-of", "Bash(touch *)").await;

    page.click(".controls .deny").await;
    page.shows(".controls .deny", "Press once more").await;
    page.click(".controls .deny").await;
    page.shows(".told .turn", "The session has ended.").await;
    until_there(&desk.work().join("ended")).await;
    page.click(".controls .grid .approve").await;
    page.shows(".told .turn", "The session goes on.").await;
    say(&page, "say more").await;
    page.shows(".told .text", "hello ␛[31m").await;
    let begun = fs::read_to_string(desk.work().join("started")).unwrap();
    assert!(begun.contains("--permission-mode=plan --resume="), "{begun}");
    page.close().await;
}

async fn a_text_is_shown_as_it_is_written_and_once_when_it_is_finished() {
    let desk = Desk::english();
    let page = desk.page(DESKTOP).await;
    started(&page, "write something").await;
    page.shows(".told .growing", "Half <b>a</b> text ⟨U+202E⟩").await;
    page.until("what a screen reader leaves out", "document.querySelector('.growing').ariaLive === 'off'").await;
    page.value("location.reload()").await;
    page.online().await;
    page.go("sessions").await;
    page.until("the list", "document.querySelector('.sessions .rows li button')").await;
    page.click(".sessions .rows li button").await;
    page.shows(".told .growing", "Half <b>a</b> text ⟨U+202E⟩").await;
    say(&page, "finish it").await;
    page.shows(".told .text", "Half <b>a</b> text ⟨U+202E⟩ and all").await;
    page.until("nothing that grows", "!document.querySelector('.growing')").await;
    assert_eq!(page.value("document.querySelectorAll('.told .text').length").await, json!(1));
    page.close().await;
}

/// Presses the button of this name among the controls.
pub(crate) async fn press(page: &Page, label: &str) {
    let enabled = "[...document.querySelectorAll('.controls button:enabled')]";
    let button = format!("{enabled}.find((it) => it.textContent === {})", json!(label));
    page.until(label, &button).await;
    page.value(&format!("{button}.click()")).await;
}

async fn a_session_is_named_its_edits_are_undone_as_shown_and_it_is_forked() {
    let desk = Desk::english();
    let page = desk.page(DESKTOP).await;
    started(&page, "say hi").await;
    page.shows(".session .state", "Idle").await;
    page.click(".controls > summary").await;
    page.click("#session-name").await;
    page.write("<b>the</b> tests\n").await;
    page.shows("#session-title", "<b>the</b> tests").await;
    page.shows(".sessions .rows .tool", "<b>the</b> tests").await;

    press(&page, "Undo edits…").await;
    page.shows(".undo", "/work/a").await;
    page.shows(".undo", "+1 −2").await;
    fs::write(desk.work().join("edited"), "3").unwrap();
    press(&page, "Undo these edits").await;
    page.until("the refusal", "document.getElementById('alarm').textContent.includes('files have changed')").await;
    assert!(!desk.work().join("undone").exists(), "what was not shown is not undone");
    press(&page, "Undo edits…").await;
    page.shows(".undo", "+1 −3").await;
    press(&page, "Undo these edits").await;
    until_there(&desk.work().join("undone")).await;
    page.until("the end of it", "document.querySelector('.undo').hidden").await;

    press(&page, "Fork").await;
    page.shows("#session-title", "↳ <b>the</b> tests").await;
    page.until("two sessions", "document.querySelectorAll('.sessions .rows button').length === 2").await;
    // The gateway shows the session before its client runs.
    until_it_holds(&desk.work().join("started"), "--fork-session").await;
    // The client of the first session is ended here, because only the last one is known to the test.
    page.click(".sessions .rows li:last-child button").await;
    page.shows("#session-title", "<b>the</b> tests").await;
    page.click(".controls > summary").await;
    for label in ["End the session", "Press once more to end it"] {
        press(&page, label).await;
    }
    page.shows(".session .state", "Ended").await;
}

async fn what_is_written_to_a_session_answers_nothing() {
    let desk = Desk::english();
    let page = desk.page(DESKTOP).await;
    started(&page, "ask one").await;
    page.shows(".request .part.command", "touch ran-1").await;
    for text in ["yes", "ok, approve"] {
        say(&page, text).await;
        page.shows(".told .said", text).await;
    }
    page.shows(".request .part.command", "touch ran-1").await;
    let open: Value = serde_json::from_str(&desk.gateway.run(&["approvals", "list", "--json"])).unwrap();
    assert_eq!(open["approvals"][0]["status"], "open", "{open}");
    assert!(!desk.work().join("ran-1").exists());
    page.click(".request .actions .deny").await;
    page.until("the field for the reason", "document.activeElement?.id === 'reason'").await;
    page.write("not here\n").await;
    page.shows(".told .text", "denied: User rejected the request. Reason: not here").await;
    page.close().await;
}

async fn what_a_session_says_is_text() {
    let bomb = "<img src=x onerror=\"document.body.remove()\">";
    let desk = Desk::new(&[], bomb);
    let page = desk.page(DESKTOP).await;
    started(&page, &format!("edit {bomb}")).await;
    page.shows(".session > .content > .where", bomb).await;
    page.shows(".session .title", bomb).await;
    page.shows(".sessions .rows .where", bomb).await;
    page.shows(".told .text h3", "Title bold <script>alert(1)</script>").await;
    page.shows(".todos [data-state=doing]", "<i>write</i>").await;
    page.click(".told [data-call=t2] summary").await;
    page.shows(".told [data-call=t2] .part.path", "<b>a</b>.txt").await;
    page.shows(".told [data-call=t2] .part.diff", "<u>one</u>").await;
    page.shows(".told [data-call=t2] .part.diff", "two ⟨U+202E⟩").await;
    page.shows(".told [data-call=t2] .call > pre", "<img src=x onerror=alert(1)> ⟨U+202E⟩").await;
    assert_eq!(page.count(".sessions img, .sessions script, .sessions u, .sessions i, .told b").await, 0);
    assert_eq!(page.value("/\\u202e/.test(document.body.textContent)").await, json!(false));
    page.close().await;
}

async fn a_session_is_led_by_keyboard_alone() {
    let desk = Desk::english();
    let page = desk.page(DESKTOP).await;
    page.until("the tab", "!document.querySelector('[data-view=sessions]').hidden").await;
    page.write("6n").await;
    page.until("the form", "document.activeElement?.id === 'start-prompt'").await;
    page.write(&format!("ask one{TAB}{TAB}{TAB}\n")).await;
    page.shows(".request .part.command", "touch ran-1").await;
    page.until("the buttons", "document.querySelector('.request .actions .approve:enabled')").await;
    page.write("a").await;
    page.shows(".request .hint", "Press once more to approve.").await;
    page.write("\n").await;
    page.shows(".told .text", "allowed").await;
    page.until("no request", "document.querySelector('.request').childElementCount === 0").await;
    page.write("m").await;
    page.until("the field", "document.activeElement?.id === 'session-message'").await;
    page.write("ask two\n").await;
    page.shows(".request .part.command", "touch ran-2").await;
    page.write(&ESCAPE.to_string()).await;
    page.write("i").await;
    page.shows(".told .trouble", "The turn did not go to its end").await;
    page.close().await;
}

/// Gives files to the page as a person chooses, pastes or drops them: each a name, and how many bytes it has.
async fn give(page: &Page, how: &str, files: &[(&str, usize)]) {
    let files: Vec<String> = files
        .iter()
        .map(|(name, size)| format!("new File([new Uint8Array({size}).fill(120)], {})", json!(name)))
        .collect();
    let give = match how {
        "choose" => {
            "const it = document.querySelector('.composer input'); it.files = data.files; it.dispatchEvent(new Event('change'))"
        }
        "paste" => {
            "document.querySelector('#session-message').dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))"
        }
        _ => {
            "document.querySelector('.composer').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }))"
        }
    };
    let add = files.iter().map(|file| format!("data.items.add({file});")).collect::<String>();
    page.value(&format!("(() => {{ const data = new DataTransfer(); {add} {give}; }})()")).await;
}

async fn files_are_chosen_pasted_and_taken_back_and_go_with_the_message() {
    let desk = Desk::english();
    let page = desk.page(DESKTOP).await;
    started(&page, "say begun").await;
    // Parts of one file follow each other; a hostile name is text.
    give(&page, "choose", &[("shot 1.png", 300 << 10), ("<b>x</b>.txt", 0)]).await;
    give(&page, "paste", &[("left out.txt", 5)]).await;
    give(&page, "drop", &[("dropped.pdf", 7)]).await;
    page.until("all of them", "document.querySelectorAll('.attached li').length === 4").await;
    page.shows(".attached", "<b>x</b>.txt").await;
    page.click(".attached [aria-label='Remove left out.txt']").await;
    page.until("them to be uploaded", "!document.querySelector('.composer [type=submit]').disabled").await;
    say(&page, "say seen").await;
    page.shows(".told .said", "📎 dropped.pdf").await;
    page.until("no file", "document.querySelector('.attached').hidden").await;
    let received = || {
        let sessions = fs::read_dir(desk.gateway.state().join("sessions")).unwrap().next().unwrap().unwrap().path();
        let files = fs::read_dir(sessions.join("received")).unwrap().map(|file| file.unwrap().path());
        let named = |path: PathBuf| {
            (path.to_str().unwrap().rsplit_once("-1-").map(|it| it.1.to_owned()), fs::read(path).unwrap().len())
        };
        let mut files: Vec<_> = files.map(named).collect();
        files.sort();
        files
    };
    let name = |name: &str| Some(name.to_owned());
    let kept = received();
    for file in [(name("shot_1.png"), 300 << 10), (name("_b_x__b_.txt"), 0), (name("dropped.pdf"), 7)] {
        assert!(kept.contains(&file), "{file:?} of {kept:?}");
    }
    assert!(!page.text(".told").await.contains("left out"));
    // A file alone is a message; one that is too large is not taken.
    give(&page, "choose", &[("alone.txt", 3)]).await;
    page.until("it to be uploaded", "document.querySelector('.attached small')?.textContent === ''").await;
    page.click(".composer [type=submit]").await;
    page.shows(".told", "📎 alone.txt").await;
    give(&page, "choose", &[("large.bin", (20 << 20) + 1)]).await;
    page.shows("body", "large.bin is too large: at most 20 MiB.").await;
    assert_eq!(page.count(".attached li").await, 0);
    page.close().await;
}

async fn a_session_fits_a_phone_and_speaks_korean() {
    let desk = Desk::new(&[("DMPLZ_LANG", "ko")], "work");
    let page = desk.page(PHONE).await;
    started(&page, "ask one").await;
    page.shows(".session .state", "답 기다림").await;
    page.until("the card", "document.querySelector('.request .approve:enabled')").await;
    page.value("scrollTo(0, 0)").await;
    let edge = |of: &str, edge: &str| format!("document.querySelector('.request {of}').getBoundingClientRect().{edge}");
    let is_below = format!("{} >= {}", edge(".actions", "top"), edge(".part.command", "bottom"));
    assert_eq!(page.value(&is_below).await, json!(true), "an answer is in sight before what it answers");
    page.click(".controls > summary").await;
    let fits = "document.documentElement.scrollWidth <= innerWidth";
    let small = "[...document.querySelectorAll('.session button, .session summary, .session input:not([type=radio]), .session select, .session textarea')]
        .filter((it) => it.checkVisibility()).filter((it) => Math.min(it.offsetWidth, it.offsetHeight) < 40).map((it) => it.outerHTML)";
    let nameless = "[...document.querySelectorAll('button, input, select, textarea, summary, [tabindex=\"0\"], nav, section')]
        .filter((it) => it.checkVisibility())
        .filter((it) => !(it.innerText?.trim() || it.ariaLabel || it.getAttribute('aria-labelledby') || it.labels?.length))
        .map((it) => `${it.tagName}.${it.className}`)";
    assert_eq!(page.value(fits).await, json!(true));
    let small = page.value(small).await;
    // Raw JSON is a line of text that opens, as in the inbox.
    let small: Vec<&str> = small.as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert!(small.iter().all(|it| it.contains("원본 JSON")), "{small:?}");
    assert_eq!(page.value(nameless).await, json!([]));
    page.click(".session > header .back").await;
    page.shows(".sessions .rows .left", "답 기다림").await;
    assert_eq!((page.value(fits).await, page.count(".session").await), (json!(true), 0));
    page.click(".sessions .rows button").await;
    page.click(".request .actions .approve").await;
    page.shows(".told .text", "allowed").await;
    page.close().await;
}

async fn what_happens_while_the_gateway_is_away_is_read_afterwards() {
    let mut desk = Desk::english();
    let page = desk.page(DESKTOP).await;
    started(&page, "ask one").await;
    page.shows(".request .part.command", "touch ran-1").await;
    desk.gateway.kill();
    desk.gateway.restart();
    page.online().await;
    page.go("sessions").await;
    page.shows(".told .said", "ask one").await;
    page.until("the request once", "document.querySelectorAll('.request .card').length === 1").await;
    page.click(".request .actions .approve").await;
    page.shows(".told .text", "allowed").await;
    assert_eq!(page.count(".told .said").await, 1);
    page.close().await;
}

async fn only_the_folders_of_the_operator_are_started_in() {
    let desk = Desk::english();
    let page = desk.page(DESKTOP).await;
    let cwd = |path: &Path| json!({ "cwd": path });
    let refused = desk.start(&page, &cwd(&desk.root.path().join("bin"))).await;
    assert_eq!(
        (&refused["status"], &refused["body"]["error"]["code"]),
        (&json!(403), &json!("forbidden")),
        "{refused}"
    );
    for bad in [
        json!({ "cwd": "work" }),
        json!({ "cwd": desk.work(), "env": {} }),
        json!({ "cwd": desk.work(), "mode": "bypassPermissions" }),
    ] {
        let refused = desk.start(&page, &bad).await;
        assert_eq!(refused["status"], 400, "{bad} {refused}");
    }
    page.go("sessions").await;
    page.click(".sessions .new").await;
    page.value("document.getElementById('start-folder').value = '/'").await;
    page.click(".starting [type=submit]").await;
    page.until(
        "the refusal",
        "document.getElementById('alarm').textContent.includes('may not be started in this folder')",
    )
    .await;
    let started = desk.start(&page, &cwd(&desk.work())).await;
    assert_eq!(started["status"], 200, "{started}");
    page.until("it in the list", "document.querySelectorAll('.sessions .rows button').length === 1").await;
    page.close().await;

    let bare = Desk::new(&[("DMPLZ_RUN_FOLDERS", "")], "work");
    let page = bare.page(DESKTOP).await;
    assert_eq!(bare.start(&page, &cwd(&bare.work())).await["status"], 403);
    assert_eq!(page.count("[data-view=sessions]").await, 0, "there is none, and none may be started");
    page.close().await;
}
