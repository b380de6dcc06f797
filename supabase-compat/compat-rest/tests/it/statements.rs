//! Rendered statements as golden files for review; a real server also explains each one.

use compat_rest_core::sql::Param;
use compat_rest_core::{ApiRequest, Plan, PlanRules, RawRequest, RenderedStatement, RequestRules};

use crate::library::Library;

struct Golden {
    name: &'static str,
    method: &'static str,
    path: &'static str,
    query: &'static str,
    prefer: &'static [&'static str],
    accept: &'static str,
    body: &'static str,
}

const READ: Golden = Golden {
    name: "",
    method: "GET",
    path: "/books",
    query: "",
    prefer: &[],
    accept: "*/*",
    body: "",
};
const FULL: &[&str] = &["return=representation"];

const GOLDENS: &[Golden] = &[
    Golden { name: "read_all", ..READ },
    Golden {
        name: "read_ranked_page",
        query: "select=id,title,publishers(name)&in_print=is.true&tags=ov.{math}&order=pages.desc.nullslast,id&limit=25&offset=25",
        prefer: &["count=exact"],
        ..READ
    },
    Golden {
        name: "read_by_key",
        query: "id=eq.1",
        accept: "application/vnd.pgrst.object+json",
        ..READ
    },
    Golden {
        name: "read_logic",
        query: "or=(id.in.(1,2),and(title.ilike.*e*,not.or(pages.gt.1,data->deep->>key.eq.v)))",
        ..READ
    },
    Golden {
        name: "read_nested_embeds",
        query: "select=id,shelves!inner(label,placements(amount)),author_id(name)&shelves.label=eq.left&shelves.order=label&shelves.limit=2",
        ..READ
    },
    Golden {
        name: "read_embed_presence",
        query: "select=id,covers(*)&or=(covers.is.null,id.eq.1)&order=id",
        ..READ
    },
    Golden {
        name: "read_spreads",
        query: "select=id,...publishers(publisher:name),...shelves(label)&order=publishers(name)",
        ..READ
    },
    Golden {
        name: "read_aggregates",
        query: "select=in_print,pages.sum()::text,publishers(name),...author_id(born.max())",
        ..READ
    },
    Golden {
        name: "read_computed",
        query: "select=full_title,writer(name)&full_title=like.E*",
        ..READ
    },
    Golden { name: "read_csv", query: "select=id", accept: "text/csv", ..READ },
    Golden { name: "read_domain", path: "/paints", query: "tint=eq.%23000000", ..READ },
    Golden { name: "insert_minimal", method: "POST", body: r#"{"id": 1, "title": "x"}"#, ..READ },
    Golden {
        name: "insert_many_returning",
        method: "POST",
        query: "select=id,author_id(name)&columns=id,title,author_id",
        prefer: FULL,
        body: "[]",
        ..READ
    },
    Golden {
        name: "insert_with_defaults",
        method: "POST",
        path: "/publishers",
        query: "columns=id,name,founded",
        prefer: &["missing=default"],
        body: "[]",
        ..READ
    },
    Golden {
        name: "upsert_merge",
        method: "POST",
        path: "/shelves",
        prefer: &["resolution=merge-duplicates", "return=headers-only"],
        body: r#"[{"id": 1, "label": "x"}]"#,
        ..READ
    },
    Golden {
        name: "put",
        method: "PUT",
        path: "/shelves",
        query: "id=eq.1",
        prefer: FULL,
        body: r#"{"id": 1, "label": "x"}"#,
        ..READ
    },
    Golden {
        name: "update_singular",
        method: "PATCH",
        query: "id=eq.1&select=id",
        prefer: FULL,
        accept: "application/vnd.pgrst.object+json",
        body: r#"{"pages": 1}"#,
        ..READ
    },
    Golden {
        name: "delete_bounded",
        method: "DELETE",
        query: "id=eq.1",
        prefer: &["handling=strict", "max-affected=1"],
        ..READ
    },
    Golden {
        name: "call_by_get",
        path: "/rpc/books_over",
        query: "min_pages=1&select=id,publishers(name)&limit=2",
        prefer: &["count=exact"],
        ..READ
    },
    Golden { name: "root", path: "/", ..READ },
    Golden { name: "call_by_post", method: "POST", path: "/rpc/add", body: r#"{"a": 1}"#, ..READ },
    Golden {
        name: "call_set_by_post",
        method: "POST",
        path: "/rpc/books_over",
        query: "select=id&order=id",
        body: r#"{"min_pages": 1}"#,
        ..READ
    },
    Golden {
        name: "call_with_the_body",
        method: "POST",
        path: "/rpc/echo",
        body: r#"{"x": 1}"#,
        ..READ
    },
];

#[tokio::test]
async fn rendered_statements_match_goldens_and_are_valid() {
    let library = Library::open().await;
    let cache = library.schema().await;
    let rules = RequestRules {
        schemas: vec!["library".into()],
        transaction_override: false,
        root_function: None,
        root_enabled: true,
    };
    let plan_rules = PlanRules {
        aggregates_enabled: true,
        root_by_privileges: true,
        legacy_target_names: true,
        ..PlanRules::default()
    };
    for golden in GOLDENS {
        let incoming = RawRequest {
            method: golden.method,
            path: golden.path,
            query: golden.query,
            accept: Some(golden.accept),
            prefer: golden.prefer,
            body: golden.body.as_bytes(),
            ..RawRequest::default()
        };
        let request = ApiRequest::parse(&incoming, &rules)
            .unwrap_or_else(|e| panic!("{}: {e:?}", golden.name));
        let plan = Plan::new(&request, &cache, &plan_rules)
            .unwrap_or_else(|e| panic!("{}: {e:?}", golden.name));
        let statement = RenderedStatement::new(&plan).expect("a statement");
        let snapshot = format!(
            "{} {}?{}\n{}\n\n{}\n\n{:?}\n",
            golden.method,
            golden.path,
            golden.query,
            golden.prefer.join(", "),
            broken(&statement.sql),
            statement.params
        );
        insta::with_settings!({snapshot_path => "golden", prepend_module_to_snapshot => false, omit_expression => true}, {
            insta::assert_snapshot!(golden.name, snapshot);
        });
        explained(&library, golden, &statement).await;
    }
}

/// The statement with one clause per line.
fn broken(sql: &str) -> String {
    let mut text = sql.to_owned();
    for word in [
        "SELECT ",
        "FROM ",
        "WHERE ",
        "GROUP BY ",
        "ORDER BY ",
        "LIMIT ",
        "RETURNING ",
        "LEFT JOIN ",
        "CROSS JOIN ",
        "ON CONFLICT ",
    ] {
        text = text.replace(&format!(" {word}"), &format!("\n{word}"));
        text = text.replace(&format!("({word}"), &format!("(\n{word}"));
    }
    text
}

async fn explained(library: &Library, golden: &Golden, statement: &RenderedStatement) {
    let params: Vec<Option<&str>> = statement
        .params
        .iter()
        .map(|param| match param {
            Param::Text(text) => Some(text.as_str()),
            Param::Body => Some(golden.body),
        })
        .collect();
    let explain = format!("explain {}", statement.sql);
    library
        .as_service(&explain, &params)
        .await
        .unwrap_or_else(|e| panic!("{}: {e}\n{}", golden.name, statement.sql));
}
