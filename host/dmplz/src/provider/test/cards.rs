//! Every kind of card that the host posts: requests as Claude Code wrote them to a hook, in both languages, and cards at the
//! limits that the provider states.

use std::borrow::Cow;

use anyhow::Context;
use dmplz_core::card::{self, Asking, Style, Subject as About, Wanted};
use dmplz_core::claude::{HookInput, session_grant};
use dmplz_core::flow::Form;
use dmplz_core::messenger::{Attachment, Block, ButtonStyle, Card, Choice, ProviderError};
use dmplz_core::request::Offer;
use dmplz_core::text::Lang;
use dmplz_policy::KnownCommands;

use super::example::{TAG, choices, end, question};
use super::promise::{Promise, Report};
use super::subject::Subject;
use super::weather::Server;

/// The least that the host still posts of a text that is too large.
const LEAST: usize = 400;

macro_rules! recorded {
    ($($name:literal,)+) => {
        &[$(($name, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/e2e/stdin/PermissionRequest-", $name, ".json")))),+]
    };
}

/// Recorded requests of Claude Code.
const RECORDED: &[(&str, &str)] = recorded![
    "AskUserQuestion", "Bash", "Bash-auto-mode-ask-rule", "Bash-compound", "Bash-curl", "Bash-multiline",
    "Bash-subagent", "Bash-touch", "Edit", "ExitPlanMode", "ExitPlanMode-without-plan-file", "Read", "WebFetch",
    "WebSearch", "Write", "Write-outside-project", "Write-plan-mode", "mcp_tiny_ask", "mcp_tiny_greet",
];

/// Posts all of them over a server that takes everything.
pub(super) async fn post(subject: &Subject, transport: &str, report: &mut Report) -> anyhow::Result<()> {
    report.kept(Promise::Cards, Some(transport));
    let Some(spec) = subject.manifest.transports.iter().find(|it| it.name == transport) else { return Ok(()) };
    for lang in [Lang::En, Lang::Ko] {
        let style = Style { lang, answering: spec.answering, limits: spec.limits };
        for (name, stdin) in RECORDED {
            let mut budget = style.limits.text;
            // As the host does it: less text, until it fits.
            while let Some(true) = post_all(subject, transport, name, &asked(stdin, style, budget)?, report).await {
                if budget <= LEAST {
                    let what = format!("{name}: it is too large, however little text there is");
                    report.broken(Promise::Cards, Some(transport), &what);
                    break;
                }
                budget /= 2;
            }
        }
        for (name, card) in samples(style, subject) {
            if post_all(subject, transport, &name, &[card], report).await.is_none() {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// Posts the cards of one request. Returns whether one of them is too large; `None` if the component broke.
async fn post_all(subject: &Subject, transport: &str, name: &str, cards: &[Card], report: &mut Report) -> Option<bool> {
    let server = Server::content();
    let provider = subject.start(transport, server.clone()).await.ok()?;
    for card in cards {
        server.forget();
        let called = subject.post(&provider, card).await;
        let at = format!("post of {name}");
        if called.broke(&at, transport, report) {
            return None;
        }
        let mut broken = |promise, what: &str| report.broken(promise, Some(transport), &format!("{at}: {what}"));
        match (&called.outcome, server.asked()) {
            (Err(ProviderError::TooLarge), 0) => return Some(true),
            (Err(ProviderError::TooLarge), _) => {
                broken(Promise::Cards, "it says too-large after it had asked the server");
                return Some(false);
            }
            (Ok(_), 0) => broken(Promise::Honest, "it says that it is done, and asked nobody"),
            (
                Err(
                    why @ (ProviderError::Rejected(_)
                    | ProviderError::Other(_)
                    | ProviderError::Denied(_)
                    | ProviderError::BadSetting(..)
                    | ProviderError::NotFound),
                ),
                0,
            ) => broken(Promise::Cards, &why.to_string()),
            _ => {}
        }
    }
    Some(false)
}

/// Returns the cards of a request, as a hook would create them.
fn asked(stdin: &str, style: Style, budget: usize) -> anyhow::Result<Vec<Card>> {
    let input = HookInput::parse(stdin.as_bytes()).context("a recorded request cannot be read")?;
    let call = input.tool_call().context("a recorded request cannot be read")?;
    let grants = session_grant(&call, &input.cwd, &KnownCommands);
    let subject =
        About::of(&call, "0198c0de-0000-7000-8000-000000000001", &input.cwd, input.subagent(), &grants, style.lang);
    let offer = Offer { granted: true, ..Offer::of(&call, &input.cwd, &KnownCommands) };
    let asking = Asking { subject: &subject, offer: &offer, form: &Form::default(), tag: TAG };
    // If it does not fit at all, the host reports that to the person and posts nothing.
    Ok(card::ask(asking, style, budget).unwrap_or_default())
}

/// Returns cards other than requests, and cards at the limits.
fn samples(style: Style, subject: &Subject) -> Vec<(Cow<'static, str>, Card)> {
    let limits = style.limits;
    let body = |body: Vec<Block>| Card { body, ..question() };
    let labels = (0..limits.choices.min(25)).map(|at| {
        let row = u8::try_from(at / 5).unwrap_or(u8::MAX);
        Choice {
            row, ..Choice::new(&format!("choice-{at}"), &format!("✅ {}", "가".repeat(62)), ButtonStyle::Primary)
        }
    });
    let file = |name: &str, bytes: usize| {
        let media_type = "text/plain; charset=utf-8".to_owned();
        Block::File(Attachment { name: name.to_owned(), media_type, data: vec![b'x'; bytes] })
    };
    let mut samples: Vec<(Cow<'static, str>, Card)> = vec![
        ("a notice".into(), card::notice("Answered already.", TAG, Some(subject.message()))),
        ("a card that has ended".into(), end()),
        ("a card without any text".into(), Card { title: String::new(), ..body(Vec::new()) }),
        (
            "a prompt for a reason".into(),
            card::prompt(style, TAG, Wanted::Reason, 60_000, "no_reason", Some(subject.message())),
        ),
        (
            "markup in every part".into(),
            Card {
                title: MARKUP.to_owned(),
                ..body(vec![
                    Block::Text(MARKUP.to_owned()),
                    Block::Code(MARKUP.to_owned()),
                    Block::Hint(format!("write `no_reason` {MARKUP}")),
                ])
            },
        ),
        ("letters beyond the first plane".into(), body(vec![Block::Code("😀가\u{10FFFF}e\u{301}".repeat(20))])),
        ("a text at the limit".into(), body(vec![Block::Text("x".repeat(limits.text))])),
        ("a text of three times the limit".into(), body(vec![Block::Code("가\n".repeat(limits.text))])),
        ("as many choices as the limit".into(), Card { choices: labels.collect(), ..end() }),
        ("a placeholder of a secret".into(), body(vec![Block::Text("{secret:bot-token} {secret:token}".to_owned())])),
        ("one choice".into(), Card { choices: choices().into_iter().take(1).collect(), ..end() }),
    ];
    if limits.attachment > 0 {
        samples.push(("an empty file".into(), body(vec![file("a\"b\r\n.txt", 0)])));
        samples.push(("a file at the limit".into(), body(vec![file("request.txt", limits.attachment)])));
    }
    samples
}

/// Markup of several messengers at once.
const MARKUP: &str =
    "*b* _i_ ~s~ `c` ```\nx\n``` [a](https://a.example) <b>&amp;</b> <@1> @everyone # h\n> q ||s|| \\ {{x}} %s";
