//! HTTP handlers, one file per endpoint group: requests and responses, field for field.

pub mod body;
pub mod body_drain;
pub mod bucket;
pub mod conditions;
pub mod content;
pub mod copy;
pub mod download;
pub mod extract;
pub mod form;
pub mod health;
pub mod info;
pub mod list;
pub mod move_object;
pub mod remove;
pub mod render;
pub mod response;
pub mod s3;
pub mod sign;
pub mod signed_upload;
pub mod tus;
pub mod upload;
