//! Accounts: the steps that deeds share. Making one, confirming its addresses, keeping its
//! identities and their names in step. It does not know who asks, nor what is mailed.

pub mod confirm;
pub mod create;
pub mod ensure;
pub mod identity;
pub mod names;

pub use create::{
    AccountOrigin, AnnouncedAccount, CreatedAccount, NewAccount, announce, announce_address,
    create, has_asker, notify_hooks,
};
