//! Filters, order, ranges, counts, and the representations of a read.

use serde_json::json;

use crate::library::Library;

#[tokio::test]
async fn plain_read_gives_rows_with_all_headers() {
    let library = Library::open().await;
    let answer = library.get("/shelves?select=id,label&order=id").await;
    assert_eq!(answer.status.as_u16(), 200);
    assert_eq!(answer.json(), json!([{"id": 1, "label": "left"}, {"id": 2, "label": "right"}]));
    assert_eq!(answer.header("content-type"), "application/json; charset=utf-8");
    assert_eq!(answer.header("content-range"), "0-1/*");
    assert_eq!(answer.header("content-location"), "/shelves?order=id&select=id%2Clabel");
    assert_eq!(answer.header("content-profile"), "library");
    assert_eq!(answer.header("vary"), "Accept, Prefer, Range");
}

#[tokio::test]
async fn every_filter_operator_selects_its_rows() {
    let library = Library::open().await;
    let table: &[(&str, &[i64])] = &[
        ("id=eq.1", &[1]),
        ("id=neq.1", &[2, 3, 4]),
        ("id=gt.2", &[3, 4]),
        ("id=gte.2", &[2, 3, 4]),
        ("id=lt.2", &[1]),
        ("id=lte.2", &[1, 2]),
        ("id=not.eq.1", &[2, 3, 4]),
        ("title=like.*es", &[1, 2, 3]),
        ("title=ilike.*NG*", &[1, 2]),
        ("title=like(any).{E*,C*}", &[1, 3]),
        ("title=ilike(all).{*e*,*s}", &[1, 2, 3]),
        ("title=match.^[EC]", &[1, 3]),
        ("title=imatch.^[ec]", &[1, 3]),
        ("id=in.(1,3)", &[1, 3]),
        ("id=not.in.(1,3)", &[2, 4]),
        ("id=in.()", &[]),
        ("id=not.in.()", &[1, 2, 3, 4]),
        ("title=in.(Curves,\"Anonymous, \\\"quoted\\\"\")", &[3, 4]),
        ("author_id=is.null", &[4]),
        ("author_id=not.is.null", &[1, 2, 3]),
        ("author_id=is.not_null", &[1, 2, 3]),
        ("in_print=is.true", &[1, 2, 4]),
        ("in_print=is.false", &[3]),
        ("in_print=eq.true", &[1, 2, 4]),
        ("in_print=neq.true", &[3]),
        ("author_id=isdistinct.1", &[2, 3, 4]),
        ("author_id=not.isdistinct.1", &[1]),
        ("summary=fts.triangle", &[2]),
        ("summary=fts(english).pattern", &[1]),
        ("summary=plfts.curved spaces", &[3]),
        ("summary=phfts.triangle of numbers", &[2]),
        ("summary=wfts.engine or triangle", &[1, 2]),
        ("summary=not.wfts(english).engine", &[2, 3]),
        ("tags=cs.{math}", &[1, 2]),
        ("tags=cd.{math,other}", &[2, 4]),
        ("tags=ov.{machine,geometry}", &[1, 3]),
        ("published=sl.[2021-06-01,2022-01-01)", &[1]),
        ("published=sr.[2019-01-01,2020-06-01)", &[2]),
        ("published=nxr.[2019-01-01,2021-06-01)", &[1]),
        ("published=nxl.[2020-06-01,2021-06-01)", &[2]),
        ("published=adj.[2022-01-01,2023-01-01)", &[2]),
        ("id=eq(any).{1,2}", &[1, 2]),
        ("id=gt(all).{1,2}", &[3, 4]),
        ("data->rank=eq.2", &[2]),
        ("data->>rank=eq.2", &[2]),
        ("data->deep->>key=eq.v", &[1]),
        ("data->tags->>-1=eq.y", &[1]),
        ("data=cs.{\"rank\": 3}", &[3]),
        ("details->>a=eq.1", &[1]),
        ("tags->0=eq.\"math\"", &[1, 2]),
        ("full_title=like.Tri*", &[2]),
        ("or=(id.eq.1,id.eq.4)", &[1, 4]),
        ("or=(and(id.gt.1,id.lt.3),title.eq.\"Anonymous, \\\"quoted\\\"\")", &[2, 4]),
        ("not.or=(id.eq.1,id.eq.4)", &[2, 3]),
        ("and=(id.gt.1,not.or(id.eq.3,id.eq.4))", &[2]),
        ("or=(id.in.(1,2),tags.cs.{geometry})", &[1, 2, 3]),
        ("and=( or ( id.in.( 1, 2 ) , id.eq.3 ) , not.and ( id.eq.2 ) )", &[1, 3]),
        ("and=(id.eq.1,id.neq.2))", &[1]),
        ("or=(in_print.is.false,id.not.in.(1,2,3))", &[3, 4]),
        ("id=gt.1&id=lt.4&or=(pages.is.null,pages.gt.200)", &[3]),
    ];
    for (filter, expected) in table {
        let path = format!("/books?select=id&order=id&{}", encode(filter));
        let answer = library.get(&path).await;
        assert_eq!(answer.status.as_u16(), 200, "{filter}: {}", answer.text());
        let rows = answer.json();
        let ids: Vec<i64> =
            rows.as_array().unwrap().iter().map(|row| row["id"].as_i64().unwrap()).collect();
        assert_eq!(&ids, expected, "{filter}");
    }
}

/// Encodes only the characters that a URI must not contain.
fn encode(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            ' ' => out.push_str("%20"),
            '"' => out.push_str("%22"),
            '\\' => out.push_str("%5C"),
            '{' => out.push_str("%7B"),
            '}' => out.push_str("%7D"),
            '^' => out.push_str("%5E"),
            '>' => out.push_str("%3E"),
            '[' => out.push_str("%5B"),
            ']' => out.push_str("%5D"),
            other => out.push(other),
        }
    }
    out
}

#[tokio::test]
async fn order_takes_several_keys_nulls_and_paths() {
    let library = Library::open().await;
    let ids = async |order: &str| {
        let rows = library.rows(&format!("/books?select=id&order={}", encode(order))).await;
        rows.as_array().unwrap().iter().map(|r| r["id"].as_i64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(ids("pages.desc.nullslast,id.asc").await, [3, 1, 2, 4]);
    assert_eq!(ids("pages.desc").await, [4, 3, 1, 2]);
    assert_eq!(ids("pages.nullsfirst").await, [4, 2, 1, 3]);
    assert_eq!(ids("in_print.desc,id.desc").await, [4, 2, 1, 3]);
    assert_eq!(ids("data->>rank.desc.nullslast,id").await, [3, 2, 1, 4]);
    assert_eq!(ids("full_title").await, [4, 3, 1, 2]);
}

#[tokio::test]
async fn ranges_and_counts_set_status_and_content_range() {
    let library = Library::open().await;
    let table = [
        ("/books?order=id&limit=2", "", "", 200, "0-1/*"),
        ("/books?order=id&limit=2", "count=exact", "", 206, "0-1/4"),
        ("/books?order=id&limit=2&offset=2", "count=exact", "", 206, "2-3/4"),
        ("/books?order=id", "count=exact", "", 200, "0-3/4"),
        ("/books?order=id", "count=exact", "1-2", 206, "1-2/4"),
        ("/books?order=id", "", "2-", 200, "2-3/*"),
        ("/books?id=eq.99", "count=exact", "", 200, "*/0"),
        ("/books?id=eq.99", "", "", 200, "*/*"),
        ("/books?limit=0", "", "", 200, "*/*"),
        ("/books?limit=0", "count=exact", "", 206, "*/4"),
        ("/books?offset=-3&limit=x", "", "", 200, "0-3/*"),
        ("/rpc/books_over?min_pages=100&limit=1", "count=exact", "", 206, "0-0/3"),
    ];
    for (path, prefer, range, status, content_range) in table {
        let mut headers = vec![];
        if !prefer.is_empty() {
            headers.push(("prefer", prefer));
        }
        if !range.is_empty() {
            headers.push(("range", range));
        }
        let answer = library.get_with(path, &headers).await;
        assert_eq!(answer.status.as_u16(), status, "{path} {prefer} {range}: {}", answer.text());
        assert_eq!(answer.header("content-range"), content_range, "{path} {prefer} {range}");
        assert_eq!(answer.header("preference-applied"), prefer, "{path}");
    }
}

#[tokio::test]
async fn offset_beyond_a_known_end_is_refused() {
    let library = Library::open().await;
    let answer = library.get_with("/books?offset=100", &[("prefer", "count=exact")]).await;
    assert_eq!(answer.status.as_u16(), 416);
    assert_eq!(
        answer.json(),
        json!({
            "code": "PGRST103",
            "message": "Requested range not satisfiable",
            "details": "An offset of 100 was requested, but there are only 4 rows.",
            "hint": null
        })
    );
    assert_eq!(library.rows("/books?offset=100").await, json!([]));
}

#[tokio::test]
async fn a_planned_count_is_the_planners_guess() {
    let library = Library::open().await;
    let answer = library.get_with("/shelves?limit=1", &[("prefer", "count=planned")]).await;
    let range = answer.header("content-range").to_owned();
    let total = range.split_once('/').unwrap().1;
    assert!(total.parse::<i64>().unwrap() > 0, "{range}");
}

#[tokio::test]
async fn head_answers_like_get_without_a_body() {
    let library = Library::open().await;
    let answer = library.ask("HEAD", "/books", &[("prefer", "count=exact")], "").await;
    assert_eq!((answer.status.as_u16(), answer.text().as_str()), (200, ""));
    assert_eq!(answer.header("content-range"), "0-3/4");
}

#[tokio::test]
async fn single_row_is_returned_as_object() {
    let library = Library::open().await;
    let object = [("accept", "application/vnd.pgrst.object+json")];
    let answer = library.get_with("/shelves?id=eq.1", &object).await;
    assert_eq!(answer.json(), json!({"id": 1, "label": "left"}));
    assert_eq!(answer.header("content-type"), "application/vnd.pgrst.object+json; charset=utf-8");
    let many = library.get_with("/shelves", &object).await;
    assert_eq!(many.status.as_u16(), 406);
    assert_eq!(
        many.json(),
        json!({
            "code": "PGRST116",
            "message": "Cannot coerce the result to a single JSON object",
            "details": "The result contains 2 rows",
            "hint": null
        })
    );
    assert_eq!(many.header("proxy-status"), "PostgREST; error=PGRST116");
}

#[tokio::test]
async fn columns_can_be_renamed_cast_and_reached_into() {
    let library = Library::open().await;
    let path = "/books?id=eq.1&select=number:id,pages::text,data-%3Erank,k:data-%3Edeep-%3E%3Ekey,\
                data-%3Etags-%3E0,full_title,title,title,t:tags-%3E1";
    let answer = library.get(path).await;
    assert_eq!(
        answer.text(),
        "[{\"number\":1,\"pages\":\"320\",\"rank\":1,\"k\":\"v\",\"tags\":\"x\",\
         \"full_title\":\"Engines (320)\",\"title\":\"Engines\",\"title\":\"Engines\",\
         \"t\":\"machine\"}]"
    );
}

#[tokio::test]
async fn aggregates_group_by_everything_else() {
    let library = Library::open().await;
    assert_eq!(library.rows("/books?select=count()").await, json!([{"count": 4}]));
    assert_eq!(
        library
            .rows("/books?select=in_print,total:pages.sum(),pages.avg()::int&order=in_print")
            .await,
        json!([
            {"in_print": false, "total": 480, "avg": 480},
            {"in_print": true, "total": 440, "avg": 220}
        ])
    );
    let path = "/books?select=pages.max(),publishers(name)&publisher_id=not.is.null";
    let mut rows = library.rows(path).await;
    rows.as_array_mut().unwrap().sort_by_key(|row| row["max"].as_i64());
    assert_eq!(
        rows,
        json!([
            {"max": 320, "publishers": {"name": "North"}},
            {"max": 480, "publishers": {"name": "South"}}
        ])
    );
}

#[tokio::test]
async fn csv_and_stripped_null_formats_are_returned() {
    let library = Library::open().await;
    let csv =
        library.get_with("/authors?select=id,name,born&order=id", &[("accept", "text/csv")]).await;
    assert_eq!(csv.text(), "id,name,born\n1,Ada,1815-12-10\n2,Blaise,1623-06-19\n3,Carl,");
    assert_eq!(csv.header("content-type"), "text/csv; charset=utf-8");
    let stripped = [("accept", "application/vnd.pgrst.array+json;nulls=stripped")];
    let answer = library.get_with("/authors?select=id,born&id=eq.3", &stripped).await;
    assert_eq!(answer.json(), json!([{"id": 3}]));
}

#[tokio::test]
async fn odd_names_are_reached_by_quoting() {
    let library = Library::open().await;
    let rows = library
        .rows("/Odd%20Names?select=%22a.b%22,%22with%20%5C%22quotes%5C%22%22,space%20d&%22a.b%22=eq.1")
        .await;
    assert_eq!(rows, json!([{"a.b": 1, "with \"quotes\"": "q", "space d": "s"}]));
}

#[tokio::test]
async fn a_profile_chooses_the_schema() {
    let library = Library::open().await;
    let answer = library.get_with("/crates", &[("accept-profile", "archive")]).await;
    assert_eq!(answer.json(), json!([{"id": 1, "content": "old things"}]));
    assert_eq!(answer.header("content-profile"), "archive");
    let unknown = library.get_with("/crates", &[("accept-profile", "vault")]).await;
    assert_eq!(unknown.status.as_u16(), 406);
    assert_eq!(
        unknown.json(),
        json!({
            "code": "PGRST106",
            "message": "Invalid schema: vault",
            "details": null,
            "hint": "Only the following schemas are exposed: library, archive"
        })
    );
}

#[tokio::test]
async fn the_same_request_is_planned_once() {
    let library = Library::open().await;
    for _ in 0..3 {
        library.rows("/shelves?select=id").await;
    }
    let metrics = library.state.metrics();
    assert_eq!((metrics.shape_hits, metrics.shape_misses), (2, 1));
}

#[tokio::test]
async fn text_search_leaves_computed_fields_as_they_are() {
    let library = Library::open().await;
    for query in
        ["words=fts(english).pattern", "words=plfts(english).weave", "full_title=fts.engines"]
    {
        let rows = library.rows(&format!("/books?select=id&{query}")).await;
        assert_eq!(rows, json!([{"id": 1}]), "{query}");
    }
    let arrows = library.get("/books?select=data-%3E%3Edeep-%3Ekey").await;
    assert_eq!(arrows.status.as_u16(), 404);
    assert_eq!(arrows.json()["message"], json!("operator does not exist: text -> unknown"));
}
