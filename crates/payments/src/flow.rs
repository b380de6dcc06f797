//! What becomes of payments, one file for each thing that happens to them. A flow begins its
//! transaction and ends it.

pub(crate) mod give_back;
pub(crate) mod hear;
pub(crate) mod look;
pub(crate) mod order;
mod render_email;
pub(crate) mod settle;
pub(crate) mod sweep;
pub(crate) mod test_checkout;
