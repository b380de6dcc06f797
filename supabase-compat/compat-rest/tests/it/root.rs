//! The root document in its modes.

use compat_rest::{Config, OpenApiMode};
use serde_json::json;

use crate::library::{Library, config};

#[tokio::test]
async fn the_root_describes_what_the_caller_may_use() {
    let library = Library::open().await;
    let answer = library.get("/").await;
    assert_eq!(answer.status.as_u16(), 200, "{}", answer.text());
    assert_eq!(answer.header("content-type"), "application/openapi+json; charset=utf-8");
    let document = answer.json();
    assert_eq!(document["swagger"], json!("2.0"));
    assert_eq!(
        (&document["info"]["title"], &document["info"]["description"]),
        (&json!("The library"), &json!("All about books."))
    );
    assert_eq!(
        document["definitions"]["shelves"],
        json!({
            "type": "object",
            "description": "Shelves\n\nWhere things stand.",
            "required": ["id", "label"],
            "properties": {
                "id": {"type": "integer", "format": "int32", "description": "Note:\nThis is a Primary Key.<pk/>"},
                "label": {"type": "string", "format": "text", "description": "What it says."}
            }
        })
    );
    let shelves = &document["paths"]["/shelves"]["get"];
    assert_eq!(
        (&shelves["summary"], &shelves["description"]),
        (&json!("Shelves"), &json!("Where things stand."))
    );
    assert_eq!(
        document["definitions"]["books"]["properties"]["publisher_id"]["description"],
        json!(
            "Note:\nThis is a Foreign Key to `publishers.id`.<fk table='publishers' column='id'/>"
        )
    );
    assert_eq!(document["definitions"]["withheld"], json!(null));
    assert!(document["paths"]["/rpc/forget"]["get"].is_null());
    assert!(document["paths"]["/rpc/add"]["get"].is_object());
    assert_eq!(document["definitions"]["paints"]["properties"]["tint"]["default"], json!(255));
}

#[tokio::test]
async fn the_root_can_ignore_privileges_or_be_closed_or_be_a_function() {
    let open =
        Library::with(Config { openapi_mode: OpenApiMode::IgnorePrivileges, ..config() }).await;
    assert!(open.get("/").await.json()["definitions"]["withheld"].is_object());
    let archive = open.get_with("/", &[("accept-profile", "archive")]).await;
    assert!(archive.json()["definitions"]["crates"].is_object());
    let csv = open.get_with("/", &[("accept", "text/csv")]).await;
    assert_eq!((csv.status.as_u16(), csv.json()["code"].as_str()), (406, Some("PGRST107")));
    let head = open.ask("HEAD", "/", &[], "").await;
    assert_eq!((head.status.as_u16(), head.text().as_str()), (200, ""));
    let closed = Library::with(Config { openapi_mode: OpenApiMode::Disabled, ..config() }).await;
    let answer = closed.get("/").await;
    assert_eq!((answer.status.as_u16(), answer.json()["code"].as_str()), (404, Some("PGRST126")));
    let function = Library::with(Config { root_spec: Some("root".into()), ..config() }).await;
    assert_eq!(function.get("/").await.json(), json!({"welcome": true}));
}
