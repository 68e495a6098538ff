//! The words of sessions that are led from a chat.

use crate::lead::Verb;

/// The words of sessions in one language. `{}` stands for the values that the field's comment lists, in order.
#[derive(Debug)]
pub struct LeadWords {
    /// The title of the chat's card.
    pub home: &'static str,
    /// How to write to sessions by replies.
    pub how_by_replies: &'static str,
    /// How to write to sessions by buttons and forms.
    pub how_by_forms: &'static str,
    /// That sessions get threads where the chat has them.
    pub how_threads: &'static str,
    /// Where sessions may be started; the folders.
    pub folders: &'static str,
    /// Sessions may be started nowhere.
    pub no_folders: &'static str,
    /// What follows each command, and what it does.
    pub help: &'static [(&'static str, &'static str); Verb::ALL.len()],
    /// The state of a session whose client starts.
    pub starting: &'static str,
    /// The state of a session that waits for a message.
    pub idle: &'static str,
    /// The state of a session that works.
    pub working: &'static str,
    /// The state of a session that waits for an answer to a request.
    pub asking: &'static str,
    /// The state of a session that has ended.
    pub ended: &'static str,
    /// A line of a card: a message that the agent has not taken yet; the message.
    pub waiting: &'static str,
    /// A line of a card: how many todos are not shown, how many of all are done.
    pub more_todos: &'static str,
    /// A line of a card: how to write to the session.
    pub reply_hint: &'static str,
    /// A line of a card in a thread: how to write to the session.
    pub thread_hint: &'static str,
    /// A line of a card whose session has ended; the beginning of its id.
    pub resume_hint: &'static str,
    /// The label of a button that stops what the session does.
    pub interrupt: &'static str,
    /// The label of a button that ends the session.
    pub stop: &'static str,
    /// The label of a button that writes to the session.
    pub write: &'static str,
    /// The title of its form.
    pub write_title: &'static str,
    /// The label of its form's field.
    pub write_label: &'static str,
    /// The label of a button: the mode that asks about edits.
    pub mode_default: &'static str,
    /// The label of a button: the mode that does not ask about edits.
    pub mode_edits: &'static str,
    /// The label of a button: the mode that plans first.
    pub mode_plan: &'static str,
    /// The label of a button that starts a session.
    pub new: &'static str,
    /// The title of its form.
    pub new_title: &'static str,
    /// The label of its form's field.
    pub new_label: &'static str,
    /// The placeholder of its form's field.
    pub new_placeholder: &'static str,
    /// The label of a button that lists the sessions.
    pub list: &'static str,
    /// The title of a message: a turn is finished; the session.
    pub turn: &'static str,
    /// The title of a message: a turn did not go to its end; the session.
    pub turn_failed: &'static str,
    /// The title of a message: the session has ended; the session.
    pub is_over: &'static str,
    /// The title of a message: the session ended badly; the session.
    pub is_over_badly: &'static str,
    /// The title of a message: the thread is gone, the session is shown here; the session.
    pub thread_gone: &'static str,
    /// An answer: the person may not lead sessions.
    pub not_allowed: &'static str,
    /// An answer: the text goes to no session, because it replies to none.
    pub not_a_reply: &'static str,
    /// An answer: a request waits, which no text answers.
    pub answers_nothing: &'static str,
    /// An answer: which session is meant is unclear.
    pub which: &'static str,
    /// An answer: no session runs.
    pub none_runs: &'static str,
    /// An answer: the session has ended; the session, the beginning of its id.
    pub has_ended: &'static str,
    /// An answer: no session has such an id; what was written.
    pub no_such_session: &'static str,
    /// An answer: no command has this name; the name.
    pub unknown: &'static str,
    /// An answer: which folder is meant is unclear or not allowed; what was written.
    pub no_such_folder: &'static str,
    /// An answer: `/new` names no folder.
    pub which_folder: &'static str,
    /// An answer: there is no such mode; what was written.
    pub no_such_mode: &'static str,
    /// An answer: the mode; the session, the mode.
    pub mode_is: &'static str,
    /// An answer: the model; the session, the model.
    pub model_is: &'static str,
    /// An answer: the session was interrupted; the session.
    pub interrupted: &'static str,
    /// An answer: the session is being ended; the session.
    pub stopping: &'static str,
    /// An answer: the session goes on; the session.
    pub resumed: &'static str,
    /// An answer: another session goes on from the conversation; the session, the other one.
    pub forked: &'static str,
    /// An answer: the session has a name; the session, the name.
    pub renamed: &'static str,
    /// An answer: the session has no name any more; the session.
    pub unnamed: &'static str,
    /// The title of a card: whether edits are to be undone; the session.
    pub undo_title: &'static str,
    /// A line of that card: how many files are not listed.
    pub more_files: &'static str,
    /// The label of a button that undoes what the card shows.
    pub undo: &'static str,
    /// The label of a button that leaves the files alone.
    pub keep: &'static str,
    /// The title of the card once the edits are undone; the session.
    pub undone: &'static str,
    /// The title of the card once a person left the files alone; the session.
    pub kept: &'static str,
    /// The title of the card if other files would change by now; the session.
    pub undo_changed: &'static str,
    /// An answer: there is nothing to undo; the session.
    pub nothing_to_undo: &'static str,
    /// An answer: the client has no permission rules; the session.
    pub no_rules: &'static str,
    /// The title of the list of permission rules; the session.
    pub rules: &'static str,
    /// An answer: nobody is asked in that mode, so it has to be confirmed elsewhere; the session, the mode.
    pub mode_asked: &'static str,
    /// The heading of what people allowed on cards of a session.
    pub given: &'static str,
    /// One of them: its number, what it allows, for what it was stored, who allowed it.
    pub one_given: &'static str,
    /// An answer: it was revoked; the session, its number.
    pub revoked: &'static str,
    /// An answer: nobody allowed anything under this number; the session, what was written.
    pub no_given: &'static str,
    /// An answer: it was not done; why, in English.
    pub refused: &'static str,
    /// An answer: the message arrived without its text.
    pub unreadable: &'static str,
    /// An answer: a file could not be fetched, so nothing was sent; the file. Why follows.
    pub file_lost: &'static str,
    /// An answer: a file is too large, so nothing was sent; the file, the limit in MiB.
    pub file_large: &'static str,
    /// An answer: `/send` without a message.
    pub nothing_to_send: &'static str,
    /// Names the client's own choice of a model.
    pub default_model: &'static str,
    /// An option of a form: yes.
    pub form_yes: &'static str,
    /// An option of a form: no.
    pub form_no: &'static str,
    /// An option of a form: the field is left out.
    pub form_skip: &'static str,
    /// The one option of a form without fields.
    pub form_accept: &'static str,
}

pub(super) const KO: LeadWords = LeadWords {
    home: "🖥 이 채팅에서 Claude Code 세션을 다룹니다",
    how_by_replies: "세션마다 카드가 하나 있습니다. 그 카드에 답장하면 세션에 전달됩니다. 권한 요청은 글로 허용되지 않습니다. 요청 카드의 버튼이나 리액션으로만 답할 수 있습니다.",
    how_by_forms: "세션마다 카드가 하나 있습니다. 그 카드의 버튼으로 세션에 글을 보냅니다. 권한 요청은 글로 허용되지 않습니다. 요청 카드의 버튼으로만 답할 수 있습니다.",
    how_threads: "이 채팅에 주제(토픽)나 스레드가 있으면 세션마다 하나씩 열립니다. 거기에 쓴 글은 세션에 전달됩니다.",
    folders: "세션을 시작할 수 있는 폴더: {}",
    no_folders: "아직 허용된 폴더가 없습니다. DMPLZ_RUN_FOLDERS를 정하면 여기서 세션을 시작할 수 있습니다.",
    help: &[
        ("폴더 [첫 메시지]", "세션 시작"),
        ("메시지", "세션에 메시지 보내기"),
        ("", "세션 목록"),
        ("[세션] [이유]", "하던 일 멈추고, 허락을 기다리던 것 거부하기"),
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
    starting: "시작하는 중",
    idle: "메시지를 기다림",
    working: "작업 중",
    asking: "허락을 기다림",
    ended: "끝남",
    waiting: "✉️ 대기 중: {}",
    more_todos: "… 외 {}개 (완료 {}개)",
    reply_hint: "세션에 쓰려면 이 메시지에 답장하세요.",
    thread_hint: "여기에 쓴 글은 세션에 전달됩니다.",
    resume_hint: "이어 하려면: /resume {}",
    interrupt: "✋ 멈추기",
    stop: "⏹ 끝내기",
    write: "💬 쓰기",
    write_title: "세션에 보내기",
    write_label: "메시지",
    mode_default: "🛡 편집마다 묻기",
    mode_edits: "✏️ 편집은 묻지 않기",
    mode_plan: "📝 계획부터",
    new: "➕ 새 세션",
    new_title: "새 세션",
    new_label: "폴더, 그리고 첫 메시지",
    new_placeholder: "site 실패하는 테스트를 고쳐 줘",
    list: "📃 세션 목록",
    turn: "✅ {}: 마쳤습니다",
    turn_failed: "⚠️ {}: 마치지 못했습니다",
    is_over: "⏹ {}: 세션이 끝났습니다",
    is_over_badly: "⚠️ {}: 세션이 비정상적으로 끝났습니다",
    thread_gone: "🧵 {}: 스레드가 삭제되어 이제 여기에 표시합니다",
    not_allowed: "세션에 지시할 권한이 없습니다.",
    not_a_reply: "이 글은 어느 세션에도 전달되지 않았습니다. 세션의 카드에 답장해 주세요.",
    answers_nothing: "열린 권한 요청이 있습니다. 글은 요청에 대한 답이 되지 않으니 요청 카드에서 골라 주세요. 세션에 쓰려면 세션의 카드에 답장해 주세요.",
    which: "세션이 여러 개입니다. 뜻하는 세션의 카드에 답장해 주세요.",
    none_runs: "실행 중인 세션이 없습니다. 시작하려면: /new 폴더 [첫 메시지]",
    has_ended: "{}: 이미 끝난 세션입니다. 이어 하려면: /resume {}",
    no_such_session: "그런 세션이 없습니다: {}",
    unknown: "그런 명령이 없습니다: /{}",
    no_such_folder: "여기서 세션을 시작할 수 없는 폴더입니다: {}",
    which_folder: "어느 폴더인지 적어 주세요: /new 폴더 [첫 메시지]",
    no_such_mode: "그런 모드는 없습니다: {}. default, accept-edits, plan 중에서 고르세요. 아무에게도 묻지 않는 모드는 DMPLZ_RUN_MODES에 있어야 정할 수 있습니다.",
    mode_is: "{}: 모드 {}",
    model_is: "{}: 모델 {}",
    interrupted: "{}: 멈췄습니다",
    stopping: "{}: 끝내는 중입니다",
    resumed: "{}: 이어 합니다",
    forked: "{}: 대화를 이어받는 새 세션: {}",
    renamed: "{}: 이제 이름은 “{}”입니다",
    unnamed: "{}: 이름을 지웠습니다",
    undo_title: "↩️ {}: 이 메시지 뒤의 편집을 되돌릴까요?",
    more_files: "… 외 {}개",
    undo: "↩️ 이대로 되돌리기",
    keep: "✖️ 그대로 두기",
    undone: "↩️ {}: 되돌렸습니다",
    kept: "✖️ {}: 그대로 두었습니다",
    undo_changed: "⚠️ {}: 그사이 파일이 바뀌어 아무것도 되돌리지 않았습니다. 다시 보려면: /undo",
    nothing_to_undo: "{}: 되돌릴 편집이 없습니다",
    no_rules: "{}: Claude Code의 권한 규칙이 없습니다",
    rules: "📏 {}: Claude Code의 권한 규칙",
    mode_asked: "⚠️ {}: {} 모드에서는 아무에게도 묻지 않으므로, 다른 곳(웹 페이지, 터미널, 다른 메신저)에서 승인해야 합니다",
    given: "카드에서 앞으로도 허용한 것 (취소: /revoke 번호)",
    one_given: "{}. {} ({}, {})",
    revoked: "{}: {}번을 취소했습니다. 다음부터 다시 묻습니다",
    no_given: "{}: {}번으로 허용한 것이 없습니다. 보기: /rules",
    refused: "하지 못했습니다: {}",
    unreadable: "메시지의 글이 전달되지 않았습니다. 봇의 Message Content Intent를 켜거나 글로 써 주세요.",
    file_lost: "보내지 않았습니다. 파일을 가져올 수 없습니다: {}",
    file_large: "보내지 않았습니다. 파일이 너무 큽니다: {} (최대 {}MiB)",
    nothing_to_send: "보낼 메시지가 없습니다. 예: /send 테스트부터 고쳐 줘",
    default_model: "기본값",
    form_yes: "예",
    form_no: "아니요",
    form_skip: "비워 두기",
    form_accept: "수락",
};

pub(super) const EN: LeadWords = LeadWords {
    home: "🖥 Sessions of Claude Code are led from this chat",
    how_by_replies: "Each session has a card. A reply to the card is a message to the session. No text allows a request: only the buttons or reactions of its card do.",
    how_by_forms: "Each session has a card. Its buttons write to the session. No text allows a request: only the buttons of its card do.",
    how_threads: "Where the chat has topics or threads, each session has its own: what you write there goes to the session.",
    folders: "Sessions may be started in: {}",
    no_folders: "No folder is allowed yet: sessions can be started from here once DMPLZ_RUN_FOLDERS names some.",
    help: &[
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
    ],
    starting: "starting",
    idle: "waits for a message",
    working: "working",
    asking: "waits for permission",
    ended: "ended",
    waiting: "✉️ Waiting: {}",
    more_todos: "… {} more ({} done)",
    reply_hint: "Reply to this message to write to the session.",
    thread_hint: "What you write here goes to the session.",
    resume_hint: "To go on with it: /resume {}",
    interrupt: "✋ Interrupt",
    stop: "⏹ End",
    write: "💬 Write",
    write_title: "Write to the session",
    write_label: "Message",
    mode_default: "🛡 Ask about edits",
    mode_edits: "✏️ Accept edits",
    mode_plan: "📝 Plan first",
    new: "➕ New session",
    new_title: "New session",
    new_label: "Folder, then the first message",
    new_placeholder: "site fix the failing test",
    list: "📃 Sessions",
    turn: "✅ {}: done",
    turn_failed: "⚠️ {}: the turn did not go to its end",
    is_over: "⏹ {}: the session has ended",
    is_over_badly: "⚠️ {}: the session ended badly",
    thread_gone: "🧵 {}: its thread was deleted, so it is shown here from now on",
    not_allowed: "You may not lead sessions.",
    not_a_reply: "This text went to no session. Reply to the card of a session.",
    answers_nothing: "A request is open. A text never answers it: choose on its card. To write to a session, reply to the session's card.",
    which: "Several sessions run. Reply to the card of the one you mean.",
    none_runs: "No session runs. To start one: /new FOLDER [first message]",
    has_ended: "{}: this session has ended. To go on with it: /resume {}",
    no_such_session: "There is no such session: {}",
    unknown: "There is no such command: /{}",
    no_such_folder: "No session can be started here in this folder: {}",
    which_folder: "Name a folder: /new FOLDER [first message]",
    no_such_mode: "There is no such mode: {}. Choose default, accept-edits or plan. A mode in which nobody is asked can be set only if DMPLZ_RUN_MODES names it.",
    mode_is: "{}: mode {}",
    model_is: "{}: model {}",
    interrupted: "{}: interrupted",
    stopping: "{}: ending",
    resumed: "{}: goes on",
    forked: "{}: another session goes on from its conversation: {}",
    renamed: "{}: its name is “{}” now",
    unnamed: "{}: it has no name any more",
    undo_title: "↩️ {}: undo the edits since this message?",
    more_files: "… {} more",
    undo: "↩️ Undo exactly this",
    keep: "✖️ Leave them",
    undone: "↩️ {}: undone",
    kept: "✖️ {}: left as they are",
    undo_changed: "⚠️ {}: the files have changed in between, so nothing was undone. To look again: /undo",
    nothing_to_undo: "{}: there are no edits to undo",
    no_rules: "{}: its Claude Code has no permission rules",
    rules: "📏 {}: permission rules of its Claude Code",
    mode_asked: "⚠️ {}: in the mode {} nobody is asked any more, so it has to be confirmed on another surface: the page, a terminal or another messenger",
    given: "Allowed on cards from then on (to revoke one: /revoke NUMBER)",
    one_given: "{}. {} ({}, {})",
    revoked: "{}: number {} is revoked and asked about again",
    no_given: "{}: nothing was allowed under the number {}. To see what was: /rules",
    refused: "This was not done: {}",
    unreadable: "The message arrived without its text. Turn on the bot's Message Content Intent, or write plain text.",
    file_lost: "Nothing was sent: the file {} could not be fetched",
    file_large: "Nothing was sent: the file {} is too large (at most {} MiB)",
    nothing_to_send: "There is no message to send. For example: /send fix the tests first",
    default_model: "the default",
    form_yes: "Yes",
    form_no: "No",
    form_skip: "Leave it out",
    form_accept: "Accept",
};

impl LeadWords {
    /// Returns the list of commands, a line each.
    pub fn commands(&self) -> String {
        let line = |((_, name), (arguments, does)): ((Verb, &str), &(&str, &str))| {
            let blank = if arguments.is_empty() { "" } else { " " };
            format!("/{name}{blank}{arguments}: {does}")
        };
        Verb::ALL.into_iter().zip(self.help).map(line).collect::<Vec<_>>().join("\n")
    }
}
