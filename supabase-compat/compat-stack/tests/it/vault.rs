//! An operator who may only read sees no secret of the vault, whatever the SQL.

use compat_stack::Application;
use http::Method;
use serde_json::json;

use crate::browser::Browser;
use crate::world::World;

const WAYS_IN: [&str; 5] = [
    "select * from vault.decrypted_secrets",
    "select decrypted_secret from vault.decrypted_secrets",
    "select vault._open(id, secret) from vault.secrets",
    "select pg_read_file('../../vault/key')",
    "set local role service_role; select * from vault.decrypted_secrets",
];

async fn invited<'a>(ada: &Browser<'a>, role: &str, email: &str) -> Browser<'a> {
    let invitation = ada.post("/operators/invitations", json!({"role": role})).await.json();
    let (_, token) = invitation["url"].as_str().unwrap().split_once('=').unwrap();
    Browser::by_link(ada.router, token, email).await
}

#[tokio::test]
async fn readers_open_no_secret_of_the_vault() {
    let world = World::of_somebody_else().await;
    let bin_dir = std::env::var_os("PG_BINDIR").map(|folder| folder.into_string().unwrap());
    let mut variables = vec![("CONSOLE", "loopback")];
    variables.extend(bin_dir.as_deref().map(|folder| ("PG_BINDIR", folder)));
    let stack = world.start_with_own_server(&variables).await;
    let router = stack.router(Application::default()).unwrap();
    let token = stack.console_link().await.unwrap().expect("nobody was there yet");
    let ada = Browser::by_link(&router, &token, "ada@example.test").await;
    let create_secret = "select vault.create_secret('the sealed word', 'word')";
    let create_secret = ada.post("/query", json!({"query": create_secret})).await;
    assert_eq!(create_secret.status, 200, "{}", create_secret.text());

    let cy = invited(&ada, "read_only", "cy@example.test").await;
    for text in WAYS_IN {
        let answer = cy.post("/query", json!({"query": text})).await;
        assert_eq!(answer.json()["error"]["sqlstate"], "42501", "{text}: {}", answer.text());
    }
    let (path, vault) = ("/services/rest/v1/decrypted_secrets", [("accept-profile", "vault")]);
    let answer = cy.send(Method::GET, path, None, &vault).await;
    assert!(answer.status.is_client_error(), "{}", answer.text());
    let names = cy.post("/query", json!({"query": "select name from vault.secrets"})).await;
    assert_eq!(names.json()["rows"], json!([["word"]]), "{}", names.text());

    let dev = invited(&ada, "developer", "dev@example.test").await;
    let word = "select decrypted_secret from vault.decrypted_secrets";
    let word = dev.post("/query", json!({"query": word})).await;
    assert_eq!(word.json()["rows"], json!([["the sealed word"]]), "{}", word.text());
    stack.stop().await;
}

#[tokio::test]
async fn login_that_opens_the_vault_serves_no_reader() {
    let world = World::of_somebody_else().await;
    let owner = &world.database.pools().owner;
    compat_stack::pg::ensure_roles(owner).await.unwrap();
    compat_stack::pg::ensure_console_writer(owner).await.unwrap();
    let login = world.database.url_as("console_writer");
    let variables = [("CONSOLE", "loopback"), ("PG_META_DB_URL", login.as_str())];
    let stack = world.start(&[], &variables).await;
    let router = stack.router(Application::default()).unwrap();
    let token = stack.console_link().await.unwrap().expect("nobody was there yet");
    let ada = Browser::by_link(&router, &token, "ada@example.test").await;
    let cy = invited(&ada, "read_only", "cy@example.test").await;
    let one = json!({"query": "select 1"});
    assert_eq!(cy.post("/query", one.clone()).await.status, 200);
    let mut work = owner.begin().await.unwrap();
    sqlx::raw_sql("grant execute on function vault._open to console_writer")
        .execute(&mut *work)
        .await
        .unwrap();
    work.commit().await.unwrap();
    let answer = cy.post("/query", one.clone()).await;
    assert_eq!(answer.json()["error"]["code"], "vault_readable", "{}", answer.text());
    assert_eq!(ada.post("/query", one).await.status, 200);
    stack.stop().await;
}
