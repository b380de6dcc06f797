//! Broadcasts from the database, and the table that stores them.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::world::{Client, TestFrame, World};

/// The payload of the next broadcast.
pub async fn broadcast_payload(client: &mut Client) -> Value {
    match client.next().await {
        TestFrame::Binary(frame) => {
            let fields: usize = frame[1..4].iter().map(|length| usize::from(*length)).sum();
            serde_json::from_slice(&frame[5 + fields..]).expect("JSON")
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn message_reaches_every_process_once() {
    let world = World::new().await;
    let other = world.another().await;
    let mut here = world.client().await;
    let mut there = other.client("1.0.0", &world.personas.api_keys().anon).await;
    here.join("realtime:room", json!({})).await;
    there.join("realtime:room", json!({})).await;
    world.sql("select realtime.send('{\"id\": \"mine\", \"n\": 1}', 'said', 'room', false)").await;
    assert_eq!(broadcast_payload(&mut here).await, json!({"id": "mine", "n": 1}));
    let (event, mut payload) = there.event().await;
    assert!(payload["meta"].take()["id"].is_string());
    let expected = json!({
        "event": "said", "payload": {"id": "mine", "n": 1}, "type": "broadcast", "meta": null,
    });
    assert_eq!((event.as_str(), payload), ("broadcast", expected));
    here.assert_no_message().await;
    there.assert_no_message().await;
}

#[tokio::test]
async fn private_message_stays_in_the_private_topic() {
    let world = World::new().await;
    world
        .sql(
            "create policy all_read on realtime.messages for select to authenticated
            using (realtime.topic() = 'room')",
        )
        .await;
    let mut public = world.client().await;
    public.join("realtime:room", json!({})).await;
    let mut private = world.client().await;
    let token = world.personas.user_token("ada", json!({}));
    let payload = json!({"config": {"private": true}, "access_token": token});
    let (_, reply) = private.try_join("realtime:room", payload).await;
    assert_eq!(reply["status"], "ok", "{reply}");
    world
        .sql(
            "create table notes (id int primary key, body text);
            create function tell() returns trigger language plpgsql as $$
            begin
                perform realtime.broadcast_changes(
                    'room', tg_op, tg_op, tg_table_name, tg_table_schema, new, old
                );
                return null;
            end $$;
            create trigger told after insert on notes for each row execute function tell();
            insert into notes values (1, 'hello')",
        )
        .await;
    let mut payload = broadcast_payload(&mut private).await;
    assert!(payload["id"].take().is_string());
    let expected = json!({
        "id": null, "old_record": null, "record": {"id": 1, "body": "hello"},
        "operation": "INSERT", "table": "notes", "schema": "public",
    });
    assert_eq!(payload, expected);
    public.assert_no_message().await;
    private.assert_no_message().await;
}

#[tokio::test]
async fn bytes_are_broadcast_as_bytes() {
    let world = World::new().await;
    let mut client = world.client().await;
    client.join("realtime:room", json!({})).await;
    world.sql("select realtime.send_binary('\\x00ff10', 'said', 'room', false)").await;
    let TestFrame::Binary(frame) = client.next().await else { panic!("no bytes") };
    assert_eq!((frame[0], frame[4], &frame[frame.len() - 3..]), (4, 0, &[0, 255, 16][..]));
}

#[tokio::test]
async fn message_that_cannot_be_sent_is_a_warning() {
    let world = World::new().await;
    world
        .sql("create table notes (id int); insert into notes values (1); set local role anon; select realtime.send('1', 'said', 'room', true)")
        .await;
    let mut connection = world.db.pools().owner.connection().await.unwrap();
    let counts: (i64, i64) = sqlx::query_as(
        "select (select count(*) from notes), (select count(*) from realtime.messages)",
    )
    .fetch_one(&mut *connection)
    .await
    .unwrap();
    assert_eq!(counts, (1, 0));
}

#[tokio::test]
async fn message_partitions_of_days_are_created_and_dropped() {
    let world = World::new().await;
    let mut connection = world.db.pools().owner.connection().await.unwrap();
    let mut days = async |at: &str| -> BTreeSet<String> {
        sqlx::query_scalar::<_, i32>("select realtime.keep_message_days($1::timestamptz)")
            .bind(at.to_owned())
            .fetch_one(&mut *connection)
            .await
            .unwrap();
        let names =
            "select c.relname::text from pg_inherits as i join pg_class as c on c.oid = i.inhrelid
            where i.inhparent = 'realtime.messages'::regclass";
        let all: Vec<String> = sqlx::query_scalar(names).fetch_all(&mut *connection).await.unwrap();
        all.into_iter().filter(|name| name.starts_with("messages_2100")).collect()
    };
    let first = days("2100-01-10 12:00:00+00").await;
    let named = |days: std::ops::RangeInclusive<u32>| -> BTreeSet<String> {
        days.map(|day| format!("messages_2100_01_{day:02}")).collect()
    };
    assert_eq!(first, named(9..=13));
    assert_eq!(days("2100-01-10 13:00:00+00").await, first);
    assert_eq!(days("2100-01-13 12:00:00+00").await, named(10..=16));
}
