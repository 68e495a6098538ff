//! One browser with the page in it. Everything waits for a condition; nothing waits for a time.

use std::time::Instant;

use dmplz_e2e::SOON;
use fantoccini::Locator;
use fantoccini::actions::{InputSource, KeyAction, KeyActions};
use serde_json::{Value, json};

use crate::driver::Browser;
use crate::gateway::Gateway;

/// Collects every violation of the content policy and every uncaught error, neither of which may occur.
const WATCH: &str = "globalThis.troubles = [];
addEventListener('securitypolicyviolation', (event) => troubles.push(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`));
addEventListener('error', (event) => troubles.push(`error: ${event.message} ${event.filename}:${event.lineno}`));
addEventListener('unhandledrejection', (event) => troubles.push(`rejection: ${event.reason}`));";

/// A browser window.
pub(crate) struct Page {
    browser: Browser,
    /// The origin of the gateway's page.
    origin: String,
}

/// The width and height of a window in CSS pixels.
pub(crate) const PHONE: (u32, u32) = (360, 740);
pub(crate) const DESKTOP: (u32, u32) = (1280, 800);

impl Page {
    /// Opens the page in a browser that is not paired.
    pub(crate) async fn unpaired(gateway: &Gateway, size: (u32, u32)) -> Self {
        Self::within(Browser::open().await, gateway, size).await
    }

    async fn within(browser: Browser, gateway: &Gateway, (width, height): (u32, u32)) -> Self {
        let page = Self { browser, origin: gateway.url.clone() };
        page.devtools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": WATCH })).await;
        let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        page.devtools("Emulation.setDeviceMetricsOverride", metrics).await;
        page.browser.client.goto(&gateway.url).await.unwrap();
        page
    }

    /// Opens the page and pairs it; `settings` of the gateway make it English unless the test says otherwise.
    pub(crate) async fn paired(gateway: &Gateway, size: (u32, u32)) -> Self {
        let page = Self::unpaired(gateway, size).await;
        page.pair(gateway).await;
        page
    }

    /// Opens the page and pairs it in a browser that has shown nothing before.
    pub(crate) async fn first_of_a_browser(gateway: &Gateway, size: (u32, u32)) -> Self {
        let page = Self::within(Browser::start().await, gateway, size).await;
        page.pair(gateway).await;
        page
    }

    /// Goes to another address.
    pub(crate) async fn open(&self, address: &str) {
        self.browser.client.goto(address).await.unwrap();
    }

    /// Types a code into the pairing screen.
    pub(crate) async fn pair(&self, gateway: &Gateway) {
        self.until("the pairing screen", "document.activeElement?.id === 'code'").await;
        self.write(&format!("{}\n", gateway.code())).await;
        self.online().await;
    }

    /// Waits for the live connection.
    pub(crate) async fn online(&self) {
        self.until("the connection", "document.body.dataset.line === 'up'").await;
    }

    /// Returns the value of an expression in the page.
    pub(crate) async fn value(&self, expression: &str) -> Value {
        self.browser.client.execute(&format!("return ({expression})"), Vec::new()).await.unwrap_or_else(|error| {
            panic!("{expression}: {error}");
        })
    }

    /// Returns the value of a promise in the page.
    pub(crate) async fn promised(&self, promise: &str) -> Value {
        let script =
            format!("const done = arguments[0]; ({promise}).then(done, (error) => done(`failed: ${{error}}`));");
        self.browser.client.execute_async(&script, Vec::new()).await.unwrap()
    }

    /// Waits until an expression is true in the page.
    pub(crate) async fn until(&self, what: &str, expression: &str) {
        let end = Instant::now() + SOON;
        while self.value(&format!("!!({expression})")).await != json!(true) {
            if Instant::now() > end {
                let text = self.value("document.body.innerText").await;
                panic!(
                    "{what}: not within {SOON:?}; the page shows {text}; troubles: {}",
                    self.value("troubles").await
                );
            }
            tokio::time::sleep(std::time::Duration::from_millis(15)).await;
        }
    }

    /// Waits until an element that can be seen has this text in it.
    pub(crate) async fn shows(&self, selector: &str, text: &str) {
        let (selector, wanted) = (json!(selector), json!(text));
        let test = format!(
            "[...document.querySelectorAll({selector})].some((it) => it.checkVisibility() && it.innerText.includes({wanted}))"
        );
        self.until(&format!("{text:?} in {selector}"), &test).await;
    }

    /// Returns the visible text of an element.
    pub(crate) async fn text(&self, selector: &str) -> String {
        let found = self.value(&format!("document.querySelector({})?.innerText ?? null", json!(selector))).await;
        found.as_str().unwrap_or_else(|| panic!("no {selector}")).to_owned()
    }

    /// Returns the number of visible elements that match.
    pub(crate) async fn count(&self, selector: &str) -> u64 {
        let selector = json!(selector);
        let seen = format!("[...document.querySelectorAll({selector})].filter((it) => it.checkVisibility()).length");
        self.value(&seen).await.as_u64().unwrap()
    }

    /// Clicks as a pointer does, once there is something to click that takes it.
    pub(crate) async fn click(&self, selector: &str) {
        let ready = format!(
            "document.querySelector({})?.matches(':enabled:not([aria-disabled]), :not(button)')",
            json!(selector)
        );
        self.until(&format!("{selector} to click"), &ready).await;
        // As far as a person scrolls: the answers stay in sight and cover what is below.
        self.value(&format!("document.querySelector({}).scrollIntoView({{ block: 'center' }})", json!(selector))).await;
        self.browser.client.find(Locator::Css(selector)).await.unwrap().click().await.unwrap();
    }

    /// Types, wherever the focus is.
    pub(crate) async fn write(&self, text: &str) {
        let mut keys = KeyActions::new("keyboard".to_owned());
        for key in text.chars() {
            let value = if key == '\n' { ENTER } else { key };
            keys = keys.then(KeyAction::Down { value }).then(KeyAction::Up { value });
        }
        self.browser.client.perform_actions(keys).await.unwrap();
    }

    /// Holds Enter for as long as it takes to repeat three times, where the focus is.
    pub(crate) async fn hold_enter(&self) {
        for repeat in 0..=3 {
            self.enter("keyDown", repeat > 0).await;
        }
        self.enter("keyUp", false).await;
    }

    /// Presses Enter, lets it repeat, or releases it.
    pub(crate) async fn enter(&self, kind: &str, is_repeat: bool) {
        let key = json!({
            "type": kind, "key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13, "text": "\r", "autoRepeat": is_repeat,
        });
        self.devtools("Input.dispatchKeyEvent", key).await;
    }

    /// Opens the view with this name.
    pub(crate) async fn go(&self, view: &str) {
        self.click(&format!("[data-view={view}]")).await;
    }

    /// Asks Chromium itself. Returns its reply.
    pub(crate) async fn devtools(&self, command: &str, params: Value) -> Value {
        self.browser.devtools(command, params).await
    }

    /// Returns the visible part of the page as PNG.
    pub(crate) async fn picture(&self) -> Vec<u8> {
        self.browser.client.screenshot().await.unwrap()
    }

    /// Insists that the page met no trouble, and leaves the browser to the next one.
    pub(crate) async fn close(self) {
        assert_eq!(self.value("troubles").await, json!([]));
        self.browser.leave(&self.origin).await;
    }
}

/// The keys that have no character, as WebDriver writes them.
pub(crate) const ENTER: char = '\u{e007}';
pub(crate) const ESCAPE: char = '\u{e00c}';
pub(crate) const TAB: char = '\u{e004}';
