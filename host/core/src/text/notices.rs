//! The words of notices.

/// The words of notices in one language.
#[derive(Debug)]
pub struct NoticeWords {
    /// The client asks for permission in its terminal.
    pub permission: &'static str,
    /// The client waits for the person.
    pub idle: &'static str,
    /// The client wants attention for another reason.
    pub attention: &'static str,
    /// The agent finished its turn.
    pub turn: &'static str,
    /// The agent finished its turn, and background tasks go on; how many.
    pub turn_with_tasks: &'static str,
    /// The turn ended in an error.
    pub turn_failed: &'static str,
    /// The title where a subagent is finished.
    pub subagent: &'static str,
    /// The title where a session begins.
    pub session_started: &'static str,
    /// The title where a session has ended.
    pub session_ended: &'static str,
    /// The title where a tool failed.
    pub tool_failed: &'static str,
    /// The client denied a call by itself.
    pub denied: &'static str,
    /// A request waits for an answer.
    pub asked: &'static str,
    /// Nobody answered a request.
    pub expired: &'static str,
    /// Nobody could be asked.
    pub nobody: &'static str,
    /// A messenger cannot be used.
    pub messenger: &'static str,
    /// A text that a person sent.
    pub message: &'static str,
    /// A test that a person sent to their own browser.
    pub test: &'static str,
    /// The session; the first characters of its id.
    pub session: &'static str,
    /// How many of the same kind are in this notice, of which the last is shown.
    pub merged: &'static str,
    /// How late the notice is, in minutes.
    pub late: &'static str,
    /// How many characters are left out.
    pub left_out: &'static str,
}

pub(super) const KO: NoticeWords = NoticeWords {
    permission: "🔐 Claude Code가 권한을 묻고 있습니다",
    idle: "💤 Claude Code가 입력을 기다립니다",
    attention: "🔔 Claude Code가 확인을 요청합니다",
    turn: "✅ 작업이 끝났습니다",
    turn_with_tasks: "⏳ 응답이 끝났지만 백그라운드 작업 {}개가 계속 실행 중입니다",
    turn_failed: "❌ 작업이 오류로 끝났습니다",
    subagent: "✅ 서브에이전트가 끝났습니다",
    session_started: "▶️ 세션이 시작되었습니다",
    session_ended: "⏹️ 세션이 끝났습니다",
    tool_failed: "⚠️ 도구 실행이 실패했습니다",
    denied: "⛔ Claude Code가 호출을 거부했습니다",
    asked: "🔐 요청이 답을 기다립니다",
    expired: "⌛ 아무도 요청에 답하지 않았습니다",
    nobody: "📵 요청을 물어볼 곳이 없습니다",
    messenger: "📡 메신저에 연결할 수 없습니다",
    message: "💬 dmplz",
    test: "테스트입니다. 이 기기에서 요청 알림을 받을 수 있습니다.",
    session: "세션 {}",
    merged: "같은 알림 {}건을 모았습니다. 아래는 마지막 것입니다.",
    late: "{}분 전의 일입니다.",
    left_out: "… ({}자 생략)",
};

pub(super) const EN: NoticeWords = NoticeWords {
    permission: "🔐 Claude Code asks for permission",
    idle: "💤 Claude Code waits for your input",
    attention: "🔔 Claude Code needs your attention",
    turn: "✅ The turn is finished",
    turn_with_tasks: "⏳ The turn is finished, and background tasks go on: {}",
    turn_failed: "❌ The turn ended in an error",
    subagent: "✅ A subagent is finished",
    session_started: "▶️ A session started",
    session_ended: "⏹️ A session ended",
    tool_failed: "⚠️ A tool failed",
    denied: "⛔ Claude Code denied a call",
    asked: "🔐 A request waits for an answer",
    expired: "⌛ Nobody answered a request",
    nobody: "📵 A request could not be asked anywhere",
    messenger: "📡 A messenger cannot be reached",
    message: "💬 dmplz",
    test: "This is a test: this device can receive notices of requests.",
    session: "session {}",
    merged: "{} notices of this kind in one; the last of them is shown.",
    late: "This happened {} min ago.",
    left_out: "… ({} characters left out)",
};
