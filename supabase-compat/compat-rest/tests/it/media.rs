//! Media types: custom types of the database, plans, and raw values.

use serde_json::json;

use crate::library::Library;

#[tokio::test]
async fn functions_answer_in_the_media_type_they_return() {
    let library = Library::open().await;
    let html = library.get_with("/rpc/greeting?who=Ada", &[("accept", "text/html")]).await;
    assert_eq!((html.status.as_u16(), html.text().as_str()), (200, "<p>Ada</p>"));
    assert_eq!(html.header("content-type"), "text/html");
    let any = library.ask("POST", "/rpc/any_bytes", &[("accept", "image/png")], "").await;
    assert_eq!((any.status.as_u16(), any.text().as_str()), (200, "raw"), "{}", any.text());
    assert_eq!(any.header("content-type"), "image/x-own");
    let unnamed = library.get_with("/rpc/any_text", &[("accept", "app/bingo")]).await;
    assert_eq!(unnamed.text(), "any");
    assert_eq!(unnamed.header("content-type"), "application/octet-stream");
}

#[tokio::test]
async fn aggregate_over_rows_defines_a_media_type() {
    let library = Library::open().await;
    let list = [("accept", "application/x-list")];
    let answer = library.get_with("/shelves?order=id", &list).await;
    assert_eq!((answer.status.as_u16(), answer.text().as_str()), (200, "* left\n* right\n"));
    assert_eq!(answer.header("content-type"), "application/x-list");
    let shaped = library.get_with("/shelves?select=id", &list).await;
    assert_eq!(shaped.status.as_u16(), 406);
}

#[tokio::test]
async fn an_aggregate_over_anything_serves_every_table() {
    let library = Library::open().await;
    let feature = [("accept", "application/x-feature+json")];
    let answer = library.get_with("/shelves?select=id&order=id", &feature).await;
    assert_eq!(
        (answer.status.as_u16(), answer.text().as_str()),
        (200, r#"[{"id": 1}, {"id": 2}]"#)
    );
    assert_eq!(answer.header("content-type"), "application/x-feature+json");
}

#[tokio::test]
async fn single_values_can_be_sent_as_they_are() {
    let library = Library::open().await;
    let get = async |path: &str, accept: &str| library.get_with(path, &[("accept", accept)]).await;
    assert_eq!(get("/rpc/plain_text", "text/plain").await.text(), "just text");
    assert_eq!(get("/rpc/some_xml", "text/xml").await.text(), "<a>1</a>");
    let bytes = get("/rpc/some_bytes", "application/octet-stream").await;
    assert_eq!(bytes.body.as_ref(), [0xde, 0xad, 0xbe, 0xef]);
    assert_eq!(bytes.header("content-type"), "application/octet-stream");
    assert_eq!(get("/rpc/add?a=1", "text/plain").await.status.as_u16(), 406);
}

#[tokio::test]
async fn a_body_can_be_the_one_unnamed_argument() {
    let library = Library::open().await;
    let text =
        library.ask("POST", "/rpc/shout", &[("content-type", "text/plain")], "hush \u{e9}").await;
    assert_eq!(text.json(), json!("HUSH \u{c9}"));
    let bytes = [("content-type", "application/octet-stream")];
    let measured = library.ask("POST", "/rpc/measure", &bytes, "\u{1}\u{2}\\x").await;
    assert_eq!(measured.json(), json!(4));
    let missing = library.ask("POST", "/rpc/add", &[("content-type", "text/plain")], "x").await;
    assert_eq!(
        missing.json()["details"],
        json!(
            "Searched for the function library.add with a single unnamed text parameter, but no matches were found in the schema cache."
        )
    );
}

#[tokio::test]
async fn a_plan_can_be_asked_for() {
    let library = Library::open().await;
    let json = library
        .get_with(
            "/books?id=eq.1",
            &[("accept", "application/vnd.pgrst.plan+json; options=analyze|verbose")],
        )
        .await;
    assert_eq!(json.status.as_u16(), 200, "{}", json.text());
    assert!(json.json()[0]["Plan"]["Actual Rows"].is_number(), "{}", json.text());
    assert_eq!(
        json.header("content-type"),
        "application/vnd.pgrst.plan+json; for=\"application/json\"; options=analyze|verbose; charset=utf-8"
    );
    assert_eq!(json.header("vary"), "Accept, Prefer, Range");
    let text = library.get_with("/books", &[("accept", "application/vnd.pgrst.plan")]).await;
    assert!(text.text().starts_with("Aggregate  (cost="), "{}", text.text());
    let insert = library
        .ask(
            "POST",
            "/shelves",
            &[("accept", "application/vnd.pgrst.plan+text"), ("prefer", "return=representation")],
            r#"{"id": 50, "label": "x"}"#,
        )
        .await;
    assert!(insert.text().contains("Insert on shelves"), "{}", insert.text());
    assert_eq!(library.rows("/shelves?id=eq.50").await, json!([]));
}

#[tokio::test]
async fn geojson_needs_the_extension_and_says_so() {
    let library = Library::open().await;
    let answer = library.get_with("/shelves", &[("accept", "application/geo+json")]).await;
    assert_eq!((answer.status.as_u16(), answer.json()["code"].as_str()), (404, Some("42883")));
}

#[tokio::test]
async fn geometry_becomes_a_feature_collection() {
    let library = Library::open().await;
    let available = "select count(*) from pg_available_extensions where name = 'postgis'";
    if library.number(available).await == 0 {
        eprintln!("skipped: PostGIS is not installed");
        return;
    }
    library
        .sql(
            "create extension postgis; create table library.places (id integer primary key, spot public.geometry(Point, 4326)); \
             insert into library.places values (1, 'SRID=4326;POINT(2 48)'); grant select on library.places to anon",
        )
        .await;
    library.state.load().await.expect("the cache loads");
    let geojson = [("accept", "application/geo+json")];
    let answer = library.get_with("/places", &geojson).await;
    assert_eq!(
        answer.json(),
        json!({"type": "FeatureCollection", "features": [{
            "type": "Feature",
            "geometry": {"type": "Point", "coordinates": [2, 48]},
            "properties": {"id": 1}
        }]})
    );
    assert_eq!(answer.header("content-type"), "application/geo+json; charset=utf-8");
    let none = library.get_with("/shelves", &geojson).await;
    assert_eq!((none.status.as_u16(), none.json()["code"].as_str()), (400, Some("22023")));
}

#[tokio::test]
async fn object_with_nulls_stripped_has_its_own_type() {
    let library = Library::open().await;
    let accept = "application/vnd.pgrst.object+json;nulls=stripped";
    let answer = library.get_with("/authors?id=eq.3&select=name,born", &[("accept", accept)]).await;
    assert_eq!(answer.json(), json!({"name": "Carl"}));
    assert_eq!(answer.header("content-type"), format!("{accept}; charset=utf-8"));
}

#[tokio::test]
async fn a_set_of_documents_is_no_document() {
    let library = Library::open().await;
    let plain = library.get_with("/rpc/plain_lines", &[("accept", "text/plain")]).await;
    assert_eq!((plain.status.as_u16(), &plain.json()["code"]), (406, &json!("PGRST107")));
    assert_eq!(library.get("/rpc/plain_lines").await.json(), json!(["one", "two"]));
}

#[tokio::test]
async fn embeds_in_csv_match_postgrest_output() {
    let library = Library::open().await;
    let path = "/books?select=id,publishers(id,name),shelves(label)&id=eq.1&shelves.order=label";
    let csv = library.get_with(path, &[("accept", "text/csv")]).await.text();
    assert_eq!(
        csv,
        "id,publishers,shelves\n1,\"{\"\"id\"\": 1, \"\"name\"\": \"\"North\"\"}\",\
         \"[{\"\"label\"\": \"\"left\"\"}, {\"\"label\"\": \"\"right\"\"}]\""
    );
    let cast = library.get_with(path, &[("accept", "application/x-cast")]).await.text();
    assert!(cast.contains("\"{\"\"id\"\": 1, \"\"name\"\": \"\"North\"\"}\""), "{cast}");
}

#[tokio::test]
async fn plan_explains_the_actual_statement() {
    let library = Library::open().await;
    let accept = "application/vnd.pgrst.plan; for=\"text/html\"";
    let plan = library.get_with("/rpc/greeting", &[("accept", accept)]).await.text();
    assert!(!plan.contains("Aggregate"), "{plan}");
    let headers = [
        ("accept", "application/vnd.pgrst.plan"),
        ("prefer", "resolution=merge-duplicates, missing=default, return=representation"),
    ];
    let upsert =
        library.ask("POST", "/publishers?on_conflict=name", &headers, r#"{"name": "North"}"#);
    let upsert = upsert.await;
    assert_eq!(upsert.status.as_u16(), 200, "{}", upsert.text());
    assert!(upsert.text().contains("Conflict Resolution: UPDATE"), "{}", upsert.text());
}
