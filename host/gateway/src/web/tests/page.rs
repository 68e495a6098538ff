use std::fs;
use std::path::{Path, PathBuf};

use super::desk::Gateway;
use crate::web::page;

fn files(dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

#[tokio::test]
async fn every_file_of_the_page_is_served_as_it_is() {
    let gateway = Gateway::start().await;
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("page");
    let host = gateway.host();
    let mut count = 0;
    for file in files(&dir) {
        let name = file.strip_prefix(&dir).unwrap().to_str().unwrap();
        if name.ends_with(".md") {
            continue;
        }
        let path = if name == "index.html" { "/".to_owned() } else { format!("/assets/{name}") };
        let answer = gateway.send(&format!("GET {path}"), &[("host", &host)], None).await;
        assert_eq!(answer.status, 200, "{name} is not in page/files.rs");
        assert!(answer.body == fs::read(&file).unwrap(), "{name}");
        assert_ne!(answer.header("content-type"), Some("application/octet-stream"), "{name}");
        let tag = answer.header("etag").unwrap();
        for (known, status) in [(tag, 304), (&*format!("\"x\", W/{tag}"), 304), ("\"x\"", 200)] {
            let again = gateway.send(&format!("GET {path}"), &[("host", &host), ("if-none-match", known)], None).await;
            assert_eq!((again.status, again.header("etag")), (status, Some(tag)), "{name}");
        }
        count += 1;
    }
    assert_eq!(page::count(), count, "page/files.rs names each file once");
}

#[tokio::test]
async fn every_answer_keeps_browsers_from_what_is_not_ours() {
    let gateway = Gateway::start().await;
    let host = gateway.host();
    for (line, host) in
        [("GET /", &*host), ("GET /nothing", &host), ("GET /api/v1/approvals", &host), ("GET /", "evil.example")]
    {
        let answer = gateway.send(line, &[("host", host)], None).await;
        let told = ["content-security-policy", "x-content-type-options", "x-frame-options", "referrer-policy"];
        let told = told.map(|name| answer.header(name).unwrap_or_default());
        insta::allow_duplicates! {
            insta::assert_snapshot!(told.join("\n"), @r"
            default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; worker-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'
            nosniff
            DENY
            no-referrer
            ");
        }
        let kept = answer.header("cache-control").unwrap();
        assert!(kept == "no-store" || (line == "GET /" && kept == "no-cache"), "{line} {kept}");
    }
    for path in
        ["/assets/", "/assets/../index.html", "/assets/%2e%2e/web.rs", "/assets/index.html", "/assets/nothing.js"]
    {
        let answer = gateway.send(&format!("GET {path}"), &[("host", &host)], None).await;
        assert_eq!(answer.status, 404, "{path}");
    }
}

#[tokio::test]
async fn what_another_program_left_in_the_browser_is_taken_away() {
    let gateway = Gateway::start().await;
    let host = gateway.host();
    for (line, cleared) in [("GET /", None), ("GET /?0123456789abcdef", Some("\"cache\""))] {
        let answer = gateway.send(line, &[("host", &host)], None).await;
        assert_eq!((answer.status, answer.header("clear-site-data")), (200, cleared), "{line}");
    }
    for path in ["/sw.js", "/", "/assets/app.js", "/deep/er.js"] {
        let answer = gateway.send(&format!("GET {path}"), &[("host", &host), ("service-worker", "script")], None).await;
        assert_eq!((answer.status, answer.header("content-type")), (200, Some("text/javascript; charset=utf-8")));
        assert_eq!(answer.header("service-worker-allowed"), Some("/"));
        assert!(String::from_utf8(answer.body).unwrap().contains("unregister()"), "{path}");
    }
    // The page's own worker has its own address, also behind a proxy that drops the header.
    for headers in [&[("host", &*host), ("service-worker", "script")][..], &[("host", &host)]] {
        let answer = gateway.send("GET /worker.js", headers, None).await;
        assert_eq!((answer.status, answer.header("content-type")), (200, Some("text/javascript; charset=utf-8")));
        let script = String::from_utf8(answer.body).unwrap();
        assert!(script.contains("takeOver") && !script.contains("unregister()"));
    }
    let other = [("host", "evil.example"), ("service-worker", "script")];
    assert_eq!(gateway.send("GET /sw.js", &other, None).await.status, 403);
}
