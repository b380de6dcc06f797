//! The SQL of payments, one file for each aggregate. A store neither begins nor ends a transaction,
//! except for the single statements that run in a buyer's name.

pub(crate) mod arcade_spot;
pub(crate) mod notification;
pub(crate) mod order;
pub(crate) mod payment;
pub(crate) mod refund;
pub(crate) mod test_checkout;
