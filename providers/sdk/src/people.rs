//! Who people are.

use std::collections::BTreeMap;
use std::convert::Infallible;

use crate::User;

/// The people whose names were asked for, at most 500: beyond them all are asked for anew.
#[derive(Debug, Default)]
pub struct People(BTreeMap<String, User>);

const MOST: usize = 500;

impl People {
    /// Returns who somebody is, by an id of them. `ask` is called if that is not known.
    ///
    /// # Errors
    /// Returns the error of `ask`, which is then called again the next time.
    pub fn get<E>(&mut self, id: &str, ask: impl FnOnce() -> Result<User, E>) -> Result<User, E> {
        if let Some(user) = self.0.get(id) {
            return Ok(user.clone());
        }
        if self.0.len() >= MOST {
            self.0.clear();
        }
        let user = ask()?;
        self.0.insert(id.to_owned(), user.clone());
        Ok(user)
    }

    /// Returns who somebody is in a chat, where people have other names from chat to chat. `ask` is called if that is not known.
    pub fn member(&mut self, chat: &str, id: &str, ask: impl FnOnce() -> User) -> User {
        let Ok(user) = self.get(&format!("{chat} {id}"), || Ok::<_, Infallible>(ask()));
        user
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_member_of_a_chat_is_asked_for_there() {
        let (mut people, user) = (People::default(), |name: &str| User::named("a", [Some(name)]));
        assert_eq!(people.member("room", "a", || user("Jin")).name, "Jin");
        assert_eq!(people.member("other", "a", || user("J.")).name, "J.");
        assert_eq!(people.member("room", "a", || user("nobody")).name, "Jin");
    }

    #[test]
    fn somebody_is_asked_for_until_they_are_known_and_not_all_are_kept() {
        let (mut people, mut asked) = (People::default(), 0);
        let user = User { id: "a".to_owned(), name: "Jin".to_owned(), is_bot: false };
        let mut get = |id: &str, answer: Result<User, ()>| {
            people.get(id, || {
                asked += 1;
                answer
            })
        };
        assert!(get("a", Err(())).is_err());
        assert_eq!(get("a", Ok(user.clone())), Ok(user.clone()));
        assert_eq!(get("a", Err(())), Ok(user.clone()));
        (1..MOST).for_each(|number| assert!(get(&number.to_string(), Ok(user.clone())).is_ok()));
        assert!(get("a", Err(())).is_ok() && get("b", Ok(user.clone())).is_ok() && get("a", Err(())).is_err());
        assert_eq!(asked, MOST + 3);
    }
}
