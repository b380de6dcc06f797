//! Tests of the webhooks of tables.

use crate::world::{database, refusal, run, text_of};

const TABLE: &str = "create table public.notes (id int, body text);";

#[tokio::test]
async fn trigger_calls_with_both_rows() {
    let db = database().await;
    let trigger =
        "create trigger tell after insert or update or delete on public.notes for each row
        execute function supabase_functions.http_request(
            'https://a.test/hook', 'POST', '{\"x-mark\": \"m\"}', '{\"p\": \"1\"}', '3000');";
    let writes = "insert into public.notes values (1, 'a'); update public.notes set body = 'b';
        delete from public.notes;";
    run(&db, &format!("{TABLE} {trigger} {writes}")).await.unwrap();
    let called = "select string_agg(
            concat_ws(' ', method, url, headers ->> 'x-mark', timeout_milliseconds), ';'
        ) from (select distinct method, url, headers, timeout_milliseconds from net.http_request_queue) as q";
    assert_eq!(text_of(&db, called).await, "POST https://a.test/hook?p=1 m 3000");
    let bodies = "select string_agg(body ->> 'type' || ' ' || (body -> 'record') || (body -> 'old_record'), ';' order by id)
        from (select id, convert_from(body, 'UTF8')::jsonb as body from net.http_request_queue) as q";
    let (a, b) = (r#"{"id": 1, "body": "a"}"#, r#"{"id": 1, "body": "b"}"#);
    let expected = format!("INSERT {a}null;UPDATE {b}{a};DELETE null{b}");
    assert_eq!(text_of(&db, bodies).await, expected);
    let hook_rows = "select bool_and(hook_name = 'tell' and hook_table_id = 'public.notes'::regclass::int)::text
        || count(request_id) from supabase_functions.hooks";
    assert_eq!(text_of(&db, hook_rows).await, "true3");
}

#[tokio::test]
async fn trigger_that_cannot_call_is_refused() {
    let db = database().await;
    for (arguments, reason) in [
        ("", "url argument is missing"),
        ("'https://a.test'", "method argument null is invalid"),
        ("'https://a.test', 'PUT'", "method argument PUT is invalid"),
    ] {
        let script = format!(
            "{TABLE} create trigger tell after insert on public.notes for each row
             execute function supabase_functions.http_request({arguments});
             insert into public.notes values (1)"
        );
        let refusal_text = refusal(&db, &script).await;
        assert!(refusal_text.contains(reason), "{arguments}: {refusal_text}");
    }
}
