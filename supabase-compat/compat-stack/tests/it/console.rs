//! The console together with the real services.

use compat_stack::Application;
use compat_stack::pg::{ensure_console_writer, ensure_roles};
use compat_testkit::TestResponse;
use http::Method;
use serde_json::{Value, json};

use crate::browser::{Browser, PASSWORD};
use crate::world::{World, application, read};

#[tokio::test]
async fn console_is_absent_unless_it_is_switched_on() {
    let world = World::of_somebody_else().await;
    let stack = world.start(&[], &[]).await;
    let router = stack.router(Application::default()).unwrap();
    assert_eq!(read(&router, "/console").await.0, 404);
    assert_eq!(read(&router, "/console/api/session").await.0, 404);
    assert!(!world.has_schema("_console").await);
    stack.stop().await;
}

#[tokio::test]
async fn operator_calls_services_without_seeing_keys() {
    let world = World::of_somebody_else().await;
    let owner = &world.database.pools().owner;
    ensure_roles(owner).await.unwrap();
    ensure_console_writer(owner).await.unwrap();
    let login = world.database.url_as("console_writer");
    let variables = [("CONSOLE", "loopback"), ("PG_META_DB_URL", login.as_str())];
    let stack = world.start(&[], &variables).await;
    let mut work = owner.begin().await.unwrap();
    sqlx::raw_sql(
        "create table public.things (id int primary key);
        insert into public.things values (1), (2);
        alter table public.things enable row level security;
        create policy one on public.things for select to anon using (id = 1);
        create function public.headers() returns json language sql as
            'select current_setting(''request.headers'')::json';
        create function public.add_thing() returns int language sql as
            'insert into public.things (id) values (9) returning id';
        create view public.additions as select public.add_thing();
        grant select on public.additions to service_role;
        grant all on public.things to anon, authenticated, service_role, console_writer;",
    )
    .execute(&mut *work)
    .await
    .unwrap();
    work.commit().await.unwrap();
    let router = stack.router(Application::default()).unwrap();
    let token = stack.console_link().await.unwrap().expect("nobody was there yet");
    let ada = Browser::by_link(&router, &token, "ada@example.test").await;

    let session = ada.get("/session").await;
    let tables = ada.get("/services/pg/tables?included_schemas=public").await;
    assert_eq!(tables.json()[0]["name"], "things", "{}", tables.text());
    let rows =
        ada.post("/services/pg/query", json!({"query": "select count(*) from things"})).await;
    assert_eq!(rows.json(), json!([{"count": 2}]), "{}", rows.text());
    let rows = ada.post("/query", json!({"query": "select count(*) from public.things"})).await;
    assert_eq!(rows.json()["rows"], json!([[2]]), "{}", rows.text());

    let answer = until_there(&ada, "/services/rest/v1/things?select=id").await;
    assert_eq!(answer.json(), json!([{"id": 1}, {"id": 2}]));
    let as_anon = [("x-console-role", "anon")];
    let answer = ada.send(Method::GET, "/services/rest/v1/things", None, &as_anon).await;
    assert_eq!(answer.json(), json!([{"id": 1}]));
    let headers = ada.get("/services/rest/v1/rpc/headers").await;
    assert_eq!(headers.status, 200, "{}", headers.text());

    let user = json!({"email": "cy@example.test", "password": PASSWORD, "email_confirm": true});
    let user = ada.post("/services/auth/v1/admin/users", user).await;
    assert_eq!(user.status, 200, "{}", user.text());
    let id = user.json()["id"].as_str().unwrap().to_owned();
    let answer =
        ada.send(Method::GET, "/services/rest/v1/things", None, &[("x-console-user", &id)]).await;
    assert_eq!((answer.status.as_u16(), answer.json()), (200, json!([])), "{}", answer.text());
    let unknown_operator = [("x-console-user", "6f1f3a0e-1d0c-4b8e-9d5b-1f2e3d4c5b6a")];
    let answer = ada.send(Method::GET, "/services/rest/v1/things", None, &unknown_operator).await;
    assert_eq!(answer.json()["error"]["code"], "user_not_found");

    let invitation = ada.post("/operators/invitations", json!({"role": "read_only"})).await.json();
    let (_, token) = invitation["url"].as_str().unwrap().split_once('=').unwrap();
    let cy = Browser::by_link(&router, token, "reader@example.test").await;
    for path in ["rest/v1/rpc/add_thing", "rest/v1/additions"] {
        let answer = cy.get(&format!("/services/{path}")).await;
        assert!(answer.status.is_client_error(), "{path}: {}", answer.text());
    }
    let answer = cy.post("/query", json!({"query": "select public.add_thing()"})).await;
    assert_eq!(answer.json()["error"]["sqlstate"], "25006", "{}", answer.text());
    let answer = cy.get("/services/rest/v1/things?select=id").await;
    assert_eq!(answer.json(), json!([{"id": 1}, {"id": 2}]));

    let bucket = json!({"id": "photos", "name": "photos"});
    let bucket = ada.post("/services/storage/v1/bucket", bucket).await;
    assert_eq!(bucket.status, 200, "{}", bucket.text());
    let advice = ada.get("/services/advisors/v1").await;
    assert!(advice.json()["lints"].is_array(), "{}", advice.text());
    let logs = ada.get("/services/logs/logs.all").await;
    assert!(logs.json()["result"].is_array(), "{}", logs.text());
    let overview = ada.get("/overview").await;
    assert_eq!(overview.json()["services"].as_array().unwrap().len(), 6, "{}", overview.text());

    let key = stack.keys.api.service_role.clone();
    let answers = [session, tables, headers, user, bucket, advice, logs, overview];
    for answer in &answers {
        for secret in [key.as_str(), stack.keys.api.secret.as_str()] {
            assert!(!answer.text().contains(secret), "{}", answer.text());
            let is_there = answer
                .headers
                .values()
                .any(|value| value.to_str().is_ok_and(|text| text.contains(secret)));
            assert!(!is_there, "{:?}", answer.headers);
        }
    }
    stack.stop().await;
}

/// Waits until the path answers 200: rest/v1 loads its schema in the background.
async fn until_there(browser: &Browser<'_>, path: &str) -> TestResponse {
    loop {
        let answer = browser.get(path).await;
        if answer.status == 200 {
            return answer;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn superusers_login_runs_no_statement_of_an_operator() {
    let world = World::of_somebody_else().await;
    let stack = world.start(&[], &[("CONSOLE", "loopback")]).await;
    let router = stack.router(Application::default()).unwrap();
    let token = stack.console_link().await.unwrap().expect("nobody was there yet");
    let ada = Browser::by_link(&router, &token, "ada@example.test").await;
    let answer = ada.post("/query", json!({"query": "select 1"})).await;
    assert_eq!(answer.json()["error"]["code"], "superuser_login", "{}", answer.text());
    stack.stop().await;
}

#[tokio::test]
async fn console_shows_project_functions_mails_and_limits() {
    let world = World::new().await;
    let stack = world.start(&[], &[("CONSOLE", "loopback")]).await;
    let router = stack.router(application()).unwrap();
    let token = stack.console_link().await.unwrap().expect("nobody was there yet");
    let ada = Browser::by_link(&router, &token, "ada@example.test").await;
    let functions = ada.get("/services/project/functions").await.json();
    assert_eq!(functions["functions"][0]["name"], "hello", "{functions}");
    assert_eq!(functions["has_folder"], false);
    let secrets = ada.get("/services/project/secrets").await;
    assert_eq!(secrets.json()["error"]["code"], "no_functions_folder", "{}", secrets.text());

    let mails = ada.get("/services/project/mails").await.json();
    let recovery = mails["mails"].as_array().unwrap().iter().find(|one| one["kind"] == "recovery");
    let expected =
        json!(["GOTRUE_MAILER_TEMPLATES_RECOVERY", "auth.email.template.recovery.content_path",]);
    assert_eq!(recovery.unwrap()["settings"]["body"], expected, "{mails}");
    let sample = ada.get("/services/project/mails/recovery?language=fr").await.json();
    assert_eq!(sample["subject"], "Réinitialisez votre mot de passe");
    assert!(sample["html"].as_str().unwrap().contains("123456"), "{sample}");
    let test = ada.send(
        Method::POST,
        "/services/project/mails/recovery/test",
        None,
        &[("x-console-operator", "eve@example.test")],
    );
    assert_eq!(test.await.json(), json!({"to": "ada@example.test", "is_captured": true}));
    let unknown = ada.get("/services/project/mails/nothing").await;
    assert_eq!(unknown.json()["error"]["code"], "mail_not_found");

    let providers = ada.get("/services/project/providers").await.json();
    let github = providers["providers"].as_array().unwrap().iter();
    let github = github.clone().find(|one| one["name"] == "github").unwrap();
    assert_eq!(github["callback"], "http://localhost:8000/auth/v1/callback");
    assert_eq!(github["enabled"], false);
    let custom = json!({"enabled": true, "callback": "http://localhost:8000/auth/v1/callback"});
    assert_eq!(providers["custom"], custom);
    let limits = ada.get("/services/project/limits").await.json();
    let variables: Vec<_> =
        limits["limits"].as_array().unwrap().iter().map(|one| one["variable"].clone()).collect();
    assert!(variables.contains(&json!("GOTRUE_RATE_LIMIT_OTP")), "{limits}");
    let tasks = ada.get("/services/project/tasks").await.json();
    let names = tasks["tasks"].as_array().unwrap().iter().map(|one| one["name"].clone());
    assert!(names.collect::<Vec<_>>().contains(&json!("auth.outbox")), "{tasks}");
    // Outside the console these paths do not exist.
    for path in ["/project/functions", "/project/mails", "/project/secrets"] {
        assert_eq!(read(&router, path).await.0, 404, "{path}");
    }
    stack.stop().await;
}

#[tokio::test]
async fn operators_set_secrets_and_see_their_names_alone() {
    let world = World::new().await;
    let folder = std::env::temp_dir().join(world.database.name());
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(".env"), "# ours\nKEPT=\"old value\"\n").unwrap();
    let variables = [
        ("CONSOLE", "loopback"),
        ("FUNCTIONS_DIR", folder.to_str().unwrap()),
        ("DENO_INSTALL", "false"),
    ];
    let stack = world.start(&[], &variables).await;
    let router = stack.router(Application::default()).unwrap();
    let token = stack.console_link().await.unwrap().expect("nobody was there yet");
    let ada = Browser::by_link(&router, &token, "ada@example.test").await;
    let set = async |browser: &Browser<'_>, name: &str, value: Value| {
        let path = format!("/services/project/secrets/{name}");
        browser.send(Method::PUT, &path, Some(json!({"value": value})), &[]).await
    };
    assert_eq!(set(&ada, "STRIPE_KEY", json!("sk $1 \"x\"")).await.status, 204);
    let listed = ada.get("/services/project/secrets").await;
    assert_eq!(listed.json(), json!({"secrets": ["KEPT", "STRIPE_KEY"]}), "{}", listed.text());
    for (name, value, code) in [
        ("1X", json!("v"), "invalid_name"),
        ("SUPABASE_URL", json!("v"), "invalid_name"),
        ("A%3DB", json!("v"), "invalid_name"),
        ("A", json!("a\0b"), "invalid_value"),
        ("A", json!("v".repeat(70_000)), "invalid_value"),
        ("A", json!(1), "invalid_request"),
    ] {
        let answer = set(&ada, name, value).await;
        assert_eq!(answer.json()["error"]["code"], code, "{name}: {}", answer.text());
    }
    let path = "/services/project/secrets/STRIPE_KEY";
    assert_eq!(ada.send(Method::DELETE, path, None, &[]).await.status, 204);
    let again = ada.send(Method::DELETE, path, None, &[]).await;
    assert_eq!(again.json()["error"]["code"], "secret_not_found");
    let text = std::fs::read_to_string(folder.join(".env")).unwrap();
    assert_eq!(text, "# ours\nKEPT=\"old value\"\n");
    let invitation = ada.post("/operators/invitations", json!({"role": "read_only"})).await.json();
    let (_, token) = invitation["url"].as_str().unwrap().split_once('=').unwrap();
    let reader = Browser::by_link(&router, token, "reader@example.test").await;
    assert_eq!(reader.get("/services/project/secrets").await.status, 200);
    let refusal = set(&reader, "A", json!("v")).await;
    assert_eq!(refusal.json()["error"]["code"], "forbidden");
    stack.stop().await;
    std::fs::remove_dir_all(&folder).unwrap();
}
