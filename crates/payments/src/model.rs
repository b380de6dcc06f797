//! The data types of payments.

pub(crate) mod money;
pub(crate) mod notification;
pub(crate) mod order;
pub(crate) mod payment;
pub(crate) mod session_status;
pub(crate) mod stripe_event;
pub(crate) mod stripe_signature;
pub(crate) mod test_checkout;
