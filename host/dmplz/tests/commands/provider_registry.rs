//! Components in an OCI registry: `dmplz provider inspect|add|update oci://...`.

use std::fs;

use dmplz_guests::HOSTILE;
use serde_json::json;

use crate::command::Home;
use crate::http::Reply;
use crate::provider::{component, installed, rebuilt};
use crate::provider_signed::Author;
use crate::registry::{COMPONENT, Registry, digest, manifest, refusal};

const TWO_LAYERS: &[(&str, &[u8])] = &[(COMPONENT, b"1"), (COMPONENT, b"2")];
const A_TAR: &[(&str, &[u8])] = &[("application/vnd.oci.image.layer.v1.tar+gzip", b"1")];

#[test]
fn a_component_is_installed_from_a_registry_and_updated_by_its_name() {
    let (home, registry) = (Home::new(), Registry::start());
    registry.put("ann/hostile", "1", HOSTILE, &json!({}));
    let reference = registry.reference("ann/hostile:1");
    let seen = home.run(&["provider", "inspect", &reference, "--json"]).json();
    assert_eq!(
        (&seen["name"], &seen["source"], &seen["reference"]),
        (&json!("hostile"), &json!("registry"), &json!(reference))
    );
    assert!(!home.state().exists(), "nothing is kept");
    let text = home.run(&["provider", "inspect", &reference]).stdout;
    assert!(
        text.contains("  comes      from a registry; it is not installed\n  registry   oci://127.0.0.1:"),
        "{text}"
    );

    let left = home.run(&["provider", "add", &reference, "--yes"]);
    assert_eq!(left.code, Some(0), "{left:?}");
    assert_eq!(installed(&home)[0]["reference"], json!(reference));
    let left = home.run(&["provider", "update", "hostile", "--yes"]);
    assert!(left.code == Some(0) && left.stdout.contains("It is this file already."), "{left:?}");

    registry.put("ann/hostile", "1", &rebuilt(), &json!({}));
    let left = home.run(&["provider", "update", "hostile", "--yes"]);
    assert_eq!(left.code, Some(0), "{left:?}");
    assert_eq!(format!("sha256:{}", installed(&home)[0]["sha256"].as_str().unwrap()), digest(&rebuilt()));
    assert_eq!(home.run(&["provider", "verify"]).code, Some(0));
}

#[test]
fn a_signature_in_an_annotation_counts_like_one_beside_a_file() {
    let (home, registry, author) = (Home::new(), Registry::start(), Author::new(1));
    let signature = json!({ "minisign.signature": author.signature("x.wasm", HOSTILE) });
    registry.put("hostile", "1", HOSTILE, &signature);
    let reference = registry.reference("hostile:1");
    let other = home.run(&["provider", "add", &reference, "--yes", "--signer", &Author::new(2).key()]);
    assert!(other.code == Some(1) && other.stderr.contains("it is signed with another key"), "{other:?}");
    let left = home.run(&["provider", "add", &reference, "--yes", "--signer", &author.key()]);
    assert_eq!(left.code, Some(0), "{left:?}");
    registry.put("hostile", "1", &rebuilt(), &signature);
    let left = home.run(&["provider", "update", "hostile", "--yes"]);
    assert!(left.code == Some(1) && left.stderr.contains("its signature does not match"), "{left:?}");
    assert_eq!(installed(&home)[0]["signed"]["signer"], json!(author.key()));
}

#[test]
fn the_login_that_docker_keeps_is_used() {
    let (home, registry) = (Home::new(), Registry::start());
    registry.put("hostile", "1", HOSTILE, &json!({}));
    registry.want_login("YW5uOnNlY3JldA==");
    let reference = registry.reference("hostile:1");
    let left = home.run(&["provider", "add", &reference, "--yes"]);
    assert!(left.code == Some(1) && left.stderr.contains("wants a login"), "{left:?}");
    let auths = json!({ "auths": { registry.address(): { "auth": "YW5uOnNlY3JldA==" } } });
    fs::create_dir(home.path().join(".docker")).unwrap();
    fs::write(home.path().join(".docker/config.json"), auths.to_string()).unwrap();
    let left = home.run(&["provider", "add", &reference, "--yes"]);
    assert_eq!(left.code, Some(0), "{left:?}");
}

#[test]
fn a_registry_that_does_not_deliver_ends_in_one_sentence_that_says_why() {
    let (home, registry) = (Home::new(), Registry::start());
    registry.put("changed", "1", HOSTILE, &json!({}));
    registry.answer(&format!("changed/blobs/{}", digest(HOSTILE)), Reply::json(200, "something else"));
    registry.put("gone", "1", HOSTILE, &json!({}));
    registry.answer(&format!("gone/blobs/{}", digest(HOSTILE)), refusal(404, "BLOB_UNKNOWN"));
    let of = |layers| {
        Reply::json(200, manifest(layers, &json!({})))
            .with("content-type", "application/vnd.oci.image.manifest.v1+json")
    };
    registry.answer("layers/manifests/1", of(TWO_LAYERS));
    registry.answer("tar/manifests/1", of(A_TAR));
    let mut large = manifest(&[(COMPONENT, b"1")], &json!({}));
    large["layers"][0]["size"] = json!(65 << 20);
    registry.answer("large/manifests/1", Reply::json(200, large));
    registry.answer(
        "index/manifests/1",
        Reply::json(
            200,
            json!({ "schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": [] }),
        ),
    );
    registry.answer("noise/manifests/1", Reply::json(200, "<html>"));
    registry.answer("busy/manifests/1", Reply::json(503, "later"));
    for (name, why) in [
        ("nothing:1", "cannot be installed: it is not there"),
        ("changed:1", "its digest is not what its manifest says"),
        ("gone:1", "it is not there"),
        ("layers:1", "it is no component: it has 2 layers, and a component has one"),
        ("tar:1", "it is no component: its layer is of the type application/vnd.oci.image.layer.v1.tar+gzip"),
        ("large:1", "it is larger than"),
        ("index:1", "it is an index of images, and no component"),
        ("noise:1", "answered what cannot be understood"),
        ("busy:1", "answered with the status 503"),
    ] {
        let left = home.run(&["provider", "add", &registry.reference(name), "--yes"]);
        assert_eq!((left.code, left.stdout.as_str(), left.stderr.lines().count()), (Some(1), "", 1), "{left:?}");
        assert!(left.stderr.contains(why), "{why}: {left:?}");
    }
    for (reference, why) in [
        ("oci://127.0.0.1:1/acme:1", "127.0.0.1:1 cannot be reached"),
        ("oci://acme", "it takes a registry, a name, and a tag or digest"),
        ("oci://ghcr.io/Ann:1", "its name cannot be understood"),
    ] {
        let left = home.run(&["provider", "inspect", reference]);
        assert!(left.code != Some(0) && left.stderr.contains(why), "{why}: {left:?}");
    }
    assert!(installed(&home).is_empty());
}

#[test]
fn a_name_is_updated_only_where_a_registry_is_known() {
    let home = Home::new();
    let left = home.run(&["provider", "update", "hostile", "--yes"]);
    assert!(left.code == Some(1) && left.stderr.contains("hostile is neither an installed provider"), "{left:?}");
    component(&home, "x.wasm", HOSTILE);
    assert_eq!(home.run(&["provider", "add", "./x.wasm", "--yes"]).code, Some(0));
    let left = home.run(&["provider", "update", "hostile", "--yes"]);
    assert!(left.code == Some(1) && left.stderr.contains("hostile was installed from a file"), "{left:?}");
}
