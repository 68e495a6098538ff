//! What most files of a provider use, to be imported at once: `use dmplz_provider_sdk::prelude::*;`.

pub use serde_json::{Value, json};

pub use crate::http::{
    Api, Method, Multipart, Refusal, Request, Response, Server, UPLOAD, incomplete, percent_encode, unless, visible,
};
pub use crate::json::{Fields, set, with};
pub use crate::text::{split_at_units, units};
pub use crate::{
    Answering, Attachment, Batch, Block, CURSOR, Card, Chat, ChatKind, ChatSpec, Check, Choice, Chosen, Command,
    Diagnosis, Download, Error, Event, Greeting, Heard, Host, Identity, Introduction, Level, Lifetime, Limits, Line,
    Manifest, Meeting, MessageRef, OpenChat, Payload, Press, Provider, RESERVE, Renewal, Result, Said, SecretPlace,
    SecretSpec, Seen, SentFile, Setting, SettingKind, SettingSpec, Standing, Style, Subject, TextField, Told,
    Transport, User, Users, Watch, Watching, Words, emoji, export_provider, html, markdown, settings,
};
