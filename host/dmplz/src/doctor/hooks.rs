//! Checks that Claude Code calls this program.

pub(super) mod ahead;

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::finding::{Finding, Say};
use crate::install::{self, Hooks, Installed, Managed};
use crate::settings::{Settings, environment};

/// The client's default time-out of a PermissionRequest hook, as observed with Claude Code 2.1.330.
pub(super) const CLIENT_DEFAULT: Duration = Duration::from_secs(600);

/// Checks the settings of Claude Code that apply to the current directory. Without settings of dmplz, time-outs are
/// not compared.
pub(super) fn check(settings: Option<&Settings>, say: Say) -> Vec<Finding> {
    let all = install::status(&environment);
    let mut found: Vec<Finding> = install::managed().map(|managed| of_managed(managed, say)).into_iter().collect();
    found.extend(judge(&all, settings.map(|settings| settings.hook_timeout), say));
    if let Some(settings) = settings.filter(|settings| settings.questions_ahead) {
        found.extend(ahead::judge(&all, settings.hook_timeout, say));
    }
    found
}

pub(super) fn judge(all: &[Installed], limit: Option<Duration>, say: Say) -> Vec<Finding> {
    // In the home directory, the user's file is also the project's.
    let mut files: Vec<&Installed> = all.iter().collect();
    files.dedup_by(|one, other| one.path == other.path);
    let mut found: Vec<Finding> = files.iter().flat_map(|installed| of_file(installed, limit, say)).collect();
    let hooks = || files.iter().filter_map(|installed| installed.hooks.as_ref().ok());
    let mut programs: Vec<&str> = hooks().filter_map(|hooks| hooks.program.as_deref()).collect();
    programs.sort_unstable();
    programs.dedup();
    let plugin = hooks().any(|hooks| hooks.plugin);
    if programs.is_empty() && !plugin {
        let what = say.of("Claude Code가 아직 dmplz를 부르지 않습니다", "Claude Code does not call dmplz yet");
        found.push(Finding::bad("hooks", what, "dmplz install --user"));
    }
    if programs.len() + usize::from(plugin) > 1 {
        let what =
            say.of("훅이 여러 번 등록되어 두 번 묻게 됩니다", "the hooks are registered twice, so it asks twice");
        let fix = say.of("하나만 남기고 지워 주세요 (dmplz uninstall)", "leave one of them (dmplz uninstall)");
        found.push(Finding::bad("hooks", format!("{what}: {}", programs.join(", ")), fix));
    }
    found
}

fn of_managed((managed, path): (Managed, PathBuf), say: Say) -> Finding {
    let what = match managed {
        Managed::Off => say.of("관리자가 모든 훅을 껐습니다", "the administrator turned every hook off"),
        Managed::OnlyTheirs => say.of("관리자가 정한 훅만 실행됩니다", "only hooks of the administrator run"),
    };
    let fix = say.of(
        "관리자에게 그 파일에 `dmplz hook`을 등록해 달라고 해 주세요",
        "ask the administrator to register `dmplz hook` in that file",
    );
    Finding::bad("hooks", format!("{what}: {}", path.display()), fix)
}

fn of_file(installed: &Installed, limit: Option<Duration>, say: Say) -> Vec<Finding> {
    let path = installed.path.display();
    match &installed.hooks {
        Ok(hooks) => of_hooks(hooks, &path.to_string(), limit, say),
        Err(error) => {
            let fix = say.of(
                "파일을 고쳐 주세요. Claude Code도 읽지 못합니다",
                "correct that file: Claude Code cannot read it either",
            );
            // The error names the file if it cannot be opened.
            let (path, error) = (path.to_string(), error.of(say.lang));
            let what = if error.contains(&path) { error.to_owned() } else { format!("{path}: {error}") };
            vec![Finding::bad("hooks", what, fix)]
        }
    }
}

fn of_hooks(hooks: &Hooks, path: &str, limit: Option<Duration>, say: Say) -> Vec<Finding> {
    let mut found = Vec::new();
    if hooks.disabled {
        let what = format!("{} ({path})", say.of("모든 훅이 꺼져 있습니다", "every hook is turned off"));
        let fix = say.of("disableAllHooks를 지워 주세요", "take disableAllHooks out");
        found.push(Finding::bad("hooks", what, fix));
    }
    if hooks.plugin {
        let what = say.of("플러그인이 켜져 있습니다", "the plugin is on");
        found.push(Finding::good("hooks", format!("{what} ({path})")));
    }
    let Some(program) = &hooks.program else { return found };
    let again = say.of("dmplz install을 다시 실행해 주세요", "run dmplz install again");
    if program.starts_with('/') && !Path::new(program).is_file() {
        let what =
            format!("{}: {program} ({path})", say.of("등록된 프로그램이 없습니다", "the registered program is gone"));
        found.push(Finding::bad("hooks", what, again));
        return found;
    }
    found.push(Finding::good("hooks", format!("{program} ({path})")));
    if !hooks.missing.is_empty() {
        let what = say.of("등록되지 않은 이벤트가 있습니다", "some events are not registered");
        found.push(Finding::doubtful("hooks", format!("{what}: {} ({path})", hooks.missing.join(", ")), again));
    }
    if let Some(only) = &hooks.only {
        let what = say.of("일부 도구만 묻습니다", "it asks for some tools only");
        let fix =
            say.of("의도한 것이 아니면 matcher를 지워 주세요", "take the matcher out, unless that is what you want");
        found.push(Finding::doubtful("hooks", format!("{what}: {only} ({path})"), fix));
    }
    let waits = hooks.timeout.map_or(CLIENT_DEFAULT, Duration::from_secs);
    if limit.is_some_and(|limit| waits < limit) {
        let what = say.of(
            "Claude Code가 DMPLZ_HOOK_TIMEOUT_MS보다 먼저 훅을 멈춥니다",
            "Claude Code stops the hook before DMPLZ_HOOK_TIMEOUT_MS",
        );
        found.push(Finding::bad("hooks", format!("{what}: {} s ({path})", waits.as_secs()), again));
    }
    found
}
