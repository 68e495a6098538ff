//! The promises of a provider, and their results.

use dmplz_core::text::Lang;
use dmplz_core::visible::visible_line;
use serde::Serialize;

use crate::terminal::{Paint, Tone, pad, say};

/// The number of failures that are shown. Further ones are only counted.
const TOLD: usize = 4;
/// The width of a promise's name in columns.
const NAME: usize = 14;

/// Something that a provider promises to the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Promise {
    Component,
    Manifest,
    Same,
    Offline,
    Settings,
    Returns,
    Sound,
    Honest,
    Again,
    Nothing,
    Origins,
    Secrets,
    Requests,
    Quiet,
    Cards,
    Posted,
    Pressed,
    Acknowledged,
    Ended,
    Exchange,
    Frames,
}

/// Those that each call of an export can break.
pub(super) const OF_A_CALL: [Promise; 9] = [
    Promise::Returns,
    Promise::Sound,
    Promise::Honest,
    Promise::Again,
    Promise::Nothing,
    Promise::Origins,
    Promise::Secrets,
    Promise::Requests,
    Promise::Quiet,
];

/// Those that only an exchange with the messenger can show.
pub(super) const OF_A_RECORDING: [Promise; 5] =
    [Promise::Posted, Promise::Pressed, Promise::Acknowledged, Promise::Ended, Promise::Exchange];

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum State {
    Kept,
    Broken,
    NotAsked,
}

/// Why a promise was not tested.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Why {
    /// There is no `--wire`.
    NoRecording,
    /// The recording is of another transport.
    OtherTransport,
    /// An earlier part of the recording failed.
    Before,
    /// A WebSocket reaches no server here.
    NoServer,
}

impl Why {
    fn words(self, lang: Lang) -> &'static str {
        let (ko, en) = match self {
            Self::NoRecording => ("녹화한 대화를 주지 않았습니다 (--wire)", "no exchange was given (--wire)"),
            Self::OtherTransport => ("녹화한 대화가 다른 방식의 것입니다", "the recording is of another transport"),
            Self::Before => ("그 앞의 것이 되지 않았습니다", "what comes before it did not work"),
            Self::NoServer => ("여기서는 WebSocket이 서버에 닿지 않습니다", "its WebSockets reach no server here"),
        };
        say(lang, ko, en)
    }
}

/// The result for one promise.
#[derive(Debug, Serialize)]
struct Row {
    promise: Promise,
    /// The transport that it is about; `None` for the whole component.
    #[serde(skip_serializing_if = "Option::is_none")]
    transport: Option<String>,
    state: State,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<Why>,
    /// The first failures.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    detail: Vec<String>,
    /// The number of further failures.
    #[serde(skip_serializing_if = "is_zero")]
    more: usize,
}

/// All of them.
#[derive(Debug, Default, Serialize)]
pub(super) struct Report {
    pub(super) name: String,
    pub(super) version: String,
    pub(super) sha256: String,
    promises: Vec<Row>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl Promise {
    fn name(self) -> String {
        serde_json::to_value(self).ok().and_then(|name| Some(name.as_str()?.to_owned())).unwrap_or_default()
    }

    fn words(self, lang: Lang) -> &'static str {
        let (ko, en) = match self {
            Self::Component => ("이 계약의 컴포넌트입니다", "is a component of the contract"),
            Self::Manifest => ("manifest가 올바릅니다", "has a manifest that can be used"),
            Self::Same => ("언제나 자신을 똑같이 밝힙니다", "says the same of itself in every instance, at any time"),
            Self::Offline => ("describe와 connect는 네트워크를 쓰지 않습니다", "describe and connect ask no server"),
            Self::Settings => {
                ("쓸 수 없는 설정을 말로 알려 줍니다", "takes its settings, and names the one that it cannot use")
            }
            Self::Returns => {
                ("서버가 어떻든 제때 돌아옵니다", "every export returns in time, whatever the server does")
            }
            Self::Sound => {
                ("멈추거나 한도를 넘지 않습니다", "no export traps, oversteps a limit or breaks the contract")
            }
            Self::Honest => (
                "서버가 받았을 때만 보냈다고 합니다",
                "says that a card was posted or changed only where the server took it",
            ),
            Self::Again => (
                "곧 지나갈 문제라고 알려, 호스트가 다시 시도하게 합니다",
                "says that another try can help, where the server is away or busy",
            ),
            Self::Nothing => ("없는 일을 알리지 않습니다", "reports nothing that no server told"),
            Self::Origins => ("manifest의 서버에만 접근합니다", "asks only the servers that its manifest names"),
            Self::Secrets => ("비밀을 정한 자리에만 씁니다", "puts secrets only where its manifest says"),
            Self::Requests => ("요청이 올바릅니다", "makes requests that the host can send"),
            Self::Quiet => ("로그가 한도 안에 있습니다", "writes at most 64 lines to the log in one export"),
            Self::Cards => (
                "모든 종류의 카드를 받거나, 보내기 전에 too-large라고 합니다",
                "takes every kind of card, or says too-large before it asks the server",
            ),
            Self::Posted => ("녹화: 카드를 보냅니다", "recording: a card is posted"),
            Self::Pressed => ("녹화: 누른 것을 알립니다", "recording: the press is reported"),
            Self::Acknowledged => ("녹화: 누른 사람에게 알립니다", "recording: who pressed is told"),
            Self::Ended => ("녹화: 카드의 끝을 보여 줍니다", "recording: the card's end is shown"),
            Self::Exchange => {
                ("녹화: 녹화된 요청만 모두 보냅니다", "recording: it asks what was recorded, and nothing else")
            }
            Self::Frames => ("WebSocket으로 오가는 것을 다룹니다", "copes with what comes over its WebSocket"),
        };
        say(lang, ko, en)
    }
}

impl Report {
    /// Returns whether no promise is broken.
    pub(super) fn ok(&self) -> bool {
        self.promises.iter().all(|row| row.state != State::Broken)
    }

    /// Records that a promise was kept, unless it was broken before.
    pub(super) fn kept(&mut self, promise: Promise, transport: Option<&str>) {
        self.note(promise, transport, |_| {});
    }

    /// Records that a promise was broken, and what happened instead.
    pub(super) fn broken(&mut self, promise: Promise, transport: Option<&str>, what: &str) {
        let what = visible_line(what);
        self.note(promise, transport, |row| {
            row.state = State::Broken;
            match row.detail.contains(&what) {
                true => {}
                false if row.detail.len() < TOLD => row.detail.push(what),
                false => row.more += 1,
            }
        });
    }

    /// Promises were not asked: why.
    pub(super) fn not_asked(&mut self, promises: &[Promise], transport: Option<&str>, why: Why) {
        for promise in promises {
            self.note(*promise, transport, |row| {
                row.state = State::NotAsked;
                row.why = Some(why);
            });
        }
    }

    fn note(&mut self, promise: Promise, transport: Option<&str>, note: impl FnOnce(&mut Row)) {
        let is_it = |row: &&mut Row| row.promise == promise && row.transport.as_deref() == transport;
        match self.promises.iter_mut().find(is_it) {
            Some(row) => note(row),
            None => {
                let transport = transport.map(str::to_owned);
                let mut row = Row { promise, transport, state: State::Kept, why: None, detail: Vec::new(), more: 0 };
                note(&mut row);
                self.promises.push(row);
            }
        }
    }

    /// Returns the matrix as text for people.
    pub(super) fn text(&self, lang: Lang, paint: Paint) -> String {
        let title = visible_line(&format!("{} {}", self.name, self.version));
        let mut text = format!("{}  sha256 {}\n", paint.tone(Tone::Strong, title.trim()), self.sha256);
        let mut about = None;
        // What was not asked for one reason is one line.
        for rows in self
            .promises
            .chunk_by(|row, next| row.why.is_some() && row.transport == next.transport && row.why == next.why)
        {
            let Some(row) = rows.first() else { continue };
            if row.transport.as_ref() != about {
                about = row.transport.as_ref();
                let name = about.map(|name| visible_line(name)).unwrap_or_default();
                text.push_str(&format!("{}\n", paint.tone(Tone::Strong, &name)));
            }
            let (mark, tone) = match row.state {
                State::Kept => ("✓", Tone::Good),
                State::Broken => ("✗", Tone::Bad),
                State::NotAsked => ("-", Tone::Faint),
            };
            let line = match row.why {
                None => format!("{}{}", pad(&row.promise.name(), NAME), row.promise.words(lang)),
                Some(why) => {
                    let names: Vec<String> = rows.iter().map(|row| row.promise.name()).collect();
                    format!("{}: {}: {}", names.join(", "), say(lang, "확인하지 않음", "not asked"), why.words(lang))
                }
            };
            text.push_str(&format!("  {} {line}\n", paint.tone(tone, mark)));
            for what in &row.detail {
                text.push_str(&format!("      {}\n", paint.tone(Tone::Faint, what)));
            }
            if row.more > 0 {
                let more = format!("{} {}", row.more, say(lang, "번 더", "times more"));
                text.push_str(&format!("      {}\n", paint.tone(Tone::Faint, &more)));
            }
        }
        let count = |state| self.promises.iter().filter(|row| row.state == state).count();
        let counts = [
            (State::Kept, say(lang, "지킴", "kept")),
            (State::Broken, say(lang, "어김", "broken")),
            (State::NotAsked, say(lang, "확인하지 않음", "not asked")),
        ];
        let counts = counts.map(|(state, word)| format!("{} {word}", count(state)));
        text.push_str(&format!("{}\n", counts.join(", ")));
        text
    }
}
