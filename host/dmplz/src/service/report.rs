//! What is told of a service, for people and for programs.

use std::path::PathBuf;

use dmplz_core::text::{Lang, fill};
use serde::Serialize;
use similar::TextDiff;

use super::file::UnitState;
use super::refusal::{Refusal, Trouble};
use super::steps::{Active, Change, Step};
use super::supervisor::Supervisor;
use super::{Plan, systemd};
use crate::settings::environment;
use crate::terminal::{Paint, Tone, pad, say};

/// What an install or uninstall did, or would do.
#[derive(Debug, Serialize)]
pub(super) struct Done {
    ok: bool,
    dry_run: bool,
    manager: Supervisor,
    file: PathBuf,
    change: Change,
    /// What was there before, if a copy is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    copy: Option<PathBuf>,
    /// The commands, as they are typed.
    commands: Vec<String>,
    /// The unit, in a dry run of an install.
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<String>,
    notes: Vec<String>,
    #[serde(skip)]
    diff: String,
}

impl Done {
    /// Returns the report of a dry run.
    pub(super) fn planned(plan: &Plan, change: Change, steps: &[Step], unit: Option<&String>, lang: Lang) -> Self {
        let mut done = Self::made(plan, change, steps, lang);
        done.dry_run = true;
        done.copy = None;
        let changes = [Change::Written, Change::Replaced].contains(&change);
        if let (Some(unit), true) = (unit, changes) {
            let name = done.file.display().to_string();
            done.diff = TextDiff::from_lines(plan.found.as_str(), unit).unified_diff().header(&name, &name).to_string();
        }
        done.unit = unit.cloned();
        if plan.unit == UnitState::Changed {
            done.notes = vec![
                say(
                    lang,
                    "이 유닛은 dmplz가 쓴 그대로가 아닙니다. --force가 있어야 바꿉니다",
                    "this unit is not as dmplz wrote it: only --force touches it",
                )
                .to_owned(),
            ];
        }
        done
    }

    pub(super) fn made(plan: &Plan, change: Change, steps: &[Step], lang: Lang) -> Self {
        let foreign = plan.unit == UnitState::Changed;
        let copy = match change {
            Change::Replaced if foreign => Some(plan.copy.clone()),
            Change::Removed | Change::Restored if foreign => Some(plan.file.changed()),
            _ => None,
        };
        let installs = [Change::Written, Change::Replaced, Change::Packaged, Change::None].contains(&change);
        let mut notes = Vec::new();
        if installs && !steps.is_empty() && plan.manager == Supervisor::Systemd {
            notes.extend(linger(lang));
        }
        if change == Change::Restored {
            let words = say(lang, "되돌린 유닛은 시작하지 않았습니다", "the unit that is back is not started");
            notes.push(words.to_owned());
        }
        Self {
            ok: true,
            dry_run: false,
            manager: plan.manager,
            file: plan.file.path.clone(),
            change,
            copy,
            commands: steps.iter().map(Step::line).collect(),
            unit: None,
            notes,
            diff: String::new(),
        }
    }

    pub(super) fn text(&self, lang: Lang, paint: Paint) -> String {
        let change = match (self.change, self.dry_run) {
            (Change::Written, false) => say(lang, "새로 썼습니다", "written"),
            (Change::Replaced, false) => say(lang, "바꿨습니다", "replaced"),
            (Change::Removed, false) => say(lang, "지웠습니다", "removed"),
            (Change::Restored, false) => say(lang, "설치하기 전 그대로 되돌렸습니다", "as it was before the install"),
            (Change::Written, true) => say(lang, "새로 쓰게 됩니다", "would be written"),
            (Change::Replaced, true) => say(lang, "바꾸게 됩니다", "would be replaced"),
            (Change::Removed, true) => say(lang, "지우게 됩니다", "would be removed"),
            (Change::Restored, true) => {
                say(lang, "설치하기 전 그대로 되돌리게 됩니다", "would be as before the install")
            }
            (Change::Packaged, _) => say(lang, "패키지의 유닛을 씁니다", "not needed: the package has the unit"),
            (Change::None, _) => say(lang, "바꿀 것이 없습니다", "nothing to change"),
        };
        let mut text = format!("{}: {change}\n{}", self.file.display(), self.diff);
        if let Some(copy) = &self.copy {
            let words = say(lang, "전에 있던 것: {}", "what was there: {}");
            text.push_str(&format!("{}\n", fill(words, &[&copy.display().to_string()])));
        }
        let mark = if self.dry_run { paint.tone(Tone::Faint, "$") } else { paint.tone(Tone::Good, "✓") };
        for command in &self.commands {
            text.push_str(&format!("{mark} {command}\n"));
        }
        for note in &self.notes {
            text.push_str(&format!("{} {note}\n", paint.tone(Tone::Doubtful, "!")));
        }
        text
    }
}

/// Returns the note that a service of systemd ends with the last login, unless the user lingers.
fn linger(lang: Lang) -> Option<String> {
    let name = environment("USER").filter(|name| !name.is_empty() && !name.contains('/'));
    let lingers = name.is_some_and(|name| std::path::Path::new("/var/lib/systemd/linger").join(name).exists());
    let words = say(
        lang,
        "로그아웃해 있는 동안에도 실행하려면: loginctl enable-linger",
        "to keep it running while you are logged out: loginctl enable-linger",
    );
    (!lingers).then(|| words.to_owned())
}

/// How the service is.
#[derive(Debug, Serialize)]
pub(super) struct Status {
    manager: Supervisor,
    file: PathBuf,
    unit: UnitState,
    /// `null` where the manager cannot be asked.
    enabled: Option<bool>,
    running: Option<bool>,
    /// The process of the service.
    pid: Option<u32>,
    /// The process of the gateway that runs in the state directory, as a service or not.
    gateway: Option<u32>,
    problem: Option<Trouble>,
    next: Option<&'static str>,
}

impl Status {
    pub(super) fn of(plan: &Plan, looked: Result<Active, Refusal>, gateway: Option<u32>, lang: Lang) -> Self {
        let (active, problem) = match looked {
            Ok(active) => (Some(active), None),
            Err(refusal) => (None, Some(refusal.words(lang))),
        };
        let pid = active.and_then(|active| active.pid);
        let next = match plan.unit {
            _ if problem.is_some() => None,
            UnitState::Absent if gateway.is_none() => {
                Some(say(lang, "`dmplz service install`로 설치합니다", "dmplz service install installs it"))
            }
            UnitState::Outdated => Some(say(
                lang,
                "다른 버전이나 경로의 dmplz가 쓴 유닛입니다. `dmplz service install`로 새로 써 주세요",
                "another version or place of dmplz wrote the unit; dmplz service install writes it anew",
            )),
            UnitState::Installed | UnitState::Packaged if pid.is_none() => match plan.manager {
                Supervisor::Systemd => Some(say(
                    lang,
                    "멈춰 있습니다. 시작: dmplz service install, 이유: journalctl --user -u dmplz -n 20",
                    "it is stopped; dmplz service install starts it, journalctl --user -u dmplz -n 20 tells why",
                )),
                Supervisor::Launchd => Some(say(
                    lang,
                    "멈춰 있습니다. 시작: dmplz service install, 이유: tail ~/Library/Logs/dmplz.log",
                    "it is stopped; dmplz service install starts it, tail ~/Library/Logs/dmplz.log tells why",
                )),
            },
            _ => None,
        };
        Self {
            manager: plan.manager,
            file: plan.file.path.clone(),
            unit: plan.unit,
            enabled: active.map(|active| active.enabled),
            running: active.map(|active| active.pid.is_some()),
            pid,
            gateway,
            problem,
            next,
        }
    }

    pub(super) fn text(&self, lang: Lang, paint: Paint) -> String {
        let unit = match self.unit {
            UnitState::Absent => say(lang, "없음", "none"),
            UnitState::Installed => say(lang, "설치됨", "installed"),
            UnitState::Outdated => say(lang, "오래됨", "outdated"),
            UnitState::Changed => say(lang, "다른 사람이 쓰거나 고침", "written or changed by somebody else"),
            UnitState::Packaged => say(lang, "패키지의 유닛", "of the package"),
        };
        let unit = match self.unit {
            UnitState::Absent => unit.to_owned(),
            UnitState::Packaged => format!("{unit} ({})", systemd::UNIT),
            _ => format!("{unit} ({})", self.file.display()),
        };
        let process = |words, pid: u32| fill(words, &[&pid.to_string()]);
        let service = match (self.running, self.pid) {
            (_, Some(pid)) => process(say(lang, "실행 중 (프로세스 {})", "runs (process {})"), pid),
            (None, None) => say(lang, "알 수 없음", "not known").to_owned(),
            (Some(_), None) => say(lang, "멈춤", "stopped").to_owned(),
        };
        let at_login = match self.enabled {
            None => say(lang, "알 수 없음", "not known"),
            Some(true) => say(lang, "예", "yes"),
            Some(false) => say(lang, "아니요", "no"),
        };
        let gateway = match self.gateway {
            Some(pid) if Some(pid) == self.pid => say(lang, "이 서비스", "this service").to_owned(),
            Some(pid) => process(say(lang, "실행 중 (프로세스 {})", "runs (process {})"), pid),
            None => say(lang, "없음", "none").to_owned(),
        };
        let rows = [
            (say(lang, "유닛", "unit"), unit),
            (say(lang, "서비스", "service"), service),
            (say(lang, "로그인할 때 시작", "starts at login"), at_login.to_owned()),
            (say(lang, "게이트웨이", "gateway"), gateway),
        ];
        let mut text: String =
            rows.iter().map(|(name, value)| format!("{}{value}\n", paint.tone(Tone::Faint, &pad(name, 18)))).collect();
        if let Some(problem) = &self.problem {
            text.push_str(&format!("{} {}\n", paint.tone(Tone::Doubtful, "!"), problem.what));
        }
        let next = self.problem.as_ref().map(|problem| problem.next.as_str()).or(self.next);
        if let Some(next) = next {
            text.push_str(&format!("{} {next}\n", paint.tone(Tone::Strong, "→")));
        }
        text
    }
}
