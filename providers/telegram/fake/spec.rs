//! The published schema.

use std::sync::LazyLock;

use crate::spec::Spec;

/// The facts of Telegram's schema. Lengths are counted in UTF-16 units, and every parameter may be text.
pub(crate) static SPEC: LazyLock<Spec> =
    LazyLock::new(|| Spec::of(include_str!("spec.json"), |text| text.encode_utf16().count(), true));
