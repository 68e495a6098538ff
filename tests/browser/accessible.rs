//! Labels, contrast, order, size: what people need who do not see, point or hold still as others do.

use std::collections::HashMap;

use dmplz_e2e::stdin;
use serde_json::{Value, json};

use crate::gateway::Gateway;
use crate::page::{DESKTOP, PHONE, Page, TAB};

tests! {
    browser:
        everything_to_press_has_a_name,
        the_focus_goes_through_the_page_in_reading_order,
        a_phone_needs_no_sideways_scrolling_and_no_fine_aim,
        at_a_zoom_of_400_per_cent_nothing_covers_what_is_asked;
    plain:
        colours_that_meet_have_contrast;
}

const ENGLISH: &[(&str, &str)] = &[("DMPLZ_LANG", "en")];

/// The elements without an accessible name, as `tag.class`.
const NAMELESS: &str =
    "[...document.querySelectorAll('button, a, input, select, textarea, summary, [tabindex=\"0\"], nav, section')]
    .filter((it) => it.checkVisibility())
    .filter((it) => !(it.innerText?.trim() || it.ariaLabel || it.getAttribute('aria-labelledby') || it.labels?.length))
    .map((it) => `${it.tagName}.${it.className}`)";

async fn everything_to_press_has_a_name() {
    let gateway = Gateway::with(ENGLISH);
    let page = Page::unpaired(&gateway, DESKTOP).await;
    page.until("the field", "document.activeElement?.id === 'code'").await;
    assert_eq!(page.value(NAMELESS).await, json!([]));
    page.write(&format!("{}\n", gateway.code())).await;
    page.online().await;
    let hook = gateway.hook(&stdin::captured("PermissionRequest-Edit"));
    page.shows(".card .part.diff", "gamma").await;
    assert_eq!(page.value(NAMELESS).await, json!([]));
    page.click(".actions .deny").await;
    assert_eq!(page.value(NAMELESS).await, json!([]));
    page.click(".reason .deny").await;
    drop(hook.answer());
    page.until("somebody is told", "document.getElementById('said').textContent.includes('Denied · you')").await;
    for view in ["history", "figures"] {
        page.go(view).await;
        page.until("it to be there", "document.querySelector('.past li, .chart')").await;
        assert_eq!(page.value(NAMELESS).await, json!([]), "{view}");
    }
    // The chart has a table for people who cannot see it.
    page.until("the table", "document.querySelector('figure table caption')?.textContent").await;
    page.close().await;
}

async fn the_focus_goes_through_the_page_in_reading_order() {
    let gateway = Gateway::with(ENGLISH);
    let page = Page::paired(&gateway, DESKTOP).await;
    let _hook = gateway.hook(&stdin::push());
    page.until("the buttons", "document.querySelector('.actions .approve:enabled')").await;
    page.value("document.activeElement.blur()").await;
    let mut order = Vec::new();
    for _ in 0..40 {
        page.write(&TAB.to_string()).await;
        let place = "(() => { const it = document.activeElement; return [it.className || it.dataset.view || it.dataset.id && 'row' || it.tagName, getComputedStyle(it).outlineStyle]; })()";
        let at = page.value(place).await;
        if at[0] == "BODY" || order.first() == Some(&at[0]) {
            break;
        }
        assert_ne!(at[1], "none", "the focus cannot be seen at {at}");
        order.push(at[0].clone());
    }
    let wanted = [
        "skip", "inbox", "history", "figures", "settings", "bell", "lang", "theme", "keys", "logout", "row", "PRE",
        "SELECT", "keep", "SUMMARY", "besides", "besides", "besides", "deny", "session", "approve",
    ];
    let order: Vec<&Value> = order.iter().filter(|it| **it != "bell").collect();
    let wanted: Vec<&str> = wanted.into_iter().filter(|it| *it != "bell").collect();
    assert_eq!(order, wanted);
    page.close().await;
}

async fn a_phone_needs_no_sideways_scrolling_and_no_fine_aim() {
    let gateway = Gateway::with(ENGLISH);
    let page = Page::paired(&gateway, PHONE).await;
    let _hook = gateway.hook(&stdin::captured("PermissionRequest-Bash-multiline"));
    let fits = "document.documentElement.scrollWidth <= innerWidth";
    // The smallest side of what a thumb has to hit.
    let small = "[...document.querySelectorAll('.rows button, .tabs button, .tools button, .buttons button, .back, input:not([type=radio]), select')]
        .filter((it) => it.checkVisibility()).filter((it) => Math.min(it.offsetWidth, it.offsetHeight) < 40).map((it) => it.outerHTML)";
    for (view, content) in [("inbox", ".rows button, .card"), ("history", ".count:not(:empty)"), ("figures", ".chart")]
    {
        page.go(view).await;
        page.until(content, &format!("document.querySelector('{content}')")).await;
        assert_eq!((page.value(fits).await, page.value(small).await), (json!(true), json!([])), "{view}");
        let wide = "[...document.querySelectorAll('main input')].filter((it) => it.getBoundingClientRect().right > it.parentElement.getBoundingClientRect().right + 1).map((it) => it.id)";
        assert_eq!(page.value(wide).await, json!([]), "{view}");
    }
    page.go("inbox").await;
    page.until("the request", "document.querySelector('.rows button, .card')").await;
    if page.count(".card").await == 0 {
        page.click(".rows button").await;
    }
    page.until("the card", "document.querySelector('.card .approve:enabled')").await;
    assert_eq!((page.value(fits).await, page.value(small).await), (json!(true), json!([])));
    let reachable = "document.querySelector('.actions').getBoundingClientRect().bottom <= innerHeight && document.querySelector('.actions').getBoundingClientRect().top > innerHeight / 2";
    assert_eq!(page.value(reachable).await, json!(true), "the answers are where the thumb is");
    page.close().await;
}

async fn at_a_zoom_of_400_per_cent_nothing_covers_what_is_asked() {
    let gateway = Gateway::with(ENGLISH);
    // A window of 1280 by 1024 pixels.
    let page = Page::paired(&gateway, (320, 256)).await;
    let hook = gateway.hook(&stdin::push());
    page.click(".rows button").await;
    page.shows(".card .part.command", "git push origin main").await;
    let covered = "[...document.querySelectorAll('.card > header, .actions')].filter((it) => getComputedStyle(it).position === 'sticky').reduce((sum, it) => sum + it.offsetHeight, 0)";
    assert_eq!(page.value(covered).await, 0);
    assert_eq!(page.value("document.documentElement.scrollWidth <= innerWidth").await, true);
    page.click(".actions .approve").await;
    hook.ended().decides(json!({ "behavior": "allow" }));
    // A card fills a phone until it is left.
    page.until("the views", "document.querySelector('.tabs').checkVisibility()").await;
    for (view, content) in [("history", ".past li"), ("figures", ".chart")] {
        page.go(view).await;
        page.until(content, &format!("document.querySelector('{content}')")).await;
        assert_eq!(page.value("document.documentElement.scrollWidth <= innerWidth").await, true, "{view}");
    }
    page.close().await;
}

/// Which colour is written, or drawn, on which; and the contrast that it needs (WCAG 2.2, 1.4.3 and 1.4.11).
const PAIRS: &[(&str, &[&str], f64)] = &[
    ("text", &["ground", "surface", "sunken", "hover", "accent-soft", "good-soft", "bad-soft"], 4.5),
    ("quiet", &["ground", "surface", "sunken", "hover", "accent-soft"], 4.5),
    ("accent", &["ground", "surface", "accent-soft"], 4.5),
    ("on-accent", &["accent"], 4.5),
    ("good", &["ground", "surface", "good-soft", "accent-soft"], 4.5),
    ("on-good", &["good"], 4.5),
    ("bad", &["ground", "surface", "bad-soft", "accent-soft"], 4.5),
    ("on-bad", &["bad"], 4.5),
    ("warn", &["warn-soft", "surface"], 4.5),
    ("ground", &["text"], 4.5),
    ("code-command", &["sunken"], 4.5),
    ("code-string", &["sunken"], 4.5),
    ("code-variable", &["sunken"], 4.5),
    ("code-flag", &["sunken"], 4.5),
    ("code-operator", &["sunken"], 4.5),
    ("code-comment", &["sunken"], 4.5),
    ("edge", &["surface", "ground"], 3.0),
];

fn colours_that_meet_have_contrast() {
    let css = include_str!("../../host/gateway/page/colours.css");
    let (light, dark) = css.split_once("@media (prefers-color-scheme: dark)").expect("a dark half");
    let (dark, chosen) = dark.split_once("data-theme=\"dark\"").expect("the dark that a person chose");
    assert_eq!(colours(dark), colours(chosen), "both darks are the same");
    for (name, half) in [("light", light), ("dark", dark)] {
        let colours = colours(half);
        for (front, backs, wanted) in PAIRS {
            for back in *backs {
                let found = contrast(colours[*front], colours[*back]);
                assert!(found >= *wanted, "{name}: {front} on {back} has {found:.2}, not {wanted}");
            }
        }
    }
}

fn colours(css: &str) -> HashMap<&str, [u8; 3]> {
    css.lines().filter_map(colour).collect()
}

/// Parses `--name: #rrggbb;`.
fn colour(line: &str) -> Option<(&str, [u8; 3])> {
    let (name, value) = line.trim().strip_prefix("--")?.split_once(": #")?;
    let value = u32::from_str_radix(value.trim_end_matches(';'), 16).ok()?;
    let [_, red, green, blue] = value.to_be_bytes();
    Some((name, [red, green, blue]))
}

fn contrast(one: [u8; 3], other: [u8; 3]) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// Returns the relative luminance, as WCAG defines it.
fn luminance(colour: [u8; 3]) -> f64 {
    let linear = |value: u8| {
        let value = f64::from(value) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    let [red, green, blue] = colour.map(linear);
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}
