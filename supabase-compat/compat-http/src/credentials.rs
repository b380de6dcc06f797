//! The headers that tell who asks.

use compat_token::Credentials;
use http::{HeaderMap, header};

/// Reads `apikey` and `Authorization`; bytes that are no text count as absent.
pub fn credentials(headers: &HeaderMap) -> Credentials<'_> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    Credentials { apikey: text("apikey"), authorization: text(header::AUTHORIZATION.as_str()) }
}
