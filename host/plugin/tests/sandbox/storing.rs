//! What a component stores: bounded, its own, and in words where it fails.

use std::io;
use std::sync::Arc;

use dmplz_plugin::{MemoryStorage, Storage};

use crate::bench::Bench;

/// A store on a full disk.
#[derive(Debug)]
pub(crate) struct Full;

impl Storage for Full {
    fn read(&self) -> io::Result<String> {
        Err(io::Error::other("no space left"))
    }

    fn update(&self, _: &mut dyn FnMut(&str) -> Option<String>) -> io::Result<()> {
        Err(io::Error::other("no space left"))
    }
}

fn empty() -> Arc<dyn Storage> {
    Arc::new(MemoryStorage::default())
}

async fn does(bench: Bench, kept: Option<&Arc<dyn Storage>>) -> String {
    let mut bench = bench;
    bench.account.storage = kept.cloned();
    bench.post().await
}

async fn follows(script: &str, kept: Option<&Arc<dyn Storage>>) -> String {
    does(Bench::doing("keep", "post").set("script", script), kept).await
}

#[tokio::test]
async fn what_is_stored_outlives_the_provider_and_is_no_other_accounts() {
    let (one, other) = (empty(), empty());
    assert_eq!(follows("get since; set since 17; get since", Some(&one)).await, "none; done; 17");
    assert_eq!(follows("get since; set b 2", Some(&one)).await, "17; done");
    assert_eq!(follows("get since", Some(&other)).await, "none");
    assert_eq!(follows("remove since; get since; get b", Some(&one)).await, "done; none; 2");
}

#[tokio::test]
async fn a_gigabyte_ends_in_words_and_what_was_there_stays() {
    let kept = empty();
    follows("set since 17", Some(&kept)).await;
    assert_eq!(does(Bench::doing("hoard", "post"), Some(&kept)).await, "64512 bytes, then full");
    assert_eq!(follows("get since", Some(&kept)).await, "17");
    assert!(kept.read().unwrap().len() < 100 << 10);
}

#[tokio::test]
async fn what_cannot_be_kept_is_said() {
    let said = "bad key; bad key; bad key";
    assert_eq!(follows("get ../x; set A 1; remove", Some(&empty())).await, said);
    let fails: Arc<dyn Storage> = Arc::new(Full);
    let said = "unavailable: no space left; unavailable: no space left";
    assert_eq!(follows("get a; set a 1", Some(&fails)).await, said);
    assert_eq!(follows("get a", None).await, "unavailable: this host keeps nothing");
    let foreign = empty();
    foreign.update(&mut |_| Some("{\"a\":7".to_owned())).unwrap();
    assert_eq!(follows("get a; set a 1; get a", Some(&foreign)).await, "none; done; 1");
}
