//! The requests and answers of payments, field by field.

mod buyer;
pub(crate) mod check_payment;
pub(crate) mod cleanup_arcade_spots;
pub(crate) mod order_arcade;
pub(crate) mod order_prestige;
pub(crate) mod stripe_webhook;
pub(crate) mod test_checkout;
