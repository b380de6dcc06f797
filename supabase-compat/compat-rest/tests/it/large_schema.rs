//! A large schema: a thousand tables, two thousand foreign keys.

use std::fmt::Write as _;

use serde_json::json;

use crate::library::{Library, config};

const TABLES: usize = 1_000;

/// A ring of tables; each has a foreign key to the next one and to the seventh one after it.
fn ring() -> String {
    let mut sql = String::from("create schema ring; grant usage on schema ring to anon;");
    for n in 0..TABLES {
        let columns = "id integer primary key, next_id integer, far_id integer, label text";
        let _ = write!(sql, "create table ring.t{n} ({columns});");
    }
    for n in 0..TABLES {
        let (next, far) = ((n + 1) % TABLES, (n + 7) % TABLES);
        let _ = write!(
            sql,
            "alter table ring.t{n} add foreign key (next_id) references ring.t{next}, \
             add foreign key (far_id) references ring.t{far};"
        );
    }
    sql.push_str("grant select on all tables in schema ring to anon;");
    sql
}

/// Prints the duration of the load; run it alone on an idle machine.
#[tokio::test]
#[ignore = "measures; run with --run-ignored all --no-capture"]
async fn schema_of_a_thousand_tables_is_loaded() {
    let library = Library::with(compat_rest::Config {
        schemas: vec!["library".into(), "ring".into()],
        ..config()
    })
    .await;
    library.sql(&ring()).await;
    for _ in 0..3 {
        library.state.load().await.expect("the schema cache loads");
        let load_time = library.state.metrics().schema_cache_load_time;
        println!("{TABLES} tables and {} foreign keys: {load_time:?}", 2 * TABLES);
    }
    let answer = library
        .get_with(
            "/t0?select=id,next:t1!t0_next_id_fkey(id),t999!t999_next_id_fkey(id)",
            &[("accept-profile", "ring")],
        )
        .await;
    assert_eq!(answer.json(), json!([]), "{}", answer.text());
}
