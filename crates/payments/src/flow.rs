//! What becomes of payments, one file for each thing that happens to them. A flow begins its
//! transaction and ends it.

pub(crate) mod arcade_spots;
pub(crate) mod check_status;
pub(crate) mod handle_webhook;
pub(crate) mod order;
pub(crate) mod reconcile;
pub(crate) mod refund;
pub(crate) mod settle;
pub(crate) mod tell_payers;
pub(crate) mod test_checkout;
