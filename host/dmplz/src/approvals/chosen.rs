//! Parses a person's answers to a request's questions: `QUESTION=OPTION,OPTION` and `QUESTION=TEXT`.
//!
//! | part | meaning |
//! |---|---|
//! | QUESTION | its number from 1, its text or its header; omitted if there is only one question |
//! | OPTION | a label, in any case, or its number from 1; a label that looks like a number is the label |
//!
//! A label may contain `=` and `,`: a text that equals a whole label is not split.

use std::collections::BTreeMap;

use dmplz_core::claude::{Answered, Question};

use crate::told::Told;

/// Returns the answers, in the order of the questions.
pub(super) fn answers(questions: &[Question], choose: &[String], say: &[String]) -> anyhow::Result<Vec<Answered>> {
    if questions.is_empty() {
        return Told::err(
            "질문이 없는 요청이라 질문에 답할 수 없습니다",
            "it asks no questions, so it takes no answers",
            &[],
        );
    }
    let mut answers = BTreeMap::new();
    for text in choose {
        let (at, question, rest) = question(questions, text)?;
        let labels = labels(question, rest)?;
        answer(&mut answers, at, question).labels.extend(labels);
    }
    for text in say {
        let (at, question, words) = question(questions, text)?;
        answer(&mut answers, at, question).text = Some(words.to_owned());
    }
    Ok(answers.into_values().map(|answer| in_order(questions, answer)).collect())
}

/// Returns the labels that a person names, in the question's spelling.
pub(super) fn labels(question: &Question, text: &str) -> Result<Vec<String>, Told> {
    if let Some(label) = label(question, text) {
        return Ok(vec![label]);
    }
    let one = |name: &str| {
        label(question, name).ok_or_else(|| {
            let options: Vec<&str> = question.options.iter().map(|option| option.label.as_str()).collect();
            Told::new(
                "없는 선택지입니다: {}. 고를 수 있는 것: {}",
                "there is no option {}: there are {}",
                &[&format!("{:?}", name.trim()), &options.join(", ")],
            )
        })
    };
    text.split(',').map(one).collect()
}

/// Returns the answer with its labels in the order of the question's options.
pub(super) fn in_order(questions: &[Question], mut answer: Answered) -> Answered {
    let asked = questions.iter().find(|asked| asked.question == answer.question);
    let place = |label: &String| asked.and_then(|asked| asked.options.iter().position(|it| it.label == *label));
    answer.labels.sort_by_key(place);
    answer.labels.dedup();
    answer
}

/// Returns the answer to a question so far.
fn answer<'a>(answers: &'a mut BTreeMap<usize, Answered>, at: usize, question: &Question) -> &'a mut Answered {
    let none = || Answered { question: question.question.clone(), labels: Vec::new(), text: None };
    answers.entry(at).or_insert_with(none)
}

/// Returns the question with which a text begins, its index, and the rest of the text.
fn question<'q, 't>(questions: &'q [Question], text: &'t str) -> Result<(usize, &'q Question, &'t str), Told> {
    let named = text.match_indices('=').find_map(|(equals, _)| {
        let (name, rest) = text.split_at_checked(equals)?;
        let at = place(questions, name.trim())?;
        Some((at, questions.get(at)?, rest.strip_prefix('=')?.trim()))
    });
    match (named, questions) {
        (Some(named), _) => Ok(named),
        (None, [only]) => Ok((0, only, text.trim())),
        (None, _) => Err(Told::new(
            "어느 질문의 답인지 알 수 없습니다: {}. 앞에 질문의 번호를 적어 주세요. 예: 1={}",
            "which question {} answers is not known: write its number before it, as in 1={}",
            &[&format!("{text:?}"), text],
        )),
    }
}

fn place(questions: &[Question], name: &str) -> Option<usize> {
    let same = |text: &str| !text.is_empty() && text.to_lowercase() == name.to_lowercase();
    let by_text = questions.iter().position(|asked| same(&asked.question) || same(&asked.header));
    by_text.or_else(|| name.parse::<usize>().ok()?.checked_sub(1).filter(|at| *at < questions.len()))
}

fn label(question: &Question, name: &str) -> Option<String> {
    let name = name.trim();
    let exact = question.options.iter().find(|option| option.label == name);
    let mut alike = question.options.iter().filter(|option| option.label.to_lowercase() == name.to_lowercase());
    let alike = alike.next().filter(|_| alike.next().is_none());
    let numbered = || question.options.get(name.parse::<usize>().ok()?.checked_sub(1)?);
    exact.or(alike).or_else(numbered).map(|option| option.label.clone())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn questions() -> Vec<Question> {
        let option = |label: &str| json!({ "label": label });
        serde_json::from_value(json!([
            { "question": "Which color?", "header": "Color", "options": [option("Red"), option("Blue")] },
            { "question": "a=b?", "multiSelect": true, "options": [option("2"), option("x, y"), option("L")] },
        ]))
        .unwrap()
    }

    fn said(choose: &[&str], say: &[&str]) -> String {
        let owned = |texts: &[&str]| texts.iter().map(|text| text.to_string()).collect::<Vec<_>>();
        match answers(&questions(), &owned(choose), &owned(say)) {
            Ok(answers) => serde_json::to_string(&answers).unwrap(),
            Err(error) => format!("{error:#}"),
        }
    }

    #[test]
    fn a_question_and_an_option_are_named_by_number_or_by_words() {
        for choose in [["1=2"], ["color=blue"], ["Which color?=Blue"], ["1 = Blue "]] {
            assert_eq!(said(&choose, &[]), r#"[{"question":"Which color?","labels":["Blue"]}]"#, "{choose:?}");
        }
        insta::assert_snapshot!(
            said(&["a=b?=L,2"], &["color=green = dark"]),
            @r#"[{"question":"Which color?","labels":[],"text":"green = dark"},{"question":"a=b?","labels":["2","L"]}]"#
        );
        insta::assert_snapshot!(said(&["2=x, y", "2=3"], &[]), @r#"[{"question":"a=b?","labels":["x, y","L"]}]"#);
    }

    #[test]
    fn what_names_no_question_or_option_says_what_there_is() {
        insta::assert_snapshot!(said(&["Blue"], &[]), @r#"which question "Blue" answers is not known: write its number before it, as in 1=Blue"#);
        insta::assert_snapshot!(said(&["1=Green"], &[]), @r#"there is no option "Green": there are Red, Blue"#);
        insta::assert_snapshot!(said(&["1=3"], &[]), @r#"there is no option "3": there are Red, Blue"#);
        let one = questions().into_iter().take(1).collect::<Vec<_>>();
        assert_eq!(answers(&one, &["red".into()], &[]).unwrap()[0].labels, ["Red"]);
    }

    #[test]
    fn a_wrong_answer_is_told_in_korean_too() {
        use dmplz_core::text::Lang;

        let korean = |choose: &str| {
            let error = answers(&questions(), &[choose.to_owned()], &[]).unwrap_err();
            let (words, lang) = crate::wording::words(&error, Lang::Ko);
            assert_eq!(lang, Lang::Ko, "{words}");
            words
        };
        assert_eq!(korean("1=Green"), "없는 선택지입니다: \"Green\". 고를 수 있는 것: Red, Blue");
        assert_eq!(
            korean("Blue"),
            "어느 질문의 답인지 알 수 없습니다: \"Blue\". 앞에 질문의 번호를 적어 주세요. 예: 1=Blue"
        );
    }
}
