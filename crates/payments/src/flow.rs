//! The flows of payments, one file for each thing that happens to a payment. A flow begins and ends
//! its transaction.

pub(crate) mod check_status;
pub(crate) mod handle_webhook;
pub(crate) mod order;
pub(crate) mod reconcile;
pub(crate) mod refund;
mod render_email;
pub(crate) mod settle;
pub(crate) mod test_checkout;
