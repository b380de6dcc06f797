//! The operations of the service, one file each.

pub mod bucket;
pub mod copy;
pub mod get;
pub mod keys;
pub mod list;
pub mod move_object;
pub mod multipart;
pub mod put;
pub mod remove;
pub mod render;
pub mod seed;
pub mod sign;
pub mod tus;
