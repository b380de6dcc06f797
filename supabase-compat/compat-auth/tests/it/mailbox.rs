//! The pages of the mailbox that captures emails in development.

use axum::body::Body;
use compat_testkit::call;
use http::Request;
use serde_json::json;

use crate::world::World;

#[tokio::test]
async fn mailbox_lists_mails_as_json_and_html() {
    let world = World::new().await;
    let body = json!({"email": "ada@example.test", "password": "correct horse"});
    world.post("/signup", body).await;
    world.mailbox.arrival(1).await;
    let router = compat_mail::mailbox_router(world.mailbox.clone());
    let get = |path: &'static str, accept: &'static str| {
        let request = Request::get(path).header("accept", accept).body(Body::empty()).unwrap();
        let router = &router;
        async move { call(router, request).await }
    };
    let list = get("/mailbox", "*/*").await.json();
    assert_eq!(list[0]["to"], "ada@example.test");
    assert_eq!(list[0]["id"], 1);
    let one = get("/mailbox/1", "application/json").await.json();
    assert_eq!(one, list[0]);
    for path in ["/mailbox/2", "/mailbox/x"] {
        assert_eq!(get(path, "*/*").await.status, 404);
    }
    let page = get("/mailbox", "text/html,*/*").await;
    assert!(page.text().contains("<a href=\"/mailbox/1\">Confirm your email address</a>"));
    let page = get("/mailbox/1", "text/html").await.text();
    assert!(page.contains("<iframe sandbox=") && page.contains("srcdoc=\"&lt;base"));
}
