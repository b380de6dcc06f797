//! Payments, for days of Prestige and for Arcade spots on the home page.
//!
//! Every payment ends in exactly one of three ways: it is never paid, it counts once, or it is
//! refunded. This holds whichever source reports it first and however often (a webhook event, the
//! page to which the payer returns, the reconciliation of open payments), and whichever process
//! dies meanwhile. Amounts are those of the price list. The states and their transitions are
//! defined in the database (`sql/repeatable/payments*.sql`); this crate contains the providers of
//! the checkout page, their webhook events, and the jobs that end unfinished payments. No other
//! part of the site handles money.
//!
//! Votes, rankings and the look of pages are not known here, nor are cards: the provider handles
//! those.

mod buyer;
mod config;
mod error;
mod flow;
pub mod jobs;
mod model;
mod pictures;
mod pool_budgets;
mod provider;
mod retry;
mod router;
mod state;
mod store;
mod wire;

pub use config::{Config, ProviderName};
pub use error::Refusal;
pub use jobs::{JOBS, Job};
pub use pictures::{PictureCopier, PictureError};
pub use pool_budgets::POOL_BUDGETS;
pub use router::{functions, router};
pub use state::State;
