//! What time does about decisions of moderators: people are written to, bans and warnings end.

use std::time::Duration;

use ranking::jobs;
use serde_json::Value;

use crate::world::World;

const MINUTE: Duration = Duration::from_secs(60);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// A site where Ada, who reads Spanish, has been decided about now.
async fn decided() -> World {
    let world = World::new().await;
    let ada = world.account("ada").await;
    let bob = world.account("bob").await;
    let mut owner = world.begin().await;
    for (person, kind, decision, reason) in [
        (ada, "report", "disabled", Some("spam")),
        (ada, "server", "approved", None),
        // Changes nothing for anybody, and nobody to write to.
        (ada, "edit", "approved", None),
        (bob, "report", "disabled", Some("spam")),
    ] {
        sqlx::query(
            "insert into public.moderation_cases
                (kind, subject_id, person_id, label, decision, decided_at, reason, statement)
             values ($1, gen_random_uuid(), $2, 'Avalon', $3, $4, $5, 'Demasiados enlaces')",
        )
        .bind(kind)
        .bind(person)
        .bind(decision)
        .bind(world.clock().now())
        .bind(reason)
        .execute(&mut *owner)
        .await
        .expect("a decision");
    }
    sqlx::query("update auth.users set email_confirmed_at = now() where id = $1")
        .bind(ada)
        .execute(&mut *owner)
        .await
        .expect("confirmed");
    sqlx::query("update public.profiles set language = 'es' where id = $1")
        .bind(ada)
        .execute(&mut *owner)
        .await
        .expect("a language");
    owner.commit().await.expect("committed");
    world
}

/// The letters that were written, as they wait, in the order of their subjects.
async fn letters(world: &World) -> Vec<Value> {
    let mut owner = world.begin().await;
    sqlx::query_scalar("select payload from public.mail_queue order by payload ->> 'subject'")
        .fetch_all(&mut *owner)
        .await
        .expect("letters")
}

async fn value(world: &World, sql: &'static str) -> String {
    let mut owner = world.begin().await;
    sqlx::query_scalar(sql).fetch_one(&mut *owner).await.expect("a value")
}

#[tokio::test]
async fn people_are_written_to_once_in_their_language_and_not_of_every_slip() {
    let world = decided().await;
    assert_eq!(jobs::tell_decisions(&world.state).await.expect("done"), 0, "it may be a slip");
    world.clock().advance(MINUTE * 4);
    let (one, two) =
        tokio::join!(jobs::tell_decisions(&world.state), jobs::tell_decisions(&world.state));
    assert_eq!(one.expect("done") + two.expect("done"), 2);
    world.clock().advance(MINUTE);
    assert_eq!(jobs::tell_decisions(&world.state).await.expect("done"), 0);
    let written = letters(&world).await;
    let [approved, suspended] = &written[..] else { panic!("two letters: {written:?}") };
    assert_eq!(approved["to"], "ada@example.test");
    assert_eq!(approved["subject"], "Avalon está en línea · Palmarès");
    assert_eq!(suspended["subject"], "Avalon está suspendido · Palmarès");
    let text = suspended["text"].as_str().expect("a text");
    assert!(text.contains("Motivo: spam.\n\nDemasiados enlaces"), "{text}");
}

#[tokio::test]
async fn whoever_was_told_is_told_when_it_is_taken_back() {
    let world = decided().await;
    world.clock().advance(MINUTE * 4);
    // One before anybody was told, the other after.
    world
        .sql("update public.moderation_cases set taken_back_at = decided_at where kind = 'server'")
        .await;
    assert_eq!(jobs::tell_decisions(&world.state).await.expect("done"), 1);
    world
        .sql("update public.moderation_cases set taken_back_at = decided_at where kind = 'report'")
        .await;
    assert_eq!(jobs::tell_decisions(&world.state).await.expect("done"), 1);
    assert_eq!(jobs::tell_decisions(&world.state).await.expect("done"), 0);
    let subjects: Vec<Value> =
        letters(&world).await.into_iter().map(|letter| letter["subject"].clone()).collect();
    assert_eq!(
        subjects,
        ["Avalon está suspendido · Palmarès", "Decisión anulada: Avalon · Palmarès"]
    );
}

#[tokio::test]
async fn bans_and_warnings_end_by_themselves() {
    let world = World::new().await;
    let ada = world.account("ada").await;
    let mut owner = world.begin().await;
    sqlx::query("update public.profiles set is_banned = true, banned_until = $2 where id = $1")
        .bind(ada)
        .bind(world.clock().now() + DAY)
        .execute(&mut *owner)
        .await
        .expect("banned");
    sqlx::query(
        "insert into public.user_warnings (user_id, reason, expires_at) values ($1, 'why', $2)",
    )
    .bind(ada)
    .bind(world.clock().now() + DAY)
    .execute(&mut *owner)
    .await
    .expect("warned");
    owner.commit().await.expect("committed");
    assert_eq!(jobs::end_bans(&world.state).await.expect("done"), 0);
    assert_eq!(jobs::end_warnings(&world.state).await.expect("done"), 0);
    world.clock().advance(DAY);
    assert_eq!(jobs::end_bans(&world.state).await.expect("done"), 1);
    assert_eq!(jobs::end_warnings(&world.state).await.expect("done"), 1);
    let state = "select concat_ws(' ', p.is_banned, p.banned_until is null, w.is_active)
        from public.profiles as p inner join public.user_warnings as w on w.user_id = p.id";
    assert_eq!(value(&world, state).await, "f t f");
}
