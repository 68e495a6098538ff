//! Changes a session, or asks its client.

use std::io::IsTerminal;

use dmplz_core::text::{Lang, fill};
use dmplz_core::visible::visible_line;
use dmplz_protocol::client::Client;
use dmplz_protocol::session::{ClientRule, ForkSession, GivenPermission, ListSessionRules, OneSession, ResumeSession};
use uuid::Uuid;

use crate::approvals::follow;
use crate::environment::variables;
use crate::exit;
use crate::gateway::{Place, soon};
use crate::named::short;
use crate::terminal::{say, show, show_json};
use crate::time::moment;

/// Shows the permission rules of a session's client, and what people allowed on its cards.
pub(super) fn rules(client: &mut Client, id: Uuid, json: bool, lang: Lang) -> anyhow::Result<()> {
    let listed = client.call(&ListSessionRules { id }, soon())?;
    if json {
        return show_json(&listed);
    }
    if listed.rules.is_empty() && listed.given.is_empty() {
        let none = say(lang, "Claude Code에 권한 규칙이 없습니다.", "Claude Code has no permission rules there.");
        return show(&format!("{none}\n"));
    }
    let line = |rule: &ClientRule| {
        let [behavior, text, source] = [&rule.behavior, &rule.rule, &rule.source].map(|text| visible_line(text));
        format!("{behavior:<5}  {text}  {source}\n")
    };
    show(&listed.rules.iter().map(line).collect::<String>())?;
    if listed.given.is_empty() {
        return Ok(());
    }
    let heading = say(
        lang,
        "카드에서 앞으로도 허용한 것 (취소: dmplz sessions revoke {} 번호):",
        "Allowed on cards from then on (to revoke one: dmplz sessions revoke {} NUMBER):",
    );
    show(&format!("{}\n", fill(heading, &[&short(id.to_string())])))?;
    show(&listed.given.iter().map(|given| of_card(given, lang)).collect::<String>())
}

fn of_card(given: &GivenPermission, lang: Lang) -> String {
    let GivenPermission { number, permission, scope, by, at_ms } = given;
    let (text, scope) = (visible_line(permission.text()), scope.title(lang.words()));
    let (who, surface) = (visible_line(&by.name), visible_line(&lang.surface(&by.surface)));
    format!("{number:>3}  {text}  {scope}  {who} ({surface}), {}\n", moment(*at_ms))
}

/// Resumes a session that has ended, and follows it at a terminal.
pub(super) fn resume(mut client: Client, place: &Place, id: Uuid, json: bool) -> anyhow::Result<u8> {
    let resumed = client.call(&ResumeSession { id, env: Some(variables()) }, soon())?;
    look_on(client, place, &resumed, json)
}

/// Starts another session from the conversation of this one, and follows it at a terminal. Elsewhere its id is shown.
pub(super) fn fork(mut client: Client, place: &Place, id: Uuid, json: bool) -> anyhow::Result<u8> {
    let forked = client.call(&ForkSession { id, env: Some(variables()) }, soon())?;
    if !json {
        show(&format!("{}\n", forked.session.id))?;
    }
    look_on(client, place, &forked, json)
}

/// Follows a session that has just begun if there is a terminal, or shows it to a program.
fn look_on(client: Client, place: &Place, begun: &OneSession, json: bool) -> anyhow::Result<u8> {
    if json {
        show_json(begun)?;
    } else if std::io::stdin().is_terminal() && std::io::stdout().is_terminal() {
        drop(client);
        return follow(place, begun.session.id);
    }
    Ok(exit::OK)
}
