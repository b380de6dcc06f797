//! Embedding: every kind of relationship, through tables and views.

use serde_json::json;

use crate::library::Library;

#[tokio::test]
async fn embed_shape_follows_relationship_cardinality() {
    let library = Library::open().await;
    assert_eq!(
        library.rows("/books?select=id,publishers(name)&order=id&id=in.(1,4)").await,
        json!([{"id": 1, "publishers": {"name": "North"}}, {"id": 4, "publishers": null}])
    );
    assert_eq!(
        library.rows("/publishers?select=name,books(id)&order=id&books.order=id.desc").await,
        json!([
            {"name": "North", "books": [{"id": 2}, {"id": 1}]},
            {"name": "South", "books": [{"id": 3}]}
        ])
    );
}

#[tokio::test]
async fn one_to_one_embeds_an_object_both_ways() {
    let library = Library::open().await;
    assert_eq!(
        library.rows("/books?select=id,covers(color)&id=lte.3&order=id").await,
        json!([
            {"id": 1, "covers": {"color": "red"}},
            {"id": 2, "covers": {"color": "blue"}},
            {"id": 3, "covers": null}
        ])
    );
    assert_eq!(
        library.rows("/covers?select=color,books(title)&book_id=eq.1").await,
        json!([{"color": "red", "books": {"title": "Engines"}}])
    );
}

#[tokio::test]
async fn many_to_many_goes_through_the_junction() {
    let library = Library::open().await;
    assert_eq!(
        library.rows("/books?select=id,shelves(label)&id=lte.3&order=id&shelves.order=label").await,
        json!([
            {"id": 1, "shelves": [{"label": "left"}, {"label": "right"}]},
            {"id": 2, "shelves": [{"label": "left"}]},
            {"id": 3, "shelves": []}
        ])
    );
}

#[tokio::test]
async fn hints_choose_among_several_keys() {
    let library = Library::open().await;
    for embed in
        ["authors!author_id", "authors!books_author_id_fkey", "books_author_id_fkey", "author_id"]
    {
        let rows = library.rows(&format!("/books?select=a:{embed}(name)&id=eq.2")).await;
        assert_eq!(rows, json!([{"a": {"name": "Blaise"}}]), "{embed}");
    }
    assert_eq!(
        library.rows("/books?select=author:author_id(name),editor:editor_id(name)&id=eq.1").await,
        json!([{"author": {"name": "Ada"}, "editor": {"name": "Blaise"}}])
    );
}

#[tokio::test]
async fn views_inherit_relationships_of_their_columns() {
    let library = Library::open().await;
    assert_eq!(
        library.rows("/books_public?select=id,publishers(name)&id=eq.1").await,
        json!([{"id": 1, "publishers": {"name": "North"}}])
    );
    assert_eq!(
        library.rows("/long_books?select=number,authors(name)").await,
        json!([{"number": 1, "authors": {"name": "Ada"}}])
    );
    assert_eq!(
        library
            .rows("/publishers?select=name,books_public(title)&id=eq.1&books_public.order=id")
            .await,
        json!([{"name": "North", "books_public": [{"title": "Engines"}, {"title": "Triangles"}]}])
    );
    assert_eq!(
        library.rows("/books?select=k:authors_kept!author_id(name)&id=eq.1").await,
        json!([{"k": {"name": "Ada"}}])
    );
}

#[tokio::test]
async fn a_table_may_refer_to_itself() {
    let library = Library::open().await;
    assert_eq!(
        library.rows("/authors?select=name,mentor_id(name),authors(name)&id=in.(1,2)&order=id&authors.order=id").await,
        json!([
            {"name": "Ada", "mentor_id": null, "authors": [{"name": "Blaise"}, {"name": "Carl"}]},
            {"name": "Blaise", "mentor_id": {"name": "Ada"}, "authors": []}
        ])
    );
}

#[tokio::test]
async fn partitioned_tables_embed_like_others() {
    let library = Library::open().await;
    assert_eq!(
        library.rows("/books?select=id,readings(minutes)&id=eq.1&readings.order=at").await,
        json!([{"id": 1, "readings": [{"minutes": 30}, {"minutes": 45}]}])
    );
    let partition = library.get("/readings_2026").await;
    assert_eq!(
        (partition.status.as_u16(), partition.json()["code"].as_str()),
        (404, Some("PGRST205"))
    );
}

#[tokio::test]
async fn functions_of_a_row_are_relationships() {
    let library = Library::open().await;
    assert_eq!(
        library.rows("/books?select=id,writer(name),fellow_books(id)&id=eq.1").await,
        json!([{"id": 1, "writer": {"name": "Ada"}, "fellow_books": []}])
    );
}

#[tokio::test]
async fn inner_embeds_choose_the_parents_and_their_count() {
    let library = Library::open().await;
    let path = "/books?select=id,authors!author_id!inner(name)&authors.name=eq.Ada";
    let answer = library.get_with(path, &[("prefer", "count=exact")]).await;
    assert_eq!(answer.json(), json!([{"id": 1, "authors": {"name": "Ada"}}]));
    assert_eq!(answer.header("content-range"), "0-0/1");
    assert_eq!(
        library.rows("/publishers?select=name,books!inner(covers!inner())&order=id").await,
        json!([{"name": "North"}])
    );
    assert_eq!(
        library.rows("/books?select=id,shelves!inner(label)&shelves.label=eq.right").await,
        json!([{"id": 1, "shelves": [{"label": "right"}]}])
    );
}

#[tokio::test]
async fn filters_order_and_limits_reach_into_embeds() {
    let library = Library::open().await;
    assert_eq!(
        library
            .rows("/publishers?select=id,b:books(id,covers(color))&b.pages=gt.100&b.order=pages.desc&b.limit=1&b.covers.color=eq.red&order=id")
            .await,
        json!([
            {"id": 1, "b": [{"id": 1, "covers": {"color": "red"}}]},
            {"id": 2, "b": [{"id": 3, "covers": null}]}
        ])
    );
    assert_eq!(
        library.rows("/publishers?select=id,books(id)&books.or=(id.eq.1,id.eq.3)&order=id").await,
        json!([{"id": 1, "books": [{"id": 1}]}, {"id": 2, "books": [{"id": 3}]}])
    );
}

#[tokio::test]
async fn parents_are_filtered_by_embed_presence() {
    let library = Library::open().await;
    let ids = async |query: &str| {
        let rows = library.rows(&format!("/books?select=id,covers(*)&order=id&{query}")).await;
        rows.as_array().unwrap().iter().map(|r| r["id"].as_i64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(ids("covers=is.null").await, [3, 4]);
    assert_eq!(ids("covers=not.is.null").await, [1, 2]);
    assert_eq!(ids("or=(id.eq.4,covers.not.is.null)").await, [1, 2, 4]);
    assert_eq!(ids("covers=not.is.null&covers.color=eq.blue").await, [2]);
}

#[tokio::test]
async fn rows_order_by_to_one_embed_column() {
    let library = Library::open().await;
    let rows = library
        .rows("/books?select=id,authors!author_id(name)&author_id=not.is.null&order=authors(name).desc")
        .await;
    let ids: Vec<_> = rows.as_array().unwrap().iter().map(|r| r["id"].as_i64().unwrap()).collect();
    assert_eq!(ids, [3, 2, 1]);
}

#[tokio::test]
async fn spreads_lift_columns_into_the_parent() {
    let library = Library::open().await;
    assert_eq!(
        library.rows("/books?select=id,...publishers(publisher:name)&order=id&id=in.(1,4)").await,
        json!([{"id": 1, "publisher": "North"}, {"id": 4, "publisher": null}])
    );
    assert_eq!(
        library
            .rows("/publishers?select=name,...books(ids:id,title)&books.order=id.desc&id=eq.1")
            .await,
        json!([{"name": "North", "ids": [2, 1], "title": ["Triangles", "Engines"]}])
    );
    assert_eq!(
        library.rows("/placements?select=amount.sum(),...books(title)&order=books(title)").await,
        json!([{"sum": 3, "title": "Engines"}, {"sum": 5, "title": "Triangles"}])
    );
    assert_eq!(
        library.rows("/placements?select=shelf_id,...books(pages.sum())&order=shelf_id").await,
        json!([{"shelf_id": 1, "sum": 440}, {"shelf_id": 2, "sum": 320}])
    );
    let mut rows = library
        .rows("/placements?select=amount.sum(),...books(publishers(name),...shelves(label))")
        .await;
    rows.as_array_mut().unwrap().sort_by_key(|row| row["sum"].as_i64());
    assert_eq!(
        rows,
        json!([
            {"sum": 3, "publishers": {"name": "North"}, "label": ["left", "right"]},
            {"sum": 5, "publishers": {"name": "North"}, "label": ["left"]}
        ])
    );
}

#[tokio::test]
async fn star_in_nested_spreads_expands_to_columns() {
    let library = Library::open().await;
    let path =
        "/books?select=title,...placements(*,...shelves(*))&placements.order=shelf_id&id=eq.1";
    assert_eq!(
        library.rows(path).await,
        json!([{
            "title": "Engines", "book_id": [1, 1], "shelf_id": [1, 2], "amount": [2, 1],
            "id": [1, 2], "label": ["left", "right"]
        }])
    );
}

#[tokio::test]
async fn a_spread_of_nothing_changes_nothing() {
    let library = Library::open().await;
    for spread in ["...books()", "...books!inner()"] {
        let rows = library.rows(&format!("/publishers?select=name,{spread}&order=id")).await;
        assert_eq!(rows, json!([{"name": "North"}, {"name": "South"}]), "{spread}");
    }
}

#[tokio::test]
async fn rows_order_by_embed_alias_or_aggregate() {
    let library = Library::open().await;
    let ids = async |query: &str| {
        let rows = library.rows(&format!("/books?id=lte.3&{query}")).await;
        rows.as_array().unwrap().iter().map(|r| r["id"].as_i64().unwrap()).collect::<Vec<_>>()
    };
    for embed in ["...publishers(label:name)", "publishers(label:name)"] {
        let query = format!("select=id,{embed}&order=publishers(label).desc,id");
        assert_eq!(ids(&query).await, [3, 1, 2], "{embed}");
    }
    let nested = "select=id,...authors!author_id(...covers_of(x:color))";
    assert_eq!(library.get(&format!("/books?{nested}")).await.status.as_u16(), 400);
    assert_eq!(
        library.rows("/covers?select=color,books(total:pages.sum())&order=books(total)").await,
        json!([
            {"color": "blue", "books": {"total": 120}}, {"color": "red", "books": {"total": 320}}
        ])
    );
    assert_eq!(
        library
            .rows("/placements?select=shelf_id,...books(all:pages.sum())&order=books(all)")
            .await,
        json!([{"shelf_id": 2, "all": 320}, {"shelf_id": 1, "all": 440}])
    );
}

#[tokio::test]
async fn self_reference_column_hint_embeds_children() {
    let library = Library::open().await;
    let children = "/authors?select=authors!mentor_id(name)&id=eq.1&authors.order=id";
    assert_eq!(
        library.rows(children).await,
        json!([{"authors": [{"name": "Blaise"}, {"name": "Carl"}]}])
    );
    let refusal = library.get("/authors?select=authors!authors_mentor_id_fkey(name)").await;
    assert_eq!((refusal.status.as_u16(), &refusal.json()["code"]), (400, &json!("PGRST200")));
}
