//! The service on a database of its own, driven in process.

mod cleanup;
mod flow;
mod mailbox;
mod outside;
mod schema;
mod smtp;
mod world;
