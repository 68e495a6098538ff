//! `connect`.

use dmplz_conformance::{Bench, Platform, SOON, every_provider};
use dmplz_core::messenger::ProviderError;
use dmplz_plugin::{Account, Grants, Secret, StartError};

every_provider! {
    connecting_needs_no_network,
    a_server_that_is_no_url_is_a_bad_setting,
    a_setting_that_nobody_knows_is_refused,
    without_its_token_it_does_not_start,
    a_server_that_nobody_granted_is_never_reached,
    a_slash_at_the_end_of_the_server_changes_nothing,
}

async fn connecting_needs_no_network<P: Platform>(it: &Bench<P>) {
    assert_eq!(it.connect(it.account()).await.unwrap().manifest(), it.manifest());
    assert_eq!(it.platform.wire().calls().len(), 0);
}

async fn a_server_that_is_no_url_is_a_bad_setting<P: Platform>(it: &Bench<P>) {
    for nonsense in ["", "api.example", "ftp://api.example", "https://", "http://x/?a={secret:token}"] {
        let refused = it.connect(with_server(it, nonsense)).await.err();
        let Some(StartError::Refused(ProviderError::BadSetting(name, expected))) = refused else {
            panic!("{nonsense:?}: {refused:?}")
        };
        assert_eq!(name, P::SERVER);
        assert!(expected.contains("https://"), "{expected}");
    }
}

async fn a_setting_that_nobody_knows_is_refused<P: Platform>(it: &Bench<P>) {
    let mut account = it.account();
    account.settings.insert("colour".to_owned(), "blue".to_owned());
    assert!(matches!(it.connect(account).await, Err(StartError::UnknownSetting(name)) if name == "colour"));
}

async fn without_its_token_it_does_not_start<P: Platform>(it: &Bench<P>) {
    let none = Account { secrets: Default::default(), ..it.account() };
    match it.connect(none).await {
        Ok(_) => assert!(!P::NEEDS_SECRET, "it works without"),
        Err(error) => assert!(matches!(error, StartError::MissingSecret(name) if P::NEEDS_SECRET && name == P::SECRET)),
    }
    let mut broken = it.account();
    broken.secrets.insert(P::GIVEN.to_owned(), Secret::new("two words"));
    assert!(matches!(it.connect(broken).await, Err(StartError::MalformedSecret(name)) if name == P::GIVEN));
}

async fn a_server_that_nobody_granted_is_never_reached<P: Platform>(it: &Bench<P>) {
    let account = Account { settings: Default::default(), grants: Grants::default(), ..it.account() };
    let provider = it.connect(account).await.unwrap();
    let refused = provider.diagnose(&it.platform.group(), SOON).await;
    assert!(matches!(refused, Err(ProviderError::Refused(_))), "{refused:?}");
    assert_eq!(it.platform.wire().calls().len(), 0);
}

async fn a_slash_at_the_end_of_the_server_changes_nothing<P: Platform>(it: &Bench<P>) {
    let provider = it.connect(with_server(it, &format!("{}/", it.platform.base_url()))).await.unwrap();
    provider.diagnose(&it.platform.group(), SOON).await.unwrap();
}

fn with_server<P: Platform>(it: &Bench<P>, server: &str) -> Account {
    let mut account = it.account();
    account.settings.insert(P::SERVER.to_owned(), server.to_owned());
    account
}
