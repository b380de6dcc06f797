//! Cross-origin requests to the service without a gateway.

use axum::body::Body;
use compat_rest::Config;
use compat_testkit::{TestResponse, call};
use http::Request;

use crate::library::{Library, config};

async fn ask(
    library: &Library,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
) -> TestResponse {
    let router = compat_rest::standing_alone(library.state.clone());
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    call(&router, request.body(Body::empty()).expect("a request")).await
}

const EXPOSED: &str = "Content-Encoding, Content-Location, Content-Range, Content-Type, Date, \
                       Location, Server, Transfer-Encoding, Range-Unit";

#[tokio::test]
async fn any_origin_may_ask_and_read() {
    let library = Library::open().await;
    let preflight = [
        ("origin", "http://example.com"),
        ("access-control-request-method", "POST"),
        ("access-control-request-headers", "Foo,Bar"),
    ];
    let answer = ask(&library, "OPTIONS", "/books", &preflight).await;
    assert_eq!((answer.status.as_u16(), answer.text().as_str()), (200, ""));
    assert_eq!(answer.header("access-control-allow-origin"), "*");
    assert_eq!(
        answer.header("access-control-allow-methods"),
        "GET, POST, PATCH, PUT, DELETE, OPTIONS, HEAD"
    );
    assert_eq!(
        answer.header("access-control-allow-headers"),
        "Authorization, Foo, Bar, Accept, Accept-Language, Content-Language"
    );
    assert_eq!(answer.header("access-control-max-age"), "86400");
    let read = ask(&library, "GET", "/shelves", &[("origin", "http://example.com")]).await;
    assert_eq!(read.header("access-control-allow-origin"), "*");
    assert_eq!(read.header("access-control-expose-headers"), EXPOSED);
}

#[tokio::test]
async fn without_an_origin_nothing_is_said() {
    let library = Library::open().await;
    let read = ask(&library, "GET", "/shelves", &[]).await;
    assert_eq!(read.headers.get("access-control-allow-origin"), None);
    assert_eq!(read.headers.get("access-control-expose-headers"), None);
    let info = ask(&library, "OPTIONS", "/shelves", &[]).await;
    assert_eq!(info.header("allow"), "OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE");
    assert_eq!(info.header("server"), concat!("postgrest/", env!("CARGO_PKG_VERSION")));
    assert_eq!(info.header("access-control-allow-origin"), "*");
}

#[tokio::test]
async fn only_listed_origins_are_allowed() {
    let origins = vec!["http://one.example".to_owned(), "http://two.example".to_owned()];
    let library = Library::with(Config { cors_allowed_origins: origins, ..config() }).await;
    let listed = ask(&library, "GET", "/shelves", &[("origin", "http://two.example")]).await;
    assert_eq!(listed.header("access-control-allow-origin"), "http://two.example");
    assert_eq!(listed.header("access-control-allow-credentials"), "true");
    let other = ask(&library, "GET", "/shelves", &[("origin", "http://three.example")]).await;
    assert_eq!(other.status.as_u16(), 200);
    assert_eq!(other.headers.get("access-control-allow-origin"), None);
}

/// A gateway removes its key from the query; PostgREST itself has no key and parses it as a filter.
#[tokio::test]
async fn mounted_router_ignores_the_apikey_parameter() {
    let library = Library::open().await;
    let path = "/books?select=id&limit=1&apikey=e30.e30.x";
    let router = compat_rest::router(library.state.clone());
    assert_eq!(library.ask_of(&router, "GET", path).await.status, 200);
    assert_eq!(ask(&library, "GET", path, &[]).await.status, 400);
}
