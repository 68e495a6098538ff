//! The words of sessions that are led from a chat.

texts! {
    /// The words of sessions in one language. `{}` stands for the values that the field's comment lists, in order.
    LeadWords {
        /// The title of the chat's card.
        home: "🖥 이 채팅에서 Claude Code 세션을 다룹니다", "🖥 Sessions of Claude Code are led from this chat";
        /// How to write to sessions by replies.
        how_by_replies: "세션마다 카드가 하나 있습니다. 그 카드에 답장하면 세션에 전달됩니다. 권한 요청은 글로 허용되지 않습니다. 요청 카드의 버튼이나 리액션으로만 답할 수 있습니다.",
            "Each session has a card. A reply to the card is a message to the session. No text allows a request: only the buttons or reactions of its card do.";
        /// How to write to sessions by buttons and forms.
        how_by_forms: "세션마다 카드가 하나 있습니다. 그 카드의 버튼으로 세션에 글을 보냅니다. 권한 요청은 글로 허용되지 않습니다. 요청 카드의 버튼으로만 답할 수 있습니다.",
            "Each session has a card. Its buttons write to the session. No text allows a request: only the buttons of its card do.";
        /// That sessions get threads where the chat has them.
        how_threads: "이 채팅에 토픽이나 스레드가 있으면 세션마다 하나씩 열립니다. 거기에 쓴 글은 세션에 전달됩니다.",
            "Where the chat has topics or threads, each session has its own: what you write there goes to the session.";
        /// Where sessions may be started; the folders.
        folders: "세션을 시작할 수 있는 폴더: {}", "Sessions may be started in: {}";
        /// Sessions may be started nowhere.
        no_folders: "아직 허용된 폴더가 없습니다. DMPLZ_RUN_FOLDERS를 정하면 여기서 세션을 시작할 수 있습니다.",
            "No folder is allowed yet: sessions can be started from here once DMPLZ_RUN_FOLDERS names some.";
        /// The state of a session whose client starts.
        starting: "시작하는 중", "starting";
        /// The state of a session that waits for a message.
        idle: "메시지를 기다림", "waits for a message";
        /// The state of a session that works.
        working: "작업 중", "working";
        /// The state of a session that waits for an answer to a request.
        asking: "답 기다림", "waits for permission";
        /// The state of a session that has ended.
        ended: "끝남", "ended";
        /// A line of a card: a message that the agent has not taken yet; the message.
        waiting: "✉️ 대기 중: {}", "✉️ Waiting: {}";
        /// A line of a card: how many todos are not shown, how many of all are done.
        more_todos: "… 외 {}개 (완료 {}개)", "… {} more ({} done)";
        /// A line of a card: how to write to the session.
        reply_hint: "세션에 쓰려면 이 메시지에 답장하세요.", "Reply to this message to write to the session.";
        /// A line of a card in a thread: how to write to the session.
        thread_hint: "여기에 쓴 글은 세션에 전달됩니다.", "What you write here goes to the session.";
        /// A line of a card whose session has ended; the beginning of its id.
        resume_hint: "이어 하려면: /resume {}", "To go on with it: /resume {}";
        /// The label of a button that stops what the session does.
        interrupt: "✋ 멈추기", "✋ Interrupt";
        /// The label of a button that ends the session.
        stop: "⏹ 끝내기", "⏹ End";
        /// The label of a button that writes to the session.
        write: "💬 쓰기", "💬 Write";
        /// The title of its form.
        write_title: "세션에 보내기", "Write to the session";
        /// The label of its form's field.
        write_label: "메시지", "Message";
        /// The label of a button: the mode that asks about edits.
        mode_default: "🛡 편집 전에 묻기", "🛡 Ask about edits";
        /// The label of a button: the mode that does not ask about edits.
        mode_edits: "✏️ 편집 자동 승인", "✏️ Accept edits";
        /// The label of a button: the mode that plans first.
        mode_plan: "📝 계획 먼저", "📝 Plan first";
        /// The label of a button that starts a session.
        new: "➕ 새 세션", "➕ New session";
        /// The title of its form.
        new_title: "새 세션", "New session";
        /// The label of its form's field.
        new_label: "폴더, 그리고 첫 메시지", "Folder, then the first message";
        /// The placeholder of its form's field.
        new_placeholder: "site 실패하는 테스트를 고쳐 줘", "site fix the failing test";
        /// The label of a button that lists the sessions.
        list: "📃 세션 목록", "📃 Sessions";
        /// The title of a message: a turn is finished; the session.
        turn: "✅ {}: 마쳤습니다", "✅ {}: done";
        /// The title of a message: a turn did not go to its end; the session.
        turn_failed: "⚠️ {}: 마치지 못했습니다", "⚠️ {}: the turn did not go to its end";
        /// The title of a message: the session has ended; the session.
        is_over: "⏹ {}: 세션이 끝났습니다", "⏹ {}: the session has ended";
        /// The title of a message: the session ended badly; the session.
        is_over_badly: "⚠️ {}: 세션이 비정상적으로 끝났습니다", "⚠️ {}: the session ended badly";
        /// The title of a message: the thread is gone, the session is shown here; the session.
        thread_gone: "🧵 {}: 스레드가 삭제되어 이제 여기에 표시합니다",
            "🧵 {}: its thread was deleted, so it is shown here from now on";
        /// An answer: the person may not lead sessions.
        not_allowed: "세션에 지시할 권한이 없습니다.", "You may not lead sessions.";
        /// An answer: the text goes to no session, because it replies to none.
        not_a_reply: "이 글은 어느 세션에도 전달되지 않았습니다. 세션의 카드에 답장해 주세요.",
            "This text went to no session. Reply to the card of a session.";
        /// An answer: a request waits, which no text answers.
        answers_nothing: "열린 권한 요청이 있습니다. 글은 요청에 대한 답이 되지 않으니 요청 카드에서 골라 주세요. 세션에 쓰려면 세션의 카드에 답장해 주세요.",
            "A request is open. A text never answers it: choose on its card. To write to a session, reply to the session's card.";
        /// An answer: which session is meant is unclear.
        which: "세션이 여러 개입니다. 뜻하는 세션의 카드에 답장해 주세요.",
            "Several sessions run. Reply to the card of the one you mean.";
        /// An answer: no session runs.
        none_runs: "실행 중인 세션이 없습니다. 시작하려면: /new 폴더 [첫 메시지]",
            "No session runs. To start one: /new FOLDER [first message]";
        /// An answer: the session has ended; the session, the beginning of its id.
        has_ended: "{}: 이미 끝난 세션입니다. 이어 하려면: /resume {}",
            "{}: this session has ended. To go on with it: /resume {}";
        /// An answer: no session has such an id; what was written.
        no_such_session: "그런 세션이 없습니다: {}", "There is no such session: {}";
        /// An answer: no command has this name; the name.
        unknown: "그런 명령이 없습니다: /{}", "There is no such command: /{}";
        /// An answer: which folder is meant is unclear or not allowed; what was written.
        no_such_folder: "여기서 세션을 시작할 수 없는 폴더입니다: {}", "No session can be started here in this folder: {}";
        /// An answer: `/new` names no folder.
        which_folder: "어느 폴더인지 적어 주세요: /new 폴더 [첫 메시지]", "Name a folder: /new FOLDER [first message]";
        /// An answer: there is no such mode; what was written.
        no_such_mode: "그런 모드는 없습니다: {}. default, accept-edits, plan 중에서 고르세요. 아무에게도 묻지 않는 모드는 DMPLZ_RUN_MODES에 있어야 정할 수 있습니다.",
            "There is no such mode: {}. Choose default, accept-edits or plan. A mode in which nobody is asked can be set only if DMPLZ_RUN_MODES names it.";
        /// An answer: the mode; the session, the mode.
        mode_is: "{}: 모드 {}", "{}: mode {}";
        /// An answer: the model; the session, the model.
        model_is: "{}: 모델 {}", "{}: model {}";
        /// An answer: the session was interrupted; the session.
        interrupted: "{}: 멈췄습니다", "{}: interrupted";
        /// An answer: the session is being ended; the session.
        stopping: "{}: 끝내는 중입니다", "{}: ending";
        /// An answer: the session goes on; the session.
        resumed: "{}: 이어 합니다", "{}: goes on";
        /// An answer: another session goes on from the conversation; the session, the other one.
        forked: "{}: 대화를 이어받는 새 세션: {}", "{}: another session goes on from its conversation: {}";
        /// An answer: the session has a name; the session, the name.
        renamed: "{}: 이제 이름은 “{}”입니다", "{}: its name is “{}” now";
        /// An answer: the session has no name any more; the session.
        unnamed: "{}: 이름을 지웠습니다", "{}: it has no name any more";
        /// The title of a card: whether edits are to be undone; the session.
        undo_title: "↩️ {}: 이 메시지 뒤의 편집을 되돌릴까요?", "↩️ {}: undo the edits since this message?";
        /// A line of that card: how many files are not listed.
        more_files: "… 외 {}개", "… {} more";
        /// The label of a button that undoes what the card shows.
        undo: "↩️ 이대로 되돌리기", "↩️ Undo exactly this";
        /// The label of a button that leaves the files alone.
        keep: "✖️ 그대로 두기", "✖️ Leave them";
        /// The title of the card once the edits are undone; the session.
        undone: "↩️ {}: 되돌렸습니다", "↩️ {}: undone";
        /// The title of the card once a person left the files alone; the session.
        kept: "✖️ {}: 그대로 두었습니다", "✖️ {}: left as they are";
        /// The title of the card if other files would change by now; the session.
        undo_changed: "⚠️ {}: 그사이 파일이 바뀌어 아무것도 되돌리지 않았습니다. 다시 보려면: /undo",
            "⚠️ {}: the files have changed in between, so nothing was undone. To look again: /undo";
        /// An answer: there is nothing to undo; the session.
        nothing_to_undo: "{}: 되돌릴 편집이 없습니다", "{}: there are no edits to undo";
        /// An answer: the client has no permission rules; the session.
        no_rules: "{}: Claude Code의 권한 규칙이 없습니다", "{}: its Claude Code has no permission rules";
        /// The title of the list of permission rules; the session.
        rules: "📏 {}: Claude Code의 권한 규칙", "📏 {}: permission rules of its Claude Code";
        /// An answer: nobody is asked in that mode, so it has to be confirmed elsewhere; the session, the mode.
        mode_asked: "⚠️ {}: {} 모드에서는 아무에게도 묻지 않으므로, 다른 곳(웹 페이지, 터미널, 다른 메신저)에서 승인해야 합니다",
            "⚠️ {}: in the mode {} nobody is asked any more, so it has to be confirmed on another surface: the page, a terminal or another messenger";
        /// The heading of what people allowed on cards of a session.
        given: "카드에서 앞으로도 허용한 것 (취소: /revoke 번호)",
            "Allowed on cards from then on (to revoke one: /revoke NUMBER)";
        /// One of them: its number, what it allows, for what it was stored, who allowed it.
        one_given: "{}. {} ({}, {})", "{}. {} ({}, {})";
        /// An answer: it was revoked; the session, its number.
        revoked: "{}: {}번을 취소했습니다. 다음부터 다시 묻습니다", "{}: number {} is revoked and asked about again";
        /// An answer: nobody allowed anything under this number; the session, what was written.
        no_given: "{}: {}번으로 허용한 것이 없습니다. 보기: /rules",
            "{}: nothing was allowed under the number {}. To see what was: /rules";
        /// An answer: it was not done; why, in English.
        refused: "하지 못했습니다: {}", "This was not done: {}";
        /// An answer: the message arrived without its text.
        unreadable: "메시지의 글이 전달되지 않았습니다. 봇의 Message Content Intent를 켜거나 글로 써 주세요.",
            "The message arrived without its text. Turn on the bot's Message Content Intent, or write plain text.";
        /// An answer: a file could not be fetched, so nothing was sent; the file. Why follows.
        file_lost: "보내지 않았습니다. 파일을 가져올 수 없습니다: {}", "Nothing was sent: the file {} could not be fetched";
        /// An answer: a file is too large, so nothing was sent; the file, the limit in MiB.
        file_large: "보내지 않았습니다. 파일이 너무 큽니다: {} (최대 {}MiB)",
            "Nothing was sent: the file {} is too large (at most {} MiB)";
        /// An answer: `/send` without a message.
        nothing_to_send: "보낼 메시지가 없습니다. 예: /send 테스트부터 고쳐 줘",
            "There is no message to send. For example: /send fix the tests first";
        /// Names the client's own choice of a model.
        default_model: "기본값", "the default";
        /// An option of a form: yes.
        form_yes: "예", "Yes";
        /// An option of a form: no.
        form_no: "아니요", "No";
        /// An option of a form: the field is left out.
        form_skip: "비워 두기", "Leave it out";
        /// The one option of a form without fields.
        form_accept: "수락", "Accept";
    }
    others {
        /// What follows each command, and what it does, in the order of `Verb::ALL` of `core::lead`.
        help: &'static [(&'static str, &'static str); 14] =
            &[
                ("폴더 [첫 메시지]", "세션 시작"),
                ("메시지", "세션에 메시지 보내기"),
                ("", "세션 목록"),
                ("[세션] [사유]", "하던 일을 멈추고 기다리던 요청 거부하기"),
                ("[세션]", "세션 끝내기"),
                ("[default|accept-edits|plan] [세션]", "권한 모드 보기, 바꾸기"),
                ("[모델|default] [세션]", "모델 보기, 바꾸기"),
                ("세션", "끝난 세션 이어 하기"),
                ("[세션]", "대화를 이어받는 새 세션"),
                ("[이름]", "이름 붙이기, 비우면 지우기"),
                ("[세션]", "마지막 메시지 뒤의 파일 편집 되돌리기"),
                ("[세션]", "Claude Code의 권한 규칙과, 카드에서 앞으로도 허용한 것"),
                ("번호 [세션]", "카드에서 허용한 것을 취소하고 다시 묻게 하기"),
                ("", "이 목록"),
            ],
            &[
                ("FOLDER [first message]", "start a session"),
                ("MESSAGE", "send a session a message"),
                ("", "list the sessions"),
                ("[SESSION] [REASON]", "stop what it does, and deny what it asks"),
                ("[SESSION]", "end it"),
                ("[default|accept-edits|plan] [SESSION]", "show or change the permission mode"),
                ("[MODEL|default] [SESSION]", "show or change the model"),
                ("SESSION", "go on with a session that has ended"),
                ("[SESSION]", "another session that goes on from its conversation"),
                ("[NAME]", "give it a name; without one, remove it"),
                ("[SESSION]", "undo the edits of files since the last message"),
                ("[SESSION]", "the permission rules of its Claude Code, and what was allowed on cards"),
                ("NUMBER [SESSION]", "revoke what was allowed on a card: it is asked about again"),
                ("", "this list"),
            ];
    }
}
