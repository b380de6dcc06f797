//! `functions/v1`: named functions, called by name over HTTP.
//!
//! Promises what `supabase-js` expects of `functions.invoke`: the path below the name, the query,
//! the method, the headers and the body reach the function as they were sent; its answer goes back
//! as it was made, streamed if it streams; what the host itself refuses is told as
//! `{"code","message"}` with a matching `sb-error-code` header.
//!
//! Knows nothing of what a function does, and nothing of how one is hosted: a function is whatever
//! implements [`Function`]. Here they are values linked into the binary.

mod config;
mod error;
mod flow;
mod model;
mod registry;
mod router;
mod wire;

pub use compat_token::Caller;
pub use config::{Config, FunctionConfig};
pub use error::{Refusal, RegistryError};
pub use model::{BoxFuture, Function, Invocation};
pub use router::{State, router};
