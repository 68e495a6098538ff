//! The input of a call as gemini-cli writes it before it looks for `argsPattern`.
//!
//! Its `stable-stringify.ts`: JSON without spaces, the keys of every object in order, and a NUL on both sides of each pair of
//! the whole, so that a pattern can tell an argument from text that looks like one (`\0"command":"ls"\0`; a NUL inside a
//! string is `\u0000`). Order and numbers are JavaScript's: keys by UTF-16 code units, every number a double. One of more
//! than 15 digits or with an exponent may differ in its last digit, as serde_json reads it.

use serde_json::{Map, Number, Value};

/// Writes an input: `{\0"command":"git status"\0,\0"timeout":5\0}`.
pub fn stable_stringify(input: &Map<String, Value>) -> String {
    let mut text = String::with_capacity(64);
    object(&mut text, input, "\0");
    text
}

fn value(text: &mut String, value: &Value) {
    match value {
        // serde_json escapes a string as JavaScript does.
        Value::Null | Value::Bool(_) | Value::String(_) => text.push_str(&value.to_string()),
        Value::Number(it) => number(text, it),
        Value::Array(items) => {
            text.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                self::value(text, item);
            }
            text.push(']');
        }
        Value::Object(pairs) => object(text, pairs, ""),
    }
}

fn object(text: &mut String, pairs: &Map<String, Value>, around: &str) {
    let mut pairs: Vec<_> = pairs.iter().collect();
    pairs.sort_unstable_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
    text.push('{');
    for (index, (key, value)) in pairs.into_iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        text.push_str(around);
        text.push_str(&Value::from(key.as_str()).to_string());
        text.push(':');
        self::value(text, value);
        text.push_str(around);
    }
    text.push('}');
}

/// Writes a number as ECMA-262 does (Number::toString).
fn number(text: &mut String, number: &Number) {
    /// Up to here a double holds every integer.
    const SAFE: u64 = 1 << 53;
    match (number.as_i64(), number.as_f64()) {
        (Some(whole), _) if whole.unsigned_abs() <= SAFE => text.push_str(&whole.to_string()),
        (_, Some(double)) => float(text, double),
        (_, None) => text.push_str(&number.to_string()),
    }
}

fn float(text: &mut String, double: f64) {
    if double == 0.0 {
        return text.push('0');
    }
    // Rust writes the shortest digits that read back as the same double, as JavaScript does: `-1.25e-7`.
    let shortest = format!("{:e}", double.abs());
    let (mantissa, exponent) = shortest.split_once('e').unwrap_or((&shortest, "0"));
    let digits = mantissa.replace('.', "");
    let exponent: i32 = exponent.parse().unwrap_or_default();
    if double.is_sign_negative() {
        text.push('-');
    }
    let point = usize::try_from(exponent + 1).unwrap_or_default();
    match (exponent, digits.split_at_checked(point)) {
        (0..=20, Some((whole, fraction))) if !fraction.is_empty() => text.push_str(&format!("{whole}.{fraction}")),
        (0..=20, _) => text.push_str(&format!("{digits:0<point$}")),
        (-6..=-1, _) => {
            text.push_str("0.");
            (exponent..-1).for_each(|_| text.push('0'));
            text.push_str(&digits);
        }
        (_, _) => {
            let (first, rest) = digits.split_at_checked(1).unwrap_or((&digits, ""));
            let point = if rest.is_empty() { "" } else { "." };
            text.push_str(&format!("{first}{point}{rest}e{exponent:+}"));
        }
    }
}

#[cfg(test)]
mod tests;
