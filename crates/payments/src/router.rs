//! Paths and names to handlers.

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};
use compat_functions::Function;

use crate::State;
use crate::config::ProviderName;
use crate::wire::check_payment::CheckPayment;
use crate::wire::cleanup_arcade_spots::CleanupPendingArcadeSpots;
use crate::wire::order_arcade::CreateArcadeSpotPayment;
use crate::wire::order_prestige::CreatePrestigePayment;
use crate::wire::{stripe_webhook, test_checkout};

/// The named functions, for `functions/v1`.
pub fn functions(state: State) -> Vec<Arc<dyn Function>> {
    vec![
        Arc::new(CreatePrestigePayment(state.clone())),
        Arc::new(CreateArcadeSpotPayment(state.clone())),
        Arc::new(CheckPayment(state.clone())),
        Arc::new(CleanupPendingArcadeSpots(state)),
    ]
}

/// What the provider that is set up needs of us, relative to the site's root.
pub fn router(state: State) -> Router {
    let routes = match state.config().provider {
        Some(ProviderName::Test) => Router::new().route(
            "/payments/test/{session}",
            get(test_checkout::page).post(test_checkout::chosen),
        ),
        Some(ProviderName::Stripe) => Router::new().route(
            "/payments/webhooks/stripe",
            post(stripe_webhook::receive).layer(DefaultBodyLimit::max(stripe_webhook::MAX_BODY)),
        ),
        None => Router::new(),
    };
    routes.with_state(state)
}
