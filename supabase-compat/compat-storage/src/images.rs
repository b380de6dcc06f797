//! Pictures rendered at a size, a quality and in a form somebody asks for.
//!
//! This room promises that whatever is uploaded costs no more than a set amount of memory and
//! time, that a result holds pixels and nothing else of its source, and that nobody takes the
//! renderer from the others. It deliberately does not know buckets, rights or requests.

mod attention;
mod colour;
mod encode;
mod frame;
mod halt;
mod kept;
mod kind;
mod refusal;
mod render;
mod renderer;
mod resize;
mod source;
pub mod transform;

pub use halt::Halt;
pub use kept::Wish;
pub use kind::Kind;
pub use refusal::Refusal;
pub use render::{Picture, Rendering};
pub use renderer::{Limits, NoPicture, Renderer};
pub use transform::Transform;
