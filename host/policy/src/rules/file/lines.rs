//! Converts an offset to a line and column.

/// The offsets at which the lines of a text begin.
pub(super) struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        Self { text, starts: std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect() }
    }

    /// Returns the line and column of a byte offset, both from 1, the column in characters.
    pub(super) fn place(&self, offset: usize) -> (u32, u32) {
        let line = self.starts.partition_point(|start| *start <= offset);
        let start = self.starts.get(line - 1).copied().unwrap_or_default();
        let before = self.text.as_bytes().get(start..offset.min(self.text.len())).unwrap_or_default();
        let characters = before.iter().filter(|byte| (**byte as i8) >= -0x40).count();
        let [line, column] = [line, characters + 1].map(|count| u32::try_from(count).unwrap_or(u32::MAX));
        (line, column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_counts_lines_and_characters() {
        let lines = Lines::new("a\n한글 b\r\n\nc");
        for (offset, place) in
            [(0, (1, 1)), (1, (1, 2)), (2, (2, 1)), (5, (2, 2)), (9, (2, 4)), (12, (3, 1)), (13, (4, 1)), (14, (4, 2))]
        {
            assert_eq!(lines.place(offset), place, "{offset}");
        }
        assert_eq!(lines.place(99), (4, 2));
    }
}
