//! Allowed redirects: the site itself, and the addresses that the allow list matches.

use std::net::IpAddr;

use compat_http::is_local;
use url::Url;

mod glob;

pub use glob::Glob;

/// The compiled rules. A redirect that is not allowed is silently replaced by the site's address.
#[derive(Debug, Clone)]
pub struct RedirectRules {
    site: String,
    parsed_site: Option<Url>,
    globs: Vec<Glob>,
}

impl RedirectRules {
    /// Compiles the site's address and the globs of the allow list; an invalid glob matches
    /// nothing.
    pub fn new(site_url: &str, allow_list: &[String]) -> Self {
        Self {
            site: site_url.to_owned(),
            parsed_site: Url::parse(site_url).ok(),
            globs: allow_list.iter().filter_map(|pattern| Glob::parse(pattern.trim())).collect(),
        }
    }

    /// The site's own address.
    pub fn site(&self) -> &str {
        &self.site
    }

    /// The first allowed candidate, or else the site's address.
    pub fn choose<'a>(&'a self, candidates: impl IntoIterator<Item = &'a str>) -> &'a str {
        candidates.into_iter().find(|candidate| self.allows(candidate)).unwrap_or(&self.site)
    }

    /// Whether a redirect to `candidate` is allowed.
    pub fn allows(&self, candidate: &str) -> bool {
        let Ok(url) = Url::parse(candidate) else { return false };
        if !has_unambiguous_host(&url, candidate) {
            return false;
        }
        if self.parsed_site.as_ref().is_some_and(|site| is_same_site(site, &url)) {
            return true;
        }
        let bare = candidate.split('#').next().unwrap_or_default();
        let bare = bare.to_owned();
        self.globs.iter().any(|glob| glob.matches(&bare))
    }
}

/// Whether scheme, host and port are the site's. On the loopback the port may differ, because
/// development servers change it.
fn is_same_site(site: &Url, url: &Url) -> bool {
    let same_host = site.scheme() == url.scheme() && site.host_str() == url.host_str();
    let same_port = site.port_or_known_default() == url.port_or_known_default();
    same_host && site.host().is_some() && (same_port || is_local(url))
}

/// Whether the host in the text is the host that a browser contacts. IP addresses are allowed only
/// on the loopback and only in their usual notation; text that a browser would normalise to another
/// host is refused. Custom schemes of applications have no such hosts.
fn has_unambiguous_host(url: &Url, text: &str) -> bool {
    if !matches!(url.scheme(), "http" | "https") {
        return !matches!(url.scheme(), "javascript" | "data" | "vbscript" | "blob" | "file");
    }
    if text.contains('\\') || text.chars().any(char::is_control) || !url.username().is_empty() {
        return false;
    }
    let host = url.host_str().unwrap_or_default();
    let host_in_text = text
        .split_once("://")
        .map(|(_, rest)| rest.split(['/', '?', '#']).next().unwrap_or_default())
        .map(|authority| authority.to_lowercase())
        .unwrap_or_default();
    let written_host = match url.port() {
        Some(port) => {
            host_in_text.strip_suffix(&format!(":{port}")).unwrap_or(&host_in_text).to_owned()
        }
        None => host_in_text.split_once("]:").map_or_else(
            || host_in_text.trim_end_matches(":443").trim_end_matches(":80").to_owned(),
            |(host, _)| format!("{host}]"),
        ),
    };
    let is_ip = host.trim_matches(['[', ']']).parse::<IpAddr>().is_ok();
    written_host == host && (!is_ip || is_local(url))
}

#[cfg(test)]
mod tests;
