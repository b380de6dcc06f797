//! The service against a database of its own, router in process: requests in, whole answers out.

mod clauses;
mod client;
mod cors;
mod domains;
mod embed;
mod freshness;
mod large_schema;
mod library;
mod media;
mod pages;
mod procedures;
mod property_test;
mod reads;
mod refusals;
mod root;
mod settings;
mod statements;
mod tokens;
mod writes;
