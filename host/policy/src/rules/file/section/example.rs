//! Parses `match` and `not_match`.

use toml::de::DeValue;

use super::{Draft, Harm};
use crate::rules::file::value::{Item, object};
use crate::rules::rule::{Example, ExampleInput};

impl Draft<'_, '_> {
    pub(super) fn examples(&mut self, key: &str, value: &Item<'_>) -> Vec<Example> {
        let takes = "a command, path or address, or a table that is a whole input, or a list of such";
        let entries = self.notes.entries(key, value, takes, |value| match value {
            DeValue::String(text) => Some(ExampleInput::Text(text.to_string())),
            DeValue::Table(table) => object(table).map(ExampleInput::Input),
            _ => None,
        });
        if entries.incomplete {
            self.harm(Harm::Remark);
        }
        let place = |item: &Item<'_>| self.notes.place(item.span().start);
        let read = entries.read.into_iter();
        read.map(|(item, input)| (place(item), input))
            .map(|((line, column), input)| Example { line, column, input })
            .collect()
    }
}
