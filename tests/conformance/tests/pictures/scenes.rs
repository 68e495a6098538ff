//! The scenes of the pictures: inputs of Claude Code, as the hook gets them, and the actions of people.

use dmplz_core::approvers::{Approver, Approvers};
use dmplz_core::card::{Subject, Wanted};
use dmplz_core::claude::{HookInput, Scope, session_grant};
use dmplz_core::flow::{Draft, Form, choice};
use dmplz_core::grant::Covers;
use dmplz_core::messenger::{OpenChat, User, Users};
use dmplz_core::request::{ApprovalScope, Edits, Offer, Outcome, Resolver, Term};
use dmplz_core::text::Lang;
use dmplz_policy::KnownCommands;
use serde_json::{Value, json};

/// The card's tag.
pub(crate) const TAG: &str = "Card";
/// The time of its end.
pub(crate) const WHEN: &str = "2026-11-22 14:03:11 KST";
/// How long the scenes wait for a reason, in milliseconds.
pub(crate) const REASON_MS: u64 = 60_000;
/// The keyword for no reason.
pub(crate) const KEYWORD: &str = "no_reason";
pub(crate) const ID: &str = "5f0c9a1e-7a52-4c55-9a37-2f1d0c6b8e11";

/// A picture.
pub(crate) struct Scene {
    /// Its file's name.
    pub(crate) name: &'static str,
    /// The alternative text, in Korean and English.
    pub(crate) title: [&'static str; 2],
    /// The hook's input.
    pub(crate) stdin: fn(Lang) -> Value,
    /// The platforms that it is drawn for.
    pub(crate) on: &'static [Surface],
    /// The steps of the scene.
    pub(crate) steps: &'static [Step],
}

/// A messenger, and how it is answered there.
#[derive(Clone, Copy)]
pub(crate) enum Surface {
    Telegram,
    Discord,
    Reactions,
}

/// One thing that happens.
pub(crate) enum Step {
    /// The card is shown, or shown again, with this chosen so far.
    Ask(fn(Lang) -> Form),
    /// The person presses this, where it is offered.
    Press(&'static str),
    /// Words are asked for, unless a form does already.
    Prompt(Wanted),
    /// The person is asked for their own answer to this question, unless a form asks already.
    Words(usize),
    /// The person writes into the form, or replies to the last message.
    Say(fn(Lang) -> &'static str),
    /// A person who may not answer presses this, and gets a notice.
    Intrude(&'static str),
    /// A person who answers too late gets a notice.
    Late,
    /// The card shows how it ended.
    End(fn(Lang) -> Outcome),
    /// The person takes the grant back, and the card shows it.
    Revoke,
}

/// The request of a scene.
pub(crate) struct Request {
    pub(crate) subject: Subject,
    pub(crate) offer: Offer,
}

impl Surface {
    /// Returns the name in the pictures.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Telegram => "telegram",
            Self::Discord => "discord",
            Self::Reactions => "discord-reactions",
        }
    }
}

impl Request {
    /// Reads a scene's input as the hook does.
    pub(crate) fn of(scene: &Scene, lang: Lang) -> Self {
        let input = HookInput::parse((scene.stdin)(lang).to_string().as_bytes()).unwrap();
        let call = input.tool_call().unwrap();
        let grants = session_grant(&call, &input.cwd, &KnownCommands);
        let subject = Subject::of(&call, ID, &input.cwd, None, &grants, lang);
        // The policy can keep a grant of a command.
        let covers = call.input.get("command").and_then(Value::as_str).map(|command| Covers::Command {
            tool: call.tool.clone(),
            digest: String::new(),
            shown: command.to_owned(),
        });
        let offer = Offer { granted: covers.is_some(), ..Offer::of(&call, &input.cwd, &KnownCommands) };
        Self { offer, subject: subject.granting(covers.as_ref(), lang) }
    }
}

const EVERYWHERE: &[Surface] = &[Surface::Telegram, Surface::Discord];

/// Every picture.
pub(crate) const SCENES: &[Scene] = &[
    Scene {
        name: "command",
        title: ["명령의 권한을 묻는 카드", "A card that asks about a command"],
        stdin: push,
        on: EVERYWHERE,
        steps: &[Step::Ask(|_| Form::default())],
    },
    Scene {
        name: "scope",
        title: ["범위를 바꾼 카드: 프로젝트 공유 설정", "The card with another scope: this project, shared"],
        stdin: push,
        on: EVERYWHERE,
        steps: &[Step::Ask(|_| Form::default()), Step::Ask(|_| Form { scope: Scope::Project, ..Form::default() })],
    },
    Scene {
        name: "wide",
        title: ["요청보다 넓은 규칙을 제외한 카드", "A card that leaves out the rules broader than the request"],
        stdin: script,
        on: EVERYWHERE,
        steps: &[Step::Ask(|_| Form::default())],
    },
    Scene {
        name: "widened",
        title: ["넓은 규칙까지 저장하는 카드", "The same card with the broader rules"],
        stdin: script,
        on: EVERYWHERE,
        steps: &[
            Step::Ask(|_| Form::default()),
            Step::Press("widen"),
            Step::Ask(|_| Form { broad: true, ..Form::default() }),
        ],
    },
    Scene {
        name: "reason",
        title: ["거부한 이유를 묻는 메시지와 양식", "The reason is asked for, in a message or in a form"],
        stdin: push,
        on: EVERYWHERE,
        steps: &[
            Step::Ask(|_| Form::default()),
            Step::Press(choice::DENY),
            Step::Prompt(Wanted::Reason),
            Step::Press(choice::WRITE),
        ],
    },
    Scene {
        name: "tell",
        title: ["대신 할 일을 묻는 메시지와 양식", "What to do instead is asked for, in a message or in a form"],
        stdin: push,
        on: EVERYWHERE,
        steps: &[Step::Ask(|_| Form::default()), Step::Press(choice::TELL), Step::Prompt(Wanted::Instead)],
    },
    Scene {
        name: "notice",
        title: ["답할 권한이 없는 사람이 누르면", "Somebody presses who may not answer"],
        stdin: push,
        on: EVERYWHERE,
        steps: &[Step::Ask(|_| Form::default()), Step::Intrude(choice::APPROVE)],
    },
    Scene {
        name: "always",
        title: ["항상 허용한 카드", "A card that was always allowed"],
        stdin: push,
        on: EVERYWHERE,
        steps: &[
            Step::Ask(|_| Form::default()),
            Step::End(|_| allowed(ApprovalScope::Always { scope: Scope::Local, broad: false })),
        ],
    },
    Scene {
        name: "granted",
        title: ["같은 요청을 30분 동안 허용한 카드", "A card that allows exactly this for 30 minutes"],
        stdin: push,
        on: EVERYWHERE,
        steps: &[
            Step::Ask(|_| Form::default()),
            Step::End(|_| allowed(ApprovalScope::Granted { term: Term::HalfHour })),
        ],
    },
    Scene {
        name: "revoked",
        title: ["허용을 취소한 카드", "The same card once the grant was taken back"],
        stdin: push,
        on: EVERYWHERE,
        steps: &[
            Step::Ask(|_| Form::default()),
            Step::End(|_| allowed(ApprovalScope::Granted { term: Term::HalfHour })),
            Step::Revoke,
        ],
    },
    Scene {
        name: "denied",
        title: ["사유와 함께 거부한 카드", "A card that was denied with a reason"],
        stdin: push,
        on: EVERYWHERE,
        steps: &[
            Step::Ask(|_| Form::default()),
            Step::Press(choice::DENY),
            Step::Prompt(Wanted::Reason),
            Step::Press(choice::WRITE),
            Step::Say(reason),
            Step::End(|lang| denied(reason(lang), false)),
        ],
    },
    Scene {
        name: "instead",
        title: ["대신 할 일을 알려준 카드", "A card whose person told Claude what to do instead"],
        stdin: push,
        on: EVERYWHERE,
        steps: &[
            Step::Ask(|_| Form::default()),
            Step::Press(choice::TELL),
            Step::Prompt(Wanted::Instead),
            Step::Say(instead),
            Step::End(|lang| denied(instead(lang), true)),
        ],
    },
    Scene {
        name: "plan",
        title: ["계획의 승인을 묻는 카드", "A card that asks about a plan"],
        stdin: plan,
        on: EVERYWHERE,
        steps: &[Step::Ask(|_| Form::default())],
    },
    Scene {
        name: "planned",
        title: ["승인한 계획", "A plan that was approved"],
        stdin: plan,
        on: EVERYWHERE,
        steps: &[Step::Ask(|_| Form::default()), Step::End(|_| allowed(ApprovalScope::Plan { edits: Edits::Manual }))],
    },
    Scene {
        name: "plan-file",
        title: ["긴 계획은 파일로", "A long plan comes as a file"],
        stdin: long_plan,
        on: EVERYWHERE,
        steps: &[Step::Ask(|_| Form::default())],
    },
    Scene {
        name: "question",
        title: ["하나를 고르는 질문", "A question with one answer"],
        stdin: questions,
        on: EVERYWHERE,
        steps: &[Step::Ask(|_| Form::default())],
    },
    Scene {
        name: "words",
        title: ["직접 쓰는 답", "An answer in one's own words"],
        stdin: questions,
        on: EVERYWHERE,
        steps: &[Step::Ask(|_| Form::default()), Step::Press("q1-other"), Step::Words(0)],
    },
    Scene {
        name: "several",
        title: ["여러 개를 고르는 질문", "A question with several answers"],
        stdin: questions,
        on: EVERYWHERE,
        steps: &[Step::Ask(|_| half())],
    },
    Scene {
        name: "review",
        title: ["제출하기 전에 보는 답", "The answers before they are submitted"],
        stdin: questions,
        on: EVERYWHERE,
        steps: &[Step::Ask(|_| Form { question: 2, ..half() })],
    },
    Scene {
        name: "answered",
        title: ["답한 질문", "Questions that were answered"],
        stdin: questions,
        on: EVERYWHERE,
        steps: &[
            Step::Ask(|_| Form { question: 2, ..half() }),
            Step::End(|lang| {
                let offer = Request::of(scene("answered"), lang).offer;
                allowed(ApprovalScope::Answers { answers: half().fitting(&offer).answers(&offer).unwrap() })
            }),
        ],
    },
    Scene {
        name: "file",
        title: ["긴 요청은 파일로", "A long request comes as a file"],
        stdin: |_| {
            let lines: String = (1..=400).map(|n| format!("{n:03} the quick brown fox jumps\n")).collect();
            let mut stdin = captured(include_str!("../../../e2e/stdin/PermissionRequest-Write.json"));
            stdin["tool_input"] = json!({ "file_path": "/home/user/project/fox.txt", "content": lines });
            stdin
        },
        on: EVERYWHERE,
        steps: &[Step::Ask(|_| Form::default())],
    },
    Scene {
        name: "reactions",
        title: ["리액션으로 답하는 Discord 카드", "Discord cards that are answered by reactions"],
        stdin: push,
        on: &[Surface::Reactions],
        steps: &[Step::Ask(|_| Form::default())],
    },
    Scene {
        name: "late",
        title: ["끝난 뒤에 온 답", "An answer that came after the end"],
        stdin: push,
        on: EVERYWHERE,
        steps: &[
            Step::Ask(|_| Form::default()),
            Step::End(|_| Outcome::ResolvedElsewhere(Resolver::Terminal)),
            Step::Late,
        ],
    },
];

fn scene(name: &str) -> &'static Scene {
    SCENES.iter().find(|scene| scene.name == name).unwrap()
}

fn captured(json: &str) -> Value {
    serde_json::from_str(json).unwrap()
}

fn push(_: Lang) -> Value {
    captured(include_str!("../../../e2e/stdin/PermissionRequest-Bash.json"))
}

/// Returns the same request with a suggestion that would allow any script.
fn script(lang: Lang) -> Value {
    let mut stdin = push(lang);
    stdin["tool_input"] = json!({ "command": "python3 tools/report.py --month 11" });
    let rule = |content: &str| json!({ "toolName": "Bash", "ruleContent": content });
    let update = |content| json!({ "type": "addRules", "behavior": "allow", "destination": "localSettings", "rules": [rule(content)] });
    stdin["permission_suggestions"] = json!([update("python3 tools/report.py --month 11"), update("python3 *")]);
    stdin
}

fn plan(lang: Lang) -> Value {
    let mut stdin = captured(include_str!("../../../e2e/stdin/PermissionRequest-ExitPlanMode.json"));
    let plan = say(
        lang,
        "# 검색을 빠르게\n\n1. `orders` 표에 색인을 더합니다.\n2. 질의를 **하나**로 묶습니다.\n   - 한 번에 200건\n   - 순서는 그대로\n3. 시간을 재고 비교합니다.\n\n```sql\nCREATE INDEX orders_by_day ON orders (day);\n```\n",
        "# Make the search fast\n\n1. Add an index to the table `orders`.\n2. Put the queries into **one**.\n   - 200 rows at a time\n   - in the same order\n3. Measure, and compare.\n\n```sql\nCREATE INDEX orders_by_day ON orders (day);\n```\n",
    );
    stdin["tool_input"]["plan"] = plan.into();
    stdin
}

/// Returns the same plan with more steps than a card can show.
fn long_plan(lang: Lang) -> Value {
    let mut stdin = plan(lang);
    let one = say(
        lang,
        "이 표를 읽는 질의를 찾아 새 색인을 쓰게 고치고, 전후의 시간을 적습니다.",
        "Find the queries that read this table, let them use the new index, and note the time before and after.",
    );
    let head = say(lang, "# 모든 표를 빠르게", "# Make every table fast");
    let steps: String = (1..=80).map(|n| format!("\n## {n}. `table_{n:02}`\n\n{one}\n")).collect();
    stdin["tool_input"]["plan"] = format!("{head}\n{steps}").into();
    stdin
}

fn questions(lang: Lang) -> Value {
    let mut stdin = captured(include_str!("../../../e2e/stdin/PermissionRequest-AskUserQuestion.json"));
    let option = |label: [&'static str; 2], description: [&'static str; 2]| {
        let [label, description] = [label, description].map(|[ko, en]| say(lang, ko, en).to_owned());
        json!({ "label": label, "description": description })
    };
    stdin["tool_input"]["questions"] = json!([
        {
            "question": say(lang, "어느 데이터베이스를 쓸까요?", "Which database should it use?"),
            "header": say(lang, "저장소", "Storage"),
            "options": [
                option(["SQLite", "SQLite"], ["파일 하나, 설치할 것 없음", "One file, nothing to install"]),
                option(["Postgres", "Postgres"], ["여러 서버가 함께 쓸 때", "Where several servers share it"]),
            ],
            "multiSelect": false,
        },
        {
            "question": say(lang, "무엇을 함께 만들까요?", "What should come with it?"),
            "header": say(lang, "범위", "Extent"),
            "options": [
                option(["시험", "Tests"], ["새 코드마다", "For all new code"]),
                option(["문서", "Docs"], ["README에 한 절", "A section in the README"]),
                option(["이전 도구", "Migration"], ["지금 파일에서 옮기기", "From the files of today"]),
            ],
            "multiSelect": true,
        },
    ]);
    stdin
}

/// Returns a form in which the first question is answered, and the second one partly.
fn half() -> Form {
    let draft = |options: &[usize]| Draft { options: options.to_vec(), text: None };
    Form { question: 1, drafts: vec![draft(&[0]), draft(&[0, 2])], ..Form::default() }
}

fn reason(lang: Lang) -> &'static str {
    say(lang, "main에 바로 올리지 말고 PR을 열어줘", "not to main, open a pull request")
}

fn instead(lang: Lang) -> &'static str {
    say(lang, "먼저 시험을 돌리고 결과를 보여줘", "run the tests first and show me the result")
}

fn allowed(scope: ApprovalScope) -> Outcome {
    Outcome::Approved { by: jin(), scope }
}

fn denied(reason: &str, instead: bool) -> Outcome {
    Outcome::RejectedWithReason { by: jin(), reason: reason.to_owned(), instead }
}

pub(crate) fn say(lang: Lang, ko: &'static str, en: &'static str) -> &'static str {
    match lang {
        Lang::Ko => ko,
        Lang::En => en,
    }
}

fn jin() -> Approver {
    let chat = OpenChat { id: "7".to_owned(), owner: Some("7".to_owned()), users: Users::Identified };
    let user = User { id: "7".to_owned(), name: "Jin".to_owned(), is_bot: false };
    Approvers::of("messenger", &chat, &[]).admit(&user).unwrap()
}
