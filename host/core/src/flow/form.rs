//! The choices made on one surface's card before anything is answered.

use serde::{Deserialize, Serialize};

use crate::claude::{Answered, Question, Scope};
use crate::messenger::MessageRef;
use crate::request::Offer;

/// The state of a card besides its request's state. It is plain data and survives a restart.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Form {
    /// The scope in which "always" would store.
    pub scope: Scope,
    /// Whether "always" would also store suggestions that reach further than the call.
    #[serde(alias = "wide")]
    pub broad: bool,
    /// The page of choices that is shown, from 0, if the messenger cannot show all at once.
    #[serde(skip_serializing_if = "is_first")]
    pub page: usize,
    /// The number of the current question, from 0. It equals the number of questions when all are answered.
    pub question: usize,
    /// The draft answers, one per question.
    pub drafts: Vec<Draft>,
    /// The user who is asked to write the answer in their own words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub writer: Option<Writer>,
    /// When a user last chose or wrote something on the card, in Unix milliseconds. `None` if nobody did, or if an
    /// older version wrote the record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub touched_ms: Option<u64>,
    /// The scope of "always" that was chosen too long ago to count, until a user chooses one again.
    #[serde(alias = "lapsed", skip_serializing_if = "Option::is_none")]
    pub expired: Option<Scope>,
}

/// The draft answer to one question.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Draft {
    /// The numbers of the chosen options, from 0, ascending.
    pub options: Vec<usize>,
    /// The user's own words as an answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// The user whose words are awaited.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Writer {
    /// The user's id: only this user's words count.
    pub id: String,
    /// The prompt, once it is posted. Earlier messages do not count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<MessageRef>,
}

impl Form {
    /// Moves to another question. Words awaited for this question do not answer that one.
    pub(super) fn at_question(self, question: usize) -> Self {
        Self { question, page: 0, writer: None, ..self }
    }

    /// Moves to the next question, or to the review of all answers.
    pub(super) fn at_next_question(self) -> Self {
        let next = self.question + 1;
        self.at_question(next)
    }

    /// Removes whatever the offer does not include: a stored form may be old, damaged or another request's.
    #[must_use]
    pub fn fitting(mut self, offer: &Offer) -> Self {
        let asked = offer.questions.len();
        self.broad &= offer.has_broad();
        self.drafts.resize_with(asked, Draft::default);
        for (draft, question) in self.drafts.iter_mut().zip(&offer.questions) {
            draft.fit(question);
        }
        let answered = self.drafts.iter().take_while(|draft| draft.is_answered()).count();
        self.question = self.question.min(answered).min(asked);
        self.writer = self.writer.filter(|_| self.question < asked);
        self
    }

    /// Returns the current question and its draft answer. `None` if there are no questions or all are answered.
    pub fn asked<'a>(&'a self, offer: &'a Offer) -> Option<(&'a Question, &'a Draft)> {
        offer.questions.get(self.question).zip(self.drafts.get(self.question))
    }

    /// Returns all answers, if every question has one.
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
    /// Returns whether the draft answers anything.
    pub fn is_answered(&self) -> bool {
        !self.options.is_empty() || self.text.is_some()
    }

    /// Returns the answer to its question. `None` if the draft is empty.
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
