//! The demonstration data loads completely, can be loaded twice, and is removed without a trace.

use ranking::demo;

use crate::world::World;

const ACCOUNTS: [(&str, &str); 5] = [
    ("admin@palmares.test", "Ada"),
    ("founder@palmares.test", "Fanny"),
    ("owner@palmares.test", "Octave"),
    ("owner2@palmares.test", "Olivia"),
    ("player@palmares.test", "Pablo"),
];

async fn world_with_accounts() -> World {
    let world = World::new().await;
    let mut owner = world.begin().await;
    for (email, name) in ACCOUNTS {
        sqlx::query(
            "insert into auth.users (id, email, raw_user_meta_data)
             values (gen_random_uuid(), $1, jsonb_build_object('username', $2::text))",
        )
        .bind(email)
        .bind(name)
        .execute(&mut *owner)
        .await
        .expect("an account");
    }
    owner.commit().await.expect("committed");
    world
}

/// The number of rows of every table. The vote clock is left out, because the first count of votes
/// sets it; so is the audit log, which keeps that people had a role.
async fn rows(world: &World) -> Vec<(String, i64)> {
    let mut owner = world.begin().await;
    sqlx::query_as(
        "select
           relname::text,
           (xpath('/row/n/text()', query_to_xml(
             format('select count(*) as n from public.%I', relname), false, true, ''
           )))[1]::text::int8
         from pg_catalog.pg_class
         where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
           and relname not in ('vote_clock', 'security_events')
         order by relname",
    )
    .fetch_all(&mut *owner)
    .await
    .expect("counts")
}

#[tokio::test]
async fn demo_data_loads_twice_and_removes_cleanly() {
    let world = world_with_accounts().await;
    let before = rows(&world).await;
    demo::load(&world.owner()).await.expect("loaded");
    let loaded = rows(&world).await;
    let servers = loaded.iter().find(|(table, _)| table == "servers").expect("a table").1;
    assert!(servers >= 120, "{servers} servers");
    demo::load(&world.owner()).await.expect("loaded again");
    assert_eq!(rows(&world).await, loaded);
    demo::remove(&world.owner()).await.expect("removed");
    assert_eq!(rows(&world).await, before);
}
