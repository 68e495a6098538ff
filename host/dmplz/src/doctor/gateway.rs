//! Checks whether a gateway runs, and which surfaces would show a request. A missing gateway is no problem: each hook
//! then asks alone.

use dmplz_core::text::fill;
use dmplz_protocol::Code;
use dmplz_protocol::client::GatewayError;
use dmplz_protocol::health::{GatewayStatus, GetStatus};
use dmplz_state::{Instance, StateDir};

use super::finding::{Finding, Say};
use crate::gateway::{connect, soon};
use crate::settings::Settings;
use crate::{outage, time};

/// Asks the gateway for its status.
pub(super) fn check(settings: &Settings, say: Say) -> Option<Finding> {
    let state = StateDir::find(&settings.state_dir).ok()??;
    Some(match Instance::running(&state) {
        Ok(None) => say.good(
            "gateway",
            "게이트웨이 없음: 훅이 각자 묻습니다 (`dmplz serve`로 시작, `dmplz service install`로 계속 실행)",
            "none runs: each hook asks by itself (dmplz serve starts one, dmplz service install keeps one running)",
        ),
        Ok(Some(pid)) => {
            judge(pid, connect(state.path()).and_then(|mut gateway| gateway.call(&GetStatus {}, soon())), say)
        }
        Err(error) => Finding::bad("gateway", say.error(&error.into()), fix(say)),
    })
}

/// Returns whether a gateway runs.
pub(super) fn is_running(settings: &Settings) -> bool {
    let state = StateDir::find(&settings.state_dir).ok().flatten();
    state.is_some_and(|state| matches!(Instance::running(&state), Ok(Some(_))))
}

/// Turns the gateway's answer into a finding.
pub(super) fn judge(pid: u32, answer: Result<GatewayStatus, GatewayError>, say: Say) -> Finding {
    let pid = pid.to_string();
    let status = match answer {
        Ok(status) if status.version == env!("CARGO_PKG_VERSION") => status,
        Err(error) if error.code() != Some(Code::NO_METHOD) && !matches!(error, GatewayError::TooOld(_)) => {
            let what = say.of("게이트웨이가 응답하지 않습니다(프로세스 {})", "process {} does not answer");
            let what = format!("{}: {}", fill(what, &[&pid]), say.error(&error.into()));
            return Finding::doubtful("gateway", what, fix(say));
        }
        _ => {
            let what = say.of("다른 버전의 게이트웨이입니다(프로세스 {})", "process {} is of another version");
            return Finding::doubtful("gateway", fill(what, &[&pid]), fix(say));
        }
    };
    let open = status.open.to_string();
    if status.surfaces.is_empty() && status.messengers.is_empty() {
        let what = say.of(
            "프로세스 {}: 요청을 볼 사람이 없습니다 (열린 요청 {})",
            "process {}: nobody would see a request ({} open)",
        );
        let fix = say.of(
            "메신저를 설정하거나, 페이지를 열거나, `dmplz approvals watch`를 실행해 주세요",
            "set up a messenger, open the page, or run dmplz approvals watch",
        );
        return Finding::doubtful("gateway", fill(what, &[&pid, &open]), fix);
    }
    let what = say.of("프로세스 {}: {} (열린 요청 {})", "process {}: {} ({} open)");
    if let Some(messenger) = status.messengers.iter().find(|messenger| !messenger.reachable) {
        let out = outage::of(say.lang, messenger, time::now_ms());
        let mend = say.of(
            "네트워크와 토큰, 메신저의 상태를 확인해 주세요. 그동안 페이지나 `dmplz approvals`로 답할 수 있습니다",
            "look at the network, the token and the messenger's own status; the page and `dmplz approvals` take answers meanwhile",
        );
        return Finding::doubtful("gateway", fill(what, &[&pid, &out, &open]), mend);
    }
    let surfaces = status.surfaces.into_keys().collect::<Vec<_>>().join(", ");
    Finding::good("gateway", fill(what, &[&pid, &surfaces, &open]))
}

fn fix(say: Say) -> &'static str {
    say.of("`dmplz serve`를 다시 시작해 주세요", "start `dmplz serve` again")
}
