//! Scripts that showed a fault once, faults of the past that are put back, and that a number makes one run.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::path::Path;

use dmplz_core::request::End;
use dmplz_simulation::draw::draw;
use dmplz_simulation::fleet;
use dmplz_simulation::options::Components;
use dmplz_simulation::oracle::Invariant;
use dmplz_simulation::run::{Shown, play};
use dmplz_simulation::script::{Relapse, Script};

fn script(name: &str) -> Script {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join(format!("{name}.jsonl"));
    Script::read(&std::fs::read_to_string(file).unwrap()).unwrap()
}

fn shown(script: &Script) -> Shown {
    let place = fleet::place().unwrap();
    play(script, place.path(), true).unwrap()
}

#[test]
fn every_script_that_showed_a_fault_holds_by_now() {
    for file in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("data")).unwrap() {
        let file = file.unwrap().path();
        if !file.is_file() {
            continue;
        }
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let Shown { broken, story, .. } = shown(&script(&name));
        assert!(broken.is_empty(), "{name}: {broken:?}\n{}", story.join("\n"));
    }
}

#[test]
fn a_fault_of_the_past_that_is_put_back_is_seen() {
    for (name, relapse) in [
        ("late-words-first", Relapse::WordsFirst),
        ("gateway-killed-after-a-denial", Relapse::DenialUntold),
        ("frozen-over-the-deadline", Relapse::ClockFirst),
    ] {
        let mut script = script(name);
        script.frame.relapse = Some(relapse);
        let Shown { broken, story, .. } = shown(&script);
        let is_seen = broken.iter().any(|broken| broken.invariant == Invariant::DenyNotLost);
        assert!(is_seen, "{name}: {broken:?}\n{}", story.join("\n"));
    }
}

#[test]
fn a_number_makes_one_run() {
    for seed in 1_000..1_060 {
        let script = draw(seed, Components::Drawn);
        let (one, other) = (shown(&script), shown(&script));
        assert_eq!(one.story, other.story, "seed {seed}");
        assert_eq!(one.broken, other.broken, "seed {seed}");
    }
}

#[test]
fn a_number_makes_one_run_of_a_component() {
    for seed in 0..20 {
        let script = draw(seed, Components::Always);
        let (one, other) = (shown(&script), shown(&script));
        assert_eq!(one.story, other.story, "seed {seed}");
        assert_eq!(one.broken, other.broken, "seed {seed}");
    }
}

#[test]
fn a_component_asks_and_brings_an_answer() {
    let script = r#"{"seed":1,"way":"buttons","component":true,"limit":30000,"reason":5000,"latency":20}
        {"do":"hook","hook":0,"at":0}
        {"do":"press","at":5000,"who":"bob","hook":0,"choice":"approve"}
        {"do":"hook","hook":1,"at":10000}
        {"do":"press","at":15000,"who":"ann","hook":1,"choice":"deny"}
        {"do":"say","at":17000,"who":"ann","text":"use a branch"}"#;
    let Shown { broken, story, ends } = shown(&Script::read(script).unwrap());
    assert!(broken.is_empty(), "{broken:?}");
    assert_eq!(ends[..2], [End::Approved, End::RejectedWithReason], "{}", story.join("\n"));
}

#[test]
fn a_script_is_read_as_it_was_written() {
    for seed in 0..500 {
        let script = draw(seed, Components::Drawn);
        assert_eq!(Script::read(&script.to_string()).unwrap(), script);
    }
    assert!(Script::read("").is_err());
    assert!(Script::read(&format!("{}\nnonsense", draw(1, Components::Drawn))).is_err());
}
