//! The captured mailbox, for development. Its mails contain valid sign-in links, so it is served to
//! clients on this machine only, only where the public address is local, and to no page but its
//! own.

use axum::Router;
use axum::extract::Request;
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse as _, Response};
use compat_http::ClientIp;
use compat_mail::{Mailbox, mailbox_router};
use http::{HeaderMap, HeaderValue, StatusCode, header};

/// The routes of `/mailbox`, which must stay outside the CORS layer.
pub fn router(mailbox: Mailbox) -> Router {
    mailbox_router(mailbox).layer(from_fn(this_machine_only))
}

/// Whether an address is one of this machine only.
pub fn is_local(address: &str) -> bool {
    url::Url::parse(address).is_ok_and(|url| compat_http::is_local(&url))
}

async fn this_machine_only(ClientIp(ip): ClientIp, request: Request, next: Next) -> Response {
    // A request target in absolute form takes precedence over the `Host` header.
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

/// Whether the `Host` of a request is a name of this machine. Any domain may resolve to this
/// machine (DNS rebinding).
pub fn is_named_local(headers: &HeaderMap) -> bool {
    let host = headers.get(header::HOST).map(|host| host.to_str().unwrap_or_default());
    host.is_none_or(|host| is_local(&format!("http://{host}")))
}

/// Whether the request comes from the mailbox's own page. A page of another origin that is open in
/// a local browser is recognised by `Origin` or `Sec-Fetch-Site`.
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
    async fn mailbox_refuses_framing_and_foreign_hosts() {
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
