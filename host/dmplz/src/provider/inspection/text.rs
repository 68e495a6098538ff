//! An inspection as a person reads it.

use std::collections::BTreeSet;

use dmplz_bundled::{ChatKind, Takes};
use dmplz_core::described::variable;
use dmplz_core::messenger::{Answering, Transport, Users};
use dmplz_core::text::{Lang, fill};
use dmplz_core::visible::visible_line;

use super::super::reach::{exchange_words, origin_words, place_words, servers};
use super::super::size;
use super::{Inspection, Source};
use crate::component::signature::Signed;
use crate::settings::third_party;
use crate::terminal::{Paint, Tone, pad, say};

/// Columns of what a line is about.
const ABOUT: usize = 11;

impl Inspection {
    /// Returns the whole inspection as text.
    pub(crate) fn text(&self, lang: Lang, paint: Paint) -> String {
        let mut page = Page { paint, text: String::new() };
        let title = format!("{} {}", self.name, self.version);
        page.text.push_str(&format!("{}\n", paint.tone(Tone::Strong, &visible_line(&title))));
        page.add(
            say(lang, "출처", "comes"),
            [match self.source {
                Source::Bundled => say(lang, "dmplz에 포함됨", "with dmplz"),
                Source::Installed => say(lang, "설치됨", "installed, pinned by its SHA-256"),
                Source::File => say(lang, "파일, 아직 설치하지 않음", "from a file; it is not installed"),
                Source::Registry => say(lang, "레지스트리, 아직 설치하지 않음", "from a registry; it is not installed"),
            }],
        );
        page.add(say(lang, "레지스트리", "registry"), self.reference.as_deref().map(visible_line));
        page.add("sha256", [&self.sha256]);
        page.add(say(lang, "크기", "size"), [format!("{} ({} B)", size(self.size), self.size)]);
        page.add(say(lang, "서명", "signature"), self.signed.iter().map(|signed| signature(signed, lang)));
        page.add(say(lang, "계약", "contract"), [format!("{}, world messenger", self.contract)]);
        page.add(say(lang, "가져옴", "imports"), self.imports_in_words(lang));
        page.add(say(lang, "접근", "reaches"), self.reaches(lang));
        page.add(
            say(lang, "사람", "people"),
            [match self.manifest.users {
                Users::Identified => say(lang, "누가 답했는지 메신저가 알려 줍니다", "the messenger tells who answers"),
                Users::Anonymous => say(
                    lang,
                    "누가 답했는지 알 수 없습니다: 채팅에 접근하는 누구나 답할 수 있습니다",
                    "nobody is identified: whoever reaches the chat can answer",
                ),
            }],
        );
        self.settings(lang, &mut page);
        page.add(say(lang, "연결", "transports"), self.manifest.transports.iter().map(|it| transport(it, lang)));
        let missing = self.missing.iter().map(|what| paint.tone(Tone::Doubtful, &visible_line(what)));
        page.add(say(lang, "부족한 것", "missing"), missing);
        page.text
    }

    fn imports_in_words(&self, lang: Lang) -> Vec<String> {
        let (ours, wasi): (Vec<&String>, Vec<_>) = self.imports.iter().partition(|import| import.starts_with("dmplz:"));
        let mut lines: Vec<String> = ours.into_iter().cloned().collect();
        if !wasi.is_empty() {
            let parts = wasi.into_iter().map(|import| import.split('/').next().unwrap_or_default());
            let names = parts.collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().join(", ");
            let nothing = say(lang, "(뒤에 파일, 소켓, 환경 변수 없음)", "(without files, sockets or environment)");
            lines.push(format!("{names} {nothing}"));
        }
        lines
    }

    fn reaches(&self, lang: Lang) -> Vec<String> {
        let granted = |origin: &String| match &self.granted {
            Some(granted) if !granted.contains(origin) => {
                format!("{origin} {}", say(lang, "(허락하지 않음)", "(not granted)"))
            }
            _ => origin.clone(),
        };
        let written = |server: String| {
            fill(say(lang, "{}에 적은 서버 (적으면)", "the server in {}, where you set it"), &[&server])
        };
        let fixed = self.wants.iter().map(granted).map(|line| visible_line(&line));
        let lines: Vec<String> = fixed.chain(servers(&self.manifest).into_iter().map(written)).collect();
        if lines.is_empty() {
            vec![say(lang, "아무 곳에도 접근하지 않습니다", "nothing").to_owned()]
        } else {
            lines
        }
    }

    fn settings(&self, lang: Lang, page: &mut Page) {
        let help = |setting: &dmplz_bundled::Setting| match lang {
            Lang::Ko => setting.help[0],
            Lang::En => setting.help[1],
        };
        let needed = |required: bool| if required { say(lang, " (필수)", " (required)") } else { "" };
        let messenger = third_party::of(&self.manifest);
        let mut secrets = Vec::new();
        for (setting, spec) in messenger.secrets().zip(&self.manifest.secrets) {
            let when = match &spec.instead_of {
                Some(other) => {
                    fill(say(lang, " ({} 대신)", " (instead of {})"), &[&variable(&self.manifest.name, other)])
                }
                None => needed(setting.required).to_owned(),
            };
            secrets.push(format!("{}{when}: {}", setting.variable, help(setting)));
            let origins: Vec<String> = spec.origins.iter().map(|it| origin_words(&self.manifest, it, lang)).collect();
            let only = fill(say(lang, "{}에만, 다음 자리에만:", "only to {}, and only in"), &[&origins.join(", ")]);
            secrets.push(visible_line(&format!("  {only}")));
            let places = spec.places.iter().map(|place| place_words(place, lang));
            secrets.extend(places.map(|place| visible_line(&format!("    {place}"))));
            let exchange = spec.renewal.iter().map(|it| exchange_words(&self.manifest, setting.variable, it, lang));
            secrets.extend(exchange.map(|exchange| format!("  {exchange}")));
        }
        page.add(say(lang, "비밀", "secrets"), secrets);
        let chats = messenger.chats().map(|(chat, kind)| {
            let kind = match kind {
                ChatKind::Room => say(lang, "채팅방", "a room"),
                ChatKind::Person => say(lang, "사람", "a person"),
            };
            format!("{} ({kind}): {}", chat.variable, help(chat))
        });
        page.add(say(lang, "채팅", "chats"), chats);
        let others = messenger.settings.iter().filter(|it| !matches!(it.takes, Takes::Secret | Takes::Chat(_)));
        let others = others.map(|setting| {
            let default = setting.default.map(|default| format!(" = {}", visible_line(default))).unwrap_or_default();
            format!("{}{default}{}: {}", setting.variable, needed(setting.required), help(setting))
        });
        page.add(
            say(lang, "설정", "settings"),
            others.chain([messenger.transport.to_owned() + " = auto", messenger.allowed_users.to_owned()]),
        );
    }
}

/// Returns one transport with its limits, on one line.
fn transport(transport: &Transport, lang: Lang) -> String {
    let limits = transport.limits;
    let answers = match transport.answering {
        Answering::Buttons => say(lang, "버튼", "buttons"),
        Answering::Reactions => say(lang, "리액션", "reactions"),
        Answering::Typed => say(lang, "코드 입력", "typed codes"),
    };
    let files = if limits.attachment == 0 {
        say(lang, "파일 없음", "no files").to_owned()
    } else {
        let bytes = u64::try_from(limits.attachment).unwrap_or(u64::MAX);
        fill(say(lang, "파일 {}까지", "files up to {}"), &[&size(bytes)])
    };
    let stays = if transport.persistent { say(lang, ", dmplz serve에서", ", under dmplz serve") } else { "" };
    let looks = match transport.poll_interval {
        0 => String::new(),
        wait => fill(say(lang, ", {}ms마다 확인", ", looks every {} ms"), &[&wait.to_string()]),
    };
    let kept = match transport.presses_kept {
        None => String::new(),
        Some(seconds) => {
            fill(say(lang, ", 누른 것은 {}초 보관", ", presses are kept for {} s"), &[&seconds.to_string()])
        }
    };
    let threads = if transport.threads { say(lang, ", 스레드", ", threads") } else { "" };
    let commands = if transport.commands { say(lang, ", 명령", ", commands") } else { "" };
    let sent = if transport.files { say(lang, ", 사람이 보낸 파일", ", files that people send") } else { "" };
    let drafts = if transport.drafts { say(lang, ", 쓰는 중 미리보기", ", drafts") } else { "" };
    let takes = say(lang, "글자 {}, 선택지 {}", "texts of {}, {} choices");
    let takes = fill(takes, &[&limits.text.to_string(), &limits.choices.to_string()]);
    visible_line(&format!(
        "{}: {answers}, {takes}, {files}{threads}{commands}{sent}{drafts}{looks}{kept}{stays}; {}",
        transport.name, transport.help
    ))
}

/// Lines, and what they are about.
struct Page {
    paint: Paint,
    text: String,
}

impl Page {
    fn add<L: AsRef<str>>(&mut self, about: &str, lines: impl IntoIterator<Item = L>) {
        for (at, line) in lines.into_iter().enumerate() {
            let about = pad(if at == 0 { about } else { "" }, ABOUT);
            self.text.push_str(&format!("  {}{}\n", self.paint.tone(Tone::Faint, &about), line.as_ref()));
        }
    }
}

fn signature(signed: &Signed, lang: Lang) -> String {
    let text = match signed {
        Signed::No => say(lang, "없음", "none").to_owned(),
        Signed::Unchecked => say(
            lang,
            "있음, 확인하지 않음: --signer KEY로 확인합니다",
            "there is one, not checked: --signer KEY checks it",
        )
        .to_owned(),
        Signed::Yes { signer, comment } => fill(say(lang, "올바름: {} ({})", "valid: {} ({})"), &[signer, comment]),
        Signed::Wrong { why } => fill(say(lang, "올바르지 않음: {}", "not valid: {}"), &[why]),
    };
    visible_line(&text)
}
