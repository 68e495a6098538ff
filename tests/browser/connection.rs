//! Tests of a page that loses its gateway: it says so, reconnects automatically, and then shows the gateway's state.

use std::sync::{Arc, Mutex};

use dmplz_e2e::stdin;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::handshake::server::{Request, Response};

use crate::gateway::Gateway;
use crate::page::{DESKTOP, Page};

tests! {
    browser:
        a_killed_gateway_comes_back_and_nothing_is_lost_or_doubled,
        a_page_that_lost_its_line_comes_back_by_itself,
        a_page_that_cannot_reach_its_gateway_says_so_from_the_start,
        after_a_break_only_what_still_waits_is_told,
        the_time_that_is_left_is_the_gateways_after_a_clock_was_set,
        a_page_shows_and_sends_nothing_to_a_program_that_took_the_port,
        a_page_removes_what_another_program_left_in_the_browser,
        a_page_that_is_reloaded_stays_paired_and_one_that_is_disconnected_does_not;
}

async fn a_killed_gateway_comes_back_and_nothing_is_lost_or_doubled() {
    let mut gateway = Gateway::with(&[("DMPLZ_LANG", "en")]);
    let page = Page::paired(&gateway, DESKTOP).await;
    let (first, second) =
        (gateway.hook(&stdin::bash("one", "make one")), gateway.hook(&stdin::bash("two", "make two")));
    page.until("both", "document.querySelectorAll('.rows button').length === 2").await;
    page.until("the buttons", "document.querySelector('.actions .approve:enabled')").await;
    gateway.kill();
    page.shows(".lost", "Connection lost.").await;
    page.write("aa").await;
    page.shows(".toast.bad", "The connection was lost, so the answer is not confirmed.").await;
    gateway.restart();
    // The pairing outlives a short absence.
    page.online().await;
    page.until("both, once each", "document.querySelectorAll('.rows button[data-status=open]').length === 2").await;
    let third = gateway.hook(&stdin::bash("three", "make three"));
    page.until("what came later", "document.querySelectorAll('.rows button[data-status=open]').length === 3").await;
    for _ in 0..3 {
        page.click(".actions .approve").await;
        page.until(
            "the next one",
            "document.querySelector('.actions .approve:enabled') || !document.title.startsWith('(')",
        )
        .await;
    }
    for hook in [first, second, third] {
        hook.ended().decides(json!({ "behavior": "allow" }));
    }
    page.until("nothing waits", "document.title === 'dmplz'").await;
    page.close().await;
}

/// Remembers the WebSocket by which the page said something last.
const REMEMBER: &str = "(() => { const { send } = WebSocket.prototype; \
    WebSocket.prototype.send = function (text) { globalThis.line = this; return send.call(this, text); }; })()";

async fn a_page_that_lost_its_line_comes_back_by_itself() {
    let gateway = Gateway::with(&[("DMPLZ_LANG", "en")]);
    let page = Page::paired(&gateway, DESKTOP).await;
    page.value(REMEMBER).await;
    page.go("history").await;
    page.until("the line", "globalThis.line").await;
    page.value("(globalThis.first = line).close()").await;
    page.until("another line", "line !== first && document.body.dataset.line === 'up'").await;
    page.go("inbox").await;
    let hook = gateway.hook(&stdin::bash("one", "make one"));
    page.click(".actions .approve").await;
    hook.ended().decides(json!({ "behavior": "allow" }));
    page.close().await;
}

async fn a_page_that_cannot_reach_its_gateway_says_so_from_the_start() {
    let gateway = Gateway::with(&[("DMPLZ_LANG", "en")]);
    let page = Page::paired(&gateway, DESKTOP).await;
    // A network on which every WebSocket fails until it is asked to mend.
    let broken = "(() => { const Real = WebSocket; globalThis.mend = () => (globalThis.WebSocket = Real); \
        globalThis.WebSocket = class { constructor() { setTimeout(() => this.onclose()); } close() {} }; })()";
    page.devtools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": broken })).await;
    page.value("location.reload()").await;
    page.shows("main [role=status]", "The gateway cannot be reached. Trying again…").await;
    assert_eq!(page.value("document.documentElement.lang").await, "en");
    page.value("Boolean(mend())").await;
    page.online().await;
    page.close().await;
}

/// Nobody looks at the page, whose notices are counted, and whose connections all fail until they are mended.
const BREAK: &str = "(() => { \
    Object.defineProperty(document, 'hidden', { value: true, configurable: true }); \
    globalThis.notices = 0; \
    globalThis.Notification = class { static permission = 'granted'; constructor() { notices += 1; } close() {} }; \
    const Real = WebSocket; \
    globalThis.mend = () => { globalThis.WebSocket = Real; }; \
    globalThis.WebSocket = class { constructor() { setTimeout(() => this.onclose()); } close() {} }; \
    line.close(); })()";

async fn after_a_break_only_what_still_waits_is_told() {
    let gateway = Gateway::with(&[("DMPLZ_LANG", "en")]);
    let (page, other) = (Page::paired(&gateway, DESKTOP).await, Page::paired(&gateway, DESKTOP).await);
    page.value(REMEMBER).await;
    page.value("dispatchEvent(new Event('online'))").await;
    page.until("the line", "globalThis.line").await;
    page.value(BREAK).await;
    page.shows(".lost", "Connection lost.").await;
    let over = gateway.hook(&stdin::bash("one", "make over"));
    other.click(".actions .approve").await;
    over.ended().decides(json!({ "behavior": "allow" }));
    let _live = gateway.hook(&stdin::bash("one", "make live"));
    other.shows(".rows", "make live").await;
    page.value("(mend(), dispatchEvent(new Event('online')))").await;
    page.online().await;
    page.until("what waits", "document.title === '(1) dmplz'").await;
    assert_eq!(page.value("notices").await, 1);
    page.close().await;
    other.close().await;
}

async fn the_time_that_is_left_is_the_gateways_after_a_clock_was_set() {
    let gateway = Gateway::with(&[("DMPLZ_LANG", "en")]);
    let page = Page::paired(&gateway, DESKTOP).await;
    let _hook = gateway.hook(&stdin::bash("one", "make one"));
    let left = "(document.querySelector('.card .left')?.textContent ?? '')";
    page.until("the time", &format!("{left}.startsWith('4:')")).await;
    page.value("(() => { const { now } = Date; Date.now = () => now() + 3_600_000; })()").await;
    page.until("another clock", &format!("{left} === '0:00'")).await;
    page.value(REMEMBER).await;
    page.value("dispatchEvent(new Event('online'))").await;
    page.until("the line", "globalThis.line").await;
    page.value("(globalThis.first = line).close()").await;
    page.until("another line", "line !== first && document.body.dataset.line === 'up'").await;
    page.until("the time", &format!("{left}.startsWith('4:')")).await;
    page.close().await;
}

/// A program takes the port while the gateway is down and a page is open.
async fn a_page_shows_and_sends_nothing_to_a_program_that_took_the_port() {
    // The default, for machines where other users' programs run.
    let mut gateway = Gateway::with(&[("DMPLZ_LANG", "en"), ("DMPLZ_PAIRING_GAP", "0")]);
    let page = Page::paired(&gateway, DESKTOP).await;
    let hook = gateway.hook(&stdin::bash("one", "make one"));
    page.until("the buttons", "document.querySelector('.actions .approve:enabled')").await;
    gateway.kill();
    page.shows(".lost", "Connection lost.").await;
    let impostor = Impostor::at(gateway.port()).await;
    page.shows(".trouble", "another program took its place").await;
    assert_eq!(page.count(".inbox").await, 0, "nothing that it shows is taken for a request");
    let seen = impostor.end().await;
    assert!(!seen.is_empty());
    let mut hello = None;
    for frame in seen {
        let said = frame.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        assert_eq!(said, ["hello"], "neither a signature nor an answer: {frame}");
        hello = Some(frame);
    }
    gateway.restart();
    // What it saw, said again, gets no further than a challenge that only the page's key could answer.
    let mut replay = open(&gateway).await;
    replay.send(Message::text(hello.unwrap().to_string())).await.unwrap();
    let challenge = replay.next().await.unwrap().unwrap().into_text().unwrap();
    assert!(challenge.starts_with(r#"{"challenge":{"#), "{challenge}");
    for frame in [
        json!({ "prove": { "signature": "00".repeat(64) } }),
        json!({ "jsonrpc": "2.0", "id": 1, "method": "approvals.list" }),
    ] {
        let mut replay = open(&gateway).await;
        replay.send(Message::text(frame.to_string())).await.unwrap();
        assert!(matches!(replay.next().await, Some(Ok(Message::Close(_)))), "{frame}");
    }
    page.pair(&gateway).await;
    page.click(".actions .approve").await;
    hook.ended().decides(json!({ "behavior": "allow" }));
    page.close().await;
}

/// A page that is opened while another program has the port gets a service worker and cached answers from it.
async fn a_page_removes_what_another_program_left_in_the_browser() {
    // The second one is the address of the page's own worker.
    for path in ["/sw.js", "/worker.js"] {
        removes_what_another_program_left(path).await;
    }
}

async fn removes_what_another_program_left(path: &'static str) {
    let mut gateway = Gateway::with(&[("DMPLZ_LANG", "en")]);
    let page = Page::unpaired(&gateway, DESKTOP).await;
    page.shows(".pairing", "Pair this browser").await;
    gateway.kill();
    let listener = TcpListener::bind(("127.0.0.1", gateway.port())).await.unwrap();
    let serving = tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut asked = [0; 4_096];
            let count = stream.read(&mut asked).await.unwrap_or_default();
            let is_worker = asked[..count].starts_with(format!("GET {path} ").as_bytes());
            let trap = TRAP.replace("PATH", path);
            let (kind, body) = if is_worker { ("text/javascript", WORKER) } else { ("text/html", trap.as_str()) };
            let head =
                format!("content-type: {kind}\r\ncache-control: max-age=31536000, immutable\r\nconnection: close");
            let answer = format!("HTTP/1.1 200 OK\r\n{head}\r\ncontent-length: {}\r\n\r\n{body}", body.len());
            let _ = stream.write_all(answer.as_bytes()).await;
        }
    });
    page.open(&gateway.url).await;
    page.until("the other program's worker", "document.title === 'caught'").await;
    serving.abort();
    let _ = serving.await;
    gateway.restart();
    let address = gateway.pairing()["url"].as_str().unwrap().to_owned();
    page.open(&address).await;
    page.shows(".pairing", "Pair this browser").await;
    page.until("no worker", "location.search === ''").await;
    let left = page.promised("navigator.serviceWorker.getRegistrations().then((all) => all.length)").await;
    assert_eq!(left, u64::from(path == "/worker.js"), "{path}");
    page.pair(&gateway).await;
    // What the page has now is its own.
    page.promised("navigator.serviceWorker.ready.then(() => true)").await;
    page.value("location.reload()").await;
    page.online().await;
    page.close().await;
}

/// A page of another program, which installs a worker.
const TRAP: &str = "<script>navigator.serviceWorker.register('PATH').then(() => navigator.serviceWorker.ready)\
                    .then(() => { document.title = 'caught'; });</script>trap";
/// Answers everything in the gateway's place.
const WORKER: &str = "self.addEventListener('install', () => self.skipWaiting());\
    self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));\
    self.addEventListener('fetch', (event) => event.respondWith(new Response('trap', { headers: { 'content-type': 'text/html' } })));";

async fn a_page_that_is_reloaded_stays_paired_and_one_that_is_disconnected_does_not() {
    let gateway = Gateway::with(&[("DMPLZ_LANG", "en")]);
    let page = Page::paired(&gateway, DESKTOP).await;
    page.value("location.reload()").await;
    page.online().await;
    // A double click is one press.
    page.value("(() => { const it = document.querySelector('.logout'); it.click(); it.click(); })()").await;
    page.shows("#toasts", "Press once more to disconnect this browser.").await;
    page.shows(".logout", "Press once more").await;
    page.click(".logout").await;
    page.shows(".pairing", "Pair this browser").await;
    page.value("location.reload()").await;
    page.pair(&gateway).await;
    page.close().await;
}

/// A program that speaks as the gateway does, and remembers what it is sent.
struct Impostor {
    seen: Arc<Mutex<Vec<Value>>>,
    serving: JoinHandle<()>,
}

impl Impostor {
    async fn at(port: u16) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", port)).await.unwrap();
        let seen = Arc::<Mutex<Vec<Value>>>::default();
        let kept = Arc::clone(&seen);
        let serving = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let Ok(mut socket) = accept(stream).await else { continue };
                while let Some(Ok(Message::Text(text))) = socket.next().await {
                    kept.lock().unwrap().push(serde_json::from_str(&text).unwrap());
                    // It can only use its own key and signature. Then it behaves as if it had been let in.
                    let key = format!("04{GENERATOR}");
                    let challenge = json!({ "nonce": "0".repeat(64), "key": key, "signature": "11".repeat(64) });
                    for frame in [
                        json!({ "challenge": challenge }),
                        json!({ "welcome": { "name": "Ada", "lang": "en", "nowMs": 1 } }),
                    ] {
                        let _ = socket.send(Message::text(frame.to_string())).await;
                    }
                }
            }
        });
        Self { seen, serving }
    }

    /// Leaves the port. Returns what it was sent.
    async fn end(self) -> Vec<Value> {
        self.serving.abort();
        let _ = self.serving.await;
        std::mem::take(&mut *self.seen.lock().unwrap())
    }
}

/// The generator of P-256: a point like any other public key.
const GENERATOR: &str = "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296\
                         4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5";

/// Subprotocols are the browser's wish: the one that the page asks for is chosen.
async fn accept(stream: TcpStream) -> Result<WebSocketStream<TcpStream>, tokio_tungstenite::tungstenite::Error> {
    #[allow(clippy::result_large_err, reason = "the handshake's callback has this type")]
    let chosen = |_: &Request, mut response: Response| {
        response.headers_mut().insert("sec-websocket-protocol", "dmplz".parse().unwrap());
        Ok(response)
    };
    tokio_tungstenite::accept_hdr_async(stream, chosen).await
}

/// Opens a WebSocket to the gateway, as its own page does.
async fn open(gateway: &Gateway) -> WebSocketStream<TcpStream> {
    let mut request = format!("{}/ws", gateway.url.replace("http:", "ws:")).into_client_request().unwrap();
    request.headers_mut().insert("origin", gateway.url.parse().unwrap());
    let stream = TcpStream::connect(("127.0.0.1", gateway.port())).await.unwrap();
    tokio_tungstenite::client_async(request, stream).await.unwrap().0
}
