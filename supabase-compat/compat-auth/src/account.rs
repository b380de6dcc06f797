//! Accounts: the steps that several flows share, such as creating an account, confirming its
//! addresses, and keeping its identities and their names consistent. This module does not know who
//! makes the request or which mails are sent.

pub mod confirm;
pub mod create;
pub mod ensure;
pub mod identity;
pub mod names;

pub use create::{
    AccountOrigin, AnnouncedAccount, CreatedAccount, NewAccount, announce, announce_address,
    create, has_asker, notify_hooks,
};
