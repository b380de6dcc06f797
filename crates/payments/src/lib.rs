//! What is paid for: promoted days of a server, and tiles of the home page.
//!
//! Promises: every payment ends in exactly one of never taken, counted once, or given back, whoever
//! hears of it first and however often (the provider's notice, the page the payer comes back to, the
//! reconciliation of open ones), and whatever dies meanwhile; amounts are the price list's. The states
//! and their transitions are the database's (`sql/repeatable/payments*.sql`); here is what surrounds them:
//! the providers of the checkout page, their notices, and the jobs that end what was begun. Nothing
//! else on the site touches money.
//!
//! Knows nothing of votes and rankings, of how pages look, nor of cards: those are the provider's.

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
