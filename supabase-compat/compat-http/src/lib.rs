//! What every service shares at the edge: request ids, spans, CORS, the client's address, the
//! credentials headers, the facts of a request that SQL may ask for, and the three inputs that must
//! never be taken directly: time, chance and calls that leave the process.
//!
//! It knows no service's paths and no service's error shape: each answers its own refusals.

mod cache;
mod client_ip;
mod clock;
mod compress;
mod cors;
mod credentials;
mod drain;
mod entropy;
mod environment;
mod facts;
mod html;
mod layers;
mod limit;
mod listener_terms;
mod local_address;
mod outgoing;
mod redaction;
mod request_id;
mod request_line;
mod response;
mod setting;
mod siteverify;
mod static_file;

pub use cache::{TtlCache, WeightedLru};
pub use client_ip::ClientIp;
pub use clock::Clock;
pub use compat_fair_semaphore::client_prefix;
pub use credentials::{credentials, hide_key};
pub use entropy::Entropy;
pub use environment::ServiceEnvironment;
pub use facts::RequestFacts;
pub use html::{escape_html, unescape_html};
pub use layers::{layers, layers_without_cors};
pub use limit::{RateLimit, RateLimitConfig, RateLimitStatus};
pub use listener_terms::ListenerTerms;
pub use local_address::is_local;
pub use outgoing::{
    AllowedHost, AllowedHostError, EgressPolicy, Outgoing, OutgoingConfig, OutgoingError,
    OutgoingRequest, OutgoingResponse, is_public,
};
pub use redaction::{redact_error, redact_path, redact_query, redact_text};
pub use request_id::RequestId;
pub use request_line::{LenientIo, Peer};
pub use response::json;
pub use setting::SettingProblem;
pub use siteverify::{Siteverify, SiteverifyVerdict};
pub use static_file::{StaticFile, compressed_name, is_plain_name, static_response};
