//! The service over a real connection, tested with the published Rust client of PostgREST.

use std::net::SocketAddr;

use postgrest::{Builder, Postgrest};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::library::Library;

/// A library served on a port of its own.
struct ServedLibrary {
    library: Library,
    address: SocketAddr,
    stop: CancellationToken,
}

impl ServedLibrary {
    async fn new() -> Self {
        let library = Library::open().await;
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("its address");
        let stop = CancellationToken::new();
        let router = compat_rest::standing_alone(library.state.clone());
        let serving =
            axum::serve(listener, router).with_graceful_shutdown(stop.clone().cancelled_owned());
        tokio::spawn(serving.into_future());
        Self { library, address, stop }
    }

    fn client(&self) -> Postgrest {
        Postgrest::new(format!("http://{}", self.address))
    }

    fn books(&self) -> Builder {
        self.client().from("books").select("id").order("id")
    }
}

impl Drop for ServedLibrary {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

/// The status and the body of a response.
async fn answer(builder: Builder) -> (u16, Value) {
    let response = builder.execute().await.expect("an answer");
    let status = response.status().as_u16();
    let text = response.text().await.expect("a body");
    (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
}

/// The ids that a query returns.
async fn ids(builder: Builder) -> Vec<i64> {
    let (status, rows) = answer(builder).await;
    assert_eq!(status, 200, "{rows}");
    let rows = rows.as_array().expect("rows");
    rows.iter().filter_map(|row| row["id"].as_i64()).collect()
}

#[tokio::test]
async fn filters_of_the_rust_client_are_understood() {
    let served = ServedLibrary::new().await;
    let books = || served.books();
    assert_eq!(ids(books().eq("title", "Engines")).await, [1]);
    assert_eq!(ids(books().neq("id", "1")).await, [2, 3, 4]);
    assert_eq!(ids(books().gt("pages", "120").lte("pages", "480")).await, [1, 3]);
    assert_eq!(ids(books().gte("pages", "320").lt("pages", "480")).await, [1]);
    assert_eq!(ids(books().like("title", "*s")).await, [1, 2, 3]);
    assert_eq!(ids(books().ilike("title", "e*")).await, [1]);
    assert_eq!(ids(books().is("pages", "null")).await, [4]);
    assert_eq!(ids(books().in_("id", ["1", "3"])).await, [1, 3]);
    assert_eq!(ids(books().cs("tags", "{math}")).await, [1, 2]);
    assert_eq!(ids(books().cd("tags", "{math,geometry}")).await, [2, 3, 4]);
    assert_eq!(ids(books().ov("tags", "{machine,geometry}")).await, [1, 3]);
    assert_eq!(ids(books().fts("summary", "patterns", None)).await, [1]);
    assert_eq!(ids(books().plfts("summary", "triangle numbers", Some("english"))).await, [2]);
    assert_eq!(ids(books().phfts("summary", "curved spaces", Some("english"))).await, [3]);
    assert_eq!(ids(books().wfts("summary", "engine or triangle", None)).await, [1, 2]);
    assert_eq!(ids(books().not("eq", "id", "1")).await, [2, 3, 4]);
    assert_eq!(ids(books().and("id.gt.1,id.lt.3")).await, [2]);
    assert_eq!(ids(books().or("id.eq.1,and(pages.gt.400,in_print.is.false)")).await, [1, 3]);
}

#[tokio::test]
async fn rust_client_reads_pages_counts_and_rows() {
    let served = ServedLibrary::new().await;
    assert_eq!(ids(served.books().range(1, 2)).await, [2, 3]);
    // This client requests the range of the first row when it counts.
    let counted = served.books().exact_count().execute().await.expect("an answer");
    assert_eq!(counted.status().as_u16(), 206);
    assert_eq!(counted.headers()["content-range"], "0-0/4");
    let planned = served.books().planned_count().execute().await.expect("an answer");
    assert!(planned.headers()["content-range"].to_str().is_ok_and(|range| !range.ends_with('*')));
    assert_eq!(ids(served.books().limit(1)).await, [1]);
    assert_eq!(answer(served.books().eq("id", "2").single()).await, (200, json!({"id": 2})));
    let (status, refusal) = answer(served.books().single()).await;
    assert_eq!((status, &refusal["code"]), (406, &json!("PGRST116")));
    let embedded = served
        .client()
        .from("publishers")
        .select("name,books(id)")
        .eq("id", "1")
        .order_with_options("id", Some("books"), false, true)
        .foreign_table_limit(1, "books");
    assert_eq!(answer(embedded).await, (200, json!([{"name": "North", "books": [{"id": 2}]}])));
    let other = served.client().schema("archive").from("crates").select("content");
    assert_eq!(answer(other).await, (200, json!([{"content": "old things"}])));
}

#[tokio::test]
async fn rust_client_writes_and_calls_functions() {
    let served = ServedLibrary::new().await;
    let shelves = || served.client().from("shelves");
    let row = json!({"id": 9, "label": "top"});
    assert_eq!(
        answer(shelves().insert(json!([row]).to_string())).await,
        (201, json!([{"id": 9, "label": "top"}]))
    );
    let again = json!({"id": 9, "label": "tip"}).to_string();
    assert_eq!(
        answer(shelves().upsert(again.clone()).on_conflict("id")).await,
        (200, json!([{"id": 9, "label": "tip"}]))
    );
    let (status, refusal) = answer(shelves().insert(again)).await;
    assert_eq!((status, &refusal["code"]), (409, &json!("23505")));
    let change = shelves().eq("id", "9").update(json!({"label": "end"}).to_string());
    assert_eq!(answer(change).await, (200, json!([{"id": 9, "label": "end"}])));
    let deleted = answer(shelves().eq("id", "9").delete()).await;
    assert_eq!(deleted, (200, json!([{"id": 9, "label": "end"}])));
    let sum = served.client().rpc("add", json!({"a": 2, "b": 3}).to_string());
    assert_eq!(answer(sum).await, (200, json!(5)));
    let token = served.library.bearer("authenticated", crate::library::ADA);
    let notes = served.client().from("notes").auth(token.trim_start_matches("Bearer "));
    assert_eq!(answer(notes.select("body")).await, (200, json!([{"body": "of ada"}])));
}
