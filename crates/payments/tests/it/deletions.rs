//! Servers and accounts that are deleted, and days that are taken, while money for them is on its
//! way. Whichever comes first, the money counts or is refunded, and neither operation fails because
//! of the other.

use std::time::Duration;

use compat_pg::Owner;
use payments::jobs;
use serde_json::Value;
use uuid::Uuid;

use crate::stand_in::{StandIn, event};
use crate::world::{World, status_and_body, work};

/// A little longer than PostgreSQL's `deadlock_timeout`, after which it looks for a deadlock.
const DEADLOCK_TIMEOUT: Duration = Duration::from_millis(1_200);

const DELETE_SERVER: &str = "delete from public.servers where name = 'Avalon'";
const DELETE_ACCOUNT: &str =
    "select public.erase_account(id) from public.profiles where username = 'ada'";

/// A site where Ada has ordered and paid, but the webhook event has not arrived yet.
struct PaidOrder {
    stand_in: StandIn,
    world: World,
    session: String,
    notice: Value,
}

impl PaidOrder {
    async fn prestige() -> Self {
        let stand_in = StandIn::start().await;
        let world = World::by_stripe(&stand_in).await;
        let server = world.ada().await;
        let session = world.ordered(server).await;
        Self::notify_later(stand_in, world, session)
    }

    async fn tile() -> Self {
        let stand_in = StandIn::start().await;
        let world = World::by_stripe(&stand_in).await;
        world.ada().await;
        world.account("bob").await;
        assert_eq!(world.book("ada", 2, 3).await.status, 200);
        Self::notify_later(stand_in, world, "cs_1".to_owned())
    }

    fn notify_later(stand_in: StandIn, world: World, session: String) -> Self {
        let paid = stand_in.pay(&session);
        let notice = event("evt_1", "checkout.session.completed", &paid);
        Self { stand_in, world, session, notice }
    }

    /// Sends the webhook event once.
    async fn post_notice(&self) {
        assert_eq!(self.world.notice(&self.notice).await.status, 200);
    }

    /// The final state of the payment, after the session was checked again and due refunds were
    /// made.
    async fn comes_to(&self) -> String {
        let again = self.world.check_session(&self.session).await;
        assert_eq!(again.status, 200);
        self.world.clock().advance(Duration::from_secs(10));
        jobs::refund_due(&self.world.state).await.expect("done");
        let states = self.world.states().await;
        let refunds = self.stand_in.account().refunds.len();
        assert_eq!(refunds, usize::from(states[0].starts_with("refunded")), "{states:?}");
        states[0].clone()
    }
}

async fn run(owner: &mut Owner, statement: &'static str) -> Result<(), sqlx::Error> {
    sqlx::raw_sql(statement).execute(&mut **owner).await.map(drop)
}

/// Waits until this number of transactions wait for a lock.
async fn until_waiting(world: &World, transactions: i64) {
    let question = "select count(*) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'";
    for _ in 0..400 {
        if world.query_scalar::<i64>(question).await >= transactions {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("nobody waits");
}

/// Sends the event while the deletion is in progress, which is then committed or rolled back.
async fn state_after_notice_during(
    paid: &PaidOrder,
    deletion: &'static str,
    is_done: bool,
) -> String {
    let mut other = paid.world.begin().await;
    run(&mut other, deletion).await.expect("deleted");
    let end = async {
        until_waiting(&paid.world, 1).await;
        if is_done { other.commit().await } else { other.rollback().await }.expect("an end");
    };
    tokio::join!(paid.post_notice(), end);
    paid.comes_to().await
}

/// Event and deletion begin while a third transaction locks the server, so that both wait in a
/// given order.
async fn state_after_concurrent_notice(
    paid: &PaidOrder,
    deletion: &'static str,
    is_notice_first: bool,
) -> String {
    let world = &paid.world;
    let mut third = world.begin().await;
    run(&mut third, "update public.servers set name = name").await.expect("held");
    let place = i64::from(!is_notice_first);
    let post_notice = async {
        if place > 0 {
            until_waiting(world, place).await;
        }
        paid.post_notice().await;
    };
    let delete = async {
        if place == 0 {
            until_waiting(world, 1).await;
        }
        let mut other = world.begin().await;
        run(&mut other, deletion).await.expect("a deletion is not refused for a payment");
        other.commit().await.expect("deleted");
    };
    let release = async {
        until_waiting(world, 2).await;
        tokio::time::sleep(DEADLOCK_TIMEOUT).await;
        third.commit().await.expect("released");
    };
    tokio::join!(post_notice, delete, release);
    paid.comes_to().await
}

#[tokio::test]
async fn payment_during_deletion_is_refunded_or_counts() {
    for deletion in [DELETE_SERVER, DELETE_ACCOUNT] {
        let state = state_after_notice_during(&PaidOrder::prestige().await, deletion, true).await;
        assert_eq!(state, "refunded subject_gone", "{deletion}");
        let paid = PaidOrder::prestige().await;
        assert_eq!(state_after_notice_during(&paid, deletion, false).await, "paid", "{deletion}");
        assert_eq!(paid.world.days_left().await, 30);
    }
}

#[tokio::test]
async fn deletions_and_payments_do_not_fail_each_other() {
    for deletion in [DELETE_SERVER, DELETE_ACCOUNT] {
        for is_notice_first in [true, false] {
            let paid = PaidOrder::prestige().await;
            let state = state_after_concurrent_notice(&paid, deletion, is_notice_first).await;
            let documents: i64 =
                paid.world.query_scalar("select count(*) from public.payment_receipts").await;
            match &*state {
                "paid" => assert_eq!(documents, 1),
                "refunded subject_gone" => assert_eq!(documents, 0),
                other => panic!("{other}: {deletion}"),
            }
        }
    }
}

#[tokio::test]
async fn refund_and_server_deletion_do_not_deadlock() {
    for deletion in [DELETE_SERVER, DELETE_ACCOUNT] {
        let paid = PaidOrder::prestige().await;
        let world = &paid.world;
        paid.post_notice().await;
        let mut third = world.begin().await;
        run(&mut third, "update public.servers set name = name").await.expect("held");
        let delete = async {
            let mut other = world.begin().await;
            run(&mut other, deletion).await.expect("a deletion is not refused for a payment");
            other.commit().await.expect("deleted");
        };
        let give_back = async {
            until_waiting(world, 1).await;
            let mut owner = world.begin().await;
            let answer = run(
                &mut owner,
                "select public.ask_for_refund(public.lock_payment(id), 1000, 'administrator')
                 from public.payments",
            );
            answer.await.expect("a refund is not refused for a deletion");
            owner.commit().await.expect("asked for");
        };
        let release = async {
            until_waiting(world, 2).await;
            tokio::time::sleep(DEADLOCK_TIMEOUT).await;
            third.commit().await.expect("released");
        };
        tokio::join!(delete, give_back, release);
        assert_eq!(paid.comes_to().await, "refunded administrator", "{deletion}");
    }
}

#[tokio::test]
async fn tile_payment_after_account_deletion_is_refunded() {
    for is_during in [true, false] {
        let paid = PaidOrder::tile().await;
        let state = if is_during {
            state_after_notice_during(&paid, DELETE_ACCOUNT, true).await
        } else {
            paid.world.sql(DELETE_ACCOUNT).await;
            paid.post_notice().await;
            paid.comes_to().await
        };
        assert_eq!(state, "refunded subject_gone");
        assert_eq!(paid.world.book("bob", 2, 3).await.status, 200);
    }
    let paid = PaidOrder::tile().await;
    paid.post_notice().await;
    paid.world.sql(DELETE_ACCOUNT).await;
    assert_eq!(paid.comes_to().await, "paid", "what has counted stays counted");
}

#[tokio::test]
async fn payment_for_concurrently_removed_tile_is_refunded() {
    for is_removed in [true, false] {
        let paid = PaidOrder::tile().await;
        let state =
            state_after_notice_during(&paid, "delete from public.arcade_spots", is_removed).await;
        assert_eq!(state, if is_removed { "refunded subject_gone" } else { "paid" });
    }
}

#[tokio::test]
async fn concurrent_booking_refunds_the_late_payer() {
    for is_booked in [true, false] {
        let paid = PaidOrder::tile().await;
        let world = &paid.world;
        world.clock().advance(Duration::from_secs(31 * 60));
        assert_eq!(work(&world.state, "payments.expire_reservations").await.expect("done"), 1);
        let mut transaction = world.begin().await;
        let booked = run(
            &mut transaction,
            "insert into public.arcade_spots (position, start_date, end_date, image_url, status)
             select position, start_date, end_date, image_url, 'paid' from public.arcade_spots",
        );
        booked.await.expect("the days have lapsed");
        let end = async {
            until_waiting(world, 1).await;
            if is_booked { transaction.commit().await } else { transaction.rollback().await }
                .expect("an end");
        };
        tokio::join!(paid.post_notice(), end);
        let state = paid.comes_to().await;
        assert_eq!(state, if is_booked { "refunded days_taken" } else { "paid" });
        let spots: i64 = world
            .query_scalar(
                "select count(*) from public.arcade_spots where status in ('paid', 'active')",
            )
            .await;
        assert_eq!(spots, 1);
    }
}

#[tokio::test]
async fn an_order_during_a_deletion_takes_no_money() {
    for (deletion, status, code) in
        [(DELETE_SERVER, 404, "server_not_found"), (DELETE_ACCOUNT, 403, "not_allowed")]
    {
        let world = World::new().await;
        let server: Uuid = world.ada().await;
        let mut other = world.begin().await;
        run(&mut other, deletion).await.expect("deleted");
        let end = async {
            until_waiting(&world, 1).await;
            other.commit().await.expect("deleted");
        };
        let (answer, ()) = tokio::join!(world.order("ada", server, 30), end);
        let (status_now, body) = status_and_body(&answer);
        assert_eq!((status_now, &body["code"]), (status, &Value::from(code)), "{deletion}");
        assert_eq!(world.states().await, [""; 0]);
    }
}
