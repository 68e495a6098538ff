//! Seed 0, 7.2 to 7.4: what people read, to the letter.

use dmplz_e2e::{Chat, Choice, JIN, stdin};

use crate::home;

tests! {
    on_each:
        the_words_are_korean_by_default,
        the_words_are_english_where_that_is_set;
}

/// Returns whether people write codes.
fn has_codes(chat: &Chat) -> bool {
    chat.settings().contains(&("DMPLZ_MATRIX_TRANSPORT", "typed".to_owned()))
}

/// Returns whether a prompt for a reason has no button.
fn has_reactions(chat: &Chat) -> bool {
    ["discord", "matrix", "mattermost"].contains(&chat.provider()) && !has_codes(chat)
}

/// Returns the second line of the prompt, which differs between messengers.
fn how_to_skip<'a>(chat: &Chat, by_button: &'a str, by_code: &'a str, by_keyword: &'a str) -> &'a str {
    match (has_codes(chat), has_reactions(chat)) {
        (true, _) => by_code,
        (false, true) => by_keyword,
        (false, false) => by_button,
    }
}

fn the_words_are_korean_by_default(chat: Chat) {
    let mut home = home(&chat);
    home.set("DMPLZ_REJECT_REASON_TIMEOUT_MS", "45000");
    let hook = home.hook(&stdin::push());
    let card = chat.await_card();
    let id = card.request_id();
    let stores = "\n저장할 곳: 💾 이 프로젝트(나만), .claude/settings.local.json · 🌐 모든 프로젝트, ~/.claude/settings.json · \
                  👥 이 프로젝트(공유), .claude/settings.json";
    let (stores, legend) = match chat.provider() {
        "discord" | "mattermost" => (
            stores,
            "\n리액션으로 답해주세요: ✅ 승인 · 🔄 세션 허용 · ❌ 거부 · 💾 예, 항상 허용: 이 프로젝트(나만) · \
             🌐 예, 항상 허용: 모든 프로젝트 · 👥 예, 항상 허용: 이 프로젝트(공유) · ⏳ 같은 요청 30분 허용 · \
             💬 대신 할 일 알려주기",
        ),
        "matrix" if has_reactions(&chat) => {
            (stores, "\n리액션으로 답해주세요: ✅ 승인 · 🔄 세션 허용 · ❌ 거부 · ➕ 선택지 더 보기")
        }
        _ => (" → 이 프로젝트(나만), .claude/settings.local.json", ""),
    };
    let expected = format!(
        "🔐 Claude Code 권한 요청: Bash\ngit push origin main\ndescription: push\n⚠️ 네트워크 사용 가능\n\
         폴더: /home/user/project\n\
         🔄 세션 허용 범위: Bash(git push *)\n💾 항상 허용하면 저장: Bash(git push *){stores}\nrequest_id: {id}{legend}"
    );
    assert_eq!(card.text, expected);
    let choices: &[&str] = match chat.provider() {
        "discord" | "mattermost" => &["✅", "🔄", "❌"],
        "matrix" if has_reactions(&chat) => &["✅", "❌", "🔄", "➕"],
        // A page of them.
        _ if card.choices.len() == 3 => &["✅ 승인", "❌ 거부", "➕ 선택지 더 보기"],
        _ => &[
            "✅ 승인",
            "🔄 세션 허용",
            "❌ 거부",
            "예, <Bash> 허용: 이 프로젝트(나만)",
            "🔄 범위: 이 프로젝트(나만)",
            "⏳ 같은 요청 30분 허용",
            "🕒 같은 요청 세션 동안 허용",
            "💬 대신 할 일 알려주기",
        ],
    };
    // Reactions are added one after the other.
    assert!(card.choices.starts_with(&choices.iter().map(|choice| choice.to_string()).collect::<Vec<_>>()), "{card:?}");
    chat.press(&card, Choice::Deny, JIN);
    let prompt = chat.await_prompt();
    let skip = how_to_skip(
        &chat,
        "사유 없이 거부하려면 ‘사유 없이 거부’ 버튼을 누르세요.",
        "사유 없이 거부하려면 ‘사유 없이 거부’의 코드를 보내주세요.",
        "사유 없이 거부하려면 no_reason 를 입력하세요.",
    );
    assert_eq!(prompt.text, format!("거부 사유를 입력해주세요 (선택).\n{skip}\n시간 제한: 45000ms"));
    let choices: &[&str] = if has_reactions(&chat) { &[] } else { &["사유 없이 거부"] };
    assert_eq!(prompt.choices, choices);
    chat.skip(JIN);
    hook.ended().denies("User rejected the request. (No reason provided)");
    chat.await_retired(&prompt, "사유 없음");
    chat.assert_clean();
}

fn the_words_are_english_where_that_is_set(chat: Chat) {
    let mut home = home(&chat);
    home.set("DMPLZ_LANG", "en").set("DMPLZ_REJECT_REASON_NO_REASON_KEYWORDS", "none,no_reason");
    let hook = home.hook(&stdin::push());
    let card = chat.await_card();
    assert!(card.text.starts_with("🔐 Claude Code asks for permission: Bash\ngit push origin main\n"));
    chat.press(&card, Choice::Deny, JIN);
    let prompt = chat.await_prompt();
    let skip = how_to_skip(
        &chat,
        "To deny without a reason, press ‘Deny without a reason’.",
        "To deny without a reason, send the code of ‘Deny without a reason’.",
        "To deny without a reason, type none.",
    );
    assert_eq!(prompt.text, format!("Please write why you deny it (optional).\n{skip}\nTime limit: 1 minute"));
    chat.skip(JIN);
    hook.ended().denies("User rejected the request. (No reason provided)");
    chat.await_retired(&card, &format!("❌ Denied: Bash\nNo reason given\n{}", chat.signed(JIN)));
    chat.assert_clean();
}
