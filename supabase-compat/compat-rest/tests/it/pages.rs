//! Later pages: the keys are selected first, then the rows are read, with the same result as a
//! plain read.

use serde_json::{Value, json};

use crate::library::Library;

/// A hall of stands, with views that return each stand exactly once, and views that may return it
/// twice, never, or at random. The cost of a stand is a counter that increases with every
/// computation.
const HALL: &str = "
create table library.owners (id integer primary key, name text not null);
create table library.stands (
  id integer primary key,
  owner_id integer references library.owners (id),
  place integer,
  label text not null
);
create table library.slips (
  stand_id integer references library.stands (id), line integer, text text, primary key (stand_id, line)
);
insert into library.owners select n, 'owner ' || n from generate_series(1, 7) as n;
insert into library.stands
select n, nullif(n % 8, 0), nullif((n * 37) % 11, 0), 'stand ' || n from generate_series(1, 120) as n;
insert into library.slips
select s.id, n, 'slip ' || n from library.stands as s cross join generate_series(1, s.id % 3) as n;

create function library.draw() returns integer
language plpgsql stable as
$$
begin
  perform set_config('library.drawn', (coalesce(nullif(current_setting('library.drawn', true), ''), '0')::integer + 1)::text, true);
  return current_setting('library.drawn');
end
$$;

create view library.stands_shown as
select s.label, s.id as number, s.place, s.owner_id, o.name as owner, library.draw() as costly
from library.stands as s left join library.owners as o on o.id = s.owner_id
where s.label <> 'stand 3';
create view library.stands_again as select * from library.stands_shown where number <> 4;
create view library.stands_with_slips as
select s.id, s.label, n.text from library.stands as s left join library.slips as n on n.stand_id = s.id;
create view library.stands_owned as
select s.id, s.label from library.stands as s join library.owners as o on o.id = s.owner_id;
create view library.stands_few as select id, label from library.stands order by id limit 60;
create view library.stands_chosen as select id, label from library.stands where random() < 2;
create view library.stands_mixed as select s.id from library.stands as s, library.owners as o where o.id = 1;
create table library.halls (id integer primary key deferrable, label text);
grant select on all tables in schema library to anon;";

async fn library_of_pages() -> Library {
    let library = Library::open().await;
    library.sql(HALL).await;
    library.state.load().await.expect("the schema cache loads");
    library
}

fn key(library: &compat_rest_core::SchemaCache, relation: &str) -> Vec<String> {
    let name = compat_rest_core::schema::QualifiedName::new("library", relation);
    library.tables[&name].row_key.iter().map(ToString::to_string).collect()
}

#[tokio::test]
async fn row_key_requires_guaranteed_uniqueness() {
    let library = library_of_pages().await;
    let schema = library.schema().await;
    assert_eq!(key(&schema, "stands"), ["id"]);
    assert_eq!(key(&schema, "slips"), ["stand_id", "line"]);
    assert_eq!(key(&schema, "stands_shown"), ["number"], "an owner joined by the whole key");
    assert_eq!(key(&schema, "stands_again"), ["number"], "a view upon a view");
    assert_eq!(key(&schema, "readings"), ["at", "book_id"], "a table of partitions");
    for uncertain in [
        "stands_with_slips",
        "stands_owned",
        "stands_few",
        "stands_chosen",
        "stands_mixed",
        "authors_kept",
        "halls",
    ] {
        assert_eq!(key(&schema, uncertain), [""; 0], "{uncertain}");
    }
    library.sql("create table library.stands_abroad () inherits (library.stands)").await;
    library.state.load().await.expect("the schema cache loads");
    let schema = library.schema().await;
    assert_eq!(key(&schema, "stands"), [""; 0], "a table with descendants");
}

#[tokio::test]
async fn pagination_matches_the_unpaged_result() {
    let library = library_of_pages().await;
    for query in [
        "/stands?order=id",
        "/stands?order=place,id&select=id,place",
        "/stands?order=place.desc.nullslast,id.desc&select=number:id,owners(name),slips(text)",
        "/stands?order=place.nullsfirst,id&select=*,...owners(owner:name)&place=gt.3",
        "/stands?order=owner_id.desc,id&select=id,owners!inner(id)&owners.id=in.(1,2)",
        "/stands?order=id&select=id,slips(line)&slips.order=line.desc&slips.limit=1&slips=not.is.null",
        "/slips?order=line,stand_id&select=text,stand:stands(label)",
        "/stands_shown?order=place.desc,number&select=owner,label,number",
        "/stands_shown?select=number,owner&order=owner,number&owner=not.is.null&or=(place.is.null,place.lt.6)",
        "/stands_again?select=label,number,place&order=label,number.desc",
        "/stands_with_slips?order=id,text",
    ] {
        let Value::Array(all) = library.rows(query).await else { panic!("{query}") };
        assert!(all.len() > 10, "{query}");
        for offset in [1, 5, 7, all.len() - 3, all.len() - 1] {
            let path = format!("{query}&limit=4&offset={offset}");
            let answer = library.get_with(&path, &[("prefer", "count=exact")]).await;
            let end = all.len().min(offset + 4);
            assert_eq!(answer.json(), json!(all[offset..end]), "{path}");
            let range = format!("{offset}-{}/{}", end - 1, all.len());
            assert_eq!(answer.header("content-range"), range, "{path}");
        }
        let beyond = library.rows(&format!("{query}&limit=4&offset={}", all.len())).await;
        assert_eq!(beyond, json!([]), "{query}");
    }
}

#[tokio::test]
async fn skipped_rows_are_not_computed() {
    let library = library_of_pages().await;
    let costs = |rows: &Value| -> Vec<i64> {
        rows.as_array().into_iter().flatten().filter_map(|row| row["costly"].as_i64()).collect()
    };
    let page = "/stands_shown?select=number,costly&limit=5&offset=100";
    assert_eq!(costs(&library.rows(&format!("{page}&order=number")).await), [1, 2, 3, 4, 5]);
    // An order with ties does not determine the rows of a page, so the page is read plainly.
    let plain = library.rows(&format!("{page}&order=place")).await;
    assert_eq!(costs(&plain), [101, 102, 103, 104, 105]);
}
