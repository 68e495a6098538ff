mod changed;
mod judged;
mod near_misses;

use std::path::{Path, PathBuf};

use dmplz_core::approvers::Answerer;
use dmplz_core::grant::{HALF_HOUR_MS, SESSION_MS};
use dmplz_core::text::Lang;
use jiff::Timestamp;
use serde_json::{Value, json};

use super::*;
use crate::Policy;
use crate::places::Places;
use crate::tests::{now as today, object, roots, user};

const NOW: Moment = Moment { wall_ms: 1_000_000_000, up_ms: 5_000 };
const ID: &str = "0123456789abcdef0123456789abcdef";

fn ada() -> Answerer {
    Answerer { surface: "telegram".into(), id: "7".into(), name: "Ada".into() }
}

/// The circumstances of a call.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Place {
    folder: &'static str,
    session: &'static str,
    server: Option<&'static str>,
    /// Whether `/work/link` leads to `/elsewhere`.
    linked: bool,
    now: Moment,
}

const HERE: Place = Place { folder: "/work", session: "s1", server: None, linked: false, now: NOW };

/// Calls `look` with a call that has everything that a grant needs.
fn with<T>(tool: &str, input: &Value, place: Place, look: impl FnOnce(&Call<'_>) -> T) -> T {
    let input = object(input.clone());
    let leads = |path: &Path| {
        let inside = path.strip_prefix("/work/link").ok().filter(|_| place.linked);
        inside.map(|rest| PathBuf::from("/elsewhere").join(rest))
    };
    let places = Places::of(roots());
    look(&Call {
        cwd: Some(Path::new(place.folder)),
        home: Some(Path::new("/home/me")),
        server: place.server,
        places: &places,
        real_path: &leads,
        ..Call::new(tool, &input, today())
    })
}

/// Returns a grant for a call, whatever the rules decide.
fn given(tool: &str, input: &Value, session: Option<&str>, place: Place) -> Option<Grant> {
    with(tool, input, place, |call| {
        let what = (covers(call)?, folder(call)?.to_owned());
        Some(Grant::new(ID.into(), session.map(Into::into), what, ada(), "r1".into(), place.now))
    })
}

fn allows(policy: &Policy, grant: &Grant, tool: &str, input: &Value, place: Place) -> bool {
    let grants = std::slice::from_ref(grant);
    with(tool, input, place, |call| policy.granted(call, place.session, grants, place.now)).is_some()
}

#[test]
fn a_grant_for_half_an_hour_is_over_after_it_on_either_clock() {
    let grant = given("Bash", &json!({"command": "make"}), None, HERE).unwrap();
    let at = |wall: i64, up: i64| Moment {
        wall_ms: NOW.wall_ms.checked_add_signed(wall).unwrap(),
        up_ms: NOW.up_ms.checked_add_signed(up).unwrap(),
    };
    let half = HALF_HOUR_MS as i64;
    for (moment, holds) in [
        (at(0, 0), true),
        (at(half - 1, half - 1), true),
        (at(half, half), false),
        (at(half, 1), false),
        // A clock that was set back, at once or later.
        (at(-1, 0), false),
        (at(-1, 1), false),
        (at(1, half), false),
        (at(1, 10 * half), false),
        // The machine was started again.
        (at(1, -1), false),
        (at(1, -5_000), false),
    ] {
        assert_eq!(grant.holds(moment), holds, "{moment:?}");
        let place = Place { now: moment, ..HERE };
        assert_eq!(allows(&Policy::default(), &grant, "Bash", &json!({"command": "make"}), place), holds);
    }
}

#[test]
fn a_grant_for_a_session_is_for_that_one_and_for_a_day_at_most() {
    let input = json!({"command": "make"});
    let grant = given("Bash", &input, Some("s1"), HERE).unwrap();
    let allowed = |place| allows(&Policy::default(), &grant, "Bash", &input, place);
    let later = |ms| Moment { wall_ms: NOW.wall_ms + ms, up_ms: NOW.up_ms + ms };
    assert!(allowed(HERE));
    assert!(allowed(Place { now: later(SESSION_MS - 1), ..HERE }));
    assert!(!allowed(Place { now: later(SESSION_MS), ..HERE }));
    for session in ["s2", "s", "", "s1 "] {
        assert!(!allowed(Place { session, ..HERE }), "{session:?}");
    }
}

#[test]
fn what_this_program_could_not_have_made_counts_for_nothing() {
    let sound = given("Bash", &json!({"command": "make"}), None, HERE).unwrap();
    assert!(sound.is_sound() && allows(&Policy::default(), &sound, "Bash", &json!({"command": "make"}), HERE));
    let changed = |change: fn(&mut Grant)| {
        let mut grant = sound.clone();
        change(&mut grant);
        grant
    };
    for grant in [
        changed(|grant| grant.until_ms += 1),
        changed(|grant| grant.until_ms = u64::MAX),
        changed(|grant| grant.until_ms = grant.created.wall_ms),
        changed(|grant| grant.created.wall_ms = 0),
        changed(|grant| grant.id.clear()),
        changed(|grant| grant.id = ID.to_uppercase()),
        changed(|grant| grant.session = Some(String::new())),
        changed(|grant| grant.folder = "work".into()),
        changed(|grant| grant.by.id.clear()),
    ] {
        assert!(!grant.is_sound(), "{grant:?}");
        assert!(!allows(&Policy::default(), &grant, "Bash", &json!({"command": "make"}), HERE), "{grant:?}");
    }
    let day = changed(|grant| (grant.session, grant.until_ms) = (Some("s1".into()), NOW.wall_ms + SESSION_MS));
    assert!(day.is_sound());
}

#[test]
fn it_is_known_by_the_beginning_of_its_id_and_read_back_as_it_was() {
    let grant = given("Write", &json!({"file_path": "a.txt", "content": "x"}), Some("s1"), HERE).unwrap();
    assert_eq!(grant.place(), "grant:01234567");
    let permit = with("Write", &json!({"file_path": "/work/a.txt"}), HERE, |call| {
        Policy::default().granted(call, "s1", std::slice::from_ref(&grant), NOW)
    });
    assert_eq!(permit.unwrap().place(), "grant:01234567");
    let json = serde_json::to_string(&grant).unwrap();
    insta::assert_snapshot!(json, @r#"{"id":"0123456789abcdef0123456789abcdef","created":{"wall_ms":1000000000,"up_ms":5000},"until_ms":1086400000,"session":"s1","covers":{"kind":"file","tool":"Write","path":"/work/a.txt"},"folder":"/work","by":{"surface":"telegram","id":"7","name":"Ada"},"request_id":"r1"}"#);
    assert_eq!(serde_json::from_str::<Grant>(&json).unwrap(), grant);
    for odd in [
        json.replace("request_id", "requestId"),
        json.replace("\"tool\"", "\"x\":1,\"tool\""),
        json.replace("5000", "5000.5"),
    ] {
        assert!(serde_json::from_str::<Grant>(&odd).is_err(), "{odd}");
    }
}

#[test]
fn people_read_what_it_is_about_in_one_line_without_secrets() {
    let line = |tool: &str, input: Value, lang| {
        let place = Place { linked: true, ..HERE };
        given(tool, &input, None, place).map(|grant| grant.line(lang)).unwrap_or_default()
    };
    let push = json!({"command": "curl -H 'Authorization: Bearer abcdefghijklmnop1234' x\u{202e}\n&& make"});
    insta::assert_snapshot!(line("Bash", push.clone(), Lang::En), @"Bash, exactly this command: curl -H 'Authorization: Bearer abcd********' x⟨U+202E⟩␊&& make (in /work)");
    insta::assert_snapshot!(line("Bash", push, Lang::Ko), @"Bash, 정확히 이 명령: curl -H 'Authorization: Bearer abcd********' x⟨U+202E⟩␊&& make (폴더 /work)");
    insta::assert_snapshot!(line("Edit", json!({"file_path": "link/a"}), Lang::En), @"Edit, exactly this file: /work/link/a → /elsewhere/a (in /work)");
    insta::assert_snapshot!(line("Read", json!({"file_path": "/etc/hosts"}), Lang::Ko), @"Read, 정확히 이 파일: /etc/hosts (폴더 /work)");
    insta::assert_snapshot!(line("WebFetch", json!({"url": "https://Example.org:443/a?b", "prompt": "x"}), Lang::En), @"WebFetch, every page of https://example.org (in /work)");
    insta::assert_snapshot!(line("WebFetch", json!({"url": "http://[::1]:8080", "prompt": "x"}), Lang::Ko), @"WebFetch, http://[::1]:8080의 모든 페이지 (폴더 /work)");
    insta::assert_snapshot!(line("mcp__tiny__greet", json!({"name": "Ann", "token": "abcdefghijklmnop1234"}), Lang::En), @r#"mcp__tiny__greet, exactly this input: {"name":"Ann","token":"abcd********"} (in /work)"#);
    assert_eq!(line("Bash", json!({"command": "x".repeat(500)}), Lang::En).matches('x').count(), 160 + 1);
}
