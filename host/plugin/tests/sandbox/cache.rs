//! Components by path.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use dmplz_guests::HOSTILE_PATH;
use dmplz_plugin::{Account, CacheError, Component, LoadError, Provider, Secret};

use crate::bench::{Bench, engine};

fn load(cache: &Path) -> Result<Component, LoadError> {
    Component::from_file(engine(), Path::new(HOSTILE_PATH), cache)
}

fn entry(cache: &Path) -> PathBuf {
    let entries: Vec<_> = fs::read_dir(cache).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(entries.len(), 1, "{entries:?}");
    entries.into_iter().next().unwrap()
}

#[tokio::test]
async fn a_component_is_compiled_once_and_works() {
    let home = tempfile::tempdir().unwrap();
    let cache = home.path().join("cache");
    load(&cache).unwrap();
    let first = fs::metadata(entry(&cache)).unwrap();
    let component = load(&cache).unwrap();
    let second = fs::metadata(entry(&cache)).unwrap();
    assert_eq!(first.modified().unwrap(), second.modified().unwrap());
    assert_eq!(second.permissions().mode() & 0o777, 0o600);
    assert_eq!(fs::metadata(&cache).unwrap().permissions().mode() & 0o777, 0o700);
    let secrets = ["token", "spare"].map(|name| (name.to_owned(), Secret::new("12345678")));
    let account = Account { secrets: secrets.into(), ..Account::default() };
    Provider::start(&component, account, Bench::new().host()).await.unwrap();
}

#[test]
fn what_cannot_be_trusted_is_compiled_anew() {
    let home = tempfile::tempdir().unwrap();
    let cache = home.path().join("cache");
    load(&cache).unwrap();
    let entry = entry(&cache);
    let good = fs::read(&entry).unwrap();
    let spoil: [&dyn Fn(); 5] = [
        &|| {
            let mut bad = good.clone();
            *bad.last_mut().unwrap() ^= 1;
            fs::write(&entry, bad).unwrap();
        },
        &|| fs::write(&entry, &good[..good.len() / 2]).unwrap(),
        &|| fs::write(&entry, b"").unwrap(),
        &|| fs::set_permissions(&entry, Permissions::from_mode(0o620)).unwrap(),
        &|| {
            let aside = home.path().join("aside");
            fs::rename(&entry, &aside).unwrap();
            symlink(&aside, &entry).unwrap();
        },
    ];
    for (case, spoil) in spoil.iter().enumerate() {
        spoil();
        load(&cache).unwrap();
        let metadata = fs::symlink_metadata(&entry).unwrap();
        assert!(metadata.is_file() && metadata.permissions().mode() & 0o777 == 0o600, "case {case}");
        assert_eq!(fs::read(&entry).unwrap(), good, "case {case}");
    }
}

#[test]
fn a_directory_that_others_can_write_to_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let cache = home.path().join("cache");
    fs::create_dir(&cache).unwrap();
    fs::set_permissions(&cache, Permissions::from_mode(0o777)).unwrap();
    assert!(matches!(load(&cache).map(drop), Err(LoadError::Cache(CacheError::NotPrivate(_)))));
    let link = home.path().join("link");
    symlink(home.path(), &link).unwrap();
    assert!(matches!(load(&link).map(drop), Err(LoadError::Cache(CacheError::NotPrivate(_)))));
}
