//! Payments on a database of their own, router in process.

mod deletions;
mod orders;
mod refunds;
mod stand_in;
mod statements;
mod stripe;
mod sweep;
mod test_checkout;
mod tiles;
mod webhooks;
mod world;
