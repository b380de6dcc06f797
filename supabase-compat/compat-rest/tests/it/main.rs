//! The service with a database of its own; the router is called in process, and tests check whole
//! responses.

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
