//! Manifests and accounts that do not fit.

use dmplz_plugin::{ManifestError, Secret, StartError};

use crate::bench::Bench;

async fn fails(bench: Bench) -> StartError {
    bench.try_start().await.map(drop).expect_err("it does not start")
}

#[tokio::test]
async fn a_manifest_that_breaks_the_rules_is_refused() {
    let error = fails(Bench::new().at_time(104)).await;
    assert!(matches!(error, StartError::Manifest(ManifestError::Name(_))), "{error:?}");
    let error = fails(Bench::new().at_time(105)).await;
    assert!(matches!(error, StartError::Manifest(ManifestError::SecretOrigin(_))), "{error:?}");
    let error = fails(Bench::new().at_time(107)).await;
    assert!(matches!(error, StartError::Manifest(ManifestError::Origin(_))), "{error:?}");
    let error = fails(Bench::new().at_time(108)).await;
    assert!(matches!(error, StartError::Manifest(ManifestError::Words(_))), "{error:?}");
    let error = fails(Bench::new().at_time(116)).await;
    assert!(matches!(error, StartError::Manifest(ManifestError::Limits)), "{error:?}");
}

#[tokio::test]
async fn a_manifest_without_a_chat_or_with_a_name_that_is_taken_is_refused() {
    let error = fails(Bench::new().at_time(113)).await;
    assert!(matches!(error, StartError::Manifest(ManifestError::NoChat)), "{error:?}");
    for (time, taken) in [(114, "url"), (115, "transport"), (117, "allowed-users")] {
        let error = fails(Bench::new().at_time(time)).await;
        assert!(matches!(&error, StartError::Manifest(ManifestError::Twice(name)) if name == taken), "{error:?}");
    }
}

#[tokio::test]
async fn a_secret_without_a_place_or_with_a_malformed_one_is_refused() {
    for (time, error) in [
        (109, "the secret token names no place where it may stand"),
        (
            110,
            "a place of the secret token cannot be used: a header must be authorization or end in -token or -key, and \
             hold its placeholder once, in at most 128 bytes",
        ),
        (
            111,
            "a place of the secret token cannot be used: a pointer must be a JSON pointer (RFC 6901) of at most 128 bytes",
        ),
        (112, "its manifest has too many places of a secret"),
    ] {
        assert_eq!(fails(Bench::new().at_time(time)).await.to_string(), error);
    }
}

#[tokio::test]
async fn secrets_must_be_there_and_look_like_secrets() {
    let mut bench = Bench::new();
    bench.account.secrets.remove("spare");
    insta::assert_snapshot!(fails(bench).await, @"it needs the secret spare");
    for value in ["short", "with a blank in it", "with\r\na line end", "비밀입니다비밀입니다"] {
        let mut bench = Bench::new();
        bench.account.secrets.insert("spare".to_owned(), Secret::new(value));
        let error = fails(bench).await.to_string();
        assert!(error.starts_with("the secret spare must be") && !error.contains(value), "{error}");
    }
}

#[tokio::test]
async fn a_setting_that_it_does_not_have_is_told() {
    insta::assert_snapshot!(fails(Bench::new().set("colour", "red")).await, @"it has no setting colour");
}
