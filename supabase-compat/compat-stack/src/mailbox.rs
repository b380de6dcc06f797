//! The captured mailbox, for development: it shows live links, so it answers only who sits at this
//! machine, and only where the services have no address beyond it.

use axum::Router;
use axum::extract::Request;
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse as _, Response};
use compat_auth::{Mailbox, mailbox_router};
use compat_http::ClientIp;
use http::{StatusCode, header};

/// `/mailbox` and what lies below it.
pub fn router(mailbox: Mailbox) -> Router {
    mailbox_router(mailbox).layer(from_fn(this_machine_only))
}

/// Whether an address leads to this machine and nowhere else.
pub fn is_local(address: &str) -> bool {
    let url = url::Url::parse(address).ok();
    match url.as_ref().and_then(url::Url::host) {
        Some(url::Host::Domain(name)) => name == "localhost",
        Some(url::Host::Ipv4(ip)) => ip.is_loopback(),
        Some(url::Host::Ipv6(ip)) => ip.is_loopback(),
        None => false,
    }
}

/// The name in `Host` is checked, too: a page elsewhere may have its own name point here.
async fn this_machine_only(ClientIp(ip): ClientIp, request: Request, next: Next) -> Response {
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    let named_local = host.is_none_or(|host| is_local(&format!("http://{host}")));
    if ip.is_loopback() && named_local {
        next.run(request).await
    } else {
        StatusCode::NOT_FOUND.into_response()
    }
}

#[cfg(test)]
mod tests {
    use super::is_local;

    #[test]
    fn only_this_machine_counts_as_local() {
        for address in ["http://localhost:8000", "http://127.0.0.1", "http://[::1]:8000"] {
            assert!(is_local(address), "{address}");
        }
        for address in
            ["https://palmares.example", "http://10.0.0.4", "http://localhost.evil.example", "x"]
        {
            assert!(!is_local(address), "{address}");
        }
    }
}
