//! Questions: one by one, looked over, and those that nobody can read.

use super::*;

pub(super) fn questions() -> ToolCall {
    let option = |label: &str, description: &str| json!({ "label": label, "description": description });
    let questions = json!([
        { "question": "Which color?", "header": "Color", "multiSelect": false,
          "options": [option("Red", "warm"), option("Blue", "cold")] },
        { "question": "Which sizes?", "header": "Sizes", "multiSelect": true,
          "options": [option("S", ""), option("M\u{202e}", "usual"), option("L", "wide\ncut")] },
    ]);
    call("AskUserQuestion", json!({ "questions": questions }), json!([]))
}

/// The card without what every card says.

#[test]
fn questions_are_asked_one_by_one_and_looked_over() {
    let draft = |options: &[usize], text: Option<&str>| Draft { options: options.to_vec(), text: text.map(Into::into) };
    let form = |question, drafts| Form { question, drafts, ..Form::default() };
    insta::assert_snapshot!(shown(&questions(), &Form::default(), Lang::Ko, Answering::Buttons), @"
    ❓ Claude Code의 질문 1/2
    [Color] Which color?
    1️⃣ Red: warm
    2️⃣ Blue: cold
    폴더: /home/user/project
    0 1️⃣ q1-o1: 1️⃣ Red
    1 2️⃣ q1-o2: 2️⃣ Blue
    3 📝 q1-other: 📝 직접 입력
    4 ❌ deny: ❌ 답하지 않음
    ");
    let first = form(0, vec![draft(&[1], None)]);
    insta::assert_snapshot!(shown(&questions(), &first, Lang::En, Answering::Reactions), @"
    ❓ Claude Code asks 1/2
    [Color] Which color?
    1️⃣ Red: warm
    2️⃣ ✅ Blue: cold
    Folder: /home/user/project
    Answer with a reaction: 1️⃣ Red · 2️⃣ ✅ Blue · 📝 Other · 👉 Next · ❌ No answer
    0 1️⃣ q1-o1: 1️⃣ Red
    1 2️⃣ q1-o2: ✅ Blue
    3 📝 q1-other: 📝 Other
    4 👉 q1-next: 👉 Next
    4 ❌ deny: ❌ No answer
    ");
    let second = form(1, vec![draft(&[1], None), draft(&[0, 2], Some("and *XL*\u{202e}"))]);
    insta::assert_snapshot!(shown(&questions(), &second, Lang::Ko, Answering::Buttons), @"
    ❓ Claude Code의 질문 2/2
    [Sizes] Which sizes?
    1️⃣ ✅ S
    2️⃣ ▫️ M⟨U+202E⟩: usual
    3️⃣ ✅ L: wide
    cut
    📝 ✅ and *XL*⟨U+202E⟩
    여러 개를 고를 수 있습니다. 다 골랐으면 ‘다음’을 누르세요.
    폴더: /home/user/project
    0 1️⃣ q2-x1: ✅ S
    1 2️⃣ q2-o2: ▫️ M⟨U+202E⟩
    2 3️⃣ q2-x3: ✅ L
    3 📝 q2-other: 📝 직접 입력
    3 🧹 q2-x0: 🧹 직접 입력한 답 빼기
    4 👈 q2-back: 👈 이전
    4 👉 q2-next: 👉 다음
    4 ❌ deny: ❌ 답하지 않음
    ");
    insta::assert_snapshot!(shown(&questions(), &second, Lang::En, Answering::Reactions), @"
    ❓ Claude Code asks 2/2
    [Sizes] Which sizes?
    1️⃣ ✅ S
    2️⃣ ▫️ M⟨U+202E⟩: usual
    3️⃣ ✅ L: wide
    cut
    📝 ✅ and *XL*⟨U+202E⟩
    Several may be chosen. Press ‘Next’ when done.
    Folder: /home/user/project
    Answer with a reaction: 1️⃣ ✅ S · 2️⃣ ▫️ M⟨U+202E⟩ · 3️⃣ ✅ L · 📝 Other · 🧹 Remove my own answer · 👈 Back · 👉 Next · ❌ No answer
    0 1️⃣ q2-x1: ✅ S
    1 2️⃣ q2-o2: ▫️ M⟨U+202E⟩
    2 3️⃣ q2-x3: ✅ L
    3 📝 q2-other: 📝 Other
    3 🧹 q2-x0: 🧹 Remove my own answer
    4 👈 q2-back: 👈 Back
    4 👉 q2-next: 👉 Next
    4 ❌ deny: ❌ No answer
    ");
    let all = Form { question: 2, ..second };
    insta::assert_snapshot!(shown(&questions(), &all, Lang::Ko, Answering::Buttons), @"
    📨 답을 확인하고 제출해주세요
    Which color?
    → Blue
    Which sizes?
    → S, L, and *XL*⟨U+202E⟩
    폴더: /home/user/project
    0 📨 submit: 📨 제출
    0 👈 q3-back: 👈 이전
    0 ❌ deny: ❌ 답하지 않음
    ");
    insta::assert_snapshot!(shown(&questions(), &all, Lang::En, Answering::Reactions), @"
    📨 Check the answers, then submit them
    Which color?
    → Blue
    Which sizes?
    → S, L, and *XL*⟨U+202E⟩
    Folder: /home/user/project
    Answer with a reaction: 📨 Submit answers · 👈 Back · ❌ No answer
    0 📨 submit: 📨 Submit answers
    0 👈 q3-back: 👈 Back
    0 ❌ deny: ❌ No answer
    ");
}

#[test]
fn questions_that_cannot_be_read_are_for_the_terminal() {
    let odd = call("AskUserQuestion", json!({ "questions": [{ "question": "" }] }), json!([]));
    insta::assert_snapshot!(shown(&odd, &Form::default(), Lang::Ko, Answering::Buttons), @r#"
    🔐 Claude Code 권한 요청: AskUserQuestion
    ```
    questions: [
      {
        "question": ""
      }
    ]
    ```
    폴더: /home/user/project
    ⚠️ 이 질문은 여기서 답할 수 없습니다. 터미널에서 답해주세요.
    0 ❌ deny: ❌ 답하지 않음
    "#);
    insta::assert_snapshot!(shown(&odd, &Form::default(), Lang::En, Answering::Reactions), @r#"
    🔐 Claude Code asks for permission: AskUserQuestion
    ```
    questions: [
      {
        "question": ""
      }
    ]
    ```
    Folder: /home/user/project
    ⚠️ These questions cannot be answered here. Please answer in the terminal.
    Answer with a reaction: ❌ No answer
    0 ❌ deny: ❌ No answer
    "#);
}
