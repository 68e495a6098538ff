//! `dmplz people`: who may answer in the messenger's chat. Everybody on the list may approve and deny; there are no
//! roles.

use std::time::Duration;

use dmplz_core::text::{Lang, fill, title};
use dmplz_core::visible::visible_line;
use dmplz_state::Instance;
use serde::Serialize;

use crate::duration;
use crate::settings::language;
use crate::setup::invite::{People, Somebody};
use crate::setup::{Console, Failure};
use crate::terminal::{OnlyJson, Paint, Tone, pad, say, show_json, tell};

/// The text of `dmplz people --help`.
pub(crate) const ABOUT: &str = "\
The people who may answer in the messenger's chat: its owner where it is private, and those on the list
DMPLZ_<MESSENGER>_ALLOWED_USERS. Everybody on it may approve and deny. To invite somebody, the chat must be a group
or a channel: the command shows a link for one use, and asks you and them. An agent cannot do that.

메신저 채팅에서 답할 수 있는 사람: 개인 채팅이면 그 주인, 그리고 DMPLZ_<메신저>_ALLOWED_USERS 목록의 사람입니다. 목록에
있으면 누구나 승인하고 거부할 수 있습니다. 초대하려면 채팅이 그룹이나 채널이어야 합니다. 한 번만 쓸 수 있는 링크를 보여
주고, 양쪽에 확인합니다. 에이전트는 할 수 없습니다.";

/// The subcommands of `people`.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    /// Show who may answer · 답할 수 있는 사람 보기
    List(OnlyJson),
    /// Let one more person answer, by a link for one use · 한 번만 쓸 수 있는 링크로 한 사람 더 초대
    Invite {
        /// How long each press is waited for, such as 90s; 5m unless given · 누르기를 기다리는 시간(기본값 5m)
        #[arg(long, value_name = "TIME", value_parser = duration::patience)]
        wait: Option<Duration>,
        /// One JSON object at the end; all else on stderr · 결과를 JSON 하나로
        #[arg(long)]
        json: bool,
    },
    /// Take somebody off the list · 목록에서 지우기
    Remove {
        /// The person's id, as `list` shows it · list가 보여 주는 id
        id: String,
        /// Also where nobody could answer any more · 아무도 답할 수 없게 되어도 지우기
        #[arg(long)]
        yes: bool,
    },
}

/// The people who may answer on a messenger, as `list --json` prints them.
#[derive(Debug, Serialize)]
struct Listed {
    messenger: &'static str,
    people: Vec<Somebody>,
}

/// Runs it. The exit code.
pub(crate) fn run(command: &Command) -> anyhow::Result<u8> {
    let lang = language();
    let runtime = crate::runtime::runtime()?;
    let done = runtime.block_on(Failure::or_interrupted(go(command, lang)));
    let (name, json) = match command {
        Command::List(args) => ("dmplz people list", args.json),
        Command::Invite { json, .. } => ("dmplz people invite", *json),
        Command::Remove { .. } => ("dmplz people remove", false),
    };
    Failure::end(done, lang, name, json)
}

async fn go(command: &Command, lang: Lang) -> anyhow::Result<()> {
    let people = People::load().await?;
    match command {
        Command::List(args) => {
            let listed = Listed { messenger: people.messenger.name, people: people.all() };
            tell(&listed, args.json, |listed, paint| listed.text(lang, paint))?;
        }
        Command::Invite { wait, json } => {
            let mut console = Console::new(lang, *json);
            let somebody = people.invite(wait.unwrap_or(Duration::from_secs(300)), &mut console).await?;
            let name = somebody.name.as_deref().unwrap_or_default();
            let what = console.of("{} 님({})이 이제 답할 수 있습니다", "{} ({}) may answer now");
            console.done(&fill(what, &[name, &somebody.id]));
            notice_gateway(&people, &console)?;
            if *json {
                show_json(&somebody)?;
            }
        }
        Command::Remove { id, yes } => {
            people.remove(id, *yes)?;
            let console = Console::new(lang, false);
            console.done(&fill(console.of("{} 님은 더 답할 수 없습니다", "{} may not answer any more"), &[id]));
            notice_gateway(&people, &console)?;
        }
    }
    Ok(())
}

/// A gateway has read the list when it started.
fn notice_gateway(people: &People, console: &Console) -> anyhow::Result<()> {
    if Instance::running(&people.state)?.is_some() {
        console.note(console.of(
            "실행 중인 게이트웨이는 이전 목록을 씁니다. `dmplz serve`를 다시 시작해 주세요",
            "the gateway that runs uses the earlier list: restart `dmplz serve`",
        ));
    }
    Ok(())
}

impl Listed {
    fn text(&self, lang: Lang, paint: Paint) -> String {
        let mut text = format!("{}\n", paint.tone(Tone::Strong, &title(self.messenger)));
        for somebody in &self.people {
            let what = match (somebody.id.as_str(), somebody.owner, &somebody.name) {
                ("*", ..) => say(lang, "채팅의 모두", "everybody in the chat").to_owned(),
                (_, true, _) => say(lang, "개인 채팅의 주인", "owner of the private chat").to_owned(),
                (_, false, name) => name.as_deref().map(visible_line).unwrap_or_default(),
            };
            text.push_str(format!("  {}{what}", pad(&visible_line(&somebody.id), 24)).trim_end());
            text.push('\n');
        }
        if self.people.is_empty() {
            text.push_str(say(lang, "  아무도 없습니다\n", "  nobody\n"));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_names_the_owner_everybody_and_those_whose_name_is_known() {
        let somebody =
            |id: &str, name: Option<&str>, owner| Somebody { id: id.to_owned(), name: name.map(str::to_owned), owner };
        let people = vec![
            somebody("7", None, true),
            somebody("42", Some("Bob\u{202e}"), false),
            somebody("43", None, false),
            somebody("*", None, false),
        ];
        let listed = Listed { messenger: "telegram", people };
        insta::assert_snapshot!(listed.text(Lang::En, Paint::PLAIN), @r"
        Telegram
          7                       owner of the private chat
          42                      Bob⟨U+202E⟩
          43
          *                       everybody in the chat
        ");
        let nobody = Listed { messenger: "telegram", people: Vec::new() };
        assert_eq!(nobody.text(Lang::Ko, Paint::PLAIN), "Telegram\n  아무도 없습니다\n");
    }
}
