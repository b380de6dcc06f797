//! The types of the service: buckets, objects, keys, pages and requests.

pub mod bucket;
pub mod key;
pub mod list;
pub mod media_type;
pub mod object;
pub mod operation;
pub mod request_context;
pub mod scalar;
pub mod size;

pub use bucket::Bucket;
pub use object::ObjectRow;
pub use request_context::RequestContext;
