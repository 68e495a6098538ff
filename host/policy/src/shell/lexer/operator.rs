//! Operators, and what they mean for what comes next.

use super::super::command::{Unclear, Word};
use super::super::word::Text;
use super::reserved::Expect;
use super::{Lexer, Open, Target};

/// The longest first.
const OPERATORS: [&str; 23] = [
    ";;&", "<<<", "<<-", "&>>", ";;", ";&", "&&", "&>", "||", "|&", "<<", "<&", "<>", ">>", ">&", ">|", ";", "&", "|",
    "<", ">", "(", ")",
];

impl Lexer<'_> {
    pub(super) fn operator(&mut self, first: u8) -> Result<(), Unclear> {
        if self.target.is_some() {
            return Err(Unclear::Syntax);
        }
        match first {
            b'(' => return self.opening(),
            b')' => return self.closing(),
            _ => {}
        }
        let operator = self.longest()?;
        if self.expect.takes_no_operator() && !(self.expect == Expect::Pattern && operator == "|") {
            return Err(Unclear::Syntax);
        }
        if matches!(operator, "&>" | "&>>" | "|&" | "<<<" | ";&" | ";;&") {
            self.only_bash()?;
        }
        match operator {
            "|" if self.expect == Expect::Pattern => {}
            ";" | "&" | "&&" | "||" => self.expect = Expect::Command { piped: false },
            "|" | "|&" => self.expect = Expect::Command { piped: true },
            ";;" | ";&" | ";;&" => {
                if self.open.last() != Some(&Open::Case) {
                    return Err(Unclear::Syntax);
                }
                self.expect = Expect::Pattern;
            }
            _ => return self.redirection(operator),
        }
        self.push_operator(operator);
        Ok(())
    }

    /// A backslash and a newline may be in the middle of an operator, too.
    fn longest(&mut self) -> Result<&'static str, Unclear> {
        let mut written = String::with_capacity(3);
        while let Some(byte) = self.peek() {
            written.push(char::from(byte));
            if !OPERATORS.contains(&written.as_str()) {
                written.pop();
                break;
            }
            self.pass(1)?;
        }
        OPERATORS.into_iter().find(|operator| *operator == written).ok_or(Unclear::Syntax)
    }

    fn redirection(&mut self, operator: &'static str) -> Result<(), Unclear> {
        self.target = Some(match operator {
            "<<" => Target::Delimiter { tabs: false },
            "<<-" => Target::Delimiter { tabs: true },
            _ => Target::File,
        });
        self.push_operator(operator);
        if self.dialect.is_zsh()
            && matches!(operator, ">" | ">>" | "&>" | "&>>" | ">&")
            && matches!(self.peek(), Some(b'!' | b'|'))
        {
            // `>! file` writes the file in zsh, and a file named `!` in bash.
            return Err(Unclear::Zsh);
        }
        // A dash right behind these is a word of its own: in `>&-a` the `a` is another one.
        while matches!(operator, ">&" | "<&") && matches!(self.peek(), Some(b' ' | b'\t')) {
            self.pass(1)?;
        }
        if matches!(operator, ">&" | "<&") && self.take(b'-')? {
            self.target = None;
            self.expect.redirected();
            return self.finish_word(Text::of(Word::exact("-")));
        }
        Ok(())
    }

    fn opening(&mut self) -> Result<(), Unclear> {
        match self.expect {
            Expect::Pattern => {
                self.pass(1)?;
                self.push_operator("(");
            }
            Expect::Arguments { first: true, .. } => {
                return if self.function()? { Ok(()) } else { Err(Unclear::Syntax) };
            }
            Expect::FunctionBody => return if self.function()? { Ok(()) } else { self.subshell() },
            Expect::ForName if self.byte(1) == Some(b'(') => return self.arithmetic_for(),
            Expect::Command { .. } if self.byte(1) == Some(b'(') => {
                return if self.arithmetic_command()? { Ok(()) } else { self.subshell() };
            }
            Expect::Command { .. } => return self.subshell(),
            _ => return Err(Unclear::Syntax),
        }
        Ok(())
    }

    fn subshell(&mut self) -> Result<(), Unclear> {
        self.open_block()?;
        self.pass(1)?;
        // To the grammar `((` is arithmetic, however far apart.
        if self.last() == Some("(") {
            self.push_operator("\n");
        }
        self.push_operator("(");
        self.open.push(Open::Parenthesis);
        self.expect = Expect::Command { piped: false };
        Ok(())
    }

    fn closing(&mut self) -> Result<(), Unclear> {
        self.pass(1)?;
        match (self.open.last(), self.expect) {
            (Some(Open::Case), Expect::Pattern) => self.expect = Expect::Command { piped: false },
            (Some(Open::Parenthesis), _) => {
                self.open.pop();
                self.close_block()?;
                self.expect = Expect::End;
            }
            _ => return Err(Unclear::Syntax),
        }
        self.push_operator(")");
        Ok(())
    }

    /// `( )` behind a name.
    fn function(&mut self) -> Result<bool, Unclear> {
        let before = self.at;
        self.pass(1)?;
        while matches!(self.peek(), Some(b' ' | b'\t')) {
            self.pass(1)?;
        }
        if self.take(b')')? {
            self.push_operator("(");
            self.push_operator(")");
            self.expect = Expect::FunctionBody;
            return Ok(true);
        }
        self.at = before;
        Ok(false)
    }

    /// `(( ))` as a command. Where it does not end with `))` it is two subshells.
    fn arithmetic_command(&mut self) -> Result<bool, Unclear> {
        self.only_bash()?;
        let before = self.at;
        self.pass(2)?;
        let Some(text) = self.arithmetic_text()? else {
            self.at = before;
            self.twice = true;
            return Ok(false);
        };
        self.expect = Expect::End;
        self.finish_word(text)?;
        Ok(true)
    }

    /// `for ((...))`: to the grammar a loop over all arguments.
    fn arithmetic_for(&mut self) -> Result<(), Unclear> {
        self.only_bash()?;
        self.pass(2)?;
        let text = self.arithmetic_text()?.ok_or(Unclear::Syntax)?;
        self.push_numbered(text);
        Ok(())
    }
}
