//! The accepted and rejected input of each clause, the error messages, and that no input causes a
//! panic.

use proptest::prelude::*;

use super::field::{Arrow, Field, JsonOperand, JsonStep};
use super::filter::{Comparison, IsValue, Operation, Quantifier, parse_operation};
use super::select::{SelectItem, parse as parse_select};
use super::*;

fn rules() -> RequestRules {
    RequestRules {
        schemas: vec!["public".into()],
        transaction_override: false,
        root_function: None,
        root_enabled: true,
    }
}

fn get<'a>(path: &'a str, query: &'a str) -> RawRequest<'a> {
    RawRequest { method: "GET", path, query, ..RawRequest::default() }
}

fn parse(path: &str, query: &str) -> Result<ApiRequest, RequestError> {
    ApiRequest::parse(&get(path, query), &rules())
}

fn failure(query: &str) -> ParseFailure {
    match parse("/items", query) {
        Err(RequestError::Query(failure)) => failure,
        other => panic!("{other:?}"),
    }
}

#[test]
fn parse_errors_name_their_position() {
    let table = [
        (
            "id=bad.3",
            "filter (bad.3)",
            1,
            r#"unexpected "b" expecting "not" or operator (eq, gt, ...)"#,
        ),
        (
            "id=noop.0",
            "filter (noop.0)",
            1,
            r#"unexpected "o" expecting "not" or operator (eq, gt, ...)"#,
        ),
        ("id=fts().x", "filter (fts().x)", 5, r#"unexpected ")" expecting operator (eq, gt, ...)"#),
        ("id=eq().x", "filter (eq().x)", 4, r#"unexpected ")" expecting operator (eq, gt, ...)"#),
        ("id=is().x", "filter (is().x)", 3, r#"unexpected "(" expecting operator (eq, gt, ...)"#),
        ("id=in.1", "filter (in.1)", 4, r#"unexpected "1" expecting "(""#),
        (
            "id=is.blue",
            "filter (is.blue)",
            4,
            r#"unexpected "b" expecting isVal: (null, not_null, true, false, unknown)"#,
        ),
        (
            "order=id.ac",
            "order (id.ac)",
            4,
            r#"unexpected "c" expecting "asc", "desc", "nullsfirst" or "nullslast""#,
        ),
        (
            "order=id.descc",
            "order (id.descc)",
            8,
            r#"unexpected 'c' expecting delimiter (.), "," or end of input"#,
        ),
        (
            "order=id.nulsfist",
            "order (id.nulsfist)",
            4,
            r#"unexpected "n" expecting "asc", "desc", "nullsfirst" or "nullslast""#,
        ),
        (
            "order=id.nullslasttt",
            "order (id.nullslasttt)",
            13,
            r#"unexpected 't' expecting "," or end of input"#,
        ),
        (
            "order=id.asc.nlsfst",
            "order (id.asc.nlsfst)",
            8,
            r#"unexpected "l" expecting "nullsfirst" or "nullslast""#,
        ),
        (
            "order=clients(name,id)",
            "order (clients(name,id))",
            8,
            r#"unexpected '(' expecting letter, digit, "-", "->>", "->", delimiter (.), "," or end of input"#,
        ),
        (
            "or=()",
            "logic tree (())",
            4,
            r#"unexpected ")" expecting field name (* or [a..z0..9_$]), negation operator (not) or logic operator (and, or)"#,
        ),
        (
            "or=(id.in.1,2,id.eq.3)",
            "logic tree ((id.in.1,2,id.eq.3))",
            10,
            r#"unexpected "1" expecting "(""#,
        ),
        ("or=)(", "logic tree ()()", 3, r#"unexpected ")" expecting "(""#),
        (
            "and=(ord(id.eq.1,id.eq.1),id.eq.2)",
            "logic tree ((ord(id.eq.1,id.eq.1),id.eq.2))",
            7,
            r#"unexpected "d" expecting "(""#,
        ),
        (
            "or=(id.eq.1,not.xor(id.eq.2,id.eq.3))",
            "logic tree ((id.eq.1,not.xor(id.eq.2,id.eq.3)))",
            16,
            r#"unexpected "x" expecting logic operator (and, or)"#,
        ),
        (
            "select=name!hint",
            "select parameter (name!hint)",
            5,
            r#"unexpected '!' expecting letter, digit, "-", "->>", "->", "::", ".", ")", "," or end of input"#,
        ),
        (
            "select=id,clients(name[])",
            "select parameter (id,clients(name[]))",
            16,
            r#"unexpected '[' expecting letter, digit, "-", "->>", "->", "::", ".", ")", "," or end of input"#,
        ),
        (
            "select=*!hint",
            "select parameter (*!hint)",
            2,
            r#"unexpected '!' expecting ")", "," or end of input"#,
        ),
        (
            "select=name::",
            "select parameter (name::)",
            7,
            "unexpected end of input expecting letter or digit",
        ),
        (
            "select=data->>-78xy",
            "select parameter (data->>-78xy)",
            11,
            r#"unexpected 'x' expecting digit, "->", "::", ".", "," or end of input"#,
        ),
        (
            "select=data->",
            "select parameter (data->)",
            7,
            r#"unexpected end of input expecting "-", digit or any non reserved character different from: .,>()"#,
        ),
        (
            "select=id,",
            "select parameter (id,)",
            4,
            r#"unexpected end of input expecting "...", field name (* or [a..z0..9_$]), "*" or "count()""#,
        ),
    ];
    for (query, label, column, details) in table {
        let failure = failure(query);
        let message = format!("\"failed to parse {label}\" (line 1, column {column})");
        assert_eq!((failure.message, failure.details.as_str()), (message, details), "{query}");
    }
}

#[test]
fn json_keys_may_hold_almost_anything() {
    let request = parse("/items", "select=data->!@%23$%25^%26*_a::text,data->a b->>c-d").unwrap();
    let SelectItem::Field(field) = &request.query.select[0] else { panic!() };
    let key = JsonOperand::Key("!@#$%^&*_a".into());
    assert_eq!(field.field.path, [JsonStep { arrow: Arrow::Json, operand: key }]);
}

#[test]
fn list_items_keep_quoted_commas() {
    let parse = |text: &str| parse_operation(text).map(|(_, operation)| operation);
    let list = |items: &[&str]| Operation::In(items.iter().map(|s| s.to_string()).collect());
    assert_eq!(parse("in.(a,\"b,c\",d)"), Ok(list(&["a", "b,c", "d"])));
    assert_eq!(parse("in.(a\"b,\"c\\\"d\")"), Ok(list(&["a\"b", "c\"d"])));
    assert_eq!(parse("in.()"), Ok(list(&[])));
    assert_eq!(parse("in.(,)"), Ok(list(&["", ""])));
}

#[test]
fn quantifiers_negation_and_truth_values_are_read() {
    assert_eq!(
        parse_operation("not.like(any).{a*,b*}"),
        Ok((
            true,
            Operation::Compare {
                comparison: Comparison::Like,
                quantifier: Some(Quantifier::Any),
                value: "{a*,b*}".into()
            }
        ))
    );
    assert_eq!(parse_operation("is.NOT_NULL"), Ok((false, Operation::Is(IsValue::NotNull))));
    assert!(parse_operation("neq(any).{1}").is_err());
    assert!(parse_operation("is.blue").is_err());
}

#[test]
fn json_paths_take_keys_indexes_and_arrows() {
    let request = parse("/items", "data->a-b->-1->>\"x.y\"=eq.1").unwrap();
    let expected = Field {
        name: "data".into(),
        path: vec![
            JsonStep { arrow: Arrow::Json, operand: JsonOperand::Key("a-b".into()) },
            JsonStep { arrow: Arrow::Json, operand: JsonOperand::Index(-1) },
            JsonStep { arrow: Arrow::Text, operand: JsonOperand::Key("x.y".into()) },
        ],
    };
    assert_eq!(request.query.filters.first().map(|(_, f)| &f.field), Some(&expected));
}

#[test]
fn embeds_take_alias_hint_join_and_spread() {
    let items = parse_select("id, c:clients!fk!inner(name,...owner(*)), n:data->>k::text").unwrap();
    assert_eq!(items.len(), 3);
    let SelectItem::Embed(embed) = &items[1] else { panic!("{items:?}") };
    assert_eq!(
        (embed.alias.as_deref(), embed.target.as_str(), embed.hint.as_deref()),
        (Some("c"), "clients", Some("fk"))
    );
    assert!(matches!(&embed.items[1], SelectItem::Embed(inner) if inner.spread));
}

#[test]
fn aggregates_and_casts_combine() {
    let items = parse_select("total:amount::numeric.sum()::int,count(),*.count()").unwrap();
    let SelectItem::Field(total) = &items[0] else { panic!("{items:?}") };
    assert_eq!(total.cast.as_deref(), Some("numeric"));
    assert_eq!(total.aggregate_cast.as_deref(), Some("int"));
    assert_eq!(items.len(), 3);
}

#[test]
fn ranges_of_query_and_header_are_intersected() {
    let incoming = RawRequest { range: Some("0-9"), ..get("/items", "offset=5&limit=20") };
    let request = ApiRequest::parse(&incoming, &rules()).unwrap();
    assert_eq!(request.slice, Slice { offset: 5, limit: Some(5) });
    let negative = parse("/items", "limit=-1");
    assert_eq!(negative, Err(RequestError::Range(RangeFault::NegativeLimit)));
    let wrong = RawRequest { range: Some("9-0"), ..get("/items", "") };
    let refusal = ApiRequest::parse(&wrong, &rules());
    assert_eq!(refusal, Err(RequestError::Range(RangeFault::LowerAboveUpper)));
}

#[test]
fn last_of_repeated_ranges_counts() {
    let request = parse("/items", "limit=1&limit=2&offset=3").unwrap();
    assert_eq!(request.slice, Slice { offset: 3, limit: Some(2) });
}

#[test]
fn rpc_query_separates_arguments_from_filters() {
    let request = parse("/rpc/f", "a=1&b=eq.2&c.d=eq.3&t=is.null&x=eq(5)&n.o=note&q=fts").unwrap();
    let arguments: Vec<_> = request.query.arguments.iter().map(|(k, _)| k.as_str()).collect();
    assert_eq!(arguments, ["a", "x", "o", "q"]);
    for broken in ["not.here", "in.x", "is.x"] {
        let refusal = parse("/rpc/f", &format!("a={broken}"));
        assert!(matches!(refusal, Err(RequestError::Query(_))), "{broken}: {refusal:?}");
    }
}

#[test]
fn a_semicolon_separates_parameters_too() {
    let request = parse("/items", "a=eq.1;select=id").unwrap();
    assert_eq!(request.query.canonical, "a=eq.1&select=id");
    assert_eq!(request.query.filters.len(), 1);
}

#[test]
fn canonical_query_groups_values_by_key() {
    let request = parse("/items", "b=gt.1&a=eq.1&b=lt.9").unwrap();
    assert_eq!(request.query.canonical, "a=eq.1&b=gt.1,lt.9");
}

#[test]
fn text_behind_a_list_of_names_is_ignored() {
    let request = parse("/items", "columns=id, body)").unwrap();
    assert_eq!(request.query.columns, Some(vec!["id".to_owned(), "body".to_owned()]));
}

#[test]
fn a_path_is_one_segment_or_a_function() {
    for (path, known) in [("/", true), ("/items", true), ("/rpc", true), ("/rpc/f", true)]
        .into_iter()
        .chain([("/items/", false), ("//", false), ("/rpc/f/", false), ("/a/b/c", false)])
    {
        let found = parse(path, "");
        assert_eq!(found != Err(RequestError::UnknownPath), known, "{path}: {found:?}");
    }
}

#[test]
fn deep_nesting_is_refused_not_recursed_into() {
    let path = "->a".repeat(5000);
    let cases = [
        format!("select={}id{}", "a(".repeat(5000), ")".repeat(5000)),
        format!("or={}a.eq.1{}", "(and".repeat(5000), ")".repeat(5000)),
        format!("select=data{path}"),
        format!("select=x:data{path}::text"),
        format!("order=data{path}.desc"),
        format!("order=rel(data{path})"),
        format!("or=(data{path}.eq.1)"),
        format!("data{path}=eq.1"),
        format!("data=cs.{}", "[".repeat(5000)),
        format!("summary=fts.{}a", "(".repeat(5000)),
        format!("or=(data.cs.{},id.eq.1)", "[".repeat(5000)),
    ];
    for query in cases {
        let details = failure(&query).details;
        let is_explained =
            details.contains("nesting deeper") || details.contains("a json path longer");
        assert!(is_explained, "{}: {details}", query.get(..30).unwrap_or(""));
    }
    let longest = format!("select=data{}", "->a".repeat(MAX_DEPTH));
    assert!(parse("/items", &longest).is_ok());
}

#[test]
fn a_request_names_no_more_than_postgresql_takes() {
    let many = |item: &str, times: usize| vec![item; times].join(",");
    for clause in ["select", "order"] {
        assert!(parse("/items", &format!("{clause}={}", many("a", MAX_ITEMS))).is_ok());
        let details = failure(&format!("{clause}={}", many("a", MAX_ITEMS + 1))).details;
        assert_eq!(details, format!("more than {MAX_ITEMS} items"), "{clause}");
    }
    assert!(parse("/items", &format!("select={}", many("a(b)", MAX_EMBEDS))).is_ok());
    let nested = format!("select=c({}),{}", many("...a(b)", 100), many("d:a(b)", MAX_EMBEDS - 100));
    assert_eq!(failure(&nested).details, format!("more than {MAX_EMBEDS} embeds"));
}

#[test]
fn a_body_too_deep_for_postgresql_is_refused() {
    let body = |depth: usize| format!("{{\"a\": {}{}}}", "[".repeat(depth), "]".repeat(depth));
    let read = |text: &str, columns: Option<&[String]>| {
        payload::parse(text.as_bytes(), &MediaType::Json, columns, false)
    };
    let columns = ["a".to_owned()];
    for columns in [None, Some(columns.as_slice())] {
        assert!(read(&body(nesting::MAX_BRACKETS - 1), columns).is_ok());
        assert_eq!(read(&body(nesting::MAX_BRACKETS), columns), Err(PayloadFault::TooDeep));
    }
    let brackets_in_a_text = format!("{{\"a\": \"\\\"{}\"}}", "[".repeat(5000));
    assert!(read(&brackets_in_a_text, None).is_ok());
}

#[test]
fn no_name_holds_what_postgresql_cannot() {
    for query in [
        "select=%22%00%22:id",
        "select=%22a%5C%00%22",
        "select=x:%22a%00%22(id)",
        "select=%22a%00%22!inner(id)",
        "select=data->%00",
        "select=id::te%00xt",
        "order=%22a%00%22.desc",
        "columns=%22a%00%22",
        "on_conflict=%22a%00%22",
        "%22a%00%22=eq.1",
        "or=(%22a%00%22.eq.1)",
    ] {
        assert!(failure(query).message.contains("column"), "{query}");
    }
}

#[test]
fn the_canonical_query_is_sorted_and_encoded() {
    let request = parse("/items", "b=eq.1&a=eq.%C3%A9&c").unwrap();
    assert_eq!(request.query.canonical, "a=eq.%C3%A9&b=eq.1&c=");
}

#[test]
fn bodies_name_their_keys_once() {
    let parse = |body: &str| payload::parse(body.as_bytes(), &MediaType::Json, None, false);
    assert_eq!(parse("[{\"a\":1},{\"b\":2}]"), Err(PayloadFault::KeysDiffer));
    assert_eq!(parse("[1]"), Err(PayloadFault::KeysDiffer));
    assert_eq!(parse("{"), Err(PayloadFault::InvalidJson));
    assert_eq!(parse(""), Err(PayloadFault::InvalidJson));
    let Ok(Payload::Json { keys, is_object, .. }) = parse("[{\"b\":1,\"a\":[{\"x\":1}]}]") else {
        panic!()
    };
    assert_eq!(keys.into_iter().collect::<Vec<_>>(), ["a", "b"]);
    assert!(!is_object);
}

proptest! {
    #[test]
    fn no_query_string_panics(text in ".{0,200}") {
        let _ = parse("/items", &text);
        let _ = parse("/rpc/f", &text);
    }

    #[test]
    fn arbitrary_clauses_do_not_panic(text in "[a-c().,:!>\"'*{}0-9\\\\ _-]{0,120}") {
        for key in ["select", "order", "columns", "on_conflict", "and", "or", "x.not.or", "a->b", "limit"] {
            let _ = parse("/items", &format!("{key}={}", query::encode(&text)));
        }
        let _ = parse_operation(&text);
        let _ = parse_select(&text);
        let _ = media::accepted(Some(&text));
        let _ = range::header(&text);
    }

    #[test]
    fn arbitrary_body_does_not_panic(body in proptest::collection::vec(any::<u8>(), 0..200)) {
        for media in [MediaType::Json, MediaType::Csv, MediaType::UrlEncoded, MediaType::PlainText] {
            let _ = payload::parse(&body, &media, None, true);
            let _ = payload::parse(&body, &media, None, false);
        }
    }

    #[test]
    fn any_quoted_name_survives(name in "[^\\x00]{1,20}") {
        let quoted = format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""));
        let request = parse("/items", &format!("{}=eq.1", query::encode(&quoted))).unwrap();
        prop_assert_eq!(&request.query.filters[0].1.field.name, &name);
    }
}
