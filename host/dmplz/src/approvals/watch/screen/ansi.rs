//! Draws on a terminal by ECMA-48. Ratatui's own backends read the keyboard as well, ahead of what was drawn.

use std::io::{self, Write};

use ratatui_core::backend::{Backend, ClearType, WindowSize};
use ratatui_core::buffer::Cell;
use ratatui_core::layout::{Position, Size};
use ratatui_core::style::{Color, Modifier};

/// What is written at the next flush.
pub(super) struct Ansi {
    out: String,
    has_colours: bool,
}

/// The size of a terminal that does not tell.
const USUAL: Size = Size { width: 80, height: 24 };

impl Ansi {
    pub(super) fn new(has_colours: bool) -> Self {
        Self { out: String::new(), has_colours }
    }

    fn style(&mut self, cell: &Cell) {
        self.out.push_str("\x1b[0");
        for (modifier, code) in [(Modifier::BOLD, ";1"), (Modifier::DIM, ";2"), (Modifier::REVERSED, ";7")] {
            if cell.modifier.contains(modifier) {
                self.out.push_str(code);
            }
        }
        let colour = match cell.fg {
            Color::Red => ";31",
            Color::Green => ";32",
            Color::Yellow => ";33",
            _ => "",
        };
        if self.has_colours {
            self.out.push_str(colour);
        }
        self.out.push('m');
    }
}

impl Backend for Ansi {
    type Error = io::Error;

    fn draw<'a, I: Iterator<Item = (u16, u16, &'a Cell)>>(&mut self, content: I) -> io::Result<()> {
        let mut before: Option<(u16, u16)> = None;
        let mut styled: Option<(Color, Modifier)> = None;
        for (x, y, cell) in content {
            // A wide character leaves the cursor two columns on; the place is said anew behind anything but one column.
            if before != Some((x, y)) {
                self.out.push_str(&format!("\x1b[{};{}H", y + 1, x + 1));
            }
            if styled != Some((cell.fg, cell.modifier)) {
                self.style(cell);
                styled = Some((cell.fg, cell.modifier));
            }
            self.out.push_str(cell.symbol());
            before = cell.symbol().is_ascii().then_some((x + 1, y));
        }
        self.out.push_str("\x1b[0m");
        Ok(())
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        self.out.push_str("\x1b[?25l");
        Ok(())
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        self.out.push_str("\x1b[?25h");
        Ok(())
    }

    /// The whole screen is drawn, so where the cursor was makes no difference.
    fn get_cursor_position(&mut self) -> io::Result<Position> {
        Ok(Position::ORIGIN)
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        let Position { x, y } = position.into();
        self.out.push_str(&format!("\x1b[{};{}H", y.saturating_add(1), x.saturating_add(1)));
        Ok(())
    }

    fn clear(&mut self) -> io::Result<()> {
        self.clear_region(ClearType::All)
    }

    fn clear_region(&mut self, region: ClearType) -> io::Result<()> {
        self.out.push_str(match region {
            ClearType::All => "\x1b[0m\x1b[2J",
            ClearType::AfterCursor => "\x1b[0J",
            ClearType::BeforeCursor => "\x1b[1J",
            ClearType::CurrentLine => "\x1b[2K",
            ClearType::UntilNewLine => "\x1b[0K",
        });
        Ok(())
    }

    fn size(&self) -> io::Result<Size> {
        let size = rustix::termios::tcgetwinsize(io::stdout())?;
        Ok(if size.ws_col == 0 || size.ws_row == 0 { USUAL } else { Size::new(size.ws_col, size.ws_row) })
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        Ok(WindowSize { columns_rows: self.size()?, pixels: Size::ZERO })
    }

    fn flush(&mut self) -> io::Result<()> {
        let mut stdout = io::stdout().lock();
        stdout.write_all(std::mem::take(&mut self.out).as_bytes())?;
        stdout.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_need_no_place_and_wide_characters_do() {
        let cell = |symbol: &'static str| Cell::new(symbol);
        let cells = [(0, 0, cell("a")), (1, 0, cell("b")), (2, 0, cell("한")), (4, 0, cell("c"))];
        let mut ansi = Ansi::new(true);
        ansi.draw(cells.iter().map(|(x, y, cell)| (*x, *y, cell))).unwrap();
        assert_eq!(ansi.out, "\x1b[1;1H\x1b[0mab한\x1b[1;5Hc\x1b[0m");
    }

    #[test]
    fn colours_are_left_out_where_nobody_wants_them() {
        let mut cell = Cell::new("x");
        cell.fg = Color::Red;
        cell.modifier = Modifier::BOLD;
        for (has_colours, style) in [(true, "\x1b[0;1;31m"), (false, "\x1b[0;1m")] {
            let mut ansi = Ansi::new(has_colours);
            ansi.draw(std::iter::once((0, 0, &cell))).unwrap();
            assert!(ansi.out.contains(style), "{:?}", ansi.out);
        }
    }
}
