//! Tests of the message queues.

use crate::world::{database, refusal, run, text_of};

const READ: &str =
    "select string_agg(concat_ws(' ', msg_id, read_ct, message ->> 'n'), ';' order by msg_id)";

#[tokio::test]
async fn message_is_sent_read_hidden_and_archived() {
    let db = database().await;
    run(
        &db,
        "select pgmq.create('Parcels'); select pgmq.create('parcels');
         select pgmq.send('parcels', '{\"n\": 1}');
         select pgmq.send_batch('parcels', array['{\"n\": 2}', '{\"n\": 3}']::jsonb[]);
         select pgmq.send('parcels', '{\"n\": 4}', 3600);
         select pgmq.send('parcels', '{\"n\": 5}', '{\"trace\": \"x\"}'::jsonb);",
    )
    .await
    .unwrap();
    let read = |table: &str| format!("{READ} from pgmq.{table} as m");
    assert_eq!(text_of(&db, &read("read('parcels', 30, 2)")).await, "1 1 1;2 1 2");
    assert_eq!(text_of(&db, &read("read('parcels', 30, 9, '{\"n\": 5}')")).await, "5 1 5");
    assert_eq!(
        text_of(&db, &read("read('parcels', 0, 9)")).await,
        "3 1 3",
        "the others are hidden"
    );
    assert_eq!(
        text_of(&db, "select headers from pgmq.q_parcels where msg_id = 5").await,
        "{\"trace\": \"x\"}"
    );
    assert_eq!(text_of(&db, &read("set_vt('parcels', 2, 0)")).await, "2 1 2");
    assert_eq!(text_of(&db, &read("pop('parcels')")).await, "2 1 2");
    assert_eq!(text_of(&db, "select pgmq.archive('parcels', 1)").await, "true");
    assert_eq!(text_of(&db, "select pgmq.archive('parcels', 1)").await, "false");
    assert_eq!(text_of(&db, "select message from pgmq.a_parcels").await, "{\"n\": 1}");
    assert_eq!(
        text_of(&db, "select array_agg(d) from pgmq.delete('parcels', array[3, 99]) as d").await,
        "{3}"
    );
    let metrics =
        "select concat_ws(' ', queue_name, queue_length, queue_visible_length, total_messages,
        newest_msg_age_sec, oldest_msg_age_sec) from pgmq.metrics('parcels')";
    assert_eq!(text_of(&db, metrics).await, "parcels 2 0 5 0 0");
    assert_eq!(text_of(&db, "select pgmq.purge_queue('parcels')").await, "2");
    assert_eq!(text_of(&db, &read("read_with_poll('parcels', 30, 1, 0)")).await, "");
}

#[tokio::test]
async fn queues_are_created_listed_and_dropped() {
    let db = database().await;
    run(
        &db,
        "select pgmq.create('a'), pgmq.create_unlogged('b'), pgmq.create_non_partitioned('c d')",
    )
    .await
    .unwrap();
    let queues =
        "select string_agg(concat_ws(' ', queue_name, is_unlogged), ';') from pgmq.list_queues()";
    assert_eq!(text_of(&db, queues).await, "a f;b t;c d f");
    assert_eq!(text_of(&db, "select count(*) from pgmq.metrics_all()").await, "3");
    assert_eq!(text_of(&db, "select pgmq.drop_queue('a')").await, "true");
    assert_eq!(text_of(&db, "select pgmq.drop_queue('a')").await, "false");
    assert_eq!(text_of(&db, queues).await, "b t;c d f");
    for (wrong, refusal_text) in [
        ("select pgmq.create('a;b')", "1 to 47"),
        ("select pgmq.create(repeat('a', 48))", "1 to 47"),
        ("select pgmq.create(null)", "1 to 47"),
        ("select pgmq.create_partitioned('p')", "in partitions"),
        ("select pgmq.send('nowhere', '{}')", "does not exist"),
        ("select pgmq.send_batch('b', '{}', array['{}']::jsonb[])", "headers"),
    ] {
        let error_text = refusal(&db, wrong).await;
        assert!(error_text.contains(refusal_text), "{wrong}: {error_text}");
    }
}

#[tokio::test]
async fn two_readers_share_no_message() {
    let db = database().await;
    run(
        &db,
        "select pgmq.create('q'); select pgmq.send_batch('q', array_fill('{}'::jsonb, array[4]))",
    )
    .await
    .unwrap();
    let owner = &db.pools().owner;
    let mut first = owner.begin().await.unwrap();
    let mut second = owner.begin().await.unwrap();
    let take = "select array_agg(msg_id) from pgmq.read('q', 30, 2)";
    let one: Vec<i64> = sqlx::query_scalar(take).fetch_one(&mut *first).await.unwrap();
    let other: Vec<i64> = sqlx::query_scalar(take).fetch_one(&mut *second).await.unwrap();
    assert_eq!((one, other), (vec![1, 2], vec![3, 4]));
    first.rollback().await.unwrap();
    second.commit().await.unwrap();
    assert_eq!(text_of(&db, take).await, "{1,2}", "whoever fails gives its messages back");
}

#[tokio::test]
async fn callers_use_only_queues_granted_to_them() {
    let db = database().await;
    run(&db, "select pgmq.create('open'), pgmq.create('closed'); grant all on pgmq.q_open, pgmq.a_open to authenticated")
        .await
        .unwrap();
    let act = |role: &str, text: &str| format!("set local role {role}; {text}");
    for text in [
        "select pgmq_public.send('open', '{}')",
        "select pgmq_public.send_batch('open', array['{}']::jsonb[])",
        "select pgmq_public.read('open', 0, 1)",
        "select pgmq_public.archive('open', 1)",
        "select pgmq_public.pop('open')",
    ] {
        run(&db, &act("authenticated", text)).await.unwrap();
        let refusal_text = refusal(&db, &act("anon", text)).await;
        assert!(refusal_text.contains("permission denied"), "{text}: {refusal_text}");
    }
    for closed in [
        "select pgmq_public.send('closed', '{}')",
        "select pgmq.create('mine')",
        "select pgmq.drop_queue('open')",
        "select pgmq.list_queues()",
        "select * from pgmq.meta",
    ] {
        let refusal_text = refusal(&db, &act("authenticated", closed)).await;
        assert!(refusal_text.contains("permission denied"), "{closed}: {refusal_text}");
    }
    run(&db, &act("service_role", "select pgmq.send('closed', '{}'), pgmq.purge_queue('closed')"))
        .await
        .unwrap();
    assert_eq!(text_of(&db, "select count(*) from pgmq.q_open").await, "0");
}
