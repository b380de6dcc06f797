//! The S3 protocol as pure code: who signed what (signature version 4), what is asked, and the XML
//! both ways. It reads no body, asks no database and knows no clock; `wire/s3` does.
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
