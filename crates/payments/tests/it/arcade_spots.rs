//! Periodic jobs for Arcade spots.

use std::time::Duration;

use payments::JOBS;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::world::{World, work};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

async fn statuses(world: &World) -> Vec<String> {
    world.query_scalar("select array_agg(status order by position) from public.arcade_spots").await
}

#[tokio::test]
async fn arcade_spots_start_and_end_on_their_days() {
    let world = World::new().await;
    world.ada().await;
    for position in 1..=2 {
        assert_eq!(world.book("ada", position, 1).await.status, 200);
    }
    let session: String = world
        .query_scalar("select session_id from public.payments order by created_at limit 1")
        .await;
    assert_eq!(world.choose(&session, "pay").await.status, 303);
    assert_eq!(work(&world.state, "payments.expire_reservations").await.expect("done"), 0);
    assert_eq!(work(&world.state, "payments.start_arcade_spots").await.expect("done"), 0);
    assert_eq!(statuses(&world).await, ["paid", "pending"]);
    world.clock().advance(DAY);
    assert_eq!(work(&world.state, "payments.expire_reservations").await.expect("done"), 1);
    assert_eq!(work(&world.state, "payments.start_arcade_spots").await.expect("done"), 1);
    assert_eq!(work(&world.state, "payments.start_arcade_spots").await.expect("done"), 0);
    assert_eq!(statuses(&world).await, ["active", "expired"]);
    world.clock().advance(DAY * 2);
    assert_eq!(work(&world.state, "payments.end_arcade_spots").await.expect("done"), 0);
    world.clock().advance(DAY);
    assert_eq!(work(&world.state, "payments.end_arcade_spots").await.expect("done"), 1);
    assert_eq!(statuses(&world).await, ["ended", "expired"]);
}

#[tokio::test]
async fn anybody_may_expire_lapsed_reservations() {
    let world = World::new().await;
    world.ada().await;
    assert_eq!(world.book("ada", 3, 1).await.status, 200);
    let anon = world.personas.as_anon();
    let ask =
        async || world.function("cleanup-pending-arcade-spots", &anon, json!({})).await.json();
    assert_eq!(ask().await, json!({ "released": 0 }));
    world.clock().advance(Duration::from_secs(31 * 60));
    assert_eq!(ask().await, json!({ "released": 1 }));
}

#[tokio::test]
async fn jobs_run_at_once_and_end_when_cancelled() {
    let world = World::new().await;
    let server = world.ada().await;
    let session = world.ordered(server).await;
    assert_eq!(world.choose(&session, "later").await.status, 303);
    world.clock().advance(Duration::from_secs(120));
    let cancelled = CancellationToken::new();
    let running: Vec<_> = JOBS
        .iter()
        .map(|job| tokio::spawn(job.run(world.state.clone(), cancelled.clone())))
        .collect();
    while world.states().await != ["paid"] {
        tokio::task::yield_now().await;
    }
    cancelled.cancel();
    for ended in running {
        ended.await.expect("ended in order");
    }
    let names: std::collections::BTreeSet<_> = JOBS.iter().map(|job| job.name).collect();
    assert_eq!(names.len(), JOBS.len());
}
