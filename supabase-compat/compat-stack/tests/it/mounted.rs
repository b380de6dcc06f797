//! All services on one origin.

use compat_stack::{Application, COMMIT, StackError, VERSION, services};

use crate::world::{World, application, ask, read, until};

#[tokio::test]
async fn every_service_is_mounted_at_its_path() {
    let world = World::of_somebody_else().await;
    let stack = world.start(&[], &[]).await;
    let (router, operators) = (stack.router(application()).unwrap(), stack.operators_router());
    until(&operators, "/ready", |status, _| status == 200).await;
    assert_eq!(read(&router, "/").await, (200, "a page".to_owned()));
    assert_eq!(read(&router, "/auth/v1/health").await.0, 200);
    assert_eq!(read(&router, "/rest/v1/").await.0, 200);
    assert_eq!(read(&router, "/functions/v1/hello").await, (200, "hello".to_owned()));
    assert_eq!(read(&router, "/storage/v1/status").await.0, 200);
    assert_eq!(read(&router, "/realtime/v1/api/ping").await.0, 200);
    let service_key = stack.keys.api.service_role.clone();
    let health = ask(&router, "/pg/health", &[("apikey", &service_key)]).await;
    assert_eq!(health.status, 200);
    assert_eq!(read(&router, "/settings").await.0, 404, "auth/v1 is not alone");
    assert!(world.has_schema("auth").await, "schemas are made before services start");
    assert!(stack.auth().is_some());
    let metrics = read(&operators, "/metrics").await.1;
    for service in services::ALL.iter().map(|service| service.name).chain(["pages"]) {
        let counted = format!("http_requests_total{{service=\"{service}\",status=\"200\"}} 1");
        assert!(metrics.contains(&counted), "{counted} in {metrics}");
    }
    assert!(metrics.contains("pgrst_db_pool_max 10"));
    let build = format!("build_info{{commit=\"{COMMIT}\",version=\"{VERSION}\"}} 1");
    assert!(metrics.contains(&build), "{build} in {metrics}");
    assert!(metrics.contains("pgrst_schema_cache_loads_total{status=\"SUCCESS\"} 1"));
    assert_eq!(read(&operators, "/schema_cache").await.0, 200);
    let health = ask(&router, "/health", &[]).await;
    assert_eq!((health.status.as_u16(), health.header("cache-control")), (200, "no-store"));
    assert_eq!(
        (&health.json()["status"], &health.json()["version"]),
        (&"ok".into(), &VERSION.into())
    );
    stack.stop_request().cancel();
    let stopping = read(&router, "/health").await;
    assert!(stopping.0 == 503 && stopping.1.contains("\"unavailable\""), "{stopping:?}");
    stack.stop().await;
}

#[tokio::test]
async fn captured_mails_are_for_no_other_origin() {
    let world = World::new().await;
    let stack = world.start(&["--only", "auth", "functions"], &[]).await;
    let router = stack.router(Application::default()).unwrap();
    let host = ("host", "localhost:8000");
    let own = ask(&router, "/mailbox", &[host]).await;
    assert_eq!((own.status.as_u16(), own.text()), (200, "[]".to_owned()));
    assert_eq!(own.header("access-control-allow-origin"), "");
    let foreign = ask(&router, "/mailbox", &[host, ("origin", "https://evil.example")]).await;
    assert_eq!(foreign.status, 404);
    assert_eq!(foreign.header("access-control-allow-origin"), "");
    let service = ask(&router, "/auth/v1/health", &[host]).await;
    assert_eq!(service.header("access-control-allow-origin"), "*");
    stack.stop().await;
}

#[tokio::test]
async fn captured_mails_are_not_shown_in_production() {
    let world = World::new().await;
    let production = [("COMPAT_ENVIRONMENT", "production")];
    let stack = world.start(&["--only", "auth", "functions"], &production).await;
    let router = stack.router(Application::default()).unwrap();
    assert_eq!(ask(&router, "/mailbox", &[("host", "localhost")]).await.status, 404);
    stack.stop().await;
}

#[tokio::test]
async fn two_functions_of_one_name_are_refused() {
    let world = World::new().await;
    let stack = world.start(&["--only", "functions"], &[]).await;
    let mut twice = application();
    twice.functions.extend(application().functions);
    let refusal = stack.router(twice).expect_err("one name twice");
    assert!(matches!(refusal, StackError::Functions(_)), "{refusal}");
    stack.stop().await;
}
