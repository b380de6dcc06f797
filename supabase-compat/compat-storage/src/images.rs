//! Pictures rendered at a requested size, quality and format.
//!
//! Rendering costs no more than a fixed amount of memory and time, whatever was uploaded; a result
//! holds the pixels of its source and nothing else; no client can occupy the renderer alone. This
//! module does not know buckets, permissions or requests.

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
