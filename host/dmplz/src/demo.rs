//! `dmplz demo`: the whole way without a token. A Telegram-compatible server on loopback plays the messenger; the hook,
//! the component in its sandbox and the request, which Claude Code once wrote, are the real ones.

mod answer;
mod person;
mod screen;
mod stage;
mod verdict;

use std::io::IsTerminal;
use std::pin::pin;
use std::time::Duration;

use anyhow::{Context, bail};
use dmplz_core::text::Lang;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::timeout;

use crate::terminal::{self, Paint, Tone, say, show};
use crate::told::Told;
use crate::{exit, settings};
use answer::Answer;
use person::Person;
use screen::Screen;
use stage::{Event, Stage};
use verdict::Seen;

/// The arguments of the demo.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Play without a person: approve, session, deny=REASON, skip (deny without a reason), timeout (deny, and no reason
    /// comes in time) or expired (nobody answers). Exits with 1 if anything goes wrong · 사람 없이 실행
    #[arg(long, value_name = "ANSWER")]
    answer: Option<Answer>,
}

/// The time limit of a scripted demo, which is longer than any scripted answer takes.
const SCRIPT_LIMIT: Duration = Duration::from_secs(60);

/// Plays the demo. Returns the exit code.
pub(crate) fn run(args: &Args) -> anyhow::Result<u8> {
    let lang = terminal::lang(&settings::environment);
    let paint = Paint::of_stdout();
    if args.answer.is_none() && !std::io::stdin().is_terminal() {
        bail!(Told::new(
            "데모를 할 수 없습니다. stdin이 터미널이 아니라 버튼을 누를 사람이 없습니다. --answer를 써 주세요",
            "the demo cannot be played: stdin is not a terminal, so nobody can press a button; use --answer",
            &[],
        ));
    }
    let (stage, mut events) = Stage::set().context("the demo cannot be set up")?;
    let mut screen = Screen::new(lang, paint);
    show(&opening(&stage, args.answer.is_none(), lang, paint))?;
    let person = Person::new(args.answer.as_ref(), lang);
    let mut hook = stage.start_hook(args.answer.as_ref(), lang)?;
    stage.watch(&mut hook, args.answer.is_none())?;
    let stdout = crate::runtime::runtime()?.block_on(play(&stage, &mut events, person, &mut screen))?;
    let (code, stderr) = hook.ended()?;
    show(&screen.draw(&stage.messages()))?;
    let seen = Seen::of(&stage, stdout, stderr, code)?;
    show(&closing(&seen, lang, paint))?;
    judge(&seen, args.answer.as_ref(), lang, paint)
}

/// Plays until the hook ends. Returns the hook's stdout.
async fn play(
    stage: &Stage,
    events: &mut UnboundedReceiver<Event>,
    mut person: Person,
    screen: &mut Screen,
) -> anyhow::Result<String> {
    // Returning removes the temporary home; the hook gets the signal as well and retires its card.
    let mut interrupted = pin!(tokio::signal::ctrl_c());
    let limit = if person.is_script() { SCRIPT_LIMIT } else { Duration::MAX };
    loop {
        let event = tokio::select! {
            event = timeout(limit, events.recv()) => event.context("the demo did not come to its end: nothing happened for 60 s")?,
            _ = interrupted.as_mut() => bail!("the demo was interrupted"),
        };
        match event {
            Some(Event::Chat(messages)) => {
                show(&screen.draw(&messages))?;
                person.look(&messages, stage)?;
            }
            Some(Event::Line(line)) => {
                if !person.write(line.trim(), &screen.buttons, stage) {
                    show(&screen.gone())?;
                }
            }
            Some(Event::Toast(text)) => show(&screen.toast(&text))?,
            Some(Event::HookOver(stdout)) => return Ok(stdout),
            Some(Event::InputOver) | None => bail!("the demo did not come to its end: there is no more input"),
        }
    }
}

fn opening(stage: &Stage, typed: bool, lang: Lang, paint: Paint) -> String {
    let what = say(
        lang,
        "Telegram 서버만 이 프로세스 안의 가짜입니다. 훅, 샌드박스의 컴포넌트, Claude Code의 요청은 진짜입니다.",
        "Only the Telegram server is a fake, in this process. The hook, the component in its sandbox and Claude Code's \
         request are real.",
    );
    let how = say(
        lang,
        "버튼은 번호로 누르고, 그 밖의 글은 메시지로 보냅니다.\n",
        "Press a button by its number; anything else that you type is sent as a message.\n",
    );
    let how = if typed { how } else { "" };
    format!(
        "{}\n{what}\n{how}{}\n\n",
        paint.tone(Tone::Strong, "dmplz demo"),
        paint.tone(Tone::Faint, &format!("{}  $ dmplz hook < PermissionRequest.json", stage.base_url())),
    )
}

fn closing(seen: &Seen, lang: Lang, paint: Paint) -> String {
    let part = |title: &str, text: &str, nothing: &str| {
        let text = if text.trim().is_empty() { paint.tone(Tone::Faint, nothing) } else { text.trim_end().to_owned() };
        format!("\n{}\n{text}\n", paint.tone(Tone::Strong, title))
    };
    let stdout = part(
        say(lang, "Claude Code가 받은 것 (훅의 stdout)", "What Claude Code got (the hook's stdout)"),
        &seen.stdout,
        say(lang, "(없음: 터미널에서 묻습니다)", "(nothing: it asks in the terminal)"),
    );
    let log = part(
        "rejections.jsonl",
        &seen.log.join("\n"),
        say(lang, "(기록 없음: 거부가 아님)", "(no line: not a denial)"),
    );
    let stderr = if seen.stderr.is_empty() { String::new() } else { part("stderr", &seen.stderr, "") };
    format!("{stdout}{log}{stderr}")
}

fn judge(seen: &Seen, answer: Option<&Answer>, lang: Lang, paint: Paint) -> anyhow::Result<u8> {
    let faults = seen.faults(answer, lang);
    if faults.is_empty() {
        let all_well = say(lang, "모두 제대로 동작했습니다. 다음: dmplz setup", "Everything worked. Next: dmplz setup");
        show(&format!("\n{}\n", paint.tone(Tone::Good, all_well)))?;
        return Ok(exit::OK);
    }
    let title = say(lang, "예상과 다릅니다:", "This is not what was expected:");
    let list: String = faults.iter().map(|fault| format!("  {fault}\n")).collect();
    show(&format!("\n{}\n{list}", paint.tone(Tone::Bad, title)))?;
    Ok(exit::FAILED)
}
