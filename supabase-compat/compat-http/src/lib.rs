//! What every service shares at the edge: request ids, spans, CORS, the client's address, the
//! credentials headers, the facts of a request that SQL may ask for, and the three inputs that must
//! never be taken directly: time, chance and calls that leave the process.
//!
//! It knows no service's paths and no service's error shape: each answers its own refusals.

mod answer;
mod cache;
mod client_ip;
mod clock;
mod compress;
mod cors;
mod credentials;
mod drain;
mod edge;
mod entropy;
mod facts;
mod html;
mod layers;
mod limit;
mod outgoing;
mod place;
mod request_id;
mod request_line;
mod setting;
mod siteverify;

pub use answer::json;
pub use cache::{TtlCache, WeightedLru};
pub use client_ip::ClientIp;
pub use clock::Clock;
pub use compat_fair_semaphore::client_prefix;
pub use credentials::{credentials, hide_key};
pub use edge::Edge;
pub use entropy::Entropy;
pub use facts::RequestFacts;
pub use html::{escape_html, unescape_html};
pub use layers::{layers, layers_without_cors};
pub use limit::{Allowance, Quota, RateLimit};
pub use outgoing::{
    AllowedHost, Answer, NoHost, Outgoing, OutgoingConfig, OutgoingError, OutgoingRequest, Reach,
    is_public,
};
pub use place::is_local;
pub use request_id::RequestId;
pub use request_line::{Forgiving, Peer};
pub use setting::SettingProblem;
pub use siteverify::{Siteverify, Verdict};
