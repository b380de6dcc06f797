//! The circumstances of a request that flows record or obey.

use std::net::IpAddr;

/// Where a request comes from and where its person wants to go.
#[derive(Debug, Clone)]
pub struct RequestContext {
    pub ip: IpAddr,
    pub user_agent: String,
    /// Accounts are looked up within one audience.
    pub aud: String,
    /// An allowed address, the site's own when none was asked for.
    pub redirect_to: String,
    /// An allowed address the request was forwarded from, for links in mails.
    pub mail_base: Option<String>,
}
