//! Signed components: `dmplz provider` with `--signer`.

use std::fs;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use dmplz_guests::HOSTILE;
use ring::signature::{Ed25519KeyPair, KeyPair};
use serde_json::json;

use crate::command::Home;
use crate::provider::{component, installed, rebuilt};

/// An author who signs as minisign does: its page "Signature format".
pub(crate) struct Author(Ed25519KeyPair);

impl Author {
    pub(crate) fn new(seed: u8) -> Self {
        Self(Ed25519KeyPair::from_seed_unchecked(&[seed; 32]).unwrap())
    }

    /// Returns the beginning of keys and signatures: the algorithm, and the key's id.
    fn head(&self, algorithm: &[u8; 2]) -> Vec<u8> {
        [&algorithm[..], &self.0.public_key().as_ref()[..8]].concat()
    }

    pub(crate) fn key(&self) -> String {
        BASE64_STANDARD.encode([&self.head(b"Ed"), self.0.public_key().as_ref()].concat())
    }

    /// Signs a file in the working folder.
    fn signs(&self, home: &Home, name: &str, wasm: &[u8]) {
        fs::write(home.path().join("work").join(format!("{name}.minisig")), self.signature(name, wasm)).unwrap();
    }

    /// Returns the text of a signature file.
    pub(crate) fn signature(&self, name: &str, wasm: &[u8]) -> String {
        let signature = self.0.sign(blake2b_simd::blake2b(wasm).as_bytes());
        let comment = format!("file:{name}");
        let whole = self.0.sign(&[signature.as_ref(), comment.as_bytes()].concat());
        format!(
            "untrusted comment: signature\n{}\ntrusted comment: {comment}\n{}\n",
            BASE64_STANDARD.encode([&self.head(b"ED"), signature.as_ref()].concat()),
            BASE64_STANDARD.encode(whole)
        )
    }
}

#[test]
fn inspecting_tells_who_signed_a_component() {
    let (home, author) = (Home::new(), Author::new(1));
    component(&home, "x.wasm", HOSTILE);
    let signed = |arguments: &[&str]| {
        home.run(&[&["provider", "inspect", "./x.wasm", "--json"][..], arguments].concat()).json()["signed"].clone()
    };
    assert_eq!(signed(&[]), json!({ "state": "no" }));
    author.signs(&home, "x.wasm", HOSTILE);
    assert_eq!(signed(&[]), json!({ "state": "unchecked" }));
    let key = author.key();
    assert_eq!(signed(&["--signer", &key]), json!({ "state": "yes", "signer": key, "comment": "file:x.wasm" }));
    let why = "it is signed with another key";
    assert_eq!(signed(&["--signer", &Author::new(2).key()]), json!({ "state": "wrong", "why": why }));
    let text = home.run(&["provider", "inspect", "./x.wasm", "--signer", &key]).stdout;
    assert!(text.contains(&format!("  signature  valid: {key} (file:x.wasm)\n")), "{text}");
    let left = home.run(&["provider", "inspect", "./x.wasm", "--signer", "RW"]);
    assert_eq!(left.code, Some(1));
    insta::assert_snapshot!(left.stderr, @"dmplz: RW is no key of minisign: give the line that begins with RW, or the .pub file that holds it");
}

#[test]
fn with_a_signer_only_what_that_one_signed_is_installed() {
    let (home, author) = (Home::new(), Author::new(1));
    let key = author.key();
    component(&home, "x.wasm", HOSTILE);
    let add = |home: &Home| home.run(&["provider", "add", "./x.wasm", "--yes", "--signer", &key]);
    let left = add(&home);
    assert_eq!(left.code, Some(1));
    insta::assert_snapshot!(left.stderr, @"dmplz: ./x.wasm cannot be installed: it is not signed");
    author.signs(&home, "x.wasm", &rebuilt());
    insta::assert_snapshot!(add(&home).stderr, @"dmplz: ./x.wasm cannot be installed: its signature does not match: it was changed after it was signed");
    assert!(installed(&home).is_empty() && !home.state().join("cache").exists(), "it was not even compiled");
    author.signs(&home, "x.wasm", HOSTILE);
    assert_eq!(add(&home).code, Some(0));
    assert_eq!(installed(&home)[0]["signed"]["signer"], key);
    let list = home.run(&["provider", "list"]).stdout;
    assert!(list.contains(&format!(" (signed by {key}) ")), "{list}");
    assert_eq!(home.run(&["provider", "verify"]).code, Some(0));
    assert_eq!(home.run(&["provider", "inspect", "hostile", "--json"]).json()["signed"]["state"], "yes");
}

#[test]
fn an_update_of_a_signed_provider_must_be_signed_with_the_same_key_or_be_agreed_to() {
    let (home, author, other) = (Home::new(), Author::new(1), Author::new(2));
    component(&home, "x.wasm", HOSTILE);
    author.signs(&home, "x.wasm", HOSTILE);
    assert_eq!(home.run(&["provider", "add", "./x.wasm", "--yes", "--signer", &author.key()]).code, Some(0));
    component(&home, "new.wasm", &rebuilt());
    let update =
        |arguments: &[&str]| home.run(&[&["provider", "update", "./new.wasm", "--yes"][..], arguments].concat());
    let before = installed(&home)[0].clone();
    for sign in [None, Some(&other)] {
        sign.inspect(|author| author.signs(&home, "new.wasm", &rebuilt()));
        let left = update(&["--more"]);
        let why = if sign.is_some() { "it is signed with another key" } else { "it is not signed" };
        assert_eq!(left.code, Some(1));
        assert_eq!(
            left.stderr,
            format!(
                "dmplz: hostile was installed as signed by {}: ./new.wasm cannot be installed: {why}\n",
                author.key()
            )
        );
        assert_eq!(installed(&home)[0], before, "nothing changed");
    }
    let left = update(&["--signer", &other.key()]);
    assert!(
        left.stderr.contains(&format!("(it is signed with another key: {}): --more agrees", other.key())),
        "{left:?}"
    );
    assert_eq!(installed(&home)[0], before, "nothing changed");
    assert_eq!(update(&["--signer", &other.key(), "--more"]).code, Some(0));
    assert_eq!(installed(&home)[0]["signed"]["signer"], other.key());
}

#[test]
fn a_list_with_a_signature_of_something_else_is_told_by_verify() {
    let (home, author) = (Home::new(), Author::new(1));
    component(&home, "x.wasm", HOSTILE);
    author.signs(&home, "x.wasm", HOSTILE);
    assert_eq!(home.run(&["provider", "add", "./x.wasm", "--yes", "--signer", &author.key()]).code, Some(0));
    let list = home.state().join("providers.lock");
    let text = fs::read_to_string(&list).unwrap().replace(&author.key(), &Author::new(2).key());
    fs::write(&list, text).unwrap();
    let left = home.run(&["provider", "verify"]);
    assert_eq!(left.code, Some(4));
    insta::assert_snapshot!(left.stdout, @"✗ hostile          the signature in the list is not of its file");
}
