//! What was chosen on one surface's card so far, before it answers anything.

use serde::{Deserialize, Serialize};

use crate::claude::{Answered, Question, Scope};
use crate::messenger::MessageRef;
use crate::request::Offer;

/// A card's state besides its request's. Plain data: it survives a restart.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Form {
    /// Where "always" would store.
    pub scope: Scope,
    /// Whether "always" would also store what reaches further than the call.
    pub wide: bool,
    /// Which page of its choices is shown, from 0, where the messenger shows fewer at once.
    #[serde(skip_serializing_if = "is_first")]
    pub page: usize,
    /// Which question is asked, from 0; their number where all are answered and may be sent.
    pub question: usize,
    /// What was chosen so far, by question.
    pub drafts: Vec<Draft>,
    /// Who is asked to write the answer to the question themselves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub writer: Option<Writer>,
    /// When somebody last chose or wrote something on it, in Unix milliseconds; none where nobody did, or an older version
    /// did not keep it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub touched_ms: Option<u64>,
    /// The place of "always" that was chosen too long ago to count, until somebody chooses one again.
    #[serde(alias = "lapsed", skip_serializing_if = "Option::is_none")]
    pub expired: Option<Scope>,
}

/// The answer to one question so far.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Draft {
    /// Numbers of the options, from 0, ascending.
    pub options: Vec<usize>,
    /// What somebody wrote as an answer of their own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// Somebody whose words are awaited.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Writer {
    /// Their id: only their words count.
    pub id: String,
    /// The prompt, once it is posted. Words before it do not count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<MessageRef>,
}

impl Form {
    /// The same at another question: what was written for this one is no answer to that.
    pub(super) fn at_question(self, question: usize) -> Self {
        Self { question, page: 0, writer: None, ..self }
    }

    /// The same at the question behind it, or at the look over all answers.
    pub(super) fn at_next_question(self) -> Self {
        let next = self.question + 1;
        self.at_question(next)
    }

    /// The same as far as it belongs to what is offered: a record of ours may be old, damaged or another's.
    #[must_use]
    pub fn fitting(mut self, offer: &Offer) -> Self {
        let asked = offer.questions.len();
        self.wide &= offer.has_wide();
        self.drafts.resize_with(asked, Draft::default);
        for (draft, question) in self.drafts.iter_mut().zip(&offer.questions) {
            draft.fit(question);
        }
        let answered = self.drafts.iter().take_while(|draft| draft.is_answered()).count();
        self.question = self.question.min(answered).min(asked);
        self.writer = self.writer.filter(|_| self.question < asked);
        self
    }

    /// The question that is asked now, and its answer so far; none where there is none, or all are answered.
    pub fn asked<'a>(&'a self, offer: &'a Offer) -> Option<(&'a Question, &'a Draft)> {
        offer.questions.get(self.question).zip(self.drafts.get(self.question))
    }

    /// All answers, where every question has one.
    pub fn answers(&self, offer: &Offer) -> Option<Vec<Answered>> {
        let all = !offer.questions.is_empty() && self.drafts.len() == offer.questions.len();
        let answers = offer.questions.iter().zip(&self.drafts).map(|(question, draft)| draft.answered(question));
        answers.collect::<Option<Vec<_>>>().filter(|_| all)
    }
}

fn is_first(page: &usize) -> bool {
    *page == 0
}

impl Draft {
    /// Whether it answers anything.
    pub fn is_answered(&self) -> bool {
        !self.options.is_empty() || self.text.is_some()
    }

    /// As the answer to its question; none where it is empty.
    pub fn answered(&self, question: &Question) -> Option<Answered> {
        let label = |at: &usize| question.options.get(*at).map(|option| option.label.clone());
        let labels = self.options.iter().map(label).collect::<Option<Vec<_>>>()?;
        self.is_answered().then(|| Answered { question: question.question.clone(), labels, text: self.text.clone() })
    }

    fn fit(&mut self, question: &Question) {
        self.text = self.text.take().filter(|text| !text.trim().is_empty());
        self.options.retain(|at| *at < question.options.len());
        self.options.sort_unstable();
        self.options.dedup();
        if !question.multi_select {
            self.options.truncate(usize::from(self.text.is_none()));
        }
    }
}
