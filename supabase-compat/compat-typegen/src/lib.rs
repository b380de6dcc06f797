//! Generates types for clients from a database's catalogue: TypeScript, Go, Swift and Python.
//!
//! The output is byte for byte that of npm's `@supabase/postgrest-typegen` 0.2.5, which
//! `@supabase/postgres-meta` 0.99 serves: names in the order of ICU's English collation, TypeScript
//! in the layout of `oxfmt` (80 columns, no semicolons). Differences are listed in
//! `docs/compatibility.md`.
//!
//! This crate knows neither the command line nor the permissions of callers.

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
