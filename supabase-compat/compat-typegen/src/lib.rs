//! Types for clients, written from a database's catalogue: TypeScript, Go, Swift and Python.
//!
//! The text is, byte for byte, what npm's `@supabase/postgrest-typegen` 0.2.5 writes, which
//! `@supabase/postgres-meta` 0.99 serves: names in the order of ICU's English collation, TypeScript in the
//! layout of `oxfmt` (80 columns, no semicolons). What differs is listed in `docs/compatibility.md`.
//!
//! This crate knows no command line, and not who may ask.

mod catalog;
mod go;
mod model;
mod names;
mod order;
mod python;
mod swift;
mod typescript;
mod wire;

pub use catalog::{SchemaFilter, introspect, introspect_database};
pub use go::go;
pub use model::Metadata;
pub use python::python;
pub use swift::{AccessControl, swift};
pub use typescript::{TypescriptOptions, typescript};
pub use wire::router;
