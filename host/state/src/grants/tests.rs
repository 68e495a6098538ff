use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;

use dmplz_core::approvers::Answerer;
use dmplz_core::grant::Covers;

use super::*;

const NOW: Moment = Moment { wall_ms: 1_000_000_000, up_ms: 5_000 };
const HOUR: u64 = 60 * 60 * 1000;

fn grants() -> (tempfile::TempDir, Grants) {
    let temp = tempfile::tempdir().unwrap();
    let state = StateDir::open(temp.path().join("state")).unwrap();
    (temp, Grants::of(&state))
}

fn later(ms: u64) -> Moment {
    Moment { wall_ms: NOW.wall_ms + ms, up_ms: NOW.up_ms + ms }
}

fn grant(number: usize, session: Option<&str>) -> Grant {
    let covers = Covers::File { tool: "Write".into(), path: format!("/p/{number}"), leads: None };
    let by = Answerer { surface: "cli".into(), id: "me".into(), name: "Me".into() };
    Grant::new(format!("{number:032x}"), session.map(Into::into), (covers, "/p".into()), by, "r".into(), NOW)
}

fn kept(grants: &Grants) -> Vec<String> {
    Grants::read(&grants.dir).unwrap().iter().map(|grant| grant.id.trim_start_matches('0').to_owned()).collect()
}

#[test]
fn what_is_kept_is_read_back_until_it_is_taken_back() {
    let (_temp, grants) = grants();
    assert!(kept(&grants).is_empty());
    assert!(!grants.dir.join("grants.json.lock").exists(), "looking writes nothing");
    let (first, second) = (grant(1, None), grant(2, Some("s")));
    grants.add(&first, NOW).unwrap();
    grants.add(&second, NOW).unwrap();
    grants.add(&first, NOW).unwrap();
    assert_eq!(Grants::read(&grants.dir).unwrap(), [second.clone(), first.clone()]);
    assert_eq!(fs::metadata(grants.path()).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(grants.revoke(|grant| grant.id == first.id, NOW).unwrap().meant, [first]);
    assert_eq!(kept(&grants), ["2"]);
    assert_eq!(grants.revoke(|grant| grant.id == second.id, NOW).unwrap().meant, [second]);
    assert!(!grants.path().exists(), "the last one takes the file with it");
    assert!(grants.revoke(|_| true, NOW).unwrap().is_empty());
}

#[test]
fn a_session_takes_its_own_grants_with_it() {
    let (_temp, grants) = grants();
    for (number, session) in [(1, Some("s")), (2, None), (3, Some("t")), (4, Some("s"))] {
        grants.add(&grant(number, session), NOW).unwrap();
    }
    let ended = grants.end_session("s", NOW).unwrap().meant;
    assert_eq!(ended.iter().map(|grant| grant.id.trim_start_matches('0')).collect::<Vec<_>>(), ["1", "4"]);
    assert_eq!(kept(&grants), ["2", "3"]);
    grants.end_session("", NOW).unwrap();
    assert_eq!(kept(&grants), ["2", "3"]);
}

#[test]
fn those_whose_time_has_passed_go_with_the_next_change() {
    let (_temp, grants) = grants();
    grants.add(&grant(1, None), NOW).unwrap();
    grants.add(&grant(2, Some("s")), NOW).unwrap();
    let expired = |number, session| Dropped { expired: vec![grant(number, session)], ..Dropped::default() };
    assert_eq!(grants.revoke(|_| false, later(HOUR)).unwrap(), expired(1, None));
    assert_eq!(kept(&grants), ["2"]);
    assert_eq!(grants.revoke(|_| true, later(24 * HOUR)).unwrap(), expired(2, Some("s")), "it did not hold any more");
    assert!(!grants.path().exists());
    grants.add(&grant(3, None), NOW).unwrap();
    let fresh = Grant { created: later(HOUR), until_ms: NOW.wall_ms + 2 * HOUR, ..grant(4, Some("s")) };
    assert_eq!(grants.add(&fresh, later(HOUR)).unwrap(), expired(3, None));
}

#[test]
fn there_is_room_for_so_many_and_no_more() {
    let (_temp, grants) = grants();
    let list: Vec<Grant> = (0..MAX_GRANTS).map(|number| grant(number, None)).collect();
    grants.replace(&list).unwrap();
    assert!(matches!(grants.add(&grant(MAX_GRANTS, None), NOW), Err(GrantsError::Full)));
    assert_eq!(kept(&grants).len(), MAX_GRANTS);
    let mut fresh = grant(MAX_GRANTS, None);
    fresh.created = later(HOUR);
    fresh.until_ms += HOUR;
    grants.add(&fresh, later(HOUR)).unwrap();
    assert_eq!(kept(&grants).len(), 1);
}

#[test]
fn what_others_may_have_written_grants_nothing() {
    let (_temp, grants) = grants();
    grants.add(&grant(1, None), NOW).unwrap();
    for mode in [0o640, 0o604, 0o620, 0o666] {
        fs::set_permissions(grants.path(), Permissions::from_mode(mode)).unwrap();
        assert!(matches!(Grants::read(&grants.dir), Err(GrantsError::Foreign(_))), "{mode:o}");
        assert!(matches!(grants.add(&grant(2, None), NOW), Err(GrantsError::Foreign(_))), "{mode:o}");
    }
    fs::set_permissions(grants.path(), Permissions::from_mode(0o600)).unwrap();
    fs::set_permissions(&grants.dir, Permissions::from_mode(0o770)).unwrap();
    assert!(matches!(Grants::read(&grants.dir), Err(GrantsError::Dir(_))));
    fs::set_permissions(&grants.dir, Permissions::from_mode(0o700)).unwrap();
    let list = grants.path();
    fs::rename(&list, grants.dir.join("other")).unwrap();
    std::os::unix::fs::symlink("other", &list).unwrap();
    assert!(matches!(Grants::read(&grants.dir), Err(GrantsError::File(FileError::Io { .. }))));
    fs::remove_file(&list).unwrap();
    fs::create_dir(&list).unwrap();
    assert!(Grants::read(&grants.dir).is_err());
}

#[test]
fn what_nobody_can_have_written_grants_nothing_and_is_left_as_it_is_until_all_is_taken_back() {
    let (_temp, grants) = grants();
    grants.add(&grant(1, None), NOW).unwrap();
    let sound = fs::read_to_string(grants.path()).unwrap();
    let longer = sound.replace(&format!("{}", NOW.wall_ms + HOUR / 2), &format!("{}", NOW.wall_ms + HOUR));
    let twice = format!("[{0},{0}", sound.trim_matches(['[', ']']));
    let many = format!("[{}]", vec![sound.trim_matches(['[', ']']); MAX_GRANTS + 1].join(","));
    let large = format!("{sound}{}", " ".repeat(MAX_BYTES as usize));
    let unknown = sound.replace("\"folder\"", "\"more\":1,\"folder\"");
    let no_one = sound.replace("\"me\"", "\"\"");
    for garbage in ["", "{", "{}", "null", "[1]", "\0", &longer, &twice, &many, &large, &unknown, &no_one] {
        assert_ne!(garbage, sound);
        fs::write(grants.path(), garbage).unwrap();
        let shown = garbage.get(..200).unwrap_or(garbage);
        assert!(matches!(Grants::read(&grants.dir), Err(GrantsError::Corrupt(_))), "{shown}");
        assert!(grants.add(&grant(2, None), NOW).is_err(), "{shown}");
        assert!(grants.revoke(|_| true, NOW).is_err(), "{shown}");
        assert_eq!(fs::read(grants.path()).unwrap(), garbage.as_bytes(), "{shown}");
    }
    assert!(grants.revoke_all(NOW).unwrap().is_empty());
    assert!(kept(&grants).is_empty());
    grants.add(&grant(2, None), NOW).unwrap();
    assert_eq!(grants.revoke_all(NOW).unwrap().meant.len(), 1);
}

#[test]
fn many_at_once_lose_nothing() {
    let (_temp, grants) = grants();
    std::thread::scope(|scope| {
        for number in 0..8 {
            let grants = &grants;
            scope.spawn(move || {
                for more in 0..4 {
                    grants.add(&grant(number * 10 + more, None), NOW).unwrap();
                }
                grants.revoke(|it| it.id == grant(number * 10, None).id, NOW).unwrap();
            });
        }
    });
    assert_eq!(kept(&grants).len(), 8 * 3);
}

#[test]
fn what_a_killed_process_left_is_written_over() {
    let (_temp, grants) = grants();
    fs::write(grants.dir.join("grants.json.new"), "[half").unwrap();
    grants.add(&grant(1, None), NOW).unwrap();
    assert_eq!(kept(&grants), ["1"]);
}
