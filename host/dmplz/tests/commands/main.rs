//! The subcommands that people and programs run, by the real binary, in a home of their own.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod approvals;
mod audit;
mod beginnings;
mod command;
mod completions;
mod config;
mod demo;
mod doctor;
mod exec;
mod full_disk;
mod gateway;
mod gateway_docs;
mod grants;
mod hook;
mod hooks;
mod http;
mod logs;
mod man;
mod messengers_docs;
mod notify;
mod notify_docs;
mod pair;
mod people;
mod policy;
mod policy_docs;
mod provider;
mod provider_dev;
mod provider_docs;
mod provider_index;
mod provider_new;
mod provider_registry;
mod provider_signed;
mod provider_test;
mod registry;
mod serve_lines;
mod service;
mod sessions;
mod setup;
mod stats;
mod status;
mod store;
mod terminal;
mod unset;
mod update;
