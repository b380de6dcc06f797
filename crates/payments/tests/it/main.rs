//! Tests of payments, each with a database of its own and the router in the same process.

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
