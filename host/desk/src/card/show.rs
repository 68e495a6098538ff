//! Decides which revision comes next: the form of an open request as its newest page, or the prompt for words.

use std::time::Duration;

use dmplz_core::card::{self, Asking};
use dmplz_core::flow::{self, Form, State};
use dmplz_core::messenger::{Block, Card, Choice, MessageRef, ProviderError};

use crate::card::drawing::{LEAST_BUDGET, Work, is_in_doubt};
use crate::card::open::Open;
use crate::ledger::press::follower_tag;
use crate::ledger::view::Page;
use crate::ledger::{Ledger, Progress};
use crate::session::messenger::Messenger;
use crate::session::owner::Owner;

impl<M: Messenger + 'static, L: Ledger + 'static, O: Owner> Open<'_, M, L, O> {
    /// Continues where a dead process stopped.
    pub(crate) fn resume(&mut self, mut progress: Progress) {
        if let (Some(card), []) = (&progress.card, progress.view.pages.as_slice()) {
            let choices = self.choices(&progress.view.shown);
            progress.view.pages.push(Page { message: card.clone(), choices, menu: true });
        }
        self.state = State::deciding(progress.view.form.clone());
        self.drawing.wanted = true;
        self.drawing.words = progress.view.form.writer.as_ref().is_some_and(|writer| writer.prompt.is_none());
        self.progress = progress;
    }

    /// Begins the next revision, unless one is in progress. None begins once a person has decided.
    pub(crate) fn go_on(&mut self) {
        if !self.drawing.is_idle() || !self.state.is_undecided() || self.progress.card.is_none() {
            return;
        }
        if std::mem::take(&mut self.drawing.words) {
            return self.ask_words();
        }
        if std::mem::take(&mut self.drawing.wanted) && self.progress.view.form != self.progress.view.shown {
            return self.draw();
        }
        self.clear();
    }

    /// Handles a finished revision.
    pub(crate) async fn drawn(&mut self, work: Work, result: Result<Option<MessageRef>, ProviderError>) {
        self.drawing.in_doubt |= result.as_ref().is_err_and(is_in_doubt);
        match (result, &work) {
            (Ok(_), Work::Rest) => {}
            (Ok(message), _) => self.is_drawn(work, message).await,
            // A message that was deleted has no menu to remove and nothing to revise.
            (Err(ProviderError::NotFound), Work::Clear(_) | Work::Revise(..)) => self.is_drawn(work, None).await,
            (Err(ProviderError::TooLarge), Work::Revise(..) | Work::Post(..)) if self.drawing.budget > LEAST_BUDGET => {
                self.drawing.budget /= 2;
                self.again(&work);
            }
            // A message that was being posted when the request ended is not posted again.
            (Err(_), Work::Card(_) | Work::Reason) => {}
            (Err(error), _) => match self.retry_after(&work, &error) {
                Some(wait) => {
                    self.session.posting(Some(error.to_string()));
                    self.again(&work);
                    self.drawing.rest(wait);
                }
                None if work == Work::Prompt => self.feed(flow::Event::ReasonFailed).await,
                None => {
                    self.drawing.retry.reset();
                    if let Work::Clear(message) = work {
                        self.drawing.given_up.push(message);
                    }
                }
            },
        }
    }

    fn retry_after(&mut self, work: &Work, error: &ProviderError) -> Option<Duration> {
        let posts = matches!(work, Work::Post(..) | Work::Prompt);
        let retry = &mut self.drawing.retry;
        if posts { retry.after_posting(error) } else { retry.after(error) }
    }

    async fn is_drawn(&mut self, work: Work, message: Option<MessageRef>) {
        self.drawing.retry.reset();
        self.session.posting(None);
        let prompt = message.clone().filter(|_| work == Work::Prompt);
        work.note(&mut self.progress, message);
        self.save(self.progress.stage);
        if let Some(prompt) = prompt {
            self.feed(flow::Event::PromptPosted(prompt)).await;
            for said in std::mem::take(&mut self.early) {
                self.said(said).await;
            }
        }
    }

    fn again(&mut self, work: &Work) {
        match work {
            Work::Prompt => self.drawing.words = true,
            Work::Revise(..) | Work::Post(..) => self.drawing.wanted = true,
            // An unfinished menu is found again by its page.
            Work::Clear(_) | Work::Card(_) | Work::Reason | Work::Rest => {}
        }
    }

    fn draw(&mut self) {
        let Some(page) = self.progress.view.pages.last().cloned() else { return };
        let (form, shown) = (self.progress.view.form.clone(), &self.progress.view.shown);
        let step = |form: &Form| (form.scope, form.broad, form.question, form.page);
        let buttons = self.session.style.answering.has_labels();
        // Reactions on a menu that became too old are still set, so pressing again needs a new menu.
        let anew = form.touched_ms.is_some_and(|touched| shown.is_stale(touched));
        if !buttons && (anew || step(&form) != step(shown)) {
            let tag = follower_tag(self.ask.tag, self.progress.view.posted);
            let Some(mut card) = self.card(Asking { tag: &tag, ..self.asking() }) else { return };
            // The original card already has the files.
            card.body.retain(|block| !matches!(block, Block::File(_)));
            card.reply_to.clone_from(&self.progress.card);
            return self.drawing.post(self.session, Work::Post(form, card.choices.clone()), card);
        }
        let Some(mut card) = self.card(self.asking()) else { return };
        if !buttons {
            // Existing reactions keep their meaning.
            let is_new = |choice: &Choice| page.choices.iter().all(|it| it.emoji != choice.emoji);
            let added: Vec<Choice> = card.choices.into_iter().filter(is_new).collect();
            card.choices = page.choices.iter().cloned().chain(added).collect();
        }
        self.drawing.revise(self.session, Work::Revise(form, card.choices.clone()), page.message, card);
    }

    /// Removes the menu of an earlier page.
    fn clear(&mut self) {
        let earlier = self.progress.view.pages.split_last().map_or(&[][..], |(_, earlier)| earlier);
        let is_next = |page: &&Page| page.menu && !self.drawing.given_up.contains(&page.message);
        let Some(message) = earlier.iter().find(is_next).map(|page| page.message.clone()) else { return };
        let is_card = self.progress.card.as_ref() == Some(&message);
        let first = Asking { form: &Form::default(), ..self.asking() };
        let card = match self.card(first).filter(|_| is_card) {
            Some(card) => Card { choices: Vec::new(), ..card },
            None => card::notice(self.session.style.lang.words().moved_on, self.ask.tag, None),
        };
        self.drawing.revise(self.session, Work::Clear(message.clone()), message, card);
    }

    fn ask_words(&mut self) {
        let tag = follower_tag(self.ask.tag, self.progress.view.posted);
        let question =
            self.progress.view.form.asked(&self.ask.rules.offer).map(|(question, _)| question.question.as_str());
        let card = self.progress.card.clone();
        let prompt = card::answer_prompt(self.session.style, &tag, question.unwrap_or_default(), card);
        self.drawing.post(self.session, Work::Prompt, prompt);
    }

    fn card(&self, asking: Asking<'_>) -> Option<Card> {
        card::ask(asking, self.session.style, self.drawing.budget).ok()?.pop()
    }
}
