//! Each service started without the others.

use crate::world::{World, application, ask, read, until};

#[tokio::test]
async fn standalone_rest_answers_at_the_root() {
    let world = World::of_somebody_else().await;
    let stack = world.start(&["--only", "rest"], &[("PGRST_DB_ANON_ROLE", "anon")]).await;
    let (router, operators) = (stack.router(application()).unwrap(), stack.operators_router());
    until(&operators, "/ready", |status, _| status == 200).await;
    for path in ["/", "/rest/v1/"] {
        let answer = ask(&router, path, &[]).await;
        assert_eq!(answer.status, 200, "{path}");
        assert_eq!(answer.json()["swagger"], "2.0", "{path}");
    }
    let elsewhere = ask(&router, "/", &[("origin", "https://a.example")]).await;
    let own = ask(&router, "/", &[]).await;
    assert_eq!(elsewhere.header("access-control-allow-origin"), "*");
    assert_eq!(own.header("access-control-allow-origin"), "", "no gateway stands before it");
    assert_eq!(read(&router, "/auth/v1/settings").await.0, 404);
    assert!(!world.has_schema("auth").await);
    stack.stop().await;
}

#[tokio::test]
async fn standalone_auth_answers_at_the_root() {
    let world = World::of_somebody_else().await;
    let stack = world.start(&["--only", "auth"], &[]).await;
    let router = stack.router(application()).unwrap();
    for path in ["/settings", "/auth/v1/settings"] {
        let answer = ask(&router, path, &[]).await;
        assert_eq!(answer.status, 200, "{path}");
        assert_eq!(answer.header("access-control-allow-origin"), "*");
    }
    assert_eq!(read(&router, "/rest/v1/").await.0, 404);
    assert!(read(&router, "/health").await.1.contains("GoTrue"), "auth/v1 has its own");
    assert!(world.has_schema("auth").await);
    stack.stop().await;
}

#[tokio::test]
async fn functions_alone_leave_the_root_to_the_application() {
    let world = World::of_somebody_else().await;
    let stack = world.start(&["--only", "functions"], &[]).await;
    let router = stack.router(application()).unwrap();
    assert_eq!(read(&router, "/").await, (200, "a page".to_owned()));
    assert_eq!(read(&router, "/functions/v1/hello").await, (200, "hello".to_owned()));
    assert!(!world.has_schema("auth").await);
    stack.stop().await;
}
