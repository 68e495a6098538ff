//! What the pictures show: real inputs of Claude Code, as the hook gets them, and what people do.

use dmplz_core::approvers::{Approver, Approvers};
use dmplz_core::card::Subject;
use dmplz_core::claude::{HookInput, session_grant};
use dmplz_core::flow::{Extent, Form, Offer, Outcome, Resolver};
use dmplz_core::messenger::{OpenChat, User};
use dmplz_core::text::Lang;

/// The card's tag.
pub(crate) const TAG: &str = "Card";
/// When it ends.
pub(crate) const WHEN: &str = "2026-11-22 14:03:11 KST";
/// How long a reason is waited for.
pub(crate) const REASON_MS: u64 = 60_000;
/// What is typed to give none.
pub(crate) const KEYWORD: &str = "no_reason";
pub(crate) const ID: &str = "5f0c9a1e-7a52-4c55-9a37-2f1d0c6b8e11";

/// A picture.
pub(crate) struct Scene {
    /// Its file's name.
    pub(crate) name: &'static str,
    /// What it shows, for those who cannot see it.
    pub(crate) title: fn(Lang) -> &'static str,
    /// What Claude Code gave to the hook.
    pub(crate) stdin: &'static str,
    /// Where.
    pub(crate) on: &'static [Surface],
    /// What happens.
    pub(crate) steps: &'static [Step],
}

/// A messenger, and how it is answered there.
#[derive(Clone, Copy)]
pub(crate) enum Surface {
    Telegram,
    Reactions,
}

/// One thing that happens.
pub(crate) enum Step {
    /// The card is shown, or shown again, with this chosen so far.
    Ask(fn() -> Form),
    /// The reason is asked for.
    Prompt,
    /// The person answers the last message.
    Say(fn(Lang) -> &'static str),
    /// Whoever answers too late is told.
    Notice,
    /// The card shows how it ended.
    End(fn(Lang) -> Outcome),
}

/// What is asked.
pub(crate) struct Request {
    pub(crate) subject: Subject,
    pub(crate) offer: Offer,
}

impl Surface {
    /// As the pictures call it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Telegram => "telegram",
            Self::Reactions => "discord",
        }
    }
}

impl Request {
    /// Reads a scene's input as the hook does.
    pub(crate) fn of(scene: &Scene, lang: Lang) -> Self {
        let input = HookInput::parse(scene.stdin.as_bytes()).unwrap();
        let call = input.tool_call().unwrap();
        let grants = session_grant(&call, &input.cwd);
        let subject = Subject::of(&call, ID, &input.cwd, None, &grants, lang);
        Self { offer: Offer::of(&call, &input.cwd), subject }
    }
}

const EVERYWHERE: &[Surface] = &[Surface::Telegram, Surface::Reactions];

macro_rules! stdin {
    ($name:literal) => {
        include_str!(concat!("../../../e2e/stdin/PermissionRequest-", $name, ".json"))
    };
}

/// Every picture.
pub(crate) const SCENES: &[Scene] = &[
    Scene {
        name: "command",
        title: |lang| say(lang, "명령의 권한을 묻는 카드", "A card that asks about a command"),
        stdin: stdin!("Bash"),
        on: EVERYWHERE,
        steps: &[Step::Ask(Form::default)],
    },
    Scene {
        name: "denied",
        title: |lang| say(lang, "사유와 함께 거부한 카드", "A card that was denied with a reason"),
        stdin: stdin!("Bash"),
        on: EVERYWHERE,
        steps: &[
            Step::Ask(Form::default),
            Step::Prompt,
            Step::Say(reason),
            Step::End(|lang| Outcome::RejectedWithReason {
                by: jin(),
                reason: reason(lang).to_owned(),
                instead: false,
            }),
        ],
    },
    Scene {
        name: "late",
        title: |lang| say(lang, "끝난 뒤에 온 답", "An answer that came after the end"),
        stdin: stdin!("Bash"),
        on: EVERYWHERE,
        steps: &[Step::Ask(Form::default), Step::End(|_| Outcome::ResolvedElsewhere(Resolver::Terminal)), Step::Notice],
    },
    Scene {
        name: "session",
        title: |lang| say(lang, "세션 동안 허용한 카드", "A card that was allowed for the session"),
        stdin: stdin!("WebFetch"),
        on: EVERYWHERE,
        steps: &[Step::Ask(Form::default), Step::End(|_| Outcome::Approved { by: jin(), extent: Extent::Session })],
    },
];

fn reason(lang: Lang) -> &'static str {
    say(lang, "main에 바로 올리지 말고 PR을 열어줘", "not to main, open a pull request")
}

fn say(lang: Lang, ko: &'static str, en: &'static str) -> &'static str {
    match lang {
        Lang::Ko => ko,
        Lang::En => en,
    }
}

fn jin() -> Approver {
    let chat = OpenChat { id: "7".to_owned(), owner: Some("7".to_owned()) };
    let user = User { id: "7".to_owned(), name: "Jin".to_owned(), is_bot: false };
    Approvers::of(&chat, &[]).admit(&user).unwrap()
}
