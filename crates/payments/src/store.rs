//! The site's SQL as payments use it, one file per aggregate. Nothing here begins or ends a
//! transaction but what a buyer does in one statement.

pub(crate) mod arcade_spot;
pub(crate) mod notification;
pub(crate) mod order;
pub(crate) mod payment;
pub(crate) mod refund;
pub(crate) mod test_checkout;
