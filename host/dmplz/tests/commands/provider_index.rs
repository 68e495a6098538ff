//! The index of providers: `dmplz provider search`, and `add`, `inspect` and `update` by a name.

use std::fs;
use std::sync::{Arc, Mutex};

use dmplz_guests::HOSTILE;
use serde_json::json;

use crate::command::Home;
use crate::http::{self, Reply};
use crate::provider::{installed, rebuilt};
use crate::provider_signed::Author;
use crate::registry::{Registry, digest};

/// A home whose index is a file, and the registry that the index names.
struct Play {
    home: Home,
    registry: Registry,
    author: Author,
}

impl Play {
    fn new() -> Self {
        let (registry, author) = (Registry::start(), Author::new(7));
        let home = Home::new().with("DMPLZ_PROVIDER_INDEX_KEY", &author.key());
        let path = home.path().join("providers.toml");
        let home = home.with("DMPLZ_PROVIDER_INDEX", path.to_str().unwrap());
        registry.put("ann/hostile", "1", HOSTILE, &json!({}));
        registry.put("ann/hostile", "2", &rebuilt(), &json!({}));
        Self { home, registry, author }
    }

    fn entry(&self, name: &str, tag: &str, wasm: &[u8], more: &str) -> String {
        let (component, sha256) = (self.registry.reference(&format!("ann/hostile:{tag}")), digest(wasm));
        let sha256 = sha256.trim_start_matches("sha256:");
        format!(
            "[[provider]]\nname = \"{name}\"\nversion = \"{tag}.0.0\"\nabout = \"A chat for tests\"\ncomponent = \"{component}\"\nsha256 = \"{sha256}\"\n{more}\n"
        )
    }

    /// Writes the index, and signs it.
    fn publish(&self, text: &str) {
        fs::write(self.home.path().join("providers.toml"), text).unwrap();
        self.sign(&self.author, text);
    }

    fn sign(&self, author: &Author, text: &str) {
        let signature = author.signature("providers.toml", text.as_bytes());
        fs::write(self.home.path().join("providers.toml.minisig"), signature).unwrap();
    }

    #[track_caller]
    fn refuses(&self, arguments: &[&str], why: &str) {
        let left = self.home.run(arguments);
        assert_eq!((left.code, left.stdout.as_str(), left.stderr.lines().count()), (Some(1), "", 1), "{left:?}");
        assert!(left.stderr.contains(why), "{why}: {left:?}");
    }
}

#[test]
fn a_provider_is_found_installed_and_updated_by_its_name_in_the_index() {
    let play = Play::new();
    play.publish(&format!("serial = 1\n{}", play.entry("hostile", "1", HOSTILE, "")));
    let found = play.home.run(&["provider", "search", "CHAT"]);
    insta::assert_snapshot!(found.stdout, @r"
    hostile          1.0.0      A chat for tests
    To install one: dmplz provider add NAME
    ");
    assert_eq!(play.home.run(&["provider", "search", "weather"]).stdout, "The index has no such provider.\n");
    let seen = play.home.run(&["provider", "inspect", "hostile", "--json"]).json();
    assert_eq!((&seen["name"], &seen["source"]), (&json!("hostile"), &json!("registry")));
    let left = play.home.run(&["provider", "add", "hostile", "--yes"]);
    assert_eq!(left.code, Some(0), "{left:?}");
    assert_eq!(installed(&play.home)[0]["reference"], json!(play.registry.reference("ann/hostile:1")));

    play.publish(&format!("serial = 2\n{}", play.entry("hostile", "2", &rebuilt(), "")));
    let left = play.home.run(&["provider", "update", "hostile", "--yes"]);
    assert_eq!(left.code, Some(0), "{left:?}");
    assert_eq!(format!("sha256:{}", installed(&play.home)[0]["sha256"].as_str().unwrap()), digest(&rebuilt()));
    let found = play.home.run(&["provider", "search", "--json"]).json();
    assert!(found["providers"][0]["installed"].is_string(), "{found}");
    // Another repository under the same name is no update: the one that it came from is asked.
    let other = play.entry("hostile", "1", HOSTILE, "").replace("ann/hostile", "eve/hostile");
    play.publish(&format!("serial = 3\n{other}"));
    let left = play.home.run(&["provider", "update", "hostile", "--yes"]);
    assert!(left.code == Some(0) && left.stdout.contains("It is this file already."), "{left:?}");
}

#[test]
fn an_index_that_cannot_be_trusted_installs_nothing() {
    let play = Play::new();
    let (good, add) = (play.entry("hostile", "1", HOSTILE, ""), ["provider", "add", "hostile", "--yes"]);
    play.publish(&format!("serial = 5\n{good}"));
    assert_eq!(play.home.run(&["provider", "search"]).code, Some(0));
    play.publish(&format!("serial = 4\n{good}"));
    play.refuses(&add, "it is older (serial 4) than what was here before (5)");
    play.publish(&format!("serial = 5\nexpires = \"2020-01-01\"\n{good}"));
    play.refuses(&add, "it has expired on 2020-01-01");
    play.publish(&format!("serial = 5\nexpires = \"soon\"\n{good}"));
    play.refuses(&add, "its day \"soon\" is none");
    play.publish("serial = \"x\"\n");
    play.refuses(&add, "it cannot be read: ");
    let text = format!("serial = 6\n{good}");
    play.publish(&text);
    play.sign(&Author::new(8), &text);
    play.refuses(&add, "it is signed with another key");
    play.publish(&text);
    fs::write(play.home.path().join("providers.toml"), text.replace("tests", "eve")).unwrap();
    play.refuses(&add, "its signature does not match");
    fs::remove_file(play.home.path().join("providers.toml.minisig")).unwrap();
    play.refuses(&add, "it is not signed");

    for (serial, entry, why) in [
        (6, play.entry("hostile", "1", &rebuilt(), ""), "it is another component than the index means"),
        (7, play.entry("acme", "1", HOSTILE, ""), "it is another provider than the index means: it is hostile"),
        (8, play.entry("hostile", "1", HOSTILE, &format!("signer = \"{}\"", Author::new(9).key())), "it is not signed"),
        (9, play.entry("hostile", "1", HOSTILE, "signer = \"RW\""), "the index has no key of minisign for it"),
        (10, good.replace("oci://", "https://"), "the index names no place in a registry for it"),
        (11, String::new(), "nor in an index of providers"),
    ] {
        play.publish(&format!("serial = {serial}\n{entry}"));
        let name = if serial == 7 { "acme" } else { "hostile" };
        play.refuses(&["provider", "add", name, "--yes"], why);
    }
    assert!(installed(&play.home).is_empty());
    let without = Home::new();
    let left = without.run(&["provider", "search"]);
    assert!(left.code == Some(3) && left.stderr.contains("there is no index of providers"), "{left:?}");
}

#[test]
fn an_index_is_read_from_a_url_too() {
    let play = Play::new();
    let text = format!("serial = 1\n{}", play.entry("hostile", "1", HOSTILE, ""));
    let signature = play.author.signature("providers.toml", text.as_bytes());
    let answers = Arc::new(Mutex::new(vec![(200, text.clone()), (200, signature)]));
    let kept = Arc::clone(&answers);
    let address = http::serve(move |request| {
        let at = usize::from(request.target.ends_with(".minisig"));
        let (status, body) = kept.lock().unwrap()[at].clone();
        assert_eq!(request.method, "GET");
        Reply { status, headers: Vec::new(), body: body.into_bytes() }
    });
    let Play { home, .. } = play;
    let home = home.with("DMPLZ_PROVIDER_INDEX", &format!("http://{address}/providers.toml"));
    assert!(home.run(&["provider", "search"]).stdout.contains("A chat for tests"));
    answers.lock().unwrap()[1].0 = 404;
    let left = home.run(&["provider", "search"]);
    assert!(
        left.code == Some(1) && left.stderr.contains("providers.toml.minisig answered with the status 404"),
        "{left:?}"
    );
    answers.lock().unwrap()[0] = (200, " ".repeat((1 << 20) + 1));
    let left = home.run(&["provider", "search"]);
    assert!(left.code == Some(1) && left.stderr.contains("it has more than 1048576 bytes"), "{left:?}");
    for (named, why) in [
        ("providers.toml", "it is neither the whole path of a file nor an http or https URL"),
        ("https://example.org/a?b", "its URL has more than a path"),
        ("/nowhere/providers.toml", "its file cannot be read"),
    ] {
        let home =
            Home::new().with("DMPLZ_PROVIDER_INDEX_KEY", &Author::new(7).key()).with("DMPLZ_PROVIDER_INDEX", named);
        let left = home.run(&["provider", "search"]);
        assert!(left.code == Some(1) && left.stderr.contains(why), "{why}: {left:?}");
    }
}
