//! A link as a QR code in a terminal: two modules to a character.

use qrcode::{Color, EcLevel, QrCode};

use crate::terminal::Paint;

/// Modules of light around the code. The standard wants 4; cameras take 2, and terminals are small.
const QUIET: usize = 2;

/// The code. None where it would not fit into so many columns, since a code that is cut cannot be scanned.
///
/// With colours it is black on white, whatever the terminal's colours are. Without them light modules are drawn, as dark
/// terminals need it; cameras read it inverted as well.
pub(crate) fn of(link: &str, columns: Option<usize>, paint: Paint) -> Option<String> {
    let code = QrCode::with_error_correction_level(link, EcLevel::L).ok()?;
    let side = code.width() + 2 * QUIET;
    if columns.is_none_or(|columns| columns <= side) {
        return None;
    }
    let modules = code.to_colors();
    let is_dark = |x: usize, y: usize| {
        let (Some(x), Some(y)) = (x.checked_sub(QUIET), y.checked_sub(QUIET)) else { return false };
        x < code.width() && modules.get(y * code.width() + x) == Some(&Color::Dark)
    };
    let inked = |x, y| if paint.is_on() { is_dark(x, y) } else { y < side && !is_dark(x, y) };
    let letter = |x, y| match (inked(x, y), inked(x, y + 1)) {
        (true, true) => '█',
        (true, false) => '▀',
        (false, true) => '▄',
        (false, false) => ' ',
    };
    let line = |y: usize| paint.on_paper(&(0..side).map(|x| letter(x, y)).collect::<String>()) + "\n";
    Some((0..side).step_by(2).map(line).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_drawn_where_it_fits_and_left_out_where_it_does_not() {
        insta::assert_snapshot!(of("https://t.me/b", Some(80), Paint::PLAIN).unwrap(), @"
        █████████████████████████
        ██ ▄▄▄▄▄ █ ▀█▀▄█ ▄▄▄▄▄ ██
        ██ █   █ █ ▄ ▄ █ █   █ ██
        ██ █▄▄▄█ █▀▄ █ █ █▄▄▄█ ██
        ██▄▄▄▄▄▄▄█▄█▄▀ █▄▄▄▄▄▄▄██
        ██ ▄▀▀▄▄▄█▀▀▀█▄██▄▀  ▄▄██
        ██▄ █▀ █▄▀ █▄█▀ ▄▄▄▄█▄███
        ████▄▄▄▄▄▄▀ █▄██▀▄  ▀ ███
        ██ ▄▄▄▄▄ █▀█ ▄███ ▄▄█▄▀██
        ██ █   █ █▄ █▄▄▄█▀ ▄▀▀▀██
        ██ █▄▄▄█ █▀████▀▄▄▄▄█████
        ██▄▄▄▄▄▄▄█▄█▄▄█▄███▄██▄██
        ▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀
        ");
        assert_eq!(of("https://t.me/b", Some(25), Paint::PLAIN), None);
        assert_eq!(of("https://t.me/b", None, Paint::PLAIN), None, "no terminal");
        assert_eq!(of(&"x".repeat(5_000), Some(500), Paint::PLAIN), None, "more than a code holds");
    }
}
