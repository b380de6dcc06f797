//! Open payments are reconciled even if no payer returns and no webhook event arrives.

use std::time::Duration;

use payments::jobs::reconcile;

use crate::world::World;

const MINUTE: Duration = Duration::from_secs(60);

#[tokio::test]
async fn payments_in_closed_pages_count() {
    let world = World::new().await;
    let server = world.ada().await;
    let session = world.ordered(server).await;
    assert_eq!(reconcile(&world.state).await.expect("done"), 0, "nothing is due");
    assert_eq!(world.choose(&session, "later").await.status, 303);
    world.clock().advance(MINUTE * 2);
    let (one, two) = tokio::join!(reconcile(&world.state), reconcile(&world.state));
    assert_eq!(one.expect("done") + two.expect("done"), 1, "each is one asker's");
    assert_eq!(world.states().await, ["paid"]);
    assert_eq!(world.days_left().await, 30);
}

#[tokio::test]
async fn unpaid_payments_expire_and_take_no_money() {
    let world = World::new().await;
    world.ada().await;
    assert_eq!(world.book("ada", 1, 2).await.status, 200);
    let session: String = world.query_scalar("select session_id from public.payments").await;
    world.clock().advance(MINUTE * 29);
    assert_eq!(reconcile(&world.state).await.expect("done"), 0);
    world.clock().advance(MINUTE * 2);
    assert_eq!(reconcile(&world.state).await.expect("done"), 1);
    assert_eq!(world.states().await, ["expired"]);
    world.choose(&session, "pay").await;
    assert_eq!(world.check_session(&session).await.json()["state"], "expired");
    let tiles: Vec<String> =
        world.query_scalar("select array_agg(status) from public.arcade_spots").await;
    assert_eq!(tiles, ["expired"]);
}

#[tokio::test]
async fn payment_without_session_expires_and_frees_days() {
    let world = World::new().await;
    world.ada().await;
    assert_eq!(world.book("ada", 1, 2).await.status, 200);
    world
        .sql("update public.payments set provider = null, session_id = null, session_url = null")
        .await;
    world.clock().advance(MINUTE * 2);
    assert_eq!(reconcile(&world.state).await.expect("done"), 0, "it may be under way");
    world.clock().advance(MINUTE * 10);
    assert_eq!(reconcile(&world.state).await.expect("done"), 1);
    assert_eq!(world.states().await, ["expired"]);
    world.account("bob").await;
    assert_eq!(world.book("bob", 1, 2).await.status, 200);
}
