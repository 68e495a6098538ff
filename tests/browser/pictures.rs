//! The pictures of the page in the documents. With `DMPLZ_RECORD` set they are taken anew (`docs/inbox-*.png`, `docs/session-*.png`, `docs/notices-*.png`); without,
//! this shows that there still is what they show.

use std::path::Path;

use dmplz_e2e::{Hook, stdin};
use serde_json::{Value, json};

use crate::gateway::Gateway;
use crate::page::Page;
use crate::sessions::{Desk, started};
use crate::settings::{SECRET, server};

tests! {
    browser:
        the_documents_show_the_page_as_it_is_in_english,
        the_documents_show_the_page_as_it_is_in_korean,
        the_documents_show_a_session_as_it_is_in_english,
        the_documents_show_a_session_as_it_is_in_korean,
        the_documents_show_the_settings_of_notices_as_they_are_in_both_languages;
}

async fn the_documents_show_the_page_as_it_is_in_english() {
    take(
        "en",
        "Which database should it use?",
        ["Storage", "SQLite", "Postgres"],
        "# Make the search fast\n\n1. Measure.",
    )
    .await;
}

async fn the_documents_show_the_page_as_it_is_in_korean() {
    take("ko", "어느 데이터베이스를 쓸까요?", ["저장소", "SQLite", "Postgres"], "# 검색을 빠르게\n\n1. 시간을 잽니다.")
        .await;
}

async fn the_documents_show_a_session_as_it_is_in_english() {
    session("en", "fix the failing test").await;
}

async fn the_documents_show_a_session_as_it_is_in_korean() {
    session("ko", "fix: 실패하는 테스트를 고쳐 줘").await;
}

/// Two channels and two routes, after a test of one channel: on a desktop and on a phone.
async fn the_documents_show_the_settings_of_notices_as_they_are_in_both_languages() {
    let (url, _got) = server(&[]);
    let gateway = Gateway::with_file(&format!(
        "[notify.channels.team]\ntype = \"webhook\"\nurl = \"{url}\"\nsecret = \"{SECRET}\"\n\n[notify.channels.desk]\ntype = \"desktop\"\n\n\
         [[notify.routes]]\nevents = [\"PostToolUseFailure\", \"RequestExpired\"]\nto = [\"team\"]\ndetail = \"normal\"\n\n\
         [[notify.routes]]\nevents = [\"Stop\"]\nto = [\"desk\"]\n"
    ));
    let desktop = Page::paired(&gateway, (1280, 1120)).await;
    desktop.is_dark().await;
    let phone = Page::paired(&gateway, (390, 780)).await;
    phone.is_sharp((390, 780)).await;
    for (lang, title, sent) in [("en", "Notices and hooks", "Last sent "), ("ko", "알림과 훅", "마지막 전송")]
    {
        for (page, name) in [(&desktop, "desktop"), (&phone, "phone")] {
            if lang == "ko" {
                page.click(".lang").await;
            }
            page.go("settings").await;
            page.shows(".settings h1", title).await;
            if (lang, name) == ("en", "desktop") {
                page.click("[data-channel=team] .test").await;
            }
            page.shows("[data-channel=team] .state", sent).await;
            page.until("the routes", "document.querySelector('[data-route=\"2\"]')").await;
            page.value("(scrollTo(0, 0), 1)").await;
            page.save(&format!("notices-{name}.{lang}.png")).await;
        }
    }
    phone.close().await;
    desktop.close().await;
}

/// A session that has worked, and waits for an answer: on a desktop and on a phone.
async fn session(lang: &str, prompt: &str) {
    let desk = Desk::new(&[("DMPLZ_LANG", lang)], "shop");
    let desktop = desk.page((1280, 1120)).await;
    desktop.is_dark().await;
    started(&desktop, prompt).await;
    desktop.shows(".session .limit", "5h").await;
    desktop.can_press("approve").await;
    desktop.until("nothing above it", "document.getElementById('toasts').childElementCount === 0").await;
    desktop.value("(scrollTo(0, 0), 1)").await;
    desktop.save(&format!("session-desktop.{lang}.png")).await;
    let phone = desk.page((390, 780)).await;
    phone.is_sharp((390, 780)).await;
    phone.go("sessions").await;
    phone.click(".sessions .rows button").await;
    phone.can_press("approve").await;
    phone.save(&format!("session-phone.{lang}.png")).await;
    phone.close().await;
    desktop.close().await;
}

async fn take(lang: &str, question: &str, [header, one, other]: [&str; 3], plan: &str) {
    let gateway = Gateway::with(&[("DMPLZ_LANG", lang), ("USER", "jin")]);
    let desktop = Page::paired(&gateway, (1280, 800)).await;
    desktop.is_dark().await;
    let push = ask(&gateway, &desktop, "8b3f", stdin::push(), "git push origin main").await;
    let mut asking = stdin::captured("PermissionRequest-AskUserQuestion");
    let option = |label: &str, text: &str| json!({ "label": label, "description": text });
    let (first, second) = match lang {
        "ko" => ("파일 하나, 설치할 것 없음", "여러 서버가 함께 쓸 때"),
        _ => ("One file, nothing to install", "Where several servers share it"),
    };
    let options = json!([option(one, first), option(other, second)]);
    asking["tool_input"]["questions"] =
        json!([{ "question": question, "header": header, "options": options, "multiSelect": false }]);
    let asking = ask(&gateway, &desktop, "51c7", asking, question).await;
    let mut planned = stdin::captured("PermissionRequest-ExitPlanMode");
    planned["tool_input"]["plan"] = json!(plan);
    let title = plan.lines().next().unwrap().trim_start_matches("# ");
    let planned = ask(&gateway, &desktop, "a2d0", planned, title).await;
    for offered in ["#scope", ".always .keep", "[data-decision=grant-30m]", "[data-decision=approve]"] {
        assert_eq!(desktop.count(offered).await, 1, "{offered}");
    }
    desktop.can_press("approve").await;
    desktop.save(&format!("inbox-desktop.{lang}.png")).await;
    let phone = Page::paired(&gateway, (390, 780)).await;
    phone.is_sharp((390, 780)).await;
    phone.shows(".rows button", question).await;
    phone.click(".rows li:nth-child(2) button").await;
    phone.shows("main", second).await;
    phone.click(".question .option").await;
    phone.can_press("answers").await;
    phone.save(&format!("inbox-phone.{lang}.png")).await;
    drop((push, asking, planned));
    phone.close().await;
    desktop.close().await;
}

/// Asks, and waits until the list names it.
async fn ask(gateway: &Gateway, page: &Page, session: &str, mut event: Value, named: &str) -> Hook {
    event["session_id"] = json!(format!("{session}fdb6-90c3-4a8e-9b52-6f3d1a7c40e2"));
    event["cwd"] = json!("/home/jin/shop");
    let hook = gateway.hook(&event);
    page.shows(".rows .what", named).await;
    hook
}

impl Page {
    /// Emulates a system with a dark colour scheme.
    async fn is_dark(&self) {
        let dark = json!({ "name": "prefers-color-scheme", "value": "dark" });
        self.devtools("Emulation.setEmulatedMedia", json!({ "features": [dark] })).await;
    }

    /// Emulates a phone's screen.
    async fn is_sharp(&self, (width, height): (u32, u32)) {
        let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": 2, "mobile": true });
        self.devtools("Emulation.setDeviceMetricsOverride", metrics).await;
    }

    /// Waits until a button can be pressed: one that has just moved under the finger cannot.
    async fn can_press(&self, decision: &str) {
        let ready = format!("document.querySelector('[data-decision={decision}]')?.matches(':enabled')");
        self.until("a button that can be pressed", &ready).await;
    }

    /// Takes a picture, where pictures are asked for.
    async fn save(&self, name: &str) {
        if std::env::var_os("DMPLZ_RECORD").is_some() {
            let picture = self.picture().await;
            std::fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name), picture).unwrap();
        }
    }
}
