//! Measures how long the rules take to decide, for `cargo xtask bench`: a call of another tool than the shell, and a
//! command line of three commands, with policies of different sizes. Prints a JSON object per policy, with
//! microseconds.
//!
//! Of a hundred rules, 58 allow a prefix of commands, 10 deny one, 10 allow the tool of an MCP server, 10 a host, and
//! 10 the files of a folder. One denies files, and is evaluated for every word of every command. One is a regular
//! expression without a known first word, and is evaluated for every command.

#![allow(clippy::print_stdout, reason = "its output is the result")]

use std::fmt::Write;
use std::hint::black_box;
use std::time::{Duration, Instant};

use dmplz_policy::{Call, Decision, File, Origin, Policy, Tier};
use jiff::Timestamp;
use serde_json::{Map, Value, json};

const SIZES: [usize; 3] = [10, 1_000, 10_000];
/// The number of samples. Each is so long that the cost of reading the clock does not matter. The number is odd, so
/// that the median is one of them.
const SAMPLES: usize = 101;
const SAMPLE: Duration = Duration::from_millis(2);

fn main() {
    for size in SIZES {
        let text = rules(size);
        let read = median(5, || time(|| drop(black_box(policy(&text)))));
        let policy = policy(&text);
        let write = json!({ "file_path": "/work/src/main.rs", "content": "fn main() {}" });
        let command = json!({ "command": "git status && npm test | head" });
        println!(
            "{}",
            json!({
                "rules": policy.rules().len(), "read_us": micros(read),
                "tool_us": micros(check(&policy, "Write", write)),
                "shell_us": micros(check(&policy, "Bash", command)),
            })
        );
    }
}

/// Returns the median time of one decision. It must be an allow, which requires the most checks.
fn check(policy: &Policy, tool: &str, input: Value) -> Duration {
    let input: Map<String, Value> = serde_json::from_value(input).unwrap_or_default();
    let mut call = Call::new(tool, &input, Timestamp::UNIX_EPOCH);
    call.cwd = Some("/work".as_ref());
    call.home = Some("/home/ann".as_ref());
    assert_eq!(policy.check(&call).decision, Decision::Allow, "{tool}");
    let once = time(|| drop(black_box(policy.check(black_box(&call)))));
    let times = u32::try_from(SAMPLE.as_nanos() / once.as_nanos().max(1)).unwrap_or(u32::MAX).max(1);
    let sample = || time(|| (0..times).for_each(|_| drop(black_box(policy.check(black_box(&call)))))) / times;
    median(SAMPLES, sample)
}

fn policy(text: &str) -> Policy {
    let origin = Origin { tier: Tier::User, path: "policy.toml".into(), root: None, trusted: true };
    let policy = Policy::new(vec![File::parse(text, origin)]);
    assert!(policy.problems().is_empty(), "{:?}", policy.problems());
    policy
}

/// Returns a file of `size` rules. Those that decide are among the first ten.
fn rules(size: usize) -> String {
    let mut text = String::new();
    for prefix in ["git status", "npm test", "head"] {
        add(&mut text, "Bash", &format!("commandPrefix = \"{prefix}\""), "allow");
    }
    add(&mut text, "Write", "paths = \"src/**\"", "allow");
    for n in 4..size {
        let (tool, condition, decision) = match n % 100 {
            50 => ("*".to_owned(), format!("paths = \"**/secret-{n}/**\""), "deny"),
            60 => ("Bash".to_owned(), format!("commandRegex = \"[a-f]+{n} (build|test)\""), "allow"),
            rest => match rest % 10 {
                0 => ("Bash".to_owned(), format!("commandPrefix = \"tool{n} push\""), "deny"),
                1 => (format!("mcp__server{}__tool{n}", n / 100), String::new(), "allow"),
                2 => ("WebFetch".to_owned(), format!("domains = \"docs{n}.example.com\""), "allow"),
                3 => ("Write".to_owned(), format!("paths = \"packages/part{n}/**\""), "allow"),
                _ => ("Bash".to_owned(), format!("commandPrefix = \"tool{} run{n}\"", n / 10), "allow"),
            },
        };
        add(&mut text, &tool, &condition, decision);
    }
    text
}

fn add(text: &mut String, tool: &str, condition: &str, decision: &str) {
    let _ = writeln!(text, "[[rule]]\ntoolName = \"{tool}\"\n{condition}\ndecision = \"{decision}\"\npriority = 100\n");
}

fn time(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

fn median(samples: usize, mut sample: impl FnMut() -> Duration) -> Duration {
    let mut all: Vec<_> = (0..samples).map(|_| sample()).collect();
    all.sort_unstable();
    all.get(samples / 2).copied().unwrap_or_default()
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}
