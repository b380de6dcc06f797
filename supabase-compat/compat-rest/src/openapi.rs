//! The root document.

use axum::response::Response;

use crate::error::Error;
use crate::handle::Exchange;

/// Answers the root.
pub(crate) async fn respond(_exchange: &Exchange<'_>, _head: bool) -> Result<Response, Error> {
    Err(Error::Request(compat_rest_core::RequestError::RootDisabled))
}
