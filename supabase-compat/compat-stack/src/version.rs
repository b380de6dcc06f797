//! The build of this program: the version of the workspace and, in a release built from a clone,
//! its commit.

use prometheus::core::Collector;

use crate::metrics::{Figure, Figures};

/// The version, as in `0.1.0`.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The commit, twelve digits; empty in a development build, and outside a clone.
pub const COMMIT: &str = env!("COMPAT_COMMIT");

/// Version and commit for people: `0.1.0 (0123456789ab)`, or the version alone.
pub const VERSION_AND_COMMIT: &str = env!("COMPAT_VERSION");

/// The commit, if it is known.
pub(crate) fn commit() -> Option<&'static str> {
    Some(COMMIT).filter(|commit| !commit.is_empty())
}

/// The metric `build_info`, which is always 1.
pub(crate) fn figures() -> Box<dyn Collector> {
    Box::new(Figures::new(|| {
        let labels = vec![VERSION.to_owned(), COMMIT.to_owned()];
        let help = "The build that runs, in its labels.";
        let rows = std::iter::once((labels, 1));
        vec![Figure::gauges_by("build_info", help, &["version", "commit"], rows)]
    }))
}
