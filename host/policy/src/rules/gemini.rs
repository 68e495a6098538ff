#![doc = include_str!("gemini/differences.md")]

#[cfg(test)]
mod tests;
