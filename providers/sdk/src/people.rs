//! Who people are.

use std::collections::BTreeMap;

use crate::User;

/// The people whose names were asked for, at most 500: beyond them all are asked for anew.
#[derive(Debug, Default)]
pub(crate) struct People(BTreeMap<String, User>);

const MOST: usize = 500;

impl People {
    /// Returns who somebody is, by an id of them. `ask` is called if that is not known.
    ///
    /// # Errors
    /// Returns the error of `ask`, which is then called again the next time.
    pub(crate) fn get<E>(&mut self, id: &str, ask: impl FnOnce() -> Result<User, E>) -> Result<User, E> {
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
}

#[cfg(test)]
mod tests {
    use super::*;

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
