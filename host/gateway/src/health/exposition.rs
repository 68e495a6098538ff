//! The text format of Prometheus, version 0.0.4: families of samples, each under its name, help and type.

use std::fmt::{Display, Write};

/// The media type of the format.
pub(crate) const MEDIA_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// The type of a metric.
#[derive(Debug, Clone, Copy)]
pub(super) enum Type {
    Counter,
    Gauge,
    Histogram,
}

/// A text that is being written.
#[derive(Debug, Default)]
pub(super) struct Exposition(String);

/// The samples of one metric.
pub(super) struct Family<'a> {
    text: &'a mut String,
    name: &'static str,
}

impl Exposition {
    /// Begins a family. `help` must hold neither line breaks nor backslashes.
    pub(super) fn family(&mut self, name: &'static str, kind: Type, help: &str) -> Family<'_> {
        let kind = match kind {
            Type::Counter => "counter",
            Type::Gauge => "gauge",
            Type::Histogram => "histogram",
        };
        // Writing to a `String` cannot fail.
        let _ = writeln!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}");
        Family { text: &mut self.0, name }
    }

    /// Returns the finished text.
    pub(super) fn finish(self) -> String {
        self.0
    }
}

impl Family<'_> {
    /// Adds a sample with these labels.
    pub(super) fn sample(&mut self, labels: &[(&str, &str)], value: impl Display) -> &mut Self {
        self.suffixed("", labels, value)
    }

    /// Adds a sample of a part of a histogram: `_bucket`, `_sum` or `_count`.
    pub(super) fn suffixed(&mut self, suffix: &str, labels: &[(&str, &str)], value: impl Display) -> &mut Self {
        let pairs: Vec<_> = labels.iter().map(|(name, value)| format!("{name}=\"{}\"", escaped(value))).collect();
        let labels = if pairs.is_empty() { String::new() } else { format!("{{{}}}", pairs.join(",")) };
        let _ = writeln!(self.text, "{}{suffix}{labels} {value}", self.name);
        self
    }
}

fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_cannot_end_its_line() {
        let mut text = Exposition::default();
        text.family("a_total", Type::Counter, "So many.").sample(&[("b", "x\"} 1\nfoo \\")], 2);
        assert_eq!(
            text.finish(),
            "# HELP a_total So many.\n# TYPE a_total counter\na_total{b=\"x\\\"} 1\\nfoo \\\\\"} 2\n"
        );
    }
}
