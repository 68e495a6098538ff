//! The settings of notices on the page: what is shown is what the file has, what is changed is in the file, and no secret is shown.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::mpsc::{Receiver, channel};

use dmplz_e2e::telegram::TelegramRoom;
use dmplz_e2e::{Chat, JIN, MIN, SOON};
use dmplz_fakes::telegram::User;
use serde_json::json;

use crate::gateway::Gateway;
use crate::page::{DESKTOP, PHONE, Page, TAB};

tests! {
    browser:
        a_failing_channel_is_mended_and_its_notice_sent_again,
        what_is_changed_is_in_the_file_and_a_wrong_value_is_named_beside_its_field,
        what_an_event_would_send_is_shown_with_its_masks_and_its_markup_as_text,
        a_test_is_proven_by_a_press_of_somebody_who_may_answer,
        hooks_are_listed_and_trusted_exactly_as_they_were_shown,
        the_settings_have_names_and_fit_a_phone_in_both_languages;
}

pub(crate) const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const BOMB: &str = "<img src=x onerror=\"document.body.remove()\">";

/// Answers with these statuses, one after the other, and then with 204. Returns its address, and what each request was.
pub(crate) fn server(statuses: &'static [u16]) -> (String, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/hook/hunter2", listener.local_addr().unwrap());
    let (send, got) = channel();
    std::thread::spawn(move || {
        let mut statuses = statuses.iter().copied();
        for mut stream in listener.incoming().flatten() {
            let mut request = Vec::new();
            let mut piece = [0; 4_096];
            while !String::from_utf8_lossy(&request).ends_with('}') {
                match stream.read(&mut piece) {
                    Ok(0) | Err(_) => break,
                    Ok(read) => request.extend_from_slice(&piece[..read]),
                }
            }
            let status = statuses.next().unwrap_or(204);
            let _ = write!(stream, "HTTP/1.1 {status} X\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
            let _ = send.send(String::from_utf8_lossy(&request).into_owned());
        }
    });
    (url, got)
}

fn webhook(url: &str) -> String {
    format!(
        "# mine\n[notify.channels.ops]\ntype = \"webhook\"\nurl = \"{url}\"\nsecret = \"{SECRET}\"\n\n[[notify.routes]]\n\
         events = [\"PostToolUseFailure\"]\nonly = ['{BOMB}', \"Ba\\u202Esh\"]\nto = [\"ops\"]\ndetail = \"normal\"\n"
    )
}

fn file(gateway: &Gateway) -> String {
    std::fs::read_to_string(gateway.state().join("config.toml")).unwrap()
}

async fn a_failing_channel_is_mended_and_its_notice_sent_again() {
    let (url, got) = server(&[404]);
    let gateway = Gateway::with_file(&webhook(&url));
    let page = Page::paired(&gateway, DESKTOP).await;
    page.open(&format!("{}/settings/notifications", gateway.url)).await;
    page.shows(".settings h1", "Notices and hooks").await;
    page.shows("[data-channel=ops] .state", "Nothing sent yet").await;
    page.shows("[data-route='1']", &format!("only {BOMB}, Ba⟨U+202E⟩sh")).await;
    page.click("[data-channel=ops] .test").await;
    page.shows("[data-channel=ops] .result", "Not sent: it answered 404").await;
    page.shows("[data-channel=ops][data-failing] .state", "✗ Fails since ").await;
    page.shows(".notice-log [data-status=dead]", "ops").await;
    got.recv_timeout(SOON).unwrap();
    page.click(".notice-log [data-status=dead] button").await;
    got.recv_timeout(SOON).unwrap();
    // It may be below the bar at the top, where the log was scrolled to.
    page.value("document.querySelector('[data-channel=ops] .test').scrollIntoView({ block: 'center' })").await;
    page.click("[data-channel=ops] .test").await;
    page.shows("[data-channel=ops] .result", "Sent: the service accepted the test.").await;
    assert!(got.recv_timeout(SOON).unwrap().contains("notices arrive on this channel"));
    page.shows("[data-channel=ops]:not([data-failing]) .state", "Last sent ").await;
    page.until("the other was sent too", "document.querySelectorAll('.notice-log [data-status=sent]').length === 2")
        .await;
    assert_eq!(page.count(".settings img").await, 0);
    let whole = page.value("document.documentElement.outerHTML").await.to_string();
    assert!(!whole.contains("hunter2") && !whole.contains("MfKQ9r8"), "a secret is on the page");
    page.close().await;
}

async fn what_is_changed_is_in_the_file_and_a_wrong_value_is_named_beside_its_field() {
    let (url, _got) = server(&[]);
    let gateway = Gateway::with_file(&webhook(&url));
    let page = Page::paired(&gateway, DESKTOP).await;
    page.write("7").await;
    page.shows("[data-channel=ops]", "Webhook").await;
    assert_eq!(page.text(".stale").await, "");
    // By the keyboard alone: the quiet hours, first wrong, then right.
    page.value("document.querySelector('[data-field=quiet] input').focus()").await;
    page.write("22-7\n").await;
    page.shows("[data-field=quiet] .wrong", "Two different times of day").await;
    page.until("the field has the focus", "document.activeElement?.ariaInvalid === 'true'").await;
    page.value("document.activeElement.select()").await;
    page.write(&format!("22:00-07:00{TAB}UTC\n")).await;
    page.shows(".stale", "Start dmplz serve again").await;
    page.shows(".settings", "Notices wait at 22:00-07:00 (UTC).").await;
    assert_eq!(page.text("[data-field=quiet] .wrong").await, "");
    // A new channel: its name is taken, then free.
    page.click(".set-add summary").await;
    page.value("document.querySelector('.set-add [data-field=name] input').focus()").await;
    page.write("ops\n").await;
    page.shows(".set-add [data-field=name] .wrong", "A new name").await;
    page.value("document.activeElement.select()").await;
    page.write("desk\n").await;
    page.shows("[data-channel=desk]", "Web push").await;
    // A route to it.
    page.click("[data-route='1'] summary").await;
    page.click("[data-route='1'] [data-field=to] input[value=desk]").await;
    page.click("[data-route='1'] [data-field=events] input[value=Stop]").await;
    page.click("[data-route='1'] .approve").await;
    page.shows("[data-route='1'] h3", "A turn is finished, A tool failed → desk, ops").await;
    // A template, first with a path that there is not.
    page.click(".set-add:has([data-field=body]) summary").await;
    page.value("document.querySelector('.set-add:has([data-field=body]) [data-field=name] input').focus()").await;
    page.write(&format!("short{TAB}{{{{event.tilte}}}}\n")).await;
    page.shows(".set-add:has([data-field=body]) [data-field=title] .wrong", "none of those below").await;
    page.value("document.activeElement.select()").await;
    page.write("{{event.title}}!\n").await;
    page.shows("[data-template=short]", "{{event.title}}!").await;
    // A secret is written, and not shown.
    page.click("[data-channel=ops] summary").await;
    page.value("document.querySelector('[data-channel=ops] [data-field=secret] input').focus()").await;
    page.write("hunter3\n").await;
    page.shows("[data-channel=ops] [data-field=secret] .wrong", "whsec_ and the base64").await;
    // A channel that a route leads to stays.
    page.click("[data-channel=desk] summary").await;
    page.click("[data-channel=desk] .set-form button:not(.approve)").await;
    page.shows("[data-channel=desk]", "Press once more to remove it").await;
    page.click("[data-channel=desk] .set-form button:not(.approve)").await;
    page.shows("[data-channel=desk] .wrong", "One that a route leads to cannot be removed.").await;
    let text = file(&gateway);
    assert!(text.contains("# mine\n[notify.channels.ops]\n") && text.contains(&url) && text.contains(SECRET), "{text}");
    assert!(text.contains("quiet = \"22:00-07:00\"") && text.contains("zone = \"UTC\""), "{text}");
    assert!(
        text.contains("events = [\"Stop\", \"PostToolUseFailure\"]") && text.contains("to = [\"desk\", \"ops\"]"),
        "{text}"
    );
    assert!(text.contains("[notify.channels.desk]\ntype = \"push\"") && !text.contains("hunter3"), "{text}");
    // Whoever changes the file meanwhile is not overwritten.
    std::fs::write(gateway.state().join("config.toml"), webhook(&url)).unwrap();
    page.value("document.querySelector('[data-field=zone] input').focus()").await;
    page.write("\n").await;
    page.shows("#toasts", "has changed meanwhile").await;
    assert_eq!(file(&gateway), webhook(&url));
    page.until("it is read again", "!document.querySelector('[data-channel=desk]')").await;
    page.close().await;
}

async fn what_an_event_would_send_is_shown_with_its_masks_and_its_markup_as_text() {
    let (url, _got) = server(&[]);
    let gateway = Gateway::with_file(&webhook(&url));
    let page = Page::paired(&gateway, DESKTOP).await;
    page.go("settings").await;
    page.click("section:has(> .previews) .approve").await;
    page.shows(".level[data-detail=normal]", "Bash: Exit code 1").await;
    page.shows(".previewed h3", "no route leads here").await;
    let event = json!({
        "hook_event_name": "PostToolUseFailure", "session_id": "s", "cwd": format!("/{BOMB}"), "tool_name": BOMB,
        "tool_input": { "command": "true" }, "error": format!("{BOMB} token ghp_0123456789abcdefghijABCDEFGHIJ012345 \u{202e}"),
    });
    let fill = format!("document.querySelector('[data-field=input] textarea').value = {}", json!(event.to_string()));
    page.value(&fill).await;
    page.click("section:has(> .previews) .approve").await;
    page.shows(".level[data-detail=normal] mark", "****").await;
    page.shows(".level[data-sent]", BOMB).await;
    page.shows(".previewed h3", "would be sent now").await;
    assert_eq!(page.count(".settings img").await, 0);
    let shown = page.text(".previews").await;
    assert!(!shown.contains("ghp_0123456789") && !shown.contains('\u{202e}'), "{shown}");
    page.value("document.querySelector('[data-field=input] textarea').value = '{'").await;
    page.click("section:has(> .previews) .approve").await;
    page.shows("#toasts", "the event cannot be read").await;
    page.close().await;
}

async fn a_test_is_proven_by_a_press_of_somebody_who_may_answer() {
    let chat = Chat::telegram_group();
    let gateway =
        Gateway::with_chat(&chat, "[notify.channels.phone]\ntype = \"messenger\"\nmessenger = \"telegram\"\n");
    let page = Page::paired(&gateway, DESKTOP).await;
    page.go("settings").await;
    page.click("[data-channel=phone] .test").await;
    page.shows("[data-channel=phone] .result", "Sent. Waiting for the press").await;
    let room: &TelegramRoom = chat.room();
    let fake = room.fake.clone();
    let label = "✅ Press to confirm";
    let test = fake.await_message(SOON, |message| message.button(label).is_some()).await.unwrap();
    let by = |person: dmplz_e2e::Person| User::person(person.id.into(), person.name);
    let press = fake.press((room.chat, test.id), label, &by(MIN)).unwrap();
    let answer = fake.await_answer(&press, SOON).await.unwrap();
    assert_eq!(answer.text, "You may not answer in this chat.");
    page.shows("[data-channel=phone] .result", "Sent. Waiting for the press").await;
    fake.press((room.chat, test.id), label, &by(JIN)).unwrap();
    page.shows("[data-channel=phone] .result", "Works both ways: pressed by jin.").await;
    fake.await_message(SOON, |message| message.text().contains("Pressed by jin.") && message.keyboard().is_empty())
        .await
        .unwrap();
    page.close().await;
}

async fn hooks_are_listed_and_trusted_exactly_as_they_were_shown() {
    let gateway = Gateway::with_file("hooks = [\"user\"]\n");
    let project = gateway.home().join("shop");
    for (folder, command) in [(gateway.home(), "say user"), (project.as_path(), BOMB)] {
        std::fs::create_dir_all(folder.join(".claude")).unwrap();
        let hook = json!({ "type": "command", "command": command, "description": BOMB });
        let other = json!({ "type": "prompt", "prompt": "x" });
        let settings = json!({ "hooks": { "Stop": [{ "hooks": [hook, other] }] } });
        std::fs::write(folder.join(".claude/settings.json"), settings.to_string()).unwrap();
    }
    let page = Page::paired(&gateway, DESKTOP).await;
    page.go("settings").await;
    page.shows("[data-runs=yes]", "say user").await;
    page.shows("[data-runs=no]", "hooks of type prompt are not run").await;
    assert_eq!(page.count("[data-source]").await, 1);
    page.value("document.querySelector('[data-field=folder] input').focus()").await;
    page.write(&format!("{}\n", project.display())).await;
    page.shows("[data-source=project]", "off (DMPLZ_HOOKS)").await;
    page.click("[data-field=hooks] input[value=project]").await;
    page.click("form:has([data-field=hooks]) .approve").await;
    page.shows("#toasts", "It counts from now on").await;
    assert_eq!(file(&gateway), "hooks = [\"user\", \"project\"]\n");
    page.shows("[data-source=project]", "not trusted").await;
    page.shows("[data-runs=no]", BOMB).await;
    page.shows("[data-runs=no]", "nobody trusts the hooks of this folder").await;
    page.shows("[data-source=local]", "no such file").await;
    // What changes after it was shown is not trusted.
    page.shows(".trust", "Not trusted").await;
    page.shows(".trusted-text", "<img src=x onerror=").await;
    let settings = project.join(".claude/settings.json");
    let changed = std::fs::read_to_string(&settings).unwrap().replace("\"prompt\":\"x\"", "\"prompt\":\"other\"");
    std::fs::write(&settings, changed).unwrap();
    page.click(".trust .approve").await;
    page.shows(".trust .approve", "Press once more").await;
    page.click(".trust .approve").await;
    page.shows("#toasts", "have changed since they were shown").await;
    page.shows(".trusted-text", "other").await;
    page.shows("[data-source=project]", "not trusted").await;
    for expected in ["Press once more", "Trust no more"] {
        page.click(".trust .approve").await;
        page.shows(".trust", expected).await;
    }
    page.shows(".trust", "Trusted, as it is now").await;
    page.shows("[data-source=project] .sign-good", "").await;
    let listed = gateway.run(&["hooks", "trust", "--list"]);
    assert!(listed.contains("shop"), "{listed}");
    // A change is shown as a diff.
    let changed = std::fs::read_to_string(&settings).unwrap().replace("\"prompt\":\"other\"", "\"prompt\":\"third\"");
    std::fs::write(&settings, changed).unwrap();
    page.click("form:has([data-field=folder]) .approve").await;
    page.shows(".trust", "Changed since it was trusted").await;
    page.shows(".line-added", "third").await;
    page.shows(".line-removed", "other").await;
    page.click(".trust .set-buttons button:not(.approve)").await;
    page.shows(".trust", "Not trusted").await;
    assert_eq!(page.count(".settings img").await, 0);
    page.close().await;
}

async fn the_settings_have_names_and_fit_a_phone_in_both_languages() {
    let (url, _got) = server(&[]);
    let gateway =
        Gateway::with_file(&format!("{}\n[notify.channels.{}]\ntype = \"desktop\"\n", webhook(&url), "x".repeat(32)));
    let page = Page::paired(&gateway, PHONE).await;
    for (button, title) in [("", "Notices and hooks"), (".lang", "알림과 훅")] {
        if !button.is_empty() {
            page.click(button).await;
        }
        page.go("settings").await;
        page.shows(".settings h1", title).await;
        page.until("the channels", "document.querySelector('[data-route]')").await;
        page.value("document.querySelectorAll('.settings details').forEach((it) => (it.open = true))").await;
        assert_eq!(page.value("document.documentElement.scrollWidth <= innerWidth").await, json!(true), "{title}");
        let small = "[...document.querySelectorAll('.settings button, .settings summary, .settings select, .settings input:not([type=checkbox]), .settings .tick')]
            .filter((it) => it.checkVisibility()).filter((it) => it.offsetHeight < 40 || it.offsetWidth < 40).map((it) => it.outerHTML)";
        assert_eq!(page.value(small).await, json!([]), "{title}");
        let nameless = "[...document.querySelectorAll('.settings :is(button, input, select, textarea, summary, section, fieldset)')]
            .filter((it) => it.checkVisibility()).filter((it) => !(it.innerText?.trim() || it.ariaLabel || it.labels?.length)).map((it) => it.outerHTML)";
        assert_eq!(page.value(nameless).await, json!([]), "{title}");
    }
    page.close().await;
}
