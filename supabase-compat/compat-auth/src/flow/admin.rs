//! What an administrator does to accounts.

pub mod audit_log;
pub mod change_user;
pub mod create_user;
pub mod delete_user;
pub mod generate_link;
pub mod invite;
pub mod list_users;
