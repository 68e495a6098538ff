//! What a component stores: bounded, its own, and in words where it fails.

use std::io;
use std::sync::{Arc, Mutex};

use dmplz_plugin::Storage;

use crate::bench::Bench;

/// A store in memory, or one that fails.
#[derive(Debug, Default)]
struct Kept {
    text: Mutex<String>,
    fails: bool,
}

impl Kept {
    fn text(&self) -> io::Result<String> {
        if self.fails { Err(io::Error::other("no space left")) } else { Ok(self.text.lock().unwrap().clone()) }
    }
}

impl Storage for Kept {
    fn read(&self) -> io::Result<String> {
        self.text()
    }

    fn update(&self, change: &mut dyn FnMut(&str) -> Option<String>) -> io::Result<()> {
        let changed = change(&self.text()?);
        changed.into_iter().for_each(|text| *self.text.lock().unwrap() = text);
        Ok(())
    }
}

async fn does(bench: Bench, kept: Option<&Arc<Kept>>) -> String {
    let mut bench = bench;
    bench.account.storage = kept.cloned().map(|kept| kept as Arc<dyn Storage>);
    bench.post().await
}

async fn follows(script: &str, kept: Option<&Arc<Kept>>) -> String {
    does(Bench::doing("keep", "post").set("script", script), kept).await
}

#[tokio::test]
async fn what_is_stored_outlives_the_provider_and_is_no_other_accounts() {
    let (one, other) = (Arc::new(Kept::default()), Arc::new(Kept::default()));
    assert_eq!(follows("get since; set since 17; get since", Some(&one)).await, "none; done; 17");
    assert_eq!(follows("get since; set b 2", Some(&one)).await, "17; done");
    assert_eq!(follows("get since", Some(&other)).await, "none");
    assert_eq!(follows("remove since; get since; get b", Some(&one)).await, "done; none; 2");
}

#[tokio::test]
async fn a_gigabyte_ends_in_words_and_what_was_there_stays() {
    let kept = Arc::new(Kept::default());
    follows("set since 17", Some(&kept)).await;
    assert_eq!(does(Bench::doing("hoard", "post"), Some(&kept)).await, "64512 bytes, then full");
    assert_eq!(follows("get since", Some(&kept)).await, "17");
    assert!(kept.text.lock().unwrap().len() < 100 << 10);
}

#[tokio::test]
async fn what_cannot_be_kept_is_said() {
    let said = "bad key; bad key; bad key";
    assert_eq!(follows("get ../x; set A 1; remove", Some(&Arc::default())).await, said);
    let fails = Arc::new(Kept { fails: true, ..Kept::default() });
    let said = "unavailable: no space left; unavailable: no space left";
    assert_eq!(follows("get a; set a 1", Some(&fails)).await, said);
    assert_eq!(follows("get a", None).await, "unavailable: this host keeps nothing");
    let foreign = Arc::new(Kept { text: "{\"a\":7".to_owned().into(), ..Kept::default() });
    assert_eq!(follows("get a; set a 1; get a", Some(&foreign)).await, "none; done; 1");
}
