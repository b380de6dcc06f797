//! Settings from the operator, a role, a function and the database.

use compat_http::SettingProblem;
use compat_rest::{Config, SettingError, TransactionEndRule};
use serde_json::json;

use crate::library::{ADA, Library, config};

#[tokio::test]
async fn pre_request_functions_may_reject_requests() {
    let library =
        Library::with(Config { pre_request: Some("library.doorkeeper".into()), ..config() }).await;
    let answer = library.get("/shelves").await;
    assert_eq!((answer.status.as_u16(), answer.header("x-doorkeeper")), (200, "seen"));
    let refusal = library.get_with("/shelves", &[("x-refuse", "1")]).await;
    assert_eq!(
        (refusal.status.as_u16(), refusal.json()["message"].as_str()),
        (403, Some("not today"))
    );
}

#[tokio::test]
async fn the_operator_bounds_rows() {
    let library = Library::with(Config { max_rows: Some(2), ..config() }).await;
    let answer =
        library.get_with("/books?select=id,author_id&order=id", &[("prefer", "count=exact")]).await;
    assert_eq!((answer.status.as_u16(), answer.header("content-range")), (206, "0-1/4"));
    let estimated =
        library.get_with("/books?order=id&select=id", &[("prefer", "count=estimated")]).await;
    let total = estimated.header("content-range").split_once('/').unwrap().1.to_owned();
    assert!(total.parse::<i64>().unwrap() >= 3, "{total}");
    let function = library.get("/rpc/numbers").await;
    assert_eq!(function.json(), json!([1, 2]));
    let authors = library.rows("/authors?select=id,authors(id)&id=eq.1").await;
    assert_eq!(authors[0]["authors"].as_array().map(Vec::len), Some(2));
    let response = library
        .ask("PATCH", "/books?select=id", &[("prefer", "return=representation")], r#"{"pages": 1}"#)
        .await;
    assert_eq!(response.json().as_array().map(Vec::len), Some(4));
}

#[tokio::test]
async fn the_operator_may_roll_everything_back() {
    let library = Library::with(Config {
        transaction_end: TransactionEndRule::RollbackAllowOverride,
        ..config()
    })
    .await;
    library.ask("POST", "/shelves", &[], r#"{"id": 3, "label": "x"}"#).await;
    assert_eq!(library.rows("/shelves?id=eq.3").await, json!([]));
    library.ask("POST", "/shelves", &[("prefer", "tx=commit")], r#"{"id": 3, "label": "x"}"#).await;
    assert_eq!(library.rows("/shelves?id=eq.3&select=id").await, json!([{"id": 3}]));
}

#[tokio::test]
async fn function_and_app_settings_apply_to_the_transaction() {
    let app = vec![("app.settings.motto".to_owned(), "read".to_owned())];
    let library = Library::with(Config { app_settings: app, ..config() }).await;
    assert_eq!(library.get("/rpc/patient").await.json(), json!("7s"));
    let motto = library.get("/rpc/setting_of?name=app.settings.motto").await;
    assert_eq!(motto.json(), json!("read"));
}

#[tokio::test]
async fn role_settings_apply_to_its_requests() {
    let library = Library::open().await;
    let name = library.database.name().to_owned();
    library
        .sql(&format!(
            "alter role authenticated in database {name} set statement_timeout = '11s'; \
             alter role authenticated in database {name} set default_transaction_isolation = 'repeatable read'; \
             alter role authenticated in database {name} set log_statement = 'all'"
        ))
        .await;
    library.state.load().await.expect("the cache loads");
    let ada = library.bearer("authenticated", ADA);
    let status_of = async |name: &str| {
        let path = format!("/rpc/setting_of?name={name}");
        library.get_with(&path, &[("authorization", &ada)]).await.json()
    };
    assert_eq!(status_of("statement_timeout").await, json!("11s"));
    assert_eq!(status_of("transaction_isolation").await, json!("repeatable read"));
    assert_eq!(library.get("/rpc/setting_of?name=statement_timeout").await.json(), json!("3s"));
}

#[tokio::test]
async fn embeds_lie_in_each_other_only_so_deep() {
    let library = Library::with(Config { max_embed_depth: Some(2), ..config() }).await;
    let two = library.get("/publishers?select=id,books(id,publishers(id))").await;
    assert_eq!(two.status.as_u16(), 200, "{}", two.json());
    let three = library.get("/publishers?select=id,books(publishers(books(id)))").await;
    assert_eq!(three.status.as_u16(), 400);
    assert_eq!(
        three.json(),
        json!({
            "code": "PGRST100",
            "details": "This server takes embeds up to 2 deep",
            "hint": null,
            "message": "Embeds are nested too deep",
        })
    );
}

#[tokio::test]
async fn database_settings_override_the_configuration() {
    let library = Library::open().await;
    let name = library.database.name().to_owned();
    library
        .sql(&format!("alter role authenticator in database {name} set pgrst.db_max_rows = '1'"))
        .await;
    library.state.load().await.expect("the cache loads");
    assert_eq!(library.rows("/shelves?select=id&order=id").await, json!([{"id": 1}]));
}

#[tokio::test]
async fn timings_are_returned_if_enabled() {
    let library = Library::with(Config {
        server_timing: true,
        trace_header: Some("x-trace".into()),
        ..config()
    })
    .await;
    let answer = library.get_with("/shelves", &[("x-trace", "abc")]).await;
    let stages: Vec<&str> = answer
        .header("server-timing")
        .split(", ")
        .filter_map(|lap| lap.split(';').next())
        .collect();
    assert_eq!(stages, ["jwt", "parse", "plan", "transaction", "response"]);
    assert_eq!(answer.header("x-trace"), "abc");
    assert!(library.get("/shelves").await.headers.contains_key("x-trace"));
}

#[tokio::test]
async fn errors_may_be_terse() {
    let library = Library::with(Config { terse_errors: true, ..config() }).await;
    let answer = library.get("/bookz").await;
    assert_eq!(
        answer.json(),
        json!({"code": "PGRST205", "message": "Could not find the table 'library.bookz' in the schema cache"})
    );
}

#[tokio::test]
async fn legacy_target_names_warn_or_are_refused() {
    let library = Library::open().await;
    let path = "/publishers?select=id,b:books(id)&books.id=eq.1&order=id";
    let answer = library.get(path).await;
    assert_eq!(answer.json(), json!([{"id": 1, "b": [{"id": 1}]}, {"id": 2, "b": []}]));
    assert_eq!(
        answer.header("warning"),
        format!(
            "299 PostgRESTv{} \"Embedded resource was referenced by relation name even though it has \
             an alias. This is deprecated and will stop working in a future release. Update `books` \
             to `b` in query string filters, orders or limits.\"",
            env!("CARGO_PKG_VERSION")
        )
    );
    assert_eq!(library.get("/publishers?select=b:books(id)&b.id=eq.1").await.header("warning"), "");
    let strict = Library::with(Config { legacy_target_names: false, ..config() }).await;
    let refusal = strict.get(path).await;
    assert_eq!(refusal.status.as_u16(), 400);
    assert_eq!(
        refusal.json(),
        json!({
            "code": "PGRST108",
            "details": "Target names are not allowed in filters if they have an alias",
            "hint": "Change 'books' to 'b' in filters, orders or limits.",
            "message": "'books' is not an embedded resource in this request",
        })
    );
    let both = "/publishers?select=id,books(id),b:books(id)&books.id=eq.1&id=eq.2";
    assert_eq!(library.rows(both).await[0]["books"], json!([]));
    assert_eq!(library.rows(both).await[0]["b"], strict.rows(both).await[0]["b"]);
    assert_ne!(library.rows(both).await[0]["b"], json!([]));
}

#[tokio::test]
async fn a_function_may_make_the_settings() {
    for function in ["library.configure", "library.configure_stable"] {
        let library = Library::with(Config { pre_config: Some(function.into()), ..config() }).await;
        let rows = library.rows("/shelves?select=id&order=id").await;
        assert_eq!(rows, json!([{"id": 1}]), "{function}");
    }
}

#[tokio::test]
async fn stable_pre_request_function_is_called() {
    let guard = Some("library.guard_stable".to_owned());
    let library = Library::with(Config { pre_request: guard, ..config() }).await;
    for method in ["GET", "HEAD", "DELETE"] {
        let answer = library.ask(method, "/shelves", &[], "").await;
        assert_eq!(answer.status.as_u16(), 403, "{method}");
    }
}

#[tokio::test]
async fn reads_use_replica_and_writes_use_primary() {
    let primary = Library::open().await;
    let copy = Library::open().await;
    copy.sql("update library.shelves set label = 'from the copy'").await;
    let state = compat_rest::State::with_replica(
        primary.environment(),
        primary.database.pools().acting.clone(),
        Some(copy.database.pools().acting.clone()),
        config(),
    );
    state.load().await.expect("the cache loads");
    let router = compat_rest::router(state);
    let read = primary.ask_of(&router, "GET", "/shelves?id=eq.1&select=label").await;
    assert_eq!(read.json(), json!([{"label": "from the copy"}]));
    primary.ask_of(&router, "DELETE", "/placements").await;
    assert_eq!(primary.rows("/placements").await, json!([]));
    assert_eq!(copy.number("select count(*) from library.placements").await, 3);
}

#[test]
fn system_schemas_cannot_be_exposed() {
    let config = Config { schemas: vec!["pg_catalog".into()], ..Config::default() };
    let problem =
        SettingProblem::new("PGRST_DB_SCHEMAS", "neither pg_catalog nor information_schema");
    assert_eq!(config.problems(), [problem]);
    assert_eq!(Config::default().problems(), []);
}

#[test]
fn settings_are_made_by_the_names_operators_know() {
    let mut config = Config::default();
    let settings = [
        ("db_schemas", "library, archive"),
        ("db_max_rows", "100"),
        ("db_tx_end", "rollback-allow-override"),
        ("db_aggregates_enabled", "true"),
        ("client_error_verbosity", "minimal"),
        ("app_settings_motto", "read"),
    ];
    for (name, value) in settings {
        assert_eq!(config.set(name, value), Ok(()), "{name}");
    }
    assert_eq!(config.schemas, ["library", "archive"]);
    assert_eq!(
        (config.max_rows, config.aggregates_enabled, config.terse_errors),
        (Some(100), true, true)
    );
    assert_eq!(config.transaction_end, TransactionEndRule::RollbackAllowOverride);
    assert_eq!(config.app_settings, [("app.settings.motto".to_owned(), "read".to_owned())]);
    let problem = SettingProblem::new("db_max_rows", "a number");
    assert_eq!(config.set("db_max_rows", "many"), Err(SettingError::Wrong(problem)));
    assert_eq!(config.set("jwt_secrets", "x"), Err(SettingError::Unknown));
    assert_eq!(config.max_rows, Some(100));
}

#[test]
fn an_empty_value_is_none_or_the_default() {
    let mut config = Config::default();
    let problems = [
        ("db_schemas", "library"),
        ("db_max_rows", "9"),
        ("db_max_embed_depth", "2"),
        ("db_tx_end", "rollback"),
        ("db_channel", "other"),
        ("db_config", "false"),
        ("db_plan_enabled", "true"),
        ("db_hoisted_tx_settings", "work_mem"),
        ("openapi_mode", "disabled"),
        ("client_error_verbosity", "minimal"),
        ("server_cors_allowed_origins", "https://a.example"),
        ("jwt_aud", "me"),
        ("db_pre_request", "library.doorkeeper"),
        ("url_use_legacy_target_names", "false"),
    ];
    for (name, value) in problems {
        assert_eq!(config.set(name, value), Ok(()), "{name}");
    }
    for (name, _) in problems {
        assert_eq!(config.set(name, " "), Ok(()), "{name}");
    }
    let debug_text = |config: &Config| format!("{config:?}");
    assert_eq!(debug_text(&config), debug_text(&Config::default()));
    for name in ["db_extra_search_path", "db_anon_role"] {
        assert_eq!(config.set(name, ""), Ok(()), "{name}");
    }
    assert_eq!((config.extra_search_path.len(), config.anon_role), (0, None));
}

#[tokio::test]
async fn empty_extra_search_path_limits_function_lookup() {
    let mut config = config();
    assert_eq!(config.set("db_extra_search_path", ""), Ok(()));
    let library = Library::with(config).await;
    library.sql("create function public.outside(library.shelves) returns text language sql as $$ select 'x' $$").await;
    let path = library.get("/rpc/setting_of?name=search_path").await.json();
    assert_eq!(path, json!("\"library\""));
    let answer = library.get("/shelves?select=outside").await;
    assert_eq!((answer.status.as_u16(), &answer.json()["code"]), (400, &json!("42703")));
}

#[tokio::test]
async fn database_setting_names_the_trace_header() {
    let library = Library::open().await;
    let name = library.database.name().to_owned();
    let setting = format!(
        "alter role authenticator in database {name} set pgrst.server_trace_header = 'X-Request-Id'"
    );
    library.sql(&setting).await;
    library.state.load().await.expect("the cache loads");
    let answer = library.get_with("/shelves", &[("x-request-id", "the caller's own")]).await;
    assert_eq!(answer.header("x-request-id"), "the caller's own");
    assert!(!library.get("/shelves").await.headers.contains_key("x-request-id"));
}

#[tokio::test]
async fn a_schema_the_database_lacks_does_no_harm() {
    let lacking = ["library", "archive", "ghost"].map(str::to_owned).to_vec();
    let extra = vec!["nowhere".to_owned(), "public".to_owned()];
    let library =
        Library::with(Config { schemas: lacking, extra_search_path: extra, ..config() }).await;
    assert_eq!(library.rows("/shelves?select=id&order=id").await, json!([{"id": 1}, {"id": 2}]));
    let response = library.get_with("/shelves", &[("accept-profile", "ghost")]).await;
    assert_eq!((response.status.as_u16(), &response.json()["code"]), (404, &json!("PGRST205")));
    let root = library.get_with("/", &[("accept-profile", "ghost")]).await;
    assert_eq!((root.status.as_u16(), &root.json()["definitions"]), (200, &json!({})));
}
