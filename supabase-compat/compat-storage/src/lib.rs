//! storage/v1: buckets, objects and the rights to them, compatible with the original to the letter
//! of its clients.
//!
//! It promises that rows and bytes never disagree: bytes are written whole under a version nobody
//! knows yet, then the row names it, then the old bytes go. A crash leaves at most bytes without a
//! row, which nobody can reach. Whether somebody may do something is decided by row security on
//! `storage.buckets` and `storage.objects`, as the caller, each time. It owns the schema `storage`.
//! It deliberately does not know who mounts it, who its callers are, or what their files mean.

pub mod bytes;
pub mod config;
mod error;
mod flow;
pub mod images;
mod model;
mod router;
mod s3;
mod scoped_db;
mod state;
mod store;
mod sweep;
mod tus;
mod wire;

pub use config::{BucketSeed, Config};
pub use error::StorageError;
pub use flow::seed::{ensure_bucket, put_object};
pub use flow::tus::expire::{expire as expire_uploads, run as run_expiry};
pub use model::media_type::MediaPattern;
pub use model::size::parse_size;
pub use router::router;
pub use state::{State, run_cache};
pub use sweep::{SweepError, SweepReport, Sweeper};

/// The schema `storage`, for the migration runner.
pub static SCHEMA: compat_pg::SchemaSource = compat_pg::SchemaSource {
    schema: "storage",
    dir: &include_dir::include_dir!("$CARGO_MANIFEST_DIR/sql"),
};
