//! HTTP as it is on the wire: a real listener on the loopback and a real client.

mod auth;
mod desk;
mod documented;
mod frames;
mod grants;
mod limits;
mod page;
mod requests;
mod socket;
mod tools;
mod unset;
