//! Tests that documents about the bundled messengers agree with their manifests: `docs/MESSENGERS.md` in both
//! languages, and the description of the Claude Code plugin.
//!
//! `DMPLZ_WRITE_DOCS=1 cargo test --workspace --test commands messengers_docs` writes them.

use std::path::{Path, PathBuf};

use dmplz_bundled::{MESSENGERS, Messenger, Takes, Users};
use dmplz_core::text::{fill, title};
use serde_json::Value;

use crate::command::Home;
use crate::policy_docs::path;

/// The text above the tables.
const HEAD: [&str; 2] = [
    "# Messengers

The settings of every messenger that comes with `dmplz`. They stand in the environment, or in `config.toml` by the same names in
lower case without `DMPLZ_`. Where several messengers are set up, `DMPLZ_PROVIDER` names the one that a hook alone asks on; `dmplz
serve` asks on all of them. Setting the URL of a server grants its origin, `http` and loopback included.
",
    "# 메신저

`dmplz`에 포함된 메신저마다의 설정입니다. 환경 변수로, 또는 `config.toml`에 `DMPLZ_` 없이 소문자로 적습니다. 여러 메신저를 설정했다면
훅 혼자 물을 곳을 `DMPLZ_PROVIDER`로 정합니다. `dmplz serve`는 모두에게 묻습니다. 서버의 URL을 설정하면 `http`나 루프백이어도 그 서버에
접근할 수 있습니다.
",
];
/// The heads of the columns.
const COLUMNS: [&str; 2] = ["| variable | default | |", "| 변수 | 기본값 | |"];
/// The warning about a messenger that does not identify users.
const WARNING: [&str; 2] = [
    "**Nobody is identified here: anyone who reaches the chat can answer.** So nobody may, until you set `{}=*`, and then
everyone who can write there may approve. Keep the name of the chat as secret as a password.
",
    "**누가 답했는지 알 수 없습니다. 채팅에 접근할 수 있으면 누구나 답할 수 있습니다.** 그래서 `{}=*`로 설정하기 전에는 아무도 답할
수 없고, 설정하면 그곳에 쓸 수 있는 모두가 승인할 수 있습니다. 채팅 이름을 비밀번호처럼 지켜 주세요.
",
];
const WRITTEN: &str =
    "<!-- Written by `DMPLZ_WRITE_DOCS=1 cargo test --workspace --test commands messengers_docs`. -->\n";

#[test]
fn the_documents_show_the_settings_of_every_messenger() {
    for (at, (document, lang, guide)) in
        [("MESSENGERS.md", "en", "README.md"), ("MESSENGERS.ko.md", "ko", "README.ko.md")].into_iter().enumerate()
    {
        let left = Home::new().with("DMPLZ_LANG", lang).run(&["config", "--json"]);
        let settings = left.json()["settings"].as_array().unwrap().clone();
        let sections = MESSENGERS.iter().map(|messenger| section(messenger, &settings, at, guide));
        let text = format!("{}\n{}{WRITTEN}{}", HEAD[at], capabilities(document), sections.collect::<String>());
        check(&path(document), &text);
    }
}

#[test]
fn the_plugin_names_every_messenger_and_its_servers() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("plugin/.claude-plugin/plugin.json");
    let titles: Vec<String> = MESSENGERS.iter().map(|messenger| title(messenger.name)).collect();
    let (last, before) = titles.split_last().unwrap();
    let on = if before.is_empty() { last.clone() } else { format!("{} or {last}", before.join(", ")) };
    let asks =
        format!("Asks you on {on} before Claude Code does something, and brings your answer back. Needs the dmplz");
    let names = MESSENGERS.iter().map(|messenger| messenger.name);
    let keywords: Vec<&str> = ["permissions", "approval"].into_iter().chain(names).collect();
    let hosts: Vec<&str> = MESSENGERS.iter().flat_map(hosts).collect();
    let (keywords, hosts) = (keywords.join("\", \""), hosts.join("\", \""));
    let lines = [
        ("description", format!("\"{asks} program on PATH.\",")),
        ("keywords", format!("[\"{keywords}\"],")),
        ("network", format!("{{ \"hosts\": [\"{hosts}\"] }}")),
    ];
    let kept = std::fs::read_to_string(&file).unwrap();
    let line = |kept: &str| {
        let named = lines.iter().find(|(key, _)| kept.starts_with(&format!("  \"{key}\": ")));
        named.map_or_else(|| format!("{kept}\n"), |(key, value)| format!("  \"{key}\": {value}\n"))
    };
    check(&file, &kept.lines().map(line).collect::<String>());
}

fn section(messenger: &Messenger, settings: &[Value], at: usize, guide: &str) -> String {
    let variables =
        messenger.settings.iter().map(|setting| setting.variable).chain([messenger.transport, messenger.allowed_users]);
    let rows = variables.map(|variable| {
        let row = settings.iter().find(|row| row["name"] == variable).unwrap();
        let default = row["value"].as_str().map(|value| format!("`{value}`")).unwrap_or_default();
        format!("| `{variable}` | {default} | {} |\n", row["help"].as_str().unwrap())
    });
    let rows = rows.collect::<String>().replace("|  |", "| |");
    let warning = match messenger.users {
        Users::Identified => String::new(),
        Users::Anonymous => fill(&format!("\n{}", WARNING[at]), &[messenger.allowed_users]),
    };
    let folder = format!("providers/{}/{guide}", messenger.name);
    let has_guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(&folder).is_file();
    let more = if has_guide { format!("\n[{folder}](../{folder})\n") } else { String::new() };
    format!("\n## {}\n{warning}{more}\n{}\n|---|---|---|\n{rows}", title(messenger.name), COLUMNS[at])
}

/// Returns the section with the table of capabilities as it is: the conformance suite writes it.
fn capabilities(document: &str) -> String {
    let kept = std::fs::read_to_string(path(document)).unwrap();
    let from = kept.find("\n## ").map(|at| at + 1);
    let until = kept.find(WRITTEN);
    from.zip(until).and_then(|(from, until)| kept.get(from..until)).unwrap_or_default().to_owned()
}

/// Returns the hosts that it reaches by HTTPS by default.
fn hosts(messenger: &'static Messenger) -> impl Iterator<Item = &'static str> {
    let defaults = messenger.settings.iter().filter(|setting| setting.takes == Takes::Url);
    let urls = defaults.filter_map(|setting| setting.default).chain(messenger.origins.iter().copied());
    urls.filter_map(|url| url.strip_prefix("https://")?.split(['/', ':']).next())
}

#[track_caller]
fn check(file: &PathBuf, wanted: &str) {
    let kept = std::fs::read_to_string(file).unwrap_or_default();
    if kept != wanted && std::env::var_os("DMPLZ_WRITE_DOCS").is_some() {
        return std::fs::write(file, wanted).unwrap();
    }
    assert!(kept == wanted, "{} is not what the manifests say; it should be:\n{wanted}", file.display());
}
