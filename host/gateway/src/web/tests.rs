//! Tests of HTTP on the wire: a real listener on the loopback and a real client.

mod auth;
mod browser;
mod desk;
mod documented;
mod frames;
mod grants;
mod health;
mod impostor;
mod limits;
mod neighbours;
mod page;
mod push;
mod requests;
mod socket;
mod tools;
mod unset;
