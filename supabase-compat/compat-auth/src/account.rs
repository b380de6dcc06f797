//! Accounts: the steps that deeds share. Making one, confirming its addresses, keeping its
//! identities and their names in step. It does not know who asks, nor what is mailed.

pub mod confirm;
pub mod ensure;
pub mod identity;
pub mod make;
pub mod names;

pub use make::{
    Announced, Made, Maker, NewAccount, announce, announce_address, has_asker, make, tell,
};
