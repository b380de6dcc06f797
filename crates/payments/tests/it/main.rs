//! Payments on a database of their own, router in process.

mod arcade_spots;
mod deletions;
mod orders;
mod reconcile;
mod refunds;
mod stand_in;
mod statements;
mod stripe;
mod test_checkout;
mod webhooks;
mod world;
