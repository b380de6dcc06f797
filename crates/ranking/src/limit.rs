//! How often one address may ask for work. What N processes must agree on, the cooldown, is the
//! database's.

pub use compat_http::{RateLimitConfig, RateLimitStatus};

use crate::model::voter::IpHash;

/// Buckets by address.
pub(crate) type RateLimit = compat_http::RateLimit<IpHash>;
