//! The captured mailbox, for development: it shows live links, so it answers only who sits at this
//! machine, only where the services have no address beyond it, and no page but its own.

use axum::Router;
use axum::extract::Request;
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse as _, Response};
use compat_http::ClientIp;
use compat_mail::{Mailbox, mailbox_router};
use http::{HeaderMap, HeaderValue, StatusCode, header};

/// `/mailbox` and what lies below it. It belongs outside the layer that lets other origins read.
pub fn router(mailbox: Mailbox) -> Router {
    mailbox_router(mailbox).layer(from_fn(this_machine_only))
}

/// Whether an address leads to this machine and nowhere else.
pub fn is_local(address: &str) -> bool {
    url::Url::parse(address).is_ok_and(|url| compat_http::is_local(&url))
}

async fn this_machine_only(ClientIp(ip): ClientIp, request: Request, next: Next) -> Response {
    // The target of a request may name a host, too, before which the header counts for nothing.
    let named = request.uri().authority().is_none_or(|name| is_local(&format!("http://{name}")));
    if ip.is_loopback() && named && may_read(request.headers()) {
        let mut response = next.run(request).await;
        let headers = response.headers_mut();
        headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
        response
    } else {
        StatusCode::NOT_FOUND.into_response()
    }
}

/// Whether a request calls this machine by a name of its own: a page elsewhere may have its own
/// name point here.
pub fn is_named_local(headers: &HeaderMap) -> bool {
    let host = headers.get(header::HOST).map(|host| host.to_str().unwrap_or_default());
    host.is_none_or(|host| is_local(&format!("http://{host}")))
}

/// The person at this machine may have any page open: one that asks from elsewhere is known by
/// `Origin`, or by the browser's word (Fetch Metadata).
fn may_read(headers: &HeaderMap) -> bool {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let is_ours = |origin: &str| origin.split_once("://").map(|(_, host)| host) == host;
    let from_here =
        headers.get(header::ORIGIN).is_none_or(|origin| origin.to_str().is_ok_and(is_ours));
    let from_elsewhere = headers.get("sec-fetch-site").is_some_and(|site| site == "cross-site");
    is_named_local(headers) && from_here && !from_elsewhere
}

#[cfg(test)]
mod tests {
    use tower::ServiceExt as _;

    use super::*;

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

    #[tokio::test]
    async fn mailbox_is_framed_by_nobody_and_reached_by_its_own_name() {
        let page = axum::routing::get(|| async { "letters" });
        let router = Router::new().route("/mailbox", page).layer(from_fn(this_machine_only));
        for (target, status) in [
            ("/mailbox", StatusCode::OK),
            ("http://localhost:8000/mailbox", StatusCode::OK),
            ("http://evil.example/mailbox", StatusCode::NOT_FOUND),
        ] {
            let mut request = Request::get(target)
                .header("host", "localhost:8000")
                .body(axum::body::Body::empty())
                .expect("a request");
            request.extensions_mut().insert(ClientIp(std::net::Ipv4Addr::LOCALHOST.into()));
            let answer = router.clone().oneshot(request).await.expect("an answer");
            assert_eq!(answer.status(), status, "{target}");
            if status == StatusCode::OK {
                assert_eq!(answer.headers()[header::X_FRAME_OPTIONS], "DENY");
            }
        }
    }

    #[test]
    fn pages_from_elsewhere_do_not_read_the_mailbox() {
        let may = |pairs: &[(&'static str, &'static str)]| {
            let pair = |(name, value): &(&'static str, &'static str)| {
                (http::HeaderName::from_static(name), http::HeaderValue::from_static(value))
            };
            may_read(&pairs.iter().map(pair).collect())
        };
        let host = ("host", "localhost:8000");
        assert!(may(&[host]));
        assert!(may(&[host, ("sec-fetch-site", "none")]));
        assert!(may(&[
            host,
            ("origin", "http://localhost:8000"),
            ("sec-fetch-site", "same-origin")
        ]));
        assert!(!may(&[("host", "evil.example")]));
        assert!(!may(&[host, ("origin", "https://evil.example")]));
        assert!(!may(&[host, ("origin", "http://localhost:3000")]));
        assert!(!may(&[host, ("origin", "null")]));
        assert!(!may(&[host, ("sec-fetch-site", "cross-site")]));
    }
}
