//! The installed page and web push: Chromium, the real gateway, and a push service on loopback.
//!
//! Chromium without a network has no push service of its own. So the page subscribes at a service of the test; its
//! messages are decrypted by Chromium's WebCrypto, which knows nothing of ours, and handed to the page's worker as
//! Chromium hands over what comes from a push service.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use dmplz_e2e::stdin;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::gateway::Gateway;
use crate::page::{DESKTOP, PHONE, Page};

tests! {
    browser:
        the_page_can_be_installed_and_says_a_sentence_where_the_gateway_is_away,
        a_request_reaches_a_browser_through_its_push_service_and_its_notice_leaves_again,
        what_is_said_about_notices_is_true_on_this_device,
        a_sound_is_played_for_a_request_only_where_it_is_wanted,
        a_notice_that_the_page_shows_opens_its_request,
        a_notice_opens_its_request;
}

/// A message as it came to the push service.
#[derive(Clone, Debug)]
struct Posted {
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

/// A push service. It answers with the statuses of its script, then with 201.
struct Service {
    origin: String,
    posted: Arc<Mutex<Vec<Posted>>>,
    script: Arc<Mutex<VecDeque<u16>>>,
}

impl Service {
    async fn start() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        let service = Self { origin, posted: Arc::default(), script: Arc::default() };
        let (posted, script) = (Arc::clone(&service.posted), Arc::clone(&service.script));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (posted, script) = (Arc::clone(&posted), Arc::clone(&script));
                tokio::spawn(async move { take(stream, &posted, &script).await });
            }
        });
        service
    }

    async fn waits_for(&self, count: usize) -> Vec<Posted> {
        let end = std::time::Instant::now() + dmplz_e2e::SOON;
        loop {
            let posted = self.posted.lock().unwrap().clone();
            if posted.len() >= count {
                return posted;
            }
            assert!(std::time::Instant::now() < end, "{count} messages: there are {}", posted.len());
            tokio::time::sleep(std::time::Duration::from_millis(15)).await;
        }
    }
}

async fn take(mut stream: TcpStream, posted: &Mutex<Vec<Posted>>, script: &Mutex<VecDeque<u16>>) {
    let mut read = Vec::new();
    let mut some = [0; 4_096];
    loop {
        let head = read.windows(4).position(|four| four == b"\r\n\r\n");
        if let Some(head) = head {
            let text = String::from_utf8(read[..head].to_vec()).unwrap();
            let headers: Vec<(String, String)> = text
                .split("\r\n")
                .filter_map(|line| line.split_once(": "))
                .map(|(name, value)| (name.to_lowercase(), value.to_owned()))
                .collect();
            let length = headers.iter().find(|(name, _)| name == "content-length").unwrap().1.parse::<usize>().unwrap();
            if read.len() >= head + 4 + length {
                posted.lock().unwrap().push(Posted { headers, body: read[head + 4..].to_vec() });
                break;
            }
        }
        match stream.read(&mut some).await {
            Ok(count) if count > 0 => read.extend_from_slice(&some[..count]),
            _ => return,
        }
    }
    let status = script.lock().unwrap().pop_front().unwrap_or(201);
    let answer = format!("HTTP/1.1 {status} Said\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    let _ = stream.write_all(answer.as_bytes()).await;
}

/// What a browser does with its keys, by WebCrypto: RFC 8291 as a receiver, RFC 8292 as a service.
const RECEIVER: &str = r"
const text = (it) => new TextEncoder().encode(it);
const join = (...all) => Uint8Array.from(all.flatMap((one) => [...one]));
const base64 = (it) => btoa(String.fromCharCode(...it)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
const unbase64 = (it) => Uint8Array.from(atob(it.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
const unhex = (it) => Uint8Array.from(it.match(/../g), (byte) => parseInt(byte, 16));
const curve = { name: 'ECDH', namedCurve: 'P-256' };
const hkdf = async (input, salt, info, length) => new Uint8Array(await crypto.subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt, info }, await crypto.subtle.importKey('raw', input, 'HKDF', false, ['deriveBits']), length * 8));
globalThis.subscribe = async (endpoint) => {
  const [{ kept }, { meet }] = [await import('/assets/identity.js'), await import('/assets/handshake.js')];
  const { socket } = await meet(await kept());
  globalThis.call = (method, params) => new Promise((done) => {
    socket.onmessage = ({ data }) => done(JSON.parse(data));
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  });
  const pair = await crypto.subtle.generateKey(curve, false, ['deriveBits']);
  const own = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey));
  const auth = crypto.getRandomValues(new Uint8Array(16));
  globalThis.opened = async (hex) => {
    const body = unhex(hex);
    const [salt, sender, record] = [body.slice(0, 16), body.slice(21, 21 + body[20]), body.slice(21 + body[20])];
    const shared = await crypto.subtle.deriveBits({ name: 'ECDH', public: await crypto.subtle.importKey('raw', sender, curve, false, []) }, pair.privateKey, 256);
    const input = await hkdf(shared, auth, join(text('WebPush: info\0'), own, sender), 32);
    const key = await crypto.subtle.importKey('raw', await hkdf(input, salt, text('Content-Encoding: aes128gcm\0'), 16), 'AES-GCM', false, ['decrypt']);
    const iv = await hkdf(input, salt, text('Content-Encoding: nonce\0'), 12);
    const plain = new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, record));
    const end = plain.findLastIndex((byte) => byte !== 0);
    if (plain[end] !== 2) throw new Error('no end');
    return JSON.parse(new TextDecoder().decode(plain.slice(0, end)));
  };
  return call('push.subscribe', { endpoint, p256dh: base64(own), auth: base64(auth), lang: 'en' });
};
globalThis.proof = async (header) => {
  const [, signed, signature, k] = header.match(/^vapid t=([^.]+\.[^.]+)\.([^,]+),k=(.+)$/);
  const key = await crypto.subtle.importKey('raw', unbase64(k), { name: 'ECDSA', namedCurve: 'P-256' }, false, ['verify']);
  const isTrue = await crypto.subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, key, unbase64(signature), text(signed));
  const { result } = await call('push.status', {});
  return { isTrue, isOurs: k === result.key, aud: JSON.parse(atob(signed.split('.')[1])).aud };
};
";

async fn opened(page: &Page, posted: &Posted) -> Value {
    let hex: String = posted.body.iter().map(|byte| format!("{byte:02x}")).collect();
    page.promised(&format!("opened({})", json!(hex))).await
}

fn header<'a>(posted: &'a Posted, name: &str) -> &'a str {
    posted.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str()).unwrap_or_default()
}

/// Hands a message to the page's worker, as Chromium does with one from its push service, until `shown` is true.
async fn deliver(page: &Page, gateway: &Gateway, content: &Value, shown: &str) {
    page.devtools("ServiceWorker.enable", json!({})).await;
    let end = std::time::Instant::now() + dmplz_e2e::SOON;
    while page.promised(shown).await != json!(true) {
        assert!(std::time::Instant::now() < end, "{content} was not shown: {shown}");
        // Chromium numbers registrations from 0 in a new profile.
        for id in ["0", "1"] {
            let params =
                json!({ "origin": format!("{}/", gateway.url), "registrationId": id, "data": content.to_string() });
            page.devtools("ServiceWorker.deliverPushMessage", params).await;
        }
    }
}

async fn granted(page: &Page, gateway: &Gateway, setting: &str) {
    let permission = json!({ "permission": { "name": "notifications" }, "setting": setting, "origin": gateway.url });
    page.devtools("Browser.setPermission", permission).await;
}

fn notices(of: &str) -> String {
    format!("navigator.serviceWorker.ready.then((it) => it.getNotifications()).then((all) => {of})")
}

async fn the_page_can_be_installed_and_says_a_sentence_where_the_gateway_is_away() {
    let mut gateway = Gateway::with(&[("DMPLZ_LANG", "en")]);
    let page = Page::paired(&gateway, PHONE).await;
    let manifest = page.devtools("Page.getAppManifest", json!({})).await;
    assert_eq!(manifest["errors"], json!([]), "{manifest}");
    let errors = page.devtools("Page.getInstallabilityErrors", json!({})).await;
    assert_eq!(errors["installabilityErrors"], json!([]), "{errors}");
    let sizes = "fetch('/assets/app.webmanifest').then((it) => it.json()).then(({ icons }) => Promise.all(icons.filter((icon) => icon.type === 'image/png').map(async ({ src, sizes }) => {
        const image = new Image(); image.src = src; await image.decode();
        return sizes === `${image.naturalWidth}x${image.naturalHeight}`;
    })))";
    assert_eq!(page.promised(sizes).await, json!([true, true, true]));
    let script = page.promised("navigator.serviceWorker.ready.then((it) => it.active.scriptURL)").await;
    assert_eq!(script, json!(format!("{}/worker.js", gateway.url)));
    page.until("the worker", "true").await;
    page.value("location.reload()").await;
    page.online().await;
    page.until("the worker", "navigator.serviceWorker.controller !== null").await;
    gateway.kill();
    page.open(&gateway.url).await;
    page.shows("p", "The gateway cannot be reached.").await;
    assert_eq!(page.promised("caches.keys().then((all) => all.length)").await, 0);
    gateway.restart();
    page.open(&gateway.url).await;
    page.online().await;
    page.close().await;
}

async fn a_request_reaches_a_browser_through_its_push_service_and_its_notice_leaves_again() {
    let service = Service::start().await;
    let gateway = Gateway::with(&[("DMPLZ_LANG", "ko"), ("DMPLZ_PUSH_SERVICES", &service.origin)]);
    let page = Page::first_of_a_browser(&gateway, DESKTOP).await;
    granted(&page, &gateway, "granted").await;
    page.promised("navigator.serviceWorker.ready.then(() => true)").await;
    page.promised(&format!("(async () => {{ {RECEIVER} }})()")).await;
    let elsewhere = page.promised("subscribe('http://127.0.0.1:1/elsewhere')").await;
    assert_eq!(elsewhere["error"]["code"], -32602, "{elsewhere}");
    let endpoint = format!("{}/send/secret", service.origin);
    assert_eq!(page.promised(&format!("subscribe({})", json!(endpoint))).await["result"], json!({}));

    // A service that fails is tried again; a request that has ended meanwhile would not be told.
    service.script.lock().unwrap().extend([503]);
    let hook = gateway.hook(&stdin::push());
    let posted = service.waits_for(2).await;
    let proof = page.promised(&format!("proof({})", json!(header(&posted[1], "authorization")))).await;
    assert_eq!(proof, json!({ "isTrue": true, "isOurs": true, "aud": service.origin }));
    assert_eq!(["content-encoding", "urgency"].map(|name| header(&posted[1], name)), ["aes128gcm", "high"]);
    let told = opened(&page, &posted[1]).await;
    assert_eq!(told["title"], "Claude wants to run a command", "{told}");
    assert!(!told.to_string().contains("git push"), "{told}");
    let answers = json!([{ "answer": "approve", "title": "✅ Approve" }, { "answer": "deny", "title": "❌ Deny" }]);
    assert_eq!(told["answers"], answers, "{told}");
    let id = told["id"].as_str().unwrap().to_owned();
    deliver(
        &page,
        &gateway,
        &told,
        &notices("all.length === 1 && all[0].title.includes('run a command') && all[0].actions.length === 2"),
    )
    .await;

    page.click(".actions .approve").await;
    hook.ended().decides(json!({ "behavior": "allow" }));
    let posted = service.waits_for(3).await;
    let ended = opened(&page, &posted[2]).await;
    assert_eq!((&ended["kind"], ended["id"].as_str(), &ended["waiting"]), (&json!("ended"), Some(&*id), &json!(0)));
    assert_eq!(header(&posted[2], "topic"), header(&posted[1], "topic"));
    deliver(&page, &gateway, &ended, &notices("all.length === 0")).await;

    let test = page.promised("call('push.test', {})").await;
    assert_eq!(test["result"]["delivery"], "sent", "{test}");
    let posted = service.waits_for(4).await;
    assert_eq!(opened(&page, &posted[3]).await["tag"], "test");

    // The service says that the browser is gone.
    service.script.lock().unwrap().extend([410]);
    let test = page.promised("call('push.test', {})").await;
    assert_eq!(test["result"]["delivery"], "dead", "{test}");
    assert_eq!(service.waits_for(5).await.len(), 5);
    assert_eq!(page.promised("call('push.status', {})").await["result"]["on"], false);
    page.close().await;
}

async fn what_is_said_about_notices_is_true_on_this_device() {
    let gateway = Gateway::with(&[("DMPLZ_LANG", "en")]);
    let page = Page::paired(&gateway, PHONE).await;
    granted(&page, &gateway, "granted").await;
    page.promised("navigator.serviceWorker.ready.then(() => true)").await;
    page.click(".bell").await;
    page.shows(".notify", "Off: this device is notified of nothing").await;
    page.click(".notify .on").await;
    // This Chromium reaches no push service, and the page says so.
    page.shows(".notify", "This browser's push service cannot be reached").await;
    page.click(".notify .close").await;
    granted(&page, &gateway, "denied").await;
    page.click(".bell").await;
    page.shows(".notify", "This browser does not allow notifications").await;
    assert_eq!(page.count(".notify .choices button").await, 0);
    page.click(".notify .close").await;
    page.close().await;
}

async fn a_sound_is_played_for_a_request_only_where_it_is_wanted() {
    let gateway = Gateway::with(&[("DMPLZ_LANG", "en")]);
    let page = Page::paired(&gateway, DESKTOP).await;
    page.value(
        "globalThis.tones = 0, AudioContext.prototype.createOscillator = ((make) => function () { tones++; return make.call(this); })(AudioContext.prototype.createOscillator)",
    )
    .await;
    let first = gateway.hook(&stdin::push());
    page.until("a request", "document.querySelectorAll('.rows [data-id]').length === 1").await;
    assert_eq!(page.value("tones").await, 0);
    page.click(".bell").await;
    page.click(".notify .tick").await;
    page.click(".notify .close").await;
    // It is heard once when it is turned on.
    page.until("the sound", "tones === 2").await;
    let second = gateway.hook(&stdin::push());
    page.until("the sound", "tones === 4").await;
    // Many at once are as loud as one.
    let burst = "import('/assets/sound.js').then(({ play }) => { const before = tones; for (let count = 0; count < 50; count += 1) play(); return tones - before; })";
    assert!(page.promised(burst).await.as_u64().unwrap() <= 2);
    page.value("location.reload()").await;
    page.online().await;
    page.click(".bell").await;
    page.until("it is kept", "document.querySelector('.notify .tick input').checked").await;
    drop((first, second));
    page.close().await;
}

async fn a_notice_opens_its_request() {
    let gateway = Gateway::with(&[("DMPLZ_LANG", "en")]);
    let page = Page::paired(&gateway, PHONE).await;
    let (_first, second) = (gateway.hook(&stdin::push()), gateway.hook(&stdin::push()));
    page.until("two requests", "document.querySelectorAll('.rows [data-id]').length === 2").await;
    let id = page.value("document.querySelectorAll('.rows [data-id]')[1].dataset.id").await;
    let id = id.as_str().unwrap();
    page.open(&format!("{}/?notice#{id}", gateway.url)).await;
    page.until("its request", &format!("document.querySelector('.card')?.dataset.id === '{id}'")).await;
    assert_eq!(page.value("location.hash + location.search").await, "");
    page.value("history.back()").await;
    page.until("the list", "!document.querySelector('.card')").await;
    // The worker tells a page that is open.
    let tap = |answer: &str| {
        format!(
            "navigator.serviceWorker.dispatchEvent(new MessageEvent('message', {{ data: {{ open: '{id}', answer: '{answer}' }} }}))"
        )
    };
    page.value(&tap("deny")).await;
    page.until("its request", &format!("document.querySelector('.card')?.dataset.id === '{id}'")).await;
    page.shows(".actions .reason", "Deny").await;
    page.click(".actions .reason [type=button]").await;
    page.value("history.back()").await;
    page.until("the list", "!document.querySelector('.card')").await;
    // A button of the notice answers nothing, however often it is pressed.
    for answer in ["approve", "approve", "session", "no answer"] {
        page.value(&tap(answer)).await;
        let armed = if answer == "approve" { ".approve.armed" } else { ".approve:not(.armed)" };
        page.until("it is begun", &format!("document.querySelector('.actions {armed}')")).await;
    }
    page.click(".actions .approve").await;
    drop(second);
    page.until("it left", &format!("!document.querySelector('.rows [data-id=\"{id}\"]')")).await;
    page.value(&tap("approve")).await;
    page.shows("#toasts", "That request does not wait any more.").await;
    page.close().await;
}

async fn a_notice_that_the_page_shows_opens_its_request() {
    let gateway = Gateway::with(&[("DMPLZ_LANG", "en")]);
    let page = Page::paired(&gateway, DESKTOP).await;
    let _first = gateway.hook(&stdin::bash("one", "make one"));
    page.shows(".card .part.command", "make one").await;
    let hidden = "(() => { globalThis.Notification = class { static permission = 'granted'; constructor() { globalThis.notice = this; } close() {} }; \
        Object.defineProperty(document, 'hidden', { value: true, configurable: true }); })()";
    page.value(hidden).await;
    let _second = gateway.hook(&stdin::bash("two", "make two"));
    page.until("the notice", "globalThis.notice").await;
    page.value("notice.onclick()").await;
    page.shows(".card .part.command", "make two").await;
    page.close().await;
}
