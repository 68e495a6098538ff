use super::*;

// Made with minisign 0.11: `minisign -G -W`, `minisign -Sm acme.wasm`.

pub(in crate::component) const COMPONENT: &[u8] = b"component";
pub(in crate::component) const KEY: &str = "RWRs+HCxDSTMUBKsrxjy2v5OM6cUFLJfMcZZ6eCPALn4EO0/G6REbsQz";
/// The key's signature of the component.
pub(in crate::component) const SIGNATURE: &str = "\
untrusted comment: signature from minisign secret key
RURs+HCxDSTMUCpBrNkbRunZ1+RkSNr9FVBRCln57fsRKXfhNAzrWxdphiiPgpMSG10ZbV8b48aAcbSst/xnXeGfL4iBKGspnAw=
trusted comment: acme 1.0.0
M9hsTK8nEl+4RwDJSjtGv88Xy6cBewXuqyC1AOr3AmpdvxFscMtvRRGydTiwpN0cpgQkO1oSqbrcHWEyhNhoDw==
";
/// The key's signature of another file.
pub(in crate::component) const OF_ANOTHER_FILE: &str = "\
untrusted comment: signature from minisign secret key
RURs+HCxDSTMUD6Cpp2kdtjB7fQ2NoTKiWQAMfp6qm/cmMoAL0nUnYnNt4jxjWevhwUdmYnlMKXOIxxkXddTD9AaeVlJ/FVv5wk=
trusted comment: other
E5CcA0ZxtgPYz2AINR1iO9wUMXS9R0A7MUupp6ENUfAtC0Ej9YKDwmmS4LYOiPa6nehn1B7fM5Fju4gJf/mIBg==
";
/// Another key's signature of the component.
pub(in crate::component) const OF_ANOTHER_KEY: &str = "\
untrusted comment: signature from minisign secret key
RUQCWpbF4g1eZcDOaypRvajn7DS6QSaayhgt3/sBl6f7m5EBUEzAKxwRsygTeuMpKgo7rmBj25RB7d1Gig6Dg/feRxy39jMZegM=
trusted comment: b
S+v4mdLkmGm2MKE6F000CO90npPR+WLCTqqs4cL23QLz7JUDfpkAmkgtQ58JHq50Q/ywie2FtcMbI+wtOS50BA==
";
/// The key's signature of the component without hashing it first: `-l`.
const OF_OLD_FORMAT: &str = "\
untrusted comment: signature from minisign secret key
RWRs+HCxDSTMUCSs6+tGSnGbGff4oY+/K8B3C6aWcPyvHWYrwESgiLhiwGDx/gY2FTjG6mQhY2cJqkRFik4zudwsl+PfJj8YNAM=
trusted comment: legacy
K4R2OTHHR5VzC6ZnTLiiIWStmGtEmUduC2+1BaB/n94l3Da+QPvN5to5FNVJeUOzPiWgxYJpIHRYwGWgMkzVAw==
";

fn signers() -> Vec<Signer> {
    vec![Signer::parse(KEY).unwrap()]
}

#[test]
fn a_signature_of_the_key_is_valid_and_tells_its_comment() {
    let signed = checked(COMPONENT, Some(SIGNATURE), &signers()).unwrap();
    assert_eq!((signed.signer.as_str(), signed.signature.as_str()), (KEY, SIGNATURE));
    let shown = Signed::of(COMPONENT, Some(SIGNATURE), &signers());
    assert_eq!(shown, Signed::Yes { signer: KEY.to_owned(), comment: "acme 1.0.0".to_owned() });
}

#[test]
fn what_is_no_signature_of_these_signers_says_why() {
    let forged_comment = SIGNATURE.replace("acme 1.0.0", "acme 9.0.0");
    for (component, signature, why) in [
        (COMPONENT, None, "it is not signed"),
        (COMPONENT, Some("nonsense"), "its signature is no signature of minisign"),
        (COMPONENT, Some(OF_ANOTHER_FILE), "its signature does not match: it was changed after it was signed"),
        (&b"components"[..], Some(SIGNATURE), "its signature does not match: it was changed after it was signed"),
        (COMPONENT, Some(&forged_comment), "its signature does not match: it was changed after it was signed"),
        (COMPONENT, Some(OF_ANOTHER_KEY), "it is signed with another key"),
        (COMPONENT, Some(OF_OLD_FORMAT), "its signature has the old format: sign it with minisign 0.10 or later"),
    ] {
        assert_eq!(checked(component, signature, &signers()).unwrap_err().to_string(), why);
    }
    assert!(checked(COMPONENT, Some(SIGNATURE), &[]).is_err(), "without a key nothing is signed");
    assert_eq!(Signed::of(COMPONENT, Some(SIGNATURE), &[]), Signed::Unchecked);
    assert_eq!(Signed::of(COMPONENT, None, &signers()), Signed::No);
}

#[test]
fn a_key_is_its_line_or_the_file_that_holds_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("acme.pub");
    std::fs::write(&file, format!("untrusted comment: minisign public key 50CC240DB170F86C\n{KEY}\n")).unwrap();
    for argument in [KEY, file.to_str().unwrap()] {
        assert_eq!(Signer::named(argument).unwrap().to_string(), KEY);
    }
    std::fs::write(&file, KEY).unwrap();
    for argument in ["RW", "/nowhere/acme.pub", file.to_str().unwrap(), ""] {
        assert!(Signer::named(argument).is_err(), "{argument}");
    }
}
