//! storage/v1: buckets, objects and their access rules, compatible with the original and its
//! clients.
//!
//! Rows and bytes never disagree: a write first stores the whole content under a new version, then
//! writes the row that names this version, then removes the old content. A crash leaves at most
//! content without a row, which no request can reach. Row security on `storage.buckets` and
//! `storage.objects` decides every access, under the role of the caller. The service owns the
//! schema `storage`. It does not know who mounts it, who its callers are, or what their files mean.

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
