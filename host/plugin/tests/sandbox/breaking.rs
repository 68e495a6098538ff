//! Traps, limits and time.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use dmplz_core::messenger::{OpenChat, ProviderError, Users};
use dmplz_plugin::{Fault, StartError};

use crate::bench::{Bench, LONG, SOON, TOKEN, card, message, post, press, room};

const EXPORTS: [&str; 6] = ["open", "diagnose", "post", "revise", "receive", "acknowledge"];

/// Calls every export, `at` first, and returns what that one said. The rest must work: in a fresh instance.
async fn breaks(mode: &str, at: &str, within: Duration) -> (ProviderError, String) {
    let bench = Bench::doing(mode, at);
    let provider = bench.start().await;
    let mut outcome = None;
    let others = EXPORTS.into_iter().filter(|export| *export != at);
    for export in std::iter::once(at).chain(others) {
        let answer = match export {
            "open" => provider.open(&room(), within).await.map(drop),
            "diagnose" => provider.diagnose(&room(), within).await.map(drop),
            "post" => post(&provider, within).await.map(drop),
            "revise" => provider.revise(&message(), &card(), within).await,
            "receive" => provider.receive("", &[], Duration::ZERO, within).await.map(drop),
            "acknowledge" => provider.acknowledge(&press(), None, within).await,
            _ => unreachable!(),
        };
        if export == at {
            outcome = answer.err();
        } else {
            assert_eq!(answer, Ok(()), "{export} after {at}");
        }
    }
    (outcome.expect("it breaks"), bench.log())
}

fn broken(why: &str) -> ProviderError {
    ProviderError::Broken(format!("hostile: {why}"))
}

#[tokio::test]
async fn a_trap_in_any_export_costs_only_that_call() {
    for at in EXPORTS {
        let (error, log) = breaks("trap", at, LONG).await;
        assert!(matches!(&error, ProviderError::Broken(why) if why.contains("it trapped")), "{at}: {error:?}");
        assert!(log.contains("Warn hostile: its instance was thrown away: it trapped"), "{log}");
    }
}

/// Rust's runtime writes the text of a panic to the standard error, as Python's and JavaScript's do for an exception.
#[tokio::test]
async fn what_a_broken_export_wrote_to_its_standard_error_is_logged() {
    let (_, log) = breaks("trap", "post", LONG).await;
    assert!(log.contains("Warn hostile: post: trapped in post"), "{log}");
    let bench = Bench::new().at_time(101);
    assert!(bench.try_start().await.is_err());
    assert!(bench.log().contains("Warn provider: describe: trapped in describe"), "{}", bench.log());
    let bench = Bench::doing("mutter", "post").set("text", &format!("\u{1b}[31mred\nno {TOKEN}\nplain"));
    post(&bench.start().await, LONG).await.unwrap();
    insta::assert_snapshot!(bench.log(), @"
    Debug hostile: post: ␛[31mred
    Warn hostile: (a line that held a secret was dropped)
    Debug hostile: post: plain
    ");
}

#[tokio::test]
async fn of_ten_thousand_lines_of_standard_error_the_end_is_logged() {
    let lines: Vec<String> = (0..10_000).map(|number| format!("line {number}")).collect();
    let bench = Bench::doing("mutter", "post").set("text", &lines.join("\n"));
    let provider = bench.start().await;
    post(&provider, LONG).await.unwrap();
    let log = bench.log();
    assert_eq!((log.lines().count(), log.lines().last()), (32, Some("Debug hostile: post: line 9999")), "{log}");
    provider.open(&room(), LONG).await.unwrap();
    assert_eq!(bench.log(), log, "none of it is told again");
}

#[tokio::test]
async fn a_trap_in_describe_or_connect_is_an_error_of_the_start() {
    let trapped = |error| matches!(error, Err(StartError::Fault(Fault::Trapped(_))));
    assert!(trapped(Bench::new().at_time(101).try_start().await.map(drop)));
    assert!(trapped(Bench::doing("trap", "connect").try_start().await.map(drop)));
    assert!(Bench::new().try_start().await.is_ok());
}

#[tokio::test]
async fn an_endless_loop_ends_at_the_deadline_and_others_have_their_turn_meanwhile() {
    let bench = Bench::doing("spin", "post");
    let provider = bench.start().await;
    let begun = Instant::now();
    let ticks = async {
        let mut ticks = 0;
        while begun.elapsed() < SOON {
            tokio::time::sleep(Duration::from_millis(10)).await;
            ticks += 1;
        }
        ticks
    };
    let (outcome, ticks) = tokio::join!(post(&provider, SOON), ticks);
    assert_eq!(outcome, Err(ProviderError::Deadline));
    assert!(begun.elapsed() < SOON * 3, "{:?}", begun.elapsed());
    assert!(ticks > 5, "{ticks}");
    assert!(provider.open(&room(), LONG).await.is_ok());
}

#[tokio::test]
async fn loops_in_describe_and_connect_end() {
    let overstayed = |error| matches!(error, Err(StartError::Fault(Fault::Overstayed | Fault::Work)));
    assert!(overstayed(Bench::new().at_time(102).try_start().await.map(drop)));
    assert!(overstayed(Bench::doing("nap", "connect").try_start().await.map(drop)));
}

#[tokio::test]
async fn naps_and_host_calls_without_end_are_ended() {
    for mode in ["nap", "doze", "poll", "log"] {
        let begun = Instant::now();
        let (error, log) = breaks(mode, "post", SOON).await;
        assert_eq!(error, ProviderError::Deadline, "{mode}");
        assert!(begun.elapsed() < SOON * 4, "{mode}: {:?}", begun.elapsed());
        assert!(log.lines().count() <= 66, "{mode}");
    }
}

#[tokio::test]
async fn an_endless_log_is_cut_and_says_so() {
    let (_, log) = breaks("log", "post", SOON).await;
    assert_eq!(log.matches("and another line").count(), 64);
    assert!(log.contains("(further lines of this call were dropped)"), "{log}");
}

#[tokio::test]
async fn a_giant_line_is_cut() {
    let bench = Bench::doing("giant-log", "post");
    post(&bench.start().await, LONG).await.unwrap();
    assert!(bench.log().len() < 1_100);
}

#[tokio::test]
async fn memory_recursion_and_payload_have_ends() {
    assert_eq!(breaks("grow", "post", LONG).await.0, broken("it wanted more than 64 MiB of memory"));
    assert_eq!(breaks("recurse", "receive", LONG).await.0, broken("it trapped: wasm trap: call stack exhausted"));
    assert_eq!(breaks("giant-text", "post", LONG).await.0, broken("it passed more than 32 MiB in one call"));
    assert_eq!(breaks("giant-list", "receive", LONG).await.0, broken("it passed more than 32 MiB in one call"));
}

#[tokio::test]
async fn answers_that_nobody_could_keep_break_the_contract() {
    let why = "it broke the contract: it brought more than 1,000 events at once";
    assert_eq!(breaks("long-list", "receive", LONG).await.0, broken(why));
    let met = Bench::doing("long-list", "meet").start().await.meet("", Duration::ZERO, LONG).await;
    assert_eq!(met, Err(broken("it broke the contract: it brought more than 1,000 greetings at once")));
    let bench = Bench::doing("fail", "post").set("text", &"long ".repeat(4_000));
    let error = post(&bench.start().await, LONG).await.unwrap_err();
    assert!(error.to_string().len() < 1_100);
}

#[tokio::test]
async fn an_introduction_and_a_meeting_end_at_their_deadlines() {
    let introduced = Bench::doing("nap", "introduce").start().await.introduce("c0de", SOON).await;
    assert_eq!(introduced, Err(ProviderError::Deadline));
    let met = Bench::doing("spin", "meet").start().await.meet("", Duration::ZERO, SOON).await;
    assert_eq!(met, Err(ProviderError::Deadline));
    let nobody = Bench::new().start().await.introduce("c0de", LONG).await;
    assert_eq!(nobody, Ok(None), "a provider where nobody can write to the bot first");
}

#[tokio::test]
async fn a_thread_has_the_owner_of_its_chat_whatever_the_component_says() {
    let chat = OpenChat { id: "1".to_owned(), owner: Some("7".to_owned()), users: Users::Identified };
    let thread = Bench::new().start().await.open_thread(&chat, "thread", LONG).await.unwrap().unwrap();
    assert_eq!(thread, chat.at("thread"));
    let long = Bench::new().start().await.open_thread(&chat, &"x".repeat(513), LONG).await;
    assert_eq!(long, Err(broken("it broke the contract: an id is longer than 512 bytes")));
    let late = Bench::doing("spin", "set-thread").start().await.set_thread(&thread, "x", true, SOON).await;
    assert_eq!(late, Err(ProviderError::Deadline));
    let late = Bench::doing("nap", "draft").start().await.draft(&chat, 1, "", SOON).await;
    assert_eq!(late, Err(ProviderError::Deadline));
    let late = Bench::doing("nap", "set-commands").start().await.set_commands(&chat, &[], SOON).await;
    assert_eq!(late, Err(ProviderError::Deadline));
}

#[tokio::test]
async fn a_dropped_call_leaves_a_working_provider() {
    let provider = Bench::doing("nap", "post").start().await;
    let dropped = tokio::time::timeout(Duration::from_millis(50), post(&provider, LONG)).await;
    assert!(dropped.is_err());
    assert!(provider.open(&room(), LONG).await.is_ok());
}

#[tokio::test]
async fn calls_run_side_by_side() {
    let provider = Bench::doing("nap", "receive").start().await;
    let waiting = provider.receive("", &[], SOON, SOON);
    let (waited, posted) = tokio::join!(waiting, post(&provider, LONG));
    assert_eq!(waited, Err(ProviderError::Deadline));
    assert!(posted.is_ok());
}

#[tokio::test]
async fn a_fresh_instance_must_say_what_the_first_one_said() {
    let bench = Bench::doing("trap", "post").at_time(1_000);
    let provider = bench.start().await;
    bench.clock.0.store(1_001, Ordering::Relaxed);
    assert!(post(&provider, LONG).await.is_err());
    assert_eq!(provider.open(&room(), LONG).await, Err(broken("it changed its manifest")));
    bench.clock.0.store(1_002, Ordering::Relaxed);
    assert!(provider.open(&room(), LONG).await.is_ok());
}
