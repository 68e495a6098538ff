//! Components by path.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use dmplz_guests::{HOSTILE, HOSTILE_PATH};
use dmplz_plugin::{Account, Cache, CacheError, Component, Digest, LoadError, Provider, Secret};

use crate::bench::{Bench, engine};

fn load(cache: &Path) -> Result<Component, LoadError> {
    Component::cached(engine(), HOSTILE, &Cache::open(cache, || Some([].into()))?)
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
            let moved_entry = home.path().join("aside");
            fs::rename(&entry, &moved_entry).unwrap();
            symlink(&moved_entry, &entry).unwrap();
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

#[test]
fn a_pinned_component_is_loaded_by_its_digest_and_no_other_file_is() {
    let home = tempfile::tempdir().unwrap();
    let (dir, file) = (home.path().join("cache"), home.path().join("x.wasm"));
    let cache = Cache::open(&dir, || Some([].into())).unwrap();
    let digest = Digest::of(HOSTILE);
    let pinned = || Component::pinned(engine(), &digest, &file, &cache);
    assert!(matches!(pinned().map(drop), Err(LoadError::Read(_))));
    let spoilt = [HOSTILE, b"\0"].concat();
    fs::write(&file, &spoilt).unwrap();
    let Err(LoadError::Replaced { found, .. }) = pinned().map(drop) else { panic!("another file ran") };
    assert_eq!(found, Digest::of(&spoilt));
    fs::copy(HOSTILE_PATH, &file).unwrap();
    assert!(!cache.holds(engine(), &digest));
    pinned().unwrap();
    assert!(cache.holds(engine(), &digest));
    fs::remove_file(&file).unwrap();
    pinned().expect("what is compiled needs the file no more");
    let other = Digest::parse(&"0".repeat(64)).unwrap();
    let renamed = entry(&dir).file_name().unwrap().to_str().unwrap().replace(&digest.to_string(), &other.to_string());
    fs::copy(entry(&dir), dir.join(renamed)).unwrap();
    assert!(!cache.holds(engine(), &other), "an entry belongs to the component that it was compiled from");
}

#[test]
#[allow(clippy::disallowed_methods, reason = "files are as old as the machine's clock says")]
fn the_cache_keeps_the_pinned_ones_and_the_newest_few() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path().join("cache");
    load(&dir).unwrap();
    let suffix = entry(&dir).file_name().unwrap().to_str().unwrap()[64..].to_owned();
    fs::remove_file(entry(&dir)).unwrap();
    let digest = |number: u8| Digest::of(&[number]);
    let now = SystemTime::now();
    for number in 0..9 {
        let path = dir.join(format!("{}{suffix}", digest(number)));
        fs::write(&path, "old").unwrap();
        let file = fs::File::options().write(true).open(path).unwrap();
        file.set_modified(now - Duration::from_secs(100 - u64::from(number))).unwrap();
    }
    for (name, age) in [(".tmpOld", 7_200), (".tmpNew", 60)] {
        fs::write(dir.join(name), "half").unwrap();
        let file = fs::File::options().write(true).open(dir.join(name)).unwrap();
        file.set_modified(now - Duration::from_secs(age)).unwrap();
    }
    let kept = || {
        let there = |number: &u8| dir.join(format!("{}{suffix}", digest(*number))).exists();
        (0..9).filter(there).collect::<Vec<_>>()
    };
    let component = |pinned: Option<_>| {
        let _ = fs::remove_file(dir.join(format!("{}{suffix}", Digest::of(HOSTILE))));
        Component::cached(engine(), HOSTILE, &Cache::open(&dir, move || pinned.clone()).unwrap()).unwrap()
    };
    component(None);
    assert_eq!(kept(), [0, 1, 2, 3, 4, 5, 6, 7, 8], "nothing is removed where it is not known what is pinned");
    component(Some([digest(1)].into()));
    assert_eq!(kept(), [1, 6, 7, 8]);
    assert!(!dir.join(".tmpOld").exists() && dir.join(".tmpNew").exists());
    assert!(dir.join(format!("{}{suffix}", Digest::of(HOSTILE))).exists());
}
