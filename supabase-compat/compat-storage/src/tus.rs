//! Resumable uploads (the tus protocol, version 1.0.0) without side effects: their headers and the
//! names of uploads. This module reads no body, no database and no clock; `wire/tus` does.
//!
//! Source: tus.io, "tus resumable upload protocol", version 1.0.0, 2016-03-25.

pub(crate) mod headers;
pub(crate) mod metadata;
pub(crate) mod upload_id;

pub(crate) use crate::error::tus::TusRefusal;
pub(crate) use metadata::Metadata;
pub(crate) use upload_id::UploadId;

/// The only supported version of the protocol.
pub(crate) const VERSION: &str = "1.0.0";

/// The supported extensions of the protocol, in the original's order.
pub(crate) const EXTENSIONS: &str =
    "creation,creation-with-upload,creation-defer-length,termination,expiration";

/// The `Content-Type` of a request body that continues an upload.
pub(crate) const CONTENT_TYPE: &str = "application/offset+octet-stream";
