//! `/oauth/…`, `/admin/oauth/clients` and `/user/oauth/grants`

pub mod authorize;
pub mod clients;
pub mod grants;
pub mod token;
