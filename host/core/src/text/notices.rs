//! The words of notices.

texts! {
    /// The words of notices in one language.
    NoticeWords {
        /// The client asks for permission in its terminal.
        permission: "🔐 Claude Code가 권한을 묻고 있습니다", "🔐 Claude Code asks for permission";
        /// The client waits for the person.
        idle: "💤 Claude Code가 입력을 기다립니다", "💤 Claude Code waits for your input";
        /// The client wants attention for another reason.
        attention: "🔔 Claude Code가 확인을 요청합니다", "🔔 Claude Code needs your attention";
        /// The agent finished its turn.
        turn: "✅ 작업이 끝났습니다", "✅ The turn is finished";
        /// The agent finished its turn, and background tasks go on; how many.
        turn_with_tasks: "⏳ 응답이 끝났지만 백그라운드 작업 {}개가 계속 실행 중입니다",
            "⏳ The turn is finished, and background tasks go on: {}";
        /// The turn ended in an error.
        turn_failed: "❌ 작업이 오류로 끝났습니다", "❌ The turn ended in an error";
        /// The title where a subagent is finished.
        subagent: "✅ 서브에이전트가 끝났습니다", "✅ A subagent is finished";
        /// The title where a session begins.
        session_started: "▶️ 세션이 시작되었습니다", "▶️ A session started";
        /// The title where a session has ended.
        session_ended: "⏹️ 세션이 끝났습니다", "⏹️ A session ended";
        /// A person submitted a prompt.
        prompt: "📝 프롬프트를 보냈습니다", "📝 A prompt was submitted";
        /// The title where a tool ran.
        tool_ran: "🔧 도구를 실행했습니다", "🔧 A tool ran";
        /// The title where a tool failed.
        tool_failed: "⚠️ 도구 실행이 실패했습니다", "⚠️ A tool failed";
        /// The client denied a call by itself.
        denied: "⛔ Claude Code가 호출을 거부했습니다", "⛔ Claude Code denied a call";
        /// A request waits for an answer.
        asked: "🔐 요청이 답을 기다립니다", "🔐 A request waits for an answer";
        /// Nobody answered a request.
        expired: "⌛ 아무도 요청에 답하지 않았습니다", "⌛ Nobody answered a request";
        /// Nobody could be asked.
        nobody: "📵 요청을 물어볼 곳이 없습니다", "📵 A request could not be asked anywhere";
        /// A messenger cannot be used.
        messenger: "📡 메신저에 연결할 수 없습니다", "📡 A messenger cannot be reached";
        /// A text that a person sent.
        message: "💬 dmplz", "💬 dmplz";
        /// A test that a person sent to their own browser.
        test: "테스트입니다. 이 기기에서 요청 알림을 받을 수 있습니다.",
            "This is a test: this device can receive notices of requests.";
        /// The session; the first characters of its id.
        session: "세션 {}", "session {}";
        /// How many of the same kind are in this notice, of which the last is shown.
        merged: "같은 알림 {}건을 모았습니다. 아래는 마지막 것입니다.",
            "{} notices of this kind in one; the last of them is shown.";
        /// How late the notice is, in minutes.
        late: "{}분 전의 일입니다.", "This happened {} min ago.";
        /// How many characters are left out.
        left_out: "… ({}자 생략)", "… ({} characters left out)";
    }
}
