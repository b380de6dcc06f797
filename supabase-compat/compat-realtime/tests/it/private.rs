//! Private channels: row security on `realtime.messages` decides.

use serde_json::{Value, json};

use tokio_tungstenite::tungstenite::Message;

use crate::world::{Client, TestFrame, World};

/// Ada may read and write `club:…`; every user may read `hall`.
const POLICIES: &str = r#"
    create policy "reads" on realtime.messages for select to authenticated
    using (
        realtime.topic() = 'hall'
        or (realtime.topic() like 'club:%' and extension in ('broadcast', 'presence')
            and current_setting('request.jwt.claims', true)::json ->> 'email' = 'ada@example.test')
    );
    create policy "writes" on realtime.messages for insert to authenticated
    with check (realtime.topic() like 'club:%' and topic = realtime.topic());
"#;

async fn world() -> World {
    let world = World::with(|_| {}).await;
    world.sql(POLICIES).await;
    world
}

async fn private(world: &World, user: &str, topic: &str, more: Value) -> (Client, String, Value) {
    let mut client = world.client().await;
    let mut config = json!({"private": true});
    config.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let token = match user {
        "" => json!(null),
        "service" => json!(world.personas.api_keys().service_role),
        name => json!(world.personas.user_token(name, json!({}))),
    };
    let payload = json!({"config": config, "access_token": token});
    let (join_ref, reply) = client.try_join(topic, payload).await;
    (client, join_ref, reply)
}

#[tokio::test]
async fn policies_decide_who_joins() {
    let world = world().await;
    for (user, topic, may) in [
        ("ada", "club:1", true),
        ("bob", "club:1", false),
        ("bob", "hall", true),
        ("", "hall", false),
        ("service", "anything", true),
    ] {
        let (.., reply) = private(&world, user, &format!("realtime:{topic}"), json!({})).await;
        let expected = match may {
            true => json!({"status": "ok", "response": {"postgres_changes": []}}),
            false => json!({"status": "error", "response": {"reason": format!(
                "Unauthorized: You do not have permissions to read from this Channel topic: {topic}"
            )}}),
        };
        assert_eq!(reply, expected, "{user} {topic}");
    }
}

#[tokio::test]
async fn broadcasts_without_the_right_are_dropped() {
    let world = world().await;
    let ack = json!({"broadcast": {"ack": true}});
    let (mut ada, ada_ref, _) = private(&world, "ada", "realtime:club:1", ack).await;
    let (mut other, _, _) = private(&world, "ada", "realtime:club:1", json!({})).await;
    ada.push(Some(&ada_ref), "realtime:club:1", "broadcast", json!({"event": "e"})).await;
    assert_eq!(ada.event().await.0, "phx_reply");
    assert_eq!(other.event().await.0, "broadcast");
    let (mut bob, bob_ref, _) = private(&world, "bob", "realtime:hall", json!({})).await;
    let (mut cid, _, _) = private(&world, "cid", "realtime:hall", json!({})).await;
    bob.push(Some(&bob_ref), "realtime:hall", "broadcast", json!({"event": "e"})).await;
    // Sent after the broadcast: its reply shows that the broadcast was handled.
    bob.push(Some(&bob_ref), "realtime:hall", "phx_leave", json!({})).await;
    assert_eq!(bob.event().await.0, "phx_reply");
    cid.assert_no_message().await;
}

#[tokio::test]
async fn acknowledged_broadcast_without_the_right_is_refused() {
    let world = world().await;
    let ack = json!({"broadcast": {"ack": true}});
    let (mut bob, bob_ref, _) = private(&world, "bob", "realtime:hall", ack).await;
    let (mut cid, _, _) = private(&world, "cid", "realtime:hall", json!({})).await;
    let refusal = json!({"status": "error", "response": {"error": "unauthorized"}});
    // The permission is queried for the first broadcast and cached for the second.
    for _ in 0..2 {
        bob.push(Some(&bob_ref), "realtime:hall", "broadcast", json!({"event": "e"})).await;
        assert_eq!(bob.event().await, ("phx_reply".to_owned(), refusal.clone()));
    }
    cid.assert_no_message().await;
}

#[tokio::test]
async fn same_name_private_and_public_topics_are_separate() {
    let world = world().await;
    let (mut ada, ada_ref, _) = private(&world, "ada", "realtime:club:1", json!({})).await;
    let mut public = world.client().await;
    let public_ref = public.join("realtime:club:1", json!({})).await;
    public.push(Some(&public_ref), "realtime:club:1", "broadcast", json!({"event": "e"})).await;
    public.assert_no_message().await;
    ada.assert_no_message().await;
    ada.push(Some(&ada_ref), "realtime:club:1", "broadcast", json!({"event": "e"})).await;
    ada.push(Some(&ada_ref), "realtime:club:1", "phx_leave", json!({})).await;
    assert_eq!(ada.event().await.0, "phx_reply");
    public.assert_no_message().await;
}

#[tokio::test]
async fn presence_needs_rights_of_its_own() {
    let world = world().await;
    let presence = json!({"presence": {"enabled": true, "key": "k"}});
    let (mut ada, ada_ref, _) = private(&world, "ada", "realtime:club:1", presence.clone()).await;
    assert_eq!(ada.event().await, ("presence_state".to_owned(), json!({})));
    let track = json!({"event": "track", "payload": {}});
    ada.push(Some(&ada_ref), "realtime:club:1", "presence", track.clone()).await;
    assert_eq!(ada.event().await.0, "presence_diff");
    assert_eq!(ada.event().await.0, "phx_reply");
    let (mut bob, bob_ref, _) = private(&world, "bob", "realtime:hall", presence).await;
    assert_eq!(bob.event().await.0, "presence_state");
    bob.push(Some(&bob_ref), "realtime:hall", "presence", track).await;
    let refusal = json!({"status": "error", "response": {}});
    assert_eq!(bob.event().await, ("phx_reply".to_owned(), refusal));
}

#[tokio::test]
async fn new_token_without_the_right_ends_the_channel() {
    let world = world().await;
    let (mut ada, ada_ref, _) = private(&world, "ada", "realtime:club:1", json!({})).await;
    let token = world.personas.user_token("bob", json!({}));
    let payload = json!({"access_token": token});
    ada.push(Some(&ada_ref), "realtime:club:1", "access_token", payload).await;
    let (event, payload) = ada.event().await;
    assert_eq!(event, "system");
    assert_eq!(
        payload,
        json!({
            "message": "You no longer have permission to read from this Channel topic: club:1",
            "status": "error", "extension": "system", "channel": "club:1",
        })
    );
    assert_eq!(ada.event().await.0, "phx_close");
}

#[tokio::test]
async fn failing_policy_and_unknown_role_give_no_right() {
    let world = World::new().await;
    world
        .sql("create policy \"fails\" on realtime.messages for select to authenticated using (1 / 0 = 1)")
        .await;
    let (.., reply) = private(&world, "ada", "realtime:a", json!({})).await;
    assert_eq!(reply["status"], "error");
    let token = world.personas.user_token("ada", json!({"role": "nobody_such"}));
    let mut client = world.client().await;
    let payload = json!({"config": {"private": true}, "access_token": token});
    let (_, reply) = client.try_join("realtime:a", payload).await;
    let text = "Unauthorized: You do not have permissions to read from this Channel topic: a";
    assert_eq!(reply["response"]["reason"], text);
}

#[tokio::test]
async fn probes_leave_no_rows_behind() {
    let world = world().await;
    let ack = json!({"broadcast": {"ack": true}});
    let (mut ada, ada_ref, _) = private(&world, "ada", "realtime:club:1", ack).await;
    ada.push(Some(&ada_ref), "realtime:club:1", "broadcast", json!({"event": "e"})).await;
    ada.event().await;
    world.sql("do $$ begin assert (select count(*) from realtime.messages) = 0; end $$").await;
}

#[tokio::test]
async fn replay_is_oldest_first() {
    let world = world().await;
    world
        .sql(
            "insert into realtime.messages (topic, extension, event, payload, private, inserted_at)
            select 'club:1', 'broadcast', 'e' || n, jsonb_build_object('n', n), true,
                now() at time zone 'utc' - interval '1 minute' * n
            from generate_series(1, 3) as n",
        )
        .await;
    let since = world.personas.clock().unix() * 1000 - 3_600_000;
    let replay = json!({"broadcast": {"replay": {"since": since, "limit": 2}}});
    let (mut ada, ada_ref, reply) = private(&world, "ada", "realtime:club:1", replay).await;
    assert_eq!(reply["status"], "ok", "{reply}");
    for n in [2, 1] {
        let message = ada.message().await;
        assert_eq!((&message[0], &message[3]), (&json!(ada_ref), &json!("broadcast")));
        let payload = &message[4];
        assert_eq!(
            (&payload["event"], &payload["payload"]["n"]),
            (&json!(format!("e{n}")), &json!(n))
        );
        assert_eq!(payload["meta"]["replayed"], true);
    }
    ada.assert_no_message().await;
    let wrong = json!({"broadcast": {"replay": {"since": since, "limit": 26}}});
    let (.., reply) = private(&world, "ada", "realtime:club:1", wrong).await;
    let text = "UnableToReplayMessages: Replay params are not valid";
    assert_eq!(reply["response"]["reason"], text);
}

#[tokio::test]
async fn forged_notification_reaches_no_private_channel() {
    let world = world().await;
    let (mut member, _, reply) = private(&world, "ada", "realtime:club:1", json!({})).await;
    assert_eq!(reply["status"], "ok", "{reply}");
    let mut open = world.client().await;
    open.join("realtime:club:1", json!({})).await;
    let forged = |is_private: bool| {
        let topic = json!({"name": "realtime:club:1", "private": is_private});
        let message = json!({"Broadcast": {"topic": topic, "broadcast": {"Text": "{}"}}});
        let node = "6f1f1c5e-6d0f-4a3c-9a51-2f6b7a1c0d3e";
        let batch = json!({"node": node, "messages": [message]});
        format!("select pg_notify('realtime_relay', '{batch}');")
    };
    // Repeats until the process listens: the first public message received arrived after a private
    // one.
    let mut is_received = false;
    for _ in 0..1_000 {
        world.sql(&format!("{}{}", forged(true), forged(false))).await;
        open.push(None, "phoenix", "heartbeat", json!({})).await;
        is_received = open.event().await.0 == "broadcast";
        if is_received {
            break;
        }
    }
    assert!(is_received, "the public notification never arrived");
    member.assert_no_message().await;
}

#[tokio::test]
async fn token_acts_as_no_more_than_in_rest() {
    let world = World::new().await;
    let mut connection = world.db.pools().owner.connection().await.unwrap();
    let question = sqlx::query_scalar("select current_user::text");
    let owner: String = question.fetch_one(&mut *connection).await.unwrap();
    for role in [owner.as_str(), "none"] {
        let token = world.personas.user_token("ada", json!({"role": role}));
        let mut client = world.client().await;
        let payload = json!({"config": {"private": true}, "access_token": token});
        let (_, reply) = client.try_join("realtime:a", payload).await;
        assert_eq!(reply["status"], "error", "{role}: {reply}");
    }
}

/// A table of another owner, and a function that tries to read it under every role that it can
/// take.
const ATTACK: &str = "
    create schema secret;
    create table secret.users (id int);
    insert into secret.users values (1);
    create function public.takes_rights() returns boolean language plpgsql as $$
    declare
        words text;
    begin
        foreach words in array array[
            'select', 'reset role', 'set role none', 'set local role supabase_admin', 'reset session authorization',
            'set role ' || (select quote_ident(rolname) from pg_catalog.pg_roles where oid = 10),
            'set session authorization ' || (select quote_ident(rolname) from pg_catalog.pg_roles where oid = 10)
        ] loop
            begin
                execute words;
                perform from secret.users;
                return true;
            exception
                when others then
                    null;
            end;
        end loop;
        return false;
    end
    $$;
";

#[tokio::test]
async fn policy_takes_no_more_rights_than_in_rest() {
    let world = World::new().await;
    world.sql(ATTACK).await;
    world
        .sql(
            "create policy read_all on realtime.messages for select using (public.takes_rights() or topic = 'open');
            create policy write_all on realtime.messages for insert with check (public.takes_rights())",
        )
        .await;
    let (.., reply) = private(&world, "ada", "realtime:a", json!({})).await;
    let text = "Unauthorized: You do not have permissions to read from this Channel topic: a";
    assert_eq!(reply["response"]["reason"], text);
    let (mut ada, join_ref, reply) = private(&world, "ada", "realtime:open", json!({})).await;
    assert_eq!(reply["status"], "ok", "{reply}");
    let (mut other, _, _) = private(&world, "bob", "realtime:open", json!({})).await;
    ada.push(Some(&join_ref), "realtime:open", "broadcast", json!({"event": "e"})).await;
    // Sent after the broadcast: its reply shows that the broadcast was handled.
    ada.push(Some(&join_ref), "realtime:open", "phx_leave", json!({})).await;
    assert_eq!(ada.event().await.0, "phx_reply");
    other.assert_no_message().await;
}

#[tokio::test]
async fn trigger_takes_no_more_rights_than_in_rest() {
    let world = world().await;
    world.sql(ATTACK).await;
    world
        .sql(
            "create function public.tries() returns trigger language plpgsql as $$
            begin
                if public.takes_rights() then
                    raise exception 'rights were taken';
                end if;
                return new;
            end
            $$;
            create trigger tries before insert on realtime.messages for each row execute function public.tries();
            create trigger tries_again after insert on realtime.messages execute function public.tries()",
        )
        .await;
    let ack = json!({"broadcast": {"ack": true}});
    let (mut ada, ada_ref, reply) = private(&world, "ada", "realtime:club:1", ack).await;
    assert_eq!(reply["status"], "ok", "{reply}");
    let (mut other, _, _) = private(&world, "ada", "realtime:club:1", json!({})).await;
    ada.push(Some(&ada_ref), "realtime:club:1", "broadcast", json!({"event": "e"})).await;
    assert_eq!(other.event().await.0, "broadcast");
}

#[tokio::test]
async fn callers_write_no_probes() {
    let world = World::new().await;
    for role in ["anon", "authenticated"] {
        let mut owner = world.db.pools().owner.begin().await.unwrap();
        let act = format!("set local role {role}");
        sqlx::raw_sql(sqlx::AssertSqlSafe(act)).execute(&mut *owner).await.unwrap();
        let probe = sqlx::query("select realtime.write_probes('a', '{broadcast}')");
        let refusal = probe.execute(&mut *owner).await.unwrap_err();
        let code = refusal.as_database_error().and_then(|error| error.code()).unwrap().into_owned();
        assert_eq!(code, "42501", "{role}");
    }
}

/// Policies that allow Ada's broadcasts in `club:1` to be stored.
const STORES: &str = r#"
    drop policy "writes" on realtime.messages;
    create policy "writes" on realtime.messages for insert to authenticated
    with check (
        realtime.topic() like 'club:%' and (extension <> 'persistence' or realtime.topic() = 'club:1')
    );
"#;

fn stored_broadcast(join_ref: &str, topic: &str, event: &str, payload: &[u8], kind: u8) -> Message {
    let fields = [join_ref, "9", topic, event, r#"{"persist":{"ttl":60}}"#];
    let mut frame = vec![3];
    frame.extend(fields.iter().map(|field| u8::try_from(field.len()).unwrap()));
    frame.push(kind);
    fields.iter().for_each(|field| frame.extend(field.as_bytes()));
    frame.extend(payload);
    Message::binary(frame)
}

#[tokio::test]
async fn stored_broadcasts_are_replayed() {
    let world = World::with(|config| config.stores_broadcasts = true).await;
    world.sql(POLICIES).await;
    world.sql(STORES).await;
    let ack = json!({"broadcast": {"ack": true}});
    let topic = "realtime:club:1";
    let (mut ada, ada_ref, _) = private(&world, "ada", topic, ack).await;
    let (mut other, _, _) = private(&world, "ada", topic, json!({})).await;
    let mut ids = Vec::new();
    for (payload, kind) in [(&br#"{"a":1}"#[..], 1), (&[0, 255][..], 0)] {
        ada.raw(stored_broadcast(&ada_ref, topic, "e", payload, kind)).await;
        let reply = ada.message().await;
        assert_eq!((&reply[1], &reply[4]["status"]), (&json!("9"), &json!("ok")));
        ids.push(reply[4]["response"]["id"].as_str().unwrap().to_owned());
        let TestFrame::Binary(frame) = other.next().await else { panic!("no broadcast") };
        assert!(frame.ends_with(payload));
    }
    // The stored row is not broadcast again: the next message from the stream is another one.
    world.sql("select realtime.send('{}', 'last', 'club:1')").await;
    for client in [&mut ada, &mut other] {
        let TestFrame::Binary(frame) = client.next().await else { panic!("no broadcast") };
        assert!(frame.windows(4).any(|event| event == b"last"));
    }
    let past = json!({"broadcast": {"replay": {"since": 0}}});
    let (mut late, _, reply) = private(&world, "ada", topic, past).await;
    assert_eq!(reply["status"], "ok", "{reply}");
    let (_, payload) = late.event().await;
    let meta = json!({"replayed": true, "id": ids[0]});
    assert_eq!((&payload["payload"], &payload["meta"]), (&json!({"a": 1}), &meta));
    let TestFrame::Binary(frame) = late.next().await else { panic!("no bytes") };
    assert!(frame.ends_with(&[0, 255]));
}

#[tokio::test]
async fn only_permitted_broadcasts_are_stored() {
    let world = World::with(|config| config.stores_broadcasts = true).await;
    world.sql(POLICIES).await;
    world.sql(STORES).await;
    let ack = json!({"broadcast": {"ack": true}});
    let topic = "realtime:club:2";
    let (mut ada, ada_ref, _) = private(&world, "ada", topic, ack.clone()).await;
    let (mut other, _, _) = private(&world, "ada", topic, json!({})).await;
    ada.raw(stored_broadcast(&ada_ref, topic, "e", b"{}", 1)).await;
    let refusal = json!({"status": "error", "response": {"error": "unauthorized"}});
    assert_eq!(ada.event().await.1, refusal);
    assert!(matches!(other.next().await, TestFrame::Binary(_)), "it is broadcast anyway");
    let mut public = world.client().await;
    let public_ref = public.join("realtime:club:1", ack).await;
    public.raw(stored_broadcast(&public_ref, "realtime:club:1", "e", b"{}", 1)).await;
    assert_eq!(public.event().await.1, refusal);
    for (path, persist, status) in [
        ("club:2/events/e?private=true", "persist=true", 202),
        ("club:1/events/e?private=true", "persist=false", 202),
        ("club:1/events/e?private=true", "persist=true", 202),
        ("club:1/events/e?private=true", "persist%5Bttl%5D=60", 202),
        ("club:1/events/e?private=false", "persist=true", 422),
    ] {
        let path = format!("/api/broadcast/{path}&{persist}");
        let answer = world.post(&path, world.personas.as_user("ada"), &json!({"a": 1})).await;
        assert_eq!(answer.status.as_u16(), status, "{path}");
        if status == 422 {
            let problem = json!({"persist": ["can only be used on private channels"]});
            assert_eq!(answer.json(), json!({"errors": problem}));
        }
    }
    let mut owner = world.db.pools().owner.connection().await.unwrap();
    let stored = "select topic, event, payload::text, skip_broadcast from realtime.messages";
    let stored: Vec<(String, String, String, bool)> =
        sqlx::query_as(stored).fetch_all(&mut *owner).await.unwrap();
    let row = || ("club:1".to_owned(), "e".to_owned(), "{\"a\": 1}".to_owned(), true);
    assert_eq!(stored, [row(), row()]);
}

#[tokio::test]
async fn nothing_is_stored_unless_it_is_turned_on() {
    let world = world().await;
    let ack = json!({"broadcast": {"ack": true}});
    let (mut ada, ada_ref, _) = private(&world, "ada", "realtime:club:1", ack).await;
    ada.raw(stored_broadcast(&ada_ref, "realtime:club:1", "e", b"{}", 1)).await;
    assert_eq!(ada.event().await.1, json!({"status": "ok", "response": {}}));
    let path = "/api/broadcast/club:1/events/e?private=true&persist=true";
    let answer = world.post(path, world.personas.as_user("ada"), &json!({})).await;
    assert_eq!(answer.status.as_u16(), 202);
    let mut owner = world.db.pools().owner.connection().await.unwrap();
    let stored = sqlx::query_scalar("select count(*) from realtime.messages");
    let stored: i64 = stored.fetch_one(&mut *owner).await.unwrap();
    assert_eq!(stored, 0);
}

#[tokio::test]
async fn messages_count_while_their_permission_is_queried() {
    let world = World::with(|config| {
        config.max_payload_kilobytes = 1;
        config.max_pending_kilobytes = 20;
    })
    .await;
    world
        .sql(
            "create policy \"reads\" on realtime.messages for select to anon using (true);
            create policy \"writes\" on realtime.messages for insert to anon
            with check (pg_sleep(600) is null)",
        )
        .await;
    let join = async || {
        let mut client = world.client().await;
        let payload = json!({"config": {"private": true}});
        let (join_ref, reply) = client.try_join("realtime:a", payload).await;
        assert_eq!(reply["status"], "ok", "{reply}");
        (client, join_ref)
    };
    let message = json!({"event": "e", "payload": "x".repeat(3_800)});
    let (mut first, first_ref) = join().await;
    first.push(Some(&first_ref), "realtime:a", "broadcast", message.clone()).await;
    first.assert_no_message().await;
    let (mut second, second_ref) = join().await;
    second.push(Some(&second_ref), "realtime:a", "broadcast", message).await;
    let (event, payload) = second.event().await;
    assert_eq!((&*event, &payload["message"]), ("system", &json!("Too many messages per second")));
}
