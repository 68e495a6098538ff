//! A command to run, and its description in the OpenAPI document.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;
use utoipa::openapi::schema::{Array, ArrayBuilder, Object, ObjectBuilder, Schema, Type};

use crate::number;

/// A command to run, once it is allowed.
// No `Debug`: the values of its variables are shown to nobody.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = Command)]
pub struct InvokeTool {
    /// The program and its arguments, of 64 KiB together; no shell reads them.
    #[schema(schema_with = argv)]
    pub argv: Vec<String>,
    /// The absolute path of the folder in which it runs.
    #[schema(value_type = String, pattern = r"^/[^\x00]*$", example = "/")]
    pub cwd: PathBuf,
    /// Variables besides the gateway's few, of 64 KiB together.
    #[serde(default)]
    #[schema(schema_with = env)]
    pub env: BTreeMap<String, String>,
    /// How long it may run, in milliseconds, at most a day; ten minutes by default.
    #[serde(default, deserialize_with = "number::optional", skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, maximum = 86_400_000)]
    pub timeout_ms: Option<u64>,
}

/// The most words of a command.
pub const MAX_ARGV_WORDS: usize = 4_096;
/// The most variables of a command.
pub const MAX_ENV_NAMES: usize = 256;

/// Returns the schema of a text without NUL bytes, at which the kernel would end it.
fn text() -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::String).pattern(Some(r"^[^\x00]*$"))
}

fn argv() -> Array {
    ArrayBuilder::new()
        .description(Some("The program and its arguments, of 64 KiB together; no shell reads them."))
        .prefix_items([Schema::from(text().min_length(Some(1)))])
        .items(text())
        .min_items(Some(1))
        .max_items(Some(MAX_ARGV_WORDS))
        .examples([json!(["cargo", "test"])])
        .build()
}

fn env() -> Object {
    let name = ObjectBuilder::new().schema_type(Type::String).pattern(Some("^[A-Za-z_][A-Za-z0-9_]*$"));
    ObjectBuilder::new()
        .description(Some("Variables besides the gateway's few, of 64 KiB together."))
        .property_names(Some(name))
        .additional_properties(Some(Schema::from(text())))
        .max_properties(Some(MAX_ENV_NAMES))
        .build()
}
