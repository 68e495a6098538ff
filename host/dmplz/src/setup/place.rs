//! Where the person reads.

use dmplz_bundled::{MESSENGERS, Messenger};
use dmplz_core::text::{fill, title};

use super::failure::Failure;
use super::{Setup, chosen, secret};
use crate::account::Chosen;
use crate::component::choice::Choice;
use crate::settings::Table;
use crate::terminal::Tone;

/// The page of the gateway alone.
const PAGE: &str = "page";
/// Anything longer is no name and no number.
const LONGEST_NAME: usize = 16;
/// The terminal alone.
pub(super) const TERMINAL: &str = "terminal";

/// A place to answer.
pub(super) enum Place {
    Messenger(&'static Messenger),
    /// A component of the operator's, which is set up.
    Component(Box<Chosen>),
    /// [`PAGE`] or [`TERMINAL`].
    WithoutMessenger(&'static str),
}

impl Place {
    fn named(name: &str) -> Result<Self, Failure> {
        match name {
            PAGE => Ok(Self::WithoutMessenger(PAGE)),
            TERMINAL => Ok(Self::WithoutMessenger(TERMINAL)),
            name => match dmplz_bundled::messenger(name) {
                Some(messenger) => Ok(Self::Messenger(messenger)),
                None => Err(Failure::NoSuchMessenger(names().join(", "))),
            },
        }
    }
}

impl Setup {
    /// What an option names, what is set up, what was begun, or what the person chooses.
    pub(super) async fn place(&mut self, table: &Table) -> anyhow::Result<Place> {
        if let Some(name) = &self.args.messenger {
            return Ok(Place::named(name)?);
        }
        match chosen() {
            Ok(chosen) => match chosen.choice {
                Choice::Bundled(messenger) => return Ok(Place::Messenger(messenger)),
                Choice::File { .. } | Choice::Installed { .. } => return Ok(Place::Component(Box::new(chosen))),
            },
            Err(_) => {
                let begun = MESSENGERS.iter().filter(|it| it.has_keys(|variable| table.is_set(variable)));
                if let [only] = begun.collect::<Vec<_>>().as_slice() {
                    return Ok(Place::Messenger(only));
                }
            }
        }
        match MESSENGERS.first() {
            Some(first) if self.args.yes => Ok(Place::Messenger(first)),
            _ => self.asked().await,
        }
    }

    async fn asked(&mut self) -> anyhow::Result<Place> {
        let console = &self.console;
        let mut menu = format!("\n{}\n", console.of("어디에서 읽고 답하시겠어요?", "Where do you read messages?"));
        for (number, name) in (1..).zip(names()) {
            let what = match name {
                PAGE => console.of("웹 페이지만 (메신저 없이)", "the web page alone, without a messenger").to_owned(),
                TERMINAL => console.of("터미널만", "the terminal alone").to_owned(),
                messenger => title(messenger),
            };
            menu.push_str(&format!("  {} {what}\n", console.paint.tone(Tone::Strong, &format!("{number})"))));
        }
        // Nothing that is typed here is shown, because it may be the token.
        let prompt = console.of(
            "번호 (Enter: 1), 또는 {} 봇의 토큰을 바로 붙여 넣기 (화면에 보이지 않습니다):",
            "Number (Enter: 1), or paste the token of your {} bot at once (it stays hidden):",
        );
        let first = MESSENGERS.first().map(|first| title(first.name)).unwrap_or_default();
        let prompt = fill(prompt, &[&first]);
        let takes = console.of(
            "1부터 {}까지의 번호를 입력하거나 {} 봇의 토큰을 붙여 넣어 주세요.",
            "Type a number from 1 to {}, or paste the token of your {} bot.",
        );
        let takes = fill(takes, &[&names().len().to_string(), &first]);
        self.console.write(&menu);
        loop {
            let answer = self.console.ask_hidden(&prompt, "--messenger").await?;
            let answer = answer.trim();
            if answer.len() > LONGEST_NAME
                && let Some(first) = MESSENGERS.first()
            {
                match secret::in_text(answer) {
                    Some(token) => {
                        self.token = Some(token);
                        return Ok(Place::Messenger(first));
                    }
                    None => {
                        self.console.note(self.console.of("그 안에 토큰이 없습니다.", "There is no token in that."));
                        continue;
                    }
                }
            }
            let number = if answer.is_empty() { Some(1) } else { answer.parse::<usize>().ok() };
            let by_number = number.and_then(|number| names().get(number.checked_sub(1)?).copied());
            if let Ok(place) = Place::named(by_number.unwrap_or(&answer.to_lowercase())) {
                return Ok(place);
            }
            self.console.note(&takes);
        }
    }
}

/// All there is, messengers first.
fn names() -> Vec<&'static str> {
    MESSENGERS.iter().map(|messenger| messenger.name).chain([PAGE, TERMINAL]).collect()
}
