//! Pictures rendered at a size, a quality and in a form somebody asks for.
//!
//! This room promises that whatever is uploaded costs no more than a set amount of memory and
//! time, that a result holds pixels and nothing else of its source, and that nobody takes the
//! renderer from the others. It deliberately does not know buckets, rights or requests.

mod attention;
mod cancel_flag;
mod colour;
mod encode;
mod frame;
mod kind;
mod refusal;
mod render;
mod renderer;
mod resize;
mod result_cache;
mod source;
pub mod transform;

pub use cancel_flag::CancelFlag;
pub use kind::Kind;
pub use refusal::ImageRefusal;
pub use render::{Picture, Rendering};
pub use renderer::{Limits, RenderError, Renderer};
pub use result_cache::RenderKey;
pub use transform::Transform;
