//! A drawing surface that is written as SVG.

use std::fmt::{self, Write as _};

use super::text::{Line, Look};

/// Returns the height of a line of text of this size.
pub(super) const fn leading(size: u32) -> u32 {
    size * 10 / 7
}

/// The shapes that were drawn so far.
#[derive(Debug, Clone, Default)]
pub(super) struct Sheet {
    pub(super) width: u32,
    pub(super) height: u32,
    svg: String,
}

/// A filled box.
#[derive(Debug, Clone, Copy)]
pub(super) struct Box {
    pub(super) x: u32,
    pub(super) y: u32,
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) round: u32,
    pub(super) fill: &'static str,
    pub(super) edge: Option<&'static str>,
}

impl Sheet {
    pub(super) fn fill(&mut self, it: Box) {
        let Box { x, y, width, height, round, fill, edge } = it;
        let edge = edge.map(|edge| format!(r#" stroke="{edge}""#)).unwrap_or_default();
        self.put(format_args!(
            r#"<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="{round}" fill="{fill}"{edge}/>"#
        ));
        self.grow(x + width, y + height);
    }

    pub(super) fn circle(&mut self, x: u32, y: u32, radius: u32, fill: &str) {
        self.put(format_args!(r#"<circle cx="{x}" cy="{y}" r="{radius}" fill="{fill}"/>"#));
        self.grow(x + radius, y + radius);
    }

    /// Draws the coloured edge of an embed.
    pub(super) fn bar(&mut self, x: u32, y: u32, height: u32, colour: u64) {
        self.put(format_args!(r##"<rect x="{x}" y="{y}" width="4" height="{height}" rx="2" fill="#{colour:06x}"/>"##));
    }

    /// Draws lines from their upper left corner down. Returns their height.
    pub(super) fn text(&mut self, lines: &[Line], x: u32, y: u32, size: u32) -> u32 {
        let mut below = y;
        for line in lines {
            self.line(line, &format!(r#"x="{x}""#), below, size);
            below += leading(size);
        }
        self.grow(x, below);
        below - y
    }

    /// Draws a line centred on `middle`.
    pub(super) fn centred(&mut self, line: &Line, middle: u32, y: u32, size: u32) {
        self.line(line, &format!(r#"x="{middle}" text-anchor="middle""#), y, size);
    }

    /// Draws another sheet on this one.
    pub(super) fn place(&mut self, other: &Self, x: u32, y: u32) {
        self.put(format_args!(r#"<g transform="translate({x} {y})">"#));
        self.svg.push_str(&other.svg);
        self.put(format_args!("</g>"));
        self.grow(x + other.width, y + other.height);
    }

    fn line(&mut self, line: &Line, place: &str, y: u32, size: u32) {
        let base = y + size * 11 / 10;
        let mut spans = String::new();
        for run in line {
            spans.push_str(&span(&run.text, run.look));
        }
        if !spans.is_empty() {
            self.put(format_args!(
                r#"<text {place} y="{base}" font-size="{size}" xml:space="preserve">{spans}</text>"#
            ));
        }
    }

    fn grow(&mut self, width: u32, height: u32) {
        self.width = self.width.max(width);
        self.height = self.height.max(height);
    }

    fn put(&mut self, shape: fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.svg, "{shape}");
    }
}

/// Returns the whole SVG file: the sheet on a background, with `room` pixels to its right and below.
pub(super) fn picture(title: &str, sheet: Sheet, room: u32) -> String {
    let (width, height) = (sheet.width + room, sheet.height + room);
    let ground = format!(
        r##"<rect x="0.5" y="0.5" width="{}" height="{}" rx="12" fill="#ffffff" stroke="#d0d7de"/>"##,
        width - 1,
        height - 1
    );
    format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img" aria-labelledby="title" font-family="system-ui, sans-serif">
<title id="title">{}</title>
{ground}
{}</svg>
"#,
        escaped(title),
        sheet.svg
    )
}

fn span(text: &str, look: Look) -> String {
    let mut attributes = format!(r#" fill="{}""#, look.ink.colour());
    for (is, attribute) in [
        (look.bold, r#" font-weight="600""#),
        (look.italic, r#" font-style="italic""#),
        (look.mono, r#" font-family="ui-monospace, monospace""#),
        (look.underline, r#" text-decoration="underline""#),
        (look.strike, r#" text-decoration="line-through""#),
    ] {
        attributes.push_str(if is { attribute } else { "" });
    }
    format!("<tspan{attributes}>{}</tspan>", escaped(text))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
