//! The permission to read a private channel is queried once for many joins, and never shared
//! between callers that policies can distinguish.

use std::time::Duration;

use serde_json::{Value, json};

use crate::world::{Client, World};

/// Counts permission probes: a sequence keeps its value when the probe is rolled back.
const COUNTER: &str = "
    create sequence public.probes;
    grant usage on sequence public.probes to public;
    create function public.count_probe() returns trigger language plpgsql as $$
    begin
        perform nextval('public.probes');
        return new;
    end
    $$;
    create trigger count_probe before insert on realtime.messages for each row execute function public.count_probe();
";

async fn world(policy: &str) -> World {
    let world = World::new().await;
    world.sql(COUNTER).await;
    world.sql(policy).await;
    world
}

async fn probes(world: &World) -> i64 {
    let mut connection = world.db.pools().owner.connection().await.unwrap();
    let count = "select case when is_called then last_value else 0 end from public.probes";
    sqlx::query_scalar(count).fetch_one(&mut *connection).await.unwrap()
}

/// Joins a private channel with a token, or with the key of the socket.
async fn join(client: &mut Client, topic: &str, token: Option<&str>) -> String {
    let payload = json!({"config": {"private": true}, "access_token": token});
    let (_, reply) = client.try_join(topic, payload).await;
    reply["status"].as_str().unwrap().to_owned()
}

async fn status(world: &World, token: &str) -> String {
    join(&mut world.client().await, "realtime:room", Some(token)).await
}

/// Identifies the caller with a function that is not immutable.
const BY_CLAIMS: &str = "create policy reads on realtime.messages for select to authenticated
    using (current_setting('request.jwt.claims', true)::json ->> 'email' = 'ada@example.test');";

#[tokio::test]
async fn visitors_of_one_channel_cost_one_probe() {
    let policy = "create policy reads on realtime.messages for select to anon
        using (extension = 'broadcast' and (topic = 'ranking' or topic like 'server:%'));";
    let world = world(policy).await;
    let key = &world.personas.api_keys().anon;
    let query = format!("apikey={key}&vsn=2.0.0");
    let headers = ["x-real-ip", "x-forwarded-for"];
    let mut clients = Vec::new();
    for number in 0..40 {
        // Proxies give each client its own header.
        let header = (headers[number % 2], ["10.0.0.1", "10.0.0.2", "10.0.0.3"][number % 3]);
        clients.push(world.one.open_with(&query, &[header]).await.unwrap());
    }
    let joins = clients.iter_mut().map(|client| join(client, "realtime:ranking", None));
    assert_eq!(futures_util::future::join_all(joins).await, vec!["ok"; 40]);
    assert_eq!(probes(&world).await, 1);
    for client in &mut clients[..2] {
        assert_eq!(join(client, "realtime:server:1", None).await, "ok");
        assert_eq!(join(client, "realtime:staff", None).await, "error");
    }
    // One probe for the permitted topic, and one for each join of the other.
    assert_eq!(probes(&world).await, 4);
}

#[tokio::test]
async fn callers_with_other_claims_never_share() {
    let world = world(BY_CLAIMS).await;
    let token = |name: &str, more: Value| world.personas.user_token(name, more);
    let (ada, bob) = (token("ada", json!({})), token("bob", json!({})));
    for _ in 0..2 {
        assert_eq!(status(&world, &ada).await, "ok");
    }
    assert_eq!(probes(&world).await, 1);
    assert_eq!(status(&world, &bob).await, "error");
    assert_eq!(status(&world, &ada).await, "ok");
    assert_eq!(probes(&world).await, 2);
    assert_eq!(status(&world, &token("ada", json!({"more": 1}))).await, "ok");
    assert_eq!(probes(&world).await, 3);
}

#[tokio::test]
async fn callers_with_other_headers_never_share() {
    let policy = "create policy reads on realtime.messages for select to anon
        using (current_setting('request.headers', true)::json ->> 'x-room' = 'blue');";
    let world = world(policy).await;
    let query = format!("apikey={}&vsn=2.0.0", world.personas.api_keys().anon);
    for (room, expected) in [("blue", "ok"), ("red", "error"), ("blue", "ok")] {
        let mut client = world.one.open_with(&query, &[("x-room", room)]).await.unwrap();
        assert_eq!(join(&mut client, "realtime:room", None).await, expected, "{room}");
    }
    assert_eq!(probes(&world).await, 2);
}

#[tokio::test]
async fn refused_caller_joins_after_access_is_granted() {
    let world = world(
        "create table public.members (email text);
        grant select on public.members to authenticated;
        create policy reads on realtime.messages for select to authenticated using (
            current_setting('request.jwt.claims', true)::json ->> 'email' in (select email from public.members)
        );",
    )
    .await;
    let ada = world.personas.user_token("ada", json!({}));
    assert_eq!(status(&world, &ada).await, "error");
    world.sql("insert into public.members values ('ada@example.test')").await;
    assert_eq!(status(&world, &ada).await, "ok");
}

#[tokio::test]
async fn permission_is_queried_again_after_five_seconds() {
    let world = world(BY_CLAIMS).await;
    let ada = world.personas.user_token("ada", json!({}));
    assert_eq!(status(&world, &ada).await, "ok");
    world.sql("drop policy reads on realtime.messages").await;
    world.personas.clock().advance(Duration::from_secs(5));
    assert_eq!(status(&world, &ada).await, "error");
}

#[tokio::test]
async fn no_permission_is_cached_with_a_zero_lifetime() {
    let world = World::with(|config| config.rights_ttl = Duration::ZERO).await;
    world.sql(COUNTER).await;
    world.sql(BY_CLAIMS).await;
    let ada = world.personas.user_token("ada", json!({}));
    for _ in 0..2 {
        assert_eq!(status(&world, &ada).await, "ok");
    }
    assert_eq!(probes(&world).await, 2);
}
