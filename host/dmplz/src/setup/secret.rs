//! A token out of what somebody pasted.
//!
//! | pasted | taken |
//! |---|---|
//! | one word | that word, without quotes, commas and the like around it |
//! | `NAME=word`, in capital letters | the word |
//! | several words | the one that looks like a token: 20 or more letters, digits and `_ - . :`, with a digit in it; the longest of them |
//! | several words, and none like that | nothing |
//!
//! Line ends of Windows, blanks of any kind and characters without a width around it are left out.

/// The shortest word among others that is taken for a token.
const SHORTEST: usize = 20;
/// The shortest secret that the contract knows.
const SHORTEST_SECRET: usize = 8;

/// The token in a text; none where there is none, or nobody could tell which.
pub(super) fn in_text(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split(|c: char| c.is_whitespace() || is_invisible(c)).map(bare).collect();
    let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    let found = match words.as_slice() {
        [only] => Some(*only),
        several => several.iter().copied().filter(|word| looks_like_one(word)).max_by_key(|word| word.len()),
    };
    found.filter(|word| word.len() >= SHORTEST_SECRET && word.bytes().all(|b| b.is_ascii_graphic())).map(str::to_owned)
}

/// A word without what people and programs put around a token.
fn bare(word: &str) -> &str {
    let is_around = |c: char| matches!(c, '"' | '\'' | '`' | '<' | '>' | '(' | ')' | ',' | ';' | '.' | '“' | '”');
    let word = word.trim_matches(is_around);
    match word.split_once('=') {
        Some((name, value)) if is_variable(name) => value.trim_matches(is_around),
        _ => word,
    }
}

fn is_variable(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_')
}

fn looks_like_one(word: &str) -> bool {
    let is_of_token = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b':');
    word.len() >= SHORTEST && word.bytes().all(is_of_token) && word.bytes().any(|b| b.is_ascii_digit())
}

/// Marks of byte order and direction, and joiners, which come along with copied text.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{feff}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{202a}'..='\u{202e}')
        || c.is_control()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOKEN: &str = "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw0";

    #[test]
    fn a_token_is_found_in_what_people_paste() {
        for pasted in [
            TOKEN.to_owned(),
            format!("  {TOKEN}\r\n"),
            format!("\u{feff}{TOKEN}\u{200b}"),
            format!("\"{TOKEN}\""),
            format!("`{TOKEN}`,"),
            format!("\u{a0}{TOKEN}\u{3000}"),
            format!("DMPLZ_TELEGRAM_BOT_TOKEN={TOKEN}"),
            format!("export DMPLZ_TELEGRAM_BOT_TOKEN='{TOKEN}'"),
            format!("Use this token to access the HTTP API:\r\n{TOKEN}\r\nKeep your token secure and store it safely"),
            format!(
                "You will find it at t.me/a_bot_with_a_name_of_2024. Token: {TOKEN} See https://core.telegram.org/bots/api"
            ),
            format!("토큰은 {TOKEN} 입니다"),
        ] {
            assert_eq!(in_text(&pasted).as_deref(), Some(TOKEN), "{pasted:?}");
        }
        let discord = "MTE0ODk1.GmX_9a.abc-DEF_ghiJKLmnoPQRstuVWXyz0123456789";
        assert_eq!(in_text(&format!("Bot {discord}")).as_deref(), Some(discord));
    }

    #[test]
    fn what_holds_no_token_gives_none() {
        for pasted in [
            "",
            " \r\n",
            "Done! Congratulations on your new bot.",
            "Alright, a new bot. How are we going to call it? Please choose a name for your bot.",
            "short",
            "see https://core.telegram.org/bots/features#botfather for more",
            "토큰토큰토큰토큰",
        ] {
            assert_eq!(in_text(pasted), None, "{pasted:?}");
        }
    }
}
