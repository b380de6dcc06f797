//! The ranking: listings, votes and ranks.
//!
//! Promises: a vote counts once per cooldown for its address, account and nickname, even when
//! requests race; a server's own site can ask whether an address voted; months end on time even
//! after a crash; page titles contain only what a visitor may read. The rules themselves are in the
//! database (`sql/`). This crate holds what surrounds them: nicknames, proof of work, address
//! hashes, the wire formats of the responses, and the periodic jobs.
//!
//! Knows nothing of how accounts are made, of how pages read rows, of HTML, or of the process it
//! runs in.

mod captcha;
mod config;
pub mod demo;
mod error;
mod flow;
pub mod jobs;
mod leaderboard_cache;
mod lookup_batcher;
mod model;
mod network_blocklist;
mod pictures;
mod pool_budgets;
mod receipt;
mod rejection_counts;
mod router;
mod secret;
mod server_changes;
mod state;
mod store;
mod vote_batcher;
mod wire;
mod workers;

pub use compat_http::SettingProblem;
use compat_pg::SchemaSource;
use include_dir::{Dir, include_dir};

pub use compat_http::RateLimitConfig;
pub use compat_proof_of_work::ProofRefusal as CaptchaRefusal;
pub use config::{CaptchaConfig, CaptchaProvider, Config, Retention, StatusConfig};
pub use error::Refusal;
pub use flow::copy_picture::copy_picture;
pub use flow::describe_card::card_facts;
pub use flow::describe_page::{
    event_facts, game_facts, is_month_kept, moved_server, server_facts, typical_servers,
};
pub use flow::list_new_servers::new_servers;
pub use flow::list_pages::{site_facts, sitemap_facts, sitemap_place, sitemap_servers};
pub use flow::show_widget::widget_facts;
pub use jobs::{COPY_PICTURES, JOBS, Job, OPTIMIZE_IMAGES, run_job};
pub use model::ban::Ban;
pub use model::card::{CardFacts, CardQuery, EventCard, GamesCard, PlacedServer, ServerCard};
pub use model::feed::{FeedGame, NewServer, NewServers};
pub use model::page::{
    EventFacts, GameFacts, GameQuery, ServerFacts, ServerQuery, SiteFacts, SitemapFacts,
    SitemapPlace, SitemapServer,
};
pub use model::picture_copy::{CopyError, PictureUse};
pub use model::plain_text::{summary, unescape};
pub use model::reason::Reason;
pub use model::ticket::TicketRefusal;
pub use model::vote::VoteLimit;
pub use model::voter::{IpHash, NetworkHash};
pub use model::widget::WidgetFacts;
pub use pictures::Pictures;
pub use pool_budgets::POOL_BUDGETS;
pub use router::{functions, picture_function, router};
pub use state::State;
pub use workers::deliver::run_deliveries;

static SQL: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/../../sql");

/// The site's own schema.
pub static SCHEMA: SchemaSource = SchemaSource { schema: "public", dir: &SQL };
