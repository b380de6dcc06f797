//! The OpenAPI document at the root, in all modes.

use compat_rest::{Config, OpenApiMode};
use serde_json::{Value, json};

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
async fn root_follows_openapi_mode_and_root_spec() {
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

/// The parameters that every document contains.
fn standing_parameters() -> Value {
    let text = |name: &str, place: &str, description: &str| json!({"name": name, "in": place, "description": description, "required": false, "type": "string"});
    let prefer = |choices: Value| {
        let mut parameter = text("Prefer", "header", "Preference");
        parameter["enum"] = choices;
        parameter
    };
    let paging = "Limiting and Pagination";
    let mut unit = text("Range-Unit", "header", paging);
    unit["default"] = json!("items");
    json!({
        "preferParams": text("Prefer", "header", "Preference"),
        "preferReturn": prefer(json!(["return=representation", "return=minimal", "return=none"])),
        "preferCount": prefer(json!(["count=none"])),
        "preferPost": prefer(json!([
            "return=representation", "return=minimal", "return=none",
            "resolution=ignore-duplicates", "resolution=merge-duplicates"
        ])),
        "select": text("select", "query", "Filtering Columns"),
        "on_conflict": text("on_conflict", "query", "On Conflict"),
        "order": text("order", "query", "Ordering"),
        "range": text("Range", "header", paging),
        "rangeUnit": unit,
        "offset": text("offset", "query", paging),
        "limit": text("limit", "query", paging),
    })
}

fn references(names: &[&str]) -> Value {
    names.iter().map(|name| json!({"$ref": format!("#/parameters/{name}")})).collect()
}

fn expected_paths() -> Value {
    let ok = json!({"200": {"description": "OK"}});
    let rows = |name: &str| {
        json!({
            "200": {"description": "OK", "schema": {
                "type": "array", "items": {"$ref": format!("#/definitions/{name}")}
            }},
            "206": {"description": "Partial Content"},
        })
    };
    let paging = ["select", "order", "range", "rangeUnit", "offset", "limit", "preferCount"];
    let reading = |filters: &[&str]| references(&[filters, &paging].concat());
    let crates = ["rowFilter.crates.id", "rowFilter.crates.content"];
    let tapes = [
        "rowFilter.tapes.id",
        "rowFilter.tapes.crate_id",
        "rowFilter.tapes.label",
        "rowFilter.tapes.mood",
        "rowFilter.tapes.recorded",
        "rowFilter.tapes.worth",
        "rowFilter.tapes.extra",
        "rowFilter.tapes.marks",
    ];
    let none = json!({"204": {"description": "No Content"}});
    let produces = json!([
        "application/json",
        "application/vnd.pgrst.object+json;nulls=stripped",
        "application/vnd.pgrst.object+json"
    ]);
    let table = |name: &str, filters: &[&str], words: Value| {
        let body = format!("body.{name}");
        let mut verbs = json!({
            "get": {"parameters": reading(filters), "responses": rows(name)},
            "post": {
                "parameters": references(&[&body, "select", "preferPost"]),
                "responses": {"201": {"description": "Created"}},
            },
            "patch": {
                "parameters": references(&[filters, &[&body, "preferReturn"]].concat()),
                "responses": none,
            },
            "delete": {
                "parameters": references(&[filters, &["preferReturn"]].concat()),
                "responses": none,
            },
        });
        for verb in ["get", "post", "patch", "delete"] {
            verbs[verb]["tags"] = json!([name]);
            for (key, value) in words.as_object().expect("an object") {
                verbs[verb][key] = value.clone();
            }
        }
        verbs
    };
    json!({
        "/": {"get": {
            "tags": ["Introspection"],
            "summary": "OpenAPI description (this document)",
            "produces": ["application/openapi+json", "application/json"],
            "responses": ok,
        }},
        "/crates": table("crates", &crates, json!({})),
        "/tapes": table("tapes", &tapes, json!({"summary": "Tapes", "description": "What was recorded."})),
        "/loud_tapes": table(
            "loud_tapes",
            &["rowFilter.loud_tapes.id", "rowFilter.loud_tapes.label"],
            json!({}),
        ),
        "/rpc/erase": {"post": {
            "tags": ["(rpc) erase"],
            "summary": "Erases a tape.",
            "produces": produces,
            "parameters": [
                {"name": "args", "in": "body", "required": true, "schema": {
                    "type": "object",
                    "description": "Erases a tape.",
                    "required": ["tape"],
                    "properties": {"tape": {"type": "integer", "format": "int32"}},
                }},
                {"$ref": "#/parameters/preferParams"},
            ],
            "responses": ok,
        }},
        "/rpc/find_tape": {
            "get": {
                "tags": ["(rpc) find_tape"],
                "produces": produces,
                "parameters": [
                    {"name": "label", "in": "query", "required": true, "type": "string", "format": "text"},
                    {"name": "mood", "in": "query", "required": false, "type": "string", "format": "mood"},
                    {
                        "name": "marks", "in": "query", "required": false, "type": "array",
                        "collectionFormat": "multi", "items": {"type": "string", "format": "text"},
                    },
                ],
                "responses": ok,
            },
            "post": {
                "tags": ["(rpc) find_tape"],
                "produces": produces,
                "parameters": [
                    {"name": "args", "in": "body", "required": true, "schema": {
                        "type": "object",
                        "required": ["label"],
                        "properties": {
                            "label": {"type": "string", "format": "text"},
                            "mood": {"type": "string", "format": "mood"},
                            "marks": {"type": "array", "format": "text[]", "items": {"type": "string"}},
                        },
                    }},
                    {"$ref": "#/parameters/preferParams"},
                ],
                "responses": ok,
            },
        },
    })
}

fn expected_definitions() -> Value {
    let key = "Note:\nThis is a Primary Key.<pk/>";
    json!({
        "crates": {
            "type": "object",
            "required": ["id"],
            "properties": {
                "id": {"type": "integer", "format": "int32", "description": key},
                "content": {"type": "string", "format": "text"},
            },
        },
        "loud_tapes": {
            "type": "object",
            "properties": {
                "id": {"type": "integer", "format": "int32", "description": key},
                "label": {"type": "string", "format": "text"},
            },
        },
        "tapes": {
            "type": "object",
            "description": "Tapes\n\nWhat was recorded.",
            "required": ["id", "label", "marks"],
            "properties": {
                "id": {"type": "integer", "format": "int32", "description": key},
                "crate_id": {"type": "integer", "format": "int32", "description":
                    "Where it lies.\n\nNote:\nThis is a Foreign Key to `crates.id`.\
                     <fk table='crates' column='id'/>"},
                "label": {"type": "string", "format": "character varying", "maxLength": 20, "default": "none"},
                "mood": {
                    "type": "string", "format": "archive.mood", "enum": ["calm", "loud"], "default": "calm",
                },
                "recorded": {"type": "string", "format": "timestamp with time zone", "default": "now()"},
                "worth": {"type": "number", "format": "numeric", "default": 4.5},
                "extra": {"format": "jsonb"},
                "marks": {"type": "array", "format": "text[]", "items": {"type": "string"}},
            },
        },
    })
}

#[tokio::test]
async fn openapi_document_matches_postgrest_output() {
    let config = Config {
        openapi_server_proxy_uri: Some("https://api.example.org/base".into()),
        openapi_security_active: true,
        ..config()
    };
    let library = Library::with(config).await;
    let document = library.get_with("/", &[("accept-profile", "archive")]).await;
    let mut parameters = standing_parameters();
    for (table, columns) in [
        ("crates", &["id", "content"][..]),
        ("loud_tapes", &["id", "label"]),
        ("tapes", &["id", "crate_id", "label", "mood", "recorded", "worth", "extra", "marks"]),
    ] {
        parameters[format!("body.{table}")] = json!({
            "name": table, "in": "body", "description": table, "required": false,
            "schema": {"$ref": format!("#/definitions/{table}")},
        });
        for column in columns {
            parameters[format!("rowFilter.{table}.{column}")] =
                json!({"name": column, "in": "query", "required": false, "type": "string"});
        }
    }
    parameters["rowFilter.tapes.crate_id"]["description"] = json!("Where it lies.");
    let mut found = document.json();
    let version = found["info"]["version"].take();
    assert!(version.is_string());
    let media = json!([
        "application/json",
        "application/vnd.pgrst.object+json;nulls=stripped",
        "application/vnd.pgrst.object+json",
        "text/csv"
    ]);
    for (part, expected) in [("paths", expected_paths()), ("definitions", expected_definitions())] {
        for (name, value) in expected.as_object().expect("an object") {
            assert_eq!(found[part][name], *value, "{part} {name}");
        }
    }
    let expected = json!({
        "swagger": "2.0",
        "info": {
            "title": "PostgREST API",
            "description": "This is a dynamic API generated by PostgREST",
            "version": null,
        },
        "host": "api.example.org:443",
        "basePath": "/base",
        "schemes": ["https"],
        "externalDocs": {
            "description": "PostgREST Documentation",
            "url": "https://postgrest.org/en/stable/references/api.html",
        },
        "consumes": media,
        "produces": media,
        "securityDefinitions": {"JWT": {
            "type": "apiKey", "in": "header", "name": "Authorization",
            "description": "Add the token prepending \"Bearer \" (without quotes) to it",
        }},
        "security": [{"JWT": []}],
        "paths": expected_paths(),
        "definitions": expected_definitions(),
        "parameters": parameters,
    });
    assert_eq!(found, expected);
    assert_eq!(document.header("content-profile"), "archive");
}
