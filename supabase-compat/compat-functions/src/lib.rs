//! `functions/v1`: named functions, called by name over HTTP.
//!
//! Promises what `supabase-js` expects of `functions.invoke`: the path below the name, the query,
//! the method, the headers and the body reach the function as they were sent; its answer goes back
//! as it was made, streamed if it streams; the host's own refusals are answered as
//! `{"code","message"}` with a matching `sb-error-code` header.
//!
//! Does not know what a function does, and its router does not know how a function is hosted: a
//! function implements [`Function`], a source of functions implements [`Host`]. The host
//! [`Scripts`] serves a folder of functions in TypeScript.

mod body;
mod config;
mod error;
mod flow;
mod handler;
mod host;
mod model;
mod router;
mod scripts;
mod state;
mod stats;
mod wire;

pub use compat_token::Caller;
pub use config::{Config, FunctionConfig};
pub use error::{CallRefusal, RegistryError};
pub use futures_util::future::BoxFuture;
pub use handler::{Access, JsonBodyError, function, json_body, posted};
pub use host::{DynamicRegistry, Host, Registry};
pub use model::{Function, Invocation};
pub use router::router;
pub use scripts::{
    Entry, FunctionLimits, FunctionStatus, Scripts, ScriptsConfig, SecretsFile, Tool, ToolLimits,
    ToolScript, ToolScriptError, ToolchainConfig, is_platform_name, is_reserved_name,
    is_secret_name, list,
};
pub use state::State;
pub use stats::{CallStats, LastCall};
