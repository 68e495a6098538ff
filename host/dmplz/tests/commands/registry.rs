//! OCI registries: one of the tests that can misbehave, and the real one of Debian's package `docker-registry`.

use std::collections::BTreeMap;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use crate::http::{self, Reply, Request};

pub(crate) const COMPONENT: &str = "application/wasm";
const MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";

/// A registry in this process.
pub(crate) struct Registry {
    address: String,
    holds: Arc<Mutex<Holds>>,
}

#[derive(Default)]
struct Holds {
    /// By `NAME/blobs/DIGEST` and `NAME/manifests/REFERENCE`.
    answers: BTreeMap<String, Reply>,
    /// The login that it wants, as `user:password` in Base64.
    login: Option<String>,
}

impl Registry {
    pub(crate) fn start() -> Self {
        let holds = Arc::<Mutex<Holds>>::default();
        let kept = Arc::clone(&holds);
        // The address is known only after the start, and is in every request.
        let address = http::serve(move |request| kept.lock().unwrap().answer(request));
        Self { address, holds }
    }

    /// Returns a reference to what it has under a name and tag.
    pub(crate) fn reference(&self, name: &str) -> String {
        format!("oci://{}/{name}", self.address)
    }

    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// Puts a component there, as `wkg oci push` does, with annotations.
    pub(crate) fn put(&self, name: &str, tag: &str, wasm: &[u8], annotations: &Value) {
        let manifest = manifest(&[(COMPONENT, wasm)], annotations);
        self.answer(
            &format!("{name}/blobs/{}", digest(wasm)),
            Reply { status: 200, headers: Vec::new(), body: wasm.to_vec() },
        );
        self.answer(&format!("{name}/manifests/{tag}"), Reply::json(200, manifest).with("content-type", MANIFEST));
    }

    /// Decides what it answers for a path after `/v2/`.
    pub(crate) fn answer(&self, path: &str, reply: Reply) {
        self.holds.lock().unwrap().answers.insert(path.to_owned(), reply);
    }

    /// Lets it want a login for everything, as `user:password` in Base64.
    pub(crate) fn want_login(&self, login: &str) {
        self.holds.lock().unwrap().login = Some(login.to_owned());
    }
}

impl Holds {
    fn answer(&self, request: &Request) -> Reply {
        const TOKEN: &str = "a-token-of-the-registry";
        let host = request.header("host");
        let (path, given) = (request.target.split('?').next().unwrap_or_default(), request.header("authorization"));
        if path == "/token" {
            let is_known = self.login.as_ref().is_some_and(|login| given == format!("Basic {login}"));
            return if is_known { Reply::json(200, json!({ "token": TOKEN })) } else { Reply::json(401, json!({})) };
        }
        if self.login.is_some() && given != format!("Bearer {TOKEN}") {
            let challenge = format!("Bearer realm=\"http://{host}/token\",service=\"registry\"");
            return refusal(401, "UNAUTHORIZED").with("www-authenticate", challenge);
        }
        match path.strip_prefix("/v2/") {
            Some("") => Reply::json(200, "{}"),
            Some(path) => self.answers.get(path).cloned().unwrap_or_else(|| refusal(404, "MANIFEST_UNKNOWN")),
            None => refusal(404, "NAME_UNKNOWN"),
        }
    }
}

/// Returns an error as registries tell it.
pub(crate) fn refusal(status: u16, code: &str) -> Reply {
    Reply::json(status, json!({ "errors": [{ "code": code, "message": "for tests", "detail": {} }] }))
}

/// Returns a manifest with these layers.
pub(crate) fn manifest(layers: &[(&str, &[u8])], annotations: &Value) -> Value {
    let descriptor =
        |(kind, bytes): (&str, &[u8])| json!({ "mediaType": kind, "digest": digest(bytes), "size": bytes.len() });
    let layers: Vec<Value> = layers.iter().copied().map(descriptor).collect();
    json!({
        "schemaVersion": 2, "mediaType": MANIFEST, "config": descriptor(("application/vnd.wasm.config.v0+json", b"{}")),
        "layers": layers, "annotations": annotations,
    })
}

pub(crate) fn digest(bytes: &[u8]) -> String {
    format!("sha256:{}", dmplz_plugin::Digest::of(bytes))
}

/// The real registry, as a process that ends with this value.
pub(crate) struct RealRegistry {
    process: Child,
    address: String,
}

impl RealRegistry {
    /// Starts `docker-registry` on a free port, with its files in a folder.
    pub(crate) fn start(folder: &Path) -> Self {
        let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
        let config = folder.join("registry.yml");
        let storage = folder.join("registry").display().to_string();
        let text = json!({
            "version": 0.1, "log": { "level": "error", "accesslog": { "disabled": true } }, "storage": { "filesystem": { "rootdirectory": storage } },
            "http": { "addr": address },
        });
        // YAML is a superset of JSON.
        std::fs::write(&config, text.to_string()).unwrap();
        let process = Command::new("docker-registry").arg("serve").arg(&config).spawn().unwrap();
        Self { process, address }
    }

    /// Pushes a component, with the requests that every client makes. Returns its reference.
    pub(crate) fn push(&self, name: &str, wasm: &Path) -> String {
        let bytes = std::fs::read(wasm).unwrap();
        let config = wasm.with_extension("config");
        std::fs::write(&config, "{}").unwrap();
        let text = wasm.with_extension("manifest");
        std::fs::write(&text, manifest(&[(COMPONENT, &bytes)], &json!({})).to_string()).unwrap();
        let url = format!("http://{}/v2/{name}", self.address);
        for (file, digest) in [(wasm, digest(&bytes)), (&config, digest(b"{}"))] {
            let headers = self.curl(&["-X", "POST", "-D", "-", "-o", "/dev/null", &format!("{url}/blobs/uploads/")]);
            let location = headers.lines().find_map(|line| line.strip_prefix("Location: ")).unwrap().trim().to_owned();
            self.put(file, "application/octet-stream", &format!("{location}&digest={digest}"));
        }
        self.put(&text, MANIFEST, &format!("{url}/manifests/1.0.0"));
        format!("oci://{}/{name}:1.0.0", self.address)
    }

    fn put(&self, file: &Path, media_type: &str, url: &str) {
        let (data, header) = (format!("@{}", file.display()), format!("content-type: {media_type}"));
        self.curl(&["-X", "PUT", "--data-binary", &data, "-H", &header, url]);
    }

    fn curl(&self, arguments: &[&str]) -> String {
        // It may still be starting.
        let patient = ["-sS", "--fail", "--retry", "20", "--retry-connrefused", "--retry-delay", "1"];
        let output = Command::new("curl").args(patient).args(arguments).output().unwrap();
        assert!(output.status.success(), "{}: {output:?}", self.address);
        String::from_utf8(output.stdout).unwrap()
    }
}

impl Drop for RealRegistry {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
