//! The routes and named functions of payments.

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};
use compat_functions::Access::Public;
use compat_functions::{Function, function};

use crate::State;
use crate::config::ProviderName;
use crate::wire::{
    check_payment, cleanup_arcade_spots, order_arcade, order_prestige, stripe_webhook,
    test_checkout,
};

/// The named functions, for `functions/v1`. All are public: orders have a refusal of their own for
/// callers who are not signed in, payers may return from the provider signed out, and a cleanup is
/// harmless.
pub fn functions(state: &State) -> Vec<Arc<dyn Function>> {
    vec![
        function("create-prestige-payment", Public, state, order_prestige::answer),
        function("create-arcade-spot-payment", Public, state, order_arcade::answer),
        function("check-payment", Public, state, check_payment::answer),
        function("cleanup-pending-arcade-spots", Public, state, cleanup_arcade_spots::answer),
    ]
}

/// The routes that the configured provider needs, relative to the site's root.
pub fn router(state: State) -> Router {
    let routes = match state.config().provider {
        Some(ProviderName::Test) => Router::new().route(
            "/payments/test/{session}",
            get(test_checkout::page).post(test_checkout::submit),
        ),
        Some(ProviderName::Stripe) => Router::new().route(
            "/payments/webhooks/stripe",
            post(stripe_webhook::receive).layer(DefaultBodyLimit::max(stripe_webhook::MAX_BODY)),
        ),
        None => Router::new(),
    };
    routes.with_state(state)
}
