//! A person's yes, at the terminal.

use std::io::{BufRead, IsTerminal};

use crate::terminal::show;
use crate::told::{Tell, Told};

/// Asks a question that is answered with y or yes; anything else, also the end of the input, is a no. Without a terminal
/// nobody can say yes: that is an error.
pub(crate) fn ask(question: &str) -> anyhow::Result<bool> {
    possible()?;
    show(&format!("{question} [y/N] "))?;
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line).told("답을 읽을 수 없습니다", "your answer cannot be read", &[])?;
    Ok(is_yes(&line))
}

/// Checks that a person can be asked, before a long operation that asks at its end.
pub(crate) fn possible() -> anyhow::Result<()> {
    if !std::io::stdin().is_terminal() || !std::io::stdout().is_terminal() {
        return Told::err(
            "동의를 물을 수 없습니다. 터미널이 아닙니다",
            "you cannot be asked for your consent: this is no terminal",
            &[],
        );
    }
    Ok(())
}

fn is_yes(line: &str) -> bool {
    matches!(line.trim().to_lowercase().as_str(), "y" | "yes" | "예" | "네")
}

#[cfg(test)]
mod tests {
    use super::is_yes;

    #[test]
    fn only_a_yes_is_one() {
        assert!(["y\n", "Y\n", " yes \r\n", "예\n", "네"].iter().all(|line| is_yes(line)));
        assert!(["", "\n", "n\n", "no\n", "ye\n", "yes please\n", "아니오\n"].iter().all(|line| !is_yes(line)));
    }
}
