use compat_http::{Outgoing, OutgoingConfig, ServiceEnvironment};
use serde_json::{Value, json};

use crate::external_provider::ExternalProvider;
use crate::world::{World, assert_refused};

fn described(outside: &ExternalProvider) -> Value {
    json!({
        "provider_type": "oidc",
        "identifier": "custom:corp",
        "name": "Corp",
        "client_id": "our-client",
        "client_secret": "our-secret",
        "issuer": outside.url,
    })
}

async fn add(world: &World, provider: Value) -> compat_testkit::TestResponse {
    let headers = world.personas.as_service();
    world.send(http::Method::POST, "/admin/custom-providers", headers, Some(provider)).await
}

#[tokio::test]
async fn custom_provider_on_private_address_is_refused() {
    let (world, outside) = (World::new().await, ExternalProvider::start().await);
    let answer = add(&world, described(&outside)).await;
    let message = "Unable to use the discovery document: the address is not on the public internet";
    assert_refused(&answer, 400, "validation_failed", message);
    assert_eq!(world.count("select count(*) from auth.custom_oauth_providers").await, 0);
}

#[tokio::test]
async fn custom_provider_on_allowed_host_is_accepted() {
    let outside = ExternalProvider::start().await;
    let allowed_hosts = vec!["127.0.0.1".parse().unwrap()];
    let outgoing =
        Outgoing::new(OutgoingConfig { allowed_hosts, ..OutgoingConfig::default() }).unwrap();
    let world =
        World::on_edge(|environment| ServiceEnvironment { outgoing, ..environment }, |_| {}).await;
    let provider = add(&world, described(&outside)).await;
    assert_eq!(provider.status, 201, "{}", provider.text());
    assert_eq!(provider.json()["discovery_document"]["issuer"], outside.url.as_str());
    assert!(provider.json().get("client_secret").is_none());
    let redirect = world.get("/authorize?provider=custom:corp").await;
    assert!(redirect.header("location").starts_with(&format!("{}/authorize", outside.url)));
}
