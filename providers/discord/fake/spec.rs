//! The published schema.

use std::sync::LazyLock;

use crate::spec::Spec;

/// The facts of Discord's schema. Lengths are counted in code points.
pub(crate) static SPEC: LazyLock<Spec> =
    LazyLock::new(|| Spec::of(include_str!("spec.json"), |text| text.chars().count(), false));
