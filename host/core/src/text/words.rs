//! The texts of requests and their cards.

use super::{LeadWords, NoticeWords, ToolWords, lead, notices, tools};

texts! {
    /// The texts of one language. `{}` stands for the values that the field's comment lists, in order.
    Words {
        /// The title of a request; the tool.
        request: "🔐 Claude Code 권한 요청: {}", "🔐 Claude Code asks for permission: {}";
        /// The title of a plan.
        plan: "📋 Claude Code 계획 승인 요청", "📋 Claude Code asks to approve a plan";
        /// The beginning of the line that names the agent's folder.
        folder: "폴더: {}", "Folder: {}";
        /// The beginning of the line that names the subagent that asks.
        agent: "서브에이전트: {}", "Subagent: {}";
        /// A line: the client's permission mode, by the client's name.
        mode: "권한 모드: {}", "Permission mode: {}";
        /// A line: what the session grant would store.
        grant: "🔄 세션 허용 범위: {}", "🔄 For the session would allow: {}";
        /// A mode as a grant; the mode.
        grant_mode: "편집 자동 승인 모드({})", "accepting edits automatically ({})";
        /// A directory as a grant; the directory.
        grant_directory: "폴더 {}", "folder {}";
        /// A line: the rule that asks for a person; its reason and location.
        asked_by_rule: "📏 규칙에 따라 묻습니다: {}", "📏 Asked because of a rule: {}";
        /// A line: why rules allow less than was meant; what.
        policy_trouble: "⚠️ 정책 파일에 문제가 있어 규칙이 허용하는 것도 묻습니다: {}",
            "⚠️ A policy file has a problem, so even what its rules would allow is asked: {}";
        /// A line: why the client asks, in its words.
        asked_by_client: "❔ Claude Code가 묻는 이유: {}", "❔ Why Claude Code asks: {}";
        /// A line: the path that the client has no permission for.
        blocked: "🚧 아직 허용되지 않은 경로: {}", "🚧 Path that is not permitted yet: {}";
        /// What stands out about a call: it starts a program as another user.
        risk_elevated: "다른 사용자 권한으로 실행(sudo)", "runs as another user (sudo)";
        /// The same: a shell runs what another command writes.
        risk_piped_shell: "다른 명령의 출력을 셸로 실행", "a shell runs what another command writes";
        /// The same: it writes outside of the folder.
        risk_outside: "폴더 밖에 쓰기", "writes outside of the folder";
        /// The same: it may use the network.
        risk_network: "네트워크 사용 가능", "may use the network";
        /// The same: it names a file that usually holds credentials.
        risk_secret: "비밀이 들어 있을 만한 파일을 가리킴", "names a file that usually holds secrets";
        /// The beginning of the line with the request's id.
        id: "request_id: {}", "request_id: {}";
        /// A line: how to answer by reactions; the legend.
        react: "리액션으로 답해주세요: {}", "Answer with a reaction: {}";
        /// Replaces text that is in a file; the number of characters left out, the file name.
        in_file: "⋯ {}자는 첨부 파일 {}에 있습니다 ⋯", "⋯ {} characters are in the attached file {} ⋯";
        /// Replaces text that is in the messages above; the number of characters left out.
        above: "⋯ {}자는 위의 메시지에 있습니다 ⋯", "⋯ {} characters are in the messages above ⋯";
        /// The title of such a message; its number, the number of messages.
        page: "📄 요청 전문 {}/{}", "📄 The whole request {}/{}";
        /// Label of the button that allows this call.
        approve: "✅ 승인", "✅ Approve";
        /// The label of the button that allows similar calls for the session.
        session: "🔄 세션 허용", "🔄 For the session";
        /// Label of the button that denies.
        deny: "❌ 거부", "❌ Deny";
        /// The label of the prompt's button.
        skip: "사유 없이 거부", "Deny without a reason";
        /// The label of the prompt's button that opens a form.
        write: "✍️ 작성하기", "✍️ Write";
        /// Title of the form.
        write_reason: "거부 사유", "Why do you deny it?";
        /// Title of the form.
        write_changes: "계획에서 바꿀 점", "What should change in the plan?";
        /// The label of a form's field for a reason.
        write_label: "Claude가 읽을 내용", "Claude reads this";
        /// The title of a question; its number, the number of questions.
        question: "❓ Claude Code의 질문 {}/{}", "❓ Claude Code asks {}/{}";
        /// The title of the summary of all answers.
        review: "📨 답을 확인하고 제출해주세요", "📨 Check the answers, then submit them";
        /// A question with its answer.
        answer: "{}\n→ {}", "{}\n→ {}";
        /// Line under a question that takes several options.
        several: "여러 개를 고를 수 있습니다. 다 골랐으면 ‘다음’을 누르세요.",
            "Several may be chosen. Press ‘Next’ when done.";
        /// A line: the questions cannot be shown.
        unanswerable: "⚠️ 이 질문은 여기서 답할 수 없습니다. 터미널에서 답해주세요.",
            "⚠️ These questions cannot be answered here. Please answer in the terminal.";
        /// A card where its own surface cannot approve it, because it was asked for there.
        asked_here: "⚠️ 여기서 요청했으므로 승인은 다른 곳(웹 페이지, 터미널, 다른 메신저)에서 합니다. 여기서는 거부할 수 있습니다.",
            "⚠️ It was asked for here, so it is approved on another surface: the page, a terminal or another messenger. Here it can be denied.";
        /// The title of a card that lets a session go on without asking anybody.
        mode_change: "⚠️ 세션에서 앞으로 아무에게도 묻지 않게 하기", "⚠️ From now on, nobody is to be asked in a session";
        /// Button: what "always" stores has no tool; the place.
        always: "예, 항상 허용: {}", "Yes, always allow for {}";
        /// Button; the tool, the place.
        always_tool: "예, {} 허용: {}", "Yes, allow {} for {}";
        /// Button; the tools, the place.
        always_two_tools: "예, {} 및 {} 허용: {}", "Yes, allow {} and {} for {}";
        /// Button; the first tool, how many more, the place.
        always_more_tools: "예, {} 외 {}개 허용: {}", "Yes, allow {} and {} more for {}";
        /// Button; 1, the place.
        always_directory: "예, 폴더 {}개 접근 허용: {}", "Yes, allow access to {} directory for {}";
        /// Button; how many directories, the place.
        always_directories: "예, 폴더 {}개 접근 허용: {}", "Yes, allow access to {} directories for {}";
        /// Line: what "always" stores.
        always_line: "💾 항상 허용하면 저장: {}", "💾 Always would store: {}";
        /// The same, with the place.
        always_line_at: "💾 항상 허용하면 저장: {} → {}", "💾 Always would store: {} → {}";
        /// A line: where each reaction stores it.
        always_places: "저장할 곳: {}", "Stored in: {}";
        /// A line of a final state: what was stored, where.
        stored_line: "저장: {} → {}", "Stored: {} → {}";
        /// A line: a suggestion that is broader than the call and is not stored; why.
        broad_left_out: "⚠️ 이 요청보다 넓은 규칙이라 항상 허용에서 제외: {} ({})",
            "⚠️ Allows more than this request, so Always leaves it out: {} ({})";
        /// The same for one that is stored.
        broad_included: "⚠️ 이 요청보다 넓은 규칙이지만 항상 허용에 포함: {} ({})",
            "⚠️ Allows more than this request, and Always now includes it: {} ({})";
        /// Why a rule is broad: it allows any shell command.
        broad_shell: "다른 어떤 명령이든 실행할 수 있음", "it starts any other command";
        /// Why a rule is broad: its program runs any code.
        broad_interpreter: "어떤 코드든 실행할 수 있음", "it runs any code";
        /// Why a rule is broad: its pattern covers other calls.
        broad_wildcard: "다른 요청까지 허용함", "it allows other requests too";
        /// Why a rule is broad: it allows the whole tool.
        broad_tool: "이 도구의 모든 사용을 허용함", "it allows everything this tool can do";
        /// Label of the button that changes where a rule is stored; the place.
        scope: "🔄 범위: {}", "🔄 Scope: {}";
        /// Names the place `.claude/settings.local.json`.
        scope_local: "이 프로젝트(나만)", "this project (just you)";
        /// Names the place `~/.claude/settings.json`.
        scope_user: "모든 프로젝트", "all projects";
        /// Names the place `.claude/settings.json`.
        scope_project: "이 프로젝트(공유)", "this project (shared)";
        /// Names the client's memory as the place.
        scope_session: "이 세션", "this session";
        /// The label of the button that stores broad rules too.
        widen: "🔓 넓은 규칙도 포함", "🔓 Include broader rules";
        /// The label of the button that leaves out broad rules again.
        narrow: "🔒 넓은 규칙 제외", "🔒 Leave out broader rules";
        /// Label of the button that grants exactly this call for 30 minutes.
        grant_half_hour: "⏳ 같은 요청 30분 허용", "⏳ Allow exactly this for 30 minutes";
        /// Label of the button that grants exactly this call for the session.
        grant_session: "🕒 같은 요청 세션 동안 허용", "🕒 Allow exactly this for the session";
        /// The label of the button that denies with feedback.
        tell: "💬 대신 할 일 알려주기", "💬 Tell Claude what to do instead";
        /// The label of the choice that shows more choices.
        more: "➕ 선택지 더 보기", "➕ More choices";
        /// Title of the form.
        tell_title: "대신 할 일 알려주기", "Tell Claude what to do instead";
        /// Label of its field.
        tell_label: "지시 사항", "Your instructions";
        /// Placeholder of its field.
        tell_placeholder: "Claude가 대신 할 일을 적어주세요...", "Tell Claude what to do instead...";
        /// Button of a plan.
        auto_accept: "⏩ 예, 편집은 자동 승인", "⏩ Yes, and auto-accept";
        /// Button of a plan.
        manual: "✅ 예, 편집은 하나씩 승인", "✅ Yes, and manually approve edits";
        /// Button of a plan.
        keep_planning: "❌ 아니요, 계획 계속", "❌ No, keep planning";
        /// Button of a question.
        no_answer: "❌ 답하지 않음", "❌ No answer";
        /// Button of a question.
        other: "📝 직접 입력", "📝 Other";
        /// Button of a question.
        other_away: "🧹 직접 입력한 답 빼기", "🧹 Remove my own answer";
        /// The label of the field for a person's own words.
        other_label: "직접 쓰는 답", "Your answer";
        /// Button of a question.
        back: "👈 이전", "👈 Back";
        /// Button of a question.
        next: "👉 다음", "👉 Next";
        /// Button of the answers.
        submit: "📨 제출", "📨 Submit answers";
        /// The first line of the prompt for feedback.
        prompt_instead: "Claude가 대신 할 일을 입력해주세요 (선택).",
            "Please write what Claude should do instead (optional).";
        /// The first line of the prompt for changes to a plan.
        prompt_changes: "계획에서 바꿀 점을 입력해주세요 (선택).", "Please write what to change in the plan (optional).";
        /// The prompt for an answer; the question.
        prompt_answer: "답을 입력해주세요: {}", "Please write your answer: {}";
        /// The first line of the prompt for a reason.
        prompt: "거부 사유를 입력해주세요 (선택).", "Please write why you deny it (optional).";
        /// The line above the codes of typed answers.
        typed: "답하려면 선택 앞의 코드를 보내주세요:", "To answer, send the code in front of your choice:";
        /// The second line of the prompt for a reason, with a button.
        prompt_button: "사유 없이 거부하려면 ‘사유 없이 거부’ 버튼을 누르세요.",
            "To deny without a reason, press ‘Deny without a reason’.";
        /// The second line of the prompt for a reason, with codes.
        prompt_code: "사유 없이 거부하려면 ‘사유 없이 거부’의 코드를 보내주세요.",
            "To deny without a reason, send the code of ‘Deny without a reason’.";
        /// The second line of the prompt for a reason, without a button; the keyword.
        prompt_keyword: "사유 없이 거부하려면 `{}` 를 입력하세요.", "To deny without a reason, type `{}`.";
        /// The third line of the prompt for a reason; the limit, as `Lang::time_limit` formats it.
        prompt_limit: "시간 제한: {}", "Time limit: {}";
        /// The answer to a late input; the request id.
        late: "이 권한 요청은 이미 만료되었습니다. (request_id: {})",
            "This permission request has already expired. (request_id: {})";
        /// Final title; the tool.
        approved: "✅ 승인됨: {}", "✅ Approved: {}";
        /// Final title; the tool.
        approved_session: "🔄 세션 허용됨: {}", "🔄 Approved for the session: {}";
        /// Final title; the tool.
        approved_always: "💾 항상 허용됨: {}", "💾 Always allowed: {}";
        /// Final title of answered questions; the tool.
        answered: "📨 답변함: {}", "📨 Answered: {}";
        /// Line of an approved plan.
        edits_auto: "이후 편집은 자동으로 승인됩니다.", "Edits are accepted automatically from now on.";
        /// Line of an approved plan.
        edits_manual: "이후 편집은 하나씩 승인합니다.", "Edits are approved one by one from now on.";
        /// Line of a grant of ours.
        granted_half_hour: "⏳ 같은 요청은 30분 동안 묻지 않고 허용됩니다.",
            "⏳ Exactly this is allowed for 30 minutes without asking.";
        /// Line of a grant of ours.
        granted_session: "🕒 같은 요청은 이 세션이 끝날 때까지 묻지 않고 허용됩니다.",
            "🕒 Exactly this is allowed without asking until the session ends.";
        /// A line: the feedback.
        instead: "대신 할 일: {}", "Instead: {}";
        /// Final title; the tool.
        rejected: "❌ 거부됨: {}", "❌ Denied: {}";
        /// Final title; the tool.
        expired: "⌛ 만료됨: {}", "⌛ Expired: {}";
        /// Final title; the tool.
        elsewhere: "↩️ 다른 곳에서 처리됨: {}", "↩️ Settled elsewhere: {}";
        /// The final title of a request whose hook died; the tool.
        interrupted: "⚠️ 중단됨: {}", "⚠️ Interrupted: {}";
        /// A line of a final state: who, when.
        by: "{} · {}", "{} · {}";
        /// A line of a final state without a person: when.
        at: "{}", "{}";
        /// A line of a final state: the reason that was given.
        reason: "사유: {}", "Reason: {}";
        /// A line: the rule that decided.
        rule: "규칙: {}", "Rule: {}";
        /// A line: denied without a reason, by choice.
        no_reason: "사유 없음", "No reason given";
        /// A line: denied, and no reason arrived in time.
        no_reason_timeout: "사유 없음 (시간 초과)", "No reason given (time was up)";
        /// Line under expired: nobody answered in time.
        why_nobody: "아무도 답하지 않았습니다. 터미널에서 다시 묻습니다.", "Nobody answered. The terminal asks again.";
        /// Line under expired when `DMPLZ_ON_EXPIRED=deny`.
        why_nobody_denied: "아무도 답하지 않아 허용되지 않았습니다.", "Nobody answered, so it was not allowed.";
        /// Shown at the terminal if nobody answered.
        unanswered: "dmplz: 시간 안에 아무도 답하지 않았습니다. 여기서 답해 주세요.",
            "dmplz: nobody answered in time. Please answer here.";
        /// Shown at the terminal if nobody could be asked, or no answer could have arrived: what failed.
        unasked: "dmplz: 아무에게도 물을 수 없었습니다({}). 여기서 답해 주세요.",
            "dmplz: nobody could be asked: {}. Please answer here.";
        /// Shown at the terminal if no connection to the messenger could be opened: the messenger, and what failed.
        unreached: "dmplz: {}에 연결하지 못했습니다({}). 여기서 답해 주세요.",
            "dmplz could not reach {} ({}). Please answer here.";
        /// Line under settled elsewhere: the terminal answered.
        why_terminal: "터미널에서 이미 답했습니다.", "It was answered in the terminal.";
        /// Line under settled elsewhere: the client stopped the request.
        why_stopped: "Claude Code가 이 요청을 중단했습니다.", "Claude Code stopped this request.";
        /// Line under settled elsewhere: the client is gone.
        why_client_gone: "Claude Code가 종료되었습니다.", "Claude Code has ended.";
        /// Line under expired when the messenger failed.
        why_failed: "메신저를 사용할 수 없어 답을 받지 못했습니다. 터미널에서 다시 묻습니다.",
            "The messenger could not be used, so no answer came. The terminal asks again.";
        /// The same when `DMPLZ_ON_EXPIRED=deny`.
        why_failed_denied: "메신저를 사용할 수 없어 허용되지 않았습니다.",
            "The messenger could not be used, so it was not allowed.";
        /// Line under interrupted: the process that asked has died.
        why_interrupted: "응답을 기다리던 프로세스가 종료되어 답이 전달되지 않았습니다. 터미널을 확인하세요.",
            "The process that waited for the answer died, so no answer was delivered. Look at the terminal.";
        /// Told to a presser.
        not_allowed: "이 요청에 답할 권한이 없습니다.", "You may not answer this request.";
        /// Told to a presser.
        already: "이미 처리된 요청입니다.", "This request was answered already.";
        /// Told to a presser.
        too_late: "만료된 요청이라 반영되지 않았습니다.", "This request has expired, so this does not count.";
        /// Told to a presser.
        not_the_denier: "거부한 사람만 사유를 생략할 수 있습니다.", "Only the person who denied may skip the reason.";
        /// Shown if a message arrived without its content.
        unreadable: "메시지 내용을 읽을 수 없습니다. 봇의 Message Content Intent를 켜거나 텍스트로 입력해주세요.",
            "The message arrived without its text. Turn on the bot's Message Content Intent, or write plain text.";
        /// Shown to a person who pressed: the choice is no longer on the card.
        outdated: "카드가 바뀌어 이 선택은 반영되지 않았습니다. 지금 카드에서 다시 골라주세요.",
            "The card has changed, so this choice does not count. Please choose again on the card as it is now.";
        /// Told to a presser.
        unknown_card: "반영되지 않았습니다. 이 컴퓨터에서는 알 수 없는 카드입니다. 오래된 카드이거나 다른 컴퓨터가 같은 봇을 쓰고 있습니다. 봇은 컴퓨터마다 따로 있어야 합니다.",
            "This did not count: this computer does not know the card. The card is old, or another computer uses the same bot. Each computer needs its own bot.";
        /// Shown to a person who pressed: what was chosen on the card is too old.
        stale: "이 카드에서 고른 지 15분이 넘었습니다. 다시 확인하고 눌러주세요.",
            "The choices on this card are more than 15 minutes old. Please check them, then press again.";
        /// Shown if a text could be the reason of several requests.
        which_card: "거부한 요청이 여러 개입니다. 해당하는 사유 입력 메시지에 답장으로 사유를 적어주세요.",
            "You denied several requests. Please write the reason as a reply to the prompt it belongs to.";
        /// Shown in the chat: presses of the time without a connection may be lost.
        press_again: "⚠️ 한동안 버튼 누르신 것을 확인하지 못했습니다. 그동안 열린 카드의 버튼을 누르셨다면 다시 눌러 주세요.",
            "⚠️ dmplz could not see presses for a while. If you pressed a button on an open card in that time, please press it again.";
        /// Replaces a past step of a request.
        moved_on: "⤵️ 아래 메시지에서 이어집니다.", "⤵️ Continued in the message below.";
        /// Shown to a person who pressed late: how it ended, the request id.
        late_ended: "이 권한 요청은 이미 처리되었습니다: {} (request_id: {})",
            "This permission request has already ended: {} (request_id: {})";
        /// A line of a final state: the surface where it was answered.
        answered_on: "답한 곳: {}", "Answered on: {}";
        /// Names the page as the surface where somebody answered.
        on_web: "웹 페이지", "the web page";
        /// Names the command line as the surface where somebody answered.
        on_cli: "명령줄", "the command line";
        /// Shown to a person whose approval could not be stored.
        unrecorded: "기록하지 못해 승인되지 않았습니다. 다시 시도해주세요.",
            "The answer could not be saved, so nothing was approved. Please try again.";
        /// Shown to a person whose denial counts, but could not be stored.
        unrecorded_deny: "거부되었지만 기록하지 못했습니다.", "The request was denied, but the answer could not be saved.";
        /// Shown to a person whose answer does not count, because the request cannot be read from the disk.
        unread: "디스크에서 요청을 읽지 못해 답이 받아들여지지 않았습니다. 다시 시도해주세요.",
            "The request could not be read from the disk, so the answer does not count. Please try again.";
        /// Shown to a person who pressed: who denied meanwhile.
        denied_by: "{} 님이 이미 거부한 요청입니다.", "{} has denied this request.";
        /// The subject of a dmplz grant: the tool, a command.
        granted_command: "{}, 정확히 이 명령: {}", "{}, exactly this command: {}";
        /// The same: the tool, a file.
        granted_file: "{}, 정확히 이 파일: {}", "{}, exactly this file: {}";
        /// The same: the tool, the scheme and host.
        granted_site: "{}, {}의 모든 페이지", "{}, every page of {}";
        /// The same: the tool, its input.
        granted_input: "{}, 정확히 이 입력: {}", "{}, exactly this input: {}";
        /// The same with the folder: one of the above, the folder.
        granted_in: "{} (폴더 {})", "{} (in {})";
        /// A line of a request: what a dmplz grant would cover, if that is more than exactly this call.
        granted_offer: "⏳ 잠시 허용하면: {}", "⏳ For a limited time would allow: {}";
        /// Any access to a file: the tool, the file.
        granted_any: "이 폴더에서 {}, 파일 {} (내용과 무관)", "{} of {} whatever the content, in this folder";
        /// A line of a final state: the grant could not be stored.
        granted_not_kept: "⚠️ 기록하지 못해서 이번 한 번만 허용했습니다.",
            "⚠️ The permission could not be saved, so only this one call was allowed.";
        /// The label of the button on a final state that revokes the grant.
        revoke: "🚫 이제부터 다시 묻기", "🚫 Ask again from now on";
        /// A line of a final state without such a button.
        revoke_how: "다시 묻게 하려면: dmplz grants revoke", "To be asked again, run: dmplz grants revoke";
        /// A line of a final state: who revoked the grant, when.
        revoked_by: "🚫 이제부터 다시 묻습니다: {} · {}", "🚫 Asked again from now on: {} · {}";
        /// Shown to the person who revoked it.
        revoked: "이제부터 다시 묻습니다.", "You will be asked again from now on.";
        /// The grant expired: shown to a person who pressed, and a line of the final state.
        granted_over: "이 허용은 이미 끝났습니다. 다시 묻습니다.",
            "This permission has already ended. You will be asked again.";
        /// Shown to a person who pressed: it could not be revoked.
        not_revoked: "취소하지 못했습니다. 다시 누르거나 dmplz grants revoke를 실행해 주세요.",
            "The permission could not be revoked. Please try again, or run: dmplz grants revoke";
        /// The title: asks somebody who was invited whether they want to answer; the computer.
        invited: "🔗 {}의 Claude Code가 묻는 것에 답하시겠어요?", "🔗 Do you want to answer for Claude Code at {}?";
        /// A line: the effect of agreeing.
        invited_means: "채팅에서 승인하시면 그 컴퓨터에서 실행됩니다. 초대한 사람을 아실 때만 예를 눌러 주세요.",
            "What you approve in the chat is done on that computer. Say yes only if you know who invited you.";
        /// The label of the button that agrees.
        invited_yes: "✅ 예, 답하겠습니다", "✅ Yes, I do";
        /// The label of the button that refuses.
        invited_no: "❌ 아니요", "❌ No";
        /// The person accepted; the computer.
        invitation_accepted: "✅ {}에 연결되었습니다", "✅ Connected to {}";
        /// The person refused, or did not answer; the computer.
        invitation_refused: "❌ {}에 연결하지 않았습니다. 아무것도 설정되지 않았습니다",
            "❌ Not connected to {}: nothing was set up";
    }
    others {
        /// The words of sessions that are led from a chat.
        lead: LeadWords = lead::KO, lead::EN;
        /// The words of notices.
        notices: NoticeWords = notices::KO, notices::EN;
        /// The words for what tools do.
        tools: ToolWords = tools::KO, tools::EN;
    }
}
