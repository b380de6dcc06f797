//! The S3 protocol without side effects: signatures (version 4), operations, and XML in both
//! directions. This module reads no body, no database and no clock; `wire/s3` does.
//!
//! Sources: AWS, "Amazon S3 API Reference", and there "Authenticating Requests (AWS Signature
//! Version 4)".

pub(crate) mod body;
pub(crate) mod checksum;
pub(crate) mod chunked;
pub(crate) mod copy_source;
pub(crate) mod document;
pub(crate) mod operation;
pub(crate) mod policy;
pub(crate) mod signature;
pub(crate) mod xml;

pub(crate) use crate::error::s3::S3Refusal;
