//! Caches: values that are good for some time, and values that never change but take memory.

mod ttl;
mod weighted;

pub use ttl::TtlCache;
pub use weighted::WeightedLru;
