//! The data of a request that several flows need.

use std::net::IpAddr;

/// The client of a request, and the redirect that it asks for.
#[derive(Debug, Clone)]
pub struct RequestContext {
    pub ip: IpAddr,
    pub user_agent: String,
    /// The audience in which accounts are looked up.
    pub aud: String,
    /// The allowed redirect address; the site's own if the request names none.
    pub redirect_to: String,
    /// The allowed address from which a proxy forwarded the request, for links in mails.
    pub mail_base: Option<String>,
}
